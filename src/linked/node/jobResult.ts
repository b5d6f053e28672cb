import { CodedError } from '../../base/errors';
import type { AnalyzedItem } from '../../masks/linkReport';
import type { ResultPart } from '../../service/resultParts';
import type { JobSession, JobSessions } from '../../jobs/node/jobSessions';
import { findNameOfJob } from '../../jobs/node/nameOfJob';
import type { Translate } from '../../words/translate';
import type { ResultImages } from '../../jobs/node/runOutcome';
import type { ResultSource } from './resultSource';
import type { StoredSource } from './storedSource';

/** A job's results, downloaded when a panel requests them. */
export class JobResult implements ResultSource {
  readonly key: string;

  constructor(
    private readonly sessions: Pick<JobSessions, 'of'>,
    readonly accountId: string,
    readonly jobId: string,
    private name: string,
  ) {
    this.key = keyOfJob(accountId, jobId);
  }

  get title(): string {
    return this.name;
  }

  get restore(): StoredSource {
    const { accountId, jobId, title } = this;
    return { kind: 'job', accountId, jobId, title };
  }

  rename(name: string): void {
    this.name = name;
  }

  get jobIds(): readonly string[] {
    return [this.jobId];
  }

  session(): Promise<JobSession> {
    return this.sessions.of(this.accountId);
  }

  /** Throws `not-found` for the parts `file` and `image`, and what a download throws. */
  async path(
    what: ResultPart,
    onProgress: (done: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<string> {
    if (what === 'file' || what === 'image')
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

  objectsCounted(objects: number): void {
    this.session().then(
      ({ jobFacts }) => jobFacts.add(this.jobId, { objects }),
      () => undefined,
    );
  }

  imagesRead(images: ResultImages): void {
    this.session().then(
      ({ runs }) => runs.resultsRead(this.jobId, images),
      () => undefined,
    );
  }

  async analyzedItems(): Promise<readonly AnalyzedItem[] | undefined> {
    try {
      return await (await this.session()).runs.analyzedItems(this.jobId);
    } catch {
      // An account that was signed out meanwhile has no records, and a damaged one tells nothing.
      return undefined;
    }
  }

  async discard(what: ResultPart): Promise<boolean> {
    if (what === 'file' || what === 'image') return false;
    const session = await this.session();
    return session.resultFiles.discard({ jobId: this.jobId, part: what });
  }
}

/** The key of a job's result. */
export function keyOfJob(accountId: string, jobId: string): string {
  return `job:${accountId}:${jobId}`;
}

/** A job of the active account, titled by its name. Throws `signed-out`. */
export async function activeJobResult(
  t: Translate,
  sessions: Pick<JobSessions, 'active' | 'of'>,
  jobId: string,
): Promise<JobResult> {
  const session = await sessions.active();
  const title = await findNameOfJob(t, session, jobId);
  return new JobResult(sessions, session.account.id, jobId, title);
}
