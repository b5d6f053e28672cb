import type { MasksJob } from '../../api/wire';
import { isCoded } from '../../base/errors';
import { masksPhase } from '../../jobs/jobStatus';
import type { AccountSession } from '../accountSession';

/**
 * The masks job of an analysis job, if it was ever asked for. A failed one counts as none, so that it can be asked for
 * again.
 */
export async function masksOf(
  session: AccountSession,
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

/** Asks the service to generate the masks, once, and follows the masks job. */
export async function requestMasks(
  session: AccountSession,
  jobId: string,
  by: 'person' | 'program',
  name?: string,
): Promise<MasksJob> {
  const masks = await session.submitGuard.submitMasks(jobId);
  await session.tracker.track(jobId, { what: 'masks', by, ...(name && { name }) });
  return masks;
}
