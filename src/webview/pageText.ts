import type { PageStrings } from '../protocol/tablePage';

/** The page's words, as the host translated them, with numbers written for the reader's language. */
export class PageText {
  constructor(
    private readonly strings: PageStrings,
    private readonly locale?: string,
  ) {}

  /** The text of a key, `{0}`, `{1}`… replaced by the arguments; numbers are grouped. */
  get(key: string, ...args: (string | number)[]): string {
    const text = this.strings[key] ?? key;
    return text.replace(/\{(\d+)\}/g, (whole, position: string) => {
      const value = args[Number(position)];
      if (value === undefined) return whole;
      return typeof value === 'number' ? this.number(value) : value;
    });
  }

  /** Like get, but takes the singular (`keyOne`) for 1 where there is one. */
  count(key: string, count: number, ...args: (string | number)[]): string {
    return count === 1 && `${key}One` in this.strings
      ? this.get(`${key}One`, ...(args.length > 0 ? args : [count]))
      : this.get(key, count, ...args);
  }

  /** A number with at most the given digits after the point. */
  number(value: number, digits = 0): string {
    return value.toLocaleString(this.locale, { maximumFractionDigits: digits });
  }

  /** A measurement with at most the given number of digits that count. */
  significant(value: number, digits: number): string {
    if (value !== 0 && (Math.abs(value) >= 1e9 || Math.abs(value) < 1e-4)) return value.toPrecision(digits);
    return value.toLocaleString(this.locale, { maximumSignificantDigits: digits });
  }
}
