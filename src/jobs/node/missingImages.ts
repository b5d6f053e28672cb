import type { RunItem } from './runs/runRecord';
import type { JobNode } from './jobNode';

/** The images of a job that gave no result, as one node below it. */
export class MissingImagesNode {
  constructor(
    readonly job: JobNode,
    readonly items: readonly RunItem[],
  ) {}

  get nodes(): MissingImageNode[] {
    return this.items.map(item => new MissingImageNode(this.job, item));
  }
}

/** An image that gave no result. */
export class MissingImageNode {
  constructor(
    readonly job: JobNode,
    readonly item: RunItem,
  ) {}

  /** Of the item: what is copied. */
  get id(): string {
    return this.item.id;
  }
}

/**
 * Which images of which job to run again: all of the node clicked, or, of those selected, the ones of the same job as the one
 * clicked. The arguments are those of a tree's command.
 */
export function imagesToRunAgain([clicked, selected]: readonly unknown[]):
  | { job: JobNode; items: readonly RunItem[] }
  | undefined {
  if (clicked instanceof MissingImagesNode) return clicked;
  if (!(clicked instanceof MissingImageNode)) return undefined;
  const { job } = clicked;
  const nodes = Array.isArray(selected) && selected.length > 0 ? (selected as unknown[]) : [clicked];
  const items = nodes
    .filter(node => node instanceof MissingImageNode)
    .filter(node => node.job.id === job.id)
    .map(({ item }) => item);
  return { job, items };
}
