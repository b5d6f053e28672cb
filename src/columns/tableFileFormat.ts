/** A format of table files with types, beside delimited text. */
export interface TableFileFormat {
  /** For programs. */
  id: string;
  /** The same in every language. */
  name: string;
  /** Endings of its files' names, without the dot; written files get the first. */
  endings: readonly [string, ...string[]];
}

/** Whether a file's name is that of a format's files. */
export function isNamedAs({ endings }: TableFileFormat, path: string): boolean {
  const ending = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase();
  return ending !== undefined && endings.includes(ending);
}
