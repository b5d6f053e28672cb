import { CodedError } from '../../base/errors';
import { Pacer } from '../../base/node/slices';
import { statisticsOf } from '../../columns/columnStatistics';
import { sortedNumbers } from '../../columns/engine/sortedNumbers';
import { numbersAt, type TableSource } from '../../columns/engine/read/tableSource';
import {
  type MeanAndSpread,
  type SelectedColumn,
  type ShapeMeasure,
  shapeMeasures,
  type ShapeStatistics,
} from '../selectionStatistics';
import type { ObjectsOfImage } from '../masksSummary';
import { measureShape } from '../measurements';
import { maskOf } from './imageObjects';
import type { Masks } from './masks';

/**
 * Measures the masks of several objects. Throws `bad-request` for an object that doesn't exist,
 * `cancelled`.
 */
export async function selectedShapes(
  masks: Pick<Masks, 'objects'>,
  selection: readonly ObjectsOfImage[],
  signal?: AbortSignal,
): Promise<ShapeStatistics> {
  const count = selection.reduce((sum, { objects }) => sum + objects.length, 0);
  const values = Object.fromEntries(
    shapeMeasures.map(measure => [measure, new Float64Array(count)]),
  ) as Record<ShapeMeasure, Float64Array>;
  const pacer = new Pacer(signal);
  let index = 0;
  for (const { image, objects: numbers } of selection) {
    const objects = await masks.objects(image, signal);
    for (const object of numbers) {
      if (pacer.isDue) await pacer.pause();
      if (!Number.isInteger(object) || object < 0 || object >= objects.count)
        throw new CodedError('bad-request', `No object ${object}`);
      const shape = measureShape(maskOf(objects, object));
      for (const measure of shapeMeasures) values[measure][index] = shape[measure];
      index++;
    }
  }
  const statistics: Partial<ShapeStatistics> = {};
  for (const measure of shapeMeasures) statistics[measure] = await meanAndSpread(values[measure], signal);
  return statistics as ShapeStatistics;
}

/** Maximum number of columns in a readable list; a table may have thousands. */
const MAX_COLUMNS = 200;

/**
 * The numeric columns of a table over some of its rows, except the column of IDs. Throws
 * `cancelled`.
 */
export async function selectedColumns(
  table: TableSource,
  rows: Int32Array,
  idColumn: string | undefined,
  signal?: AbortSignal,
): Promise<SelectedColumn[]> {
  const numeric = table.columns.filter(({ kind, name }) => kind === 'number' && name !== idColumn);
  const pacer = new Pacer(signal);
  const statistics: SelectedColumn[] = [];
  for (const { index, name, isRounded } of numeric.slice(0, MAX_COLUMNS)) {
    await pacer.pause();
    const values = await numbersAt(table, index, rows, signal);
    statistics.push({ name, ...(isRounded && { isRounded }), ...(await meanAndSpread(values, signal)) });
  }
  return statistics;
}

/**
 * Count, mean and standard deviation of the values that are numbers, as statistics of columns
 * define them. Throws `cancelled`.
 */
async function meanAndSpread(values: Float64Array, signal?: AbortSignal): Promise<MeanAndSpread> {
  const sorted = await sortedNumbers(values, signal);
  const present = sorted.length;
  const { mean, sd } = statisticsOf({ present, missing: values.length - present, sorted });
  return { count: present, mean, sd };
}
