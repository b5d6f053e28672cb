import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { TrackedJob } from '../jobs/jobTracker';
import type { AccountSessions } from './accountSessions';

/** The one status item: how many jobs run and how far they are. Hidden while none does. */
export class JobStatusBar implements Disposable {
  private readonly store = new DisposableStore();
  private item: vscode.StatusBarItem | undefined;

  constructor(private readonly sessions: AccountSessions) {
    this.store.add(sessions.onDidChangeJob(() => this.render()));
    this.store.add(sessions.onDidEndJob(() => this.render()));
    this.store.add(sessions.onDidChangeActive(() => this.render()));
  }

  dispose(): void {
    this.store.dispose();
    this.item?.dispose();
  }

  private render(): void {
    const running = this.sessions.all.flatMap(session => session.tracker.jobs.filter(isRunning));
    if (running.length === 0) {
      this.item?.hide();
      return;
    }
    const item = (this.item ??= this.makeItem());
    const percent = running.reduce((sum, job) => sum + job.percentageCompleted, 0) / running.length;
    const lost = running.some(job => job.unreachable);
    const icon = lost ? '$(cloud)' : '$(sync~spin)';
    item.text =
      running.length === 1
        ? vscode.l10n.t('{0} 1 job {1}%', icon, Math.floor(percent))
        : vscode.l10n.t('{0} {1} jobs {2}%', icon, running.length, Math.floor(percent));
    item.tooltip = [
      ...running.map(describeJob),
      ...(lost ? [vscode.l10n.t('The service cannot be reached at the moment; it is asked again.')] : []),
    ].join('\n');
    item.accessibilityInformation = { label: item.tooltip };
    item.show();
  }

  private makeItem(): vscode.StatusBarItem {
    const item = vscode.window.createStatusBarItem('imageAnalysis.jobs', vscode.StatusBarAlignment.Left, 10);
    item.name = vscode.l10n.t('Image Analysis Jobs');
    item.command = 'imageAnalysis.jobs.focus';
    return item;
  }
}

function isRunning({ phase }: TrackedJob): boolean {
  return phase === 'running' || phase === 'finishing';
}

function describeJob(job: TrackedJob): string {
  const name = job.name ?? job.jobId;
  return job.what === 'masks'
    ? vscode.l10n.t('Masks of {0}: {1}%', name, Math.floor(job.percentageCompleted))
    : vscode.l10n.t('{0}: {1}%', name, Math.floor(job.percentageCompleted));
}
