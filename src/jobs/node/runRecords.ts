import { createHash } from 'node:crypto';
import type { StateStore } from '../../accounts/node/stateFiles';
import type { Disposable } from '../../base/disposable';
import type { CrossWindowFiles } from '../../base/node/crossWindowFolder';
import type { StoredKind } from '../../base/storedKind';
import type { NewJob } from '../../service/node/client';

/*
 * Records of the input of jobs submitted from here, so that a run can be understood and repeated.
 * They are stored while the account is signed in, and contain no key and no link.
 */
/** A run's record. Other subjects store further values with it, see `valueOf`. */
export interface RunRecord {
  version: 1;
  jobId: string;
  /** Host and port of the service. */
  service: string;
  /** Who submitted it; may be removed when a record is passed on. */
  account?: string;
  extensionVersion: string;
  pipeline: { id: string; description?: string };
  name?: string;
  items: readonly RunItem[];
  /** Masks should be generated once the job has succeeded. */
  masks?: true;
  by: 'person' | 'program';
  /** ISO 8601. */
  submittedAt: string;
  /** ISO 8601; missing while it runs. */
  endedAt?: string;
  /** Status in the service's spelling. */
  status?: string;
  /** ID of the result in the masks archive. */
  resultId?: string;
  /** The comparison of results and items, once the results have been read. */
  outcome?: RunOutcome;
}

/** IDs of the items that gave no result, or why these are uncertain. */
export type RunOutcome =
  | { compared: true; withoutResult: readonly string[] }
  | { compared: false; why: 'folders' | 'names' };

/** An analyzed item, and its facts. */
export interface RunItem {
  id: string;
  name?: string;
  /** Its upload folder, with slashes; missing for the topmost folder, and if unknown. */
  folder?: string;
  isFolder?: true;
  /** Hash of the uploaded file, hexadecimal; missing if not computed. */
  sha256?: string;
}

/** A job to submit, and the other facts for its run record. */
export interface DescribedRequest extends NewJob {
  pipelineDescription?: string;
  /** Items with further facts than their IDs. */
  items?: readonly RunItem[];
  /** Whether to generate masks once the job has succeeded, which also uses credits. */
  masks?: boolean;
}

/** Facts of a run that become known after the submit. */
type RunChange = Partial<
  Pick<RunRecord, 'endedAt' | 'status' | 'resultId' | 'items' | 'pipeline' | 'outcome'>
>;

const LATER_FIELDS = ['endedAt', 'status', 'resultId', 'items', 'pipeline', 'outcome'] as const;

/** A record's valid value of a kind, if any. */
export function valueOf<V>(kind: StoredKind<V>, record: RunRecord | undefined): V | undefined {
  return kind.valid((record as unknown as Readonly<Record<string, unknown>> | undefined)?.[kind.name]);
}

/** Maximum rewrites of run.json if other windows store facts of the run at the same time. */
const MAX_WRITES = 10;

/**
 * The runs that an account submitted from here. Each has a folder with a run.json, and none is ever
 * dropped. Several windows may store later facts at the same time. So each fact also gets a file
 * per field; a window reads all of these before it writes run.json.
 */
export class RunRecords implements Disposable {
  private turn: Promise<unknown> = Promise.resolve();
  /** Records that couldn't be written; remembered while this window is open. */
  private readonly unwritten = new Map<string, RunRecord>();
  private isDisposed = false;
  private readonly fields: readonly string[];

  /** `kinds`: kinds of values that other subjects store with a run. */
  constructor(
    private readonly files: Pick<
      CrossWindowFiles,
      'list' | 'read' | 'makeFolder' | 'replace' | 'create' | 'watch'
    >,
    kinds: readonly Pick<StoredKind<unknown>, 'name'>[] = [],
  ) {
    this.fields = [...LATER_FIELDS, ...kinds.map(({ name }) => name)];
  }

  /** Stores a record. Throws errors of the file system. */
  add(record: RunRecord): Promise<void> {
    return this.inTurn(async () => {
      // Don't recreate the folder of an account that is gone.
      if (this.isDisposed) return;
      this.unwritten.set(record.jobId, record);
      const folder = folderOf(record.jobId);
      await this.files.makeFolder(folder);
      await this.files.replace(`${folder}/run.json`, [textOf(record)]);
      this.unwritten.delete(record.jobId);
      // Fields may have been stored before.
      await this.mergeFields(record.jobId);
    });
  }

  /** Stores later facts of a run. Does nothing without a record or without changes. */
  update(jobId: string, change: RunChange): Promise<void> {
    return this.storeFields(jobId, change);
  }

