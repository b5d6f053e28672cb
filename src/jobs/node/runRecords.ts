import type { StateStore } from '../../accounts/node/stateFiles';
import type { Disposable } from '../../base/disposable';
import type { CrossWindowFiles } from '../../base/node/crossWindowFolder';
import type { StoredKind } from '../../base/storedKind';
import type { NewJob } from '../../service/node/client';
import { createHash } from 'node:crypto';

/*
 * What a job was run with, as it was submitted from here: kept for as long as the account is signed
 * in, so that a run can be understood and repeated. It holds no key and no link.
 */

/** Beside these it has the values that other subjects stored with it, see `valueOf`. */
export interface RunRecord {
  version: 1;
  jobId: string;
  /** Host and port of the service. */
  service: string;
  /** Who submitted it; can be left out when a record is passed on. */
  account?: string;
  extensionVersion: string;
  pipeline: { id: string; description?: string };
  name?: string;
  items: readonly RunItem[];
  /** Its masks were to be generated as well, once it had succeeded. */
  masks?: true;
  by: 'person' | 'program';
  /** ISO 8601. */
  submittedAt: string;
  /** ISO 8601; missing while it runs. */
  endedAt?: string;
  /** As the service spells it. */
  status?: string;
  /** Of the masks archive. */
  resultId?: string;
  /** How the results compare with the items, once both have been read. */
  outcome?: RunOutcome;
}

/** IDs of the items that gave no result, or why that is uncertain. */
export type RunOutcome =
  | { compared: true; withoutResult: readonly string[] }
  | { compared: false; why: 'folders' | 'names' };

/** An analyzed item, and its facts. */
export interface RunItem {
  id: string;
  name?: string;
  /** Its upload folder, with slashes; missing for the topmost, and if unknown. */
  folder?: string;
  isFolder?: true;
  /** Of the file that was uploaded from here, hexadecimal; missing where it was not computed. */
  sha256?: string;
}

/** A job to submit, and the other facts for its run record. */
export interface DescribedRequest extends NewJob {
  pipelineDescription?: string;
  /** The items of which more is known than their IDs. */
  items?: readonly RunItem[];
  /** Whether its masks are generated once it has succeeded, which uses credits too. */
  masks?: boolean;
}

/** What is learned of a run after it was submitted. */
type RunChange = Partial<
  Pick<RunRecord, 'endedAt' | 'status' | 'resultId' | 'items' | 'pipeline' | 'outcome'>
>;

const LEARNED = ['endedAt', 'status', 'resultId', 'items', 'pipeline', 'outcome'] as const;

/** A record's sound value of a kind, if any. */
export function valueOf<V>(kind: StoredKind<V>, record: RunRecord | undefined): V | undefined {
  return kind.valid((record as unknown as Readonly<Record<string, unknown>> | undefined)?.[kind.name]);
}

/** Maximum rewrites of run.json when other windows store facts of the run at the same time. */
const MAX_WRITES = 10;

/**
 * The runs that an account submitted from here: a folder with a run.json each. None is ever
 * dropped. Facts that a window learns later also go to a file per field, as several windows may
 * learn them at the same time: the last one that writes run.json has seen all of these.
 */
export class RunRecords implements Disposable {
  private turn: Promise<unknown> = Promise.resolve();
  /** Records that the disk failed to take, for as long as this window is open. */
  private readonly unwritten = new Map<string, RunRecord>();
  private isDisposed = false;
  private readonly fields: readonly string[];

  /** `kinds` are those of the values that other subjects store with a run. */
  constructor(
    private readonly files: Pick<
      CrossWindowFiles,
      'list' | 'read' | 'makeFolder' | 'replace' | 'create' | 'watch'
    >,
    kinds: readonly Pick<StoredKind<unknown>, 'name'>[] = [],
  ) {
    this.fields = [...LEARNED, ...kinds.map(({ name }) => name)];
  }

  /** Stores a record. Throws what the file system throws. */
  add(record: RunRecord): Promise<void> {
    return this.inTurn(async () => {
      // The folder of an account that is gone must not be created again.
      if (this.isDisposed) return;
      this.unwritten.set(record.jobId, record);
      const folder = folderOf(record.jobId);
      await this.files.makeFolder(folder);
      await this.files.replace(`${folder}/run.json`, [textOf(record)]);
      this.unwritten.delete(record.jobId);
      // It may have been stored before.
      await this.writeLearned(record.jobId);
    });
  }

  /** Adds what was learned of a run; nothing where there is no record of it, or nothing new. */
  update(jobId: string, change: RunChange): Promise<void> {
    return this.learn(jobId, change);
  }

  /** Stores a value of another subject; nothing where there is no record of the run. */
  setValue<V>({ name }: StoredKind<V>, jobId: string, value: V): Promise<void> {
    return this.learn(jobId, { [name]: value });
  }

  /** A job's record; undefined if it wasn't submitted from here or is damaged. */
  async find(jobId: string): Promise<RunRecord | undefined> {
    await this.turn;
    return (await this.read(jobId)) ?? this.unwritten.get(jobId);
  }

  /** Calls back when any window may have stored something of a run that has a record. */
  watch(jobId: string, onChange: () => void): Disposable {
    return this.files.watch(folderOf(jobId), onChange);
  }

