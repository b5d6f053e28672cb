import * as vscode from 'vscode';
import { Pager } from '../../api/pager';
import type { AnalysisJob } from '../../api/wire';
import type { Log } from '../../base/log';
import { listedPhase, listedResults, type JobPhase } from '../../jobs/jobStatus';
import type { TrackedJob } from '../../jobs/jobTracker';
import type { SubmittedJob } from '../../jobs/submittedJobs';
import type { AccountSession } from '../accountSession';
import type { AccountSessions } from '../accountSessions';
import { formatMoment } from '../format';
import { PagedTree } from './pagedTree';

/** An analysis job in the list; what tracking says of it later replaces what the list said. */
export class JobNode {
  /** Its masks job while that is followed. */
  masks: TrackedJob | undefined;
  /** How far it is, while it is followed. */
  followed: TrackedJob | undefined;

  constructor(
    public resource: AnalysisJob,
    readonly submitted: SubmittedJob | undefined,
  ) {}

  get id(): string {
    return this.resource.id;
  }

  get phase(): JobPhase {
    return this.followed?.phase ?? listedPhase(this.resource);
  }

  get label(): string {
    const moment = this.submitted?.submittedAt ?? this.resource.createdAt;
    return this.submitted?.name ?? this.resource.name ?? (moment ? formatMoment(moment) : this.id);
  }
}

/** The account's analysis jobs. Running ones follow the tracker, wherever they were submitted. */
export class JobsTree extends PagedTree<AnalysisJob, JobNode> {
  /** Unlisted jobs that the list was already asked again for: it may be on a later page. */
  private readonly sought = new Set<string>();

  constructor(sessions: AccountSessions, log: Log) {
    super('jobs', sessions, log);
    this.store.add(sessions.onDidChangeJob(({ session, job }) => this.follow(session, job)));
    this.store.add(sessions.onDidEndJob(({ session, job }) => void this.settle(session, job)));
  }

  protected pager(session: AccountSession): Pager<AnalysisJob> {
    return new Pager((startingAfter, signal) =>
      session.client.listAnalysisJobs({ ...(startingAfter && { startingAfter }) }, signal),
    );
  }

  protected async node(session: AccountSession, resource: AnalysisJob): Promise<JobNode> {
    const node = new JobNode(resource, await session.submittedJobs.find(resource.id));
    if (node.phase === 'running') {
      // Submitted elsewhere, perhaps: the list should still not show yesterday's percentage.
      const name = node.submitted?.name ?? resource.name;
      await session.tracker.track(resource.id, { what: 'analysis', ...(name && { name }) });
    }
    return node;
  }

  protected keyOf(node: JobNode): string {
    return node.id;
  }

  protected item(node: JobNode): vscode.TreeItem {
    const { resource, masks, phase } = node;
    const { objects, aggregate } = listedResults(resource);
    const item = new vscode.TreeItem(node.label);
    const values = [phase, ...(objects ? ['objects'] : []), ...(aggregate ? ['aggregate'] : [])];
    item.id = node.id;
    item.contextValue = `job ${values.join(' ')}`;
    item.iconPath = jobIcon(phase);
    item.description = jobDescription(resource, phase, masks);
    item.accessibilityInformation = { label: `${node.label}, ${item.description}` };
    item.tooltip = [
      node.label,
      item.description,
      ...(resource.reason ? [vscode.l10n.t('Reason: {0}', resource.reason)] : []),
      ...(node.submitted ? [vscode.l10n.t('Submitted {0}', formatMoment(node.submitted.submittedAt))] : []),
      ...(resource.createdAt ? [vscode.l10n.t('Created {0}', formatMoment(resource.createdAt))] : []),
      vscode.l10n.t('Id {0}', node.id),
    ].join('\n');
    return item;
  }

  private follow(session: AccountSession, job: TrackedJob): void {
    if (session.account.id !== this.sessions.accounts.active?.id) return;
    const node = this.find(job.jobId);
    // A job that the list has not seen: it stands at the top after the next listing.
    if (!node) {
      if (job.what === 'masks' || this.sought.has(job.jobId)) return;
      this.sought.add(job.jobId);
      this.refresh();
      return;
    }
    if (job.what === 'masks') node.masks = job;
    else {
      const { status, percentageCompleted } = job;
      node.followed = job;
      node.resource = { ...node.resource, status, percentageCompleted };
    }
    this.redraw(node);
  }

  /** At its end a job has links, and only the service knows whether; ask once. */
  private async settle(session: AccountSession, job: TrackedJob): Promise<void> {
    const node = this.find(job.jobId);
    if (!node || session.account.id !== this.sessions.accounts.active?.id) return;
    if (job.what === 'masks') {
      node.masks = undefined;
    } else {
      try {
        node.resource = await session.client.analysisJob(job.jobId);
        node.followed = undefined;
      } catch (error) {
        this.log.warn(
          `Asking about a job that ended failed: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
    if (!this.store.isDisposed) this.redraw(node);
  }

  private find(jobId: string): JobNode | undefined {
    for (const node of this.listed()) if (node.id === jobId) return node;
    return undefined;
  }
}

function jobIcon(phase: JobPhase): vscode.ThemeIcon {
  switch (phase) {
    case 'succeeded':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
    default:
      return new vscode.ThemeIcon('sync~spin');
  }
}

function jobDescription(job: AnalysisJob, phase: JobPhase, masks: TrackedJob | undefined): string {
  if (masks) return vscode.l10n.t('masks {0}%', Math.floor(masks.percentageCompleted));
  if (phase === 'succeeded') return vscode.l10n.t('succeeded');
  if (phase === 'failed') return job.status.toLowerCase();
  return vscode.l10n.t('{0} · {1}%', job.status.toLowerCase(), Math.floor(job.percentageCompleted));
}
