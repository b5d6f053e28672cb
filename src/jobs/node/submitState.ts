import { canceledError, CodedError, type ErrorCode, isCoded } from '../../base/errors';
import { diskError } from '../../base/node/fileErrors';
import type { OwnerProcess } from '../../base/node/thisProcess';
import { QUOTED, reason, type Reason, codedReason, quoted } from '../../base/reasons';
import type { DescribedRequest } from './runRecords';

/*
 * How a job is submitted once, whatever windows do at the same time and whenever they crash, hang
 * or lose the service. All of it is decided here: `next` says what a window does after what
 * happened. `submitFiles` does what concerns the disk, `submitGuard` sends.
 *
 * A submit is a file. The files of one key, which is what is submitted, are numbered, and the
 * highest number owns the submit. A window that was wrongly considered closed sends nothing once
 * another has taken over: before its request it writes that it sends, and then looks for a higher
 * number. A window that takes over creates the higher number, and then reads what the others wrote.
 * At least one of the two sees the other's file.
 */

/** How far the submit of a file got. */
export type IntentState =
  /** Nothing was sent yet. */
  | { at: 'preparing' }
  /** The request may have left. `before`: jobs listed before it, if that list was complete. */
  | { at: 'sending'; before?: readonly string[] | undefined }
  | { at: 'submitted'; jobId: string }
  /** The service refused it, so there is no job. */
  | { at: 'failed'; failure: Failure }
  /** Nothing was sent, and nothing will be. */
  | { at: 'withdrawn' }
  /** There is a job, but its submit was canceled before the job was known. */
  | { at: 'unclaimed'; jobId: string }
  /** It is unknown whether a job exists; a candidate may be it. `before` as in `sending`. */
  | { at: 'unresolved'; candidates: readonly string[]; before?: readonly string[] }
  /** The same, and it was reported to the user or program that submitted it. */
  | { at: 'settled'; candidates: readonly string[] };

/** A stored error: its code, and the service's words. */
export interface Failure {
  code: ErrorCode;
  status?: number | undefined;
  said?: string | undefined;
}

/** A submit with its whole record: if its window is gone, another one continues from this. */
export interface DescribedSubmit extends DescribedRequest {
  by: 'person' | 'program';
}

export interface StoredIntent {
  /** Unknown where the file is damaged. */
  owner?: OwnerProcess | undefined;
  /** The name that the job was submitted with. */
  name?: string | undefined;
  /** Missing if no other window could continue it. */
  request?: DescribedSubmit | undefined;
  /** Its job is stored, or the user was asked: later windows have nothing to do. */
  handled?: true | undefined;
  /** Its program was gone before it learned of the job: its first identical call returns it. */
  owed?: true;
  state: IntentState;
}

/** The key's submit that counts: the last that neither withdrew nor ended before sending. */
export interface CurrentIntent extends StoredIntent {
  number: number;
  /** The whole file. */
  text: string;
  /** Whether its submit is still under way in a window. */
  isAlive: boolean;
  /** Whether its window is known to be gone. */
  isOver: boolean;
  /** Who submitted it learned of its job in this window. */
  isReported: boolean;
}

/** A closed window's submit with work left: its job is to be stored, or found. */
export interface LeftIntent {
  prefix: string;
  number: number;
  /** The highest number of its key. */
  top: number;
  text: string;
  name?: string | undefined;
  request: DescribedSubmit;
  state: Extract<IntentState, { at: 'sending' | 'submitted' | 'unclaimed' | 'unresolved' }>;
}

/** What is submitted. One with another name is not the same, but waits for this one to end. */
export interface SubmitSubject {
  /** What the names of the files of its key begin with. */
  prefix: string;
  name?: string | undefined;
  /** A later window continues from this if this one ends before the submit. */
  request?: DescribedSubmit | undefined;
  /** Whether to keep an unreported outcome for the next same submit. Mask requests look first. */
  keepsTrace: boolean;
}

/** An earlier submit that may have been sent, and the jobs before it; undefined if unknown. */
interface EarlierSubmit {
  name?: string | undefined;
  request?: DescribedSubmit | undefined;
  before?: readonly string[] | undefined;
}

