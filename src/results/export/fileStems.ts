import * as path from 'node:path';

/** Names that Windows keeps for devices; spaces after them, and an ending, do not count. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³]) *(\.|$)/i;

/** Longest part of a file's name, in bytes; file systems allow 255 for two of them and the ending. */
const LONGEST = 110;

/** A text as (part of) a file's name on any system; never empty. */
export function safeFileName(text: string): string {
  // Marks that turn the direction of writing could make an ending look like another; halves of characters become one.
  const cleaned = beginning(text.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}<>:"/\\|?*]+/gu, '-'))
    .replace(/[. ]+$/, '')
    .replace(/^[. ]+/, '');
  if (cleaned === '') return '_';
  return RESERVED.test(cleaned) ? `_${cleaned}` : cleaned;
}

/** As many whole characters as fit. */
function beginning(text: string): string {
  let bytes = 0;
  let length = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > LONGEST) break;
    length += character.length;
  }
  return text.slice(0, length);
}

/**
 * A name for the files of each image: its file name without folder and ending. Names that would be the same, also where
 * upper and lower case or two spellings of an accent are one, are numbered.
 */
export function fileStems(fileNames: readonly string[]): string[] {
  const unique = uniqueNames();
  return fileNames.map(fileName => {
    const base = fileName.split(/[/\\]/).at(-1) ?? '';
    return unique(safeFileName(path.posix.basename(base, path.posix.extname(base))));
  });
}

/** Makes a function that numbers a name which it has given before, in any spelling that some file system takes for it. */
export function uniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  // An accent may be a part of its letter or follow it.
  const spelled = (name: string) => name.normalize('NFC').toLowerCase();
  return name => {
    const key = spelled(name);
    let unique = name;
    while (taken.has(spelled(unique))) {
      const count = (counts.get(key) ?? 1) + 1;
      counts.set(key, count);
      unique = `${name}-${count}`;
    }
    taken.add(spelled(unique));
    return unique;
  };
}
