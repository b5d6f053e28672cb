import * as vscode from 'vscode';
import type { JobSessions, SessionJob } from '../../jobs/node/jobSessions';
import {
  claimAnnouncement,
  GatheredAnnouncements,
  type JobAnnouncement,
} from '../../jobs/node/jobAnnouncement';
import { masksAfterAnalysis } from '../../jobs/node/masksOfJob';
import type { RecentJobs } from '../../jobs/node/recentJobs';
import { JobResult } from '../node/resultSource';
import type { Settings } from '../../host/settings';
import { delay } from '../../base/waiting';
import { CodedError } from '../../base/errors';
import type { Lazy } from '../../base/disposable';
import type { Log } from '../../base/log';
import { jobEndsWords, jobEndWords, openResultLabels } from '../../words/jobWords';
import { reasonWords } from '../../words/reasonWords';
import { showToPerson } from './resultCommands';
import { runAgainButton } from '../../jobs/editor/runAgainOffers';
import type { ShownResults } from './shownResults';
import { showErrorMessage, showFailure, showInformationMessage } from '../../host/editor/messages';
import { completeStep } from '../../host/editor/walkthroughSteps';

export interface JobNotificationDependencies {
  sessions: JobSessions;
  shown: Lazy<ShownResults>;
  recent: RecentJobs;
  settings: Settings;
  log: Log;
}

/**
 * Opens the result of an ended job, or shows a notification. `isWaitedFor`: a command of this
 * window waits for the job.
 */
type AnnounceJob = (ended: SessionJob, isWaitedFor: boolean) => Promise<void>;

/** Announces the ends of jobs; jobs that end at about the same time are announced together. */
export function jobAnnouncer(dependencies: JobNotificationDependencies): AnnounceJob {
  const { sessions, settings } = dependencies;
  const gathered = new GatheredAnnouncements({
    delay,
    untilPolled: () =>
      sessions.all.reduce((sum, { tracker }) => sum + tracker.jobs.length, 0) *
      settings.pollingInterval *
      1000,
  });
  return (ended, isWaitedFor) => {
    const { what, phase } = ended.job;
    if (what === 'analysis' && phase === 'succeeded') completeStep('imageAnalysis.jobDone');
    return announceJob(dependencies, gathered, ended, isWaitedFor);
  };
}

async function announceJob(
  dependencies: JobNotificationDependencies,
  gathered: GatheredAnnouncements,
  ended: SessionJob,
  isWaitedFor: boolean,
): Promise<void> {
  const claiming = claim(dependencies, ended, isWaitedFor);
  const notifying = claiming.then(claimed => (claimed?.how === 'notify' ? claimed : undefined));
  const announcements = await gathered.add(notifying);
  const endAnnouncement = await claiming;
  const [part] = endAnnouncement?.how === 'open' ? endAnnouncement.results : [];
  if (endAnnouncement && part) await openByItself(dependencies, ended, endAnnouncement, part);
  const [first] = announcements;
  if (!first) return;
  if (announcements.length > 1) await announceSeveral(announcements);
  else await announceOne(dependencies, ended, first);
}

/** Decides how this window announces the end of a job; undefined if masks follow the analysis. */
async function claim(
  { settings, recent }: JobNotificationDependencies,
  ended: SessionJob,
  isWaitedFor: boolean,
): Promise<JobAnnouncement | undefined> {
  const { session, job } = ended;
  const masks = await masksAfterAnalysis(session, job);
  if (masks.kind === 'requested') return undefined;
  if (masks.kind === 'failed') void showFailure(masks.error);
  const announcement = await claimAnnouncement(ended, {
    level: settings.notifications,
    isFocused: () => vscode.window.state.focused,
    isWaitedFor,
    delay,
    t: vscode.l10n.t,
  });
  if (announcement && announcement.how !== 'open' && !announcement.failure) recent.markUnseen(ended);
  return announcement;
}

async function openByItself(
  { sessions, shown }: JobNotificationDependencies,
  { session, job }: SessionJob,
  { name }: JobAnnouncement,
  part: JobAnnouncement['results'][number],
): Promise<void> {
  const source = new JobResult(sessions, session.account.id, job.jobId, name);
  const { results } = await shown.get();
  // The panel shows failures, with a button to retry.
  await results.show(source, part, { keepsFocus: true }).catch((error: unknown) => {
    if (!(error instanceof CodedError)) throw error;
  });
}

async function announceOne(
  dependencies: JobNotificationDependencies,
  ended: SessionJob,
  announcement: JobAnnouncement,
): Promise<void> {
  const { failure } = announcement;
  const { t } = vscode.l10n;
  const words = jobEndWords(t, { ...announcement, failure: failure && reasonWords(t, failure) });
  const steps = await nextSteps(dependencies, ended, announcement);
  const show = isFailure(announcement) ? showErrorMessage : showInformationMessage;
  const button = await show(words, ...steps.map(({ label }) => label));
  await steps.find(({ label }) => label === button)?.act();
}

function isFailure({ failure, isCanceled }: JobAnnouncement): boolean {
  return failure !== undefined && !isCanceled;
}

/**
 * Buttons for the end of a job. At least one: otherwise VS Code shows only a message's first line.
 */
async function nextSteps(
  { sessions, shown, log }: JobNotificationDependencies,
  ended: SessionJob,
  { name, results }: JobAnnouncement,
): Promise<{ label: string; act: () => Promise<void> }[]> {
  const { session, job } = ended;
  const labels = openResultLabels(vscode.l10n.t);
  const again = await runAgainButton({ log }, ended, name);
  const steps = [
    ...(again ? [again] : []),
    ...results.map(part => ({
      label: labels[part],
      act: async () => {
        const open = await shown.get();
        await showToPerson(open.results, new JobResult(sessions, session.account.id, job.jobId, name), part);
      },
    })),
  ];
  return steps.length > 0 ? steps : [{ label: showJobsLabel(), act: showJobs }];
}

function showJobsLabel(): string {
  return vscode.l10n.t('Show Jobs');
}

async function showJobs(): Promise<void> {
  await vscode.commands.executeCommand('imageAnalysis.showJobs');
}

async function announceSeveral(announcements: readonly JobAnnouncement[]): Promise<void> {
  const words = jobEndsWords(vscode.l10n.t, announcements);
  const show = announcements.some(isFailure) ? showErrorMessage : showInformationMessage;
  if ((await show(words, showJobsLabel())) === showJobsLabel()) await showJobs();
}
