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

/** A run, and the comparison of its results with its items. */
export interface ComparedRun {
  record: RunRecord;
  outcome: RunOutcome;
}

/**
 * Writes the records of an account's runs: at the submit, at the end, and once results are read.
 */
export class AccountRuns implements Disposable {
  /** Descriptions by pipeline ID, from the last list. */
  private pipelines = new Map<string, string>();
  private readonly compared = new Emitter<ComparedRun>();
  private readonly now: () => number;

  /** Fires when a job's results are first compared with its items. */
  readonly onDidCompare = this.compared.event;

  constructor(private readonly dependencies: AccountRunsDependencies) {
    this.now = dependencies.now ?? Date.now;
  }

  /**
   * Stores a new job's record, and requests the description of an unknown pipeline. Throws errors
   * of the file system.
   */
  async submitted(jobId: string, request: DescribedRequest, by: 'person' | 'program'): Promise<void> {
    const { account, extensionVersion, records } = this.dependencies;
    const { pipelineId, filesystemIds, name } = request;
    const description = request.pipelineDescription ?? this.pipelines.get(pipelineId);
    if (description) void this.dependencies.facts.add(jobId, { pipeline: description });
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
    if (description === undefined) void this.describePipeline(jobId, pipelineId);
  }

  /** Stores that a job has ended, and hashes of its files, which exist by now. Logs a failure. */
  async ended({ jobId, what, status }: Pick<TrackedJob, 'jobId' | 'what' | 'status'>): Promise<void> {
    if (what !== 'analysis') return;
    await this.change(jobId, async ({ items }) => ({
      endedAt: new Date(this.now()).toISOString(),
      status,
      items: await this.withUploads(items),
    }));
  }

  /** Stores the result ID of a job, from its opened masks. Logs a failure. */
  async masksOpened(jobId: string, resultId: string): Promise<void> {
    await this.change(jobId, () => Promise.resolve({ resultId }));
  }

  /** Stores which images gave no result, once all results are read. Logs a failure. */
  async resultsRead(jobId: string, images: ResultImages): Promise<void> {
    await this.change(jobId, async record => {
      const outcome = await runInSlices(compareRun(record.items, images));
      if (!record.outcome) this.compared.fire({ record, outcome });
      return { outcome };
    });
  }

  /** A job's images with ID and path; undefined if some are unknown, as with a folder. */
  async analyzedItems(jobId: string): Promise<AnalyzedItem[] | undefined> {
    const record = await this.find(jobId);
    if (!record || record.items.some(item => item.isFolder || pathOfItem(item) === '')) return undefined;
    return record.items.map(item => ({
      id: item.id,
      path: pathOfItem(item),
      ...(item.sha256 !== undefined && { sha256: item.sha256 }),
    }));
  }

  /** The images of a job that gave no result; empty if the results weren't compared. */
  async imagesWithoutResult(jobId: string): Promise<ImageWithoutResult[]> {
    const record = await this.find(jobId);
    return record ? runInSlices(imagesWithoutResult(record)) : [];
  }

  /** A subject's valid value of a job, if any; only jobs submitted from here have values. */
  async value<V>(kind: StoredKind<V>, jobId: string): Promise<V | undefined> {
    return valueOf(kind, await this.find(jobId));
  }

  /** A subject's valid values of all jobs, each with the job's name. */
  async values<V>(kind: StoredKind<V>): Promise<{ name: string; stored: V }[]> {
    return (await this.dependencies.records.withValue(kind)).flatMap(record => {
      const stored = valueOf(kind, record);
      return stored === undefined ? [] : [{ name: record.name ?? record.jobId, stored }];
    });
  }

  /**
   * Stores a value with a job. False if the job has no record, because it wasn't submitted from
   * here. Throws errors of the file system.
   */
  async setValue<V>(kind: StoredKind<V>, jobId: string, value: V): Promise<boolean> {
    const { records } = this.dependencies;
    if (!(await records.find(jobId))) return false;
    await records.setValue(kind, jobId, value);
    return true;
  }

  /** Fires when any window may have stored something with a job. */
  watch(jobId: string, onChange: () => void): Disposable {
    return this.dependencies.records.watch(jobId, onChange);
  }

  find(jobId: string): Promise<RunRecord | undefined> {
    return this.dependencies.records.find(jobId);
  }

  /** See RunRecords.claimMasks. */
  claimMasks(jobId: string): Promise<boolean> {
    return this.dependencies.records.claimMasks(jobId);
  }

  dispose(): void {
    this.compared.dispose();
    this.dependencies.records.dispose();
  }

  private async change(
    jobId: string,
    changeOf: (record: RunRecord) => Promise<Parameters<RunRecords['update']>[1]>,
  ): Promise<void> {
    const { records, log } = this.dependencies;
    try {
      const record = await records.find(jobId);
      if (record) await records.update(jobId, await changeOf(record));
    } catch (error) {
      log.error(`The record of the job ${jobId} could not be updated`, error);
    }
  }

