import { CodedError } from '../base/errors';

/** One option that a program passes to a command. */
export interface Option<T> {
  /** The expected value, as the end of "must be …". */
  readonly expected: string;
  /** Reads the option from any value; undefined if it isn't valid. */
  read(value: unknown): { value: T } | undefined;
}

/** The error for an option that isn't valid. */
export function badOption(name: string, expected: string): CodedError {
  return new CodedError('bad-request', `The argument "${name}" must be ${expected}`, { subject: name });
}

/** The same option, but undefined if missing. */
export function optional<T>({ expected, read }: Option<T>): Option<T | undefined> {
  return { expected, read: value => (value === undefined ? { value: undefined } : read(value)) };
}

/** A string that isn't empty. */
export const text: Option<string> = {
  expected: 'a non-empty string',
  read: value => (typeof value === 'string' && value !== '' ? { value } : undefined),
};

/** A string, which may be empty; undefined if missing. */
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

/** True or false; false if missing. */
export const optionalFlag: Option<boolean> = {
  expected: 'true or false',
  read: value => {
    const flag = value ?? false;
    return typeof flag === 'boolean' ? { value: flag } : undefined;
  },
};

/** True or false; undefined if missing. */
export const optionalChoice: Option<boolean | undefined> = optional({
  expected: 'true or false',
  read: value => (typeof value === 'boolean' ? { value } : undefined),
});

/** A non-negative integer; undefined if missing. */
export const optionalNumber: Option<number | undefined> = optional({
  expected: 'a whole number that is not negative',
  read: value =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? { value } : undefined,
});

/** Maximum position of a header row. */
const MAX_HEADER_ROW = 1000;

/** One of some strings. */
export function oneOf<const T extends string>(allowed: readonly T[]): Option<T> {
  return {
    expected: `one of ${allowed.join(', ')}`,
    read: value => {
      const choice = allowed.find(text => text === value);
      return choice === undefined ? undefined : { value: choice };
    },
  };
}

/** At least one of some strings, each once. */
export function listOf<const T extends string>(allowed: readonly T[]): Option<T[]> {
  return {
    expected: `an array of ${allowed.join(', ')}, at least one`,
    read: value => {
      if (!Array.isArray(value) || value.length === 0) return undefined;
      const choices = allowed.filter(text => value.includes(text));
      // Return the value itself, to preserve the order of the call.
      return choices.length === value.length ? { value: value as T[] } : undefined;
    },
  };
}

/** One of some strings; the first if missing. */
export function optionalOneOf<const T extends string>(allowed: readonly [T, ...T[]]): Option<T> {
  const { expected, read } = oneOf(allowed);
  return { expected, read: value => read(value ?? allowed[0]) };
}

/**
 * Rows of a table's header, counted from 0 without blank rows: a number, or consecutive numbers
 * such as `[0, 1]`. Rows above the header are skipped. Undefined if missing.
 */
export const optionalHeader: Option<{ skipped: number; rows: number } | undefined> = optional({
  expected: `a row from 0 to ${MAX_HEADER_ROW}, or an array of at most 8 such rows that follow each other`,
  read: value => {
    const rows: unknown[] = Array.isArray(value) ? value : [value];
    const [skipped] = rows;
    if (typeof skipped !== 'number' || !Number.isInteger(skipped) || skipped < 0 || skipped > MAX_HEADER_ROW)
      return undefined;
    const areConsecutive = rows.length <= 8 && rows.every((row, index) => row === skipped + index);
    return areConsecutive ? { value: { skipped, rows: rows.length } } : undefined;
  },
});

/** Whether the value is a plain object, such as an object literal or parsed JSON. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
