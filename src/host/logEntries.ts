/*
 * What is written to a log. Texts of the service, of pages and of files get into messages and
 * errors: without their controls and line breaks none of them can look like an entry of its own, or
 * steer the terminal in which a log is read.
 */

import type { Log } from '../base/log';
import { secretMask } from '../base/secretMask';

/** Bytes of a line, as 8 KB of UTF-8 at most. */
const MAX_LINE = 8192;
/** Characters that are read for a line: masks make texts shorter. */
const MAX_READ = 4 * MAX_LINE;
/** Where reading ended half a secret may stand, in whatever encoding. Characters. */
const MAX_HALF_SECRET = 2048;
/** Lines of a stack. */
const MAX_FRAMES = 50;

type Masks = Iterable<(text: string) => string>;

/** Makes the texts of log entries, without the secrets it was given. */
export class LogEntries {
  private readonly masks = new Map<string, (text: string) => string>();

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.addSecret(secret);
  }

  addSecret(secret: string): void {
    if (!this.masks.has(secret)) this.masks.set(secret, secretMask(secret));
  }

  /**
   * The message on one line, and where there is an error, its text on the next and its stack below,
   * indented. Secrets and signatures are hidden as by `maskSecrets`, controls are visible, and a
   * line has at most 8 KB.
   */
  entry(message: string, error?: unknown): string {
    const first = this.line(message);
    if (error === undefined || error === null || error === '') return first;
    const [head, frames] = error instanceof Error ? partsOfStack(error) : [plainText(error), []];
    const below = frames.slice(0, MAX_FRAMES).map(frame => `    ${this.line(frame.trim())}`);
    return [first, `  ${this.line(head)}`, ...below].join('\n');
  }

  private line(text: string): string {
    const read = text.slice(0, MAX_READ);
    const masked = maskSecrets(read, this.masks.values());
    const whole = read.length < text.length ? masked.slice(0, -MAX_HALF_SECRET) : masked;
    const line = visible(whole);
    const bytes = new TextEncoder().encode(line);
    if (bytes.length <= MAX_LINE && read.length === text.length) return line;
    const beginning = new TextDecoder().decode(bytes.subarray(0, MAX_LINE - ELLIPSIS_BYTES));
    // A character that is cut becomes none.
    return `${beginning.replace(/\ufffd$/, '')}…`;
  }
}

/** What an error says, and the lines of its stack. */
function partsOfStack(error: Error): [head: string, frames: string[]] {
  const said = String(error);
  const { stack } = error;
  if (!stack?.startsWith(said)) return [stack ?? said, []];
  return [said, stack.slice(said.length).split('\n').slice(1)];
}

function plainText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

const ELLIPSIS_BYTES = 3;

/** Controls, breaks of lines, and what turns the direction of a text, as escapes. */
function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu,
    control => NAMED[control] ?? `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Hides secrets in a log: the known keys by their masks, and the signature of every link. */
export function maskSecrets(text: string, masks: Masks): string {
  let masked = text;
  for (const mask of masks) masked = mask(masked);
  return masked.replace(/[^\s"'<>]+/g, withoutQuery);
}

/** Also of a link without a scheme, such as //host/path?signature=…. */
function withoutQuery(word: string): string {
  const query = word.search(/[?#]/);
  if (query === -1) return word;
  const isLink = /^https?:\/\//i.test(word) || /[^\w]https?:\/\//i.test(word);
  return isLink || word.includes('=', query) ? `${word.slice(0, query)}?•••` : word;
}

/** A log that hides the keys it was given. */
export interface MaskedLog extends Log {
  /** Masks a key in every later line. */
  addSecret(secret: string): void;
}
