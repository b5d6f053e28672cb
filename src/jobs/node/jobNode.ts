import type { AnalysisJob } from '../../service/wire';
import { listedPhase, listedResults, type JobPhase } from './jobStatus';
import type { SubmittedJob } from './submittedJobs';
import { hasEnded, type TrackedJob } from './trackedJob';
import type { JobFact, JobFacts } from './jobFacts';

/** An analysis job of the list, updated by what tracking learns of it. */
export class JobNode {
  /** Its masks job while that is tracked. */
  masks: TrackedJob | undefined;
  /** What is known of it since it is tracked, also after its end. */
  tracked: TrackedJob | undefined;

  constructor(
    private readonly listed: AnalysisJob,
    /** What was stored when it was submitted from this machine. */
    readonly submitted: SubmittedJob | undefined,
    private readonly facts?: Pick<JobFacts, 'get'>,
  ) {}

  /** What else is known of it here. */
  get fact(): JobFact {
    return this.facts?.get(this.id) ?? {};
  }

  get id(): string {
    return this.listed.id;
  }

  /** As it was listed, with the status that is known since. */
  get resource(): AnalysisJob {
    const { status = '', percentageCompleted = 0 } = this.tracked ?? {};
    // Before the first response a tracked job has no status.
    return status === '' ? this.listed : { ...this.listed, status, percentageCompleted };
  }

  get phase(): JobPhase {
    return this.tracked && this.tracked.status !== '' ? this.tracked.phase : listedPhase(this.listed);
  }

  get isTracked(): boolean {
    return this.tracked !== undefined && !hasEnded(this.tracked) && !this.tracked.stopped;
  }

  /** Which tables can be opened. */
  get results(): { objects: boolean; aggregate: boolean } {
    return this.tracked?.results ?? listedResults(this.resource);
  }

  get group(): 'running' | 'done' | 'failed' {
    const { phase } = this;
    if (phase === 'succeeded') return 'done';
    return phase === 'failed' ? 'failed' : 'running';
  }
}
