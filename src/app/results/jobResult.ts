import { CodedError } from '../../base/errors';
import type { ResultPart } from '../../model/resultParts';
import type { AccountSession } from '../accounts/accountSession';
import type { AccountSessions } from '../accounts/accountSessions';
import type { ResultImages } from '../jobs/runOutcome';
import type { ResultSource } from './resultSource';
import type { StoredSource } from './storedSource';

/** A job's results, downloaded when a panel requests them. */
export class JobResult implements ResultSource {
  readonly key: string;
  readonly restore: StoredSource;

  constructor(
    private readonly sessions: Pick<AccountSessions, 'of'>,
    readonly accountId: string,
    readonly jobId: string,
    readonly title: string,
  ) {
    this.key = `job:${accountId}:${jobId}`;
    this.restore = { kind: 'job', accountId, jobId, title };
  }

  session(): Promise<AccountSession> {
    return this.sessions.of(this.accountId);
  }

  /** Throws `not-found` for the part `file`, and what a download throws. */
  async path(
    what: ResultPart,
    onProgress: (done: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<string> {
    if (what === 'file')
      throw new CodedError('not-found', 'A job has no such result', { subject: this.title });
    const session = await this.session();
    const { path: downloaded } = await session.resultFiles.fetch(
      { jobId: this.jobId, part: what, onProgress },
      signal,
    );
    return downloaded;
  }

  masksOpened(resultId: string): void {
    // An account that was signed out meanwhile has no records.
    this.session().then(
      ({ runs }) => runs.masksOpened(this.jobId, resultId),
      () => undefined,
    );
  }

  imagesRead(images: ResultImages): void {
    this.session().then(
      ({ runs }) => runs.resultsRead(this.jobId, images),
      () => undefined,
    );
  }

  async discard(what: ResultPart): Promise<boolean> {
    if (what === 'file') return false;
    const session = await this.session();
    return session.resultFiles.discard({ jobId: this.jobId, part: what });
  }
}

/** A job of the active account, titled as it was submitted from here, else by its ID. Throws `signed-out`. */
export async function activeJobResult(
  sessions: Pick<AccountSessions, 'active' | 'of'>,
  jobId: string,
): Promise<JobResult> {
  const { account, submittedJobs } = await sessions.active();
  const title = (await submittedJobs.find(jobId))?.name ?? jobId;
  return new JobResult(sessions, account.id, jobId, title);
}
