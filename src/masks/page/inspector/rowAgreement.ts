import { findRowColumns } from '../../../columns/rowColumns';
import type { ObjectDetails } from '../../masksSummary';
import { areaInMicrons, perimeterInMicrons, type MicronSize } from '../stage/micronSize';

/** A cell says the same as the mask, something that contradicts it, or something else. */
export type Agreement = 'same' | 'differs' | 'other';

/** What a row is compared with. */
export interface ComparedObject {
  details: ObjectDetails;
  pixelSize?: MicronSize | undefined;
  /** The table's area / the mask's where it is the same for all rows: other units, or a rescaled image. */
  areaRatio?: number | undefined;
}

/** As for the areas of a whole table; see docs/measurements.md. */
const TOLERANCE = 0.001;
/** Pixels. */
const POSITION_TOLERANCE = 0.01;

/**
 * Compares the cells of an object's row with its mask, as docs/measurements.md says under "Objects": areas and classes
 * can contradict each other; perimeters and positions are defined in more than one way, so they only agree or not.
 */
export function rowAgreement(
  names: readonly string[],
  cells: readonly string[],
  { details, pixelSize, areaRatio }: ComparedObject,
): Agreement[] {
  const { id, area, position } = findRowColumns(names);
  const isNear = (cell: string, value: number | undefined) => value !== undefined && agrees(cell, value);
  return names.map((name, at): Agreement => {
    const cell = (cells[at] ?? '').trim();
    if (cell === '') return 'other';
    if (at === id) return cell === String(details.id) || numberOf(cell) === details.id ? 'same' : 'other';
    if (CLASS_NAME.test(name)) return cell === details.className ? 'same' : 'differs';
    if (at === position?.x || at === position?.y) {
      const own = details.centroid[at === position.x ? 0 : 1];
      return Math.abs(numberOf(cell) - own) <= POSITION_TOLERANCE ? 'same' : 'other';
    }
    if (at === area) {
      if (Number.isNaN(numberOf(cell))) return 'other';
      if (isNear(cell, details.area)) return 'same';
      if (pixelSize && isNear(cell, areaInMicrons(details.area, pixelSize))) return 'same';
      return areaRatio !== undefined && isNear(cell, details.area * areaRatio) ? 'other' : 'differs';
    }
    if (PERIMETER_NAME.test(name)) {
      const microns = pixelSize && perimeterInMicrons(details.perimeter, pixelSize);
      return isNear(cell, details.perimeter) || isNear(cell, microns) ? 'same' : 'other';
    }
    return 'other';
  });
}

const CLASS_NAME = /^(object )?class( name)?$/i;
const PERIMETER_NAME = /^perimeter\b/i;

/** Within a thousandth, or half of the last digit that the cell gives. */
function agrees(cell: string, value: number): boolean {
  const decimals = /[.,](\d+)$/.exec(cell)?.[1]?.length ?? 0;
  const half = 0.5 * 10 ** -decimals;
  return Math.abs(numberOf(cell) - value) <= Math.max(Math.abs(value) * TOLERANCE, half * 1.000001);
}

/** NaN for what is no number; a comma is the decimal mark where there is no point. */
function numberOf(cell: string): number {
  const plain = cell.includes('.') ? cell : cell.replace(',', '.');
  return plain.trim() === '' ? NaN : Number(plain);
}
