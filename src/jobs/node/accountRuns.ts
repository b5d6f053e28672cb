import type { AnalyzedItem } from '../../archives/imageIdentity';
import type { Account } from '../../accounts/node/accounts';
import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Log } from '../../base/log';
import { runInSlices } from '../../base/node/slices';
import { pathParts } from '../../base/pathParts';
import type { Steps } from '../../base/steps';
import {
  type Candidates,
  ImageCatalog,
  type ImageOfText,
  type NamedImage,
} from '../../archives/imageCatalog';
import { distinctNamesInSteps } from '../../archives/masksSummary';
import type { StoredKind } from '../../base/storedKind';
import type { AnalysisClient } from '../../service/node/client';
import { Pager } from '../../service/node/pager';
import { NOT_COMPUTED, type UploadRecord, type UploadRecords } from '../../uploads/node/uploadRecords';
import type { JobFacts } from './jobFacts';
import type { TrackedJob } from './jobState';
import {
  type DescribedRequest,
  pathOfItem,
  type RunItem,
  type RunOutcome,
  type RunRecord,
  type RunRecords,
  valueOf,
} from './runRecords';

interface AccountRunsDependencies {
  account: Account;
  client: Pick<AnalysisClient, 'listPipelines'>;
  records: RunRecords;
  facts: Pick<JobFacts, 'add'>;
  uploads: Pick<UploadRecords, 'ofItems'>;
  extensionVersion: string;
  log: Log;
  /** For tests. Milliseconds since 1970. */
  now?: () => number;
}

/** A run, and what came out of it. */
export interface ComparedRun {
  record: RunRecord;
  outcome: RunOutcome;
}

/** Writes the records of an account's runs: at submit, at the end, and with facts of results. */
export class AccountRuns implements Disposable {
  /** Descriptions by pipeline, of the list as it was last read. */
  private pipelines = new Map<string, string>();
  private readonly compared = new Emitter<ComparedRun>();
  private readonly now: () => number;

  /** The results of a job were compared with what was submitted, for the first time. */
  readonly onDidCompare = this.compared.event;

  constructor(private readonly parts: AccountRunsDependencies) {
    this.now = parts.now ?? Date.now;
  }

  /**
   * Stores a new job's record, and requests its pipeline's description if unknown. Throws the file
   * system's errors.
   */
  async submitted(jobId: string, request: DescribedRequest, by: 'person' | 'program'): Promise<void> {
    const { account, extensionVersion, records } = this.parts;
    const { pipelineId, filesystemIds, name } = request;
    const description = request.pipelineDescription ?? this.pipelines.get(pipelineId);
    if (description) void this.parts.facts.add(jobId, { pipeline: description });
    const items = new Map(request.items?.map(item => [item.id, item]));
    await records.add({
      version: 1,
      jobId,
      service: new URL(account.baseUrl).host,
      account: account.email ?? account.user,
      extensionVersion,
      pipeline: { id: pipelineId, ...(description && { description }) },
      ...(name && { name }),
      items: await this.withUploads(filesystemIds.map(id => items.get(id) ?? { id })),
      ...(by === 'person' && request.masks && { masks: true }),
      by,
      submittedAt: new Date(this.now()).toISOString(),
    });
    if (description === undefined) void this.describe(jobId, pipelineId);
  }

  /** A job has ended; hashes of its uploaded files exist by now. Logs a failure. */
  async ended({ jobId, what, status }: Pick<TrackedJob, 'jobId' | 'what' | 'status'>): Promise<void> {
    if (what !== 'analysis') return;
    await this.change(jobId, async ({ items }) => ({
      endedAt: new Date(this.now()).toISOString(),
      status,
      items: await this.withUploads(items),
    }));
  }

  /** The masks of a job were opened, and tell which result they belong to. A failure is logged. */
  async masksOpened(jobId: string, resultId: string): Promise<void> {
    await this.change(jobId, () => Promise.resolve({ resultId }));
  }

