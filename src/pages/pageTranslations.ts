import type { Message } from '../words/translate';

/** Translations by the keys of their messages; empty in English. */
export type PageTranslations = Readonly<Record<string, string>>;

/** A message's key in translators' files: with its comment, if the word alone is ambiguous. */
export function messageKey(message: Message): string {
  if (typeof message === 'string') return message;
  const comments = typeof message.comment === 'string' ? [message.comment] : message.comment;
  return `${message.message}/${comments.join('')}`;
}

/** What a page gets before all else: its language. */
export interface PageStrings {
  translations: PageTranslations;
  /** The heading of a page that can't show what it is for. */
  failed: string;
}
