import { CodedError } from '../../base/errors';
import type { ObjectRef } from '../../protocol/masksEngine';
import type { SortKey } from '../../protocol/tableEngine';

/** Checks of what a page sends: a page is trusted no more than any other text from outside. All throw `bad-request`. */

export function wholeNumber(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new CodedError('bad-request', 'A page sent something else than a whole number');
}

export function finiteNumber(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new CodedError('bad-request', 'A page sent something else than a number');
}

export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new CodedError('bad-request', 'A page sent something else than a text');
}

export function sortKeys(value: unknown): SortKey[] {
  if (!Array.isArray(value))
    throw new CodedError('bad-request', 'A page sent something else than a sort order');
  return value.map((key: Partial<SortKey> | null) => ({
    column: wholeNumber(key?.column),
    descending: key?.descending === true,
  }));
}

export function rowOrNull(value: unknown): number | null {
  return value === null ? null : wholeNumber(value);
}

export function objectRef(value: unknown): ObjectRef {
  const { image, object } = (value ?? {}) as Partial<ObjectRef>;
  return { image: wholeNumber(image), object: wholeNumber(object) };
}

export function objectOrNull(value: unknown): ObjectRef | null {
  return value === null ? null : objectRef(value);
}

/** Coordinates of a tile; level at most 30, where a tile covers more than any picture. */
export function tilePlace(value: { level: unknown; x: unknown; y: unknown }): {
  level: number;
  x: number;
  y: number;
} {
  const level = wholeNumber(value.level);
  if (level > 30) throw new CodedError('bad-request', `There is no level ${level}`);
  return { level, x: wholeNumber(value.x), y: wholeNumber(value.y) };
}
