import { every } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { canceledError, isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import { PARTIAL_FILE_NAME } from '../../base/node/atomicFile';
import { type CrossWindowFiles, CrossWindowFolder } from '../../base/node/crossWindowFolder';
import {
  isOver,
  isSameStart,
  type OwnerProcess,
  ownerOf,
  parseOwner,
  type ThisProcess,
} from '../../base/node/thisProcess';
import type { FileState, UploadJournal } from './uploadQueue';
import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/*
 * An upload as it is stored, so that it outlives its window: the list of its files, written once,
 * and claims, each of which says who owns the batch and where its files stand. Both are plain text
 * of which any part may be damaged.
 */

/** A file as it was when it was queued. */
interface BatchFile {
  uri: string;
  fileName: string;
  /** Folder below the destination, with slashes; '' for a file that came without its folder. */
  folder: string;
  /** Bytes. */
  size: number;
}

interface BatchContent {
  /** "" for the top. */
  destinationFolder: string;
  files: readonly BatchFile[];
}

/** What a batch's owner does; `released`: its window closed, or a person ignored its offer. */
type ClaimPhase = 'sending' | 'offering' | 'released';

interface StoredClaim {
  owner: OwnerProcess;
  phase: ClaimPhase;
  /** In the order of the files; missing until they are first written. */
  states?: FileState[];
}

/** A batch on disk. */
export interface StoredBatch {
  id: string;
  /** What the window that has it does with it; a batch that no window has may be claimed. */
  owner?: { isHere: boolean; isSending: boolean };
  /** Where its files stand, as its owner last wrote; empty before that. */
  states: readonly FileState[];
}

/** A batch that its window did not finish, claimed by this one. */
export interface ClaimedBatch {
  claim: BatchClaim;
  destinationFolder: string;
  /** Before the first of its files was sent. Milliseconds since 1970. */
  startedAt: number;
  /** The files not known to be uploaded. */
  unfinished: UnfinishedFile[];
  /** Where all of its files stand. */
  states: readonly FileState[];
}

export interface UnfinishedFile {
  file: BatchFile;
  /** Its place among all files of the batch. */
  index: number;
  /** Whether another file of the batch has the same name and folder. */
  hasNamesake: boolean;
  /** It was being sent when its window ended: it may be on the service. */
  mayBeSent: boolean;
}

/** The uploads of an account that are under way or were not finished, in any window. */
export class UploadBatches {
  constructor(private readonly dependencies: BatchDependencies) {}

  /** Stores a new batch owned by this window. Throws the file system's errors, leaving nothing. */
  async create(content: BatchContent): Promise<BatchJournal> {
    const { disk, here } = this.dependencies;
    const id = randomBytes(8).toString('hex');
    try {
      await disk.makeFolder(id);
      // The claim first: a batch without one would be of unknown state.
      await disk.create(claimFile(id, 1), claimText({ owner: ownerOf(here), phase: 'sending' }));
      await disk.replace(`${id}/${LIST}`, contentText(content));
    } catch (error) {
      await disk.remove(id).catch(() => undefined);
      throw error;
    }
    return new BatchJournal(
      new BatchClaim(this.dependencies, id, 1),
      this.dependencies,
      content.files.length,
    );
  }

  /** All batches of the account, in any window; removes the remains of half-deleted ones. */
  async all(): Promise<StoredBatch[]> {
    const batches: StoredBatch[] = [];
    for (const id of await this.dependencies.disk.list('')) {
      const names = await this.dependencies.disk.list(id);
      const [newest] = generations(names);
      const owner = newest === undefined ? undefined : await this.owner(id, newest);
      if (names.includes(LIST))
        batches.push({ id, ...(owner?.isThere && { owner }), states: owner?.states ?? [] });
      else if (newest !== undefined && !owner?.isThere) await this.dependencies.disk.remove(id);
    }
    return batches;
  }

  /**
   * Claims a batch without owner; undefined if it has one, another window was first, or nothing is
   * left to upload. If several windows try at once, one succeeds.
   */
  async claim(id: string): Promise<ClaimedBatch | undefined> {
    const { disk, here, log } = this.dependencies;
    const names = await disk.list(id);
    if (!names.includes(LIST)) return undefined;
    const before = generations(names);
    const [newest = 0] = before;
    if (newest > 0 && (await this.owner(id, newest)).isThere) return undefined;
    // Before the claim: a list that can't be read now stays for another time. It never changes.
    const list = await disk.read(`${id}/${LIST}`);
    const content = list && (await parseContent(list.text));
    // Without states: until they are written, those of the claim before this one count.
    const text = claimText({ owner: ownerOf(here), phase: 'offering' });
    if (!(await disk.create(claimFile(id, newest + 1), text))) return undefined;
    const claim = new BatchClaim(this.dependencies, id, newest + 1);
    // The states are read after the claim was created: an owner that was only slow has stopped
    // writing them by now, or has marked what it sends.
    if (!content) {
      log.warn('An unfinished upload could not be read, and is dropped');
      await removeBatch(disk, id);
      return undefined;
    }
    const states = fitted(await this.states(id, before), content.files.length);
    const counts = countsOf(content.files);
    const unfinished = content.files.flatMap((file, index) => {
      const state = states[index];
      if (!file || state === 'done' || state === 'canceled') return [];
      const hasNamesake = counts.get(pathOf(file)) !== 1;
      return [{ file, index, hasNamesake, mayBeSent: state === 'sending' }];
    });
    const { isOurs, isCanceled } = await claim.look();
    if (unfinished.length === 0 || isCanceled) await claim.remove();
    if (unfinished.length === 0 || isCanceled || !isOurs) return undefined;
    await claim.write('offering', states);
    const { destinationFolder } = content;
    return { claim, destinationFolder, startedAt: list.writtenAt, unfinished, states };
  }

  /** Cancels any window's batch. Its owner notices at once; else the next finder deletes it. */
  async cancel(id: string): Promise<void> {
    await this.dependencies.disk.create(`${id}/${CANCEL}`, '');
  }

  private async owner(id: string, generation: number) {
    const { disk, here, now } = this.dependencies;
    let file: { text: string; writtenAt: number } | undefined;
    try {
      file = await disk.read(claimFile(id, generation));
    } catch (error) {
      // Taking it from a window that sends would cancel the upload there, and its files might be
      // sent twice.
      this.dependencies.log.warn(
        `The claim of an upload can't be read, and counts as another window's: ${String(error)}`,
      );
      return { isThere: true, isHere: false, isSending: true, states: undefined };
    }
    const claim = file && parseClaim(file.text);
    // A damaged one may have been created a moment ago, and be written next.
    if (!file || !claim) {
      const isThere = file !== undefined && now() - file.writtenAt < MAX_SILENCE;
      return { isThere, isHere: false, isSending: true, states: undefined };
    }
    return {
      isThere: hasOwner(claim, file.writtenAt, here, now()),
      isHere: claim.owner.session === here.session,
      isSending: claim.phase === 'sending',
      states: claim.states,
    };
  }

  /** The states of the newest claim that has some; undefined where nothing is known. */
  private async states(id: string, claims: readonly number[]): Promise<FileState[] | undefined> {
    let isNewestKnown = claims.length > 0;
    for (const generation of claims) {
      const file = await this.dependencies.disk.read(claimFile(id, generation)).catch(() => undefined);
      const claim = file && parseClaim(file.text);
      // A damaged or unreadable claim may have recorded more than earlier ones.
      if (!claim) isNewestKnown = false;
      else if (claim.states) return isNewestKnown ? claim.states : claim.states.map(unsure);
    }
    // The first claim has no states until the first file is about to be sent.
    return isNewestKnown ? [] : undefined;
  }
}

function pathOf({ folder, fileName }: BatchFile): string {
  return `${folder}/${fileName}`;
}

function countsOf(files: readonly (BatchFile | undefined)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const file of files) if (file) counts.set(pathOf(file), (counts.get(pathOf(file)) ?? 0) + 1);
  return counts;
}

