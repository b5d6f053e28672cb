import { selectedItem } from './itemSelection';
import type { KnownOfJob } from './submitOutcome';
import { FileNode } from '../../uploads/node/fileNode';
import { PipelineNode } from './pipelineNodes';

// A tree passes two arguments to its commands: the node clicked, and what is selected where that is more than one node.

/** What a tree selection says of a job to submit: a pipeline, or items. */
export function jobFromSelection(args: readonly unknown[]): KnownOfJob {
  const [clicked] = args;
  if (clicked instanceof PipelineNode)
    return { pipelineId: clicked.id, pipelineDescription: clicked.resource.description };
  const nodes = selectedNodes(args).filter(node => node instanceof FileNode);
  if (nodes.length === 0) return {};
  const items = new Map(nodes.map(({ id, resource, parent }) => [id, selectedItem(resource, parent?.label)]));
  return { filesystemIds: [...items.keys()], items: [...items.values()] };
}

/** The IDs of what is selected; the actions of a tree have none. */
export function selectedIds(args: readonly unknown[]): string[] {
  const ids = selectedNodes(args).map(node => (node as { id?: unknown } | undefined)?.id);
  return unique(ids.filter(id => typeof id === 'string'));
}

function selectedNodes([clicked, selected]: readonly unknown[]): unknown[] {
  return Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
}

/** An item that the service shows in several folders may be selected more than once. */
function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
