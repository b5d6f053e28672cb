import { createHash } from 'node:crypto';
import { CodedError, type ErrorCode, errorCodes } from '../../base/errors';
import type { SharedFiles } from '../../base/node/sharedFolder';
import { isOver, type Owner, parseOwner, type ThisProcess } from '../../base/node/thisProcess';
import { reason } from '../../base/reasons';
import { type DescribedRequest, isRunItem } from './runRecords';

/*
 * A submit as other windows see it: a small file that says who submits, and how far the submit got. Plain text, of which
 * any part may be damaged or of another version.
 */

/** How far a submit got. */
export type IntentState =
  /** Nothing was sent yet. */
  | { at: 'preparing' }
  /** The request may have left. `before` are the jobs listed before it, where that list was read to its end. */
  | { at: 'sending'; before?: readonly string[] }
  | { at: 'submitted'; jobId: string }
  /** The service refused it, so there is no job. */
  | { at: 'failed'; failure: Failure }
  /** Nothing was sent, and nothing will be. */
  | { at: 'withdrawn' }
  /** There is a job, but its submit was canceled before the job was known. */
  | { at: 'unclaimed'; jobId: string }
  /** Whether there is a job is unknown; one of the candidates may be it. `before` as while it was sending. */
  | { at: 'unresolved'; candidates: readonly string[]; before?: readonly string[] }
  /** The same, and it was reported to the user or program that submitted it. */
  | { at: 'settled'; candidates: readonly string[] };

/** What is stored of an error: its code, and what the service said of it. */
interface Failure {
  code: ErrorCode;
  status?: number;
  said?: string;
}

export interface StoredIntent {
  /** Unknown where the file is damaged. */
  owner?: Owner;
  /** The name that the job was submitted with. */
  name?: string;
  /** Missing where no other window could go on with it. */
  request?: DescribedSubmit;
  /** Its job is stored, or the user was asked: windows that open later have nothing to do about it. */
  handled?: true;
  /** The program that submitted it was gone before it learned of the job: its first identical call returns it. */
  owed?: true;
  state: IntentState;
}

export function intentText(intent: StoredIntent): string {
  return JSON.stringify(intent);
}

/** An intent from its text. Of one that is damaged only the worst can be assumed: its request may have been sent. */
export function parseIntent(text: string): StoredIntent {
  const { owner: process, name, request: stored, handled, owed, state: found } = parseObject(text);
  const owner = parseOwner(process);
  const request = parseDescribedSubmit(stored);
  return {
    ...(owner && { owner }),
    ...(typeof name === 'string' && { name }),
    ...(request && { request }),
    ...(handled === true && { handled }),
    ...(owed === true && { owed }),
    state: parseState((found ?? {}) as Record<string, unknown>) ?? { at: 'sending' },
  };
}

/** Whether the submit hasn't ended, as far as its file says. */
export function isPending({ at }: IntentState): boolean {
  return at === 'preparing' || at === 'sending';
}

export function failureOf(error: CodedError): Failure {
  const { status, reason: why } = error.details;
  return {
    code: error.code,
    ...(status !== undefined && { status }),
    ...(why?.kind === 'quoted' && { said: why.args[0] }),
  };
}

export function failureError({ code, status, said }: Failure): CodedError {
  return new CodedError(code, 'The same submit failed in another window', {
    ...(status !== undefined && { status }),
    ...(said !== undefined && { reason: reason('quoted', said) }),
  });
}

function parseState({ at, jobId, before, candidates, failure }: Record<string, unknown>) {
  const jobs = textsOf(candidates);
  const known = textsOf(before);
  const why = parseFailure(failure);
  const hasJob = typeof jobId === 'string' && jobId !== '';
  const states: Record<string, IntentState | undefined> = {
    preparing: { at: 'preparing' },
    sending: { at: 'sending', ...(known && { before: known }) },
    submitted: hasJob ? { at: 'submitted', jobId } : undefined,
    failed: why && { at: 'failed', failure: why },
    withdrawn: { at: 'withdrawn' },
    unclaimed: hasJob ? { at: 'unclaimed', jobId } : undefined,
    unresolved: jobs && { at: 'unresolved', candidates: jobs, ...(known && { before: known }) },
    settled: jobs && { at: 'settled', candidates: jobs },
  };
  return typeof at === 'string' && Object.hasOwn(states, at) ? states[at] : undefined;
}

