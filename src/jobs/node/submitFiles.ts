import { createHash } from 'node:crypto';
import type { Disposable } from '../../base/disposable';
import { canceledError, errorCodes } from '../../base/errors';
import type { Log } from '../../base/log';
import type { CrossWindowFiles } from '../../base/node/crossWindowFolder';
import { isOver, ownerOf, parseOwner, type ThisProcess } from '../../base/node/thisProcess';
import { isRunItem } from './runRecords';
import {
  candidatesOf,
  type DescribedSubmit,
  type Failure,
  type CurrentIntent,
  type IntentState,
  isPending,
  type LeftIntent,
  type StoredIntent,
  type SubmitSubject,
} from './submitState';

interface SubmitFilesDependencies {
  files: Pick<CrossWindowFiles, 'list' | 'read' | 'makeFolder' | 'create' | 'replace' | 'touch' | 'remove'>;
  here: ThisProcess;
  /** Calls back again and again until disposed. */
  every: (milliseconds: number, tick: () => void) => Disposable;
  log: Log;
}

/** How often the file of a submit is given a new time while it is under way. Milliseconds. */
const HEARTBEAT = 2000;

/**
 * An account's submits under way or unresolved in any window of this machine, a file each.
 * `submitState` decides what to create and write.
 */
export class SubmitFiles implements Disposable {
  /** The heartbeats of this window's files, by their names. */
  private readonly heartbeats = new Map<string, Disposable>();
  /** Files of unresolved submits that are settled, though that can't be stored. */
  private readonly settledHere = new Set<string>();
  /** Files of submits whose program got the job here. */
  private readonly reportedHere = new Set<string>();
  private tidying: Promise<void> | undefined;
  private isDisposed = false;

  readonly log: Log;

  constructor(private readonly parts: SubmitFilesDependencies) {
    this.log = parts.log;
  }

  /**
   * A key's highest number, and the submits that count, last first. Looks at numbers up to `limit`.
   * Throws the file system's errors.
   */
  async look(
    prefix: string,
    silence = new Silence(),
    limit = Number.MAX_SAFE_INTEGER,
  ): Promise<{ top: number; intents: readonly CurrentIntent[] }> {
    const { files, here } = this.parts;
    const numbers = await this.numbers(prefix);
    const intents: CurrentIntent[] = [];
    for (const number of numbers) {
      if (number > limit) continue;
      const file = fileOf(prefix, number);
      const { text, writtenAt } = (await files.read(file)) ?? { text: '', writtenAt: 0 };
      silence.see(number, writtenAt);
      const intent = parseIntent(text);
      const { owner, state } = intent;
      const isGone = owner !== undefined && isOver(owner, writtenAt, here);
      const isOwned =
        owner?.session === here.session ? this.heartbeats.has(file) : !silence.isSilent(number) && !isGone;
      const isAlive = isPending(state) && isOwned;
      if (state.at === 'withdrawn' || (state.at === 'preparing' && !isAlive)) continue;
      const candidates = this.settledHere.has(file) ? candidatesOf(state) : undefined;
      intents.push({
        ...intent,
        ...(candidates && { state: { at: 'settled', candidates } }),
        ...{ number, text, isAlive, isOver: isGone, isReported: this.reportedHere.has(file) },
      });
    }
    return { top: numbers[0] ?? 0, intents };
  }

  /**
   * Creates a file and renews its time until it ends; false if another window was first. Throws
   * `cancelled`, and the file system's errors.
   */
  async create(subject: SubmitSubject, number: number): Promise<boolean> {
    const { files, every } = this.parts;
    const file = fileOf(subject.prefix, number);
    // The folder of an account that is gone must not be created again.
    if (this.isDisposed) throw canceledError();
    await files.makeFolder('');
    if (!(await files.create(file, this.textOf(subject, { at: 'preparing' })))) return false;
    // The account may have gone meanwhile: no heartbeat may begin any more.
    if (this.isDisposed) throw canceledError();
    this.heartbeats.set(
      file,
      every(HEARTBEAT, () => void files.touch(file)),
    );
    this.settledHere.delete(file);
    this.reportedHere.delete(file);
    this.tidying ??= this.tidy(file);
    return true;
  }

  /** Writes that a submit sends. Throws as `create`. */
  async announce(subject: SubmitSubject, number: number, before?: readonly string[]): Promise<void> {
    const { files } = this.parts;
    const state = { at: 'sending', before } as const;
    if (!this.isDisposed) {
      await files.replace(fileOf(subject.prefix, number), [this.textOf(subject, state)]).catch(error => {
        throw this.isDisposed ? canceledError() : error;
      });
    }
    if (this.isDisposed) throw canceledError();
  }

