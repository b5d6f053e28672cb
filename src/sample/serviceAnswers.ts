import type { AnalysisJob, MasksJob, Pipeline } from '../api/wire';
import type { SamplePipeline } from './analysis/pipelines';
import type { StoredJob } from './jobStore';
import type { ResultFile } from './resultLinks';

/** Gives a job's result file a fresh link. */
export type Linker = (jobId: string, file: ResultFile) => string;

/** An analysis job as it is answered; why it failed is a field of our own. */
export function jobAnswer(job: StoredJob, link: Linker): AnalysisJob & { message?: string } {
  const { id, name, createdAt, status, percentageCompleted, message } = job;
  return {
    id,
    percentageCompleted,
    status,
    ...(name === undefined ? {} : { name }),
    createdAt,
    ...(message === undefined ? {} : { message }),
    ...(status === 'SUCCEEDED'
      ? { objectsDataCSVUrl: link(id, 'objects.csv'), aggregateDataCSVUrl: link(id, 'aggregate.csv') }
      : {}),
  };
}

/** The masks job of an analysis job as it is answered. */
export function masksAnswer(
  jobId: string,
  masks: NonNullable<StoredJob['masks']>,
  link: Linker,
): MasksJob & { message?: string } {
  const { status, percentageCompleted, message } = masks;
  return {
    percentageCompleted,
    status,
    ...(message === undefined ? {} : { message }),
    ...(status === 'SUCCEEDED' ? { masksZipUrl: link(jobId, 'masks.zip') } : {}),
  };
}

export function pipelineAnswer({ id, description, createdAt }: SamplePipeline): Pipeline {
  return { id, description, createdAt };
}