  /** The records that have values of a kind. */
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
   * Whether the caller is to request a run's masks: true once, over all windows and reloads. Throws
   * the file system's errors.
   */
  async claimMasks(jobId: string): Promise<boolean> {
    // Of a record that no other window can read, a missing folder doesn't mean that one of them was
    // first.
    const unwritten = this.unwritten.get(jobId);
    if (unwritten) await this.add(unwritten);
    return !this.isDisposed && (await this.files.create(`${folderOf(jobId)}/masks-requested`, ''));
  }

  dispose(): void {
    this.isDisposed = true;
  }

  private learn(jobId: string, change: Readonly<Record<string, unknown>>): Promise<void> {
    return this.inTurn(async () => {
      const record = await this.read(jobId);
      if (!record || this.isDisposed) return;
      const before = record as unknown as Readonly<Record<string, unknown>>;
      const fields = this.fields.filter(
        field =>
          change[field] !== undefined && JSON.stringify(change[field]) !== JSON.stringify(before[field]),
      );
      const folder = folderOf(jobId);
      for (const field of fields)
        await this.files.replace(`${folder}/${field}.json`, [JSON.stringify(change[field])]);
      if (fields.length > 0) await this.writeLearned(jobId);
    });
  }

  private async read(jobId: string): Promise<RunRecord | undefined> {
    const file = await this.files.read(`${folderOf(jobId)}/run.json`);
    return file && parseRunRecord(file.text);
  }

  /** Writes run.json until it has what all windows have learned by then. */
  private async writeLearned(jobId: string): Promise<void> {
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

  /** Changes follow each other: each reads what the last one wrote. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    const working = this.turn.then(work);
    this.turn = working.catch(() => undefined);
    return working;
  }
}

function textOf(record: RunRecord): string {
  return `${JSON.stringify(record, undefined, 2)}\n`;
}

/** IDs are opaque: one that is no name for a folder everywhere is hashed. */
function folderOf(jobId: string): string {
  if (/^[0-9a-z]{1,64}$/.test(jobId)) return jobId;
  return `-${createHash('sha256').update(jobId).digest('hex').slice(0, 32)}`;
}

/** What the service does not return about a job that was submitted from here. */
export interface SubmittedJob {
  jobId: string;
  name?: string;
  pipelineId: string;
  filesystemIds: string[];
  /** The same with their facts; missing for jobs of older versions. */
  items?: readonly RunItem[];
  /** ISO 8601. */
  submittedAt: string;
  by: 'person' | 'program';
  /** How many items gave no result, or why that is unclear; missing until compared. */
  withoutResult?: number | 'folders' | 'names';
}

/** The state in which older versions stored jobs. */
const OLD_KEY = 'submittedJobs';

/**
 * The jobs submitted from here, per account, so that lists can show more than IDs. They are read
 * from the records of runs, at each call: another window may have submitted the job. Jobs of older
 * versions have no record.
 */
export class SubmittedJobs {
  private loadingOld: Promise<Map<string, SubmittedJob>> | undefined;

  constructor(
    private readonly records: Pick<RunRecords, 'find'>,
    private readonly old: Pick<StateStore, 'read'>,
  ) {}

  async find(jobId: string): Promise<SubmittedJob | undefined> {
    // Only what is shown of the job depends on it.
    const record = await this.records.find(jobId).catch(() => undefined);
    return record ? jobOf(record) : (await this.oldJobs()).get(jobId);
  }

  /**
   * Whether the job was submitted from here; also true if unreadable: as unknown, it could pass for
   * another submit's job, and that submit would not be sent.
   */
  async isKnown(jobId: string): Promise<boolean> {
    const ofRecord = await this.records.find(jobId).catch(() => 'unreadable' as const);
    return ofRecord !== undefined || (await this.oldJobs()).has(jobId);
  }

  private oldJobs(): Promise<Map<string, SubmittedJob>> {
    // Without a readable file only names are missing.
    return (this.loadingOld ??= this.readOld().catch(() => {
      // Another time, it may be readable again.
      this.loadingOld = undefined;
      return new Map<string, SubmittedJob>();
    }));
  }

  private async readOld(): Promise<Map<string, SubmittedJob>> {
    const value = await this.old.read(OLD_KEY);
    const jobs = Array.isArray(value) ? value.filter(isSubmittedJob) : [];
    return new Map(jobs.map(job => [job.jobId, job]));
  }
}

function jobOf({ jobId, name, pipeline, items, submittedAt, by, outcome }: RunRecord): SubmittedJob {
  return {
    jobId,
    ...(name !== undefined && { name }),
    pipelineId: pipeline.id,
    filesystemIds: items.map(({ id }) => id),
    ...{ items, submittedAt, by },
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

/** The known path of an item at the service; empty without even its name. */
export function pathOfItem({ name = '', folder = '' }: RunItem): string {
  return name === '' || folder === '' ? name : `${folder}/${name}`;
}

/** A record from its text; undefined where it is damaged. */
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
  const isSound =
    version === 1 &&
    texts.every(isText) &&
    optional.every(isTextOrMissing) &&
    isPipeline(pipeline) &&
    isOutcomeOrMissing(fields.outcome) &&
    (fields.masks === undefined || fields.masks === true) &&
    Array.isArray(items) &&
    items.every(isRunItem) &&
    (by === 'person' || by === 'program');
  return isSound ? (value as RunRecord) : undefined;
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

/** Whether what was stored is an item. */
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
