import { canceledError, CodedError, type ErrorCode, isCoded } from '../../base/errors';
import { diskError } from '../../base/node/fileErrors';
import type { OwnerProcess } from '../../base/node/thisProcess';
import { QUOTED, reason, type Reason, codedReason, quoted } from '../../base/reasons';
import type { DescribedRequest } from './runRecords';

/*
 * Makes sure that a job is submitted only once, even if several windows submit it at the same time,
 * crash, hang or lose the service. This file decides: `next` returns a window's next step after an
 * event. `submitFiles` reads and writes files, `submitGuard` sends requests.
 *
 * Each submit is a file. Its key is the submitted input. The files of a key are numbered, and the
 * window with the highest number owns the submit. A window may hang, be considered closed, and then
 * continue; it must send nothing once another window has taken over. So before its request it
 * writes that it sends, then looks for a higher number. A window that takes over first creates the
 * higher number, then reads the other files. At least one of the two windows sees the file of the
 * other.
 */

/** The stored state of a submit. */
export type IntentState =
  /** Nothing has been sent yet. */
  | { at: 'preparing' }
  /** The request may be sent. `before`: IDs of earlier jobs, if their list was complete. */
  | { at: 'sending'; before?: readonly string[] | undefined }
  | { at: 'submitted'; jobId: string }
  /** The service refused it, so there is no job. */
  | { at: 'failed'; failure: Failure }
  /** Nothing was sent, and nothing will be. */
  | { at: 'withdrawn' }
  /** The job exists, but its submit was canceled before the job was known. */
  | { at: 'unclaimed'; jobId: string }
  /** A job may or may not exist; a candidate may be it. `before`: as in `sending`. */
  | { at: 'unresolved'; candidates: readonly string[]; before?: readonly string[] }
  /** Like `unresolved`, but reported to the person or program that submitted it. */
  | { at: 'settled'; candidates: readonly string[] };

/** A stored error: its code, and the service's words. */
export interface Failure {
  code: ErrorCode;
  status?: number | undefined;
  said?: string | undefined;
}

/** A submit with all facts for its record, so that another window can continue it. */
export interface DescribedSubmit extends DescribedRequest {
  by: 'person' | 'program';
}

export interface StoredIntent {
  /** Missing if the file is damaged. */
  owner?: OwnerProcess | undefined;
  /** The submitted name of the job. */
  name?: string | undefined;
  /** Missing if other windows can't continue the submit. */
  request?: DescribedSubmit | undefined;
  /** The job is stored, or the person was asked: later windows needn't handle it. */
  handled?: true | undefined;
  /** The program was gone before it received the job: its first identical call returns the job. */
  owed?: true;
  state: IntentState;
}

/** A current submit of a key: one that neither withdrew nor ended before it sent. */
export interface CurrentIntent extends StoredIntent {
  number: number;
  /** Content of the file. */
  text: string;
  /** Whether a window still runs the submit. */
  isAlive: boolean;
  /** Whether its window is certainly gone. */
  isOwnerGone: boolean;
  /** Whether its caller received the job in this window. */
  isReported: boolean;
}

/** A closed window's submit whose job must still be stored or found. */
export interface LeftIntent {
  prefix: string;
  number: number;
  /** The highest number of the key. */
  highestNumber: number;
  text: string;
  name?: string | undefined;
  request: DescribedSubmit;
  state: Extract<IntentState, { at: 'sending' | 'submitted' | 'unclaimed' | 'unresolved' }>;
}

/**
 * The subject of a submit. Same input with another name is a new submit, but waits for this one.
 */
export interface SubmitSubject {
  /** Prefix of the file names of its key. */
  prefix: string;
  name?: string | undefined;
  /** A later window continues from this if this window closes too early. */
  request?: DescribedSubmit | undefined;
  /**
   * Whether the next identical submit gets an unreported outcome. Not for masks, which can be
   * looked up.
   */
  remembersOutcome: boolean;
}

