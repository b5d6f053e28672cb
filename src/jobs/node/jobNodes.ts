import { Pager } from '../../service/node/pager';
import type { AnalysisJob } from '../../service/wire';
import { hasEnded, type TrackedJob } from './trackedJob';
import type { ResultPart } from '../../service/resultParts';
import type { JobSession, JobSessions } from './jobSessions';
import { JobNode } from './jobNode';
import { MissingImagesNode, type MissingImageNode } from './missingImages';
import {
  FailureNode,
  LoadMoreNode,
  PagedNodes,
  type PagedNodesParts,
  type TreeNode,
} from '../../accounts/node/pagedNodes';

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

/** The jobs of a selection that have an objects table. */
export function jobsWithObjects(selection: readonly unknown[]): JobNode[] {
  const jobs = selection.map(jobOfNode).filter(job => job !== undefined);
  return [...new Set(jobs)].filter(({ results }) => results.objects);
}

/**
 * The account's analysis jobs, grouped by how they stand. Those requested from here are tracked; merely listing a job does
 * not track it, as a list may hold hundreds that never end.
 */
export class JobNodes extends PagedNodes<AnalysisJob, JobTreeNode, JobSession> {
  /** Unlisted jobs for which the list was already refreshed: they may be on a later page. */
  private readonly soughtJobs = new Set<string>();
  /** Also those listed before the last refresh: they stay while the service can't be reached. */
  private readonly nodes = new Map<string, JobNode>();
  private readonly groups = [new JobGroup('running'), new JobGroup('done'), new JobGroup('failed')];

  constructor(
    parts: PagedNodesParts<JobSession> & {
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

  /** What is known of the images of a finished job that gave no result; nothing where they weren't compared. */
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