  /** Whether no other window has taken over. Throws what the file system throws. */
  async isLatest(prefix: string, number: number): Promise<boolean> {
    return ((await this.numbers(prefix))[0] ?? number) === number;
  }

  /** Writes how a submit ended, see `StoredIntent` for `done`. A failure to do so is logged. */
  async end(
    subject: SubmitSubject,
    number: number,
    state: IntentState,
    done?: 'handled' | 'owed',
  ): Promise<void> {
    const file = fileOf(subject.prefix, number);
    const text = this.textOf(subject, state, done);
    await this.replace(file, text, 'How a submit ended could not be stored');
    this.heartbeats.get(file)?.dispose();
    this.heartbeats.delete(file);
  }

  /** Who submitted it knows its job now: the next identical call is a new one. */
  async markReported(prefix: string, intent: CurrentIntent): Promise<void> {
    const { owner, name, request, handled, owed, number, state } = intent;
    const file = fileOf(prefix, number);
    this.reportedHere.add(file);
    // One that isn't stored yet is marked once it is.
    const text = intentText({ owner, name, request, handled, state });
    if (owed) await this.replace(file, text, 'That a program knows its job could not be stored');
  }

  /** An unresolved submit was reported to its user or program: the key's next one is a new one. */
  async settle(prefix: string): Promise<void> {
    try {
      const [current] = (await this.look(prefix)).intents;
      const candidates = current && candidatesOf(current.state);
      if (!candidates) return;
      const { owner, name, request, number } = current;
      const file = fileOf(prefix, number);
      const text = intentText({ owner, name, request, state: { at: 'settled', candidates } });
      const isStored = await this.replace(file, text, 'That a submit is settled could not be stored');
      // Other windows, and later ones, will report it again.
      if (!isStored) this.settledHere.add(file);
    } catch (error) {
      // It will be reported again.
      this.log.error('An unresolved submit could not be read', error);
    }
  }

  /** The job of a submit is stored: windows that open later have nothing to do about it. */
  async markStored(prefix: string, jobId: string): Promise<void> {
    const { files, log } = this.parts;
    try {
      for (const number of await this.numbers(prefix)) {
        const file = fileOf(prefix, number);
        const intent = parseIntent((await files.read(file))?.text ?? '');
        const isOurs = intent.state.at === 'submitted' && intent.state.jobId === jobId && !intent.handled;
        if (isOurs && !this.isDisposed) await files.replace(file, [intentText({ ...intent, handled: true })]);
      }
    } catch (error) {
      // The next window stores the job once more.
      log.warn(`That a job is stored could not be noted: ${String(error)}`);
    }
  }

  /** A person was asked about a submit that this window took over: no other one has to ask. */
  async markAsked(prefix: string, number: number): Promise<void> {
    const { files, here, log } = this.parts;
    const file = fileOf(prefix, number);
    try {
      const intent = parseIntent((await files.read(file))?.text ?? '');
      const isOpen = intent.owner?.session === here.session && candidatesOf(intent.state) !== undefined;
      if (isOpen && !this.isDisposed) await files.replace(file, [intentText({ ...intent, handled: true })]);
    } catch (error) {
      log.warn(`That a person was asked about a submit could not be noted: ${String(error)}`);
    }
  }

  /** The submits of closed windows about which something is to be done. */
  left(): Promise<LeftIntent[]> {
    return leftIntents(this.parts.files, () => Promise.resolve(this.parts.here));
  }

  /** The window closes or the account goes: nothing more is written; what is written stays. */
  dispose(): void {
    this.isDisposed = true;
    for (const heartbeat of this.heartbeats.values()) heartbeat.dispose();
    this.heartbeats.clear();
  }

  /** The numbers of a key's files, the highest first. */
  private async numbers(prefix: string): Promise<readonly number[]> {
    return numbersByPrefix(await this.parts.files.list('')).get(prefix) ?? [];
  }

  private textOf({ name, request }: SubmitSubject, state: IntentState, done?: 'handled' | 'owed'): string {
    return intentText({
      owner: ownerOf(this.parts.here),
      name,
      request,
      ...(done && { handled: true }),
      ...(done === 'owed' && { owed: true }),
      state,
    });
  }

  /** Replaces a file unless the account is gone; logs and returns false if the disk refuses. */
  private async replace(file: string, text: string, failure: string): Promise<boolean> {
    try {
      if (!this.isDisposed) await this.parts.files.replace(file, [text]);
      return true;
    } catch (error) {
      this.log.error(failure, error);
      return false;
    }
  }

