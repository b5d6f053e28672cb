import {
  FailureNode,
  LoadMoreNode,
  PagedNodes,
  type PagedNodesDependencies,
  type TreeNode,
} from '../../host/node/pagedNodes';
import { Pager } from '../../service/node/pager';
import type { ResultPart } from '../../service/resultParts';
import type { AnalysisJob } from '../../service/wire';
import type { ImageWithoutResult } from './accountRuns';
import type { JobFact, JobFacts } from './jobFacts';
import type { JobSession, JobSessions } from './jobSessions';
import { hasEnded, type JobPhase, listedPhase, listedResults, type TrackedJob } from './jobState';
import type { RunItem, SubmittedJob } from './runRecords';

/** A group of the listed jobs, by state. */
export class JobGroup {
  jobs: readonly JobNode[] = [];

  constructor(readonly name: 'running' | 'done' | 'failed') {}
}

/** A result of a finished job. */
export class JobResultNode {
  constructor(
    readonly job: JobNode,
    readonly part: Extract<ResultPart, 'objects' | 'aggregate' | 'masks'>,
  ) {}

  /** The job's ID, which "Copy ID" copies. */
  get id(): string {
    return this.job.id;
  }
}

export type JobTreeNode = JobNode | JobGroup | JobResultNode | MissingImagesNode | MissingImageNode;

/** The job of a node of the tree. */
export function jobOfNode(node: unknown): JobNode | undefined {
  if (node instanceof JobResultNode) return node.job;
  return node instanceof JobNode ? node : undefined;
}

/**
 * The account's analysis jobs, grouped by state. Only jobs requested from here are tracked, because
 * the list may have hundreds of jobs that never end.
 */
export class JobNodes extends PagedNodes<AnalysisJob, JobTreeNode, JobSession> {
  /** Unlisted jobs for which the list was refreshed once; they may be on a later page. */
  private readonly soughtJobs = new Set<string>();
  /** Nodes by job ID. Nodes of an earlier list stay while the service can't be reached. */
  private readonly nodes = new Map<string, JobNode>();
  private readonly groups = [new JobGroup('running'), new JobGroup('done'), new JobGroup('failed')];

  constructor(
    dependencies: PagedNodesDependencies<JobSession> & {
      sessions: Pick<JobSessions, 'onDidChangeJob' | 'onDidChangeJobFacts' | 'onDidCompareRun'>;
    },
  ) {
    super('jobs', dependencies);
    const { sessions } = dependencies;
    this.store.add(this.sessions.onDidChangeActive(() => this.nodes.clear()));
    this.store.add(sessions.onDidChangeJob(({ session, job }) => this.onJobChanged(session, job)));
    this.store.add(sessions.onDidCompareRun(({ session, record }) => this.redrawJob(session, record.jobId)));
    this.store.add(sessions.onDidChangeJobFacts(({ session, jobId }) => this.redrawJob(session, jobId)));
  }

  override async children(parent?: TreeNode<JobTreeNode>): Promise<TreeNode<JobTreeNode>[]> {
    if (parent instanceof JobGroup) return [...parent.jobs];
    if (parent instanceof JobNode) return [...resultsOf(parent), ...(await this.missingOf(parent))];
    if (parent instanceof MissingImagesNode) return parent.nodes;
    if (parent !== undefined) return [];
    const rows = await super.children();
    const jobs = rows.filter(node => node instanceof JobNode);
    for (const group of this.groups) group.jobs = jobs.filter(job => job.group === group.name);
    return [
      ...rows.filter(node => node instanceof FailureNode),
      ...this.groups.filter(group => group.jobs.length > 0),
      ...rows.filter(node => node instanceof LoadMoreNode),
    ];
  }

  protected pager({ client, jobFacts }: JobSession): Pager<AnalysisJob> {
    return new Pager(async (startingAfter, signal) => {
      // Another window may have named jobs.
      if (startingAfter === undefined) await jobFacts.load();
      return client.listAnalysisJobs({ ...(startingAfter && { startingAfter }) }, signal);
    });
  }

  protected async node(session: JobSession, resource: AnalysisJob): Promise<JobNode> {
    const { submittedJobs, jobFacts } = session;
    jobFacts.list(resource);
    const node = new JobNode(resource, await submittedJobs.find(resource.id), jobFacts);
    node.tracked = session.tracker.find({ jobId: resource.id, what: 'analysis' });
    node.masks = session.tracker.find({ jobId: resource.id, what: 'masks' });
    this.nodes.set(node.id, node);
    return node;
  }

