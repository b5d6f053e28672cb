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

/** The jobs that run, are done, or failed, of those listed so far. */
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

  /** Of its job: what is copied. */
  get id(): string {
    return this.job.id;
  }
}

export type JobTreeNode = JobNode | JobGroup | JobResultNode | MissingImagesNode | MissingImageNode;

/** The job that a node of the tree is, or belongs to. */
export function jobOfNode(node: unknown): JobNode | undefined {
  if (node instanceof JobResultNode) return node.job;
  return node instanceof JobNode ? node : undefined;
}

/**
 * The account's analysis jobs, grouped by state. Only those requested from here are tracked: a list
 * may have hundreds that never end.
 */
export class JobNodes extends PagedNodes<AnalysisJob, JobTreeNode, JobSession> {
  /** Unlisted jobs for which the list was already refreshed: they may be on a later page. */
  private readonly soughtJobs = new Set<string>();
  /** Also those listed before the last refresh: they stay while the service can't be reached. */
  private readonly nodes = new Map<string, JobNode>();
  private readonly groups = [new JobGroup('running'), new JobGroup('done'), new JobGroup('failed')];

  constructor(
    parts: PagedNodesDependencies<JobSession> & {
      sessions: Pick<JobSessions, 'onDidChangeJob' | 'onDidLearnOfJob' | 'onDidCompareRun'>;
    },
  ) {
    super('jobs', parts);
    this.store.add(this.sessions.onDidChangeActive(() => this.nodes.clear()));
    this.store.add(parts.sessions.onDidChangeJob(({ session, job }) => this.onJobChanged(session, job)));
    this.store.add(
      parts.sessions.onDidCompareRun(({ session, record }) => {
        const node = this.isActive(session) ? this.nodes.get(record.jobId) : undefined;
        if (node) this.redraw(node);
      }),
    );
    this.store.add(
      parts.sessions.onDidLearnOfJob(({ session, jobId }) => {
        const node = this.isActive(session) ? this.nodes.get(jobId) : undefined;
        if (node) this.redraw(node);
      }),
    );
  }

  override async children(parent?: TreeNode<JobTreeNode>): Promise<TreeNode<JobTreeNode>[]> {
    if (parent instanceof JobGroup) return [...parent.jobs];
    if (parent instanceof JobNode) return [...resultsOf(parent), ...(await this.missingOf(parent))];
    if (parent instanceof MissingImagesNode) return parent.nodes;
    if (parent !== undefined) return [];
    const listed = await super.children();
    const jobs = listed.filter(node => node instanceof JobNode);
    for (const group of this.groups) group.jobs = jobs.filter(job => job.group === group.name);
    return [
      ...listed.filter(node => node instanceof FailureNode),
      ...this.groups.filter(group => group.jobs.length > 0),
      ...listed.filter(node => node instanceof LoadMoreNode),
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

  /** A finished job's known images without result; none if they weren't compared. */
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

  private onJobChanged(session: JobSession, job: TrackedJob): void {
    if (!this.isActive(session)) return;
    const node = this.nodes.get(job.jobId);
    // A job that isn't listed yet is at the top after a refresh.
    if (!node) {
      if (job.what === 'masks' || this.soughtJobs.has(job.jobId)) return;
      this.soughtJobs.add(job.jobId);
      this.refresh();
      return;
    }
    const { group } = node;
    if (job.what === 'masks') node.masks = hasEnded(job) || job.stopped ? undefined : job;
    else node.tracked = job;
    // The groups are made again where a job moves from one to another.
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

/** An analysis job of the list, updated by what tracking learns of it. */
export class JobNode {
  /** Its masks job while that is tracked. */
  masks: TrackedJob | undefined;
  /** Its facts since it is tracked, also after its end. */
  tracked: TrackedJob | undefined;

  constructor(
    private readonly listed: AnalysisJob,
    /** What was stored when it was submitted from this machine. */
    readonly submitted: SubmittedJob | undefined,
    private readonly facts?: Pick<JobFacts, 'get'>,
  ) {}

  /** Its other facts here. */
  get fact(): JobFact {
    return this.facts?.get(this.id) ?? {};
  }

  get id(): string {
    return this.listed.id;
  }

  /** As it was listed, with the status that is known since. */
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

  /** Which tables can be opened. */
  get results(): { objects: boolean; aggregate: boolean } {
    return this.tracked?.results ?? listedResults(this.resource);
  }

  get group(): 'running' | 'done' | 'failed' {
    const { phase } = this;
    if (phase === 'succeeded') return 'done';
    return phase === 'failed' ? 'failed' : 'running';
  }
}

/** The images of a job that gave no result, as one node below it. */
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

  /** Of the item: what is copied. */
  get id(): string {
    return this.image.item.id;
  }
}
