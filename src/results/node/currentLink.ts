import type { AnalysisClient } from '../../service/node/client';
import { namesFailure } from '../../service/node/statusWords';
import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import type { DownloadedPart } from '../../service/resultParts';

/** A part of a job's result. */
export interface ResultName {
  jobId: string;
  part: DownloadedPart;
}

/** The link to a result as the service gives it now, a secret. Throws `not-found` before there is one, `job-failed`. */
export async function currentLink(
  client: Pick<AnalysisClient, 'analysisJob' | 'masksJob'>,
  { jobId, part }: ResultName,
  signal: AbortSignal,
): Promise<string> {
  if (part === 'masks') {
    const masks = await client.masksJob(jobId, signal);
    return masks.masksZipUrl ?? missing(jobId, masks);
  }
  const job = await client.analysisJob(jobId, signal);
  return (part === 'objects' ? job.objectsDataCSVUrl : job.aggregateDataCSVUrl) ?? missing(jobId, job);
}

function missing(jobId: string, { status, reason: why }: { status: string; reason?: string }): never {
  if (namesFailure(status)) {
    throw new CodedError('job-failed', 'The job failed', {
      subject: jobId,
      ...(why !== undefined && { reason: reason('quoted', why) }),
    });
  }
  throw new CodedError('not-found', 'The job has no such result yet', {
    subject: jobId,
    reason: reason('no-result-yet', status || 'unknown'),
  });
}
