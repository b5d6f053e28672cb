import type { ResultPart } from '../../service/resultParts';
import * as vscode from 'vscode';
import { CodedError } from '../../base/errors';
import type { JobSessions } from '../../jobs/node/jobSessions';
import type { ResultSource } from '../node/resultSource';
import type { OpenResults } from '../node/openResults';
import { text } from '../../host/options';
import { FileResult } from '../node/fileResult';
import { activeJobResult, JobResult } from '../node/jobResult';
import { JoinedJobsResult } from '../node/joinedJobsResult';
import { jobLabel } from '../../jobs/node/jobItem';
import { jobsWithObjects } from '../../jobs/node/jobNodes';
import { masksForPerson } from '../../jobs/editor/generateMasks';
import { jobOf } from '../../jobs/editor/jobOf';
import { jobColumnName } from '../../words/jobWords';
import { chooseTableOfMasks } from './tableOfMasks';
import { command } from '../../host/editor/command';
import { explorerUris } from '../../uploads/editor/uriOptions';

export interface ResultCommandParts {
  sessions: JobSessions;
  results: OpenResults;
}

/** Opening tables and masks: of a job, or of a file on disk. */
export function resultCommands({ sessions, results }: ResultCommandParts) {
  const openPart = (what: 'objects' | 'aggregate' | 'masks') =>
    command({
      options: { jobId: text },
      program: async ({ jobId }) => {
        await results.show(await activeJobResult(vscode.l10n.t, sessions, jobId), what, {
          closeOnFailure: true,
        });
      },
      person: async rest => {
        const session = await sessions.active();
        const several = what === 'objects' ? selectedJobs(rest) : [];
        if (several.length > 1) {
          const joined = new JoinedJobsResult({
            sessions,
            accountId: session.account.id,
            jobs: several,
            jobColumn: jobColumnName(vscode.l10n.t),
          });
          await showToPerson(results, joined, what);
          return;
        }
        const job = await jobOf(session, rest, 'succeeded');
        if (!job) return;
        const source = new JobResult(sessions, session.account.id, job.id, job.label);
        await showToPerson(results, source, what);
      },
    });
  const openFile = (what: 'file' | 'masks', extensions: string[]) =>
    command({
      options: {},
      program: async (_options, rest) => {
        const [uri] = explorerUris(rest);
        if (!uri) throw new CodedError('bad-request', 'No file was given', { subject: 'uri' });
        await results.show(new FileResult(uri, what), what, { closeOnFailure: true });
      },
      person: async rest => {
        const given = explorerUris(rest);
        const uris =
          given.length > 0
            ? given
            : await vscode.window.showOpenDialog({
                canSelectMany: true,
                filters: { [extensions.join(', ')]: extensions },
              });
        for (const uri of uris ?? []) await showToPerson(results, new FileResult(uri, what), what);
      },
    });
  return {
    openObjectsTable: openPart('objects'),
    openAggregateTable: openPart('aggregate'),
    openMasks: openPart('masks'),
    openTableFile: openFile('file', ['csv', 'tsv', 'txt']),
    openMasksFile: openFile('masks', ['zip']),
  };
}

/** Jobs selected in the tree that have objects, with their labels; the tree passes its selection as the second argument. */
function selectedJobs([, selected]: readonly unknown[]): { id: string; label: string }[] {
  return jobsWithObjects(Array.isArray(selected) ? selected : []).map(node => ({
    id: node.id,
    label: jobLabel(vscode.l10n.t, node),
  }));
}

/**
 * Shows a part of a result to a person. Where masks were never requested it offers to generate them, and waits for them. The panel
 * shows other failures, with a button to retry, so there is no message for them.
 */
export async function showToPerson(
  results: OpenResults,
  source: ResultSource,
  what: ResultPart,
): Promise<void> {
  let keepsFocus = false;
  if (what === 'masks' && source instanceof JobResult) {
    const masks = await masksForPerson(await source.session(), { id: source.jobId, label: source.title });
    if (masks === undefined) return;
    // Meanwhile the person works on something else.
    keepsFocus = masks === 'generated';
  }
  const session = what === 'objects' ? results.sessionOf(source) : undefined;
  if (session && (await session.needsTable())) return chooseTableOfMasks(results, session);
  await results.show(source, what, { keepsFocus }).catch((error: unknown) => {
    if (!(error instanceof CodedError)) throw error;
  });
}