  /** Stores a value of another subject. Does nothing without a record of the run. */
  setValue<V>({ name }: StoredKind<V>, jobId: string, value: V): Promise<void> {
    return this.storeFields(jobId, { [name]: value });
  }

  /** A job's record; undefined if it wasn't submitted from here or is damaged. */
  async find(jobId: string): Promise<RunRecord | undefined> {
    await this.turn;
    return (await this.read(jobId)) ?? this.unwritten.get(jobId);
  }

  /** Calls back when any window may have changed the run's record. */
  watch(jobId: string, onChange: () => void): Disposable {
    return this.files.watch(folderOf(jobId), onChange);
  }

  /** The records that have a value of a kind. */
  async withValue({ name }: Pick<StoredKind<unknown>, 'name'>): Promise<RunRecord[]> {
    await this.turn;
    const records: RunRecord[] = [];
    for (const folder of await this.files.list('')) {
      if (!(await this.files.read(`${folder}/${name}.json`))) continue;
      const file = await this.files.read(`${folder}/run.json`);
      const record = file && parseRunRecord(file.text);
      if (record) records.push(record);
    }
    return records;
  }

  /**
   * Claims the request for a run's masks. True only once, over all windows and reloads. Throws
   * errors of the file system.
   */
  async claimMasks(jobId: string): Promise<boolean> {
    // Write a missing record first: without its folder, the claim would fail as if another window
    // had been first.
    const unwritten = this.unwritten.get(jobId);
    if (unwritten) await this.add(unwritten);
    return !this.isDisposed && (await this.files.create(`${folderOf(jobId)}/masks-requested`, ''));
  }

  dispose(): void {
    this.isDisposed = true;
  }

  private storeFields(jobId: string, change: Readonly<Record<string, unknown>>): Promise<void> {
    return this.inTurn(async () => {
      const record = await this.read(jobId);
      if (!record || this.isDisposed) return;
      const stored = record as unknown as Readonly<Record<string, unknown>>;
      const fields = this.fields.filter(
        field =>
          change[field] !== undefined && JSON.stringify(change[field]) !== JSON.stringify(stored[field]),
      );
      const folder = folderOf(jobId);
      for (const field of fields)
        await this.files.replace(`${folder}/${field}.json`, [JSON.stringify(change[field])]);
      if (fields.length > 0) await this.mergeFields(jobId);
    });
  }

  private async read(jobId: string): Promise<RunRecord | undefined> {
    const file = await this.files.read(`${folderOf(jobId)}/run.json`);
    return file && parseRunRecord(file.text);
  }

  /** Writes run.json until it contains the fields that all windows have stored. */
  private async mergeFields(jobId: string): Promise<void> {
    const folder = folderOf(jobId);
    for (let write = 0; write < MAX_WRITES && !this.isDisposed; write++) {
      const file = await this.files.read(`${folder}/run.json`);
      let record = file && parseRunRecord(file.text);
      if (!record) return;
      for (const field of this.fields) record = await this.withField(record, field);
      const text = textOf(record);
      if (text === file?.text) return;
      await this.files.replace(`${folder}/run.json`, [text]);
    }
  }

  private async withField(record: RunRecord, field: string): Promise<RunRecord> {
    const file = await this.files.read(`${folderOf(record.jobId)}/${field}.json`);
    if (!file) return record;
    try {
      const changed = JSON.stringify({ ...record, [field]: JSON.parse(file.text) as unknown });
      return parseRunRecord(changed) ?? record;
    } catch {
      return record;
    }
  }

  /** Runs changes one after the other, because each reads what the last one wrote. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    const working = this.turn.then(work);
    this.turn = working.catch(() => undefined);
    return working;
  }
}

function textOf(record: RunRecord): string {
  return `${JSON.stringify(record, undefined, 2)}\n`;
}

/** The folder of a job. An ID that isn't a valid folder name on all systems is hashed. */
function folderOf(jobId: string): string {
  if (/^[0-9a-z]{1,64}$/.test(jobId)) return jobId;
  return `-${createHash('sha256').update(jobId).digest('hex').slice(0, 32)}`;
}

/** Facts of a job submitted from here that the service doesn't return. */
export interface SubmittedJob {
  jobId: string;
  name?: string;
  pipelineId: string;
  filesystemIds: string[];
  /** The items with their facts; missing for jobs of older versions. */
  items?: readonly RunItem[];
  /** ISO 8601. */
  submittedAt: string;
  by: 'person' | 'program';
  /** Number of items without result, or why it is uncertain; missing until compared. */
  withoutResult?: number | 'folders' | 'names';
}

/** Key under which older versions stored jobs. */
const OLD_KEY = 'submittedJobs';

/**
 * The jobs of an account that were submitted from here, so that lists can show more than IDs. Each
 * call reads the records of runs, because another window may have submitted the job. Jobs of older
 * versions have no record.
 */
export class SubmittedJobs {
  private loadingOld: Promise<Map<string, SubmittedJob>> | undefined;

