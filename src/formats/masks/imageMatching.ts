export interface NamedImage {
  id: string;
  /** File name, perhaps with folders before it. */
  filename: string;
}

/** Slash-separated parts of a path, in Unicode's composed form: macOS writes accents as separate marks. */
export function pathParts(path: string): string[] {
  return path
    .normalize('NFC')
    .split(/[\\/]+/)
    .filter(part => part !== '' && part !== '.');
}

/** Number of parts, from the end, in which two paths agree. */
export function commonSuffix(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[a.length - 1 - length] === b[b.length - 1 - length])
    length++;
  return length;
}

/** The image that a text of an image column means, or why there is none. */
export type ImageOfText = number | 'none' | 'ambiguous';

/**
 * Finds the images that the texts of an image column mean: by the image's id, else by path, where one of the two paths
 * must be the end of the other. A text that fits several images, and texts that fit one image equally well, are ambiguous.
 */
export function matchImages(texts: readonly string[], images: readonly NamedImage[]): ImageOfText[] {
  return imageMatcher(images)(texts);
}

/** As matchImages, where texts come again and again: images are indexed once, which takes long for tens of thousands. */
export function imageMatcher(images: readonly NamedImage[]): (texts: readonly string[]) => ImageOfText[] {
  const byId = new Map<string, number[]>();
  const byName = new Map<string, number[]>();
  const parts = images.map(({ filename }) => pathParts(filename));
  images.forEach(({ id }, index) => {
    append(byId, id, index);
    append(byName, parts[index]?.at(-1) ?? '', index);
  });
  /** How well a text fits, with the image that it means. */
  const match = (text: string): { image: ImageOfText; strength: number } => {
    const trimmed = text.trim();
    const ids = trimmed === '' ? undefined : byId.get(trimmed);
    if (ids) return { image: ids.length === 1 ? (ids[0] ?? 'none') : 'ambiguous', strength: Infinity };
    const path = pathParts(trimmed);
    let best: number[] = [];
    let longest = 0;
    for (const index of byName.get(path.at(-1) ?? '') ?? []) {
      const other = parts[index] ?? [];
      const common = commonSuffix(path, other);
      if (common === 0 || common < Math.min(path.length, other.length) || common < longest) continue;
      if (common > longest) best = [];
      longest = common;
      best.push(index);
    }
    return { image: best.length > 1 ? 'ambiguous' : (best[0] ?? 'none'), strength: longest };
  };
  return texts => bestTextOfEachImage(texts.map(match), images.length);
}

/** Of several texts that mean one image, only the strictly best fit is used. */
function bestTextOfEachImage(
  found: readonly { image: ImageOfText; strength: number }[],
  imageCount: number,
): ImageOfText[] {
  const best = new Float64Array(imageCount);
  const bestCounts = new Uint32Array(imageCount);
  found.forEach(({ image, strength }) => {
    if (typeof image !== 'number') return;
    if (strength > (best[image] ?? 0)) {
      best[image] = strength;
      bestCounts[image] = 1;
    } else if (strength === best[image]) bestCounts[image] = (bestCounts[image] ?? 0) + 1;
  });
  return found.map(({ image, strength }) => {
    if (typeof image !== 'number') return image;
    return strength === best[image] && bestCounts[image] === 1 ? image : 'ambiguous';
  });
}

function append(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