function parseFailure(value: unknown): Failure | undefined {
  const { code, status, said } = (value ?? {}) as Record<string, unknown>;
  const known = errorCodes.find(one => one === code);
  return (
    known && {
      code: known,
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

/** A submit, and all that its record tells besides: where its window is gone, another one goes on from this. */
export interface DescribedSubmit extends DescribedRequest {
  by: 'person' | 'program';
}

/** A stored submit; undefined where it is damaged. */
function parseDescribedSubmit(value: unknown): DescribedSubmit | undefined {
  const found = (value ?? {}) as Partial<Record<keyof DescribedSubmit, unknown>>;
  const { pipelineId, filesystemIds, name, pipelineDescription, items, masks, by } = found;
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

/** What the names of a key's intents begin with. */
export function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

export function fileOf(keyName: string, generation: number): string {
  return `${keyName}.${generation}.json`;
}

/** The numbers of the intents of each key, by the name of the key, the highest first. Other files are left out. */
export function numbersByName(fileNames: readonly string[]): Map<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const fileName of fileNames) {
    const [, keyName, number] = /^([0-9a-f]+)\.(\d+)\.json$/.exec(fileName) ?? [];
    if (keyName === undefined) continue;
    const numbers = found.get(keyName) ?? [];
    numbers.push(Number(number));
    found.set(keyName, numbers);
  }
  for (const numbers of found.values()) numbers.sort((one, other) => other - one);
  return found;
}

/** A submit whose window is gone, with what is to be done about it: its job is to be stored, or it is to be found out. */
interface LeftIntent {
  /** The part of the file's name that all intents of its key share. */
  prefix: string;
  /** Its number, and the highest one of its key. */
  generation: number;
  top: number;
  text: string;
  request: DescribedSubmit;
  state: LeftState;
}

export type LeftState = Extract<IntentState, { at: 'sending' | 'submitted' | 'unclaimed' | 'unresolved' }>;

/**
 * The submits that windows of this machine left which are gone, and that no window has handled since. `here` is called only
 * where there may be some.
 */
export async function leftIntents(
  files: Pick<SharedFiles, 'list' | 'read'>,
  here: () => Promise<ThisProcess>,
): Promise<LeftIntent[]> {
  const left: LeftIntent[] = [];
  for (const [prefix, generations] of numbersByName(await files.list(''))) {
    for (const generation of generations) {
      const read = await files.read(fileOf(prefix, generation)).catch(() => 'unreadable' as const);
      // As long as it can't be read it may be any window's.
      if (read === 'unreadable') break;
      const intent = parseIntent(read?.text ?? '');
      const { owner, request, state } = intent;
      if (state.at === 'withdrawn') continue;
      const isUnhandled = request && isLeft(state) && !intent.handled;
      // Looked at only where it matters: it takes a system command to know which machine this is.
      const isOwnerOver =
        owner !== undefined &&
        (isUnhandled || state.at === 'preparing') &&
        isOver(owner, read?.writtenAt ?? 0, await here());
      if (state.at === 'preparing' && isOwnerOver) continue;
      if (isOwnerOver && isUnhandled)
        left.push({
          prefix,
          generation,
          top: generations[0] ?? generation,
          text: read?.text ?? '',
          request,
          state,
        });
      break;
    }
  }
  return left;
}

function isLeft(state: IntentState): state is LeftState {
  return (
    state.at === 'sending' ||
    state.at === 'submitted' ||
    state.at === 'unclaimed' ||
    state.at === 'unresolved'
  );
}

/** Age at which intents that ended are deleted. Milliseconds. */
const MAX_AGE = 24 * 60 * 60_000;

/**
 * Deletes the intents of submits that ended long before `now`, in milliseconds since 1970. The intent that says how a submit
 * ended also speaks for those with lower numbers, so they go with it, the lowest first: left alone, one that was sending
 * when its window crashed would count as a submit that may have been sent. Throws what the file system throws.
 */
export async function deleteOldIntents(
  files: Pick<SharedFiles, 'list' | 'read' | 'remove'>,
  now: number,
  isDisposed: () => boolean,
): Promise<void> {
  for (const [keyName, generations] of numbersByName(await files.list(''))) {
    for (const file of await oldFiles(files, keyName, generations, now)) {
      if (isDisposed()) return;
      await files.remove(file);
    }
  }
}

/** What to delete of the intents of a key, in this order. */
async function oldFiles(
  files: Pick<SharedFiles, 'read'>,
  keyName: string,
  generations: readonly number[],
  now: number,
): Promise<string[]> {
  const withdrawn: string[] = [];
  for (const [index, generation] of generations.entries()) {
    const file = fileOf(keyName, generation);
    const read = await files.read(file);
    if (!read || now - read.writtenAt < MAX_AGE) return withdrawn;
    const { at } = parseIntent(read.text).state;
    if (at === 'withdrawn') withdrawn.push(file);
    if (at === 'withdrawn' || at === 'preparing') continue;
    if (at !== 'submitted' && at !== 'failed' && at !== 'settled') return withdrawn;
    const ended = generations.slice(index).reverse();
    return [...ended.map(number => fileOf(keyName, number)), ...withdrawn];
  }
  return withdrawn;
}
