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
  const index = new ImageIndex();
  for (const image of images) index.add(image);
  return texts => index.best(texts.map(text => index.match(text)));
}

/** How well a text fits, with the image that it means. */
export interface TextMatch {
  image: ImageOfText;
  strength: number;
}

/** What matchImages does, in steps: images are added, then texts are matched, each by itself. */
export class ImageIndex {
  private readonly parts: (readonly string[])[] = [];
  private readonly byId = new Map<string, OneOrMore>();
  private readonly byName = new Map<string, OneOrMore>();

  add({ id, filename }: NamedImage): void {
    const parts = pathParts(filename);
    const index = this.parts.push(parts) - 1;
    append(this.byId, id, index);
    append(this.byName, parts.at(-1) ?? '', index);
  }

  match(text: string): TextMatch {
    const trimmed = text.trim();
    const ids = trimmed === '' ? undefined : this.byId.get(trimmed);
    if (ids !== undefined) return { image: typeof ids === 'number' ? ids : 'ambiguous', strength: Infinity };
    const path = pathParts(trimmed);
    const named = this.byName.get(path.at(-1) ?? '') ?? [];
    let best: number[] = [];
    let longest = 0;
    for (const index of typeof named === 'number' ? [named] : named) {
      const other = this.parts[index] ?? [];
      const common = commonSuffix(path, other);
      if (common === 0 || common < Math.min(path.length, other.length) || common < longest) continue;
      if (common > longest) best = [];
      longest = common;
      best.push(index);
    }
    return { image: best.length > 1 ? 'ambiguous' : (best[0] ?? 'none'), strength: longest };
  }

  /** Of several texts that mean one image, only the strictly best fit is used. */
  best(found: readonly TextMatch[]): ImageOfText[] {
    const best = new Float64Array(this.parts.length);
    const bestCounts = new Uint32Array(this.parts.length);
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
}

/** Nearly always one: an array for each would take as long as all else. */
type OneOrMore = number | number[];

function append(map: Map<string, OneOrMore>, key: string, value: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, value);
  else if (typeof known === 'number') map.set(key, [known, value]);
  else known.push(value);
}
