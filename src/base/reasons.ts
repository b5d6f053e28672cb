/**
 * Why something failed, or what the user should know about what was read: a message in English with
 * {0}, {1}… and its arguments, which `src/words` translates at the end. Made where the cause is
 * found, by `reason('…')`.
 */
export interface Reason {
  readonly message: string;
  readonly args: readonly (string | number)[];
  /** A code, where code compares reasons. */
  readonly code?: ReasonCode;
}

/** Reasons that code compares. */
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
 * Makes a reason. The message is a literal, so that `npm run l10n` finds it: a sentence without its
 * period. Arguments are names, numbers and quoted texts, never English of our own.
 */
export function reason(message: string, ...args: (string | number)[]): Reason {
  return { message, args };
}

/** Makes a reason that code compares. */
export function codedReason(code: ReasonCode, message: string, ...args: (string | number)[]): Reason {
  return { message, args, code };
}

/** Makes a reason in one of two forms: the first for 1, else the second. {0} is the count. */
export function countedReason(
  count: number,
  one: string,
  many: string,
  ...args: (string | number)[]
): Reason {
  return { message: count === 1 ? one : many, args: [count, ...args] };
}

/** The words of the service, of the system or of a library, as they are. */
export function quoted(text: string): Reason {
  return { message: QUOTED, args: [text] };
}

/** The message of what is quoted. */
export const QUOTED = '{0}';
