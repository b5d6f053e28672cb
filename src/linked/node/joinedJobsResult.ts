import { CodedError } from '../../base/errors';
import type { ResultPart } from '../../service/resultParts';
import type { JobSessions } from '../../jobs/node/jobSessions';
import { JobResult } from './jobResult';
import type { ResultSource } from './resultSource';
import type { LabeledJob } from '../../jobs/node/nameOfJob';
import type { StoredSource } from './storedSource';

export interface JoinedJobsOptions {
  sessions: Pick<JobSessions, 'of'>;
  accountId: string;
  jobs: readonly LabeledJob[];
  /** Name of the column that names the job, in the user's language. */
  jobColumn: string;
}

/** The objects tables of several jobs as one, with a column that names the job. */
export class JoinedJobsResult implements ResultSource {
  readonly key: string;
  readonly title: string;
  readonly accountId: string;
  readonly restore: StoredSource;
  readonly jobIds: readonly string[];
  private readonly jobColumn: string;
  private readonly parts: JobResult[];

  constructor({ sessions, accountId, jobs, jobColumn }: JoinedJobsOptions) {
    this.accountId = accountId;
    this.jobColumn = jobColumn;
    this.jobIds = jobs.map(({ id }) => id);
    this.parts = jobs.map(({ id, label }) => new JobResult(sessions, accountId, id, label));
    this.key = `jobs:${accountId}:${this.jobIds.join()}`;
    this.title = jobs.map(({ label }) => label).join(', ');
    this.restore = { kind: 'jobs', accountId, jobs: jobs.map(({ id, label }) => ({ id, label })) };
  }

  /** Always rejects with `not-found`: only the parts of the joined table have files. */
  path(): Promise<string> {
    const subject = this.title;
    return Promise.reject(new CodedError('not-found', 'Several jobs have no such result', { subject }));
  }

  tables(what: ResultPart): ReturnType<NonNullable<ResultSource['tables']>> {
    if (what !== 'objects') return undefined;
    return {
      jobColumn: this.jobColumn,
      parts: uniqueLabels(this.parts.map(({ title }) => title)).map((label, at) => ({
        label,
        path: async (part, onProgress, signal) =>
          (await this.parts[at]?.path(part, onProgress, signal)) ?? this.path(),
        discard: async part => (await this.parts[at]?.discard(part)) ?? false,
      })),
    };
  }
}

/** Labels that tell all jobs apart: jobs with the same label are numbered. */
function uniqueLabels(labels: readonly string[]): string[] {
  const count = new Map<string, number>();
  return labels.map(label => {
    const seen = (count.get(label) ?? 0) + 1;
    count.set(label, seen);
    return labels.filter(other => other === label).length > 1 ? `${label} (${seen})` : label;
  });
}
