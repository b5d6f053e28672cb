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
  isTelling,
  next,
  startPickUp,
  startSubmit,
  type StepEnd,
  type SubmitState,
} from './submitState';

interface SubmitGuardOptions {
  /** The submits of all windows; without it, submits are protected in this window alone. */
  files?: SubmitFiles;
  /** Whether a job is known as that of an earlier submit. */
  isKnown?: (jobId: string) => Promise<boolean>;
  /** For tests: replaces the waits for another window, and between two searches for a job. */
  delay?: typeof realDelay | undefined;
}

/** A submit that a window left which is gone; one of the jobs may be its. */
interface UnresolvedSubmit {
  request: DescribedSubmit;
  candidates: readonly string[];
  /** To be called when a person was asked: until then it is asked again if this window closes. */
  markAsked: () => Promise<void>;
}

/** Who waits for a submit, and what they agreed to. */
export interface SubmitOptions {
  signal?: AbortSignal | undefined;
  isAgreed?: boolean | undefined;
}

/** What is sent, and how its job is found. */
interface Sending {
  /** What is there before it: jobs, or what makes a request needless. */
  list(signal: AbortSignal | undefined): Promise<StepEnd>;
  /** Resolves to the ID of its job. */
  post(): Promise<string>;
  /** The job of a submit without a response, see `JobSearch.find`. */
  find(name: string | undefined, before: readonly string[] | undefined, lost: unknown): Promise<string>;
  /** Stores the job of a closed window. */
  store?(jobId: string): Promise<void>;
}

/** How often a window that waits for another one looks again. Milliseconds. */
const POLL = 500;

