import { Pager } from '../../api/pager';
import type { Pipeline } from '../../api/wire';
import type { AccountSession } from '../accounts/accountSession';
import { PagedNodes, type PagedNodesParts } from './pagedNodes';

export class PipelineNode {
  constructor(readonly resource: Pipeline) {}

  get id(): string {
    return this.resource.id;
  }
}

/** The account's active pipelines. */
export class PipelineNodes extends PagedNodes<Pipeline, PipelineNode> {
  constructor(parts: PagedNodesParts) {
    super('pipelines', parts);
  }

  protected pager(session: AccountSession): Pager<Pipeline> {
    return new Pager((startingAfter, signal) =>
      session.client.listPipelines({ ...(startingAfter && { startingAfter }) }, signal),
    );
  }

  protected node(_session: AccountSession, resource: Pipeline): PipelineNode {
    return new PipelineNode(resource);
  }

  protected keyOf(node: PipelineNode): string {
    return node.id;
  }
}
