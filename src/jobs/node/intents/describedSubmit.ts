import type { NewJob } from '../../../service/node/client';
import { isRunItem, type RunItem } from '../runs/runRecord';

/** A submit, and all that its record tells besides: where its window is gone, another one goes on from this. */
export interface DescribedSubmit extends NewJob {
  pipelineDescription?: string;
  /** The items, as far as more is known of them than their IDs. */
  items?: readonly RunItem[];
  /** Whether its masks are generated once it has succeeded. */
  masks?: boolean;
  by: 'person' | 'program';
}

/** A stored submit; undefined where it is damaged. */
export function parseDescribedSubmit(value: unknown): DescribedSubmit | undefined {
  const found = (value ?? {}) as Partial<Record<keyof DescribedSubmit, unknown>>;
  const { pipelineId, filesystemIds, name, pipelineDescription, items, masks, by } = found;
  const isSound =
    typeof pipelineId === 'string' &&
    Array.isArray(filesystemIds) &&
    filesystemIds.every(id => typeof id === 'string') &&
    [name, pipelineDescription].every(text => text === undefined || typeof text === 'string') &&
    (items === undefined || (Array.isArray(items) && items.every(isRunItem))) &&
    (masks === undefined || typeof masks === 'boolean') &&
    (by === 'person' || by === 'program');
  return isSound ? (value as DescribedSubmit) : undefined;
}
