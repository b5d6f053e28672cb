import type { CodedError } from '../../base/errors';
import type { Event } from '../../base/event';
import type { StateFiles } from '../../accounts/node/stateFiles';
import type { ResultFiles } from '../../results/node/resultFiles';
import type { SubmitChoices } from './submitChoices';
import type { UploadSession, UploadSessions } from '../../uploads/node/uploadSessions';
import type { AccountRuns, ComparedRun } from './accountRuns';
import type { AwaitedResults, EndClaims } from './jobEnds';
import type { JobFacts } from './jobFacts';
import type { JobTracker } from './jobTracker';
import type { SubmitGuard } from './submitGuard';
import type { SubmittedJobs } from './runRecords';
import type { TrackedJob } from './jobState';

/** An account with its uploads and its jobs. */
export interface JobSession extends UploadSession {
  readonly tracker: JobTracker;
  readonly submitGuard: SubmitGuard;
  readonly submittedJobs: SubmittedJobs;
  readonly submitChoices: SubmitChoices;
  readonly jobFacts: JobFacts;
  readonly runs: AccountRuns;
  readonly awaited: AwaitedResults;
  readonly endClaims: EndClaims;
  readonly resultFiles: ResultFiles;
  readonly state: StateFiles;
}

/** A tracked job with its account. */
export interface SessionJob {
  session: JobSession;
  job: TrackedJob;
}

/** A job that has new facts, with its account. */
export interface JobWithNewFacts {
  session: JobSession;
  jobId: string;
}

/** A run whose results were compared with its items, with its account. */
export interface SessionRun extends ComparedRun {
  session: JobSession;
}

/** Sessions of all accounts, and changes of their jobs, also of inactive accounts. */
export interface JobSessions extends UploadSessions<JobSession> {
  readonly onDidChangeJob: Event<SessionJob>;
  readonly onDidEndJob: Event<SessionJob>;
  /** Fires when the service no longer accepts an account's key; polling waits for a new key. */
  readonly onDidPauseJobs: Event<CodedError>;
  /** Fires when a job is named here, or its results give new facts. */
  readonly onDidChangeJobFacts: Event<JobWithNewFacts>;
  /** Fires when a job's results are first compared with its items. */
  readonly onDidCompareRun: Event<SessionRun>;
  /** Fires when the choices of an account's last submit change. */
  readonly onDidChangeSubmitChoices: Event<void>;
}