  /** Deletes what ended long ago, once per window. The time is that of a file just written. */
  private async tidy(written: string): Promise<void> {
    const { files, log } = this.parts;
    try {
      const now = (await files.read(written))?.writtenAt ?? 0;
      await deleteOldIntents(files, now, () => this.isDisposed);
    } catch (error) {
      log.warn(`Intents of earlier submits could not be deleted: ${String(error)}`);
    }
  }
}

/**
 * Number of looks, over fifteen seconds, by which an owned submit's file must have a new time.
 * Looks are counted, as machines' clocks differ and computers sleep.
 */
const MAX_SILENT_LOOKS = 30;

/** How long the files of a key have had the same time, counted in looks. */
export class Silence {
  private readonly seen = new Map<number, { writtenAt: number; since: number }>();
  private looks = 0;

  lookAgain(): void {
    this.looks += 1;
  }

  see(number: number, writtenAt: number): void {
    if (this.seen.get(number)?.writtenAt !== writtenAt)
      this.seen.set(number, { writtenAt, since: this.looks });
  }

  isSilent(number: number): boolean {
    return this.looks - (this.seen.get(number)?.since ?? this.looks) >= MAX_SILENT_LOOKS;
  }
}

/**
 * Submits of this machine's closed windows that no window has handled since. `here` is called only
 * if there may be some.
 */
export async function leftIntents(
  files: Pick<CrossWindowFiles, 'list' | 'read'>,
  here: () => Promise<ThisProcess>,
): Promise<LeftIntent[]> {
  const left: LeftIntent[] = [];
  for (const [prefix, numbers] of numbersByPrefix(await files.list(''))) {
    const top = numbers[0] ?? 0;
    /** Job IDs of the submits that count, last first. */
    const jobs: (string | undefined)[] = [];
    for (const number of numbers) {
      const read = await files.read(fileOf(prefix, number)).catch(() => 'unreadable' as const);
      // As long as it can't be read it may be any window's.
      if (read === 'unreadable') break;
      const { text, writtenAt } = read ?? { text: '', writtenAt: 0 };
      const { owner, request, handled, state } = parseIntent(text);
      if (state.at === 'withdrawn') continue;
      const jobId = 'jobId' in state ? state.jobId : undefined;
      const isPreparing = state.at === 'preparing';
      // One with another name may have come after a job that is to be stored. All else, the last
      // one speaks for.
      const counts = jobs.length === 0 || (state.at === 'submitted' && !jobs.includes(jobId));
      const isUnhandled = request && isLeft(state) && !handled && counts;
      // Looked at only where it matters: it takes a system command to know which machine this is.
      const isGone = owner && (isUnhandled || isPreparing) && isOver(owner, writtenAt, await here());
      if (isPreparing && isGone) continue;
      if (isGone && isUnhandled) left.push({ prefix, number, top, text, name: request.name, request, state });
      if (jobs.push(jobId) === 1 && isPending(state)) break;
    }
  }
  return left;
}

function isLeft(state: IntentState): state is LeftIntent['state'] {
  return ['sending', 'submitted', 'unclaimed', 'unresolved'].includes(state.at);
}

/** Age at which intents that ended are deleted. Milliseconds. */
const MAX_AGE = 24 * 60 * 60_000;

/**
 * Deletes the intents of submits that ended long before `now`, in milliseconds since 1970. The
 * intent that says how a submit ended also speaks for those with lower numbers, so they go with it,
 * the lowest first: left alone, one that was sending when its window crashed would count as a
 * submit that may have been sent. Throws what the file system throws.
 */
async function deleteOldIntents(
  files: SubmitFilesDependencies['files'],
  now: number,
  isDisposed: () => boolean,
): Promise<void> {
  for (const [prefix, numbers] of numbersByPrefix(await files.list(''))) {
    for (const file of await oldFiles(files, prefix, numbers, now)) {
      if (isDisposed()) return;
      await files.remove(file);
    }
  }
}

/** What to delete of the intents of a key, in this order. */
async function oldFiles(
  files: SubmitFilesDependencies['files'],
  prefix: string,
  numbers: readonly number[],
  now: number,
): Promise<string[]> {
  const withdrawn: string[] = [];
  for (const [index, number] of numbers.entries()) {
    const file = fileOf(prefix, number);
    const read = await files.read(file);
    if (!read || now - read.writtenAt < MAX_AGE) return withdrawn;
    const { at } = parseIntent(read.text).state;
    if (at === 'withdrawn') withdrawn.push(file);
    if (at === 'withdrawn' || at === 'preparing') continue;
    if (at !== 'submitted' && at !== 'failed' && at !== 'settled') return withdrawn;
    const ended = numbers
      .slice(index)
      .reverse()
      .map(other => fileOf(prefix, other));
    for (const other of ended) if (await isToBeStored(files, other)) return withdrawn;
    // Its window may have gone on meanwhile: a file looks old where the clock was set back.
    if ((await files.read(file))?.text !== read.text) return withdrawn;
    return [...ended, ...withdrawn];
  }
  return withdrawn;
}

