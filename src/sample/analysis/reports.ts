import type { ImageResult, ObjectResult } from './analyseImage';

/** One analysed picture of a job. */
export interface AnalysedImage {
  /** Folder path and file name, with slashes. */
  origin: string;
  imageId: string;
  result: ImageResult;
}

/** Measurements every object has, in the order of the objects table. */
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

/** Of these the aggregate table says mean, standard deviation and median. */
const SUMMARISED = MEASUREMENTS.filter(name => name !== 'X Position' && name !== 'Y Position');

/** The objects table: CSV (RFC 4180) with one row per object; channels have columns where any picture has several. */
export function objectsCsv(images: readonly AnalysedImage[]): string {
  const extra = new Set<string>();
  for (const { result } of images) {
    for (const name of Object.keys(result.objects[0]?.measurements ?? {})) extra.add(name);
  }
  for (const name of MEASUREMENTS) extra.delete(name);
  const columns = [...MEASUREMENTS, ...extra];
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
 * The aggregate table: CSV with one row per group (the folder of the pictures; `groupName` for those in none) and one
 * per picture, told apart by `Level`; pictures without objects have their row. Deviations are with n − 1; what cannot
 * be said of too few objects is empty.
 */
export function aggregateCsv(images: readonly AnalysedImage[], groupName: string): string {
  const classes = [
    ...new Set(images.flatMap(({ result }) => result.objects.map(object => object.className))),
  ].sort();
  const groups = new Map<string, AnalysedImage[]>();
  for (const image of images) {
    const end = image.origin.lastIndexOf('/');
    const group = end > 0 ? image.origin.slice(0, end) : groupName;
    groups.set(group, [...(groups.get(group) ?? []), image]);
  }
  const header = ['Level', 'Name', 'Number of Images', 'Number of Objects'];
  header.push(...classes.map(name => `Number of ${name}`));
  for (const name of SUMMARISED) header.push(`Mean ${name}`, `SD ${name}`, `Median ${name}`);
  const line = (level: string, name: string, members: readonly AnalysedImage[]) => {
    const objects = members.flatMap(({ result }) => result.objects);
    const counts = classes.map(className => objects.filter(object => object.className === className).length);
    return csvLine([
      level,
      name,
      ...[members.length, objects.length, ...counts].map(String),
      ...SUMMARISED.flatMap(measurement => summary(objects, measurement)),
    ]);
  };
  const lines = [csvLine(header)];
  for (const [name, members] of groups) lines.push(line('Group', name, members));
  for (const image of images) lines.push(line('Image', image.origin, [image]));
  return lines.join('');
}

function summary(objects: readonly ObjectResult[], measurement: string): string[] {
  const values = objects.map(object => object.measurements[measurement] ?? NaN).sort((a, b) => a - b);
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const median = ((values[(n - 1) >> 1] ?? NaN) + (values[n >> 1] ?? NaN)) / 2;
  return [mean, n > 1 ? Math.sqrt(squares / (n - 1)) : NaN, median].map(numberText);
}

/** At most six decimals; empty for what is not a number. */
function numberText(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? '' : String(Number(value.toFixed(6)));
}

function csvLine(cells: readonly string[]): string {
  const quoted = cells.map(cell => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(',')}\r\n`;
}
