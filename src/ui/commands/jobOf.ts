import * as vscode from 'vscode';
import { Pager } from '../../api/pager';
import { listedPhase } from '../../jobs/jobStatus';
import type { AccountSession } from '../accountSession';
import { pickOne } from '../pagedPick';
import { JobNode } from '../trees/jobsTree';

/** The job a person means: the one clicked in the tree, or one picked from the list. Undefined on Esc. */
export async function jobOf(
  session: AccountSession,
  rest: readonly unknown[],
  only?: 'succeeded',
): Promise<{ id: string; label: string } | undefined> {
  const [clicked] = rest;
  if (clicked instanceof JobNode) return clicked;
  const pager = new Pager((startingAfter, signal) =>
    session.client.listAnalysisJobs({ ...(startingAfter && { startingAfter }) }, signal).then(async page => ({
      ...page,
      results: await Promise.all(
        page.results.map(async job => ({ ...job, submitted: await session.submittedJobs.find(job.id) })),
      ),
    })),
  );
  const label = ({ submitted, ...job }: (typeof pager.items)[number]) => new JobNode(job, submitted).label;
  const source = {
    get items() {
      return pager.items.filter(job => only === undefined || listedPhase(job) === only);
    },
    get mayHaveMore() {
      return pager.mayHaveMore;
    },
    loadMore: (signal?: AbortSignal) => pager.loadMore(signal),
  };
  const answer = await pickOne(
    source,
    job => ({ label: label(job), description: job.status.toLowerCase(), detail: job.id }),
    {
      title: vscode.l10n.t('Analysis jobs'),
      placeholder: vscode.l10n.t('Which job?'),
      empty: vscode.l10n.t('There is no job to choose from'),
      step: 1,
      totalSteps: 1,
      canGoBack: false,
    },
  );
  return answer.kind === 'answer' ? { id: answer.value.id, label: label(answer.value) } : undefined;
}
