import type { DecimalMark } from '../../columns/csv/csvNumber';

/** Significant digits for a typical number of a column. */
const TYPICAL_DIGITS = 4;
const MAX_DECIMALS = 6;

/** Numbers in plain notation. Others, such as 007 or 1e-9, are shown as they are. */
const PLAIN = {
  '.': /^ *-?(?:0|[1-9]\d*)(?:\.(\d+))? *$/,
  ',': /^ *-?(?:0|[1-9]\d*)(?:,(\d+))? *$/,
};

/**
 * The number of decimals to show in a column, so that decimal marks are aligned: as many as its
 * cells have, but no more than a number of typical size needs. Undefined if no cell is a plain
 * number.
 */
export function columnDecimals(cells: Iterable<string>, mark: DecimalMark): number | undefined {
  const sizes: number[] = [];
  let mostDecimals: number | undefined;
  for (const cell of cells) {
    const match = PLAIN[mark].exec(cell);
    if (!match) continue;
    mostDecimals = Math.max(mostDecimals ?? 0, (match[1] ?? '').replace(/0+$/, '').length);
    const size = Math.abs(numberOf(cell, mark));
    if (size > 0) sizes.push(size);
  }
  if (!mostDecimals) return mostDecimals;
  sizes.sort((a, b) => a - b);
  const typical = sizes[sizes.length >> 1] ?? 1;
  const needed = TYPICAL_DIGITS - 1 - Math.floor(Math.log10(typical));
  return Math.min(mostDecimals, Math.max(1, Math.min(MAX_DECIMALS, needed)));
}

/**
 * A cell with a column's number of decimals; unchanged if it isn't plain, is too large to be exact,
 * or would be rounded to 0.
 */
export function shownNumber(cell: string, decimals: number, mark: DecimalMark): string {
  if (!PLAIN[mark].test(cell)) return cell;
  const value = numberOf(cell, mark);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return cell;
  const shown = value.toFixed(decimals);
  // A small number mustn't look like 0.
  if (value !== 0 && Number(shown) === 0) return cell.trim();
  return mark === ',' ? shown.replace('.', ',') : shown;
}

/** A mark with at least this many digits after it doesn't separate thousands. */
const LONG = /([.,])\d{4,} *$/;

/** A single cell with its meaningful digits; unchanged if it may not be a number. */
export function shownAlone(cell: string): string {
  const [, separator] = LONG.exec(cell) ?? [];
  if (separator === undefined) return cell;
  const mark = separator === ',' ? ',' : '.';
  const decimals = columnDecimals([cell], mark);
  return decimals === undefined ? cell : shownNumber(cell, decimals, mark);
}

function numberOf(cell: string, mark: DecimalMark): number {
  return Number(mark === ',' ? cell.replace(',', '.') : cell);
}

/** Maximum of significant digits in a double. */
const MAX_DIGITS = 15;

/** Significant digits that distinguish numbers between `low` and `high`; at least `minDigits`. */
export function digitsBetween(low: number, high: number, minDigits = 4): number {
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const distinguishing = high > low ? Math.ceil(Math.log10(largest / (high - low))) + 2 : 0;
  return Math.max(minDigits, Math.min(MAX_DIGITS, distinguishing));
}

/** A number with commas that may separate thousands. */
const GROUPED = /^[+-]?[1-9]\d{0,2}(,\d{3})+$/;

/**
 * A typed number, with a decimal point or comma. Null if empty, undefined if it isn't a number.
 * "1,234" is ambiguous: it counts as a number only if the table has decimal commas.
 */
export function typedNumber(typed: string, decimalComma = false): number | null | undefined {
  const trimmed = typed.trim();
  if (trimmed === '') return null;
  if (!decimalComma && GROUPED.test(trimmed)) return undefined;
  const value = Number(trimmed.replace(/^([^.,]*),([^.,]*)$/, '$1.$2'));
  return Number.isFinite(value) ? value : undefined;
}