/** A submit's result; `candidates` for a person to decide, `undefined` if nothing to do here. */
type Outcome = { jobId: string } | { error: unknown } | { candidates: readonly string[] } | undefined;

/** What a submit of this window has learned so far. */
interface Learned {
  subject: SubmitSubject;
  /** The submit of a closed window that it continues, without a caller. */
  taken?: LeftIntent;
  /** Submits with this number or a higher one have been under way at the same time. */
  from?: number;
  /** The number of its file; it has none where only this window protects it. */
  number?: number | undefined;
  /** The submit that counts besides it, see `FoundIntent`. */
  current?: CurrentIntent | undefined;
  /** The jobs there were before its request. */
  before?: readonly string[] | undefined;
  /** Why other windows can't see it. */
  unseen?: string;
}

/** A window's steps of a submit, one at a time; each ends with an event. */
interface Steps {
  /** Reads the files of the key. */
  looking: object;
  /** Waits a while for the window that submits the same. */
  waiting: object;
  /** Creates the file with the number after the highest one. */
  claiming: { top: number };
  /** Reads the files with lower numbers once more, as their windows may have gone on. */
  checking: object;
  /** Writes that it sends nothing. */
  withdrawing: object;
  /** Lists the jobs there are, or looks for masks. */
  listing: object;
  /** Writes that it sends. */
  announcing: object;
  /** Looks for a higher number. */
  confirming: object;
  /** Sends the request. */
  posting: object;
  /** Looks for the job of its request, which got no response. */
  searching: { lost: unknown };
  /** Looks for the job of an earlier submit. */
  resolving: { earlier: EarlierSubmit };
  /** Has the job of a closed window stored. */
  storing: { jobId: string; as: IntentState };
  /** Writes how it ended, and whether all is done about that, or all but telling the program. */
  ending: { as: IntentState; done?: 'handled' | 'owed'; outcome: Outcome };
  /** Notes that the owed job was reported. */
  noting: { current: CurrentIntent; outcome: Outcome };
  done: { outcome: Outcome };
}

type Step = keyof Steps;
type StateAt<S extends Step> = Learned & { at: S } & Steps[S];
export type SubmitState = { [S in Step]: StateAt<S> }[Step];

/** What a step came to. */
export type StepEnd =
  /** The submits that count, the last one first, which speaks for the others but for their jobs. */
  | { kind: 'looked'; top: number; intents: readonly CurrentIntent[] }
  /** Whether it has the highest number. */
  | { kind: 'numbered'; isFirst: boolean }
  | { kind: 'listed'; before: readonly string[] | undefined }
  | { kind: 'responded'; jobId: string }
  | { kind: 'finished' }
  | { kind: 'failed'; error: unknown }
  /** The caller left before the step began. */
  | { kind: 'canceled' };

/** Who calls, at the moment of an event. */
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

const fail = (state: Learned, { error }: { error: unknown }) => giveUp(state, error);

