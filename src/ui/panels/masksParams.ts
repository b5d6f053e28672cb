import { CodedError } from '../../base/errors';
import { finiteNumber, wholeNumber } from './pageParams';

/** Checks of what only the masks page sends. All throw `bad-request`. */

const MOST_NUMBERS = 2_000_000;

/** An ArrayBuffer of at most 4 MB, or nothing. */
export function optionalBuffer(value: unknown): ArrayBuffer | undefined {
  return value === undefined || value === null ? undefined : buffer(value);
}

export function buffer(value: unknown): ArrayBuffer {
  if (value instanceof ArrayBuffer && value.byteLength <= 4 * 2 ** 20) return value;
  throw new CodedError('bad-request', 'A page sent something else than a small buffer');
}

export function optionalNumber(value: unknown): number | undefined {
  return value === undefined || value === null ? undefined : wholeNumber(value);
}

export function wholeNumbers(value: unknown): number[] {
  return list(value).map(wholeNumber);
}

export function finiteNumbers(value: unknown): number[] {
  return list(value).map(finiteNumber);
}

/** Four numbers: x1, y1, x2, y2. */
export function boxOf(value: unknown): [number, number, number, number] {
  const [x1, y1, x2, y2] = list(value);
  return [finiteNumber(x1), finiteNumber(y1), finiteNumber(x2), finiteNumber(y2)];
}

function list(value: unknown): unknown[] {
  if (Array.isArray(value) && value.length <= MOST_NUMBERS) return value;
  throw new CodedError('bad-request', 'A page sent something else than a list');
}
