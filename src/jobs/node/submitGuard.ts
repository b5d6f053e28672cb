import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { reason, type Reason } from '../../base/reasons';
import { delay as realDelay, untilCanceled } from '../../base/waiting';
import type { AnalysisClient, NewJob } from '../../service/node/client';
import { Pager } from '../../service/node/pager';
import type { AnalysisJob, MasksJob } from '../../service/wire';
import { masksPhase } from './jobState';
import { prefixOf, Silence, type SubmitFiles } from './submitFiles';
import {
  ambiguousSubmit,
  type DescribedSubmit,
  isCancelable,
  isReporting,
  next,
  startPickUp,
  startSubmit,
  type StepEnd,
  type SubmitState,
} from './submitState';

interface SubmitGuardOptions {
  /** The submits of all windows; without it, only submits of this window are protected. */
  files?: SubmitFiles;
  /** Whether a job belongs to an earlier submit. */
  isKnown?: (jobId: string) => Promise<boolean>;
  /** For tests: replaces the waits for another window and between searches for a job. */
  delay?: typeof realDelay | undefined;
}

/** A submit of a closed window; one of the candidates may be its job. */
interface UnresolvedSubmit {
  request: DescribedSubmit;
  candidates: readonly string[];
  /** Call this once a person was asked; otherwise the next window asks again. */
  markAsked: () => Promise<void>;
}

/** `isAgreed`: a person agreed to submit although other windows can't see it. */
export interface SubmitOptions {
  signal?: AbortSignal | undefined;
  isAgreed?: boolean | undefined;
}

/** How to send a request and to find its job. */
interface Sending {
  /** Lists the jobs before the request; ends at once if the request isn't needed. */
  list(signal: AbortSignal | undefined): Promise<StepEnd>;
  /** Sends the request; resolves to the ID of its job. */
  post(): Promise<string>;
  /** Finds the job of a submit without a response, see `JobSearch.find`. */
  find(name: string | undefined, before: readonly string[] | undefined, postError: unknown): Promise<string>;
  /** Stores the job of a closed window. */
  store?(jobId: string): Promise<void>;
}

/** Milliseconds between the looks of a window that waits for another window. */
const POLL = 500;

/**
 * Submits jobs, which cost money, and never sends one twice by itself. Identical submits at the
 * same time, in this or other windows, become one submit; `submitState` decides each step.
 * Canceling releases the caller but doesn't undo a sent request.
 */
export class SubmitGuard {
  private readonly attempts = new SharedAttempts();
  private readonly delay: typeof realDelay;
  private readonly files: SubmitFiles | undefined;
  private readonly search: JobSearch;

  constructor(
    private readonly client: Pick<
      AnalysisClient,
      'listAnalysisJobs' | 'submitAnalysisJob' | 'masksJob' | 'submitMasksJob'
    >,
    { delay = realDelay, files, isKnown = () => Promise.resolve(false) }: SubmitGuardOptions = {},
  ) {
    this.search = new JobSearch(client, isKnown, delay);
    this.delay = delay;
    this.files = files;
  }

  /**
   * Submits an analysis job. Throws `ambiguous-submit` if the service may or may not have created
   * it; `details.candidates` has the jobs that may be it. Each identical submit throws the same
   * until the ambiguity is settled. With `by`, a later window picks up the submit if this one
   * closes too early. If other windows can't see the submit, it is sent only if a person agreed;
   * otherwise it throws `no-space` or `not-writable`, for which `isUnprotected` holds.
   */
  submit(request: NewJob | DescribedSubmit, options: SubmitOptions = {}): Promise<{ jobId: string }> {
    const { name } = request;
    const prefix = prefixOf(keyOf(request));
    const described = 'by' in request ? request : undefined;
    const start = startSubmit({ prefix, name, request: described, remembersOutcome: true });
    return this.attempts.join(
      JSON.stringify([prefix, name]),
      async progress => ({ jobId: await this.run(start, this.sendingOf(request), progress) }),
      options,
    );
  }

  /** Settles an ambiguity that was reported: the next identical submit is a new one. */
  async settle(request: NewJob): Promise<void> {
    await this.files?.settle(prefixOf(keyOf(request)));
  }

  /** Notes that the job of a submit is stored. */
  async stored(request: NewJob, jobId: string): Promise<void> {
    await this.files?.markStored(prefixOf(keyOf(request)), jobId);
  }

