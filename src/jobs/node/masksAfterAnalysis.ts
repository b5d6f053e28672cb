import { unprotectedSubmit } from './intents/ownIntent';
import type { TrackedJob } from './trackedJob';
import type { JobSession } from './jobSessions';
import { requestMasks } from './masksOfJob';

/** What became of masks that were to be generated after an analysis; `requested` also where another window did it. */
export type MasksAfterAnalysis = { kind: 'not-wanted' | 'requested' } | { kind: 'failed'; error: unknown };

/**
 * Requests the masks of an analysis that has succeeded, if the person who submitted it wanted them. Over all windows that is done
 * once at most: masks cost money, and what fails here is requested again by nobody but a person.
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
