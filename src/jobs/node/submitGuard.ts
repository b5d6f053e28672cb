import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { reason, type Reason } from '../../base/reasons';
import { delay as realDelay, untilCanceled } from '../../base/waiting';
import type { AnalysisClient, NewJob } from '../../service/node/client';
import { Pager } from '../../service/node/pager';
import type { AnalysisJob, MasksJob } from '../../service/wire';
import { masksPhase } from './jobState';
import { type OwnIntent, SupersededError, unstoredIntent } from './ownIntent';
import { type DescribedSubmit, failureError, failureOf, type IntentState } from './storedIntents';
import type { EndedState, IntentSubject, LeftSubmit, SubmitIntents, TakenIntent } from './submitIntents';

type GuardedClient = Pick<
  AnalysisClient,
  'listAnalysisJobs' | 'submitAnalysisJob' | 'masksJob' | 'submitMasksJob'
>;

interface SubmitGuardOptions {
  /** The submits of other windows; without it, submits are protected in this window alone. */
  intents?: Pick<SubmitIntents, 'enter' | 'settle' | 'markStored' | 'takeLeft'>;
  /** Whether a job is known as that of an earlier submit. */
  isKnown?: (jobId: string) => Promise<boolean>;
  /** For tests: replaces the wait between two searches for a job. */
  delay?: ((milliseconds: number) => Promise<void>) | undefined;
}

/** A submit that a window left which is gone; one of the jobs may be its. */
interface UnresolvedSubmit {
  request: DescribedSubmit;
  candidates: readonly string[];
}

/** Who waits for a submit, and what they agreed to. */
export interface SubmitOptions {
  signal?: AbortSignal | undefined;
  isAgreed?: boolean | undefined;
}

/** What a submit does in the order of its intent. */
interface Steps<T> {
  /** Finds what became of an earlier submit that may have been sent. Throws `ambiguous-submit`. */
  resolve(left: LeftSubmit): Promise<T>;
  /** Looks at what is there, calls `send` as the last thing before the request, and sends it. */
  post(send: (before?: readonly string[]) => Promise<void>): Promise<T>;
  /** The result of another window's submit. */
  adopt(jobId: string): Promise<T>;
  jobIdOf(result: T): string;
  /** Whether an outcome that nobody learned is kept for the next identical submit. */
  keepsTrace: boolean;
}

/**
 * Submits jobs, which cost money, and never sends one twice by itself. Identical submits at the same time become one, in
 * this window and with those of others. Canceling releases the caller but does not undo what was sent.
 */
export class SubmitGuard {
  private readonly attempts = new SharedAttempts();
  private readonly delay: (milliseconds: number) => Promise<void>;
  private readonly intents: NonNullable<SubmitGuardOptions['intents']>;
  private readonly search: JobSearch;

  constructor(
    private readonly client: GuardedClient,
    {
      delay = realDelay,
      intents = NO_OTHER_WINDOWS,
      isKnown = () => Promise.resolve(false),
    }: SubmitGuardOptions = {},
  ) {
    this.search = new JobSearch(client, isKnown, delay);
    this.delay = delay;
    this.intents = intents;
  }

  /**
   * Submits an analysis job. Throws `ambiguous-submit` when it is unknown whether the service created it, with the jobs
   * that may be it in `details.candidates`; so does each identical submit until that is settled. With `by`, a window that
   * opens later picks up a submit that this one doesn't live to store. What other windows can't see is sent only if a person
   * agreed: else it throws `no-space` or `not-writable`, for which `isUnprotected` holds.
   */
  submit(request: NewJob | DescribedSubmit, options: SubmitOptions = {}): Promise<{ jobId: string }> {
    const { name } = request;
    const { signal } = options;
    const subject = {
      key: keyOf(request),
      ...(name !== undefined && { name }),
      ...('by' in request && { request }),
    };
    const steps = (progress: Progress): Steps<{ jobId: string }> => ({
      resolve: left => this.findLeft(request, left),
      post: send => this.post(request, signal, progress, send),
      adopt: jobId => Promise.resolve({ jobId }),
      jobIdOf: ({ jobId }) => jobId,
      keepsTrace: true,
    });
    return this.attempts.join(
      JSON.stringify([subject.key, name]),
      progress => this.underIntent(subject, steps(progress), progress, signal),
      options,
    );
  }

