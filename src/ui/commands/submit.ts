import type { AccountSession } from '../accountSession';

/** A job to submit, in the spec's names. */
export interface JobRequest {
  pipelineId: string;
  filesystemIds: string[];
  name?: string;
}

/** Submits through the guard, remembers what the service will not tell, and starts tracking. Resolves to the job's id. */
export async function submit(
  session: AccountSession,
  request: JobRequest,
  by: 'person' | 'program',
  signal?: AbortSignal,
): Promise<string> {
  const { jobId } = await session.submitGuard.submit(request, signal);
  await adopt(session, jobId, request, by);
  return jobId;
}

/**
 * Takes a job as the one that was submitted from here. It exists, whatever the disk says: a failure to remember it must
 * not look like a failed submit, which would be made again and paid for twice.
 */
export async function adopt(
  session: AccountSession,
  jobId: string,
  request: JobRequest,
  by: 'person' | 'program',
): Promise<void> {
  try {
    await session.submittedJobs.add({ jobId, ...request, submittedAt: new Date().toISOString(), by });
  } catch (error) {
    session.log.error(`The job ${jobId} could not be remembered`, error);
  }
  await session.tracker.track(jobId, { what: 'analysis', by, ...(request.name && { name: request.name }) });
}
