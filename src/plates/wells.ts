import { wellOf } from '../study/imagePattern';

/*
 * Wells and plates of the standard formats (ANSI/SLAS 4-2004). A well's name is its row, A to Z and
 * then AA to AF, and its column from 1.
 */

/** A well by its row and column, from 0. */
export interface WellPlace {
  row: number;
  column: number;
}

/** A plate of a standard format. */
export interface PlateSize {
  wells: number;
  rows: number;
  columns: number;
}

const LARGEST: PlateSize = { wells: 1536, rows: 32, columns: 48 };

export const plateSizes: readonly PlateSize[] = [
  { wells: 6, rows: 2, columns: 3 },
  { wells: 12, rows: 3, columns: 4 },
  { wells: 24, rows: 4, columns: 6 },
  { wells: 48, rows: 6, columns: 8 },
  { wells: 96, rows: 8, columns: 12 },
  { wells: 384, rows: 16, columns: 24 },
  LARGEST,
];

/** The letters of a row from 0. */
export function rowName(row: number): string {
  const letter = (index: number) => String.fromCharCode(65 + index);
  return row < 26 ? letter(row) : `A${letter(row - 26)}`;
}

export function wellName({ row, column }: WellPlace): string {
  return `${rowName(row)}${column + 1}`;
}

/** The well that a text names: "A1", "A01", "a1" or "AA01"; undefined if no plate has it. */
export function parseWell(text: string): WellPlace | undefined {
  const [, letters = '', number] = /^([A-Z]+)(\d+)$/.exec(wellOf(text) ?? '') ?? [];
  if (number === undefined) return undefined;
  const [first = 0, second] = [...letters].map(letter => letter.charCodeAt(0) - 65);
  return { row: second === undefined ? first : 26 * (first + 1) + second, column: Number(number) - 1 };
}

/** Whether a plate has a well. */
export function isOnPlate({ rows, columns }: PlateSize, { row, column }: WellPlace): boolean {
  return row >= 0 && column >= 0 && row < rows && column < columns;
}

/** The smallest standard plate for some wells; for none, the smallest of all. */
export function plateSizeFor(wells: readonly WellPlace[]): PlateSize {
  return plateSizes.find(size => wells.every(well => isOnPlate(size, well))) ?? LARGEST;
}

/** Wells row by row. */
export function compareWells(a: WellPlace, b: WellPlace): number {
  return a.row - b.row || a.column - b.column;
}
