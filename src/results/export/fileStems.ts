import * as path from 'node:path';

/** Names that Windows keeps for devices. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** Longest name of a file without its ending; file systems allow 255 bytes in all. */
const LONGEST = 120;

/** A text as (part of) a file's name on any system; never empty. */
export function safeFileName(text: string): string {
  const cleaned = text
    .replace(/[\p{Cc}<>:"/\\|?*]+/gu, '-')
    .slice(0, LONGEST)
    .replace(/[. ]+$/, '')
    .replace(/^[. ]+/, '');
  if (cleaned === '') return '_';
  return RESERVED.test(cleaned.split('.')[0] ?? '') ? `_${cleaned}` : cleaned;
}

/**
 * A name for the files of each image: its file name without folder and ending. Names that would be the same, also where
 * upper and lower case are one, are numbered.
 */
export function fileStems(fileNames: readonly string[]): string[] {
  const unique = uniqueNames();
  return fileNames.map(fileName => {
    const base = fileName.split(/[/\\]/).at(-1) ?? '';
    return unique(safeFileName(path.posix.basename(base, path.posix.extname(base))));
  });
}

/** Makes a function that numbers a name which it has given before. */
export function uniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return name => {
    const key = name.toLowerCase();
    let unique = name;
    while (taken.has(unique.toLowerCase())) {
      const count = (counts.get(key) ?? 1) + 1;
      counts.set(key, count);
      unique = `${name}-${count}`;
    }
    taken.add(unique.toLowerCase());
    return unique;
  };
}
