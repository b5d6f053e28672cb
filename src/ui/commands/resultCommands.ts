import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { CodedError } from '../../base/errors';
import type { Log } from '../../base/log';
import type { AccountSession } from '../accountSession';
import type { AccountSessions } from '../accountSessions';
import type { ResultWhat } from '../panels/resultSource';
import type { ResultSessions } from '../panels/resultSessions';
import { explorerUris, requiredText } from '../programCall';
import { FileResult, JobResult } from '../resultSources';
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
            await results.show(new JobResult(sessions, session.account.id, jobId, label), what);
          },
          person: async rest => {
            const session = await sessions.active();
            const job = await jobOf(session, rest, 'succeeded');
            if (!job) return;
            if (what === 'masks' && !(await masksAreThere(session, job))) return;
            await results.show(new JobResult(sessions, session.account.id, job.id, job.label), what);
          },
        },
        log,
      ),
    );
  ofJob('openObjectsTable', 'objects');
  ofJob('openAggregateTable', 'aggregate');
  ofJob('openMasks', 'masks');

  const ofFile = (name: string, what: ResultWhat, extensions: string[]) =>
    store.add(
      registerCommand(
        name,
        {
          program: async (_options, rest) => {
            const [uri] = explorerUris(rest);
            if (!uri) throw new CodedError('bad-request', 'No file was given', { subject: 'uri' });
            await results.show(new FileResult(uri), what);
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
            for (const uri of uris ?? []) await results.show(new FileResult(uri), what);
          },
        },
        log,
      ),
    );
  ofFile('openTableFile', 'file', ['csv', 'tsv', 'txt']);
  ofFile('openMasksFile', 'masks', ['zip']);
  return store;
}

/** Whether there are masks to open; if not, offers to generate them, or says how far they are. */
async function masksAreThere(session: AccountSession, job: { id: string; label: string }): Promise<boolean> {
  const masks = await masksOf(session, job.id);
  if (masks?.masksZipUrl !== undefined) return true;
  await generateAsPerson(session, job.id, job.label);
  return false;
}
