import * as vscode from 'vscode';
import type { AccountSessions, SessionJob } from '../../app/accounts/accountSessions';
import { nameOfJob } from '../../app/jobs/nameOfJob';
import type { RecentJobs } from '../../app/jobs/recentJobs';
import { runningJob } from '../../app/jobs/runningJobs';
import { viewIds } from '../../app/manifestNames';
import { JobResult } from '../../app/results/jobResult';
import type { OpenResults } from '../../app/results/openResults';
import { DisposableStore } from '../../base/disposable';
import { jobEndNote, openResultLabels, runningJobWords } from '../../words/jobWords';
import { reasonWords } from '../../words/reasonWords';
import { createQuickPick } from '../surfaces/quickPick';
import { showFailure } from '../userMessages';
import { followAsPerson } from './followAsPerson';
import { showToPerson } from './resultCommands';

export interface ShowJobsParts {
  sessions: AccountSessions;
  results: OpenResults;
  recent: RecentJobs;
}

interface JobButton extends vscode.QuickInputButton {
  act: () => Promise<void>;
}

interface JobItem extends vscode.QuickPickItem {
  act: () => Promise<unknown>;
  buttons?: JobButton[];
}

/** Lists the running jobs and those that ended recently, each with what can be done with it. */
export function showJobs({ sessions, results, recent }: ShowJobsParts): void {
  recent.markSeen();
  const running = sessions.all.flatMap(session => session.tracker.jobs.map(job => ({ session, job })));
  const store = new DisposableStore();
  const pick = store.add(createQuickPick<JobItem>());
  const run = (act: () => Promise<unknown>) => {
    pick.hide();
    act().catch(showFailure);
  };
  pick.title = vscode.l10n.t('Jobs');
  pick.placeholder = vscode.l10n.t('Select a job to follow it or to open its results');
  pick.items = [
    ...running.map(runningItem),
    ...recent.ended.map(ended => endedItem(results, sessions, ended)),
    {
      label: vscode.l10n.t('Show All Jobs'),
      iconPath: new vscode.ThemeIcon('list-tree'),
      act: async () => void (await vscode.commands.executeCommand(`${viewIds.jobs}.focus`)),
    },
  ];
  store.add(pick.onDidAccept(() => pick.activeItems[0] && run(pick.activeItems[0].act)));
  store.add(pick.onDidTriggerItemButton(({ button }) => run((button as JobButton).act)));
  store.add(pick.onDidHide(() => store.dispose()));
  pick.show();
}

function runningItem({ session, job }: SessionJob): JobItem {
  const name = nameOfJob(vscode.l10n.t, session, job);
  const shown = runningJob(job, { name, now: Date.now() });
  return {
    label: shown.name,
    description: runningJobWords(vscode.l10n.t, shown),
    iconPath: new vscode.ThemeIcon('sync'),
    act: () => followAsPerson(session, { ...job, name: shown.name }),
  };
}

function endedItem(results: OpenResults, sessions: AccountSessions, { session, job }: SessionJob): JobItem {
  const { t } = vscode.l10n;
  const { jobId, what, phase, reason } = job;
  const name = nameOfJob(t, session, job);
  const open = (part: 'objects' | 'aggregate' | 'masks') => () =>
    showToPerson(results, new JobResult(sessions, session.account.id, jobId, name), part);
  if (phase !== 'succeeded') {
    return {
      label: name,
      description: jobEndNote(t, {
        what,
        failure: reason ? reasonWords(t, reason) : job.status,
        isGivenUp: phase === 'unknown',
      }),
      iconPath: new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed')),
      act: async () => void (await vscode.commands.executeCommand(`${viewIds.jobs}.focus`)),
    };
  }
  const labels = openResultLabels(t);
  const icons = { objects: 'table', aggregate: 'graph', masks: 'layers' };
  const { objects = true, aggregate = true } = job.results ?? {};
  const parts =
    what === 'masks'
      ? (['masks'] as const)
      : ([...(objects ? ['objects'] : []), ...(aggregate ? ['aggregate'] : []), 'masks'] as const);
  const offered = parts as readonly ('objects' | 'aggregate' | 'masks')[];
  return {
    label: name,
    description: jobEndNote(t, { what }),
    iconPath: new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed')),
    buttons: offered.map(part => ({
      iconPath: new vscode.ThemeIcon(icons[part]),
      tooltip: labels[part],
      act: open(part),
    })),
    act: open(offered[0] ?? 'masks'),
  };
}
