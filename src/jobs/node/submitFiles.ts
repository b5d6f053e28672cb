import { createHash } from 'node:crypto';
import type { Disposable } from '../../base/disposable';
import { canceledError, errorCodes } from '../../base/errors';
import type { Log } from '../../base/log';
import type { CrossWindowFiles } from '../../base/node/crossWindowFolder';
import { isOwnerGone, ownerOf, parseOwner, type ThisProcess } from '../../base/node/thisProcess';
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
  currentProcess: ThisProcess;
  /** Calls back again and again until disposed. */
  every: (milliseconds: number, tick: () => void) => Disposable;
  log: Log;
}

/** Milliseconds between updates of the modification time of a running submit's file. */
const HEARTBEAT = 2000;

/**
 * Files of an account's submits that are running or unresolved in any window of this machine.
 * `submitState` decides what to create and write.
 */
export class SubmitFiles implements Disposable {
  /** Heartbeats of this window's files, by file name. */
  private readonly heartbeats = new Map<string, Disposable>();
  /** Files of submits that are settled, although the disk couldn't store it. */
  private readonly settledHere = new Set<string>();
  /** Files of submits whose program received the job in this window. */
  private readonly reportedHere = new Set<string>();
  private tidying: Promise<void> | undefined;
  private isDisposed = false;

  readonly log: Log;

  constructor(private readonly dependencies: SubmitFilesDependencies) {
    this.log = dependencies.log;
  }

  /**
   * A key's highest number, and its current submits with numbers up to `limit`, the latest first.
   * Throws errors of the file system.
   */
  async look(
    prefix: string,
    silence = new Silence(),
    limit = Number.MAX_SAFE_INTEGER,
  ): Promise<{ highestNumber: number; intents: readonly CurrentIntent[] }> {
    const { files, currentProcess } = this.dependencies;
    const numbers = await this.numbers(prefix);
    const intents: CurrentIntent[] = [];
    for (const number of numbers) {
      if (number > limit) continue;
      const file = fileOf(prefix, number);
      const { text, writtenAt } = (await files.read(file)) ?? { text: '', writtenAt: 0 };
      silence.see(number, writtenAt);
      const intent = parseIntent(text);
      const { owner, state } = intent;
      const isGone = owner !== undefined && isOwnerGone(owner, writtenAt, currentProcess);
      const isOwned =
        owner?.session === currentProcess.session
          ? this.heartbeats.has(file)
          : !silence.isSilent(number) && !isGone;
      const isAlive = isPending(state) && isOwned;
      if (state.at === 'withdrawn' || (state.at === 'preparing' && !isAlive)) continue;
      const candidates = this.settledHere.has(file) ? candidatesOf(state) : undefined;
      intents.push({
        ...intent,
        ...(candidates && { state: { at: 'settled', candidates } }),
        number,
        text,
        isAlive,
        isOwnerGone: isGone,
        isReported: this.reportedHere.has(file),
      });
    }
    return { highestNumber: numbers[0] ?? 0, intents };
  }

