import type { Message } from '../words/translate';

/** Translations by the keys of messages; empty in English. */
export type PageTranslations = Readonly<Record<string, string>>;

/** The key of a message in translation files. It includes the comment, if there is one. */
export function messageKey(message: Message): string {
  if (typeof message === 'string') return message;
  const comments = typeof message.comment === 'string' ? [message.comment] : message.comment;
  return `${message.message}/${comments.join('')}`;
}

/** The texts that a page needs first. */
export interface PageStrings {
  translations: PageTranslations;
  /** Heading for a page that couldn't be opened. */
  failed: string;
}
