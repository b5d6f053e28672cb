import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { CodedError } from '../../base/errors';
import type { Log } from '../../base/log';
import type { AccountSession } from '../accountSession';
import type { AccountSessions } from '../accountSessions';
import type { ResultSource, ResultWhat } from '../panels/resultSource';
import type { ResultSessions } from '../panels/resultSessions';
import { explorerUris, requiredText } from '../programCall';
import { FileResult, JobResult, JoinedJobsResult } from '../resultSources';
import { JobNode } from '../trees/jobsTree';
import { generateAsPerson } from './jobCommands';
import { jobOf } from './jobOf';
import { masksOf } from './masksOfJob';
import { registerCommand } from './register';

export interface ResultCommandParts {
  sessions: AccountSessions;
  results: ResultSessions;
  log: Log;
}

/** Opening tables and masks: of a job, or of a file on disk. */
export function registerResultCommands({ sessions, results, log }: ResultCommandParts): Disposable {
  const store = new DisposableStore();
  const ofJob = (name: string, what: 'objects' | 'aggregate' | 'masks') =>
    store.add(
      registerCommand(
        name,
        {
          program: async options => {
            const session = await sessions.active();
            const jobId = requiredText(options, 'jobId');
            const label = (await session.submittedJobs.find(jobId))?.name ?? jobId;
            const source = new JobResult(sessions, session.account.id, jobId, label);
            await results.show(source, what, { closeOnFailure: true });
          },
          person: async rest => {
            const session = await sessions.active();
            const several = what === 'objects' ? selectedJobs(rest) : [];
            if (several.length > 1) {
              const joined = new JoinedJobsResult(sessions, session.account.id, several);
              await showToPerson(results, joined, what);
              return;
            }
            const job = await jobOf(session, rest, 'succeeded');
            if (!job) return;
            const source = new JobResult(sessions, session.account.id, job.id, job.label);
            await showToPerson(results, source, what);
          },
        },
        log,
      ),
    );
  ofJob('openObjectsTable', 'objects');
  ofJob('openAggregateTable', 'aggregate');
  ofJob('openMasks', 'masks');

  const ofFile = (name: string, what: 'file' | 'masks', extensions: string[]) =>
    store.add(
      registerCommand(
        name,
        {
          program: async (_options, rest) => {
            const [uri] = explorerUris(rest);
            if (!uri) throw new CodedError('bad-request', 'No file was given', { subject: 'uri' });
            await results.show(new FileResult(uri, what), what, { closeOnFailure: true });
          },
          person: async rest => {
            const named = explorerUris(rest);
            const uris =
              named.length > 0
                ? named
                : await vscode.window.showOpenDialog({
                    canSelectMany: true,
                    filters: { [extensions.join(', ')]: extensions },
                  });
            for (const uri of uris ?? []) await showToPerson(results, new FileResult(uri, what), what);
          },
        },
        log,
      ),
    );
  ofFile('openTableFile', 'file', ['csv', 'tsv', 'txt']);
  ofFile('openMasksFile', 'masks', ['zip']);
  return store;
}

/** Jobs selected in the tree that have objects, with their labels; the tree hands its selection over second. */
function selectedJobs([, selected]: readonly unknown[]): { id: string; label: string }[] {
  return (Array.isArray(selected) ? selected : [])
    .filter((node): node is JobNode => node instanceof JobNode && Boolean(node.resource.objectsDataCSVUrl))
    .map(({ id, label }) => ({ id, label }));
}

/**
 * Shows a part of a result to a person. Masks that nobody asked for yet are offered to be generated. What keeps the rest
 * from being shown stands in the panel, with a way to try again: no second message says it.
 */
export async function showToPerson(
  results: ResultSessions,
  source: ResultSource,
  what: ResultWhat,
): Promise<void> {
  if (what === 'masks' && source instanceof JobResult) {
    if (!(await masksAreThere(await source.session(), { id: source.jobId, label: source.title }))) return;
  }
  await results.show(source, what).catch((error: unknown) => {
    if (!(error instanceof CodedError)) throw error;
  });
}

/** Whether there are masks to open; if not, offers to generate them, or says how far they are. */
export async function masksAreThere(
  session: AccountSession,
  job: { id: string; label: string },
): Promise<boolean> {
  const masks = await masksOf(session, job.id);
  if (masks?.masksZipUrl !== undefined) return true;
  await generateAsPerson(session, job.id, job.label);
  return false;
}
