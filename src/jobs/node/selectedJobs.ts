import { type JobNode, jobOfNode, MissingImageNode, MissingImagesNode } from './jobNodes';
import type { RunItem } from './runRecords';

// Apart from jobNodes.ts, which is compiled when VS Code starts.

/** The jobs of a selection that have an objects table. */
export function jobsWithObjects(selection: readonly unknown[]): JobNode[] {
  const jobs = selection.map(jobOfNode).filter(job => job !== undefined);
  return [...new Set(jobs)].filter(({ results }) => results.objects);
}

/**
 * Images of a job to run again: all of the clicked node, or the selected ones of its job. Takes the
 * arguments of a tree's command.
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