/**
 * Submits jobs, which cost money, and never sends one twice by itself. Identical submits at the
 * same time become one, in this window and with those of others: `submitState` decides what is
 * done. Canceling releases the caller but does not undo what was sent.
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
   * Submits an analysis job. Throws `ambiguous-submit` when it is unknown whether the service
   * created it, with the jobs that may be it in `details.candidates`; so does each identical submit
   * until that is settled. With `by`, a window that opens later picks up a submit that this one
   * doesn't live to store. What other windows can't see is sent only if a person agreed: else it
   * throws `no-space` or `not-writable`, for which `isUnprotected` holds.
   */
  submit(request: NewJob | DescribedSubmit, options: SubmitOptions = {}): Promise<{ jobId: string }> {
    const { name } = request;
    const prefix = prefixOf(keyOf(request));
    const described = 'by' in request ? request : undefined;
    const start = startSubmit({ prefix, name, request: described, keepsTrace: true });
    return this.attempts.join(
      JSON.stringify([prefix, name]),
      async progress => ({ jobId: await this.run(start, this.jobOf(request), progress) }),
      options,
    );
  }

  /** Makes the next identical submit a new one, once whoever decides knows of the ambiguity. */
  async settle(request: NewJob): Promise<void> {
    await this.files?.settle(prefixOf(keyOf(request)));
  }

  /** The job of a submit is stored. */
  async stored(request: NewJob, jobId: string): Promise<void> {
    await this.files?.markStored(prefixOf(keyOf(request)), jobId);
  }

  /**
   * Finishes the submits of closed windows: has their jobs stored, and returns those whose job a
   * person has to name. Each is returned once, to one window; identical submits are ambiguous until
   * it is settled. A program that submitted one has learned nothing: its first identical call
   * returns the job. Logs a failure.
   */
  async pickUp(
    store: (jobId: string, request: DescribedSubmit) => Promise<void>,
  ): Promise<UnresolvedSubmit[]> {
    const unresolved: UnresolvedSubmit[] = [];
    for (const left of (await this.files?.left()) ?? []) {
      const { request } = left;
      const sending = { ...this.jobOf(request), store: (jobId: string) => store(jobId, request) };
      const { outcome, number } = await this.outcomeOf(startPickUp(left), sending, newProgress());
      if (outcome && 'error' in outcome)
        this.files?.log.error('A submit of a closed window could not be picked up', outcome.error);
      // A program that is gone can't answer.
      if (outcome && 'candidates' in outcome && request.by === 'person')
        unresolved.push({
          request,
          candidates: outcome.candidates,
          markAsked: async () => this.files?.markAsked(left.prefix, number ?? left.number),
        });
    }
    return unresolved;
  }

  /**
   * Requests the masks of a finished job, or returns the masks job that exists. Throws
   * `ambiguous-submit` when it is unknown whether the service has started, and as `submit` what
   * other windows can't see.
   */
  submitMasks(jobId: string, options: SubmitOptions = {}): Promise<MasksJob> {
    const prefix = prefixOf(`masks ${jobId}`);
    return this.attempts.join(
      prefix,
      async progress => {
        const masks = new MasksRequest(this.client, jobId, this.delay);
        await this.run(startSubmit({ prefix, keepsTrace: false }), masks, progress);
        return masks.masksJob ?? (await masks.existing()) ?? { status: '', percentageCompleted: 0 };
      },
      options,
    );
  }

  /** Resolves to the ID of the job that a submit came to, in this window or another. */
  private async run(start: SubmitState, sending: Sending, progress: Progress): Promise<string> {
    const { outcome } = await this.outcomeOf(start, sending, progress);
    if (outcome && 'jobId' in outcome) return outcome.jobId;
    throw outcome && 'error' in outcome ? outcome.error : new Error('A submit came to nothing');
  }

  private async outcomeOf(start: SubmitState, sending: Sending, progress: Progress) {
    const silence = new Silence();
    for (let state = this.files ? start : { ...start, at: 'listing' as const }; ;) {
      progress.isTelling = isTelling(state);
      if (state.at === 'done') return state;
      // No await may come between this and the request.
      const isLeft = progress.leaving.signal.aborted && isCancelable(state);
      const end: StepEnd | void = isLeft
        ? { kind: 'canceled' }
        : await this.take(state, sending, progress, silence).catch((error: unknown) => ({
            kind: 'failed',
            error,
          }));
      const { unseen } = state;
      state = next(state, {
        ...(end ?? { kind: 'finished' }),
        isAwaited: progress.waiting > 0,
        isAgreed: progress.isAgreed,
      });
      if (state.unseen !== undefined && unseen === undefined)
        this.files?.log.warn(`A submit is protected in this window alone: ${state.unseen}`);
    }
  }

  /** Takes the step of a state; one that comes to nothing else has finished. */
  private async take(
    state: SubmitState,
    sending: Sending,
    progress: Progress,
    silence: Silence,
  ): Promise<StepEnd | void> {
    const { signal } = progress.leaving;
    const { subject, number = 0 } = state;
    const { prefix } = subject;
    const files = this.files as SubmitFiles;
    switch (state.at) {
      case 'looking':
        return { kind: 'looked', ...(await files.look(prefix, silence)) };
      case 'waiting':
        await this.delay(POLL, signal);
        return silence.lookAgain();
      case 'claiming':
        return { kind: 'numbered', isFirst: await files.create(subject, state.top + 1) };
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
        return { kind: 'responded', jobId: await sending.find(subject.name, state.before, state.lost) };
      case 'resolving': {
        const { name, before } = state.earlier;
        return { kind: 'responded', jobId: await sending.find(name, before, undefined) };
      }
      case 'storing':
        return sending.store?.(state.jobId);
      case 'ending':
        return files.end(subject, number, state.as, state.done);
      case 'noting':
        return files.markReported(prefix, state.current);
      case 'done':
        throw new Error('A submit that is done takes no step');
    }
  }

  private jobOf(request: NewJob): Sending {
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
          throw withReasonFor(error);
        }
      },
      find: (name, before, lost) => search.find(name, before, lost),
    };
  }
}

/** A selected pipeline or item may have been removed; the service doesn't always say so. */
function withReasonFor(error: unknown): unknown {
  if (!isCoded(error, 'not-found') || error.details.reason) return error;
  return new CodedError(error.code, error.message, {
    ...error.details,
    reason: reason('The pipeline or one of the items no longer exists'),
  });
}

/** What is submitted, whatever its name. */
function keyOf({ pipelineId, filesystemIds }: NewJob): string {
  return JSON.stringify(['job', pipelineId, [...filesystemIds].sort()]);
}

/** The masks of a job. */
class MasksRequest implements Sending {
  /** The masks job, once it is known. */
  masksJob: MasksJob | undefined;

  constructor(
    private readonly client: Pick<AnalysisClient, 'masksJob' | 'submitMasksJob'>,
    private readonly jobId: string,
    private readonly delay: typeof realDelay,
  ) {}

  async list(signal: AbortSignal | undefined): Promise<StepEnd> {
    const isThere = this.take(await this.existing(signal));
    return isThere ? { kind: 'responded', jobId: this.jobId } : { kind: 'listed', before: undefined };
  }