/** Which step follows which, by what happened. What has no place here can't happen. */
const TABLE: Table = {
  looking: {
    looked: (state, { top, intents, isAwaited }) => {
      const [last] = intents;
      const awaited = state.current;
      // Its file is gone, as when the clock is set: it may have been sent.
      if (awaited?.isAlive && top < awaited.number)
        return { ...state, current: undefined, at: 'resolving', earlier: earlierOf(awaited) };
      const from = state.from ?? (last && isPending(last.state) ? last.number : top + 1);
      const seen = { ...state, from, current: last };
      if (last?.isAlive) return { ...seen, at: 'waiting' };
      const ended = endedAmong(seen, intents);
      return ended ? adopt(seen, ...ended, isAwaited) : { ...seen, at: 'claiming', top };
    },
    failed: (state, event) => unlessUnseen(state, event, begin),
  },
  waiting: {
    finished: state => ({ ...state, at: 'looking' }),
    failed: fail,
  },
  claiming: {
    numbered: (state, { isFirst }) => {
      if (isFirst) return { ...state, at: 'checking', number: state.top + 1 };
      return again(state);
    },
    failed: (state, event) => unlessUnseen(state, event, begin),
  },
  checking: {
    looked: (state, { intents }) => {
      const { taken } = state;
      const [last] = intents;
      const seen = { ...state, current: last };
      if (taken) return isUnchanged(taken, intents) ? takeOver(seen, taken) : { ...seen, at: 'withdrawing' };
      const isOpen = !last?.isAlive && !endedAmong(seen, intents);
      return isOpen ? begin(seen) : { ...seen, at: 'withdrawing' };
    },
    failed: (state, event) => unlessUnseen(state, event, begin),
  },
  withdrawing: {
    finished: state => again({ ...state, number: undefined }),
  },
  listing: {
    listed: (state, { before }) => {
      const { taken, number } = state;
      if (taken) return { ...state, at: 'resolving', earlier: earlierOf(taken) };
      return { ...state, before, at: number === undefined ? 'posting' : 'announcing' };
    },
    // There are masks.
    responded: (state, { jobId, isAwaited }) => submitted(state, jobId, isAwaited),
    // What a closed window left stays for another time.
    failed: (state, { error }) => (state.taken ? withdraw(state, undefined) : giveUp(state, error)),
  },
  announcing: {
    finished: state => ({ ...state, at: 'confirming' }),
    // Without it another window would take this submit for one that sent nothing.
    failed: (state, event) => unlessUnseen(state, event, seen => ({ ...seen, at: 'confirming' })),
  },
  confirming: {
    numbered: (state, { isFirst }) => {
      if (isFirst) return { ...state, at: 'posting' };
      return { ...state, from: (state.number ?? 0) + 1, at: 'withdrawing' };
    },
    failed: (state, event) => unlessUnseen(state, event, seen => ({ ...seen, at: 'posting' })),
  },
  posting: {
    responded: (state, { jobId, isAwaited }) => submitted(state, jobId, isAwaited),
    failed: (state, { error }) => {
      if (mayHaveArrived(error)) return { ...state, at: 'searching', lost: error };
      // Once the client is disposed of, nothing more is learned.
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
      const { taken, subject, earlier, current, number } = state;
      if (taken) return { ...state, at: 'storing', jobId, as: { at: 'submitted', jobId } };
      // One with another name was another job.
      if (earlier.name !== subject.name) return unresolved(state, ambiguousSubmit([jobId], undefined));
      const isLate = current?.state.at === 'unresolved';
      return submitted({ ...state, number: isLate ? current.number : number }, jobId, isAwaited);
    },
    failed: (state, { error }) => unresolved(state, error),
  },
  storing: {
    finished: ({ as, ...state }) => {
      // Its program is gone, and has yet to learn of the job.
      const isOwed = as.at === 'submitted' && state.subject.request?.by === 'program';
      return end(state, as, undefined, isOwed ? 'owed' : 'handled');
    },
    failed: fail,
  },
  ending: { finished: state => finish(state, state.outcome) },
  noting: { finished: state => finish(state, state.outcome) },
  done: {},
};

/** What is done before the request is sent. */
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

/** Whether a caller who leaves before this step keeps its request from being sent. */
export function isCancelable({ at }: SubmitState): boolean {
  return UNSENT.includes(at);
}

/**
 * Whether its job is known and being stored: a caller who leaves now still gets the job. The file
 * says that it was reported.
 */
export function isTelling(state: SubmitState): boolean {
  return state.at === 'noting' || (state.at === 'ending' && state.as.at === 'submitted');
}

/** What a window does about a submit after what happened. */
export function next(state: SubmitState, event: SubmitEvent): SubmitState {
  if (event.kind === 'canceled') return giveUp(state, canceledError());
  const follow = TABLE[state.at][event.kind] as
    | ((state: SubmitState, event: SubmitEvent) => SubmitState)
    | undefined;
  if (!follow) throw new Error(`A submit can't be ${state.at} and ${event.kind}`);
  return follow(state, event);
}

/** A called submit whose file other windows see. */
export function startSubmit(subject: SubmitSubject): SubmitState {
  return { at: 'looking', subject };
}