  /**
   * Finishes the submits of closed windows: stores their jobs by `store`, and returns the submits
   * whose job a person must identify. Each is returned once, to one window; identical submits are
   * ambiguous until it is settled. A program didn't receive its job, so its first identical call
   * returns it. Logs a failure.
   */
  async pickUp(
    store: (jobId: string, request: DescribedSubmit) => Promise<void>,
  ): Promise<UnresolvedSubmit[]> {
    const unresolved: UnresolvedSubmit[] = [];
    for (const intent of (await this.files?.unhandled()) ?? []) {
      const { request } = intent;
      const sending = { ...this.sendingOf(request), store: (jobId: string) => store(jobId, request) };
      const { outcome, number } = await this.outcomeOf(startPickUp(intent), sending, newProgress());
      if (outcome && 'error' in outcome)
        this.files?.log.error('A submit of a closed window could not be picked up', outcome.error);
      // Only a person can answer; the program is gone.
      if (outcome && 'candidates' in outcome && request.by === 'person')
        unresolved.push({
          request,
          candidates: outcome.candidates,
          markAsked: async () => this.files?.markAsked(intent.prefix, number ?? intent.number),
        });
    }
    return unresolved;
  }

  /**
   * Requests the masks of a finished job, or returns its existing masks job. Throws
   * `ambiguous-submit` if the service may or may not have started, and, like `submit`, if other
   * windows can't see the request.
   */
  submitMasks(jobId: string, options: SubmitOptions = {}): Promise<MasksJob> {
    const prefix = prefixOf(`masks ${jobId}`);
    return this.attempts.join(
      prefix,
      async progress => {
        const masks = new MasksRequest(this.client, jobId, this.delay);
        await this.run(startSubmit({ prefix, remembersOutcome: false }), masks, progress);
        return masks.masksJob ?? (await masks.existing()) ?? { status: '', percentageCompleted: 0 };
      },
      options,
    );
  }

  /** Resolves to the ID of the submit's job, which another window may have submitted. */
  private async run(start: SubmitState, sending: Sending, progress: Progress): Promise<string> {
    const { outcome } = await this.outcomeOf(start, sending, progress);
    if (outcome && 'jobId' in outcome) return outcome.jobId;
    throw outcome && 'error' in outcome ? outcome.error : new Error('A submit came to nothing');
  }

  private async outcomeOf(start: SubmitState, sending: Sending, progress: Progress) {
    const silence = new Silence();
    for (let state = this.files ? start : { ...start, step: 'listing' as const }; ;) {
      progress.isReporting = isReporting(state);
      if (state.step === 'done') return state;
      // No await may separate this check from the request.
      const isLeft = progress.leaving.signal.aborted && isCancelable(state);
      const end: StepEnd | void = isLeft
        ? { kind: 'canceled' }
        : await this.takeStep(state, sending, progress, silence).catch((error: unknown) => ({
            kind: 'failed',
            error,
          }));
      const { reasonUnseen } = state;
      state = next(state, {
        ...(end ?? { kind: 'finished' }),
        isAwaited: progress.waiting > 0,
        isAgreed: progress.isAgreed,
      });
      if (state.reasonUnseen !== undefined && reasonUnseen === undefined)
        this.files?.log.warn(`A submit is protected in this window alone: ${state.reasonUnseen}`);
    }
  }

  /** Takes the step of a state. A step without a result has finished. */
  private async takeStep(
    state: SubmitState,
    sending: Sending,
    progress: Progress,
    silence: Silence,
  ): Promise<StepEnd | void> {
    const { signal } = progress.leaving;
    const { subject, number = 0 } = state;
    const { prefix } = subject;
    const files = this.files as SubmitFiles;
    switch (state.step) {
      case 'looking':
        return { kind: 'looked', ...(await files.look(prefix, silence)) };
      case 'waiting':
        await this.delay(POLL, signal);
        return silence.lookAgain();
      case 'claiming':
        return { kind: 'numbered', isFirst: await files.create(subject, state.highestNumber + 1) };
      case 'checking':
        return { kind: 'looked', ...(await files.look(prefix, silence, number - 1)) };
      case 'withdrawing':
        return files.end(subject, number, { at: 'withdrawn' });
      case 'listing':
        return sending.list(signal);
      case 'announcing':
        return files.announce(subject, number, state.before);
      case 'confirming':
        return { kind: 'numbered', isFirst: await files.isLatest(prefix, number) };
      case 'posting':
        progress.posted = true;
        return { kind: 'responded', jobId: await sending.post() };
      case 'searching':
        return { kind: 'responded', jobId: await sending.find(subject.name, state.before, state.postError) };
      case 'resolving': {
        const { name, before } = state.earlier;
        return { kind: 'responded', jobId: await sending.find(name, before, undefined) };
      }
      case 'storing':
        return sending.store?.(state.jobId);
      case 'ending':
        return files.end(subject, number, state.endState, state.mark);
      case 'noting':
        return files.markReported(prefix, state.current);
      case 'done':
        throw new Error('A submit that is done takes no step');
    }
  }

