import type { Reason } from '../../base/reasons';
import type { Message, Translate } from '../../words/translate';
import { messageKey, type PageTranslations } from '../pageTranslations';

/**
 * The words and numbers of a page in the language of the editor, as `vscode.l10n.t` has them there:
 * `t('{0} of {1} rows', shown, all)`. Messages are literals where they are shown, so that the build
 * collects them for translators and knows those of each page. Called when something is shown, never
 * while a module loads: the translations arrive later.
 */
interface PageTranslate extends Translate {
  /** Arguments that are numbers are counts: whole and grouped. */
  (message: Message, ...args: (string | number)[]): string;
  /** The first message for 1, else the second. {0} is the count; further arguments follow. */
  count(count: number, one: Message, many: Message, ...args: (string | number)[]): string;
  /** A message that is translated later, where it is shown: for lists of constants. */
  later(message: Message): PageWords;
  /** A reason that the page has found, without its period. */
  reason(reason: Reason): string;
  /** A number with at most the given digits after the point. */
  number(value: number, digits?: number): string;
  /** A number with exactly the given digits after the point. */
  fixed(value: number, digits: number): string;
  /** A measurement with so many significant digits at most, but all before the decimal mark. */
  significant(value: number, digits: number): string;
  /**
   * Numbers side by side, "–" for null: all with the decimals that give the largest so many
   * significant digits, or none if all are integers.
   */
  aligned(values: readonly (number | null)[], digits: number): string[];
}

/** Words in the page's language when called, with arguments for the {0}, {1}… of its message. */
export type PageWords = (...args: (string | number)[]) => string;

/** The page's language: English, with the machine's number format, until `setLanguage`. */
const language: { locale: string | undefined; translations: ReadonlyMap<string, string> } = {
  locale: undefined,
  translations: new Map(),
};

/** Sets the page's translations, as its panel sends them, and the language of numbers (BCP 47). */
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
  reason: ({ message, args }: Reason) => translate(message, ...args),
  number,
  fixed,
  significant,
  aligned,
});

function translate(message: Message, ...args: (string | number)[]): string {
  const english = typeof message === 'string' ? message : message.message;
  const text = language.translations.get(messageKey(message)) ?? english;
  return text.replace(/\{(\d+)\}/g, (hole, place: string) => {
    const value = args[Number(place)];
    return typeof value === 'number' ? number(value) : (value ?? hole);
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
  const whole = size >= 1 ? Math.floor(Math.log10(size)) + 1 : 0;
  // toPrecision would write zeros after the decimal mark where all digits before it are wanted.
  const isPlain = size >= 1e-4 && (size < 1e9 || whole <= digits);
  if (value !== 0 && !isPlain) return value.toPrecision(digits);
  return value.toLocaleString(language.locale, { maximumSignificantDigits: Math.max(digits, whole) });
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
