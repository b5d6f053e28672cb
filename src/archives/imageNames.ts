import { pathParts } from '../base/pathParts';

/* Names of image files and of files derived from them: ends, extensions and suffixes. */

/** Parts of a path that are compared with the end of a longer one. */
export const MAX_COMPARED_PARTS = 24;

/** The ends of a path, from its name to all of it. */
export function endsOf(parts: readonly string[]): string[] {
  const path = parts.join('/');
  const ends: string[] = [];
  let from = path.length + 1;
  for (let at = parts.length - 1; at >= 0 && ends.length < MAX_COMPARED_PARTS; at--) {
    from -= (parts[at]?.length ?? 0) + 1;
    ends.push(path.slice(from));
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
  const [one, other] = [written(text), written(path)];
  const shared = Math.min(one.parts.length, other.parts.length);
  const [ofText, ofPath] = [one.parts.slice(-shared), other.parts.slice(-shared)];
  const [name = '', ofImage = ''] = [ofText.pop(), ofPath.pop()];
  const plain = name.toLowerCase();
  const hasExtension = plain === ofImage.toLowerCase();
  // The text after the last dot may belong to a name without extension.
  const stem = plain === stemOf(ofImage).toLowerCase() ? name : stemOf(name);
  const isName = hasExtension ? name === ofImage : stem === stemOf(ofImage);
  const spellings: [Spelling, boolean][] = [
    ['folders', one.parts.length !== other.parts.length],
    ['extension', !hasExtension],
    ['case', !isName || ofText.join('/') !== ofPath.join('/')],
    ['accents', one.isComposed !== other.isComposed],
    ['separators', one.isPlain !== other.isPlain],
  ];
  return spellings.flatMap(([spelling, isOther]) => (isOther ? [spelling] : []));
}

function written(path: string): { parts: string[]; isComposed: boolean; isPlain: boolean } {
  const parts = pathParts(path.trim());
  const composed = path.normalize('NFC');
  return { parts, isComposed: composed === path, isPlain: composed.replace(/^\//, '') === parts.join('/') };
}