  private sendingOf(request: NewJob): Sending {
    const { client, search } = this;
    return {
      list: async signal => {
        const { jobs, complete } = await search.list(signal);
        return { kind: 'listed', before: complete ? jobs.map(({ id }) => id) : undefined };
      },
      post: async () => {
        try {
          return (await client.submitAnalysisJob(request)).id;
        } catch (error) {
          throw withReason(error);
        }
      },
      find: (name, before, postError) => search.find(name, before, postError),
    };
  }
}

/** Adds a reason: a selected pipeline or item may be gone, which the service doesn't always say. */
function withReason(error: unknown): unknown {
  if (!isCoded(error, 'not-found') || error.details.reason) return error;
  return new CodedError(error.code, error.message, {
    ...error.details,
    reason: reason('The pipeline or one of the items no longer exists'),
  });
}

/** The key of a submit: its input without the name. */
function keyOf({ pipelineId, filesystemIds }: NewJob): string {
  return JSON.stringify(['job', pipelineId, [...filesystemIds].sort()]);
}

/** The request for a job's masks. */
class MasksRequest implements Sending {
  /** The masks job, once known. */
  masksJob: MasksJob | undefined;

  constructor(
    private readonly client: Pick<AnalysisClient, 'masksJob' | 'submitMasksJob'>,
    private readonly jobId: string,
    private readonly delay: typeof realDelay,
  ) {}

  async list(signal: AbortSignal | undefined): Promise<StepEnd> {
    const exists = this.useUnlessFailed(await this.existing(signal));
    return exists ? { kind: 'responded', jobId: this.jobId } : { kind: 'listed', before: undefined };
  }

  async post(): Promise<string> {
    this.masksJob = await this.client.submitMasksJob(this.jobId);
    return this.jobId;
  }

  async find(_name: string | undefined, _before: unknown, postError: unknown): Promise<string> {
    for (const pause of SEARCH_WAITS) {
      if (pause > 0) await this.delay(pause);
      try {
        // If the masks job had failed before and is still failed, the new one may have started or
        // not.
        if (this.useUnlessFailed(await this.existing())) return this.jobId;
      } catch (error) {
        if (isCoded(error, 'invalid-key') || isCoded(error, 'signed-out')) break;
      }
    }
    throw ambiguousSubmit([], reasonOf(postError), this.jobId);
  }

  async existing(signal?: AbortSignal): Promise<MasksJob | undefined> {
    try {
      return await this.client.masksJob(this.jobId, signal);
    } catch (error) {
      if (isCoded(error, 'not-found') || isCoded(error, 'bad-request')) return undefined;
      throw error;
    }
  }

  /** Uses an existing masks job unless it failed; true if no request is needed. */
  private useUnlessFailed(masks: MasksJob | undefined): boolean {
    if (!masks || masksPhase(masks) === 'failed') return false;
    this.masksJob = masks;
    return true;
  }
}

/** Progress of an attempt, and its callers. */
interface Progress {
  waiting: number;
  /** Fires when no caller waits any more. */
  leaving: AbortController;
  /** The request was sent. */
  posted: boolean;
  /** The job is known, see `isReporting`. */
  isReporting: boolean;
  /** A person agreed to submit although other windows can't see it. */
  isAgreed: boolean;
}

const newProgress = (): Progress => ({
  waiting: 0,
  leaving: new AbortController(),
  posted: false,
  isReporting: false,
  isAgreed: false,
});

interface Attempt<T> extends Progress {
  work: Promise<T>;
}

/** Running attempts of this window, which identical calls join. */
class SharedAttempts {
  private readonly attempts = new Map<string, Attempt<unknown>>();

