import * as path from 'node:path';
import { finish, inSteps, mapInSteps, type Steps } from '../../base/steps';

/** Names that Windows reserves for devices, also with spaces or an extension after them. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³]) *(\.|$)/i;

/** Bytes of a part of a file name: file systems allow 255 for two parts and the extension. */
const MAX_PART_BYTES = 110;

/** Signs that begin an option or home folder in a shell, a file list, or a formula. */
const SIGN = /^[-=+@~]/;

/**
 * Controls and what no system allows in a name. Bidirectional controls could make an extension look
 * like another; other characters that nobody sees, but joiners, which scripts and emoji need, could
 * make two names look the same; unpaired surrogates aren't valid UTF-8.
 */
const UNSAFE = /(?:[\p{Cc}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*]|(?![\u200c\u200d])\p{Cf})+/gu;

/** A text as a file's name, or its beginning, on any system; never empty. */
export function safeFileName(text: string): string {
  const cleaned = safeNamePart(text);
  return SIGN.test(cleaned) ? `_${cleaned}` : cleaned;
}

/** A text as a later part of a file's name on any system; never empty. */
export function safeNamePart(text: string): string {
  const cleaned = beginning(text.replace(UNSAFE, '-'))
    .replace(/[. ]+$/, '')
    .replace(/^[. ]+/, '');
  if (cleaned === '') return '_';
  return RESERVED.test(cleaned) ? `_${cleaned}` : cleaned;
}

/** Latin letters that aren't an ASCII one with an accent, and their spelling in ASCII. */
const SPELLED_OUT: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', đ: 'd', Đ: 'D', ð: 'd', Ð: 'D' },
  ...{ þ: 'th', Þ: 'Th', ł: 'l', Ł: 'L', ı: 'i', µ: 'u' },
};

/**
 * A text as a file's name that shells, scripts and other systems take without quotes: in ASCII as
 * far as its letters have a spelling there (those of other scripts stay), with `_` for spaces and
 * signs. Never for what is found again by its name: the files of an image are named by `fileStems`.
 */
export function plainFileName(text: string): string {
  const spelledOut = text.replace(/[ßẞæÆœŒøØđĐðÐþÞłŁıµ]/g, letter => SPELLED_OUT[letter] ?? letter);
  const plain = spelledOut
    .normalize('NFKD')
    .replace(/([A-Za-z])\p{Mn}+/gu, '$1')
    .normalize('NFC')
    .replace(/\p{Pd}/gu, '-')
    // Joiners shape letters; between emoji they leave with them.
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
 * A name for the files of each image: its file name without folder and extension. Equal names, also
 * those that differ only in case or the encoding of accents, begin with as many folders as tell
 * them apart; names that are still equal are numbered.
 */
export function fileStems(fileNames: readonly string[]): string[] {
  return finish(fileStemsInSteps(fileNames));
}

/** The same in steps: thousands take tens of milliseconds. */
export function* fileStemsInSteps(fileNames: readonly string[]): Steps<string[]> {
  const images = yield* mapInSteps(fileNames, splitPath);
  const sameName = new Map<string, number[]>();
  yield* inSteps(images, ({ stem }, at) => {
    const key = spelled(safeFileName(stem));
    const same = sameName.get(key);
    if (same) same.push(at);
    else sameName.set(key, [at]);
  });
  const unique = uniqueNames();
  const stems = yield* mapInSteps(images, ({ stem }) => safeFileName(stem));
  const collisions = [...sameName.values()].filter(({ length }) => length > 1);
  // Names that occur once stay as they are, so they come first.
  yield* inSteps(sameName.values(), ([at = 0, ...others]) => {
    if (others.length === 0) unique(stems[at] ?? '');
  });
  for (const same of collisions) {
    yield;
    const names = yield* namesWithFolders(same.map(at => images[at] ?? { folders: [], stem: '' }));
    yield* inSteps(same, (at, index) => (stems[at] = unique(names[index] ?? '')));
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

/** Folders of a path that may become part of a name. */
const MAX_FOLDERS = 64;

/** Names with as few folders as tell the images apart, as far as folders can. */
function* namesWithFolders(images: readonly SplitPath[]): Steps<string[]> {
  const names = yield* mapInSteps(images, ({ stem }) => safeFileName(stem));
  const deepest = images.reduce((most, { folders }) => Math.max(most, folders.length), 0);
  function* tell(same: readonly number[], folders: number): Steps<void> {
    for (let count = folders + 1; count <= Math.min(deepest, MAX_FOLDERS); count++) {
      const parted = new Map<string, { name: string; of: number[] }>();
      yield* inSteps(same, at => {
        const name = nameWith(images[at], count);
        const group = parted.get(spelled(name)) ?? { name, of: [] };
        parted.set(spelled(name), group);
        group.of.push(at);
      });
      if (parted.size === 1) continue;
      for (const { name, of } of parted.values()) {
        for (const at of of) names[at] = name;
        if (of.length > 1) yield* tell(of, count);
      }
      return;
    }
  }
  yield* tell([...images.keys()], 0);
  return names;
}

function nameWith({ folders, stem }: SplitPath = { folders: [], stem: '' }, count: number): string {
  const folder = folders.slice(-count).join('_');
  return safeFileName(folder === '' ? stem : joined(folder, stem));
}

/** Where both don't fit into a name, half of it is for each. */
function joined(folder: string, stem: string): string {
  const whole = `${folder}_${stem}`;
  if (Buffer.byteLength(whole) <= MAX_PART_BYTES) return whole;
  const half = Math.floor((MAX_PART_BYTES - 1) / 2);
  return `${beginning(folder, half)}_${beginning(stem, half)}`;
}

/**
 * A name as file systems compare it: without case, and with accents, which may follow their letter,
 * encoded in one way. Some letters share a capital, such as the two μ (of the micro sign and of the
 * Greek letter), and are one letter to Windows and macOS.
 */
function spelled(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase();
}

/** Returns a function that numbers repeated names, ignoring case and the encoding of accents. */
export function uniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
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
