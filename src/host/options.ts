import { CodedError, isCoded } from '../base/errors';

/** One option that a program passes to a command. */
export interface Option<T> {
  /** What it must be, to go on with "must be". */
  readonly expected: string;
  /** Its value from what was passed, which may be anything; undefined where that isn't valid. */
  read(value: unknown): { value: T } | undefined;
}

/** The options of a command, by name. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of a command's options. */
export type OptionValues<O extends Options> = { [K in keyof O]: O[K] extends Option<infer T> ? T : never };

/** Reads all options of a call; what isn't declared is ignored. Throws `bad-request` with the option as subject. */
export function readOptions<O extends Options>(
  options: O,
  passed: Readonly<Record<string, unknown>>,
): OptionValues<O> {
  const values = Object.entries(options).map(([name, option]) => {
    const found = option.read(passed[name]);
    if (!found) throw badOption(name, option.expected);
    return [name, found.value];
  });
  return Object.fromEntries(values) as OptionValues<O>;
}

/** The error for an option that isn't valid. */
export function badOption(name: string, expected: string): CodedError {
  return new CodedError('bad-request', `The argument "${name}" must be ${expected}`, { subject: name });
}

/** The same option, undefined where it is missing. */
export function optional<T>({ expected, read }: Option<T>): Option<T | undefined> {
  return { expected, read: value => (value === undefined ? { value: undefined } : read(value)) };
}

/** A string that isn't empty. */
export const text: Option<string> = {
  expected: 'a non-empty string',
  read: value => (typeof value === 'string' && value !== '' ? { value } : undefined),
};

/** A string, perhaps empty; undefined where it is missing. */
export const optionalText: Option<string | undefined> = optional({
  expected: 'a string',
  read: value => (typeof value === 'string' ? { value } : undefined),
});

/** At least one string, none of them empty. */
export const texts: Option<string[]> = {
  expected: 'an array of non-empty strings, at least one',
  read: value =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(entry => typeof entry === 'string' && entry !== '')
      ? { value: value as string[] }
      : undefined,
};

/** True or false; false where it is missing. */
export const optionalFlag: Option<boolean> = {
  expected: 'true or false',
  read: value => {
    const flag = value ?? false;
    return typeof flag === 'boolean' ? { value: flag } : undefined;
  },
};

/** True or false; undefined where it is missing. */
export const optionalChoice: Option<boolean | undefined> = optional({
  expected: 'true or false',
  read: value => (typeof value === 'boolean' ? { value } : undefined),
});

/** A whole number from 0; undefined where it is missing. */
export const optionalNumber: Option<number | undefined> = optional({
  expected: 'a whole number that is not negative',
  read: value =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? { value } : undefined,
});

/** One of some strings. */
export function oneOf<const T extends string>(allowed: readonly T[]): Option<T> {
  return {
    expected: `one of ${allowed.join(', ')}`,
    read: value => {
      const found = allowed.find(one => one === value);
      return found === undefined ? undefined : { value: found };
    },
  };
}

/** One of some strings; the first where it is missing. */
export function optionalOneOf<const T extends string>(allowed: readonly [T, ...T[]]): Option<T> {
  const { expected, read } = oneOf(allowed);
  return { expected, read: value => read(value ?? allowed[0]) };
}

/** The arguments of a command. A call whose last argument is a plain object is a program's; any other is a person's. */
type CommandCall =
  | { program: true; options: Record<string, unknown>; rest: unknown[] }
  | { program: false; rest: unknown[] };

export function readCall(args: readonly unknown[]): CommandCall {
  const last = args.at(-1);
  if (isPlainObject(last)) return { program: true, options: last, rest: args.slice(0, -1) };
  return { program: false, rest: [...args] };
}

/** Whether the value is an object literal, or one that crossed a process boundary as JSON. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** How a person signs in, and whether they are. */
export interface SignInOnTheWay {
  isSignedIn: () => boolean;
  /** Has a person sign in; resolves to whether they did. */
  signIn: () => Promise<boolean>;
}

/**
 * Runs what may need an account. Where there was none from the start, it runs again after the sign-in. What began with an account
 * that is gone since doesn't: a part of it is done, and what it was called with belongs to that account.
 */
export async function runAfterSignIn(
  run: () => Promise<void>,
  { isSignedIn, signIn }: SignInOnTheWay,
): Promise<void> {
  const wasSignedIn = isSignedIn();
  try {
    await run();
  } catch (error) {
    if (wasSignedIn || isSignedIn() || !isCoded(error, 'signed-out')) throw error;
    if (await signIn()) await run();
  }
}
