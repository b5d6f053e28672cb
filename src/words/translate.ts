import { filledMessage } from '../base/reasonForLog';

/**
 * Translates a sentence into the user's language: `vscode.l10n.t` in the editor, `plainEnglish`
 * elsewhere. {0}, {1} … stand for the arguments. Its first argument is a literal wherever it is
 * called, so that the bundle for translators is complete.
 */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** The sentence unchanged, where there are no translations. */
export const plainEnglish: Translate = (message, ...args) => filledMessage(message, args);

/** What the words for a user depend on. */
export interface Language {
  t: Translate;
  /** BCP 47. */
  locale: string;
}
