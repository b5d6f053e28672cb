/**
 * Why something failed, or a note about a file that was read. The code that finds the cause makes
 * it by `reason('…')`: an English message with {0}, {1}… and its arguments. `src/words` translates
 * it before it is shown.
 */
export interface Reason {
  readonly message: string;
  readonly args: readonly (string | number)[];
  /** Set if code must recognize this reason. */
  readonly code?: ReasonCode;
}

/** Codes of reasons that code must recognize. */
export type ReasonCode =
  | 'address-unencrypted'
  | 'areas-separated'
  | 'connection-closed'
  | 'key-missing'
  | 'key-replaced'
  | 'not-geojson'
  | 'one-image-shown'
  | 'one-label'
  | 'over-cache-size'
  | 'parquet-damaged'
  | 'proxy-needs-password'
  | 'response-too-large'
  | 'run-unknown'
  | 'several-plates'
  | 'signed-out-with-files'
  | 'submit-unprotected'
  | 'undecodable';

/**
 * Makes a reason. The message is a sentence without its period; it must be a literal, so that `npm
 * run l10n` finds it. Arguments are names, numbers and quoted texts, never English words of ours.
 */
export function reason(message: string, ...args: (string | number)[]): Reason {
  return { message, args };
}

/** Makes a reason with a code. */
export function codedReason(code: ReasonCode, message: string, ...args: (string | number)[]): Reason {
  return { message, args, code };
}

/** Makes a reason with a count, {0}: the singular message for 1, else the plural. */
export function countedReason(
  count: number,
  one: string,
  many: string,
  ...args: (string | number)[]
): Reason {
  return { message: count === 1 ? one : many, args: [count, ...args] };
}

/** Makes a reason from a text of the service, the system or a library, which isn't translated. */
export function quoted(text: string): Reason {
  return { message: QUOTED, args: [text] };
}

/** The message of a quoted text. */
export const QUOTED = '{0}';
