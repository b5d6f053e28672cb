import * as vscode from 'vscode';
import type { AccountSessions, SessionJob } from '../../../app/accounts/accountSessions';
import { nameOfJob } from '../../../app/jobs/nameOfJob';
import type { RecentJobs } from '../../../app/jobs/recentJobs';
import { runningJob } from '../../../app/jobs/runningJobs';
import { inputOfRun } from '../../../app/jobs/runAgain';
import { viewIds } from '../../../app/manifestNames';
import { JobResult } from '../../../app/results/sources/jobResult';
import type { OpenResults } from '../../../app/results/openResults';
import type { Log } from '../../../base/log';
import type { SubmittedJob } from '../../../jobs/submittedJobs';
import type { TrackedJob } from '../../../jobs/trackedJob';
import { DisposableStore } from '../../../base/disposable';
import { jobEndNote, jobEndWords, openResultLabels, runningJobWords } from '../../../words/jobWords';
import { reasonWords } from '../../../words/reasonWords';
import { showErrorMessage } from '../../surfaces/messages';
import { createQuickPick } from '../../surfaces/quickPick';
import { showFailure } from '../../userMessages';
import { followAsPerson } from './followAsPerson';
import { generateAsPerson } from './generateMasks';
import { showToPerson } from '../resultCommands';
import { runAgainAsPerson } from './submitSteps';

export interface ShowJobsParts {
  sessions: AccountSessions;
  results: OpenResults;
  recent: RecentJobs;
  log: Log;
}

interface JobButton extends vscode.QuickInputButton {
  tooltip: string;
  act: () => Promise<void>;
}

interface JobItem extends vscode.QuickPickItem {
  act: () => Promise<unknown>;
  buttons?: JobButton[];
}

/** Lists the running jobs and those that ended recently, each with what can be done with it. */
export async function showJobs(parts: ShowJobsParts): Promise<void> {
  const { sessions, recent } = parts;
  recent.markSeen();
  const running = sessions.all.flatMap(session => session.tracker.jobs.map(job => ({ session, job })));
  const ended = await Promise.all(recent.ended.map(one => endedItem(parts, one)));
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
    buttons: [
      {
        iconPath: new vscode.ThemeIcon('circle-slash'),
        tooltip: vscode.l10n.t('Stop Following'),
        act: () => Promise.resolve(session.tracker.stop(job)),
      },
    ],
    act: () => followAsPerson(session, { ...job, name: shown.name }),
  };
}

async function endedItem(parts: ShowJobsParts, { session, job }: SessionJob): Promise<JobItem> {
  const submitted = await session.submittedJobs.find(job.jobId);
  const name = nameOfJob(vscode.l10n.t, session, { ...job, name: job.name ?? submitted?.name });
  if (job.phase === 'succeeded') return doneItem(parts, { session, job }, name);
  return failedItem(job, { name, again: againButton(parts, { session, job }, name, submitted) });
}

function doneItem({ sessions, results }: ShowJobsParts, { session, job }: SessionJob, name: string): JobItem {
  const { t } = vscode.l10n;
  const { jobId, what } = job;
  const open = (part: JobPart) => () =>
    showToPerson(results, new JobResult(sessions, session.account.id, jobId, name), part);
  const labels = openResultLabels(t);
  const icons = { objects: 'table', aggregate: 'graph', masks: 'layers' };
  const { objects = true, aggregate = true } = what === 'masks' ? NO_TABLES : (job.results ?? {});
  const offered: readonly JobPart[] = [
    ...(objects ? (['objects'] as const) : []),
    ...(aggregate ? (['aggregate'] as const) : []),
    'masks',
  ];
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

type JobPart = 'objects' | 'aggregate' | 'masks';

const NO_TABLES = { objects: false, aggregate: false };

/** Selecting it shows the reason in full, and offers to run it again. */
function failedItem(
  { what, phase, reason, status }: TrackedJob,
  { name, again }: { name: string; again: JobButton | undefined },
): JobItem {
  const { t } = vscode.l10n;
  const failure = reason ? reasonWords(t, reason) : status;
  const end = { what, failure, mayStillRun: phase === 'unknown' };
  return {
    label: name,
    description: jobEndNote(t, end),
    iconPath: new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed')),
    buttons: again ? [again] : [],
    act: async () => {
      const button = await showErrorMessage(
        jobEndWords(t, { ...end, name }),
        ...(again ? [again.tooltip] : []),
      );
      if (button !== undefined && again) await again.act();
    },
  };
}

/** Runs a failed job again, or requests failed masks again; missing for a job that wasn't submitted from here. */
function againButton(
  parts: ShowJobsParts,
  { session, job: { jobId, what, phase } }: SessionJob,
  name: string,
  submitted: SubmittedJob | undefined,
): JobButton | undefined {
  // One that is followed no longer may still be running.
  if (phase !== 'failed' || (what === 'analysis' && !submitted)) return undefined;
  return what === 'masks'
    ? {
        iconPath: new vscode.ThemeIcon('debug-rerun'),
        tooltip: vscode.l10n.t('Generate Masks…'),
        act: () => generateAsPerson(session, { id: jobId, label: name }),
      }
    : {
        iconPath: new vscode.ThemeIcon('debug-rerun'),
        tooltip: vscode.l10n.t('Run Again…'),
        act: async () => runAgainAsPerson(parts, session, await inputOfRun(session, jobId)),
      };
}
