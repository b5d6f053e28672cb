import { CodedError } from '../../base/errors';
import type { PictureLook } from '../../formats/pictureLook';
import { finiteNumber, wholeNumber } from './pageParams';

/** Checks of what only the masks page sends. All throw `bad-request`. */

const MOST_NUMBERS = 2_000_000;
const MOST_CHANNELS = 4096;

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

/** The look of a picture, or nothing. */
export function optionalLook(value: unknown): PictureLook | undefined {
  if (value === undefined || value === null) return undefined;
  const { page, z, t, channels } = value as Partial<Record<keyof PictureLook, unknown>>;
  const given = list(channels);
  if (given.length > MOST_CHANNELS) throw new CodedError('bad-request', 'A page sent too many channels');
  return {
    page: wholeNumber(page),
    z: wholeNumber(z),
    t: wholeNumber(t),
    channels: given.map(channel => {
      const { shown, colour, low, high } = (channel ?? {}) as Record<string, unknown>;
      const [red, green, blue] = list(colour);
      return {
        shown: shown === true,
        colour: [finiteNumber(red), finiteNumber(green), finiteNumber(blue)],
        low: finiteNumber(low),
        high: finiteNumber(high),
      };
    }),
  };
}

function list(value: unknown): unknown[] {
  if (Array.isArray(value) && value.length <= MOST_NUMBERS) return value;
  throw new CodedError('bad-request', 'A page sent something else than a list');
}
