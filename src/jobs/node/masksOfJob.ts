import { isCoded } from '../../base/errors';
import type { MasksJob } from '../../service/wire';
import type { JobSession } from './jobSessions';
import { masksPhase, type TrackedJob } from './jobState';
import { unprotectedSubmit } from './submitState';
import type { SubmitOptions } from './submitGuard';

/** State of a job's masks. They can be requested, which uses credits, only in `none`. */
type MasksState = 'none' | 'generating' | 'ready';

/** An analysis job's masks job; undefined if none was requested or it failed. */
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

/** The state of a job's masks. They are ready once they can be downloaded, whatever the status. */
export async function masksState(
  session: Pick<JobSession, 'client'>,
  jobId: string,
  signal?: AbortSignal,
): Promise<MasksState> {
  const masks = await masksOf(session, jobId, signal);
  if (!masks) return 'none';
  return masks.masksZipUrl === undefined ? 'generating' : 'ready';
}

/** Requests masks and tracks the masks job. */
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

/** The result of `masksAfterAnalysis`; `requested` also if another window requested them. */
type MasksAfterAnalysis = { kind: 'not-wanted' | 'requested' } | { kind: 'failed'; error: unknown };

/**
 * Requests the masks of a succeeded analysis, if the person selected them at the submit. All
 * windows together do this at most once, because masks cost money. After a failure only a person
 * can request them again.
 */
export async function masksAfterAnalysis(
  session: Pick<JobSession, 'runs' | 'submitGuard' | 'tracker' | 'awaited'>,
  { jobId, what, phase, name }: Pick<TrackedJob, 'jobId' | 'what' | 'phase' | 'name'>,
): Promise<MasksAfterAnalysis> {
  if (what !== 'analysis' || phase !== 'succeeded') return { kind: 'not-wanted' };
  try {
    const record = await session.runs.find(jobId);
    if (!record?.masks) return { kind: 'not-wanted' };
    const isClaimed = await session.runs.claimMasks(jobId).catch((error: unknown) => {
      // Other windows can't see the claim, so two windows could request masks.
      throw unprotectedSubmit(error);
    });
    if (isClaimed) {
      const label = name ?? record.name;
      await requestMasks(session, jobId, 'person', label);
    }
    // The masks open instead of the tables.
    session.awaited.delete({ jobId, what: 'analysis' });
    return { kind: 'requested' };
  } catch (error) {
    session.awaited.delete({ jobId, what: 'masks' });
    return { kind: 'failed', error };
  }
}