  constructor(
    private readonly records: Pick<RunRecords, 'find'>,
    private readonly oldState: Pick<StateStore, 'read'>,
  ) {}

  async find(jobId: string): Promise<SubmittedJob | undefined> {
    // Ignore a failure: only the display of the job depends on the record.
    const record = await this.records.find(jobId).catch(() => undefined);
    return record ? submittedJobOf(record) : (await this.oldJobs()).get(jobId);
  }

  /**
   * Whether the job was submitted from here. True if the record can't be read: an unknown job could
   * be mistaken for the job of another submit, which then would not be sent.
   */
  async isKnown(jobId: string): Promise<boolean> {
    const record = await this.records.find(jobId).catch(() => 'unreadable' as const);
    return record !== undefined || (await this.oldJobs()).has(jobId);
  }

  private oldJobs(): Promise<Map<string, SubmittedJob>> {
    // If the file can't be read, only names are missing.
    return (this.loadingOld ??= this.readOld().catch(() => {
      // Read again next time.
      this.loadingOld = undefined;
      return new Map<string, SubmittedJob>();
    }));
  }

  private async readOld(): Promise<Map<string, SubmittedJob>> {
    const value = await this.oldState.read(OLD_KEY);
    const jobs = Array.isArray(value) ? value.filter(isSubmittedJob) : [];
    return new Map(jobs.map(job => [job.jobId, job]));
  }
}

function submittedJobOf({ jobId, name, pipeline, items, submittedAt, by, outcome }: RunRecord): SubmittedJob {
  return {
    jobId,
    ...(name !== undefined && { name }),
    pipelineId: pipeline.id,
    filesystemIds: items.map(({ id }) => id),
    items,
    submittedAt,
    by,
    ...(outcome && { withoutResult: outcome.compared ? outcome.withoutResult.length : outcome.why }),
  };
}

function isSubmittedJob(value: unknown): value is SubmittedJob {
  const { jobId, pipelineId, filesystemIds, submittedAt } = (value ?? {}) as Partial<SubmittedJob>;
  return (
    typeof jobId === 'string' &&
    typeof pipelineId === 'string' &&
    Array.isArray(filesystemIds) &&
    typeof submittedAt === 'string'
  );
}

/** The path of an item on the service, as far as known; empty without its name. */
export function pathOfItem({ name = '', folder = '' }: RunItem): string {
  return name === '' || folder === '' ? name : `${folder}/${name}`;
}

/** Parses a record; undefined if it is damaged. */
function parseRunRecord(text: string): RunRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const fields = (value ?? {}) as Partial<Record<keyof RunRecord, unknown>>;
  const { pipeline, items, by, version } = fields;
  const texts = [fields.jobId, fields.service, fields.extensionVersion, fields.submittedAt];
  const optional = [fields.account, fields.name, fields.endedAt, fields.status, fields.resultId];
  const isValid =
    version === 1 &&
    texts.every(isText) &&
    optional.every(isTextOrMissing) &&
    isPipeline(pipeline) &&
    isOutcomeOrMissing(fields.outcome) &&
    (fields.masks === undefined || fields.masks === true) &&
    Array.isArray(items) &&
    items.every(isRunItem) &&
    (by === 'person' || by === 'program');
  return isValid ? (value as RunRecord) : undefined;
}

function isPipeline(value: unknown): boolean {
  const { id, description } = (value ?? {}) as Record<string, unknown>;
  return isText(id) && isTextOrMissing(description);
}

function isOutcomeOrMissing(value: unknown): boolean {
  if (value === undefined) return true;
  const { compared, withoutResult, why } = (value ?? {}) as Record<string, unknown>;
  return compared === true
    ? Array.isArray(withoutResult) && withoutResult.every(isText)
    : compared === false && (why === 'folders' || why === 'names');
}

/** Whether a stored value is an item. */
export function isRunItem(value: unknown): boolean {
  const { id, name, folder, isFolder, sha256 } = (value ?? {}) as Record<string, unknown>;
  return (
    isText(id) &&
    [name, folder, sha256].every(isTextOrMissing) &&
    (isFolder === undefined || isFolder === true)
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextOrMissing(value: unknown): boolean {
  return value === undefined || isText(value);
}