/** An earlier submit that may have been sent, and the IDs of the jobs before it, if known. */
interface EarlierSubmit {
  name?: string | undefined;
  request?: DescribedSubmit | undefined;
  before?: readonly string[] | undefined;
}

/** A submit's result. `candidates`: a person decides. Undefined: this window has nothing to do. */
type Outcome = { jobId: string } | { error: unknown } | { candidates: readonly string[] } | undefined;

/** Facts that this window has collected about a submit. */
interface Facts {
  subject: SubmitSubject;
  /** The submit of a closed window that this one continues, without a caller. */
  takenOver?: LeftIntent;
  /** Submits with this number or a higher one ran at the same time. */
  concurrentFrom?: number;
  /** Number of its file; undefined without a file, if only this window protects the submit. */
  number?: number | undefined;
  /** The current submit of another window or call, see `CurrentIntent`. */
  current?: CurrentIntent | undefined;
  /** IDs of the jobs before its request. */
  before?: readonly string[] | undefined;
  /** Why other windows can't see the submit. */
  reasonUnseen?: string;
}

/** The steps of a submit. A window takes one at a time; each ends with an event. */
interface Steps {
  /** Reads the files of the key. */
  looking: object;
  /** Waits a while for a window that submits the same. */
  waiting: object;
  /** Creates the file with the next number. */
  claiming: { highestNumber: number };
  /** Reads the files with lower numbers again, because their windows may have continued. */
  checking: object;
  /** Writes that it sends nothing. */
  withdrawing: object;
  /** Lists the existing jobs, or looks for masks. */
  listing: object;
  /** Writes that it sends. */
  announcing: object;
  /** Looks for a higher number. */
  confirming: object;
  /** Sends the request. */
  posting: object;
  /** Searches for the job of its request, which got no response. */
  searching: { postError: unknown };
  /** Searches for the job of an earlier submit. */
  resolving: { earlier: EarlierSubmit };
  /** Stores the job of a closed window. */
  storing: { jobId: string; endState: IntentState };
  /** Writes how the submit ended; for `mark`, see `StoredIntent`. */
  ending: { endState: IntentState; mark?: 'handled' | 'owed'; outcome: Outcome };
  /** Notes that a program received its owed job. */
  noting: { current: CurrentIntent; outcome: Outcome };
  done: { outcome: Outcome };
}

type Step = keyof Steps;
type StateAt<S extends Step> = Facts & { step: S } & Steps[S];
export type SubmitState = { [S in Step]: StateAt<S> }[Step];

/** The end of a step. */
export type StepEnd =
  /** The current submits, the latest first. It supersedes the others, except their jobs. */
  | { kind: 'looked'; highestNumber: number; intents: readonly CurrentIntent[] }
  /** Whether this submit has the highest number. */
  | { kind: 'numbered'; isFirst: boolean }
  | { kind: 'listed'; before: readonly string[] | undefined }
  | { kind: 'responded'; jobId: string }
  | { kind: 'finished' }
  | { kind: 'failed'; error: unknown }
  /** The caller left before the step began. */
  | { kind: 'canceled' };

/** The callers at the time of an event. */
interface Callers {
  isAwaited: boolean;
  /** A person agreed to continue although other windows can't see it. */
  isAgreed: boolean;
}

type SubmitEvent = StepEnd & Callers;
type EventOf<K> = Extract<StepEnd, { kind: K }> & Callers;

type Table = {
  [S in Step]: { [K in StepEnd['kind']]?: (state: StateAt<S>, event: EventOf<K>) => SubmitState };
};

const fail = (state: Facts, { error }: { error: unknown }) => giveUp(state, error);