  /** Lets the next identical submit be a new one, once whoever decides knows that the last one is ambiguous. */
  settle(request: NewJob): Promise<void> {
    return this.intents.settle(keyOf(request));
  }

  /** The job of a submit is stored. */
  stored(request: NewJob, jobId: string): Promise<void> {
    return this.intents.markStored(keyOf(request), jobId);
  }

  /**
   * Does what is left to be done about the submits of windows that are gone: has their jobs stored, and returns those of which
   * a person has to tell the job. Each is returned once, to one window; identical submits are ambiguous until it is settled.
   * A program that submitted one has learned nothing: its first identical call returns the job.
   */
  async pickUp(
    store: (jobId: string, request: DescribedSubmit) => Promise<void>,
  ): Promise<UnresolvedSubmit[]> {
    const unresolved: UnresolvedSubmit[] = [];
    for (const taken of await this.intents.takeLeft()) {
      const { intent, request } = taken;
      const state = await this.stateOfLeft(taken);
      if ('jobId' in state) await store(state.jobId, request);
      // Of one that can't be resolved now, as without a network, the file of its window stays.
      const isOwed = state.at === 'submitted' && request.by === 'program';
      await intent.end(state, state.at === 'withdrawn' ? undefined : isOwed ? 'owed' : 'handled');
      // A program that is gone can't be asked.
      if (state.at === 'unresolved' && request.by === 'person')
        unresolved.push({ request, candidates: state.candidates });
    }
    return unresolved;
  }

  /**
   * Requests the masks of a finished job, or returns the masks job that exists. Throws `ambiguous-submit` when it is
   * unknown whether the service has started, and as `submit` what other windows can't see.
   */
  submitMasks(jobId: string, options: SubmitOptions = {}): Promise<MasksJob> {
    const { signal } = options;
    const key = `masks ${jobId}`;
    const steps = (progress: Progress): Steps<MasksJob> => ({
      resolve: () => this.findMasks(jobId, undefined),
      post: send => this.postMasks(jobId, signal, progress, send),
      adopt: async () => (await this.existingMasks(jobId, signal)) ?? { status: '', percentageCompleted: 0 },
      jobIdOf: () => jobId,
      // Each request for masks looks first whether there are any.
      keepsTrace: false,
    });
    return this.attempts.join(
      key,
      progress => this.underIntent({ key }, steps(progress), progress, signal),
      options,
    );
  }

  /** Submits while other windows see that, or returns what the same submit of theirs came to. */
  private async underIntent<T>(
    subject: IntentSubject,
    steps: Steps<T>,
    progress: Progress,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    for (let superseded: OwnIntent | undefined; ;) {
      const isAgreed = () => progress.isAgreed;
      const entry = await this.intents.enter(subject, { signal, superseded, isAgreed });
      if (entry.kind === 'ended') {
        if (!entry.left) return steps.adopt(jobOf(entry.state));
        const found = await steps.resolve(entry.left);
        if (progress.waiting > 0) await this.intents.settle(subject.key);
        return found;
      }
      const { intent, left } = entry;
      progress.before = left?.before;
      let result: T;
      try {
        result = left ? await steps.resolve(left) : await steps.post(before => intent.send(before));
      } catch (error) {
        await intent.end(stateAfter(error, progress, steps));
        if (!(error instanceof SupersededError)) throw error;
        superseded = intent;
        continue;
      }
      await endWith(intent, steps.jobIdOf(result), progress, steps);
      return result;
    }
  }

