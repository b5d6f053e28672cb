import type { Translate } from '../../words/translate';
import { messageKey, type Message, type PageTranslations } from '../pageTranslations';

/**
 * The words of a page, as `vscode.l10n.t` has them in the editor: `t('{0} of {1} rows', shown, all)`. Messages are
 * literals where they are shown, so that the build collects them for translators and knows those of each page.
 * Arguments that are numbers are grouped. Called when something is shown, never while a module loads: the
 * translations arrive later.
 */
export interface PageTranslate extends Translate {
  (message: Message, ...args: (string | number)[]): string;
  /** The first message for 1, else the second. The count is {0} in both; further arguments follow. */
  count(count: number, one: Message, many: Message, ...args: (string | number)[]): string;
}

/** The page's language: English, in the form of the machine, until `setLanguage` is called. */
const language: { locale: string | undefined; translations: ReadonlyMap<string, string> } = {
  locale: undefined,
  translations: new Map(),
};

/** Sets the translations of the page, as the panel sends them, and the language of its numbers (BCP 47). */
export function setLanguage(translations: PageTranslations, locale?: string): void {
  language.translations = new Map(Object.entries(translations));
  language.locale = locale;
}

export const t: PageTranslate = Object.assign(translate, {
  count: (count: number, one: Message, many: Message, ...args: (string | number)[]) =>
    translate(count === 1 ? one : many, count, ...args),
});

function translate(message: Message, ...args: (string | number)[]): string {
  const english = typeof message === 'string' ? message : message.message;
  const text = language.translations.get(messageKey(message)) ?? english;
  return text.replace(/\{(\d+)\}/g, (hole, place: string) => {
    const value = args[Number(place)];
    return typeof value === 'number' ? value.toLocaleString(language.locale, DIGITS) : (value ?? hole);
  });
}

/** Numbers in sentences are counts; others are formatted before. */
const DIGITS = { maximumFractionDigits: 0 };