  /** All images of the results were read: stores which gave none, once. Logs a failure. */
  async resultsRead(jobId: string, images: ResultImages): Promise<void> {
    await this.change(jobId, async record => {
      const outcome = await runInSlices(compareRun(record.items, images));
      if (!record.outcome) this.compared.fire({ record, outcome });
      return { outcome };
    });
  }

  /** A job's images by ID and path; undefined if not all are known, as with a folder. */
  async analyzedItems(jobId: string): Promise<AnalyzedItem[] | undefined> {
    const record = await this.find(jobId);
    if (!record || record.items.some(item => item.isFolder || pathOfItem(item) === '')) return undefined;
    return record.items.map(item => ({
      id: item.id,
      path: pathOfItem(item),
      ...(item.sha256 !== undefined && { sha256: item.sha256 }),
    }));
  }

  /** The images of a job that gave no result; none where they weren't compared. */
  async imagesWithoutResult(jobId: string): Promise<ImageWithoutResult[]> {
    const record = await this.find(jobId);
    return record ? runInSlices(imagesWithoutResult(record)) : [];
  }

  /** A subject's sound value of a job; only jobs submitted from here have any. */
  async value<V>(kind: StoredKind<V>, jobId: string): Promise<V | undefined> {
    return valueOf(kind, await this.find(jobId));
  }

  /** What it has stored, by the names of jobs. */
  async values<V>(kind: StoredKind<V>): Promise<{ name: string; stored: V }[]> {
    return (await this.parts.records.withValue(kind)).flatMap(record => {
      const stored = valueOf(kind, record);
      return stored === undefined ? [] : [{ name: record.name ?? record.jobId, stored }];
    });
  }

  /**
   * Stores a value with a job. Whether it has a record to take it: only jobs submitted here do.
   * Throws the file system's errors.
   */
  async setValue<V>(kind: StoredKind<V>, jobId: string, value: V): Promise<boolean> {
    const { records } = this.parts;
    if (!(await records.find(jobId))) return false;
    await records.setValue(kind, jobId, value);
    return true;
  }

  /** Fires when any window may have stored something with a job. */
  watch(jobId: string, onChange: () => void): Disposable {
    return this.parts.records.watch(jobId, onChange);
  }

  find(jobId: string): Promise<RunRecord | undefined> {
    return this.parts.records.find(jobId);
  }

  /** As of the records. */
  claimMasks(jobId: string): Promise<boolean> {
    return this.parts.records.claimMasks(jobId);
  }

  dispose(): void {
    this.compared.dispose();
    this.parts.records.dispose();
  }

  private async change(
    jobId: string,
    changeOf: (record: RunRecord) => Promise<Parameters<RunRecords['update']>[1]>,
  ): Promise<void> {
    const { records, log } = this.parts;
    try {
      const record = await records.find(jobId);
      if (record) await records.update(jobId, await changeOf(record));
    } catch (error) {
      log.error(`The record of the job ${jobId} could not be updated`, error);
    }
  }

  /** Items with the names and hashes of the files that they were uploaded from. */
  private async withUploads(items: readonly RunItem[]): Promise<RunItem[]> {
    const uploads = await this.parts.uploads.ofItems(new Set(items.map(({ id }) => id)));
    return items.map(item => ({ ...fromUpload(uploads.get(item.id)), ...item }));
  }

  private async describe(jobId: string, id: string): Promise<void> {
    await this.change(jobId, async ({ pipeline }) => {
      if (!this.pipelines.has(id)) await this.listPipelines(id);
      const description = this.pipelines.get(id);
      if (description) void this.parts.facts.add(jobId, { pipeline: description });
      return { pipeline: { ...pipeline, ...(description && { description }) } };
    });
  }

  private async listPipelines(wanted: string): Promise<void> {
    const pager = new Pager((startingAfter, signal) =>
      this.parts.client.listPipelines({ ...(startingAfter !== undefined && { startingAfter }) }, signal),
    );
    while (!pager.done && !pager.items.some(({ id }) => id === wanted)) await pager.loadMore();
    this.pipelines = new Map(pager.items.map(({ id, description }) => [id, description]));
  }
}

