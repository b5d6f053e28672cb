import * as v from 'valibot';
import type { SelectedColumn, ShapeStatistics } from '../columns/selectionStatistics';
import { request, type RequestsOf } from '../protocol/declarations';
import { index, indexes } from '../protocol/schemas';

const MAX_IMAGES = 100_000;
/** Objects of all images. */
const MAX_SELECTED = 2_000_000;

/** See ObjectsOfImage. */
export const objectsOfImages = v.pipe(
  v.array(v.object({ image: index, objects: indexes })),
  v.maxLength(MAX_IMAGES),
  v.check(images => images.reduce((sum, { objects }) => sum + objects.length, 0) <= MAX_SELECTED),
);

/** Requests of the masks page about several selected objects; the panel passes them on to the engine. */
export const selectionPageRequests = {
  /** Mean and standard deviation of what is measured from their masks. */
  shapesOfSelection: request(v.object({ selection: objectsOfImages })).resolvesTo<ShapeStatistics>(),

  /**
   * The same of the numeric columns of the objects table over their linked rows, except the one of IDs; the first 200 columns.
   * Without a link there are none.
   */
  columnsOfSelection: request(v.object({ selection: objectsOfImages })).resolvesTo<{
    rows: number;
    columns: SelectedColumn[];
  }>(),
};

/** Requests about selected objects that an engine thread handles. */
export type SelectionRequests = RequestsOf<typeof selectionPageRequests>;
