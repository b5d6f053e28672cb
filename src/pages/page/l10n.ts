import type { Reason } from '../../base/reasons';
import type { Message, Translate } from '../../words/translate';
import { messageKey, type PageTranslations } from '../pageTranslations';

/**
 * Words and numbers of a page in the editor's language, like `vscode.l10n.t`: `t('{0} of {1} rows',
 * shown, all)`. Messages are literals where they are shown, so that the build collects them for
 * translators and for each page. Never call `t` while a module loads: translations arrive later.
 */
interface PageTranslate extends Translate {
  /** Arguments that are numbers are counts: formatted as integers with separators. */
  (message: Message, ...args: (string | number)[]): string;
  /**
   * The first message if the count is 1, else the second. {0} is the count; other arguments follow.
   */
  count(count: number, one: Message, many: Message, ...args: (string | number)[]): string;
  /** A message in a constant, which is translated when it is shown. */
  later(message: Message): PageWords;
  /** A reason as a sentence. */
  reason(reason: Reason): string;
  /** A number with at most `digits` digits after the decimal mark. */
  number(value: number, digits?: number): string;
  /** A number with exactly `digits` digits after the decimal mark. */
  fixed(value: number, digits: number): string;
  /**
   * A measurement with at most `digits` significant digits, but with all digits of its integer
   * part.
   */
  significant(value: number, digits: number): string;
  /**
   * Numbers side by side, "–" for null. All have the same decimals: as many as give the largest one
   * `digits` significant digits, or none if all are integers.
   */
  aligned(values: readonly (number | null)[], digits: number): string[];
}

/** A message in the page's language, with arguments for its {0}, {1}… */
export type PageWords = (...args: (string | number)[]) => string;

/** The page's language. Until `setLanguage`, English with the system's number format. */
const language: { locale: string | undefined; translations: ReadonlyMap<string, string> } = {
  locale: undefined,
  translations: new Map(),
};

/** Sets the page's translations, which its panel sends, and the language of numbers (BCP 47). */
export function setLanguage(translations: PageTranslations, locale?: string): void {
  language.translations = new Map(Object.entries(translations));
  language.locale = locale;
}

export const t: PageTranslate = Object.assign(translate, {
  count: (count: number, one: Message, many: Message, ...args: (string | number)[]) =>
    translate(count === 1 ? one : many, count, ...args),
  later:
    (message: Message): PageWords =>
    (...args) =>
      translate(message, ...args),
  reason: ({ message, args }: Reason) => {
    const words = translate(message, ...args);
    return /[.!?…]$/.test(words) ? words : `${words}.`;
  },
  number,
  fixed,
  significant,
  aligned,
});

function translate(message: Message, ...args: (string | number)[]): string {
  const english = typeof message === 'string' ? message : message.message;
  const text = language.translations.get(messageKey(message)) ?? english;
  return text.replace(/\{(\d+)\}/g, (placeholder, index: string) => {
    const value = args[Number(index)];
    return typeof value === 'number' ? number(value) : (value ?? placeholder);
  });
}

function number(value: number, digits = 0): string {
  return value.toLocaleString(language.locale, { maximumFractionDigits: digits });
}

function fixed(value: number, digits: number): string {
  return value.toLocaleString(language.locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

function significant(value: number, digits: number): string {
  if (!Number.isFinite(value)) return number(value);
  const size = Math.abs(value);
  const integerDigits = size >= 1 ? Math.floor(Math.log10(size)) + 1 : 0;
  // toPrecision would switch to an exponent if the integer part has more digits.
  const isPlain = size >= 1e-4 && (size < 1e9 || integerDigits <= digits);
  if (value !== 0 && !isPlain) return value.toPrecision(digits);
  return value.toLocaleString(language.locale, { maximumSignificantDigits: Math.max(digits, integerDigits) });
}

function aligned(values: readonly (number | null)[], digits: number): string[] {
  const numbers = values.filter(value => value !== null);
  const largest = Math.max(...numbers.map(Math.abs));
  const isPlain = largest < 1e9 && largest >= 1e-4 && !numbers.every(Number.isInteger);
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(largest)));
  return values.map(value => {
    if (value === null) return '–';
    return isPlain ? fixed(value, decimals) : significant(value, digits);
  });
}