  /**
   * Creates a submit's file and starts its heartbeat. False if another window was first. Throws
   * `cancelled`, and errors of the file system.
   */
  async create(subject: SubmitSubject, number: number): Promise<boolean> {
    const { files, every } = this.dependencies;
    const file = fileOf(subject.prefix, number);
    // Don't recreate the folder of an account that is gone.
    if (this.isDisposed) throw canceledError();
    await files.makeFolder('');
    if (!(await files.create(file, this.textOf(subject, { at: 'preparing' })))) return false;
    // The account may be gone by now: don't start a heartbeat.
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

  /** Writes that a submit is about to send. Throws like `create`. */
  async announce(subject: SubmitSubject, number: number, before?: readonly string[]): Promise<void> {
    const { files } = this.dependencies;
    const state = { at: 'sending', before } as const;
    if (!this.isDisposed) {
      await files.replace(fileOf(subject.prefix, number), [this.textOf(subject, state)]).catch(error => {
        throw this.isDisposed ? canceledError() : error;
      });
    }
    if (this.isDisposed) throw canceledError();
  }

  /** Whether no other window has taken over. Throws errors of the file system. */
  async isLatest(prefix: string, number: number): Promise<boolean> {
    return ((await this.numbers(prefix))[0] ?? number) === number;
  }

  /** Writes how a submit ended; for `mark`, see `StoredIntent`. Logs a failure. */
  async end(
    subject: SubmitSubject,
    number: number,
    state: IntentState,
    mark?: 'handled' | 'owed',
  ): Promise<void> {
    const file = fileOf(subject.prefix, number);
    const text = this.textOf(subject, state, mark);
    await this.replace(file, text, 'How a submit ended could not be stored');
    this.heartbeats.get(file)?.dispose();
    this.heartbeats.delete(file);
  }

  /** Notes that the caller knows the job: the next identical call is a new submit. */
  async markReported(prefix: string, intent: CurrentIntent): Promise<void> {
    const { owner, name, request, handled, owed, number, state } = intent;
    const file = fileOf(prefix, number);
    this.reportedHere.add(file);
    // A job that isn't stored yet is marked when it is stored.
    const text = intentText({ owner, name, request, handled, state });
    if (owed) await this.replace(file, text, 'That a program knows its job could not be stored');
  }

  /** Notes that an unresolved submit was reported: the next identical call is a new submit. */
  async settle(prefix: string): Promise<void> {
    try {
      const [current] = (await this.look(prefix)).intents;
      const candidates = current && candidatesOf(current.state);
      if (!candidates) return;
      const { owner, name, request, number } = current;
      const file = fileOf(prefix, number);
      const text = intentText({ owner, name, request, state: { at: 'settled', candidates } });
      const isStored = await this.replace(file, text, 'That a submit is settled could not be stored');
      // Other windows will report it again.
      if (!isStored) this.settledHere.add(file);
    } catch (error) {
      // The submit will be reported again.
      this.log.error('An unresolved submit could not be read', error);
    }
  }

  /** Notes that a submit's job is stored: later windows needn't handle it. */
  async markStored(prefix: string, jobId: string): Promise<void> {
    const { files, log } = this.dependencies;
    try {
      for (const number of await this.numbers(prefix)) {
        const file = fileOf(prefix, number);
        const intent = parseIntent((await files.read(file))?.text ?? '');
        const isOfJob = intent.state.at === 'submitted' && intent.state.jobId === jobId && !intent.handled;
        if (isOfJob && !this.isDisposed)
          await files.replace(file, [intentText({ ...intent, handled: true })]);
      }
    } catch (error) {
      // The next window stores the job once more.
      log.warn(`That a job is stored could not be noted: ${String(error)}`);
    }
  }

  /** Notes that a person was asked about a submit: other windows needn't ask. */
  async markAsked(prefix: string, number: number): Promise<void> {
    const { files, currentProcess, log } = this.dependencies;
    const file = fileOf(prefix, number);
    try {
      const intent = parseIntent((await files.read(file))?.text ?? '');
      const isOpen =
        intent.owner?.session === currentProcess.session && candidatesOf(intent.state) !== undefined;
      if (isOpen && !this.isDisposed) await files.replace(file, [intentText({ ...intent, handled: true })]);
    } catch (error) {
      log.warn(`That a person was asked about a submit could not be noted: ${String(error)}`);
    }
  }

  /** Submits of closed windows that must still be handled. */
  unhandled(): Promise<LeftIntent[]> {
    return leftIntents(this.dependencies.files, () => Promise.resolve(this.dependencies.currentProcess));
  }

  /** Stops writing, because the window closes or the account is removed. Files stay. */
  dispose(): void {
    this.isDisposed = true;
    for (const heartbeat of this.heartbeats.values()) heartbeat.dispose();
    this.heartbeats.clear();
  }

  /** Numbers of a key's files, the highest first. */
  private async numbers(prefix: string): Promise<readonly number[]> {
    return numbersByPrefix(await this.dependencies.files.list('')).get(prefix) ?? [];
  }

  private textOf({ name, request }: SubmitSubject, state: IntentState, mark?: 'handled' | 'owed'): string {
    return intentText({
      owner: ownerOf(this.dependencies.currentProcess),
      name,
      request,
      ...(mark && { handled: true }),
      ...(mark === 'owed' && { owed: true }),
      state,
    });
  }

  /** Replaces a file, unless the account is gone. Logs a failure and returns false. */
  private async replace(file: string, text: string, failure: string): Promise<boolean> {
    try {
      if (!this.isDisposed) await this.dependencies.files.replace(file, [text]);
      return true;
    } catch (error) {
      this.log.error(failure, error);
      return false;
    }
  }

  /**
   * Deletes files of old submits, once per window. The file just written gives the current time.
   */
  private async tidy(written: string): Promise<void> {
    const { files, log } = this.dependencies;
    try {
      const now = (await files.read(written))?.writtenAt ?? 0;
      await deleteOldIntents(files, now, () => this.isDisposed);
    } catch (error) {
      log.warn(`Intents of earlier submits could not be deleted: ${String(error)}`);
    }
  }
}

/**
 * Number of looks, over fifteen seconds, within which a running submit must renew its file's time.
 * Looks are counted, because clocks differ and computers sleep.
 */
const MAX_SILENT_LOOKS = 30;

/** Counts for how many looks the files of a key have had the same time. */
export class Silence {
  private readonly lastSeen = new Map<number, { writtenAt: number; sinceLook: number }>();
  private looks = 0;

