import * as vscode from 'vscode';
import { namesCancel } from '../../service/node/statusWords';
import type { JobSessions, SessionJob } from '../../jobs/node/jobSessions';
import { nameOfJob } from '../../jobs/node/nameOfJob';
import type { RecentJobs } from '../../jobs/node/recentJobs';
import { type ShownEnd, shownEnds } from '../../jobs/node/jobEnds';
import { runningJob, type TrackedJob } from '../../jobs/node/jobState';
import { viewIds } from '../../host/manifestNames';
import { JobResult } from '../node/resultSource';
import type { OpenResults } from '../node/openResults';
import type { Log } from '../../base/log';
import { DisposableStore } from '../../base/disposable';
import { jobEndNote, jobEndWords, openResultLabels, runningJobNote } from '../../words/jobWords';
import { reasonWords } from '../../words/reasonWords';
import { showErrorMessage, showFailure, showInformationMessage } from '../../host/editor/messages';
import { createQuickPick } from '../../host/editor/boxes';
import { followAsPerson, stopAsPerson } from '../../jobs/editor/followAsPerson';
import { runAgainButton, type RunAgainButton } from '../../jobs/editor/runAgainOffers';
import { showToPerson } from './resultCommands';

export interface ShowJobsDependencies {
  sessions: JobSessions;
  results: OpenResults;
  recent: RecentJobs;
  log: Log;
}

interface JobButton extends vscode.QuickInputButton {
  tooltip: string;
  act: () => Promise<void>;
}

/**
 * A job in the list. Its state is in `detail`, below the name, because long names leave no room.
 */
interface JobItem extends vscode.QuickPickItem {
  act?: () => Promise<unknown>;
  buttons?: JobButton[];
}

/** Lists running and recently ended jobs, each with its actions. */
export async function showJobs(dependencies: ShowJobsDependencies): Promise<void> {
  const { sessions, recent } = dependencies;
  recent.markSeen();
  const running = sessions.all.flatMap(session => session.tracker.jobs.map(job => ({ session, job })));
  const ended = await Promise.all(shownEnds(recent.ended).map(end => endedItem(dependencies, end)));
  const store = new DisposableStore();
  const pick = store.add(createQuickPick<JobItem>());
  const run = (act: () => Promise<unknown>) => {
    pick.hide();
    act().catch(showFailure);
  };
  pick.title = vscode.l10n.t('Jobs');
  pick.placeholder = vscode.l10n.t('Select a job to follow it, to open its results, or to see why it failed');
  pick.items = [
    ...running.map(runningItem),
    ...ended,
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: vscode.l10n.t('Show All Jobs'),
      iconPath: new vscode.ThemeIcon('list-tree'),
      act: async () => void (await vscode.commands.executeCommand(`${viewIds.jobs}.focus`)),
    },
  ];
  store.add(
    pick.onDidAccept(() => {
      const act = pick.activeItems[0]?.act;
      if (act) run(act);
    }),
  );
  store.add(pick.onDidTriggerItemButton(({ button }) => run((button as JobButton).act)));
  store.add(pick.onDidHide(() => store.dispose()));
  pick.show();
}

function runningItem({ session, job }: SessionJob): JobItem {
  const name = nameOfJob(vscode.l10n.t, session, job);
  const shown = runningJob(job, { name, now: Date.now() });
  return {
    label: shown.name,
    detail: runningJobNote(vscode.l10n.t, shown),
    iconPath: new vscode.ThemeIcon(job.unreachable ? 'debug-disconnect' : 'sync'),
    buttons: [
      {
        iconPath: new vscode.ThemeIcon('eye-closed'),
        tooltip: vscode.l10n.t('Stop Following'),
        act: () => stopAsPerson(session, { ...job, name: shown.name }),
      },
    ],
    act: () => followAsPerson(session, { ...job, name: shown.name }),
  };
}

async function endedItem(
  dependencies: ShowJobsDependencies,
  { ended: { session, job }, tables }: ShownEnd<SessionJob>,
): Promise<JobItem> {
  const submitted = await session.submittedJobs.find(job.jobId);
  const name = nameOfJob(vscode.l10n.t, session, { ...job, name: job.name ?? submitted?.name });
  if (job.phase === 'succeeded') return doneItem(dependencies, { session, job }, { name, tables });
  return failedItem(job, { name, again: await runAgainButton(dependencies, { session, job }, name) });
}

function doneItem(
  { sessions, results }: ShowJobsDependencies,
  { session, job }: SessionJob,
  { name, tables }: { name: string; tables: ShownEnd<SessionJob>['tables'] },
): JobItem {
  const { t } = vscode.l10n;
  const { jobId, what } = job;
  const open = (part: JobPart) => () =>
    showToPerson(results, new JobResult(sessions, session.account.id, jobId, name), part);
  const labels = openResultLabels(t);
  const icons = { objects: 'table', aggregate: 'graph', masks: 'layers' };
  const { objects, aggregate } = tables ?? { objects: what === 'analysis', aggregate: what === 'analysis' };
  const availableParts: readonly JobPart[] = [
    ...(objects ? (['objects'] as const) : []),
    ...(aggregate ? (['aggregate'] as const) : []),
    'masks',
  ];
  return {
    label: name,
    detail: jobEndNote(t, { what }),
    iconPath: new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed')),
    buttons: availableParts.map(part => ({
      iconPath: new vscode.ThemeIcon(icons[part]),
      tooltip: labels[part],
      act: open(part),
    })),
    act: open(what === 'masks' ? 'masks' : (availableParts[0] ?? 'masks')),
  };
}

type JobPart = 'objects' | 'aggregate' | 'masks';

/**
 * The entry of a failed job. Selecting it shows the full reason and offers to run the job again.
 */
function failedItem(
  { jobId, what, phase, reason, status }: TrackedJob,
  { name, again }: { name: string; again: RunAgainButton | undefined },
): JobItem {
  const { t } = vscode.l10n;
  const isCanceled = phase === 'failed' && namesCancel(status);
  const failure = reason ? reasonWords(t, reason) : isCanceled ? undefined : status;
  const end = { what, failure, isCanceled, mayStillRun: phase === 'unknown' };
  return {
    label: name,
    detail: jobEndNote(t, end),
    iconPath: isCanceled
      ? new vscode.ThemeIcon('circle-slash')
      : new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed')),
    buttons: again
      ? [{ iconPath: new vscode.ThemeIcon('debug-rerun'), tooltip: again.label, act: again.act }]
      : [],
    act: async () => {
      const copyId = t('Copy ID');
      const showMessage = isCanceled ? showInformationMessage : showErrorMessage;
      const button = await showMessage(jobEndWords(t, { ...end, name }), again?.label ?? copyId);
      if (button === copyId) await vscode.env.clipboard.writeText(jobId);
      else if (button !== undefined) await again?.act();
    },
  };
}
