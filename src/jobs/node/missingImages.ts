import type { RunItem } from './runs/runRecord';
import type { ImageWithoutResult } from './imagesWithoutResult';
import type { JobNode } from './jobNode';

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
    .map(({ image }) => image.item);
  return { job, items };
}
