import messages from '../../l10n/reasons.json';
import { QUOTED, quoted, type Reason, type ReasonCode } from '../base/reasons';
import type { Translate } from './translate';

/** A reason as a sentence with its period. Quoted texts may already end in punctuation. */
export function reasonSentence(t: Translate, reason: Reason): string {
  const words = reasonWords(t, reason).trim();
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

/** A reason as a sentence without its period. Arguments are inserted only into listed messages. */
export function reasonWords(translate: Translate, { message, args }: Reason): string {
  if (message === QUOTED) return String(args[0]);
  return Object.hasOwn(codesByMessage, message) ? translate(message, ...args) : message;
}

/** The code of each reason by its message; the build lists them. */
const codesByMessage: Readonly<Record<string, string>> = messages;

/**
 * Reads a reason from another window or from a disk. Only a listed message takes arguments, and its
 * code comes from the list. Any other text is quoted; a reason of a former version is quoted with
 * its arguments. Undefined if the value isn't a reason.
 */
export function readReason(value: unknown): Reason | undefined {
  const { message, kind, args } = (value ?? {}) as Record<string, unknown>;
  if (!areArguments(args)) return undefined;
  if (typeof kind === 'string')
    return kind === 'quoted' ? quoted(String(args[0])) : quoted([kind, ...args].join(', '));
  if (typeof message !== 'string') return undefined;
  if (message === QUOTED) return quoted(String(args[0]));
  if (!Object.hasOwn(codesByMessage, message)) return quoted(message);
  const code = codesByMessage[message];
  return { message, args, ...(code && { code: code as ReasonCode }) };
}

function areArguments(args: unknown): args is (string | number)[] {
  return Array.isArray(args) && args.every(arg => typeof arg === 'string' || typeof arg === 'number');
}