function unsure(state: FileState): FileState {
  return state === 'queued' ? 'sending' : state;
}

/** A state per file: without written states none was sent; where nothing is known, any may be. */
function fitted(states: FileState[] | undefined, count: number): FileState[] {
  const missing = states?.length === 0 ? 'queued' : 'sending';
  return Array.from({ length: count }, (_, index) => states?.[index] ?? missing);
}

/** The dependencies of batches. */
interface BatchDependencies {
  disk: CrossWindowFiles;
  here: ThisProcess;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Calls back again and again until disposed. */
  every: (milliseconds: number, tick: () => void) => Disposable;
  log: Log;
}

/** The list of a batch's files; a folder without it holds no batch. */
export const LIST = 'files.jsonl';

/** A file of this name makes the owner cancel the batch. */
const CANCEL = 'cancel';

/** The file of a claim. Claims are numbered: the one with the highest number owns the batch. */
function claimFile(id: string, generation: number): string {
  return `${id}/claim-${generation}.json`;
}

/** The numbers of the claims among the names in a batch's folder, the owner's first. */
export function generations(names: readonly string[]): number[] {
  return names
    .flatMap(name => /^claim-(\d+)\.json$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((left, right) => right - left);
}

/**
 * This window's claim to a batch. A claim is never handed back: who takes a batch over creates the
 * claim with the next number, which only one window can, and an owner that finds a higher number
 * stops.
 */
export class BatchClaim {
  private readonly ending = new AbortController();
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly dependencies: BatchDependencies,
    readonly id: string,
    private readonly generation: number,
  ) {}

  /** Stores the files' states, one write after another. Logs a failure, which loses states. */
  write(phase: ClaimPhase, states: readonly FileState[]): Promise<void> {
    const { disk, log } = this.dependencies;
    const text = this.text(phase, states);
    const writing = this.turn.then(async () => {
      if (this.ending.signal.aborted) return;
      try {
        await disk.replace(this.file, [text], this.ending.signal);
      } catch (error) {
        if (!isCoded(error, 'cancelled')) log.error('The state of an upload could not be stored', error);
      }
    });
    this.turn = writing;
    return writing;
  }

  /** Whether the batch is still there and this window's, and whether it is to be canceled. */
  async look(): Promise<{ isOurs: boolean; isCanceled: boolean }> {
    const names = await this.dependencies.disk.list(this.id);
    return {
      isOurs: names.includes(LIST) && generations(names)[0] === this.generation,
      isCanceled: names.includes(CANCEL),
    };
  }

  /** Lets another window claim the batch. */
  async release(states: readonly FileState[]): Promise<void> {
    await this.write('released', states);
    this.ending.abort();
  }

  /** As release, before this returns: the window closes. */
  releaseNow(states: readonly FileState[]): void {
    if (this.ending.signal.aborted) return;
    this.ending.abort();
    try {
      this.dependencies.disk.replaceNow(this.file, this.text('released', states));
    } catch (error) {
      this.dependencies.log.error('An upload could not be released', error);
    }
  }

  /** Deletes the batch, unless another window has taken it over. */
  async remove(): Promise<void> {
    if (this.ending.signal.aborted) return;
    this.ending.abort();
    await this.turn;
    if ((await this.look()).isOurs) await removeBatch(this.dependencies.disk, this.id);
  }

  /** Whether a name in the batch's folder is this claim's, or of a file to replace it. */
  writes(name: string): boolean {
    return PARTIAL_FILE_NAME.test(name) || `${this.id}/${name}` === this.file;
  }

  private get file(): string {
    return claimFile(this.id, this.generation);
  }

  private text(phase: ClaimPhase, states: readonly FileState[]): string {
    return claimText({ owner: ownerOf(this.dependencies.here), phase, states: [...states] });
  }
}

