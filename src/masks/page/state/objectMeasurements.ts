import { t } from '../../../pages/page/l10n';
import { findRowColumns } from '../../../columns/rowColumns';
import type { BackgroundImageInfo } from '../../../images/backgroundImageInfo';
import type { ObjectDetails } from '../../../archives/masksSummary';
import type { MicronSize } from './pointerModel';
import type { Extent } from '../tiles/viewTransform';

/** Maximum relative difference of the sides of a square pixel: files round them. */
const SQUARE_WITHIN = 0.01;

/**
 * The size of an image's pixels when a background image is stretched over it. `pixelSize`: of the
 * background image.
 */
export function stretchedSize(pixelSize: MicronSize, backgroundImage: Extent, image: Extent): MicronSize {
  return {
    x: (pixelSize.x * backgroundImage.width) / image.width,
    y: (pixelSize.y * backgroundImage.height) / image.height,
  };
}

export function isSquare({ x, y }: MicronSize): boolean {
  return Math.abs(x / y - 1) <= SQUARE_WITHIN;
}

/** Decimals that distinguish the positions of neighboring pixels in µm. */
export function micronDecimals(side: number): number {
  return Math.min(6, Math.max(0, Math.ceil(-Math.log10(side))));
}

/** µm² of an area in pixels. */
export function areaInMicrons(area: number, { x, y }: MicronSize): number {
  return area * x * y;
}

/**
 * µm of a perimeter in pixels; unknown for pixels that aren't square, as its direction is unknown.
 */
export function perimeterInMicrons(perimeter: number, size: MicronSize): number | undefined {
  return isSquare(size) ? perimeter * Math.sqrt(size.x * size.y) : undefined;
}

/** The label of the mean of a channel's samples; `count`: number of channels. */
export function meanName(channel: string, count: number): string {
  return count === 1 ? t('Mean intensity') : t('Mean of {0}', channel);
}

const RGB = [t.later('Red'), t.later('Green'), t.later('Blue')] as const;

/**
 * The name of a channel (from 0): from the file, else its color in an RGB image, else its number.
 */
export function channelName(
  { channelNames, rgb }: Pick<BackgroundImageInfo, 'channelNames' | 'rgb'>,
  channel: number,
): string {
  const color = rgb && RGB[channel];
  return channelNames[channel] || (color ? color() : t('Channel {0}', channel + 1));
}

interface MeasuredObject {
  /** Name of the object's image. */
  image: string;
  details: ObjectDetails;
  pixelSize?: MicronSize | undefined;
  /** Mean of the samples inside the mask, for each channel of the background image. */
  means: readonly { channel: string; mean: number | null }[];
}

/**
 * The measurements of an object for a spreadsheet: names with units, and unrounded values with a
 * decimal point.
 */
export function measurementCells({
  image,
  details,
  pixelSize,
  means,
}: MeasuredObject): [names: string[], values: string[]] {
  const { id, className, score, area, perimeter, centroid, bbox, row } = details;
  const inUnit = (name: string, unit: string) => t('{0} ({1})', name, unit);
  const cells: [string, string | number | undefined | null][] = [
    [t('Image'), image],
    [t('ID'), id],
    [t({ message: 'Class', comment: 'Of an object' }), className],
    ...(score === undefined
      ? []
      : [[t({ message: 'Score', comment: 'Model confidence of an object' }), score] as [string, number]]),
    [inUnit(t('Area'), 'px²'), area],
    [inUnit(t('Perimeter'), 'px'), perimeter],
  ];
  if (pixelSize) {
    cells.push([inUnit(t('Area'), 'µm²'), areaInMicrons(area, pixelSize)]);
    cells.push([inUnit(t('Perimeter'), 'µm'), perimeterInMicrons(perimeter, pixelSize)]);
  }
  const axes = ['x', 'y'];
  axes.forEach((axis, index) => cells.push([`${t('Centroid')} ${axis}`, centroid[index]]));
  const corners = ['x1', 'y1', 'x2', 'y2'];
  corners.forEach((corner, index) => cells.push([`${t('Bounding box')} ${corner}`, bbox[index]]));
  for (const { channel, mean } of means) cells.push([meanName(channel, means.length), mean]);
  if (row !== undefined) cells.push([t('Table row'), row + 1]);
  return [cells.map(([name]) => name), cells.map(([, value]) => String(value ?? ''))];
}

/** A cell agrees with the mask, contradicts it, or can't be compared with it. */
export type Agreement = 'same' | 'differs' | 'other';

/** The measurements to compare a row with. */
interface ComparedObject {
  details: ObjectDetails;
  pixelSize?: MicronSize | undefined;
  /** The table's area / the mask's, if equal in all rows: other units, or a rescaled image. */
  areaRatio?: number | undefined;
}

/** The relative tolerance for areas of a whole table, too; see docs/measurements.md. */
const TOLERANCE = 0.001;
/** Pixels. */
const POSITION_TOLERANCE = 0.01;

/**
 * Compares the cells of an object's row with its mask; see "Objects" in docs/measurements.md. Areas
 * and classes can contradict the mask. Perimeters and positions have several definitions, so that a
 * difference means nothing.
 */
export function rowAgreement(
  names: readonly string[],
  cells: readonly string[],
  { details, pixelSize, areaRatio }: ComparedObject,
): Agreement[] {
  const { id, area, position } = findRowColumns(names);
  const isNear = (cell: string, value: number | undefined) => value !== undefined && agrees(cell, value);
  return names.map((name, column): Agreement => {
    const cell = (cells[column] ?? '').trim();
    if (cell === '') return 'other';
    if (column === id) return cell === String(details.id) || numberOf(cell) === details.id ? 'same' : 'other';
    if (CLASS_NAME.test(name)) return cell === details.className ? 'same' : 'differs';
    if (column === position?.x || column === position?.y) {
      const coordinate = details.centroid[column === position.x ? 0 : 1];
      return Math.abs(numberOf(cell) - coordinate) <= POSITION_TOLERANCE ? 'same' : 'other';
    }
    if (column === area) {
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

/** Whether numbers agree within TOLERANCE, or within half of the cell's last digit. */
function agrees(cell: string, value: number): boolean {
  const decimals = /[.,](\d+)$/.exec(cell)?.[1]?.length ?? 0;
  const halfDigit = 0.5 * 10 ** -decimals;
  return Math.abs(numberOf(cell) - value) <= Math.max(Math.abs(value) * TOLERANCE, halfDigit * 1.000001);
}

/** NaN for text that isn't a number; a comma is the decimal mark if there is no point. */
function numberOf(cell: string): number {
  const plain = cell.includes('.') ? cell : cell.replace(',', '.');
  return plain.trim() === '' ? NaN : Number(plain);
}
