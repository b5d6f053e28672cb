import { SharedFolder } from '../../base/sharedFolder';
import { thisProcess } from '../../base/thisProcess';
import type { DescribedSubmit } from '../../jobs/intents/describedSubmit';
import { leftIntents } from '../../jobs/intents/leftIntents';
import type { Accounts } from '../accounts/accounts';
import type { AccountSession } from '../accounts/accountSession';
import type { AccountSessions } from '../accounts/accountSessions';
import type { DescribedRequest } from './jobRequest';
import { storeSubmitted } from './submit';

/** A person's submit of which it is unknown whether it became a job, and which it may be. */
export interface LeftQuestion {
  session: AccountSession;
  request: DescribedRequest;
  candidates: readonly string[];
}

/**
 * Stores and tracks the jobs of submits whose windows closed or crashed before that. Returns the submits that a person has to
 * decide about, each in one window and once. Only accounts with such submits get a session.
 */
export async function pickUpSubmits(
  accounts: Pick<Accounts, 'all' | 'folder' | 'hasKey'>,
  sessions: Pick<AccountSessions, 'of'>,
): Promise<LeftQuestion[]> {
  const questions: LeftQuestion[] = [];
  for (const { id } of accounts.all) {
    const left = await leftIntents(new SharedFolder(accounts.folder(id).submits), thisProcess());
    if (left.length === 0 || !(await accounts.hasKey(id))) continue;
    const session = await sessions.of(id);
    const unresolved = await session.submitGuard.pickUp((jobId, request) =>
      storeSubmitted(session, jobId, describedRequest(request), request.by),
    );
    for (const { request, candidates } of unresolved)
      questions.push({ session, request: describedRequest(request), candidates });
  }
  return questions;
}

function describedRequest({ by: _by, filesystemIds, ...request }: DescribedSubmit): DescribedRequest {
  return { ...request, filesystemIds: [...filesystemIds] };
}
