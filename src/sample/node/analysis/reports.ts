import type { ImageResult, ObjectResult } from './analyzeImage';
import { statisticsOf } from '../../../columns/columnStatistics';

/** One analyzed image of a job. */
interface AnalyzedImage {
  /** Folder path and file name, with slashes. */
  origin: string;
  imageId: string;
  result: ImageResult;
}

/** The measurements that every object has, in the order of the columns in the objects table. */
const MEASUREMENTS = [
  'Area',
  'Perimeter',
  'Length of Major Axis',
  'Length of Minor Axis',
  'Feret Diameter Maximum',
  'X Position',
  'Y Position',
  'Mean Intensity',
] as const;

/** The aggregate table has the mean, standard deviation and median of these measurements. */
const SUMMARIZED = MEASUREMENTS.filter(name => name !== 'X Position' && name !== 'Y Position');

/** The objects table as CSV (RFC 4180). Images of several channels add a column per channel. */
export function objectsCsv(images: readonly AnalyzedImage[]): string {
  const channelColumns = new Set<string>();
  for (const { result } of images) {
    for (const name of Object.keys(result.objects[0]?.measurements ?? {})) channelColumns.add(name);
  }
  for (const name of MEASUREMENTS) channelColumns.delete(name);
  const columns = [...MEASUREMENTS, ...channelColumns];
  const lines = [csvLine(['Image origin', 'Object ID', 'Class', ...columns])];
  for (const { origin, result } of images) {
    for (const { id, className, measurements } of result.objects) {
      lines.push(
        csvLine([origin, String(id), className, ...columns.map(name => numberText(measurements[name]))]),
      );
    }
  }
  return lines.join('');
}

/**
 * The aggregate table as CSV. It has rows for groups and for images, even those without objects;
 * the column `Level` tells them apart. A group is a folder of images; images without a folder are
 * in the group `groupName`. Standard deviations divide by n − 1. A statistic is empty if there
 * are too few objects for it.
 */
export function aggregateCsv(images: readonly AnalyzedImage[], groupName: string): string {
  const classes = [
    ...new Set(images.flatMap(({ result }) => result.objects.map(object => object.className))),
  ].sort();
  const groups = new Map<string, AnalyzedImage[]>();
  for (const image of images) {
    const end = image.origin.lastIndexOf('/');
    const group = end > 0 ? image.origin.slice(0, end) : groupName;
    groups.set(group, [...(groups.get(group) ?? []), image]);
  }
  const header = ['Level', 'Name', 'Number of Images', 'Number of Objects'];
  header.push(...classes.map(name => `Number of ${name}`));
  for (const name of SUMMARIZED) header.push(`Mean ${name}`, `SD ${name}`, `Median ${name}`);
  const line = (level: string, name: string, members: readonly AnalyzedImage[]) => {
    const objects = members.flatMap(({ result }) => result.objects);
    const counts = classes.map(className => objects.filter(object => object.className === className).length);
    return csvLine([
      level,
      name,
      ...[members.length, objects.length, ...counts].map(String),
      ...SUMMARIZED.flatMap(measurement => summary(objects, measurement)),
    ]);
  };
  const lines = [csvLine(header)];
  for (const [name, members] of groups) lines.push(line('Group', name, members));
  for (const image of images) lines.push(line('Image', image.origin, [image]));
  return lines.join('');
}

function summary(objects: readonly ObjectResult[], measurement: string): string[] {
  const values = objects.map(object => object.measurements[measurement] ?? NaN);
  const sorted = Float64Array.from(values.filter(value => !Number.isNaN(value))).sort();
  const missing = values.length - sorted.length;
  const { mean, sd, median } = statisticsOf({ present: sorted.length, missing, sorted });
  return [mean, sd, median].map(value => numberText(value ?? undefined));
}

/** A number with at most six decimals; empty if undefined, NaN or infinite. */
function numberText(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? '' : String(Number(value.toFixed(6)));
}

function csvLine(cells: readonly string[]): string {
  const quoted = cells.map(cell => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(',')}\r\n`;
}
