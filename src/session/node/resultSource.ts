import type { AnalyzedItem } from '../../archives/imageIdentity';
import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Disposable } from '../../base/disposable';
import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import type { StoredKind } from '../../base/storedKind';
import type { ResultImages } from '../../jobs/node/accountRuns';
import type { JobSession, JobSessions } from '../../jobs/node/jobSessions';
import { findNameOfJob, type LabeledJob } from '../../jobs/node/nameOfJob';
import type { ResultPart } from '../../service/resultParts';
import type { Engine } from '../engineProtocol';
import type { Translate } from '../../words/translate';

/** The members of VS Code's URI that are needed here. */
export interface FileUri {
  /** `file` for a file on disk. */
  readonly scheme: string;
  /** The path of the URI, with forward slashes. */
  readonly path: string;
  /** The path as the system writes it; for display. */
  readonly fsPath: string;
  toString(): string;
}

/** The source of a result: a job, several jobs, or a local file. */
export interface ResultSource {
  /** Identifies a result by account and job ID, or by a file's URI. Contains no secret. */
  readonly key: string;
  readonly title: string;
  /** Set for a masks archive on disk, which has no table. */
  readonly masksOnly?: boolean;
  /** Its account, if any. Its panels close when the account signs out. */
  readonly accountId?: string | undefined;
  /** All accounts that it belongs to, if there may be several. */
  readonly accountIds?: readonly string[];
  /** Set if the rows of its table are pairs of a comparison. */
  readonly isOfPairs?: true;
  /** The thread that has the objects of its rows; if absent, the session starts a thread. */
  readonly engine?: () => Engine;
  /** IDs of the jobs whose results it shows. */
  readonly jobIds?: readonly string[];
  /** JSON from which the source can be restored after a reload. Contains no secret. */
  readonly restore: unknown;
  /** Shows another part in a special view; undefined to use the usual view. */
  showOther?(part: ResultPart): Promise<void> | undefined;
  /**
   * A part's path on disk; downloads the part if needed, with progress in bytes. Rejects with a
   * coded error. Never starts paid work.
   */
  path(
    part: ResultPart,
    onProgress: (done: number, total?: number) => void,
    signal: AbortSignal,
  ): Promise<string>;
  /**
   * Removes a damaged part from the cache. Returns whether to fetch it again. Absent if `path` is a
   * file of the person.
   */
  discard?(part: ResultPart): Promise<boolean>;
  /** Sets the title, after the job was renamed. */
  rename?(title: string): void;
  /** Receives the result ID from the masks, once they are open. */
  masksOpened?(resultId: string): void;
  /** Receives the number of objects, once the objects table has been read. */
  objectsCounted?(objects: number): void;
  /** Receives the image names in the aggregate table and the masks, once both are open. */
  imagesRead?(images: ResultImages): void;
  /** All analyzed images with their IDs and paths on the service, if known. */
  analyzedItems?(): Promise<readonly AnalyzedItem[] | undefined>;
  /** Key under which its choices are stored, if several sources share them; else `key`. */
  readonly choicesKey?: string;
  /** A subject's value from the source's record, if it has one. */
  value?<V>(kind: StoredKind<V>): Promise<V | undefined>;
  /** Stores a subject's value in the record; false without a record. */
  setValue?<V>(kind: StoredKind<V>, value: V): Promise<boolean>;
  /** Calls back when any window may have changed the record. */
  watchValues?(onChange: () => void): Promise<Disposable>;
  /** Set for a table of several jobs: each job's table and label, and the label column's name. */
  tables?(
    kind: ResultPart,
  ): { jobColumn: string; parts: ({ label: string } & Pick<ResultSource, 'path' | 'discard'>)[] } | undefined;
}

/** The owner under which choices of all views of a source are stored. */
export function choiceOwnerOf({
  key,
  choicesKey = key,
  accountId,
}: Pick<ResultSource, 'key' | 'choicesKey' | 'accountId'>): {
  key: string;
  accountId?: string;
} {
  return { key: choicesKey, ...(accountId !== undefined && { accountId }) };
}

/** A stored reference to a result, to find it after a reload. Contains no secrets. */
type StoredSource =
  | { kind: 'job'; accountId: string; jobId: string; title: string }
  | { kind: 'jobs'; accountId: string; jobs: LabeledJob[] }
  | { kind: 'file'; uri: string; holds: 'file' | 'masks' };

/** A job's results, downloaded when a panel requests them. */
export class JobResult implements ResultSource {
  readonly key: string;
  readonly choicesKey: string;

