import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { CodedError } from '../base/errors';
import type { AccountSession } from './accountSession';
import type { AccountSessions } from './accountSessions';
import type { ResultSource, ResultWhat } from './panels/resultSource';

/** What a panel keeps of its result over a reload; enough to find it again, nothing secret. */
type Restored =
  | { kind: 'job'; accountId: string; jobId: string; title: string }
  | { kind: 'jobs'; accountId: string; jobs: { id: string; label: string }[] }
  | { kind: 'file'; uri: string; holds: 'file' | 'masks' };

/** A job's results, downloaded when a panel asks for them. */
export class JobResult implements ResultSource {
  readonly key: string;
  readonly restore: Restored;

  constructor(
    private readonly sessions: AccountSessions,
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

  async path(
    what: ResultWhat,
    onProgress: (done: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<string> {
    if (what === 'file')
      throw new CodedError('not-found', 'A job has no such result', { subject: this.title });
    const session = await this.session();
    const { path: downloaded } = await session.resultFiles.fetch(this.jobId, what, onProgress, signal);
    return downloaded;
  }
}

/** The objects tables of several jobs as one, with a column that names the job. */
export class JoinedJobsResult implements ResultSource {
  readonly key: string;
  readonly title: string;
  readonly restore: Restored;
  private readonly parts: JobResult[];

  constructor(
    sessions: AccountSessions,
    readonly accountId: string,
    jobs: readonly { id: string; label: string }[],
  ) {
    this.parts = jobs.map(({ id, label }) => new JobResult(sessions, accountId, id, label));
    this.key = `jobs:${accountId}:${jobs.map(({ id }) => id).join()}`;
    this.title = jobs.map(({ label }) => label).join(', ');
    this.restore = { kind: 'jobs', accountId, jobs: jobs.map(({ id, label }) => ({ id, label })) };
  }

  path(): Promise<string> {
    const subject = this.title;
    return Promise.reject(new CodedError('not-found', 'Several jobs have no such result', { subject }));
  }

  tables(what: ResultWhat): ReturnType<NonNullable<ResultSource['tables']>> {
    if (what !== 'objects') return undefined;
    return {
      jobColumn: vscode.l10n.t('Job'),
      parts: uniqueLabels(this.parts.map(({ title }) => title)).map((label, at) => ({
        label,
        path: async (part, onProgress, signal) =>
          (await this.parts[at]?.path(part, onProgress, signal)) ?? this.path(),
      })),
    };
  }
}

/** Labels that tell all jobs apart: those that are alike get their number. */
function uniqueLabels(labels: readonly string[]): string[] {
  const count = new Map<string, number>();
  return labels.map(label => {
    const seen = (count.get(label) ?? 0) + 1;
    count.set(label, seen);
    return labels.filter(other => other === label).length > 1 ? `${label} (${seen})` : label;
  });
}

/** A table or a masks archive on disk, without any account. */
export class FileResult implements ResultSource {
  readonly key: string;
  readonly title: string;
  readonly restore: Restored;

  /** `place` tells two views of one file apart, such as a panel and a custom editor. */
  constructor(
    readonly uri: vscode.Uri,
    private readonly holds: 'file' | 'masks',
    place = '',
  ) {
    this.key = `${place}${holds}:${uri.toString()}`;
    this.title = path.posix.basename(uri.path);
    this.restore = { kind: 'file', uri: uri.toString(), holds };
  }

  async path(what: ResultWhat): Promise<string> {
    const subject = this.title;
    if (what !== this.holds) throw new CodedError('not-found', 'Not in this file', { subject });
    if (this.uri.scheme !== 'file') {
      const reason = vscode.l10n.t('Only files on a disk can be opened');
      throw new CodedError('not-a-file', 'Not on a disk', { subject, reason });
    }
    if (!(await isFile(this.uri.fsPath))) throw new CodedError('not-a-file', 'No such file', { subject });
    return this.uri.fsPath;
  }
}

function isFile(fsPath: string): Promise<boolean> {
  return stat(fsPath).then(
    found => found.isFile(),
    () => false,
  );
}

/** Makes the source of a panel again after a reload; undefined when what was kept makes no sense. */
export function reviveSource(sessions: AccountSessions, restored: unknown): ResultSource | undefined {
  const kept = (restored ?? {}) as Partial<Record<string, unknown>>;
  const { kind, uri, holds, accountId, jobId, title } = kept;
  if (kind === 'file' && typeof uri === 'string') {
    return new FileResult(vscode.Uri.parse(uri), holds === 'masks' ? 'masks' : 'file');
  }
  if (kind === 'jobs' && typeof accountId === 'string' && Array.isArray(kept['jobs'])) {
    const jobs = (kept['jobs'] as unknown[]).filter(isLabelledJob);
    return jobs.length > 0 ? new JoinedJobsResult(sessions, accountId, jobs) : undefined;
  }
  if (kind !== 'job' || typeof accountId !== 'string' || typeof jobId !== 'string') return undefined;
  return new JobResult(sessions, accountId, jobId, typeof title === 'string' ? title : jobId);
}

function isLabelledJob(job: unknown): job is { id: string; label: string } {
  const { id, label } = (job ?? {}) as { id?: unknown; label?: unknown };
  return typeof id === 'string' && typeof label === 'string';
}