/** Going on with what a closed window left. Nobody calls, and nothing is sent. */
export function startPickUp(taken: LeftIntent): SubmitState {
  const { prefix, request, top } = taken;
  const subject = { prefix, name: request.name, request, keepsTrace: true };
  return { at: 'claiming', subject, taken, top };
}

/** Whether the submit hasn't ended, by its file. */
export function isPending({ at }: IntentState): boolean {
  return at === 'preparing' || at === 'sending';
}

/** Candidates for an unresolved submit's job; undefined for other submits. */
export function candidatesOf(state: IntentState): readonly string[] | undefined {
  return state.at === 'unclaimed' ? [state.jobId] : state.at === 'unresolved' ? state.candidates : undefined;
}

/** Another window was faster, or had not closed. */
function again(state: Learned): SubmitState {
  return state.taken ? finish(state, undefined) : { ...state, at: 'looking' };
}

/** First what may have been sent before is resolved; otherwise the request is its own. */
function begin(state: Learned): SubmitState {
  const { current } = state;
  if (current?.state.at !== 'sending') return { ...state, at: 'listing' };
  return { ...state, at: 'resolving', earlier: earlierOf(current) };
}

/** Continues a closed window's submit, once it is this window's. */
function takeOver(state: Learned, { state: left }: LeftIntent): SubmitState {
  if ('jobId' in left) return { ...state, at: 'storing', jobId: left.jobId, as: left };
  if (left.at === 'sending' || left.before) return { ...state, at: 'listing' };
  return leftOpen(state, left, left.candidates);
}

/** A closed window's submit stays unresolved: a person was asked, and programs can't be. */
function leftOpen(
  { subject, ...state }: Learned,
  as: IntentState,
  candidates: readonly string[],
): SubmitState {
  const done = subject.request?.by === 'program' ? 'handled' : undefined;
  return end({ ...state, subject }, as, { candidates }, done);
}

/** Whether no other window has done something about it just before, or submits the same. */
function isUnchanged({ number, text, state }: LeftIntent, intents: readonly CurrentIntent[]): boolean {
  const index = intents.findIndex(intent => intent.number === number);
  const later = intents.slice(0, index).map(intent => intent.state);
  if (intents[index]?.text !== text || later.slice(0, 1).some(isPending)) return false;
  const isSame = (other: IntentState) => 'jobId' in state && 'jobId' in other && other.jobId === state.jobId;
  return later.length === 0 || (state.at === 'submitted' && !later.some(isSame));
}

/** Returns, or throws, what another window's submit came to. */
function adopt(state: Learned, current: CurrentIntent, ended: EndedState, isAwaited: boolean): SubmitState {
  // The job of an unresolved submit without candidates is sought once more.
  if (current.state.at === 'unresolved' && current.state.candidates.length === 0 && current.state.before)
    return { ...state, at: 'resolving', earlier: earlierOf(current) };
  // From now on this window answers for it, which stores it.
  if (ended.at === 'submitted' && current.state.at === 'unclaimed')
    return submitted({ ...state, number: current.number }, ended.jobId, isAwaited);
  const outcome = outcomeOf(ended);
  return isOwedTo(state.subject, current)
    ? { ...state, at: 'noting', current, outcome }
    : finish(state, outcome);
}

/** The submit whose end this one takes. Others of another name or owner may follow it. */
function endedAmong(
  state: Learned,
  intents: readonly CurrentIntent[],
): [CurrentIntent, EndedState] | undefined {
  const jobs = new Set<string>();
  for (const [index, intent] of intents.entries()) {
    const { number, name, state: end } = intent;
    const jobId = 'jobId' in end ? end.jobId : '';
    const isNew = end.at === 'submitted' ? !jobs.has(jobId) : number >= (state.from ?? 0);
    const counts = index === 0 || (name === state.subject.name && isNew);
    const ended = counts ? endFor(state, intent) : undefined;
    if (ended) return [intent, ended];
    jobs.add(jobId);
  }
  return undefined;
}

type EndedState = Extract<IntentState, { at: 'submitted' | 'failed' | 'unclaimed' | 'unresolved' }>;

/**
 * What another window's submit that ended means to this one; undefined where a new job may be
 * submitted. One that was not concurrent doesn't matter, unless it is unresolved, or who submitted
 * it never learned of its job.
 */
