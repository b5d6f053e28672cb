import { pathParts } from '../base/pathParts';

export interface NamedImage {
  id: string;
  /** File name, perhaps with folders before it. */
  filename: string;
}

/** The image that a text of an image column means, or why there is none. */
export type ImageOfText = number | 'none' | 'ambiguous';

/**
 * Finds the images that the texts of an image column mean: by the image's id, else by path, where one of the two paths
 * must be the end of the other. A text that fits several images, and texts that fit one image equally well, are ambiguous.
 */
export function matchImages(texts: readonly string[], images: readonly NamedImage[]): ImageOfText[] {
  const paths = texts.map(text => pathParts(text.trim()));
  const index = new ImageIndex(new Set(paths.map(({ length }) => length)));
  for (const image of images) index.add(image);
  return index.best(texts.map((text, at) => index.match(text, paths[at])));
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

/** Folders of a path that are compared with the end of a longer one. */
const MAX_COMPARED_PARTS = 24;

/** What matchImages does, in steps: images are added, then texts are matched, each by itself. */
export class ImageIndex {
  private count = 0;
  private readonly byId = new Map<string, number[]>();
  /** By whole path, and by each end of it. */
  private readonly byPath = new Map<string, number[]>();
  private readonly byEnd = new Map<string, number[]>();

  /** `lengths`: how many parts the paths of texts have; of any number where it is absent. Each end of a path takes its time. */
  constructor(private readonly lengths?: ReadonlySet<number>) {}

  add({ id, filename }: NamedImage): void {
    const index = this.count++;
    if (id !== '') append(this.byId, id, index);
    const ends = endsOf(pathParts(filename));
    append(this.byPath, ends.at(-1) ?? '', index);
    ends.forEach((end, at) => {
      // A path of more parts than are compared is found as a whole.
      const isWanted = !this.lengths || this.lengths.has(at + 1) || at >= MAX_COMPARED_PARTS;
      if (isWanted) append(this.byEnd, end, index);
    });
  }

  /** The images that a text fits best, and how well; the array is shared by texts that fit the same images. */
  candidates(
    text: string,
    parts: readonly string[] = pathParts(text.trim()),
  ): { images: readonly number[]; strength: number } {
    const ids = this.byId.size === 0 ? undefined : this.byId.get(text.trim());
    if (ids !== undefined) return { images: ids, strength: Infinity };
    // The text is the end of a path, or all of it.
    const longer = this.byEnd.get(parts.join('/'));
    const strength = Math.min(parts.length, MAX_COMPARED_PARTS + 1);
    if (longer !== undefined && parts.length > 0) return { images: longer, strength };
    const ends = endsOf(parts);
    for (let length = ends.length - 1; length > 0; length--) {
      const shorter = this.byPath.get(ends[length - 1] ?? '');
      if (shorter !== undefined) return { images: shorter, strength: length };
    }
    return { images: [], strength: 0 };
  }

  match(text: string, parts?: readonly string[]): TextMatch {
    const { images, strength } = this.candidates(text, parts);
    return { image: images.length > 1 ? 'ambiguous' : (images[0] ?? 'none'), strength };
  }

  /** Of several texts that mean one image, only the strictly best fit is used. */
  best(found: readonly TextMatch[]): ImageOfText[] {
    const best = new Float64Array(this.count);
    const bestCounts = new Uint32Array(this.count);
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

/** Texts and images that names alone don't tell apart, by their positions. */
export interface NameGroup {
  texts: number[];
  images: number[];
  /** What each of the texts may mean. */
  candidates: ReadonlyMap<number, ReadonlySet<number>>;
}

/** What names tell: the image of each text where that is certain, and what is left to other evidence. */
interface NameMatches {
  images: ImageOfText[];
  groups: NameGroup[];
}

/**
 * Names that don't tell which image is meant, although only one image has them: 'bare' ones without a folder, where names occur
 * again in other folders, or all 'parts' of paths, where not even the name of an image is known that may be the one.
 */
export type UncertainNames = 'none' | 'bare' | 'parts';

/** Names occur again, as on plates or in series, where at least this share of them does. */
const MIN_REPEATED = 0.1;

/** Whether names tell images apart by themselves, or occur again in other folders: among texts or among images. */
export function doNamesRepeat(texts: readonly string[], images: readonly NamedImage[]): boolean {
  const [names, repeated] = [new Set<string>(), new Set<string>()];
  for (const paths of [texts, images.map(({ filename }) => filename)]) {
    const seen = new Set<string>();
    for (const path of paths) {
      const name = pathParts(path.trim()).at(-1);
      if (name === undefined) continue;
      if (seen.has(name)) repeated.add(name);
      seen.add(name);
      names.add(name);
    }
  }
  return repeated.size > 0 && repeated.size >= MIN_REPEATED * names.size;
}

/**
 * As matchImages, but says what belongs together where names leave several possibilities: texts and images that share a
 * possibility, directly or by others, are one group. `uncertain` says which parts of a path leave it to other evidence whether
 * the only image with them is the one that is meant: whole paths and IDs are always certain.
 */
export function matchNames(
  texts: readonly string[],
  images: readonly NamedImage[],
  uncertain: UncertainNames = 'none',
): NameMatches {
  const index = new ImageIndex();
  for (const image of images) index.add(image);
  const found = texts.map(text => index.candidates(text));
  const certain = index.best(
    found.map(({ images: fit, strength }) => ({
      image: fit.length > 1 ? 'ambiguous' : (fit[0] ?? 'none'),
      strength,
    })),
  );
  // A text that fits one image less well than another text does is no candidate for it.
  const taken = new Map<number, number>();
  certain.forEach((image, text) => {
    if (typeof image !== 'number') return;
    const strength = found[text]?.strength ?? 0;
    const isWhole =
      strength === Infinity ||
      strength === Math.max(partCount(texts[text]), partCount(images[image]?.filename));
    const isUncertain = uncertain === 'parts' || (uncertain === 'bare' && strength === 1);
    if (isUncertain && !isWhole) certain[text] = 'ambiguous';
    else taken.set(image, text);
  });
  const sets = new Map<readonly number[], ReadonlySet<number>>();
  const candidates = new Map<number, ReadonlySet<number>>();
  certain.forEach((image, text) => {
    if (image !== 'ambiguous') return;
    const fit = found[text]?.images ?? [];
    const free = sets.get(fit) ?? new Set(fit.filter(each => !taken.has(each)));
    sets.set(fit, free);
    if (free.size > 0) candidates.set(text, free);
  });
  return { images: certain, groups: connected(candidates) };
}

/** Groups of texts and images that are connected by candidates. */
function connected(candidates: ReadonlyMap<number, ReadonlySet<number>>): NameGroup[] {
  const parents = new Map<number, number>();
  const rootOf = (image: number): number => {
    let root = image;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    return root;
  };
  for (const set of new Set(candidates.values())) {
    const [first = 0, ...others] = set;
    const root = rootOf(first);
    for (const other of others) {
      const top = rootOf(other);
      if (top !== root) parents.set(top, root);
    }
  }
  const groups = new Map<number, { texts: number[]; sets: Set<ReadonlySet<number>> }>();
  for (const [text, set] of candidates) {
    const [first = 0] = set;
    const root = rootOf(first);
    const group = groups.get(root) ?? { texts: [], sets: new Set() };
    groups.set(root, group);
    group.texts.push(text);
    group.sets.add(set);
  }
  return [...groups.values()].map(({ texts, sets }) => {
    const images = new Set<number>();
    for (const set of sets) for (const image of set) images.add(image);
    return { texts, images: [...images], candidates };
  });
}

function partCount(path: string | undefined): number {
  return pathParts(path ?? '').length;
}

/** The ends of a path, from its name to all of it. */
function endsOf(parts: readonly string[]): string[] {
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

function append(map: Map<string, number[]>, key: string, value: number): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/** An image that was analyzed: its ID at the service, and the folder and name that it was uploaded to. */
export interface AnalyzedItem {
  id: string;
  path: string;
  /** Of the file, hexadecimal, where it was uploaded from here. */
  sha256?: string;
}

/** Links that a person made: an image of the masks, by its ID, and a path in the table. */
export interface LinkedByHand {
  image: string;
  path: string;
}

/** Where links of images that a person made are kept with the result, and by what its images were linked at the last visit. */
export interface KeptImageLinks {
  byHand(): Promise<LinkedByHand[]>;
  setByHand(links: readonly LinkedByHand[]): Promise<void>;
  /** A digest of how images of the same name were linked last; undefined where they never were. */
  last(): Promise<string | undefined>;
  setLast(digest: string): Promise<void>;
}
