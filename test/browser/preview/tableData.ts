import type { TableColumn } from '../../../src/columns/tableSummary';
import { seededNumbers } from './seededNumbers';

const HEADERS: [string, TableColumn['kind']][] = [
  ['Image origin', 'text'],
  ['Object ID', 'number'],
  ['Class', 'text'],
  ['Area', 'number'],
  ['Perimeter', 'number'],
  ['Length of Major Axis', 'number'],
  ['Length of Minor Axis', 'number'],
  ['Feret Diameter Maximum', 'number'],
  ['X Position', 'number'],
  ['Y Position', 'number'],
  ['', 'text'],
];

export const columns: TableColumn[] = HEADERS.map(([name, kind], index) => ({ index, name, kind }));

/** An objects table that looks like the service's. */
export function makeRows(count: number): string[][] {
  const random = seededNumbers(7);
  return Array.from({ length: count }, (_, i) => {
    const area = Math.floor(20 + random() ** 2 * 900);
    const minor = Math.sqrt(area) * (0.7 + random() * 0.4);
    const major = minor * (1 + random());
    return [
      `Plate 3/Well B${(i >> 9) + 1}/nuclei_${String((i >> 7) + 1).padStart(3, '0')}.tif`,
      `${(i % 128) + 1}.0`,
      random() < 0.7 ? 'Nucleus' : random() < 0.5 ? 'Mitotic' : 'Debris, out of focus',
      String(area),
      (Math.sqrt(area) * 3.6).toFixed(3),
      major.toFixed(4),
      minor.toFixed(4),
      (major * 1.04).toFixed(4),
      random() < 0.02 ? '' : (random() * 2048).toFixed(2),
      (random() * 2048).toFixed(2),
      i % 40 === 3 ? 'checked by hand' : '',
    ];
  });
}

/** The table as a CSV file; three rows are uneven. */
export function tableText(count: number): string {
  const lines = makeRows(count).map((cells, row) =>
    [...cells, ...([41, 977, 3120].includes(row) ? ['one too many'] : [])].map(quoted).join(','),
  );
  return [columns.map(({ name }) => name).join(','), ...lines, ''].join('\n');
}

/** A table of many columns, as pipelines of many features make them. */
export function wideText(count: number, width: number): string {
  const line = (cell: (column: number) => string | number) =>
    Array.from({ length: width }, (_, at) => cell(at)).join();
  const lines = Array.from({ length: count }, (_, row) => line(column => row + column));
  return [line(column => `Feature ${column + 1}`), ...lines, ''].join('\n');
}

/** An aggregate table: rows of groups, whose image is empty, and rows of images. */
export function aggregateText(images: number): string {
  const random = seededNumbers(5);
  const header = 'Group,Image origin,Objects,Mean Area,Mean Perimeter';
  const figures = () =>
    `${Math.floor(80 + random() * 90)},${(random() * 300).toFixed(3)},${(random() * 90).toFixed(3)}`;
  const groups = ['Control', 'Treated'].map(group => `${group},,${figures()}`);
  const rows = Array.from(
    { length: images },
    (_, at) => `${at % 2 ? 'Treated' : 'Control'},nuclei_${String(at + 1).padStart(3, '0')}.tif,${figures()}`,
  );
  return [header, ...groups, ...rows, ''].join('\n');
}

function quoted(cell: string): string {
  return /[,"\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
