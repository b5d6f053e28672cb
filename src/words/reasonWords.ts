import messages from '../../l10n/reasons.json';
import { QUOTED, quoted, type Reason, type ReasonCode } from '../base/reasons';
import type { Translate } from './translate';

/** A reason as a sentence with its period. Quoted texts may already have their punctuation. */
export function reasonSentence(t: Translate, reason: Reason): string {
  const words = reasonWords(t, reason).trim();
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

/** A reason as a sentence without its period. A message that isn't listed takes no arguments. */
export function reasonWords(translate: Translate, { message, args }: Reason): string {
  if (message === QUOTED) return String(args[0]);
  return Object.hasOwn(listed, message) ? translate(message, ...args) : message;
}

/** The messages of all reasons, each with its code, as the build lists them. */
const listed: Readonly<Record<string, string>> = messages;

/**
 * A reason that comes from another window or from a disk. Only a listed message takes arguments,
 * and has the code of the list. Any other text is quoted, one of a former version with its
 * arguments. Undefined for what is no reason.
 */
export function readReason(value: unknown): Reason | undefined {
  const { message, kind, args } = (value ?? {}) as Record<string, unknown>;
  if (!areArguments(args)) return undefined;
  if (typeof kind === 'string')
    return kind === 'quoted' ? quoted(String(args[0])) : quoted([kind, ...args].join(', '));
  if (typeof message !== 'string') return undefined;
  if (message === QUOTED) return quoted(String(args[0]));
  if (!Object.hasOwn(listed, message)) return quoted(message);
  const code = listed[message];
  return { message, args, ...(code && { code: code as ReasonCode }) };
}

function areArguments(args: unknown): args is (string | number)[] {
  return Array.isArray(args) && args.every(arg => typeof arg === 'string' || typeof arg === 'number');
}