  lookAgain(): void {
    this.looks += 1;
  }

  see(number: number, writtenAt: number): void {
    if (this.lastSeen.get(number)?.writtenAt !== writtenAt)
      this.lastSeen.set(number, { writtenAt, sinceLook: this.looks });
  }

  isSilent(number: number): boolean {
    return this.looks - (this.lastSeen.get(number)?.sinceLook ?? this.looks) >= MAX_SILENT_LOOKS;
  }
}

/**
 * Submits of this machine's closed windows that no window has handled yet. Calls `currentProcess`
 * only if there may be some.
 */
export async function leftIntents(
  files: Pick<CrossWindowFiles, 'list' | 'read'>,
  currentProcess: () => Promise<ThisProcess>,
): Promise<LeftIntent[]> {
  const unhandled: LeftIntent[] = [];
  for (const [prefix, numbers] of numbersByPrefix(await files.list(''))) {
    const highestNumber = numbers[0] ?? 0;
    /** Job IDs of the current submits, the latest first. */
    const jobs: (string | undefined)[] = [];
    for (const number of numbers) {
      const file = await files.read(fileOf(prefix, number)).catch(() => 'unreadable' as const);
      // A file that can't be read may belong to any window: leave the key alone.
      if (file === 'unreadable') break;
      const { text, writtenAt } = file ?? { text: '', writtenAt: 0 };
      const { owner, request, handled, state } = parseIntent(text);
      if (state.at === 'withdrawn') continue;
      const jobId = 'jobId' in state ? state.jobId : undefined;
      const isPreparing = state.at === 'preparing';
      // The latest submit supersedes earlier ones, except an earlier job that must still be stored:
      // a submit with another name may have followed it.
      const counts = jobs.length === 0 || (state.at === 'submitted' && !jobs.includes(jobId));
      const isUnhandled = request && isLeft(state) && !handled && counts;
      // Check this only if needed, because `currentProcess` runs a system command.
      const isGone =
        owner && (isUnhandled || isPreparing) && isOwnerGone(owner, writtenAt, await currentProcess());
      if (isPreparing && isGone) continue;
      if (isGone && isUnhandled)
        unhandled.push({ prefix, number, highestNumber, text, name: request.name, request, state });
      if (jobs.push(jobId) === 1 && isPending(state)) break;
    }
  }
  return unhandled;
}

function isLeft(state: IntentState): state is LeftIntent['state'] {
  return ['sending', 'submitted', 'unclaimed', 'unresolved'].includes(state.at);
}

/** Milliseconds after which ended intents are deleted. */
const MAX_AGE = 24 * 60 * 60_000;

/**
 * Deletes intents of submits that ended long before `now`, in milliseconds since 1970. An ended
 * intent supersedes those with lower numbers, so all are deleted together, the lowest first.
 * Otherwise an intent that was sending when its window crashed would count again. Throws errors of
 * the file system.
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

/** The files to delete of a key's intents, in this order. */
async function oldFiles(
  files: SubmitFilesDependencies['files'],
  prefix: string,
  numbers: readonly number[],
  now: number,
): Promise<string[]> {
  const withdrawn: string[] = [];
  for (const [index, number] of numbers.entries()) {
    const file = fileOf(prefix, number);
    const content = await files.read(file);
    if (!content || now - content.writtenAt < MAX_AGE) return withdrawn;
    const { at } = parseIntent(content.text).state;
    if (at === 'withdrawn') withdrawn.push(file);
    if (at === 'withdrawn' || at === 'preparing') continue;
    if (at !== 'submitted' && at !== 'failed' && at !== 'settled') return withdrawn;
    const ended = numbers
      .slice(index)
      .reverse()
      .map(lowerNumber => fileOf(prefix, lowerNumber));
    for (const endedFile of ended) if (await isToBeStored(files, endedFile)) return withdrawn;
    // Its window may still write: a file also looks old if the clock was set back.
    if ((await files.read(file))?.text !== content.text) return withdrawn;
    return [...ended, ...withdrawn];
  }
  return withdrawn;
}

/** Whether the job of a submit must still be stored. */
async function isToBeStored(files: SubmitFilesDependencies['files'], file: string): Promise<boolean> {
  const { state, request, handled } = parseIntent((await files.read(file))?.text ?? '');
  return state.at === 'submitted' && request !== undefined && !handled;
}

/** Prefix of the names of a key's files. */
export function prefixOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

function fileOf(prefix: string, number: number): string {
  return `${prefix}.${number}.json`;
}

/** The numbers of each key's files, the highest first. Skips other files. */
function numbersByPrefix(fileNames: readonly string[]): Map<string, readonly number[]> {
  const byPrefix = new Map<string, number[]>();
  for (const fileName of fileNames) {
    const [, prefix, number] = /^([0-9a-f]+)\.(\d+)\.json$/.exec(fileName) ?? [];
    if (prefix === undefined) continue;
    const numbers = byPrefix.get(prefix) ?? [];
    numbers.push(Number(number));
    byPrefix.set(prefix, numbers);
  }
  for (const numbers of byPrefix.values()) numbers.sort((a, b) => b - a);
  return byPrefix;
}

/** The text of an intent's file. */
export function intentText(intent: StoredIntent): string {
  return JSON.stringify(intent);
}

/** Parses an intent. A damaged one counts as sending, the worst case. */
function parseIntent(text: string): StoredIntent {
  const stored = parseObject(text);
  const { name, handled, owed } = stored;
  const owner = parseOwner(stored['owner']);
  const request = parseDescribedSubmit(stored['request']);
  return {
    ...(owner && { owner }),
    ...(typeof name === 'string' && { name }),
    ...(request && { request }),
    ...(handled === true && { handled }),
    ...(owed === true && { owed }),
    state: parseState((stored['state'] ?? {}) as Record<string, unknown>) ?? { at: 'sending' },
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
  const errorCode = errorCodes.find(known => known === code);
  return (
    errorCode && {
      code: errorCode,
      ...(typeof status === 'number' && { status }),
      ...(typeof said === 'string' && { said }),
    }
  );
}

function textsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every(text => typeof text === 'string') ? value : undefined;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Parses a stored submit; undefined if it is damaged. */
function parseDescribedSubmit(value: unknown): DescribedSubmit | undefined {
  const fields = (value ?? {}) as Partial<Record<keyof DescribedSubmit, unknown>>;
  const { pipelineId, filesystemIds, name, pipelineDescription, items, masks, by } = fields;
  const isValid =
    typeof pipelineId === 'string' &&
    Array.isArray(filesystemIds) &&
    filesystemIds.every(id => typeof id === 'string') &&
    [name, pipelineDescription].every(text => text === undefined || typeof text === 'string') &&
    (items === undefined || (Array.isArray(items) && items.every(isRunItem))) &&
    (masks === undefined || typeof masks === 'boolean') &&
    (by === 'person' || by === 'program');
  return isValid ? (value as DescribedSubmit) : undefined;
}
