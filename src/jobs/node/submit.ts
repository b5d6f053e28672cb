import type { Accounts } from '../../accounts/node/accounts';
import { isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import { CrossWindowFolder } from '../../base/node/crossWindowFolder';
import type { JobSession, JobSessions } from './jobSessions';
import type { DescribedRequest } from './runRecords';
import { leftIntents } from './submitFiles';
import type { SubmitOptions } from './submitGuard';
import type { DescribedSubmit } from './submitState';

/** Submits a job through the guard, stores its input, and tracks it. Returns the job's ID. */
export async function submit(
  session: JobSession,
  request: DescribedRequest,
  by: 'person' | 'program',
  options: SubmitOptions = {},
): Promise<string> {
  const { jobId } = await session.submitGuard
    .submit({ ...request, by }, options)
    .catch(async (error: unknown) => {
      // A program gets the error once; its next identical call is a new job. A person is asked.
      if (by === 'program' && isCoded(error, 'ambiguous-submit')) await session.submitGuard.settle(request);
      throw error;
    });
  await storeSubmitted(session, jobId, request, by);
  await session.submitGuard.stored(request, jobId);
  return jobId;
}

/**
 * Stores and tracks a job as submitted from here. Only logs a failure: an error would look like a
 * failed submit, and the person might pay for the job again.
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

/** A question about a person's submit that may have become one of the candidates. */
interface SubmitQuestion {
  session: JobSession;
  request: DescribedRequest;
  candidates: readonly string[];
  /** Call this once the person was asked. */
  markAsked: () => Promise<void>;
}

/**
 * Stores and tracks jobs of submits whose windows closed or crashed too early. Returns the submits
 * that a person has to decide about, each only once and in one window. Only accounts with such
 * submits get a session. A failure is logged, and the other accounts continue.
 */
export async function pickUpSubmits(
  accounts: Pick<Accounts, 'all' | 'folder' | 'hasKey'>,
  sessions: Pick<JobSessions, 'of' | 'currentProcess'>,
  log: Log,
): Promise<SubmitQuestion[]> {
  const questions: SubmitQuestion[] = [];
  for (const { id } of accounts.all) {
    try {
      const submits = new CrossWindowFolder(accounts.folder(id).submits);
      const intents = await leftIntents(submits, () => sessions.currentProcess());
      if (intents.length > 0 && (await accounts.hasKey(id)))
        questions.push(...(await pickUpOf(await sessions.of(id))));
    } catch (error) {
      log.error('Picking up the submits of an account failed', error);
    }
  }
  return questions;
}

async function pickUpOf(session: JobSession): Promise<SubmitQuestion[]> {
  const unresolved = await session.submitGuard.pickUp((jobId, request) =>
    storeSubmitted(session, jobId, describedRequest(request), request.by),
  );
  return unresolved.map(({ request, ...question }) => ({
    session,
    request: describedRequest(request),
    ...question,
  }));
}

function describedRequest({ by: _by, ...request }: DescribedSubmit): DescribedRequest {
  return request;
}
