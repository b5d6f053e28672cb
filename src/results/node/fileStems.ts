import * as path from 'node:path';
import { finish, inSteps, mapInSteps, type Steps } from '../../base/steps';

/** Device names that Windows reserves, even with spaces or an extension after them. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³]) *(\.|$)/i;

/**
 * Maximum bytes of a part of a file name: file systems allow 255 for two parts and the extension.
 */
const MAX_PART_BYTES = 110;

/** Characters that start an option or a home folder in a shell, or a formula. */
const SIGN = /^[-=+@~]/;

/**
 * Control characters, and characters that some system forbids in names. Bidirectional controls
 * could disguise an extension. Other invisible characters could make two names look equal, except
 * joiners, which scripts and emoji need. Unpaired surrogates aren't valid UTF-8.
 */
const UNSAFE = /(?:[\p{Cc}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*]|(?![\u200c\u200d])\p{Cf})+/gu;

/** A text as a file name, or the start of one, on any system; never empty. */
export function safeFileName(text: string): string {
  const cleaned = safeNamePart(text);
  return SIGN.test(cleaned) ? `_${cleaned}` : cleaned;
}

/** A text as a later part of a file name on any system; never empty. */
export function safeNamePart(text: string): string {
  const cleaned = beginning(text.replace(UNSAFE, '-'))
    .replace(/[. ]+$/, '')
    .replace(/^[. ]+/, '');
  if (cleaned === '') return '_';
  return RESERVED.test(cleaned) ? `_${cleaned}` : cleaned;
}

/** Latin letters that aren't an ASCII letter with an accent, and their ASCII spelling. */
const SPELLED_OUT: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', đ: 'd', Đ: 'D', ð: 'd', Ð: 'D' },
  ...{ þ: 'th', Þ: 'Th', ł: 'l', Ł: 'L', ı: 'i', µ: 'u' },
};

/**
 * A text as a file name that needs no quotes in shells and scripts: letters in ASCII if they have
 * an ASCII spelling (letters of other scripts stay), and `_` for spaces and signs. Not for files
 * that are found again by name: `fileStems` names the files of images.
 */
export function plainFileName(text: string): string {
  const spelledOut = text.replace(/[ßẞæÆœŒøØđĐðÐþÞłŁıµ]/g, letter => SPELLED_OUT[letter] ?? letter);
  const plain = spelledOut
    .normalize('NFKD')
    .replace(/([A-Za-z])\p{Mn}+/gu, '$1')
    .normalize('NFC')
    .replace(/\p{Pd}/gu, '-')
    // Joiners shape letters; between emoji they are removed like these.
    .replace(/(?<![\p{L}\p{M}])[\u200c\u200d]+/gu, '')
    .replace(/(?:(?![\u200c\u200d])[^\p{L}\p{M}\p{N}.+-])+/gu, '_')
    .replace(/[_-]*_[_-]*/g, '_')
    .replace(/\.{2,}/g, '.');
  return safeFileName(plain.replace(/^[_.-]+/, '').replace(/[_.-]+$/, ''));
}

/** As many whole characters as fit into some bytes. */
function beginning(text: string, maxBytes = MAX_PART_BYTES): string {
  let bytes = 0;
  let length = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    length += character.length;
  }
  return text.slice(0, length);
}

/**
 * A name for the files of each image: its file name without folder and extension. Equal names,
 * ignoring case and the encoding of accents, get as few folders as distinguish them; names that are
 * still equal get numbers.
 */
export function fileStems(fileNames: readonly string[]): string[] {
  return finish(fileStemsInSteps(fileNames));
}

/** Like fileStems, in steps: thousands take tens of milliseconds. */
export function* fileStemsInSteps(fileNames: readonly string[]): Steps<string[]> {
  const images = yield* mapInSteps(fileNames, splitPath);
  const sameName = new Map<string, number[]>();
  yield* inSteps(images, ({ stem }, position) => {
    const key = comparisonKey(safeFileName(stem));
    const positions = sameName.get(key);
    if (positions) positions.push(position);
    else sameName.set(key, [position]);
  });
  const unique = uniqueNames();
  const stems = yield* mapInSteps(images, ({ stem }) => safeFileName(stem));
  const collisions = [...sameName.values()].filter(({ length }) => length > 1);
  // Unique names come first, as they don't change.
  yield* inSteps(sameName.values(), ([position = 0, ...others]) => {
    if (others.length === 0) unique(stems[position] ?? '');
  });
  for (const positions of collisions) {
    yield;
    const names = yield* namesWithFolders(
      positions.map(position => images[position] ?? { folders: [], stem: '' }),
    );
    yield* inSteps(positions, (position, index) => (stems[position] = unique(names[index] ?? '')));
  }
  return stems;
}

interface SplitPath {
  folders: string[];
  stem: string;
}

function splitPath(fileName: string): SplitPath {
  const parts = fileName.split(/[/\\]/);
  const base = parts.pop() ?? '';
  const folders = parts.filter(part => !['', '.', '..'].includes(part));
  return { folders, stem: path.posix.basename(base, path.posix.extname(base)) };
}

/** Maximum number of a path's folders in a name. */
const MAX_FOLDERS = 64;

/** Names with as few folders as distinguish the images, if folders can. */
function* namesWithFolders(images: readonly SplitPath[]): Steps<string[]> {
  const names = yield* mapInSteps(images, ({ stem }) => safeFileName(stem));
  const deepest = images.reduce((max, { folders }) => Math.max(max, folders.length), 0);
  function* distinguish(positions: readonly number[], folders: number): Steps<void> {
    for (let count = folders + 1; count <= Math.min(deepest, MAX_FOLDERS); count++) {
      const groups = new Map<string, { name: string; positions: number[] }>();
      yield* inSteps(positions, position => {
        const name = nameWith(images[position], count);
        const group = groups.get(comparisonKey(name)) ?? { name, positions: [] };
        groups.set(comparisonKey(name), group);
        group.positions.push(position);
      });
      if (groups.size === 1) continue;
      for (const { name, positions: groupPositions } of groups.values()) {
        for (const position of groupPositions) names[position] = name;
        if (groupPositions.length > 1) yield* distinguish(groupPositions, count);
      }
      return;
    }
  }
  yield* distinguish([...images.keys()], 0);
  return names;
}

function nameWith({ folders, stem }: SplitPath = { folders: [], stem: '' }, count: number): string {
  const folder = folders.slice(-count).join('_');
  return safeFileName(folder === '' ? stem : joined(folder, stem));
}

/** If both don't fit into a name, each gets half of it. */
function joined(folder: string, stem: string): string {
  const fullName = `${folder}_${stem}`;
  if (Buffer.byteLength(fullName) <= MAX_PART_BYTES) return fullName;
  const half = Math.floor((MAX_PART_BYTES - 1) / 2);
  return `${beginning(folder, half)}_${beginning(stem, half)}`;
}

/**
 * A name as file systems compare it: without case, and with one encoding of accents. Some letters
 * share a capital, such as the micro sign and the Greek letter μ: they are equal on Windows and
 * macOS.
 */
function comparisonKey(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase();
}

/** Returns a function that numbers repeated names, ignoring case and the encoding of accents. */
export function uniqueNames(): (name: string) => string {
  const usedKeys = new Set<string>();
  const counts = new Map<string, number>();
  return name => {
    const key = comparisonKey(name);
    let unique = name;
    while (usedKeys.has(comparisonKey(unique))) {
      const count = (counts.get(key) ?? 1) + 1;
      counts.set(key, count);
      unique = `${name}-${count}`;
    }
    usedKeys.add(comparisonKey(unique));
    return unique;
  };
}
