import * as v from 'valibot';
import { axisScales, viewFields } from '../columns/viewSchemas';
import { index, polygon } from '../protocol/schemas';

/** See TableShown. */
export const tableShown = v.object({
  view: v.object(viewFields),
  rowCount: index,
  total: index,
  /** The lassos of the sets of rows in the filters. */
  lassos: v.optional(
    v.array(v.object({ set: index, x: index, y: index, polygon, scales: v.optional(axisScales) })),
  ),
});

/** The rows that a table shows: those that match its filters. */
export type TableShown = v.InferOutput<typeof tableShown>;

/** Rows selected in another panel, as a set of the engine. */
export interface SelectedRows {
  set: number;
  rows: number;
}
