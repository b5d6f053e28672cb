/**
 * A kind of value that a subject stores with jobs and results: its name there, and what of a stored
 * value is sound, as a person may have edited the file. The stores know no more of it: where the
 * subject is missing, its values stay as they are, unread.
 */
export interface StoredKind<V> {
  readonly name: string;
  valid(value: unknown): V | undefined;
}
