import { pathParts } from '../base/pathParts';

/* Names of image files and of files derived from them: ends, extensions and suffixes. */

/** Parts of a path that are compared with the end of a longer one. */
export const MAX_COMPARED_PARTS = 24;

/** The ends of a path, from its name to all of it. */
export function endsOf(parts: readonly string[]): string[] {
  const path = parts.join('/');
  const ends: string[] = [];
  let start = path.length + 1;
  for (let index = parts.length - 1; index >= 0 && ends.length < MAX_COMPARED_PARTS; index--) {
    start -= (parts[index]?.length ?? 0) + 1;
    ends.push(path.slice(start));
  }
  if (parts.length > MAX_COMPARED_PARTS) ends.push(path);
  return ends;
}

/** An extension begins with a letter: "dose_1.5" has none. OME's has two parts. */
const EXTENSION = /(?<=[^/\\])(?:\.ome)?\.(?:[a-z][a-z\d]{0,4}|geojson|qptiff|svslide)$/i;

/** A file's name, or its path, without its extension, "a.ome.tif" too. */
export function stemOf(name: string): string {
  return name.replace(EXTENSION, '');
}

/** Suffixes that tools add to the names of label images. */
const LABELS_END = /(?:_cp)?[_-](?:masks?|labels?|RoiSet)$/i;

/** Whether a file name has the suffix of label images. */
export function isOfLabels(path: string): boolean {
  return stemsOf(path).some(stem => LABELS_END.test(stem));
}

/**
 * Possible names of a label file's image, without extension: the name without the tool's suffix,
 * and the name itself, unless `isSuffix` says that a tool added it.
 */
export function namesOfLabels(path: string, isSuffix = false): string[] {
  const stems = stemsOf(path);
  const names = stems.map(stem => stem.replace(LABELS_END, ''));
  return [...new Set(isSuffix ? names : [...stems, ...names])];
}

/** Possible names of an image whose extension a tool omits or extends: a.tif.geojson. */
export function stemsOf(path: string): string[] {
  // Some tools leave the second extension of OME out, others don't.
  return [...new Set([stemOf(path), path.replace(/(?<=[^/\\])\.[^./\\]*$/, '')])];
}

/** How a name differs from the path of the image that it means. */
export type Spelling = 'folders' | 'extension' | 'case' | 'accents' | 'separators';

/** How a text differs from the path of the image that it means; empty if equal. */
export function spellingsOf(text: string, path: string): Spelling[] {
  if (text === path) return [];
  const [textPath, imagePath] = [parsePath(text), parsePath(path)];
  const commonParts = Math.min(textPath.parts.length, imagePath.parts.length);
  const [textFolders, pathFolders] = [
    textPath.parts.slice(-commonParts),
    imagePath.parts.slice(-commonParts),
  ];
  const [name = '', imageName = ''] = [textFolders.pop(), pathFolders.pop()];
  const lowerName = name.toLowerCase();
  const hasExtension = lowerName === imageName.toLowerCase();
  // The text after the last dot may belong to a name without extension.
  const stem = lowerName === stemOf(imageName).toLowerCase() ? name : stemOf(name);
  const isName = hasExtension ? name === imageName : stem === stemOf(imageName);
  const spellings: [Spelling, boolean][] = [
    ['folders', textPath.parts.length !== imagePath.parts.length],
    ['extension', !hasExtension],
    ['case', !isName || textFolders.join('/') !== pathFolders.join('/')],
    ['accents', textPath.isComposed !== imagePath.isComposed],
    ['separators', textPath.isPlain !== imagePath.isPlain],
  ];
  return spellings.flatMap(([spelling, isOther]) => (isOther ? [spelling] : []));
}

function parsePath(path: string): { parts: string[]; isComposed: boolean; isPlain: boolean } {
  const parts = pathParts(path.trim());
  const composed = path.normalize('NFC');
  return { parts, isComposed: composed === path, isPlain: composed.replace(/^\//, '') === parts.join('/') };
}
