import type { MasksJob } from '../../service/wire';
import { isCoded } from '../../base/errors';
import { masksPhase } from './jobStatus';
import type { SubmitOptions } from './submitGuard';
import type { JobSession } from './jobSessions';

/** Where the masks of a job stand. Only `none` allows a request for them, which uses credits. */
export type MasksState = 'none' | 'generating' | 'ready';

/** The masks job of an analysis job, if masks were ever requested. A failed one counts as none and can be requested again. */
export async function masksOf(
  session: Pick<JobSession, 'client'>,
  jobId: string,
  signal?: AbortSignal,
): Promise<MasksJob | undefined> {
  try {
    const masks = await session.client.masksJob(jobId, signal);
    return masksPhase(masks) === 'failed' ? undefined : masks;
  } catch (error) {
    if (isCoded(error, 'not-found')) return undefined;
    throw error;
  }
}

/** Masks are ready once they can be downloaded, whatever their status says. */
export async function masksState(
  session: Pick<JobSession, 'client'>,
  jobId: string,
  signal?: AbortSignal,
): Promise<MasksState> {
  const masks = await masksOf(session, jobId, signal);
  if (!masks) return 'none';
  return masks.masksZipUrl === undefined ? 'generating' : 'ready';
}

/** Requests the masks once and tracks the masks job. */
export async function requestMasks(
  session: Pick<JobSession, 'submitGuard' | 'tracker'>,
  jobId: string,
  by: 'person' | 'program',
  name?: string,
  options: SubmitOptions = {},
): Promise<MasksJob> {
  const masks = await session.submitGuard.submitMasks(jobId, options);
  await session.tracker.track(jobId, { what: 'masks', by, ...(name && { name }) });
  return masks;
}
