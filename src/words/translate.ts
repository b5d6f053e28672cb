import { filledMessage } from '../base/reasonForLog';

/** A message, or one with a comment for translators, as `vscode.l10n.t` takes them. */
export type Message = string | CommentedMessage;

interface CommentedMessage {
  message: string;
  comment: string | string[];
}

/**
 * Translates a sentence into the user's language: `vscode.l10n.t` in the editor, `plainEnglish`
 * elsewhere. {0}, {1} … stand for the arguments. The first argument must be a literal, so that the
 * translators' bundle is complete. A word that is ambiguous alone gets a comment.
 */
export interface Translate {
  (message: string, ...args: (string | number)[]): string;
  (message: CommentedMessage): string;
}

/** The English sentence, where there are no translations. */
export const plainEnglish: Translate = (message: Message, ...args: (string | number)[]) =>
  filledMessage(typeof message === 'string' ? message : message.message, args);

/** The user's language. */
export interface Language {
  t: Translate;
  /** BCP 47. */
  locale: string;
}
