import type { Log } from '../../base/log';
import { SharedFolder } from '../../base/node/sharedFolder';
import type { DescribedSubmit } from './intents/describedSubmit';
import { leftIntents } from './intents/leftIntents';
import type { Accounts } from '../../accounts/node/accounts';
import type { JobSession, JobSessions } from './jobSessions';
import type { DescribedRequest } from './jobRequest';
import { storeSubmitted } from './submit';

/** A person's submit of which it is unknown whether it became a job, and which it may be. */
export interface LeftQuestion {
  session: JobSession;
  request: DescribedRequest;
  candidates: readonly string[];
}

/**
 * Stores and tracks the jobs of submits whose windows closed or crashed before that. Returns the submits that a person has to
 * decide about, each in one window and once. Only accounts with such submits get a session. A failure is logged, and keeps no
 * submit of another account from being picked up.
 */
export async function pickUpSubmits(
  accounts: Pick<Accounts, 'all' | 'folder' | 'hasKey'>,
  sessions: Pick<JobSessions, 'of' | 'here'>,
  log: Log,
): Promise<LeftQuestion[]> {
  const questions: LeftQuestion[] = [];
  for (const { id } of accounts.all) {
    try {
      const submits = new SharedFolder(accounts.folder(id).submits);
      const left = await leftIntents(submits, () => sessions.here());
      if (left.length > 0 && (await accounts.hasKey(id)))
        questions.push(...(await pickUpOf(await sessions.of(id))));
    } catch (error) {
      log.error('Picking up the submits of an account failed', error);
    }
  }
  return questions;
}

async function pickUpOf(session: JobSession): Promise<LeftQuestion[]> {
  const unresolved = await session.submitGuard.pickUp((jobId, request) =>
    storeSubmitted(session, jobId, describedRequest(request), request.by),
  );
  return unresolved.map(({ request, candidates }) => ({
    session,
    request: describedRequest(request),
    candidates,
  }));
}

function describedRequest({ by: _by, filesystemIds, ...request }: DescribedSubmit): DescribedRequest {
  return { ...request, filesystemIds: [...filesystemIds] };
}
