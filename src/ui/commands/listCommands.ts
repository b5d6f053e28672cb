import * as vscode from 'vscode';
import type { Page, PageQuery } from '../../api/client';
import { DisposableStore, type Disposable } from '../../base/disposable';
import type { AnalysisJob } from '../../api/wire';
import { CodedError } from '../../base/errors';
import { listedResults } from '../../jobs/jobStatus';
import type { AccountSessions } from '../accountSessions';
import type { OutputLog } from '../log';
import { optionalNumber, optionalText } from '../programCall';
import type { FilesTree } from '../trees/filesTree';
import type { JobsTree } from '../trees/jobsTree';
import { FailureNode, LoadMoreNode } from '../trees/pagedTree';
import type { PipelinesTree } from '../trees/pipelinesTree';
import { registerCommand } from './register';

export interface ListCommandParts {
  sessions: AccountSessions;
  trees: readonly [FilesTree, PipelinesTree, JobsTree];
  log: OutputLog;
}

/** Lists for programs, and the small commands of the trees. */
export function registerListCommands({ sessions, trees, log }: ListCommandParts): Disposable {
  const store = new DisposableStore();
  const register = (...args: Parameters<typeof registerCommand>) => store.add(registerCommand(...args));
  register(
    'listFiles',
    {
      program: async options => {
        const { client } = await sessions.active();
        const folderId = optionalText(options, 'folderId');
        return await collect(options, (request, signal) =>
          client.listFilesystemItems({ ...request, ...(folderId && { folderId }) }, signal),
        );
      },
    },
    log,
  );
  register(
    'listPipelines',
    {
      program: async options => {
        const { client } = await sessions.active();
        return await collect(options, (request, signal) => client.listPipelines(request, signal));
      },
    },
    log,
  );
  register(
    'listJobs',
    {
      program: async options => {
        const { client } = await sessions.active();
        const { results } = await collect(options, (request, signal) =>
          client.listAnalysisJobs(request, signal),
        );
        return { results: results.map(withoutLinks) };
      },
    },
    log,
  );
  register('refresh', { program: () => Promise.resolve(trees.forEach(tree => tree.refresh())) }, log);
  register('showLog', { program: () => Promise.resolve(log.show()) }, log);
  register('copyId', { program: copyId, person: rest => copyId({}, rest) }, log);
  register(
    'loadMore',
    {
      program: () => Promise.reject(new CodedError('bad-request', 'This command belongs to the trees')),
      person: async ([node]) => {
        if (node instanceof LoadMoreNode) await node.load();
        else if (node instanceof FailureNode) node.retry();
      },
    },
    log,
  );
  return store;
}

/** The links are secrets: a program learns only that they are there. */
function withoutLinks(listed: AnalysisJob) {
  const { objects, aggregate } = listedResults(listed);
  const job = { ...listed };
  delete job.objectsDataCSVUrl;
  delete job.aggregateDataCSVUrl;
  return { ...job, hasObjects: objects, hasAggregate: aggregate };
}

/** What is asked for at a time: what a service takes is not documented, and it may refuse more. */
const LARGEST_PAGE = 100;

/** All pages, or as many items as `limit` allows. */
async function collect<T extends { id: string }>(
  options: Record<string, unknown>,
  list: (request: PageQuery, signal: AbortSignal | undefined) => Promise<Page<T>>,
): Promise<{ results: T[] }> {
  const limit = optionalNumber(options, 'limit');
  const { Pager, collectAll } = await import('../../api/pager');
  const pager = new Pager<T>((startingAfter, signal) =>
    list(
      {
        ...(startingAfter && { startingAfter }),
        limit: Math.min(limit ?? LARGEST_PAGE, LARGEST_PAGE),
      },
      signal,
    ),
  );
  const results = await collectAll(pager, limit);
  if (pager.cut && results.length < (limit ?? Number.POSITIVE_INFINITY)) {
    const reason = `The list has more than ${results.length} entries`;
    throw new CodedError('unexpected-response', 'The list does not end', { reason });
  }
  return { results };
}

/** Copies the ids of what is selected in a tree, one a line. */
async function copyId(_options: Record<string, unknown>, rest: unknown[]): Promise<void> {
  const [clicked, selected] = rest;
  const nodes: unknown[] = Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
  const ids = nodes
    .map(node => (node as { id?: unknown } | undefined)?.id)
    .filter(id => typeof id === 'string');
  if (ids.length === 0) return;
  await vscode.env.clipboard.writeText(ids.join('\n'));
  vscode.window.setStatusBarMessage(
    ids.length === 1 ? vscode.l10n.t('Copied the id') : vscode.l10n.t('Copied {0} ids', ids.length),
    2000,
  );
}
