import { distinctNames } from '../../masks/distinctNames';
import { pathOfItem, type RunItem, type RunRecord } from './runs/runRecord';

/** An image that gave no result, and what it is called: by name, with as many folders as tell it from the others of its run. */
export interface ImageWithoutResult {
  item: RunItem;
  name: string;
  /** As far as it is known. */
  path: string;
}

/** The images of a run that gave no result; none where they weren't compared. */
export function imagesWithoutResult({
  items,
  outcome,
}: Pick<RunRecord, 'items' | 'outcome'>): ImageWithoutResult[] {
  if (!outcome?.compared) return [];
  const missing = new Set(outcome.withoutResult);
  const paths = items.map(pathOfItem);
  const names = distinctNames(paths);
  return items.flatMap((item, at) =>
    missing.has(item.id) ? [{ item, name: names[at] || item.id, path: paths[at] ?? '' }] : [],
  );
}
