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

/** A tracked job with the account it belongs to. */
export interface SessionJob {
  session: JobSession;
  job: TrackedJob;
}

/** A job with new facts, and its account. */
export interface LearnedJob {
  session: JobSession;
  jobId: string;
}

/** A run that was compared with its results, with the account it belongs to. */
export interface SessionRun extends ComparedRun {
  session: JobSession;
}

/** Accounts, and their jobs' changes. Jobs of inactive accounts are tracked too. */
export interface JobSessions extends UploadSessions<JobSession> {
  readonly onDidChangeJob: Event<SessionJob>;
  readonly onDidEndJob: Event<SessionJob>;
  /** The service no longer accepts an account's key: polling waits for a new key. */
  readonly onDidPauseJobs: Event<CodedError>;
  /** A job was named here, or its results gave new facts. */
  readonly onDidLearnOfJob: Event<LearnedJob>;
  /** What came out of a job is known, for the first time. */
  readonly onDidCompareRun: Event<SessionRun>;
  /** What a person chose at the last submit of an account has changed. */
  readonly onDidChangeSubmitChoices: Event<void>;
}