/** The next state, by step and event. Combinations that are missing here can't happen. */
const TABLE: Table = {
  looking: {
    looked: (state, { highestNumber, intents, isAwaited }) => {
      const [latest] = intents;
      const awaited = state.current;
      // The file is gone, as when the clock is set: its request may have been sent.
      if (awaited?.isAlive && highestNumber < awaited.number)
        return { ...state, current: undefined, step: 'resolving', earlier: earlierOf(awaited) };
      const concurrentFrom =
        state.concurrentFrom ?? (latest && isPending(latest.state) ? latest.number : highestNumber + 1);
      const updated = { ...state, concurrentFrom, current: latest };
      if (latest?.isAlive) return { ...updated, step: 'waiting' };
      const ended = endedAmong(updated, intents);
      return ended ? adopt(updated, ...ended, isAwaited) : { ...updated, step: 'claiming', highestNumber };
    },
    failed: (state, event) => continueIfAgreed(state, event, begin),
  },
  waiting: {
    finished: state => ({ ...state, step: 'looking' }),
    failed: fail,
  },
  claiming: {
    numbered: (state, { isFirst }) => {
      if (isFirst) return { ...state, step: 'checking', number: state.highestNumber + 1 };
      return startAgain(state);
    },
    failed: (state, event) => continueIfAgreed(state, event, begin),
  },
  checking: {
    looked: (state, { intents }) => {
      const { takenOver } = state;
      const [latest] = intents;
      const updated = { ...state, current: latest };
      const mayBegin = takenOver
        ? isUnchanged(takenOver, intents)
        : !latest?.isAlive && !endedAmong(updated, intents);
      if (!mayBegin) return { ...updated, step: 'withdrawing' };
      return takenOver ? takeOver(updated, takenOver) : begin(updated);
    },
    failed: (state, event) => continueIfAgreed(state, event, begin),
  },
  withdrawing: {
    finished: state => startAgain({ ...state, number: undefined }),
  },
  listing: {
    listed: (state, { before }) => {
      const { takenOver, number } = state;
      if (takenOver) return { ...state, step: 'resolving', earlier: earlierOf(takenOver) };
      return { ...state, before, step: number === undefined ? 'posting' : 'announcing' };
    },
    // Masks exist already.
    responded: (state, { jobId, isAwaited }) => submitted(state, jobId, isAwaited),
    // A closed window's submit stays for another time.
    failed: (state, { error }) => (state.takenOver ? withdraw(state, undefined) : giveUp(state, error)),
  },
  announcing: {
    finished: state => ({ ...state, step: 'confirming' }),
    // If nothing is written, another window would assume that this submit sent nothing.
    failed: (state, event) => continueIfAgreed(state, event, agreed => ({ ...agreed, step: 'confirming' })),
  },
  confirming: {
    numbered: (state, { isFirst }) => {
      if (isFirst) return { ...state, step: 'posting' };
      return { ...state, concurrentFrom: (state.number ?? 0) + 1, step: 'withdrawing' };
    },
    failed: (state, event) => continueIfAgreed(state, event, agreed => ({ ...agreed, step: 'posting' })),
  },
  posting: {
    responded: (state, { jobId, isAwaited }) => submitted(state, jobId, isAwaited),
    failed: (state, { error }) => {
      if (mayHaveArrived(error)) return { ...state, step: 'searching', postError: error };
      // The client is disposed, so a search is no longer possible.
      if (!isCoded(error) || error.code === 'cancelled') return unknown(state, [], { error });
      return end(state, { at: 'failed', failure: failureOf(error) }, { error });
    },
  },
  searching: {
    responded: (state, { jobId, isAwaited }) => submitted(state, jobId, isAwaited),
    failed: (state, { error }) => unknown(state, candidatesIn(error), { error }),
  },
  resolving: {
    responded: (state, { jobId, isAwaited }) => {
      const { takenOver, subject, earlier, current, number } = state;
      if (takenOver) return { ...state, step: 'storing', jobId, endState: { at: 'submitted', jobId } };
      // A submit with another name was another job.
      if (earlier.name !== subject.name) return unresolved(state, ambiguousSubmit([jobId], undefined));
      const isLate = current?.state.at === 'unresolved';
      return submitted({ ...state, number: isLate ? current.number : number }, jobId, isAwaited);
    },
    failed: (state, { error }) => unresolved(state, error),
  },
  storing: {
    finished: ({ endState, ...state }) => {
      // The program is gone and hasn't received the job.
      const isOwed = endState.at === 'submitted' && state.subject.request?.by === 'program';
      return end(state, endState, undefined, isOwed ? 'owed' : 'handled');
    },
    failed: fail,
  },
  ending: { finished: state => finish(state, state.outcome) },
  noting: { finished: state => finish(state, state.outcome) },
  done: {},
};