  /** What became of a submit whose window is gone; `withdrawn` where that can't be found out now. */
  private async stateOfLeft({
    request,
    state,
  }: TakenIntent): Promise<
    Extract<IntentState, { at: 'submitted' | 'unclaimed' | 'unresolved' | 'withdrawn' }>
  > {
    if (state.at === 'submitted' || state.at === 'unclaimed') return state;
    const { before } = state;
    if (state.at === 'unresolved' && !before) return state;
    try {
      await this.search.list();
    } catch {
      return { at: 'withdrawn' };
    }
    try {
      return { at: 'submitted', jobId: await this.search.find(request.name, before, undefined) };
    } catch (error) {
      const candidates = isCoded(error, 'ambiguous-submit') ? (error.details.candidates ?? []) : [];
      return { at: 'unresolved', candidates, ...(before && { before }) };
    }
  }

  private async post(
    request: NewJob,
    signal: AbortSignal | undefined,
    progress: Progress,
    send: (before?: readonly string[]) => Promise<void>,
  ): Promise<{ jobId: string }> {
    const { jobs, complete } = await this.search.list(signal);
    throwIfCanceled(signal);
    const before = complete ? jobs.map(({ id }) => id) : undefined;
    await send(before);
    throwIfCanceled(signal);
    Object.assign(progress, { posted: true, before });
    try {
      return { jobId: (await this.client.submitAnalysisJob(request)).id };
    } catch (error) {
      if (!mayHaveArrived(error)) throw withReasonFor(error);
      return { jobId: await this.search.find(request.name, before, error) };
    }
  }

  /** What became of a submit that another window left. One with another name was another job. */
  private async findLeft({ name }: NewJob, left: LeftSubmit): Promise<{ jobId: string }> {
    const jobId = await this.search.find(left.name, left.before, undefined);
    if (left.name !== name) throw ambiguousSubmit([jobId], undefined);
    return { jobId };
  }

  private async postMasks(
    jobId: string,
    signal: AbortSignal | undefined,
    progress: Progress,
    send: () => Promise<void>,
  ): Promise<MasksJob> {
    const before = await this.existingMasks(jobId, signal);
    if (before && masksPhase(before) !== 'failed') return before;
    throwIfCanceled(signal);
    await send();
    throwIfCanceled(signal);
    progress.posted = true;
    try {
      return await this.client.submitMasksJob(jobId);
    } catch (error) {
      if (!mayHaveArrived(error)) throw error;
      return this.findMasks(jobId, error);
    }
  }

  private async findMasks(jobId: string, lost: unknown): Promise<MasksJob> {
    for (const pause of SEARCH_WAITS) {
      if (pause > 0) await this.delay(pause);
      try {
        const found = await this.existingMasks(jobId, undefined);
        // If it had failed before and is still failed, a second one may or may not have started.
        if (found && masksPhase(found) !== 'failed') return found;
      } catch (error) {
        if (isCoded(error, 'invalid-key') || isCoded(error, 'signed-out')) break;
      }
    }
    throw ambiguousSubmit([], whyLost(lost), jobId);
  }

  private async existingMasks(jobId: string, signal: AbortSignal | undefined): Promise<MasksJob | undefined> {
    try {
      return await this.client.masksJob(jobId, signal);
    } catch (error) {
      if (isCoded(error, 'not-found') || isCoded(error, 'bad-request')) return undefined;
      throw error;
    }
  }
}

const NO_OTHER_WINDOWS: NonNullable<SubmitGuardOptions['intents']> = {
  enter: () => Promise.resolve({ kind: 'own', intent: unstoredIntent }),
  settle: () => Promise.resolve(),
  markStored: () => Promise.resolve(),
  takeLeft: () => Promise.resolve([]),
};

/** Whether a submit that failed may have reached the service; once the client is disposed, a search is impossible. */
function mayHaveArrived(error: unknown): boolean {
  if (!isCoded(error)) return true;
  return error.code !== 'cancelled' && (error.details.sent === true || error.code === 'unexpected-response');
}

