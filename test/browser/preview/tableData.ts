import type { SortKey, TableColumn } from '../../../src/protocol/tableEngine';
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

/** Row numbers in the order of the sort keys. */
export function sortedRows(rows: readonly string[][], sort: readonly SortKey[]): number[] {
  return rows
    .map((_, i) => i)
    .sort((a, b) => {
      for (const { column, descending } of sort) {
        const [x = '', y = ''] = [rows[a]?.[column], rows[b]?.[column]];
        const difference =
          columns[column]?.kind === 'number' ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0;
        if (difference !== 0) return descending ? -difference : difference;
      }
      return a - b;
    });
}
