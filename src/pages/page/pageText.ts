import type { ColumnStatisticId } from '../../columns/columnStatistics';
import type { TableColumn } from '../../columns/tableSummary';
import type { CompareTextKey } from '../compareTexts';
import type { MasksTextKey } from '../masksTexts';
import type { SharedTextKey } from '../sharedTexts';
import type { PlotTextKey, TableTextKey } from '../tableTexts';

/** Texts of the table page, of its plots, and of the pages of masks and comparisons: a key that a page doesn't have is a compile error. */
export type TableText = PageText<TableTextKey>;
export type PlotText = PageText<PlotTextKey | SharedTextKey | `statistic.${ColumnStatisticId}`>;
export type MasksText = PageText<MasksTextKey>;
export type CompareText = PageText<CompareTextKey>;

/** The page's texts as the host translated them, with numbers in the reader's language. */
export class PageText<in Key extends string = SharedTextKey> {
  constructor(
    private readonly strings: Readonly<Record<string, string>>,
    private readonly locale?: string,
  ) {}

  /** The text of a key, `{0}`, `{1}`… replaced by the arguments; numbers are grouped. */
  get(key: Key, ...args: (string | number)[]): string {
    return this.filled(this.strings[key] ?? key, args);
  }

  /** Like get, the count being {0}, but the singular (`keyOne`) for 1 where there is one. */
  count(key: Key, count: number, ...args: (string | number)[]): string {
    const singular = count === 1 ? this.strings[`${key}One`] : undefined;
    return this.filled(singular ?? this.strings[key] ?? key, [count, ...args]);
  }

  /** A number with at most the given digits after the point. */
  number(value: number, digits = 0): string {
    return value.toLocaleString(this.locale, { maximumFractionDigits: digits });
  }

  /** A number with exactly the given digits after the point. */
  fixed(value: number, digits: number): string {
    return value.toLocaleString(this.locale, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  }

  /** A measurement with at most the given number of significant digits; more where there are more before the decimal mark. */
  significant(value: number, digits: number): string {
    if (!Number.isFinite(value)) return this.number(value);
    const size = Math.abs(value);
    const whole = size >= 1 ? Math.floor(Math.log10(size)) + 1 : 0;
    // toPrecision would write zeros after the decimal mark where all digits before it are wanted.
    const isPlain = size >= 1e-4 && (size < 1e9 || whole <= digits);
    if (value !== 0 && !isPlain) return value.toPrecision(digits);
    return value.toLocaleString(this.locale, { maximumSignificantDigits: Math.max(digits, whole) });
  }

  /**
   * Numbers that stand beside each other, "–" for null: all with as many decimals as give the largest the given number of significant
   * digits, or none where all are whole.
   */
  aligned(values: readonly (number | null)[], digits: number): string[] {
    const numbers = values.filter(value => value !== null);
    const largest = Math.max(...numbers.map(Math.abs));
    const isPlain = largest < 1e9 && largest >= 1e-4 && !numbers.every(Number.isInteger);
    const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(largest)));
    return values.map(value => {
      if (value === null) return '–';
      return isPlain ? this.fixed(value, decimals) : this.significant(value, digits);
    });
  }

  private filled(text: string, args: readonly (string | number)[]): string {
    return text.replace(/\{(\d+)\}/g, (whole, position: string) => {
      const value = args[Number(position)];
      if (value === undefined) return whole;
      return typeof value === 'number' ? this.number(value) : value;
    });
  }
}

/** A column's header as the pages name it: files may leave it empty, or without the unit that its numbers are known to have. */
export function columnName(
  columns: readonly Pick<TableColumn, 'name' | 'unit'>[],
  column: number,
  text: PageText,
): string {
  const { name, unit } = columns[column] ?? {};
  if (!name) return text.get('unnamedColumn', column + 1);
  return unit === undefined ? name : text.get('nameInUnit', name, unit);
}

/** Beyond this, digits of numbers that aren't whole are too many to read. */
const LARGE = 1e15;
const SMALL = 1e-4;

/** A number for reading: whole numbers whole as long as all their digits are known, others to six significant digits. */
export function formatNumber(value: number, text: PageText<never>): string {
  if (Number.isSafeInteger(value) || !Number.isFinite(value)) return text.number(value);
  const magnitude = Math.abs(value);
  if (magnitude >= LARGE || (magnitude < SMALL && value !== 0)) return value.toExponential(5);
  return text.number(value, Math.max(0, 5 - Math.floor(Math.log10(magnitude))));
}

/** A part of a whole in percent, with at most `digits` decimals and without the sign. Only none is 0, and only all is 100. */
export function percentOf(part: number, whole: number, text: PageText, digits = 1): string {
  const percent = whole > 0 ? (100 * part) / whole : 0;
  const least = 10 ** -digits;
  if (part > 0 && percent < least / 2) return `<${text.number(least, digits)}`;
  if (part < whole && percent >= 100 - least / 2) return `>${text.number(100 - least, digits)}`;
  return text.number(percent, digits);
}
