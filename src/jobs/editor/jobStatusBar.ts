import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { type BadgedView, setBadge, StatusBarEntry } from '../../host/editor/shown';
import { jobCountsWords, runningJobLines } from '../../words/jobWords';
import type { JobSessions } from '../node/jobSessions';
import { runningJobs, type RunningJobs } from '../node/jobState';
import { nameOfJob } from '../node/nameOfJob';
import type { RecentJobs, UnseenJobs } from '../node/recentJobs';

interface JobStatusDependencies {
  sessions: JobSessions;
  recent: RecentJobs;
  /** The Jobs view, whose badge counts running and unseen jobs. */
  view: BadgedView;
}

/**
 * Shows running jobs and unseen ended jobs, in the status bar and as the badge of the Jobs view.
 * The status bar entry is hidden if there are none.
 */
export class JobStatusBar implements Disposable {
  private readonly store = new DisposableStore();
  private entry: StatusBarEntry | undefined;
  private isDue = false;

  constructor(private readonly dependencies: JobStatusDependencies) {
    const { sessions, recent } = dependencies;
    this.store.add(sessions.onDidChangeJob(() => this.renderSoon()));
    this.store.add(sessions.onDidChangeJobFacts(() => this.renderSoon()));
    this.store.add(sessions.onDidChangeActive(() => this.renderSoon()));
    this.store.add(recent.onDidChange(() => this.renderSoon()));
  }

  dispose(): void {
    this.store.dispose();
    this.entry?.dispose();
  }

  /** Renders once for all changes of a turn, because one response can change many jobs. */
  private renderSoon(): void {
    if (this.isDue) return;
    this.isDue = true;
    queueMicrotask(() => {
      this.isDue = false;
      if (!this.store.isDisposed) this.render();
    });
  }

  private render(): void {
    const { sessions, recent, view } = this.dependencies;
    const { t } = vscode.l10n;
    const tracked = sessions.all.flatMap(session =>
      session.tracker.jobs.map(job => ({ job, name: nameOfJob(t, session, job) })),
    );
    const running = runningJobs(tracked, Date.now());
    const { finished, failed, canceled } = recent.unseen;
    const unseen = jobCountsWords(t, recent.unseen);
    const count = running?.jobs.length ?? 0;
    const runningWords =
      count === 1 ? vscode.l10n.t('1 running job') : vscode.l10n.t('{0} running jobs', count);
    setBadge(
      view,
      count + finished + failed + canceled,
      [...(count > 0 ? [runningWords] : []), ...unseen].join(', '),
    );
    if (!running && unseen.length === 0) {
      this.entry?.hide();
      return;
    }
    this.entry ??= new StatusBarEntry({
      id: 'imageAnalysis.jobs',
      name: vscode.l10n.t('Image Analysis Jobs'),
      command: 'imageAnalysis.showJobs',
    });
    this.entry.show({
      icon: iconOf(running, recent.unseen),
      text: [...(running ? [countAndPercent(running)] : []), ...unseen].join(', '),
      tooltip: [
        ...runningJobLines(vscode.l10n.t, running?.jobs ?? []),
        ...(running?.isUnreachable ? [vscode.l10n.t("Can't reach the service; retrying.")] : []),
        ...unseen,
      ],
      isError: failed > 0,
    });
  }
}

function iconOf(running: RunningJobs | undefined, { finished, failed }: UnseenJobs): string {
  if (!running) return failed > 0 ? 'error' : finished > 0 ? 'pass' : 'circle-slash';
  return running.isUnreachable ? 'debug-disconnect' : 'sync~spin';
}

function countAndPercent({ jobs, percent }: RunningJobs): string {
  return jobs.length === 1
    ? vscode.l10n.t('1 job {0}%', percent)
    : vscode.l10n.t('{0} jobs {1}%', jobs.length, percent);
}