/** Deletes a batch: first its list, as a list without claims would be a batch of unknown state. */
async function removeBatch(disk: CrossWindowFiles, id: string): Promise<void> {
  await disk.remove(`${id}/${LIST}`);
  await disk.remove(id);
}

/**
 * Keeps on disk where the files of a running upload stand. That files are about to be sent is
 * written before the first of their bytes leaves; how they ended is written along with what
 * follows, or with the next heartbeat.
 */
export class BatchJournal implements UploadJournal {
  private readonly store = new DisposableStore();
  private readonly canceling = new AbortController();
  private readonly states: FileState[];
  private readonly log: Log;

  /** Fires when another window cancels the batch or has taken it over. */
  readonly signal = this.canceling.signal;

  constructor(
    private readonly claim: BatchClaim,
    { disk, every, log }: BatchDependencies,
    fileCount: number,
  ) {
    this.log = log;
    this.states = new Array<FileState>(fileCount).fill('queued');
    const look = () => void this.look();
    this.store.add(
      every(HEARTBEAT, () => {
        void claim.write('sending', this.states);
        look();
      }),
    );
    // Each of our writes has several events.
    this.store.add(
      disk.watch(claim.id, name => {
        if (name === undefined || !claim.writes(name)) look();
      }),
    );
  }

  get id(): string {
    return this.claim.id;
  }

  /** Resolves once the disk has these files as being sent. Throws `cancelled` if they must not. */
  async sending(indexes: readonly number[]): Promise<void> {
    for (const index of indexes) this.states[index] = 'sending';
    await this.claim.write('sending', this.states);
    // After the write: who takes the batch over from now on reads that these files may have been
    // sent.
    await this.look();
    if (this.signal.aborted) throw canceledError();
  }

  /** How a file ended, or that it was not sent after all. */
  ended(index: number, state: FileState): void {
    this.states[index] = state;
  }

  /** The upload is over, and the person knows its result: nothing is left to offer. */
  async finish(): Promise<void> {
    this.store.dispose();
    await this.claim.remove();
  }

