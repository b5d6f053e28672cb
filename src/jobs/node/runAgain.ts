import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import type { JobSession } from './jobSessions';
import type { DescribedRequest } from './jobRequest';

/**
 * What a job was run with, to be submitted again: from its run record, else from what older versions stored. Throws `not-found`
 * for a job that was not submitted from here.
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
  // The items of old jobs are dropped first.
  if (!submitted || submitted.filesystemIds.length === 0) {
    throw new CodedError('not-found', 'What the job was run with is not known here', {
      subject:
        session.jobFacts.get(jobId).name ?? submitted?.name ?? session.jobFacts.listedName(jobId) ?? jobId,
      reason: reason('run-unknown'),
    });
  }
  const { pipelineId, filesystemIds, name } = submitted;
  return { pipelineId, filesystemIds, ...(name && { name }) };
}

/** The same input for another pipeline; another name will be proposed. */
export function withoutPipeline({
  filesystemIds,
  items,
}: DescribedRequest): Pick<DescribedRequest, 'filesystemIds' | 'items'> {
  return { filesystemIds, ...(items && { items }) };
}