  /** `keyPrefix` distinguishes views of a job that don't share a session. */
  constructor(
    private readonly sessions: Pick<JobSessions, 'of'>,
    readonly accountId: string,
    readonly jobId: string,
    private name: string,
    keyPrefix = '',
  ) {
    this.choicesKey = keyOfJob(accountId, jobId);
    this.key = `${keyPrefix}${this.choicesKey}`;
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

  /** Throws `not-found` for the parts `file` and `image`, and errors of the download. */
  async path(
    part: ResultPart,
    onProgress: (done: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<string> {
    if (part === 'file' || part === 'image')
      throw new CodedError('not-found', 'A job has no such result', { subject: this.title });
    const session = await this.session();
    const { path: downloaded } = await session.resultFiles.fetch(
      { jobId: this.jobId, part, onProgress },
      signal,
    );
    return downloaded;
  }

  masksOpened(resultId: string): void {
    // Ignore failures: an account that has signed out has no records.
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
      // The account has signed out, or the record is damaged.
      return undefined;
    }
  }

  async value<V>(kind: StoredKind<V>): Promise<V | undefined> {
    return (await this.session()).runs.value(kind, this.jobId);
  }

  async watchValues(onChange: () => void): Promise<Disposable> {
    return (await this.session()).runs.watch(this.jobId, onChange);
  }

  async setValue<V>(kind: StoredKind<V>, value: V): Promise<boolean> {
    return (await this.session()).runs.setValue(kind, this.jobId, value);
  }

  async discard(part: ResultPart): Promise<boolean> {
    if (part === 'file' || part === 'image') return false;
    const session = await this.session();
    return session.resultFiles.discard({ jobId: this.jobId, part });
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
  keyPrefix?: string,
): Promise<JobResult> {
  const session = await sessions.active();
  const title = await findNameOfJob(t, session, jobId);
  return new JobResult(sessions, session.account.id, jobId, title, keyPrefix);
}

interface JoinedJobsOptions {
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

  tables(kind: ResultPart): ReturnType<NonNullable<ResultSource['tables']>> {
    if (kind !== 'objects') return undefined;
    return {
      jobColumn: this.jobColumn,
      parts: uniqueLabels(this.parts.map(({ title }) => title)).map((label, index) => ({
        label,
        path: async (part, onProgress, signal) =>
          (await this.parts[index]?.path(part, onProgress, signal)) ?? this.path(),
        discard: async part => (await this.parts[index]?.discard(part)) ?? false,
      })),
    };
  }
}

/** Unique labels: jobs with the same label are numbered. */
function uniqueLabels(labels: readonly string[]): string[] {
  const count = new Map<string, number>();
  return labels.map(label => {
    const number = (count.get(label) ?? 0) + 1;
    count.set(label, number);
    return labels.indexOf(label) !== labels.lastIndexOf(label) ? `${label} (${number})` : label;
  });
}

/** A table or a masks archive on disk, without any account. */
export class FileResult implements ResultSource {
  readonly key: string;
  readonly title: string;
  readonly choicesKey: string;
  readonly restore: StoredSource;
  readonly masksOnly: boolean;

  /** `keyPrefix` distinguishes views of a file, such as a panel and a custom editor. */
  constructor(
    readonly uri: FileUri,
    private readonly holds: 'file' | 'masks',
    keyPrefix = '',
  ) {
    this.masksOnly = holds === 'masks';
    this.choicesKey = `${holds}:${uri.toString()}`;
    this.key = `${keyPrefix}${this.choicesKey}`;
    this.title = posix.basename(uri.path);
    this.restore = { kind: 'file', uri: uri.toString(), holds };
  }

  /** Throws `not-found` for a part that the file lacks, `not-a-file` if it isn't on a disk. */
  async path(part: ResultPart): Promise<string> {
    const subject = this.title;
    if (part !== this.holds) throw new CodedError('not-found', 'Not in this file', { subject });
    if (this.uri.scheme !== 'file') {
      throw new CodedError('not-a-file', 'Not on a disk', {
        subject,
        reason: reason('Only files on a disk can be opened'),
      });
    }
    if (!(await isFile(this.uri.fsPath))) throw new CodedError('not-a-file', 'No such file', { subject });
    return this.uri.fsPath;
  }
}

function isFile(fsPath: string): Promise<boolean> {
  return stat(fsPath).then(
    stats => stats.isFile(),
    () => false,
  );
}

interface ReviveDependencies {
  sessions: Pick<JobSessions, 'of' | 'all'>;
  parseUri: (text: string) => FileUri;
  /** Name of the column that names the job in a joined table, in the user's language. */
  jobColumn: string;
}

/** Restores a source from a StoredSource; undefined if it isn't valid. */
export function reviveSource(
  { sessions, parseUri, jobColumn }: ReviveDependencies,
  stored: unknown,
): ResultSource | undefined {
  const fields = (stored ?? {}) as Partial<Record<string, unknown>>;
  const { kind, uri, holds, accountId, jobId, title } = fields;
  if (kind === 'file' && typeof uri === 'string') {
    return new FileResult(parseUri(uri), holds === 'masks' ? 'masks' : 'file');
  }
  if (kind === 'jobs' && typeof accountId === 'string' && Array.isArray(fields['jobs'])) {
    const jobs = (fields['jobs'] as unknown[]).filter(isLabeledJob);
    return jobs.length > 0 ? new JoinedJobsResult({ sessions, accountId, jobs, jobColumn }) : undefined;
  }
  if (kind !== 'job' || typeof accountId !== 'string' || typeof jobId !== 'string') return undefined;
  // The job may have been renamed since its title was stored.
  const currentName = sessions.all.find(({ account }) => account.id === accountId)?.jobFacts.get(jobId).name;
  return new JobResult(
    sessions,
    accountId,
    jobId,
    currentName || (typeof title === 'string' ? title : jobId),
  );
}

function isLabeledJob(job: unknown): job is LabeledJob {
  const { id, label } = (job ?? {}) as { id?: unknown; label?: unknown };
  return typeof id === 'string' && typeof label === 'string';
}