function fromUpload(upload: UploadRecord | undefined): Pick<RunItem, 'name' | 'folder' | 'sha256'> {
  if (!upload) return {};
  const { fileName, destinationFolder, sha256 } = upload;
  const folder = pathParts(destinationFolder ?? '').join('/');
  return {
    name: fileName,
    ...(folder !== '' && { folder }),
    ...(sha256 !== undefined && sha256 !== NOT_COMPUTED && { sha256 }),
  };
}

/** The images that the results of a job name. */
export interface ResultImages {
  /** Texts of the aggregate table's image column. */
  aggregate: readonly string[];
  archive: readonly NamedImage[];
}

/**
 * Which of the submitted images gave no result: those that neither the aggregate table nor the
 * masks archive names. An image that only the objects table lacks has no objects. Nothing is
 * certain if names are unknown or ambiguous, if the results name images in another way, or if items
 * are folders. Its steps are short: tens of thousands of images take some tenths of a second in
 * all, for which everything else in the extension host would wait.
 */
export function* compareRun(
  items: readonly RunItem[],
  { aggregate, archive }: ResultImages,
): Generator<void, RunOutcome> {
  if (items.some(({ isFolder }) => isFolder)) return { compared: false, why: 'folders' };
  const index = new ImageCatalog();
  const paths = new Set<string>();
  for (const item of items) {
    const path = pathOfItem(item);
    if (path === '') return { compared: false, why: 'names' };
    paths.add(path.normalize('NFC'));
    index.add({ id: item.id, filename: path });
    yield;
  }
  // Each text would be compared with all of one name.
  if (paths.size < items.length) return { compared: false, why: 'names' };
  const itemIds = new Set(items.map(({ id }) => id));
  const fromTable = yield* matched(index, new Set(aggregate));
  const fromArchive = yield* matched(
    index,
    archive.map(({ id, filename }) => (itemIds.has(id) ? id : filename)),
  );
  if (fromTable.includes('ambiguous') || fromArchive.includes('ambiguous'))
    return { compared: false, why: 'names' };
  const seen = new Uint8Array(items.length);
  for (const matches of [fromTable, fromArchive])
    for (const image of matches) if (typeof image === 'number') seen[image] = 1;
  const withoutResult = items.filter((_, index) => seen[index] === 0).map(({ id }) => id);
  // An unknown image of the archive may be one of the seemingly missing items.
  const isUnknown = archive.some(({ filename }, at) => filename.trim() !== '' && fromArchive[at] === 'none');
  const isAnyKnown = seen.includes(1);
  const hasImages = aggregate.length + archive.length > 0;
  if (withoutResult.length > 0 && (isUnknown || (hasImages && !isAnyKnown)))
    return { compared: false, why: 'names' };
  return { compared: true, withoutResult };
}

function* matched(index: ImageCatalog, texts: Iterable<string>): Generator<void, ImageOfText[]> {
  const candidates: Candidates[] = [];
  for (const text of texts) {
    candidates.push(index.candidates(text));
    yield;
  }
  return yield* index.decideInSteps(candidates);
}

/** An image without result, by its name with as many folders as identify it in its run. */
export interface ImageWithoutResult {
  item: RunItem;
  name: string;
  /** Undefined where unknown. */
  path: string;
}

/** The images of a run that gave no result; none where they weren't compared. */
export function* imagesWithoutResult({
  items,
  outcome,
}: Pick<RunRecord, 'items' | 'outcome'>): Steps<ImageWithoutResult[]> {
  if (!outcome?.compared) return [];
  const missing = new Set(outcome.withoutResult);
  const paths = items.map(pathOfItem);
  const names = yield* distinctNamesInSteps(paths);
  return items.flatMap((item, at) =>
    missing.has(item.id) ? [{ item, name: names[at] || item.id, path: paths[at] ?? '' }] : [],
  );
}
