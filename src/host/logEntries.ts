/*
 * Formats log entries. Messages and errors may contain texts of the service, pages and files. Their
 * control characters and line breaks are escaped, so that they can't imitate an entry or control
 * the terminal in which the log is read.
 */

import type { Log } from '../base/log';
import { secretMask } from '../base/secretMask';

/** Maximum bytes of a line in UTF-8. */
const MAX_LINE = 8192;
/** Maximum characters to read for a line; more than a line, because masks shorten texts. */
const MAX_READ = 4 * MAX_LINE;
/** Characters to drop at the end of a cut text, which may contain half of a secret. */
const MAX_HALF_SECRET = 2048;
/** Maximum lines of a stack. */
const MAX_FRAMES = 50;

type Masks = Iterable<(text: string) => string>;

/** Formats log entries, and masks secrets in them. */
export class LogEntries {
  private readonly masks = new Map<string, (text: string) => string>();

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.addSecret(secret);
  }

  addSecret(secret: string): void {
    if (!this.masks.has(secret)) this.masks.set(secret, secretMask(secret));
  }

  /**
   * The message on one line; for an error, its text and its stack follow on indented lines. Masks
   * secrets and signatures (see `maskSecrets`), escapes control characters, and limits lines to
   * 8 KB.
   */
  entry(message: string, error?: unknown): string {
    const first = this.line(message);
    if (error === undefined || error === null || error === '') return first;
    const [head, frames] = error instanceof Error ? splitStack(error) : [plainText(error), []];
    const stackLines = frames.slice(0, MAX_FRAMES).map(frame => `    ${this.line(frame.trim())}`);
    return [first, `  ${this.line(head)}`, ...stackLines].join('\n');
  }

  private line(text: string): string {
    const excerpt = text.slice(0, MAX_READ);
    const masked = maskSecrets(excerpt, this.masks.values());
    const safe = excerpt.length < text.length ? masked.slice(0, -MAX_HALF_SECRET) : masked;
    const line = escapeControls(safe);
    const bytes = new TextEncoder().encode(line);
    if (bytes.length <= MAX_LINE && excerpt.length === text.length) return line;
    const beginning = new TextDecoder().decode(bytes.subarray(0, MAX_LINE - ELLIPSIS_BYTES));
    // Remove a character that was cut.
    return `${beginning.replace(/\ufffd$/, '')}…`;
  }
}

/** The text of an error, and the lines of its stack. */
function splitStack(error: Error): [head: string, frames: string[]] {
  const errorText = String(error);
  const { stack } = error;
  if (!stack?.startsWith(errorText)) return [stack ?? errorText, []];
  return [errorText, stack.slice(errorText.length).split('\n').slice(1)];
}

function plainText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

const ELLIPSIS_BYTES = 3;

/** Escapes control characters, line breaks, and characters that change the text's direction. */
function escapeControls(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu,
    control => CONTROL_ESCAPES[control] ?? `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const CONTROL_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Hides secrets: keys by their masks, and the query of every link, which may be signed. */
export function maskSecrets(text: string, masks: Masks): string {
  let masked = text;
  for (const mask of masks) masked = mask(masked);
  return masked.replace(/[^\s"'<>]+/g, withoutQuery);
}

/** Hides the query of a link, also without a scheme, such as //host/path?signature=… */
function withoutQuery(word: string): string {
  const query = word.search(/[?#]/);
  if (query === -1) return word;
  const isLink = /^https?:\/\//i.test(word) || /[^\w]https?:\/\//i.test(word);
  return isLink || word.includes('=', query) ? `${word.slice(0, query)}?•••` : word;
}

/** A log that masks keys. */
export interface MaskedLog extends Log {
  /** Masks a key in every later line. */
  addSecret(secret: string): void;
}
