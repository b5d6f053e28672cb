import { fileURLToPath } from 'node:url';
import { CodedError } from '../../base/errors';
import { type Reason, codedReason } from '../../base/reasons';
import type { LocalFile } from '../../uploads/node/expandFiles';
import { diskFacts } from '../../uploads/node/fileSources';
import { type DamageCheckDependencies, refuseDamaged } from '../../uploads/node/imageDamage';
import type { UploadRecord } from '../../uploads/node/uploadRecords';
import type { JobSession } from './jobSessions';
import type { DescribedRequest, RunItem } from './runRecords';

/**
 * A job's input, to submit it again: from its run record, else from the storage of older versions.
 * Throws `not-found` for a job that wasn't submitted from here.
 */
export async function inputOfRun(
  session: Pick<JobSession, 'runs' | 'submittedJobs' | 'jobFacts'>,
  jobId: string,
): Promise<DescribedRequest> {
  const record = await session.runs.find(jobId);
  if (record) {
    const { pipeline, items, name, masks } = record;
    return {
      pipelineId: pipeline.id,
      ...(pipeline.description && { pipelineDescription: pipeline.description }),
      filesystemIds: items.map(({ id }) => id),
      items,
      ...(name && { name }),
      ...(masks && { masks }),
    };
  }
  const submitted = await session.submittedJobs.find(jobId);
  // Jobs stored by older versions may lack their items.
  if (!submitted || submitted.filesystemIds.length === 0) {
    throw new CodedError('not-found', 'What the job was run with is not known here', {
      subject:
        session.jobFacts.get(jobId).name ?? submitted?.name ?? session.jobFacts.listedName(jobId) ?? jobId,
      reason: codedReason(
        'run-unknown',
        "The job wasn't submitted from this machine, so its files aren't known",
      ),
    });
  }
  const { pipelineId, filesystemIds, name } = submitted;
  return { pipelineId, filesystemIds, ...(name && { name }) };
}

/** The same input without pipeline and name, for another pipeline. */
export function withoutPipeline({
  filesystemIds,
  items,
}: DescribedRequest): Pick<DescribedRequest, 'filesystemIds' | 'items'> {
  return { filesystemIds, ...(items && { items }) };
}

/** An image of a job whose file on this machine can't be decoded. */
export interface DamagedImage {
  item: RunItem;
  /** Name of the file on this machine. */
  name: string;
  why: Reason | undefined;
}

/**
 * The damaged images of a job. Checks the files that they were uploaded from, if unchanged. Throws
 * `cancelled`.
 */
export async function damagedImages(
  dependencies: DamageCheckDependencies,
  { uploadRecords }: { uploadRecords: Pick<JobSession['uploadRecords'], 'ofItems'> },
  items: readonly RunItem[],
  signal: AbortSignal,
): Promise<DamagedImage[]> {
  const records = await uploadRecords.ofItems(new Set(items.map(({ id }) => id)));
  const files = await Promise.all([...records.values()].map(unchangedFile));
  const { failed } = await refuseDamaged(
    dependencies,
    { files: files.flatMap(file => file ?? []), failed: [], hadFolder: false },
    signal,
  );
  const errors = new Map(failed.map(({ uri, error }) => [uri, error]));
  return items.flatMap(item => {
    const record = records.get(item.id);
    const error = record && errors.get(record.uri);
    return error ? [{ item, name: record.fileName, why: error.details.reason }] : [];
  });
}

/** The uploaded file; undefined if it has changed, is gone, or isn't on a disk. */
async function unchangedFile({
  uri,
  fileName,
  size,
  identity,
}: UploadRecord): Promise<LocalFile | undefined> {
  if (!uri.startsWith('file:')) return undefined;
  const facts = await diskFacts(fileURLToPath(uri), fileName).catch(() => undefined);
  return facts?.identity === identity ? { uri, fileName, folder: '', size } : undefined;
}