  protected keyOf(): string {
    return '';
  }

  /** The node for a finished job's images without result, if any are known. */
  private async missingOf(job: JobNode): Promise<MissingImagesNode[]> {
    if (job.phase !== 'succeeded') return [];
    try {
      const images = await (await this.sessions.active()).runs.imagesWithoutResult(job.id);
      return images.length > 0 ? [new MissingImagesNode(job, images)] : [];
    } catch (error) {
      this.log.error(`The record of the job ${job.id} could not be read`, error);
      return [];
    }
  }

  private isActive({ account }: JobSession): boolean {
    return account.id === this.sessions.accounts.active?.id;
  }

  private redrawJob(session: JobSession, jobId: string): void {
    const node = this.isActive(session) ? this.nodes.get(jobId) : undefined;
    if (node) this.redraw(node);
  }

  private onJobChanged(session: JobSession, job: TrackedJob): void {
    if (!this.isActive(session)) return;
    const node = this.nodes.get(job.jobId);
    // Refresh the list: a new job is then at its top.
    if (!node) {
      if (job.what === 'masks' || this.soughtJobs.has(job.jobId)) return;
      this.soughtJobs.add(job.jobId);
      this.refresh();
      return;
    }
    const { group } = node;
    if (job.what === 'masks') node.masks = hasEnded(job) || job.stopped ? undefined : job;
    else node.tracked = job;
    // If the job moves to another group, redraw all groups.
    this.redraw(node.group === group ? node : undefined);
  }
}

function resultsOf(job: JobNode): JobResultNode[] {
  if (job.phase !== 'succeeded') return [];
  const { objects, aggregate } = job.results;
  return [
    ...(objects ? [new JobResultNode(job, 'objects')] : []),
    ...(aggregate ? [new JobResultNode(job, 'aggregate')] : []),
    new JobResultNode(job, 'masks'),
  ];
}

/** An analysis job of the list, updated while it is tracked. */
export class JobNode {
  /** The masks job, while it is tracked. */
  masks: TrackedJob | undefined;
  /** The tracked job; stays set after its end. */
  tracked: TrackedJob | undefined;

  constructor(
    private readonly listed: AnalysisJob,
    /** The stored facts, if it was submitted from this machine. */
    readonly submitted: SubmittedJob | undefined,
    private readonly facts?: Pick<JobFacts, 'get'>,
  ) {}

  /** Further facts that are stored here. */
  get fact(): JobFact {
    return this.facts?.get(this.id) ?? {};
  }

  get id(): string {
    return this.listed.id;
  }

  /** The listed job, with the latest known status. */
  get resource(): AnalysisJob {
    const { status = '', percentageCompleted = 0 } = this.tracked ?? {};
    // Before the first response a tracked job has no status.
    return status === '' ? this.listed : { ...this.listed, status, percentageCompleted };
  }

  get phase(): JobPhase {
    return this.tracked && this.tracked.status !== '' ? this.tracked.phase : listedPhase(this.listed);
  }

  get isTracked(): boolean {
    return this.tracked !== undefined && !hasEnded(this.tracked) && !this.tracked.stopped;
  }

  /** Tables that can be opened. */
  get results(): { objects: boolean; aggregate: boolean } {
    return this.tracked?.results ?? listedResults(this.resource);
  }

  get group(): 'running' | 'done' | 'failed' {
    const { phase } = this;
    if (phase === 'succeeded') return 'done';
    return phase === 'failed' ? 'failed' : 'running';
  }
}

/** A node below a job, with the images that gave no result. */
export class MissingImagesNode {
  constructor(
    readonly job: JobNode,
    readonly images: readonly ImageWithoutResult[],
  ) {}

  get items(): RunItem[] {
    return this.images.map(({ item }) => item);
  }

  get nodes(): MissingImageNode[] {
    return this.images.map(image => new MissingImageNode(this.job, image));
  }
}

/** An image that gave no result. */
export class MissingImageNode {
  constructor(
    readonly job: JobNode,
    readonly image: ImageWithoutResult,
  ) {}

  /** The item's ID, which "Copy ID" copies. */
  get id(): string {
    return this.image.item.id;
  }
}