/** The steps before the request is sent. */
const UNSENT: readonly Step[] = [
  'looking',
  'waiting',
  'claiming',
  'checking',
  'listing',
  'announcing',
  'confirming',
  'posting',
];

/** Whether a cancel before this step prevents the request. */
export function isCancelable({ step }: SubmitState): boolean {
  return UNSENT.includes(step);
}

/**
 * Whether the job is known and its file already says that it was reported: then a caller who
 * cancels still gets the job.
 */
export function isReporting(state: SubmitState): boolean {
  return state.step === 'noting' || (state.step === 'ending' && state.endState.at === 'submitted');
}

/** The next state of a submit after an event. */
export function next(state: SubmitState, event: SubmitEvent): SubmitState {
  if (event.kind === 'canceled') return giveUp(state, canceledError());
  const transition = TABLE[state.step][event.kind] as
    | ((state: SubmitState, event: SubmitEvent) => SubmitState)
    | undefined;
  if (!transition) throw new Error(`A submit can't be ${state.step} and ${event.kind}`);
  return transition(state, event);
}

/** The first state of a submit with a caller. */
export function startSubmit(subject: SubmitSubject): SubmitState {
  return { step: 'looking', subject };
}

/** The first state to continue a closed window's submit. It has no caller and sends nothing. */
export function startPickUp(takenOver: LeftIntent): SubmitState {
  const { prefix, request, highestNumber } = takenOver;
  const subject = { prefix, name: request.name, request, remembersOutcome: true };
  return { step: 'claiming', subject, takenOver, highestNumber };
}

/** Whether a stored submit hasn't ended. */
export function isPending({ at }: IntentState): boolean {
  return at === 'preparing' || at === 'sending';
}

/** Candidates for the job of an unresolved submit; undefined for other submits. */
export function candidatesOf(state: IntentState): readonly string[] | undefined {
  return state.at === 'unclaimed' ? [state.jobId] : state.at === 'unresolved' ? state.candidates : undefined;
}

/** Starts again, because another window was faster or hadn't closed. */
function startAgain(state: Facts): SubmitState {
  return state.takenOver ? finish(state, undefined) : { ...state, step: 'looking' };
}

/** Begins the request; first resolves an earlier submit that may have been sent. */
function begin(state: Facts): SubmitState {
  const { current } = state;
  if (current?.state.at !== 'sending') return { ...state, step: 'listing' };
  return { ...state, step: 'resolving', earlier: earlierOf(current) };
}

/** Continues a closed window's submit, which this window now owns. */
function takeOver(state: Facts, { state: stored }: LeftIntent): SubmitState {
  if ('jobId' in stored) return { ...state, step: 'storing', jobId: stored.jobId, endState: stored };
  if (stored.at === 'sending' || stored.before) return { ...state, step: 'listing' };
  return leaveUnresolved(state, stored, stored.candidates);
}

/** Leaves a closed window's submit unresolved: a person is asked; a program can't be. */
function leaveUnresolved(
  { subject, ...state }: Facts,
  endState: IntentState,
  candidates: readonly string[],
): SubmitState {
  const mark = subject.request?.by === 'program' ? 'handled' : undefined;
  return end({ ...state, subject }, endState, { candidates }, mark);
}

/** Whether no other window has changed the submit in the meantime or submits the same. */
function isUnchanged({ number, text, state }: LeftIntent, intents: readonly CurrentIntent[]): boolean {
  const index = intents.findIndex(intent => intent.number === number);
  const later = intents.slice(0, index).map(intent => intent.state);
  if (intents[index]?.text !== text || later.slice(0, 1).some(isPending)) return false;
  const hasSameJob = (laterState: IntentState) =>
    'jobId' in state && 'jobId' in laterState && laterState.jobId === state.jobId;
  return later.length === 0 || (state.at === 'submitted' && !later.some(hasSameJob));
}