  /** The window closes: stops sending, and releases unfinished files to other windows. */
  close(states: readonly FileState[]): void {
    this.store.dispose();
    this.claim.releaseNow(states);
    this.canceling.abort();
  }

  private async look(): Promise<void> {
    try {
      const { isOurs, isCanceled } = await this.claim.look();
      if (isCanceled || !isOurs) this.canceling.abort();
    } catch (error) {
      this.log.error('Whether an upload was canceled could not be read', error);
    }
  }
}

/** How often the owner of a batch writes its claim again while it sends. Milliseconds. */
const HEARTBEAT = 5000;

/** A claim of a window that sends and that is older has no owner any more. Milliseconds. */
const MAX_SILENCE = 60_000;

/**
 * Whether a claim still has its owner. A window that sends must be heard of; one that shows an
 * offer has no heartbeat, so its process counts. Of another machine, as on a shared home directory,
 * only the heartbeat is known.
 */
export function hasOwner(
  { owner, phase }: Pick<StoredClaim, 'owner' | 'phase'>,
  writtenAt: number,
  here: ThisProcess,
  now: number,
): boolean {
  if (phase === 'released') return false;
  if (owner.session === here.session) return true;
  if (isOver(owner, writtenAt, here)) return false;
  const isSilent = now - writtenAt > MAX_SILENCE;
  return (phase === 'offering' && isSameStart(owner, here)) || !isSilent;
}

/** The uploads that are stored in a folder, as this process takes part in them. */
export function uploadBatches(directory: string, here: ThisProcess, log: Log): UploadBatches {
  return new UploadBatches({
    disk: new CrossWindowFolder(directory),
    here,
    now: Date.now,
    every,
    log,
  });
}

const STATES: Readonly<Record<FileState, string>> = {
  queued: 'q',
  sending: 's',
  done: 'd',
  failed: 'f',
  canceled: 'c',
};

const STATE_OF_LETTER = new Map(
  Object.entries(STATES).map(([state, letter]) => [letter, state as FileState]),
);

const PHASES: readonly unknown[] = ['sending', 'offering', 'released'] satisfies ClaimPhase[];

/** A claim as text; one letter for the state of each file, as there may be 100,000. */
function claimText({ owner, phase, states }: StoredClaim): string {
  const letters = states?.map(state => STATES[state]).join('');
  return JSON.stringify({ owner, phase, ...(letters !== undefined && { states: letters }) });
}

/** A claim from its text; undefined where it is damaged. */
function parseClaim(text: string): StoredClaim | undefined {
  const { owner, phase, states } = (parse(text) ?? {}) as Record<string, unknown>;
  const process = parseOwner(owner);
  if (!process || !PHASES.includes(phase)) return undefined;
  const claim = { owner: process, phase: phase as ClaimPhase };
  if (states === undefined) return claim;
  if (typeof states !== 'string') return undefined;
  // A letter that is none says nothing: the file may have been sent.
  return { ...claim, states: Array.from(states, letter => STATE_OF_LETTER.get(letter) ?? 'sending') };
}

/** The list of files as text, in pieces: a line for the batch and one for each file. */
function* contentText({ destinationFolder, files }: BatchContent): Generator<string> {
  yield `${JSON.stringify({ destinationFolder })}\n`;
  for (const { uri, fileName, folder, size } of files)
    yield `${JSON.stringify({ uri, fileName, folder, size })}\n`;
}

/** Lines that are parsed in one turn of the thread. */
const LINES_AT_ONCE = 2000;

/**
 * Reads the list. A damaged line is undefined, so that others keep their place. Undefined without
 * the first line.
 */
async function parseContent(
  text: string,
): Promise<{ destinationFolder: string; files: (BatchFile | undefined)[] } | undefined> {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const { destinationFolder } = (parse(lines[0] ?? '') ?? {}) as Record<string, unknown>;
  if (typeof destinationFolder !== 'string') return undefined;
  const files: (BatchFile | undefined)[] = [];
  for (const [index, line] of lines.entries()) {
    if (index > 0) files.push(parseFile(line));
    if (index % LINES_AT_ONCE === LINES_AT_ONCE - 1) await nextTurn();
  }
  return { destinationFolder, files };
}

function parseFile(line: string): BatchFile | undefined {
  const { uri, fileName, folder, size } = (parse(line) ?? {}) as Record<string, unknown>;
  if (typeof uri !== 'string' || typeof fileName !== 'string') return undefined;
  if (typeof folder !== 'string' || typeof size !== 'number') return undefined;
  return { uri, fileName, folder, size };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
