import * as vscode from 'vscode';
import { FailureNode, LoadMoreNode } from '../../host/node/pagedNodes';
import { CodedError } from '../../base/errors';
import { command } from '../../host/editor/command';
import type { OutputLog } from '../../host/editor/log';
import { setStatusBarMessage } from '../../host/editor/shown';
import { optionalNumber, optionalText } from '../../host/options';
import { listAll } from '../../service/node/listAll';
import type { JobSessions } from '../node/jobSessions';
import { jobWithoutLinks } from '../node/listedJobs';
import { selectedIds } from '../node/submission';

interface ListCommandDependencies {
  sessions: JobSessions;
  trees: readonly { refresh(): void }[];
  log: OutputLog;
}

/** Commands that list items for programs, and small commands of the trees and the log. */
export function listCommands({ sessions, trees, log }: ListCommandDependencies) {
  return {
    listFiles: command({
      options: { folderId: optionalText, limit: optionalNumber },
      program: async ({ folderId, limit }) => {
        const { client } = await sessions.active();
        return await listAll(limit, (request, signal) =>
          client.listFilesystemItems({ ...request, ...(folderId && { folderId }) }, signal),
        );
      },
    }),
    listPipelines: command({
      options: { limit: optionalNumber },
      program: async ({ limit }) => {
        const { client } = await sessions.active();
        return await listAll(limit, (request, signal) => client.listPipelines(request, signal));
      },
    }),
    listJobs: command({
      options: { limit: optionalNumber },
      program: async ({ limit }) => {
        const { client } = await sessions.active();
        const { results } = await listAll(limit, (request, signal) =>
          client.listAnalysisJobs(request, signal),
        );
        return { results: results.map(jobWithoutLinks) };
      },
    }),
    refresh: command({ options: {}, program: () => Promise.resolve(trees.forEach(tree => tree.refresh())) }),
    showLog: command({ options: {}, program: () => Promise.resolve(log.show()) }),
    copyId: command({ options: {}, program: (_options, treeArguments) => copyIds(treeArguments) }),
    loadMore: command({
      options: {},
      program: () => Promise.reject(new CodedError('bad-request', 'This command belongs to the trees')),
      person: async ([node]) => {
        if (node instanceof LoadMoreNode) await node.load();
        else if (node instanceof FailureNode) {
          // If one view can't reach the service, the other views can't either: retry all.
          if (node.unreachableHost !== undefined) trees.forEach(tree => tree.refresh());
          else node.retry();
        }
      },
    }),
  };
}

/** Copies the IDs of the items selected in a tree, one per line. */
async function copyIds(treeArguments: unknown[]): Promise<void> {
  const ids = selectedIds(treeArguments);
  if (ids.length === 0) return;
  await vscode.env.clipboard.writeText(ids.join('\n'));
  setStatusBarMessage(
    ids.length === 1 ? vscode.l10n.t('Copied the ID') : vscode.l10n.t('Copied {0} IDs', ids.length),
  );
}