/** Takes over the result of another window's submit. */
function adopt(state: Facts, current: CurrentIntent, ended: EndedState, isAwaited: boolean): SubmitState {
  // Search again for the job of an unresolved submit without candidates.
  if (current.state.at === 'unresolved' && current.state.candidates.length === 0 && current.state.before)
    return { ...state, step: 'resolving', earlier: earlierOf(current) };
  // This window takes over the job and stores it.
  if (ended.at === 'submitted' && current.state.at === 'unclaimed')
    return submitted({ ...state, number: current.number }, ended.jobId, isAwaited);
  const outcome = outcomeOf(ended);
  return isOwedTo(state.subject, current)
    ? { ...state, step: 'noting', current, outcome }
    : finish(state, outcome);
}

/** The ended submit whose result this one takes. Later ones may have another name or owner. */
function endedAmong(
  state: Facts,
  intents: readonly CurrentIntent[],
): [CurrentIntent, EndedState] | undefined {
  const jobs = new Set<string>();
  for (const [index, intent] of intents.entries()) {
    const { number, name, state: stored } = intent;
    const jobId = 'jobId' in stored ? stored.jobId : '';
    const isNew = stored.at === 'submitted' ? !jobs.has(jobId) : number >= (state.concurrentFrom ?? 0);
    const counts = index === 0 || (name === state.subject.name && isNew);
    const ended = counts ? endFor(state, intent) : undefined;
    if (ended) return [intent, ended];
    jobs.add(jobId);
  }
  return undefined;
}

type EndedState = Extract<IntentState, { at: 'submitted' | 'failed' | 'unclaimed' | 'unresolved' }>;

/**
 * The end of another submit, as it counts for this one; undefined if this one may submit a new job.
 * A submit that wasn't concurrent counts only if it is unresolved, or if its caller never received
 * the job.
 */
function endFor({ subject, concurrentFrom = 0 }: Facts, current: CurrentIntent): EndedState | undefined {
  const { state, number, name } = current;
  const isSame = number >= concurrentFrom && name === subject.name;
  switch (state.at) {
    case 'submitted':
      return isSame || isOwedTo(subject, current) ? state : undefined;
    case 'failed':
      return isSame ? state : undefined;
    case 'unclaimed':
      return isSame ? { at: 'submitted', jobId: state.jobId } : state;
    case 'unresolved':
      return state;
    case 'settled':
      return isSame ? { at: 'unresolved', candidates: state.candidates } : undefined;
    default:
      return undefined;
  }
}

/** Whether a call is the first identical one after a window closed without reporting the job. */
function isOwedTo({ name, request: call }: SubmitSubject, current: CurrentIntent): boolean {
  const { state, request, handled, owed, isOwnerGone, isReported } = current;
  if (state.at !== 'submitted' || !request || request.by !== call?.by) return false;
  // Before the submit is picked up, its job isn't stored either. A person would see the job in the
  // list, but a program doesn't read the list.
  return current.name === name && !isReported && (owed ?? (!handled && isOwnerGone));
}

function outcomeOf(state: EndedState): Outcome {
  switch (state.at) {
    case 'submitted':
      return { jobId: state.jobId };
    case 'failed':
      return { error: failureError(state.failure) };
    case 'unclaimed':
      return {
        error: ambiguousSubmit(
          [state.jobId],
          reason('The same job was submitted before, and canceled after it was sent'),
        ),
      };
    default:
      return { error: ambiguousSubmit([...state.candidates], undefined) };
  }
}

/** Ends with a job. Without a caller, the job waits for the next identical submit. */
function submitted(state: Facts, jobId: string, isAwaited: boolean): SubmitState {
  const isUnclaimed = state.subject.remembersOutcome && !isAwaited;
  return end(state, { at: isUnclaimed ? 'unclaimed' : 'submitted', jobId }, { jobId });
}

