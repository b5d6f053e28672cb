import { errorCodes, CodedError, type ErrorCode } from '../../../base/errors';
import { reason } from '../../../base/reasons';
import { parseOwner, type Owner } from '../../../base/node/thisProcess';
import { parseDescribedSubmit, type DescribedSubmit } from './describedSubmit';

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
export interface Failure {
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