/** A pipeline or an item may have been removed since it was selected; the service doesn't always say so. */
function withReasonFor(error: unknown): unknown {
  if (!isCoded(error, 'not-found') || error.details.reason) return error;
  return new CodedError(error.code, error.message, { ...error.details, reason: reason('input-gone') });
}

/** What is submitted, whatever its name. */
function keyOf({ pipelineId, filesystemIds }: NewJob): string {
  return JSON.stringify(['job', pipelineId, [...filesystemIds].sort()]);
}

/** The job of a submit that another window made or left. Throws why there is none, or that it is unknown. */
function jobOf(state: EndedState): string {
  switch (state.at) {
    case 'submitted':
      return state.jobId;
    case 'failed':
      throw failureError(state.failure);
    case 'unclaimed':
      throw ambiguousSubmit([state.jobId], reason('canceled-after-sending'));
    default:
      throw ambiguousSubmit([...state.candidates], undefined);
  }
}

/** What a submit that threw has come to, as other windows need to know. */
function stateAfter(
  error: unknown,
  { posted, before }: Progress,
  { keepsTrace }: Pick<Steps<unknown>, 'keepsTrace'>,
): IntentState {
  const unknown = (candidates: readonly string[]): IntentState =>
    keepsTrace ? { at: 'unresolved', candidates, ...(before && { before }) } : { at: 'settled', candidates };
  if (isCoded(error, 'ambiguous-submit')) return unknown(error.details.candidates ?? []);
  if (!posted) return { at: 'withdrawn' };
  const isRefused = isCoded(error) && error.code !== 'cancelled';
  return isRefused ? { at: 'failed', failure: failureOf(error) } : unknown([]);
}

/** Ends an intent with its job. One that nobody waits for any more is left to be found by the next identical submit. */
async function endWith(
  intent: OwnIntent,
  jobId: string,
  progress: Progress,
  { keepsTrace }: Pick<Steps<unknown>, 'keepsTrace'>,
): Promise<void> {
  const isUnclaimed = () => keepsTrace && progress.waiting === 0;
  const state = isUnclaimed() ? 'unclaimed' : 'submitted';
  await intent.end({ at: state, jobId });
  // The last caller may have left meanwhile.
  if (state === 'submitted' && isUnclaimed()) await intent.end({ at: 'unclaimed', jobId });
}

/** How far an attempt is, and how many callers wait for it. */
interface Progress {
  waiting: number;
  /** Its request has left. */
  posted: boolean;
  /** The jobs that there were before it, where that is known. */
  before?: readonly string[] | undefined;
  /** A caller is a person who agreed that it goes on where other windows can't see it. */
  isAgreed: boolean;
}

interface Attempt<T> extends Progress {
  work: Promise<T>;
}

/** Attempts under way in this window, which identical calls join. */
class SharedAttempts {
  private readonly attempts = new Map<string, Attempt<unknown>>();

  /**
   * Joins an identical attempt, else starts one. Canceling releases the caller alone; `cancelled` tells with `sent` whether the
   * request had left.
   */
  async join<T>(
    key: string,
    run: (progress: Progress) => Promise<T>,
    { signal, isAgreed = false }: SubmitOptions,
  ): Promise<T> {
    for (;;) {
      throwIfCanceled(signal);
      const running = this.attempts.get(key) as Attempt<T> | undefined;
      const attempt = running ?? this.begin(key, run, isAgreed);
      attempt.isAgreed ||= isAgreed;
      attempt.waiting += 1;
      try {
        return await untilCanceled(attempt.work, signal);
      } catch (error) {
        if (!isCoded(error, 'cancelled')) throw error;
        if (signal?.aborted)
          throw new CodedError('cancelled', error.message, attempt.posted ? { sent: true } : {});
        // The joined attempt was canceled before it was sent, but not by this caller.
        if (!running) throw error;
      } finally {
        attempt.waiting -= 1;
      }
    }
  }

