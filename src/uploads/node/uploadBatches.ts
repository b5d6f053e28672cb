import { every } from '../../base/clock';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { canceledError, isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import { PARTIAL_FILE_NAME } from '../../base/node/atomicFile';
import { type CrossWindowFiles, CrossWindowFolder } from '../../base/node/crossWindowFolder';
import {
  isOwnerGone,
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
 * Stores uploads as batches, so that they survive their window. A batch has the list of its files,
 * which is written once, and claims. A claim has the owner of the batch and the states of its
 * files. Any part of these text files may be damaged.
 */

/** A file, when it was queued. */
interface BatchFile {
  uri: string;
  fileName: string;
  /** Folder below the destination, with slashes; '' for a file that was selected itself. */
  folder: string;
  /** Bytes. */
  size: number;
}

interface BatchContent {
  /** "" for the top. */
  destinationFolder: string;
  files: readonly BatchFile[];
}

/**
 * What the owner of a batch does: sends its files, or offers the person to upload them again.
 * `released`: the owner's window closed, or the person ignored the offer.
 */
type ClaimPhase = 'sending' | 'offering' | 'released';

interface StoredClaim {
  owner: OwnerProcess;
  phase: ClaimPhase;
  /** In the order of the files; missing before they are first written. */
  states?: FileState[];
}

/** A batch on disk. */
export interface StoredBatch {
  id: string;
  /** The window that owns the batch; without an owner, the batch may be claimed. */
  owner?: { isHere: boolean; isSending: boolean };
  /** The states of its files, as last written by its owner; empty before that. */
  states: readonly FileState[];
}

/** An unfinished batch of another window, claimed by this one. */
export interface ClaimedBatch {
  claim: BatchClaim;
  destinationFolder: string;
  /** Time before its first file was sent, in milliseconds since 1970. */
  startedAt: number;
  /** Files that may not be uploaded. */
  unfinished: UnfinishedFile[];
  /** The states of all its files. */
  states: readonly FileState[];
}

export interface UnfinishedFile {
  file: BatchFile;
  /** Its position among all files of the batch. */
  index: number;
  /** Whether another file of the batch has the same name and folder. */
  hasNamesake: boolean;
  /** Whether it was being sent when its window ended, so the service may have it. */
  mayBeSent: boolean;
}

/** An account's running and unfinished uploads of all windows. */
export class UploadBatches {
  constructor(private readonly dependencies: BatchDependencies) {}

  /**
   * Stores a new batch owned by this window. Throws errors of the file system; then nothing stays.
   */
  async create(content: BatchContent): Promise<BatchJournal> {
    const { disk, currentProcess } = this.dependencies;
    const id = randomBytes(8).toString('hex');
    try {
      await disk.makeFolder(id);
      // Write the claim first, because the state of a batch without a claim is unknown.
      await disk.create(claimFile(id, 1), claimText({ owner: ownerOf(currentProcess), phase: 'sending' }));
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

  /** All batches of the account. Removes remains of half-deleted batches. */
  async all(): Promise<StoredBatch[]> {
    const batches: StoredBatch[] = [];
    for (const id of await this.dependencies.disk.list('')) {
      const names = await this.dependencies.disk.list(id);
      const [newest] = claimNumbers(names);
      const owner = newest === undefined ? undefined : await this.owner(id, newest);
      if (names.includes(LIST))
        batches.push({ id, ...(owner?.isActive && { owner }), states: owner?.states ?? [] });
      else if (newest !== undefined && !owner?.isActive) await this.dependencies.disk.remove(id);
    }
    return batches;
  }

  /**
   * Claims a batch that has no owner. Undefined if it has one, another window was first, or no
   * files are left to upload. If several windows try at the same time, one succeeds.
   */
  async claim(id: string): Promise<ClaimedBatch | undefined> {
    const { disk, currentProcess, log } = this.dependencies;
    const names = await disk.list(id);
    if (!names.includes(LIST)) return undefined;
    const earlierClaims = claimNumbers(names);
    const [newest = 0] = earlierClaims;
    if (newest > 0 && (await this.owner(id, newest)).isActive) return undefined;
    // Read the list, which never changes, before the claim: if this fails, the batch stays for
    // later.
    const list = await disk.read(`${id}/${LIST}`);
    const content = list && (await parseContent(list.text));
    // The new claim has no states yet. Until they are written, those of the claim before count.
    const text = claimText({ owner: ownerOf(currentProcess), phase: 'offering' });
    if (!(await disk.create(claimFile(id, newest + 1), text))) return undefined;
    const claim = new BatchClaim(this.dependencies, id, newest + 1);
    // Read the states after creating the claim: a slow owner has then stopped writing them, or has
    // marked the files that it sends.
    if (!content) {
      log.warn('An unfinished upload could not be read, and is dropped');
      await removeBatch(disk, id);
      return undefined;
    }
    const states = completeStates(await this.states(id, earlierClaims), content.files.length);
    const counts = countByPath(content.files);
    const unfinished = content.files.flatMap((file, index) => {
      const state = states[index];
      if (!file || state === 'done' || state === 'canceled') return [];
      const hasNamesake = counts.get(pathOf(file)) !== 1;
      return [{ file, index, hasNamesake, mayBeSent: state === 'sending' }];
    });
    const { isOurs, isCanceled } = await claim.checkOwnership();
    if (unfinished.length === 0 || isCanceled) await claim.remove();
    if (unfinished.length === 0 || isCanceled || !isOurs) return undefined;
    await claim.write('offering', states);
    const { destinationFolder } = content;
    return { claim, destinationFolder, startedAt: list.writtenAt, unfinished, states };
  }

  /**
   * Cancels a batch of any window. Its owner notices at once; otherwise the next window deletes it.
   */
  async cancel(id: string): Promise<void> {
    await this.dependencies.disk.create(`${id}/${CANCEL}`, '');
  }

  private async owner(id: string, claimNumber: number) {
    const { disk, currentProcess, now } = this.dependencies;
    let file: { text: string; writtenAt: number } | undefined;
    try {
      file = await disk.read(claimFile(id, claimNumber));
    } catch (error) {
      // Assume an owner: taking the batch from a window that sends would cancel its upload, and
      // files might be sent twice.
      this.dependencies.log.warn(
        `The claim of an upload can't be read, and counts as another window's: ${String(error)}`,
      );
      return { isActive: true, isHere: false, isSending: true, states: undefined };
    }
    const claim = file && parseClaim(file.text);
    // A damaged claim may just have been created, and its content may follow.
    if (!file || !claim) {
      const isActive = file !== undefined && now() - file.writtenAt < MAX_SILENCE;
      return { isActive, isHere: false, isSending: true, states: undefined };
    }
    return {
      isActive: hasOwner(claim, file.writtenAt, currentProcess, now()),
      isHere: claim.owner.session === currentProcess.session,
      isSending: claim.phase === 'sending',
      states: claim.states,
    };
  }

  /** The states from the newest claim that has states; undefined if nothing is known. */
  private async states(id: string, claims: readonly number[]): Promise<FileState[] | undefined> {
    let areAllReadable = claims.length > 0;
    for (const claimNumber of claims) {
      const file = await this.dependencies.disk.read(claimFile(id, claimNumber)).catch(() => undefined);
      const claim = file && parseClaim(file.text);
      // A damaged or unreadable claim may have recorded more than earlier ones.
      if (!claim) areAllReadable = false;
      else if (claim.states) return areAllReadable ? claim.states : claim.states.map(pessimistic);
    }
    // The first claim has no states until the first file is about to be sent.
    return areAllReadable ? [] : undefined;
  }
}

function pathOf({ folder, fileName }: BatchFile): string {
  return `${folder}/${fileName}`;
}

function countByPath(files: readonly (BatchFile | undefined)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const file of files) if (file) counts.set(pathOf(file), (counts.get(pathOf(file)) ?? 0) + 1);
  return counts;
}

/** A queued file may have been sent after the state was written. */
function pessimistic(state: FileState): FileState {
  return state === 'queued' ? 'sending' : state;
}

/**
 * A state for each file. An empty list means that no file was sent; undefined, that each may have
 * been sent.
 */
function completeStates(states: FileState[] | undefined, count: number): FileState[] {
  const missing = states?.length === 0 ? 'queued' : 'sending';
  return Array.from({ length: count }, (_, index) => states?.[index] ?? missing);
}

/** The dependencies of batches. */
interface BatchDependencies {
  disk: CrossWindowFiles;
  currentProcess: ThisProcess;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Calls back again and again until disposed. */
  every: (milliseconds: number, tick: () => void) => Disposable;
  log: Log;
}

/** The list of a batch's files; a folder without it holds no batch. */
export const LIST = 'files.jsonl';

/** Name of a file that makes the owner cancel the batch. */
const CANCEL = 'cancel';

/** The file of a claim. Claims are numbered; the highest number owns the batch. */
function claimFile(id: string, claimNumber: number): string {
  return `${id}/claim-${claimNumber}.json`;
}

/** The numbers of the claims in a batch's folder, the highest, the owner's, first. */
export function claimNumbers(names: readonly string[]): number[] {
  return names
    .flatMap(name => /^claim-(\d+)\.json$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((left, right) => right - left);
}

/**
 * This window's claim on a batch. Claims are never reused: a window that takes over a batch creates
 * the claim with the next number, which only one window can do. An owner that finds a higher number
 * stops.
 */
export class BatchClaim {
  private readonly ending = new AbortController();
  private lastWrite: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly dependencies: BatchDependencies,
    readonly id: string,
    private readonly claimNumber: number,
  ) {}

  /** Stores the files' states, after earlier writes. Logs a failure. */
  write(phase: ClaimPhase, states: readonly FileState[]): Promise<void> {
    const { disk, log } = this.dependencies;
    const text = this.text(phase, states);
    const writing = this.lastWrite.then(async () => {
      if (this.ending.signal.aborted) return;
      try {
        await disk.replace(this.file, [text], this.ending.signal);
      } catch (error) {
        if (!isCoded(error, 'cancelled')) log.error('The state of an upload could not be stored', error);
      }
    });
    this.lastWrite = writing;
    return writing;
  }

  /** Whether this window still owns the batch, and whether another window cancels it. */
  async checkOwnership(): Promise<{ isOurs: boolean; isCanceled: boolean }> {
    const names = await this.dependencies.disk.list(this.id);
    return {
      isOurs: names.includes(LIST) && claimNumbers(names)[0] === this.claimNumber,
      isCanceled: names.includes(CANCEL),
    };
  }

  /** Lets another window claim the batch. */
  async release(states: readonly FileState[]): Promise<void> {
    await this.write('released', states);
    this.ending.abort();
  }

  /** Releases synchronously, because the window closes. */
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
    await this.lastWrite;
    if ((await this.checkOwnership()).isOurs) await removeBatch(this.dependencies.disk, this.id);
  }

  /** Whether a name in the batch's folder is this claim's file, or a partly written one. */
  isClaimFile(name: string): boolean {
    return PARTIAL_FILE_NAME.test(name) || `${this.id}/${name}` === this.file;
  }

  private get file(): string {
    return claimFile(this.id, this.claimNumber);
  }

  private text(phase: ClaimPhase, states: readonly FileState[]): string {
    return claimText({ owner: ownerOf(this.dependencies.currentProcess), phase, states: [...states] });
  }
}

/** Deletes a batch. Its list goes first, because a list without claims has an unknown state. */
async function removeBatch(disk: CrossWindowFiles, id: string): Promise<void> {
  await disk.remove(`${id}/${LIST}`);
  await disk.remove(id);
}

/**
 * Stores the states of a running upload's files. That a file is about to be sent is written before
 * its first byte is sent. How it ended is written with the next write or heartbeat.
 */
export class BatchJournal implements UploadJournal {
  private readonly store = new DisposableStore();
  private readonly canceling = new AbortController();
  private readonly states: FileState[];
  private readonly log: Log;

  /** Aborts when another window cancels the batch or has taken it over. */
  readonly signal = this.canceling.signal;

  constructor(
    private readonly claim: BatchClaim,
    { disk, every, log }: BatchDependencies,
    fileCount: number,
  ) {
    this.log = log;
    this.states = new Array<FileState>(fileCount).fill('queued');
    const cancelIfLost = () => void this.cancelIfLost();
    this.store.add(
      every(HEARTBEAT, () => {
        void claim.write('sending', this.states);
        cancelIfLost();
      }),
    );
    // Ignore events of this window's own writes: each write has several.
    this.store.add(
      disk.watch(claim.id, name => {
        if (name === undefined || !claim.isClaimFile(name)) cancelIfLost();
      }),
    );
  }

  get id(): string {
    return this.claim.id;
  }

  /** Stores that files are about to be sent. Throws `cancelled` if they must not be sent. */
  async sending(indexes: readonly number[]): Promise<void> {
    for (const index of indexes) this.states[index] = 'sending';
    await this.claim.write('sending', this.states);
    // After the write: a window that takes over from now on sees that these files may be sent.
    await this.cancelIfLost();
    if (this.signal.aborted) throw canceledError();
  }

  /** Sets the state of a file that ended: `sending` if the service may have it. Not written yet. */
  ended(index: number, state: FileState): void {
    this.states[index] = state;
  }

  /** Deletes the batch, because the upload has ended and the person knows its result. */
  async finish(): Promise<void> {
    this.store.dispose();
    await this.claim.remove();
  }

  /** Stops sending, because the window closes; other windows may claim the batch. */
  close(states: readonly FileState[]): void {
    this.store.dispose();
    this.claim.releaseNow(states);
    this.canceling.abort();
  }

  /** Aborts if another window cancels the batch or has taken it over. */
  private async cancelIfLost(): Promise<void> {
    try {
      const { isOurs, isCanceled } = await this.claim.checkOwnership();
      if (isCanceled || !isOurs) this.canceling.abort();
    } catch (error) {
      this.log.error('Whether an upload was canceled could not be read', error);
    }
  }
}

/** Milliseconds between writes of a claim while its owner sends. */
const HEARTBEAT = 5000;

/** A claim of a sending window that is older than this has lost its owner. Milliseconds. */
const MAX_SILENCE = 60_000;

/**
 * Whether a claim still has its owner. A window that sends must renew its claim. A window that
 * shows an offer doesn't, so its process is checked. For other machines, as with a shared home
 * directory, only the time of the claim is known.
 */
export function hasOwner(
  { owner, phase }: Pick<StoredClaim, 'owner' | 'phase'>,
  writtenAt: number,
  currentProcess: ThisProcess,
  now: number,
): boolean {
  if (phase === 'released') return false;
  if (owner.session === currentProcess.session) return true;
  if (isOwnerGone(owner, writtenAt, currentProcess)) return false;
  const isSilent = now - writtenAt > MAX_SILENCE;
  return (phase === 'offering' && isSameStart(owner, currentProcess)) || !isSilent;
}

/** The uploads that are stored in a folder. */
export function uploadBatches(directory: string, currentProcess: ThisProcess, log: Log): UploadBatches {
  return new UploadBatches({
    disk: new CrossWindowFolder(directory),
    currentProcess,
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

/** The text of a claim. The state of each file is one letter, because there may be 100,000. */
function claimText({ owner, phase, states }: StoredClaim): string {
  const letters = states?.map(state => STATES[state]).join('');
  return JSON.stringify({ owner, phase, ...(letters !== undefined && { states: letters }) });
}

/** Parses a claim; undefined if it is damaged. */
function parseClaim(text: string): StoredClaim | undefined {
  const { owner, phase, states } = (parse(text) ?? {}) as Record<string, unknown>;
  const ownerProcess = parseOwner(owner);
  if (!ownerProcess || !PHASES.includes(phase)) return undefined;
  const claim = { owner: ownerProcess, phase: phase as ClaimPhase };
  if (states === undefined) return claim;
  if (typeof states !== 'string') return undefined;
  // For an unknown letter, assume that the file may have been sent.
  return { ...claim, states: Array.from(states, letter => STATE_OF_LETTER.get(letter) ?? 'sending') };
}

/** The text of the list, in pieces: a line for the batch and one for each file. */
function* contentText({ destinationFolder, files }: BatchContent): Generator<string> {
  yield `${JSON.stringify({ destinationFolder })}\n`;
  for (const { uri, fileName, folder, size } of files)
    yield `${JSON.stringify({ uri, fileName, folder, size })}\n`;
}

/** Number of lines to parse before other work may run. */
const LINES_AT_ONCE = 2000;

/**
 * Parses the list. A damaged line becomes undefined, so that other files keep their position.
 * Undefined if the first line is damaged.
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
