import { isCoded } from '../../base/errors';
import type { MasksJob } from '../../service/wire';
import type { JobSession } from './jobSessions';
import { masksPhase, type TrackedJob } from './jobState';
import { unprotectedSubmit } from './submitState';
import type { SubmitOptions } from './submitGuard';

/** Where the masks of a job stand. Only `none` allows a request for them, which uses credits. */
type MasksState = 'none' | 'generating' | 'ready';

/** An analysis job's masks job, if requested. A failed one counts as none, to request again. */
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

/** The result of requesting masks after an analysis; `requested` also if another window did. */
type MasksAfterAnalysis = { kind: 'not-wanted' | 'requested' } | { kind: 'failed'; error: unknown };

/**
 * Requests the masks of an analysis that has succeeded, if the person who submitted it wanted them.
 * Over all windows that is done once at most: masks cost money, and what fails here is requested
 * again by nobody but a person.
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
      // Another window couldn't see it either: both would request them.
      throw unprotectedSubmit(error);
    });
    if (isClaimed) {
      const label = name ?? record.name;
      await requestMasks(session, jobId, 'person', label);
    }
    // They open in place of the tables.
    session.awaited.delete({ jobId, what: 'analysis' });
    return { kind: 'requested' };
  } catch (error) {
    session.awaited.delete({ jobId, what: 'masks' });
    return { kind: 'failed', error };
  }
}