  /**
   * Joins an identical attempt, or starts one. Canceling releases only the caller, and does nothing
   * once the job is known. `cancelled` has `sent` if the request was sent.
   */
  async join<T>(
    key: string,
    run: (progress: Progress) => Promise<T>,
    { signal, isAgreed = false }: SubmitOptions,
  ): Promise<T> {
    throwIfCanceled(signal);
    const running = this.attempts.get(key) as Attempt<T> | undefined;
    // An attempt that all callers left before it was sent is being withdrawn: don't join it.
    const isLeft = running?.leaving.signal.aborted && !running.posted;
    const attempt = running && !isLeft ? running : this.begin(key, run);
    attempt.isAgreed ||= isAgreed;
    attempt.waiting += 1;
    const leaving = new AbortController();
    // Count at once, because the next step depends on the number of callers.
    const leave = () => {
      if (leaving.signal.aborted || attempt.isReporting) return;
      leaving.abort();
      attempt.waiting -= 1;
      if (attempt.waiting === 0) attempt.leaving.abort();
    };
    signal?.addEventListener('abort', leave);
    try {
      return await untilCanceled(attempt.work, leaving.signal);
    } catch (error) {
      if (!isCoded(error, 'cancelled') || !leaving.signal.aborted) throw error;
      throw new CodedError('cancelled', error.message, attempt.posted ? { sent: true } : {});
    } finally {
      signal?.removeEventListener('abort', leave);
      leave();
    }
  }

  private begin<T>(key: string, run: (progress: Progress) => Promise<T>): Attempt<T> {
    const progress = newProgress();
    const work = run(progress).finally(() => {
      if (this.attempts.get(key) === attempt) this.attempts.delete(key);
    });
    // All callers may have left.
    work.catch(() => undefined);
    // Callers are counted on the same object that `run` has.
    const attempt: Attempt<T> = Object.assign(progress, { work });
    this.attempts.set(key, attempt);
    return attempt;
  }
}

/** The size of a page of the list. */
const PAGE = 100;
/** Milliseconds before each search for the job of a lost response. */
const SEARCH_WAITS = [0, 2000, 5000];

interface JobList {
  jobs: readonly AnalysisJob[];
  complete: boolean;
}

/** Finds the job of a submit without response among the account's jobs. */
class JobSearch {
  /** `isKnown`: whether a job belongs to an earlier submit. `delay`: waits between searches. */
  constructor(
    private readonly client: Pick<AnalysisClient, 'listAnalysisJobs'>,
    private readonly isKnown: (jobId: string) => Promise<boolean>,
    private readonly delay: (milliseconds: number) => Promise<void>,
  ) {}

  /** The account's jobs; not `complete` if there are more pages. Throws errors of requests. */
  async list(signal?: AbortSignal): Promise<JobList> {
    const pager = new Pager<AnalysisJob>((startingAfter, pageSignal) =>
      this.client.listAnalysisJobs(
        { limit: PAGE, ...(startingAfter !== undefined && { startingAfter }) },
        pageSignal,
      ),
    );
    while (!pager.done) await pager.loadMore(signal);
    return { jobs: pager.items, complete: !pager.cut };
  }

  /**
   * Finds the job that a submit without a response created, if its name proves it. `before`: IDs of
   * the jobs before the submit, if known. `postError`: the error in place of a response. Throws
   * `ambiguous-submit` with the jobs that may be it.
   */
  async find(
    name: string | undefined,
    before: readonly string[] | undefined,
    postError: unknown,
  ): Promise<string> {
    const jobsBefore = new Set(before);
    for (const pause of SEARCH_WAITS) {
      if (pause > 0) await this.delay(pause);
      let after: JobList;
      try {
        after = await this.list();
      } catch (error) {
        if (isCoded(error, 'invalid-key') || isCoded(error, 'signed-out')) break;
        continue;
      }
      // Without a complete list from before, any job may be old.
      if (!before) break;
      const newJobs = await this.unknownJobs(after.jobs.filter(job => !jobsBefore.has(job.id)));
      const named = name === undefined ? [] : newJobs.filter(job => job.name === name);
      if (named.length === 1 && named[0]) return named[0].id;
      // A job with another name than the submitted one can't be it.
      const possible =
        named.length > 1 ? named : newJobs.filter(job => name === undefined || job.name === undefined);
      const candidates = possible.map(({ id }) => id);
      if (candidates.length > 0) throw ambiguousSubmit(candidates, reasonOf(postError));
    }
    throw ambiguousSubmit([], reasonOf(postError));
  }

  /** Removes the jobs of other submits, which may have the same name. */
  private async unknownJobs(jobs: readonly AnalysisJob[]): Promise<AnalysisJob[]> {
    const unknown: AnalysisJob[] = [];
    for (const job of jobs) if (!(await this.isKnown(job.id))) unknown.push(job);
    return unknown;
  }
}

/** Why a request has no usable response, from its error. */
function reasonOf(error: unknown): Reason | undefined {
  if (!isCoded(error)) return undefined;
  const { reason: why, status } = error.details;
  if (why) return why;
  if (status !== undefined) return reason('The service returned status {0}', status);
  return error.code === 'timeout' ? reason("The service didn't respond in time") : undefined;
}
