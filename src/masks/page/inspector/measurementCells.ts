import type { ObjectDetails } from '../../masksSummary';
import type { MasksText } from '../../../pages/page/pageText';
import { areaInMicrons, perimeterInMicrons, type MicronSize } from '../stage/micronSize';

export interface MeasuredObject {
  /** Its image, by name. */
  image: string;
  details: ObjectDetails;
  pixelSize?: MicronSize | undefined;
  /** Mean of the samples inside the mask, for each channel of the background image. */
  means: readonly { channel: string; mean: number | null }[];
}

/**
 * The measurements of an object for a spreadsheet: their names with units, and below them the values with all their digits,
 * as programs write numbers.
 */
export function measurementCells(
  text: MasksText,
  { image, details, pixelSize, means }: MeasuredObject,
): [names: string[], values: string[]] {
  const { id, className, score, area, perimeter, centroid, bbox, row } = details;
  const inUnit = (name: string, unit: string) => text.get('nameInUnit', name, unit);
  const cells: [string, string | number | undefined | null][] = [
    [text.get('measureImage'), image],
    [text.get('measureId'), id],
    [text.get('measureClass'), className],
    ...(score === undefined ? [] : [[text.get('measureScore'), score] as [string, number]]),
    [inUnit(text.get('measureArea'), 'px²'), area],
    [inUnit(text.get('measurePerimeter'), 'px'), perimeter],
  ];
  if (pixelSize) {
    cells.push([inUnit(text.get('measureArea'), 'µm²'), areaInMicrons(area, pixelSize)]);
    cells.push([inUnit(text.get('measurePerimeter'), 'µm'), perimeterInMicrons(perimeter, pixelSize)]);
  }
  const axes = ['x', 'y'];
  axes.forEach((axis, at) => cells.push([`${text.get('measureCentroid')} ${axis}`, centroid[at]]));
  const corners = ['x1', 'y1', 'x2', 'y2'];
  corners.forEach((corner, at) => cells.push([`${text.get('measureBox')} ${corner}`, bbox[at]]));
  for (const { channel, mean } of means) {
    const name = means.length === 1 ? text.get('measureMean') : text.get('measureMeanOf', channel);
    cells.push([name, mean]);
  }
  if (row !== undefined) cells.push([text.get('measureRow'), row + 1]);
  return [cells.map(([name]) => name), cells.map(([, value]) => String(value ?? ''))];
}