  async post(): Promise<string> {
    this.masksJob = await this.client.submitMasksJob(this.jobId);
    return this.jobId;
  }

  async find(_name: string | undefined, _before: unknown, lost: unknown): Promise<string> {
    for (const pause of SEARCH_WAITS) {
      if (pause > 0) await this.delay(pause);
      try {
        // If it had failed before and is still failed, a second one may or may not have started.
        if (this.take(await this.existing())) return this.jobId;
      } catch (error) {
        if (isCoded(error, 'invalid-key') || isCoded(error, 'signed-out')) break;
      }
    }
    throw ambiguousSubmit([], whyLost(lost), this.jobId);
  }

  async existing(signal?: AbortSignal): Promise<MasksJob | undefined> {
    try {
      return await this.client.masksJob(this.jobId, signal);
    } catch (error) {
      if (isCoded(error, 'not-found') || isCoded(error, 'bad-request')) return undefined;
      throw error;
    }
  }

  /** Whether these masks need no request. */
  private take(masks: MasksJob | undefined): boolean {
    if (!masks || masksPhase(masks) === 'failed') return false;
    this.masksJob = masks;
    return true;
  }
}

/** How far an attempt is, and who waits for it. */
interface Progress {
  waiting: number;
  /** Fires when nobody waits any more. */
  leaving: AbortController;
  /** Its request has left. */
  posted: boolean;
  /** Its job is known, see `isTelling`. */
  isTelling: boolean;
  /** A caller is a person who agreed to continue although other windows can't see it. */
  isAgreed: boolean;
}

const newProgress = (): Progress => ({
  waiting: 0,
  leaving: new AbortController(),
  posted: false,
  isTelling: false,
  isAgreed: false,
});

interface Attempt<T> extends Progress {
  work: Promise<T>;
}

/** Attempts under way in this window, which identical calls join. */
class SharedAttempts {
  private readonly attempts = new Map<string, Attempt<unknown>>();

  /**
   * Joins an identical attempt, else starts one. Canceling releases only the caller, unless the job
   * is known; `cancelled` says by `sent` whether the request had left.
   */
  async join<T>(
    key: string,
    run: (progress: Progress) => Promise<T>,
    { signal, isAgreed = false }: SubmitOptions,
  ): Promise<T> {
    throwIfCanceled(signal);
    const running = this.attempts.get(key) as Attempt<T> | undefined;
    // One that all have left before it was sent is being withdrawn.
    const isLeft = running?.leaving.signal.aborted && !running.posted;
    const attempt = running && !isLeft ? running : this.begin(key, run);
    attempt.isAgreed ||= isAgreed;
    attempt.waiting += 1;
    const leaving = new AbortController();
    // At once: what the attempt does next depends on who still waits.
    const leave = () => {
      if (leaving.signal.aborted || attempt.isTelling) return;
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
/** Milliseconds before each search for a lost response's job, which may still be created. */
const SEARCH_WAITS = [0, 2000, 5000];

interface JobList {
  jobs: readonly AnalysisJob[];
  complete: boolean;
}

/** Finds, among the account's jobs, the job of a submit without response. */
class JobSearch {
  /** `isKnown`: whether a job is an earlier submit's; `delay`: waits between two searches. */
  constructor(
    private readonly client: Pick<AnalysisClient, 'listAnalysisJobs'>,
    private readonly isKnown: (jobId: string) => Promise<boolean>,
    private readonly delay: (milliseconds: number) => Promise<void>,
  ) {}

  /** The account's jobs; not `complete` if there are more pages. Throws as requests do. */
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
   * The job that a submit without a response created, if its name proves it. `before` are the jobs
   * there were before it, where that is known; `lost` is what came in place of a response. Throws
   * `ambiguous-submit` with the jobs that may be it.
   */
  async find(
    name: string | undefined,
    before: readonly string[] | undefined,
    lost: unknown,
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
      // In a list that was not read to its end, any job may be an old one.
      if (!before) break;
      const fresh = await this.unknownJobs(after.jobs.filter(job => !jobsBefore.has(job.id)));
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

/** Why a request has no usable response, by the error in its place. */
function whyLost(error: unknown): Reason | undefined {
  if (!isCoded(error)) return undefined;
  const { reason: why, status } = error.details;
  if (why) return why;
  if (status !== undefined) return reason('The service returned status {0}', status);
  return error.code === 'timeout' ? reason("The service didn't respond in time") : undefined;
}