/** Ends without knowing whether an earlier submit was sent, which keeps its state and name. */
function unresolved(state: StateAt<'resolving'>, error: unknown): SubmitState {
  const { takenOver, earlier, number, subject } = state;
  const { name, request, before } = earlier;
  const candidates = candidatesIn(error);
  if (takenOver)
    return leaveUnresolved(state, { at: 'unresolved', candidates, ...(before && { before }) }, candidates);
  // The earlier submit's file already says that it is unresolved or sending.
  if (number === undefined) return finish(state, { error });
  if (!isCoded(error, 'ambiguous-submit')) return giveUp(state, error);
  return unknown({ ...state, subject: { ...subject, name, request }, before }, candidates, { error });
}

function unknown(state: Facts, candidates: readonly string[], outcome: Outcome): SubmitState {
  const { before, subject } = state;
  const endState: IntentState = subject.remembersOutcome
    ? { at: 'unresolved', candidates, ...(before && { before }) }
    : { at: 'settled', candidates };
  return end(state, endState, outcome);
}

/** After a disk failure other windows can't see the submit: continues only if a person agreed. */
function continueIfAgreed(
  state: Facts,
  { error, isAgreed }: EventOf<'failed'>,
  continueWith: (state: Facts) => SubmitState,
): SubmitState {
  if (isCoded(error) || !isAgreed) return giveUp(state, unprotectedSubmit(error));
  return continueWith({ ...state, reasonUnseen: String(error) });
}

/** Ends with an error, without a request. */
const giveUp = (state: Facts, error: unknown) => withdraw(state, { error });

function withdraw(state: Facts, outcome: Outcome): SubmitState {
  return end(state, { at: 'withdrawn' }, outcome);
}

function end(state: Facts, endState: IntentState, outcome: Outcome, mark?: 'handled' | 'owed'): SubmitState {
  if (state.number === undefined) return finish(state, outcome);
  return { ...state, step: 'ending', endState, outcome, ...(mark && { mark }) };
}

function finish(state: Facts, outcome: Outcome): SubmitState {
  return { ...state, step: 'done', outcome };
}

function earlierOf({ name, request, state }: CurrentIntent | LeftIntent): EarlierSubmit {
  return { name, request, before: 'before' in state ? state.before : undefined };
}

/** Whether a failed request may have reached the service. */
function mayHaveArrived(error: unknown): boolean {
  if (!isCoded(error)) return true;
  return error.code !== 'cancelled' && (error.details.sent === true || error.code === 'unexpected-response');
}

/** The error of a submit that isn't sent because other windows can't see it. */
export function unprotectedSubmit(error: unknown): CodedError {
  return diskError(error, {
    reason: codedReason(
      'submit-unprotected',
      "Other windows can't see this request, so the same one could be sent twice",
    ),
  });
}

/** Whether a submit was refused because other windows can't see it. A person can override it. */
export function isUnprotected(error: unknown): error is CodedError {
  return isCoded(error) && error.details.reason?.code === 'submit-unprotected';
}

/** The error of a submit that may have become one of the candidates. `subject` names the job. */
export function ambiguousSubmit(candidates: string[], why: Reason | undefined, subject?: string): CodedError {
  return new CodedError('ambiguous-submit', 'The service may or may not have accepted the job', {
    candidates,
    ...(why && { reason: why }),
    ...(subject !== undefined && { subject }),
  });
}

function candidatesIn(error: unknown): readonly string[] {
  return isCoded(error, 'ambiguous-submit') ? (error.details.candidates ?? []) : [];
}

function failureOf(error: CodedError): Failure {
  const { status, reason: why } = error.details;
  return { code: error.code, status, ...(why?.message === QUOTED && { said: String(why.args[0]) }) };
}

function failureError({ code, status, said }: Failure): CodedError {
  return new CodedError(code, 'The same submit failed in another window', {
    ...(status !== undefined && { status }),
    ...(said !== undefined && { reason: quoted(said) }),
  });
}
