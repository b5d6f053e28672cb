import { isCoded } from '../../base/errors';
import type { SubmitOptions } from './submitGuard';
import type { JobSession } from './jobSessions';
import type { DescribedRequest } from './jobRequest';

/** Submits through the guard, stores what the service doesn't return of a job, and starts tracking. Resolves to the job's ID. */
export async function submit(
  session: JobSession,
  request: DescribedRequest,
  by: 'person' | 'program',
  options: SubmitOptions = {},
): Promise<string> {
  const { jobId } = await session.submitGuard
    .submit({ ...request, by }, options)
    .catch(async (error: unknown) => {
      // A program is told once: its next identical call is a new job. A person decides.
      if (by === 'program' && isCoded(error, 'ambiguous-submit')) await session.submitGuard.settle(request);
      throw error;
    });
  await storeSubmitted(session, jobId, request, by);
  await session.submitGuard.stored(request, jobId);
  return jobId;
}

/**
 * Stores and tracks a job as submitted from here. A failure to store it is only logged: thrown, it would look like a failed
 * submit, and the job would be submitted and paid for again.
 */
export async function storeSubmitted(
  session: JobSession,
  jobId: string,
  request: DescribedRequest,
  by: 'person' | 'program',
): Promise<void> {
  try {
    await session.runs.submitted(jobId, request, by);
  } catch (error) {
    session.log.error(`The job ${jobId} could not be stored`, error);
  }
  if (by === 'person') {
    session.awaited.add({ jobId, what: 'analysis' });
    if (request.masks) session.awaited.add({ jobId, what: 'masks' });
  }
  await session.tracker.track(jobId, { what: 'analysis', by, ...(request.name && { name: request.name }) });
}