function endFor({ subject, from = 0 }: Learned, current: CurrentIntent): EndedState | undefined {
  const { state, number, name } = current;
  const isSame = number >= from && name === subject.name;
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

/** Whether a call is the first same one since its window closed without reporting the job. */
function isOwedTo({ name, request: call }: SubmitSubject, current: CurrentIntent): boolean {
  const { state, request, handled, owed, isOver, isReported } = current;
  if (state.at !== 'submitted' || !request || request.by !== call?.by) return false;
  // Until it is picked up, its job isn't stored either. A person sees it in the list then, which a
  // program doesn't read.
  return current.name === name && !isReported && (owed ?? (!handled && isOver));
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

/** There is a job. One that nobody awaits waits for the next identical submit. */
function submitted(state: Learned, jobId: string, isAwaited: boolean): SubmitState {
  const at = state.subject.keepsTrace && !isAwaited ? 'unclaimed' : 'submitted';
  return end(state, { at, jobId }, { jobId });
}

/** It is unknown whether an earlier submit was sent: it stays as it was, under its own name. */
function unresolved(state: StateAt<'resolving'>, error: unknown): SubmitState {
  const { taken, earlier, number, subject } = state;
  const { name, request, before } = earlier;
  const candidates = candidatesIn(error);
  if (taken) return leftOpen(state, { at: 'unresolved', candidates, ...(before && { before }) }, candidates);
  // It is unresolved already, or will be found as it is.
  if (number === undefined) return finish(state, { error });
  if (!isCoded(error, 'ambiguous-submit')) return giveUp(state, error);
  return unknown({ ...state, subject: { ...subject, name, request }, before }, candidates, { error });
}

function unknown(state: Learned, candidates: readonly string[], outcome: Outcome): SubmitState {
  const { before, subject } = state;
  const as: IntentState = subject.keepsTrace
    ? { at: 'unresolved', candidates, ...(before && { before }) }
    : { at: 'settled', candidates };
  return end(state, as, outcome);
}

/** A disk failure: other windows can't see the submit, which needs a person's consent. */
function unlessUnseen(
  state: Learned,
  { error, isAgreed }: EventOf<'failed'>,
  goOn: (state: Learned) => SubmitState,
): SubmitState {
  if (isCoded(error) || !isAgreed) return giveUp(state, unprotectedSubmit(error));
  return goOn({ ...state, unseen: String(error) });
}

/** Nothing was sent, and nothing will be. */
const giveUp = (state: Learned, error: unknown) => withdraw(state, { error });

function withdraw(state: Learned, outcome: Outcome): SubmitState {
  return end(state, { at: 'withdrawn' }, outcome);
}

function end(state: Learned, as: IntentState, outcome: Outcome, done?: 'handled' | 'owed'): SubmitState {
  if (state.number === undefined) return finish(state, outcome);
  return { ...state, at: 'ending', as, outcome, ...(done && { done }) };
}

function finish(state: Learned, outcome: Outcome): SubmitState {
  return { ...state, at: 'done', outcome };
}

function earlierOf({ name, request, state }: CurrentIntent | LeftIntent): EarlierSubmit {
  return { name, request, before: 'before' in state ? state.before : undefined };
}

/** Whether a submit that failed may have reached the service. */
function mayHaveArrived(error: unknown): boolean {
  if (!isCoded(error)) return true;
  return error.code !== 'cancelled' && (error.details.sent === true || error.code === 'unexpected-response');
}

/** The error of a submit that other windows can't see: `no-space`, `not-writable`; not sent. */
export function unprotectedSubmit(error: unknown): CodedError {
  return diskError(error, {
    reason: codedReason(
      'submit-unprotected',
      "Other windows can't see this request, so the same one could be sent twice",
    ),
  });
}

/** Whether a submit was refused as other windows can't see it. Only a person can override. */
export function isUnprotected(error: unknown): error is CodedError {
  return isCoded(error) && error.details.reason?.code === 'submit-unprotected';
}

/** The service may have accepted a submit, as one of the candidates. `subject` names it. */
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