  /** Adds the names and hashes of uploaded files to items. */
  private async withUploads(items: readonly RunItem[]): Promise<RunItem[]> {
    const uploads = await this.dependencies.uploads.ofItems(new Set(items.map(({ id }) => id)));
    return items.map(item => ({ ...factsOfUpload(uploads.get(item.id)), ...item }));
  }

  private async describePipeline(jobId: string, pipelineId: string): Promise<void> {
    await this.change(jobId, async ({ pipeline }) => {
      if (!this.pipelines.has(pipelineId)) await this.listPipelines(pipelineId);
      const description = this.pipelines.get(pipelineId);
      if (description) void this.dependencies.facts.add(jobId, { pipeline: description });
      return { pipeline: { ...pipeline, ...(description && { description }) } };
    });
  }

  private async listPipelines(pipelineId: string): Promise<void> {
    const pager = new Pager((startingAfter, signal) =>
      this.dependencies.client.listPipelines(
        { ...(startingAfter !== undefined && { startingAfter }) },
        signal,
      ),
    );
    while (!pager.done && !pager.items.some(({ id }) => id === pipelineId)) await pager.loadMore();
    this.pipelines = new Map(pager.items.map(({ id, description }) => [id, description]));
  }
}

function factsOfUpload(upload: UploadRecord | undefined): Pick<RunItem, 'name' | 'folder' | 'sha256'> {
  if (!upload) return {};
  const { fileName, destinationFolder, sha256 } = upload;
  const folder = pathParts(destinationFolder ?? '').join('/');
  return {
    name: fileName,
    ...(folder !== '' && { folder }),
    ...(sha256 !== undefined && sha256 !== NOT_COMPUTED && { sha256 }),
  };
}

/** Names of images in the results of a job. */
export interface ResultImages {
  /** Texts of the aggregate table's image column. */
  aggregate: readonly string[];
  archive: readonly NamedImage[];
}

/**
 * Finds the submitted images without result: neither the aggregate table nor the masks archive
 * names them. (An image that is missing only in the objects table has no objects.) The outcome is
 * uncertain if names are unknown or ambiguous, if the results name images in another way, or if
 * items are folders. It runs in short steps, because tens of thousands of images would block the
 * extension host for some tenths of a second.
 */
export function* compareRun(
  items: readonly RunItem[],
  { aggregate, archive }: ResultImages,
): Generator<void, RunOutcome> {
  if (items.some(({ isFolder }) => isFolder)) return { compared: false, why: 'folders' };
  const catalog = new ImageCatalog();
  const paths = new Set<string>();
  for (const item of items) {
    const path = pathOfItem(item);
    if (path === '') return { compared: false, why: 'names' };
    paths.add(path.normalize('NFC'));
    catalog.add({ id: item.id, filename: path });
    yield;
  }
  // Items with equal paths can't be told apart.
  if (paths.size < items.length) return { compared: false, why: 'names' };
  const itemIds = new Set(items.map(({ id }) => id));
  const fromTable = yield* matchTexts(catalog, new Set(aggregate));
  const fromArchive = yield* matchTexts(
    catalog,
    archive.map(({ id, filename }) => (itemIds.has(id) ? id : filename)),
  );
  if (fromTable.includes('ambiguous') || fromArchive.includes('ambiguous'))
    return { compared: false, why: 'names' };
  const hasResult = new Uint8Array(items.length);
  for (const matches of [fromTable, fromArchive])
    for (const image of matches) if (typeof image === 'number') hasResult[image] = 1;
  const withoutResult = items.filter((_, index) => hasResult[index] === 0).map(({ id }) => id);
  // An unknown image of the archive may be one of the seemingly missing items.
  const isUnknown = archive.some(
    ({ filename }, index) => filename.trim() !== '' && fromArchive[index] === 'none',
  );
  const isAnyMatched = hasResult.includes(1);
  const hasImages = aggregate.length + archive.length > 0;
  if (withoutResult.length > 0 && (isUnknown || (hasImages && !isAnyMatched)))
    return { compared: false, why: 'names' };
  return { compared: true, withoutResult };
}

function* matchTexts(catalog: ImageCatalog, texts: Iterable<string>): Generator<void, ImageOfText[]> {
  const candidates: Candidates[] = [];
  for (const text of texts) {
    candidates.push(catalog.candidates(text));
    yield;
  }
  return yield* catalog.decideInSteps(candidates);
}

/** An image without result. `name` includes as many folders as needed to be unique in its run. */
export interface ImageWithoutResult {
  item: RunItem;
  name: string;
  /** Empty if unknown. */
  path: string;
}

/** The images of a run that gave no result; empty if the results weren't compared. */
export function* imagesWithoutResult({
  items,
  outcome,
}: Pick<RunRecord, 'items' | 'outcome'>): Steps<ImageWithoutResult[]> {
  if (!outcome?.compared) return [];
  const missing = new Set(outcome.withoutResult);
  const paths = items.map(pathOfItem);
  const names = yield* distinctNamesInSteps(paths);
  return items.flatMap((item, index) =>
    missing.has(item.id) ? [{ item, name: names[index] || item.id, path: paths[index] ?? '' }] : [],
  );
}