  private begin<T>(key: string, run: (progress: Progress) => Promise<T>, isAgreed: boolean): Attempt<T> {
    const progress: Progress = { waiting: 0, posted: false, isAgreed };
    const work = run(progress).finally(() => this.attempts.delete(key));
    // Its callers may all have left.
    work.catch(() => undefined);
    // `run` keeps the object that callers are counted on.
    const attempt: Attempt<T> = Object.assign(progress, { work });
    this.attempts.set(key, attempt);
    return attempt;
  }
}

/** The size of a page of the list. */
const PAGE = 100;
/** Waits before each search for a job whose response was lost. Milliseconds; the service may still be creating it. */
const SEARCH_WAITS = [0, 2000, 5000];

interface JobList {
  jobs: readonly AnalysisJob[];
  complete: boolean;
}

/** Finds the job that a submit created of which no response came, among the jobs of the account. */
class JobSearch {
  /** `isKnown` tells whether a job is known as that of an earlier submit, `delay` waits between two searches. */
  constructor(
    private readonly client: Pick<AnalysisClient, 'listAnalysisJobs'>,
    private readonly isKnown: (jobId: string) => Promise<boolean>,
    private readonly delay: (milliseconds: number) => Promise<void>,
  ) {}

  /** All jobs of the account; not `complete` where the list has more pages than are read. Throws what requests throw. */
  async list(signal?: AbortSignal): Promise<JobList> {
    const pager = new Pager<AnalysisJob>((startingAfter, wanted) =>
      this.client.listAnalysisJobs(
        { limit: PAGE, ...(startingAfter !== undefined && { startingAfter }) },
        wanted,
      ),
    );
    while (!pager.done) await pager.loadMore(signal);
    return { jobs: pager.items, complete: !pager.cut };
  }

  /**
   * The job that a submit without a response created, if its name proves it. `before` are the jobs there were before it, where
   * that is known; `lost` is what came in place of a response. Throws `ambiguous-submit` with the jobs that may be it.
   */
  async find(
    name: string | undefined,
    before: readonly string[] | undefined,
    lost: unknown,
  ): Promise<string> {
    const known = new Set(before);
    for (const pause of SEARCH_WAITS) {
      if (pause > 0) await this.delay(pause);
      let after: JobList;
      try {
        after = await this.list();
      } catch (error) {
        if (isCoded(error, 'invalid-key') || isCoded(error, 'signed-out')) break;
        continue;
      }
      // In a list that was not read to its end, any job may be an old one.
      if (!before) break;
      const fresh = await this.unknownJobs(after.jobs.filter(job => !known.has(job.id)));
      const named = name === undefined ? [] : fresh.filter(job => job.name === name);
      if (named.length === 1 && named[0]) return named[0].id;
      // A job with another name than the submitted one can't be it.
      const possible =
        named.length > 1 ? named : fresh.filter(job => name === undefined || job.name === undefined);
      const candidates = possible.map(({ id }) => id);
      if (candidates.length > 0) throw ambiguousSubmit(candidates, whyLost(lost));
    }
    throw ambiguousSubmit([], whyLost(lost));
  }

  /** Without the jobs of other submits, which may have the same name. */
  private async unknownJobs(jobs: readonly AnalysisJob[]): Promise<AnalysisJob[]> {
    const unknown: AnalysisJob[] = [];
    for (const job of jobs) if (!(await this.isKnown(job.id))) unknown.push(job);
    return unknown;
  }
}

/** It is unknown whether the service accepted a submit. One of the candidates may be its job; `subject` is what it is about. */
function ambiguousSubmit(candidates: string[], why: Reason | undefined, subject?: string): CodedError {
  return new CodedError('ambiguous-submit', 'The service may or may not have accepted the job', {
    candidates,
    ...(why && { reason: why }),
    ...(subject !== undefined && { subject }),
  });
}

/** Why a request has no response that can be used, as far as the error in its place says. */
function whyLost(error: unknown): Reason | undefined {
  if (!isCoded(error)) return undefined;
  const { reason: why, status } = error.details;
  if (why) return why;
  if (status !== undefined) return reason('response-status', status);
  return error.code === 'timeout' ? reason('response-late') : undefined;
}
