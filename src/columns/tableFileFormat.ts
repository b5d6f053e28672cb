/** A typed format of table files, in addition to delimited text. */
export interface TableFileFormat {
  /** Name for programs. */
  id: string;
  /** Name for users, the same in every language. */
  name: string;
  /** Extensions of its files, without the dot; files are written with the first one. */
  endings: readonly [string, ...string[]];
}

/** Whether a file name has an extension of a format. */
export function isNamedAs({ endings }: TableFileFormat, path: string): boolean {
  const ending = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase();
  return ending !== undefined && endings.includes(ending);
}
