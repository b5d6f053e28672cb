import type { MasksJob } from '../../api/wire';
import { isCoded } from '../../base/errors';
import { masksPhase } from '../../jobs/jobStatus';
import type { AccountSession } from '../accountSession';

/**
 * The masks job of an analysis job, if it was ever asked for. How the service says "never" is not documented: a 404 or
 * a 400 are taken for it. A failed one counts as none, so that it can be asked for again.
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
    if (isCoded(error, 'not-found') || isCoded(error, 'bad-request')) return undefined;
    throw error;
  }
}

/** Asks the service to generate the masks, once, and follows the masks job. */
export async function requestMasks(session: AccountSession, jobId: string, name?: string): Promise<MasksJob> {
  const masks = await session.submitGuard.submitMasks(jobId);
  await session.tracker.track(jobId, { what: 'masks', ...(name && { name }) });
  return masks;
}
