/**
 * A kind of value that a subject stores with jobs and results. `name` is its key in the file.
 * `valid` checks a stored value, because a person may have edited the file. If the subject isn't
 * included, its stored values stay unread and unchanged.
 */
export interface StoredKind<V> {
  readonly name: string;
  valid(value: unknown): V | undefined;
}

/** A stored value as an object; an empty one if the value isn't an object. */
export function asRecord(value: unknown): Record<string, unknown> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as Record<string, unknown>) : {};
}
