/**
 * A kind of value that a subject stores with jobs and results: its name there, and what of a stored
 * value is sound, as a person may have edited the file. The stores know no more of it: where the
 * subject is missing, its values stay as they are, unread.
 */
export interface StoredKind<V> {
  readonly name: string;
  valid(value: unknown): V | undefined;
}

/** What a stored value holds by name; nothing where it is no object. */
export function asRecord(value: unknown): Record<string, unknown> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as Record<string, unknown>) : {};
}
