import type { AnalysisJob, MasksJob, Pipeline } from '../../../service/wire';
import type { SamplePipeline } from '../analysis/pipelines';
import type { StoredJob } from '../store/jobStore';
import type { ResultFileName } from './resultLinks';

/** Returns a new link to a job's result file. */
export type Linker = (jobId: string, file: ResultFileName) => string;

/** An analysis job in a response; `message`, why it failed, isn't in the specification. */
export function jobResponse(job: StoredJob, link: Linker): AnalysisJob & { message?: string } {
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

/** The masks job of an analysis job in a response. */
export function masksResponse(
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

export function pipelineResponse({ id, description, createdAt }: SamplePipeline): Pipeline {
  return { id, description, createdAt };
}