/** Whether the job of a submit is not stored, and can be. */
async function isToBeStored(files: SubmitFilesDependencies['files'], file: string): Promise<boolean> {
  const { state, request, handled } = parseIntent((await files.read(file))?.text ?? '');
  return state.at === 'submitted' && request !== undefined && !handled;
}

/** What the names of a key's files begin with. */
export function prefixOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

function fileOf(prefix: string, number: number): string {
  return `${prefix}.${number}.json`;
}

/** The numbers of the files of each key, the highest first. Other files are left out. */
function numbersByPrefix(fileNames: readonly string[]): Map<string, readonly number[]> {
  const byPrefix = new Map<string, number[]>();
  for (const fileName of fileNames) {
    const [, prefix, number] = /^([0-9a-f]+)\.(\d+)\.json$/.exec(fileName) ?? [];
    if (prefix === undefined) continue;
    const numbers = byPrefix.get(prefix) ?? [];
    numbers.push(Number(number));
    byPrefix.set(prefix, numbers);
  }
  for (const numbers of byPrefix.values()) numbers.sort((one, other) => other - one);
  return byPrefix;
}

/** Plain text; any part may be damaged or of another version. */
export function intentText(intent: StoredIntent): string {
  return JSON.stringify(intent);
}

/** An intent from its text. A damaged one's request may have been sent: the worst case. */
function parseIntent(text: string): StoredIntent {
  const { owner: process, name, request: stored, handled, owed, state: storedState } = parseObject(text);
  const owner = parseOwner(process);
  const request = parseDescribedSubmit(stored);
  return {
    ...(owner && { owner }),
    ...(typeof name === 'string' && { name }),
    ...(request && { request }),
    ...(handled === true && { handled }),
    ...(owed === true && { owed }),
    state: parseState((storedState ?? {}) as Record<string, unknown>) ?? { at: 'sending' },
  };
}

function parseState({ at, jobId, before, candidates, failure }: Record<string, unknown>) {
  const jobs = textsOf(candidates);
  const jobsBefore = textsOf(before);
  const why = parseFailure(failure);
  const hasJob = typeof jobId === 'string' && jobId !== '';
  const states: Record<string, IntentState | undefined> = {
    preparing: { at: 'preparing' },
    sending: { at: 'sending', ...(jobsBefore && { before: jobsBefore }) },
    submitted: hasJob ? { at: 'submitted', jobId } : undefined,
    failed: why && { at: 'failed', failure: why },
    withdrawn: { at: 'withdrawn' },
    unclaimed: hasJob ? { at: 'unclaimed', jobId } : undefined,
    unresolved: jobs && { at: 'unresolved', candidates: jobs, ...(jobsBefore && { before: jobsBefore }) },
    settled: jobs && { at: 'settled', candidates: jobs },
  };
  return typeof at === 'string' && Object.hasOwn(states, at) ? states[at] : undefined;
}

function parseFailure(value: unknown): Failure | undefined {
  const { code, status, said } = (value ?? {}) as Record<string, unknown>;
  const errorCode = errorCodes.find(one => one === code);
  return (
    errorCode && {
      code: errorCode,
      ...(typeof status === 'number' && { status }),
      ...(typeof said === 'string' && { said }),
    }
  );
}

function textsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every(one => typeof one === 'string') ? value : undefined;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** A stored submit; undefined where it is damaged. */
function parseDescribedSubmit(value: unknown): DescribedSubmit | undefined {
  const fields = (value ?? {}) as Partial<Record<keyof DescribedSubmit, unknown>>;
  const { pipelineId, filesystemIds, name, pipelineDescription, items, masks, by } = fields;
  const isSound =
    typeof pipelineId === 'string' &&
    Array.isArray(filesystemIds) &&
    filesystemIds.every(id => typeof id === 'string') &&
    [name, pipelineDescription].every(text => text === undefined || typeof text === 'string') &&
    (items === undefined || (Array.isArray(items) && items.every(isRunItem))) &&
    (masks === undefined || typeof masks === 'boolean') &&
    (by === 'person' || by === 'program');
  return isSound ? (value as DescribedSubmit) : undefined;
}
