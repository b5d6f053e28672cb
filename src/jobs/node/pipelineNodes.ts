import { PagedNodes, type PagedNodesDependencies, type TreeNode } from '../../host/node/pagedNodes';
import { Pager } from '../../service/node/pager';
import type { Pipeline } from '../../service/wire';
import type { JobSession, JobSessions } from './jobSessions';

export class PipelineNode {
  /** Whether a user submitted the latest job with it. */
  isLastUsed = false;

  constructor(readonly resource: Pipeline) {}

  get id(): string {
    return this.resource.id;
  }
}

/** The account's active pipelines; recently used ones come first. */
export class PipelineNodes extends PagedNodes<Pipeline, PipelineNode, JobSession> {
  constructor(
    dependencies: PagedNodesDependencies<JobSession> & {
      sessions: Pick<JobSessions, 'onDidChangeSubmitChoices'>;
    },
  ) {
    super('pipelines', dependencies);
    this.store.add(dependencies.sessions.onDidChangeSubmitChoices(() => this.redraw(undefined)));
  }

  override async children(parent?: TreeNode<PipelineNode>): Promise<TreeNode<PipelineNode>[]> {
    const rows = await super.children(parent);
    const nodes = rows.filter(node => node instanceof PipelineNode);
    if (nodes.length === 0) return rows;
    const recent = await this.recentPipelines();
    for (const node of nodes) node.isLastUsed = node.id === recent[0];
    const [first = rows.length] = rows.flatMap((node, index) =>
      node instanceof PipelineNode ? [index] : [],
    );
    // A row about an unreachable service stays above the pipelines, a row that loads more below.
    return [...rows.slice(0, first), ...recentFirst(nodes, recent), ...rows.slice(first + nodes.length)];
  }

  protected pager(session: JobSession): Pager<Pipeline> {
    return new Pager((startingAfter, signal) =>
      session.client.listPipelines({ ...(startingAfter && { startingAfter }) }, signal),
    );
  }

  protected node(_session: JobSession, resource: Pipeline): PipelineNode {
    return new PipelineNode(resource);
  }

  /** IDs of recent pipelines; empty if the account was signed out in the meantime. */
  private async recentPipelines(): Promise<readonly string[]> {
    try {
      return (await (await this.sessions.active()).submitChoices.last()).pipelines;
    } catch {
      return [];
    }
  }

  protected keyOf(node: PipelineNode): string {
    return node.id;
  }
}

/** Moves recently used entries to the start, in the order of `recent`. */
export function recentFirst<T extends { id: string }>(entries: readonly T[], recent: readonly string[]): T[] {
  const byId = new Map(entries.map(entry => [entry.id, entry]));
  const first = recent.flatMap(id => byId.get(id) ?? []);
  const isFirst = new Set(first);
  return [...first, ...entries.filter(entry => !isFirst.has(entry))];
}
