import { pathParts } from '../base/pathParts';
import { inSteps, mapInSteps, type Steps } from '../base/steps';
import type { ImageSize } from '../images/backgroundImageInfo';
import {
  ImageCatalog,
  type ImageOfText,
  matchNames,
  type NamedImage,
  type NameGroup,
  pairNames,
} from './imageCatalog';

/*
 * Which image is which, by all that is known of images, from the strongest on: a person's word, the
 * item at the service, the hash of the file, then names (imageCatalog.ts). What their objects say
 * follows where names are the same (src/linking). What a stronger one contradicts isn't certain by
 * a weaker one, and nothing but a person makes images of other sizes the same. See
 * docs/measurements.md, "Identity".
 */

/**
 * By what it is known. `path` is with a folder, `name` without; what follows tells images of one
 * name apart.
 */
export type IdentifiedBy =
  | 'hand'
  | 'item'
  | 'hash'
  | 'path'
  | 'name'
  | 'ids'
  | 'areas'
  | 'positions'
  | 'areasAndPositions'
  | 'empty';

/**
 * By what it is known, as it is shown to a person, with the number of objects that were compared.
 */
export interface Evidence {
  by: IdentifiedBy;
  objects?: number;
}

/**
 * An image that was analyzed: its ID at the service, and the folder and name that it was uploaded
 * to.
 */
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

/**
 * Where links of images that a person made are kept with the result, and by what its images were
 * linked at the last visit.
 */
export interface StoredImageLinks {
  byHand(): Promise<LinkedByHand[]>;
  setByHand(links: readonly LinkedByHand[]): Promise<void>;
  /** A digest of how images of the same name were linked last; undefined where they never were. */
  last(): Promise<string | undefined>;
  setLast(digest: string): Promise<void>;
}

/** What tells of an image by itself whether it is another one. */
interface ImageFacts {
  /** Of the file that was analyzed, hexadecimal. */
  sha256?: string;
  /** Undefined where it isn't known. */
  size?: ImageSize | undefined;
}

/** What speaks against two images being the same. */
interface Contradictions {
  isOtherSize?: boolean;
  isOtherFile?: boolean;
  /** The right image may be in no list, so that a name without a folder tells nothing for certain. */
  mayBeElsewhere?: boolean;
}

/** Why two images aren't certainly the same: their sizes, their files, or their names alone. */
type Doubt = 'size' | 'hash' | 'name';

/**
 * Whether two images that evidence says are the same are so for certain; else why not. A person's
 * word beats all, and the size only speaks against: no image is known by it.
 */
export function doubtOf(
  by: IdentifiedBy,
  { isOtherSize, isOtherFile, mayBeElsewhere }: Contradictions,
): Doubt | undefined {
  if (by === 'hand') return undefined;
  if (isOtherSize) return 'size';
  if (isOtherFile && by !== 'item' && by !== 'hash') return 'hash';
  return mayBeElsewhere && by === 'name' ? 'name' : undefined;
}

/** What is known of both images and differs. */
export function contradictionsOf(a: ImageFacts = {}, b: ImageFacts = {}): Contradictions {
  return {
    isOtherSize: haveOtherSizes(a.size, b.size),
    isOtherFile: a.sha256 !== undefined && b.sha256 !== undefined && a.sha256 !== b.sha256,
  };
}

/** Whether both sizes are known and differ. */
export function haveOtherSizes(a: ImageSize | undefined, b: ImageSize | undefined): boolean {
  return a !== undefined && b !== undefined && (a.width !== b.width || a.height !== b.height);
}

/** The size of an image; undefined where it isn't known. */
export function knownSize({ width, height }: ImageSize): ImageSize | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}

/** What is known of an image on either side of a pair. */
export interface PairableImage extends ImageFacts {
  /** Its ID in its file. */
  id: string;
  /** Its name, perhaps with folders. */
  path: string;
  /** The item at the service, and its path there. */
  item?: string;
  itemPath?: string;
}

/** An image of A and one of B that are the same, by their positions. */
export interface SameImages {
  a: number;
  b: number;
  by: PairedBy;
}

/** What evidence would pair and something contradicts: it is left to a person. */
export interface DoubtfulImages {
  a: number;
  b: number;
  why: Doubt;
}

/** By what images of two lists are the same. */
export type PairedBy = Extract<IdentifiedBy, 'hand' | 'item' | 'hash' | 'path'>;

/**
 * Pairs images of two lists, step by step from the strongest evidence on; each step looks only at
 * images that are left.
 */
export class ImagePairs<T extends ImageFacts> {
  readonly pairs: SameImages[] = [];
  readonly doubtful: DoubtfulImages[] = [];
  /** Some names fit, and don't tell which image is meant. */
  isOpen = false;
  private readonly leftA: Set<number>;
  private readonly leftB: Set<number>;
  /** Images of A that a person said have no partner. */
  private readonly alone: number[] = [];

  constructor(
    private readonly a: readonly T[],
    private readonly b: readonly T[],
  ) {
    this.leftA = new Set(a.keys());
    this.leftB = new Set(b.keys());
  }

  /** Those without a partner, in rising order. */
  get unpairedA(): number[] {
    const doubtful = this.doubtful.map(({ a }) => a);
    return [...this.leftA, ...this.alone, ...doubtful].sort((one, other) => one - other);
  }

  get unpairedB(): number[] {
    return [...this.leftB, ...this.doubtful.map(({ b }) => b)].sort((one, other) => one - other);
  }

  /**
   * What a person said, by keys of images; without `b` one of A is to have no partner. Which of it
   * is in effect: the rest is about images that aren't there, or had a partner before.
   */
  *byHand(said: readonly { a: string; b?: string }[], keyOf: (image: T) => string): Steps<number[]> {
    if (said.length === 0) return [];
    const ofA = yield* uniqueBy(this.a, this.leftA, keyOf);
    const ofB = yield* uniqueBy(this.b, this.leftB, keyOf);
    return [...said.keys()].filter(at => {
      const { a: keyA, b: keyB } = said[at] ?? { a: '' };
      const a = ofA.get(keyA);
      if (a === undefined || !this.leftA.has(a)) return false;
      if (keyB !== undefined) return this.add(a, ofB.get(keyB) ?? -1, 'hand');
      this.leftA.delete(a);
      this.alone.push(a);
      return true;
    });
  }

  /** Pairs those with the same key, which no other image of their list has. */
  *byKey(by: 'item' | 'hash', keyOf: (image: T) => string | undefined): Steps<void> {
    const ofB = yield* uniqueBy(this.b, this.leftB, keyOf);
    for (const [key, a] of yield* uniqueBy(this.a, this.leftA, keyOf)) {
      const b = ofB.get(key);
      if (b !== undefined) this.add(a, b, by);
    }
  }

  /**
   * Pairs by the names that each may have. With `isWanted`, nothing is paired unless that says yes
   * to all of it.
   */
  *byNames(
    namesOfA: readonly (readonly string[])[],
    namesOfB: readonly (readonly string[])[],
    isWanted: (pairs: readonly Pick<SameImages, 'a' | 'b'>[]) => boolean = () => true,
  ): Steps<void> {
    const [left, others] = [[...this.leftA], [...this.leftB]];
    const found = yield* pairNames(
      left.map(at => namesOfA[at] ?? []),
      others.map(at => namesOfB[at] ?? []),
      { a: firstNames(namesOfA, this.leftA), b: firstNames(namesOfB, this.leftB) },
    );
    this.isOpen ||= found.includes('ambiguous');
    const pairs = found.flatMap((match, at) =>
      typeof match === 'number' ? [{ a: left[at] ?? -1, b: others[match] ?? -1 }] : [],
    );
    if (isWanted(pairs)) for (const { a, b } of pairs) this.add(a, b, 'path');
  }

  private add(a: number, b: number, by: PairedBy): boolean {
    if (!this.leftA.has(a) || !this.leftB.has(b)) return false;
    this.leftA.delete(a);
    this.leftB.delete(b);
    const why = doubtOf(by, contradictionsOf(this.a[a], this.b[b]));
    if (why) this.doubtful.push({ a, b, why });
    else this.pairs.push({ a, b, by });
    return true;
  }
}

/** Of images that aren't left, a name of each. */
function firstNames(names: readonly (readonly string[])[], left: ReadonlySet<number>): string[] {
  return names.flatMap(([name], at) => (left.has(at) || name === undefined ? [] : [name]));
}

/** Images by a key that no other of them has. */
function* uniqueBy<T>(
  images: readonly T[],
  left: ReadonlySet<number>,
  keyOf: (image: T) => string | undefined,
): Steps<Map<string, number>> {
  const found = new Map<string, number>();
  const twice = new Set<string>();
  yield* inSteps(left, at => {
    const image = images[at];
    const key = image && keyOf(image);
    if (key === undefined) return;
    if (found.has(key)) twice.add(key);
    found.set(key, at);
  });
  for (const key of twice) found.delete(key);
  return found;
}

/** An image of an archive, as far as links go by it. */
interface LinkableImage {
  id: string;
  filename: string;
  /** Pixels; 0 where they aren't known. */
  width?: number;
  height?: number;
  /** It could not be read. */
  failure?: unknown;
}

/** What is known of the texts of an image column before any object is looked at. */
export interface ImageColumnTexts {
  /** The texts, followed by the paths of analyzed images that none of them means. */
  texts: readonly string[];
  /** The image of each text, by its position. */
  images: ImageOfText[];
  /** By what the image of a text is known; undefined where it is open. */
  by: (IdentifiedBy | undefined)[];
  /** What is left to objects: texts and images that may belong together. */
  groups: NameGroup[];
  /** Texts and images that would be the same, and are of other sizes: left to a person. */
  ofOtherSizes: { text: number; image: number }[];
  /** The paths of images that were analyzed, by their positions. */
  paths: ReadonlyMap<number, string>;
  /** All images that were analyzed are known. */
  areItemsKnown: boolean;
  /** An image whose name isn't known may be another one of a name that occurs once. */
  isNameMissing: boolean;
}

/**
 * Finds which image each text of an image column means: by a person's word, by items, and by names.
 */
export function* knownTexts(
  given: readonly string[],
  images: readonly LinkableImage[],
  {
    items = [],
    byHand = [],
    sizes = [],
  }: {
    items?: readonly AnalyzedItem[];
    byHand?: readonly LinkedByHand[];
    /** The sizes that rows say their images have, by text. */
    sizes?: readonly (ImageSize | undefined)[];
  },
): Steps<ImageColumnTexts> {
  const analyzed = yield* analyzedPaths(given, items);
  const texts = [...given, ...analyzed.withoutRows];
  const named = images.map(({ id, filename }): NamedImage => {
    const path = analyzed.pathOf.get(id);
    return { id, filename: path !== undefined && isPathOf(path, filename) ? path : filename };
  });
  const isNameMissing = hasUnknownImages(images, named, texts);
  const byNames = yield* matchNames(texts, named, isNameMissing);
  const hand = linkedByHand(byHand, texts, images);
  const taken = new Set(hand.values());
  // What a person said beats what names say: what names had given to another one is free again.
  const found = byNames.images.map((image, text): ImageOfText => {
    const chosen = hand.get(text);
    if (chosen !== undefined) return chosen;
    return typeof image === 'number' && taken.has(image) ? 'ambiguous' : image;
  });
  const groups = [...byNames.groups, ...freedByHand(byNames.images, hand, texts, images)];
  const by = found.map((image, text): IdentifiedBy | undefined => {
    if (hand.has(text)) return 'hand';
    const strength = byNames.strengths[text] ?? 0;
    if (typeof image !== 'number') return undefined;
    return strength === Infinity ? 'item' : strength > 1 ? 'path' : 'name';
  });
  const ofOtherSizes: ImageColumnTexts['ofOtherSizes'] = [];
  by.forEach((way, text) => {
    const image = found[text];
    if (!way || typeof image !== 'number') return;
    const { width = 0, height = 0 } = images[image] ?? {};
    const size = knownSize({ width, height });
    if (!doubtOf(way, contradictionsOf({ size: sizes[text] }, { size }))) return;
    ofOtherSizes.push({ text, image });
    found[text] = 'ambiguous';
    by[text] = undefined;
  });
  const paths = new Map<number, string>();
  named.forEach(({ id, filename }, image) => {
    if (filename === analyzed.pathOf.get(id)) paths.set(image, filename);
  });
  return {
    texts,
    images: found,
    by,
    ofOtherSizes,
    groups: groups.map(group => ({
      ...group,
      texts: group.texts.filter(text => !hand.has(text)),
      images: group.images.filter(image => !taken.has(image)),
    })),
    paths,
    areItemsKnown: analyzed.areKnown,
    isNameMissing,
  };
}

/** What the analyzed images add to the texts of a table. */
interface AnalyzedPaths {
  areKnown: boolean;
  pathOf: ReadonlyMap<string, string>;
  /** Paths of items that no row names. */
  withoutRows: string[];
}

/**
 * The items are only of use where their paths are those that the table has: it may call folders
 * otherwise.
 */
function* analyzedPaths(texts: readonly string[], items: readonly AnalyzedItem[]): Steps<AnalyzedPaths> {
  const index = yield* ImageCatalog.of(texts);
  const ofText = yield* ImageCatalog.of(items.map(({ id, path }) => ({ id, filename: path })));
  const strengths = yield* mapInSteps(items, ({ path }) =>
    path === '' ? 0 : index.candidates(path).strength,
  );
  const fits = strengths.map(strength => strength > 0);
  const isNamed = items.every(({ path }) => path !== '');
  const haveFolders = items.some(({ path }, at) => pathParts(path).length > 1 && (strengths[at] ?? 0) > 1);
  const known = yield* mapInSteps(texts, text => text.trim() === '' || ofText.candidates(text).strength > 0);
  const areTextsKnown = !known.includes(false);
  const areKnown = isNamed && haveFolders && areTextsKnown;
  if (!areKnown) return { areKnown, pathOf: new Map(), withoutRows: [] };
  return {
    areKnown,
    pathOf: new Map(items.map(({ id, path }) => [id, path])),
    withoutRows: items.flatMap(({ path }, at) => (fits[at] ? [] : [path])),
  };
}

/**
 * Whether the name of an image in the archive can be that of a path: the archive has no name for
 * one that is damaged.
 */
function isPathOf(path: string, filename: string): boolean {
  const parts = pathParts(path);
  const others = pathParts(filename);
  return parts.at(-1) === others.at(-1) || filename.endsWith('_objects.json') || filename === '';
}

/**
 * Whether an image that could not be read, and whose name isn't known, may be another one of a name
 * that occurs once. Where as many names of the table have no image at all, those are the ones that
 * are missing.
 */
function hasUnknownImages(
  images: readonly LinkableImage[],
  named: readonly NamedImage[],
  texts: readonly string[],
): boolean {
  const unknown = images.filter(
    ({ failure, filename }, at) =>
      failure !== undefined && filename.endsWith('_objects.json') && named[at]?.filename === filename,
  );
  if (unknown.length === 0) return false;
  const names = new Set(named.map(({ filename }) => pathParts(filename).at(-1)));
  const ids = new Set(named.map(({ id }) => id));
  const lost = new Set(
    texts
      .map(text => text.trim())
      .filter(text => text !== '' && !names.has(pathParts(text).at(-1)) && !ids.has(text)),
  );
  return lost.size < unknown.length;
}

/** The links by hand that are still about images and texts that are there: text to image. */
function linkedByHand(
  byHand: readonly LinkedByHand[],
  texts: readonly string[],
  images: readonly LinkableImage[],
): Map<number, number> {
  if (byHand.length === 0) return new Map();
  const imageOfId = new Map(images.map(({ id }, at) => [id, at]));
  const textOf = new Map(texts.map((text, at) => [text, at]));
  const links = new Map<number, number>();
  for (const { image: id, path } of byHand) {
    const image = imageOfId.get(id);
    const text = textOf.get(path);
    if (image !== undefined && text !== undefined) links.set(text, image);
  }
  return links;
}

/**
 * Texts and images that names had linked and a person parted, by name: what their objects say
 * counts, as for all that is open.
 */
function freedByHand(
  found: readonly ImageOfText[],
  hand: ReadonlyMap<number, number>,
  texts: readonly string[],
  images: readonly LinkableImage[],
): NameGroup[] {
  const taken = new Set(hand.values());
  const byName = new Map<string, { texts: number[]; images: number[] }>();
  const groupOf = (path: string) => {
    const name = pathParts(path.trim()).at(-1) ?? '';
    const group = byName.get(name) ?? { texts: [], images: [] };
    byName.set(name, group);
    return group;
  };
  found.forEach((image, text) => {
    if (typeof image !== 'number' || hand.get(text) === image) return;
    const isTaken = taken.has(image);
    if (isTaken && !hand.has(text)) groupOf(texts[text] ?? '').texts.push(text);
    else if (!isTaken && hand.has(text)) groupOf(images[image]?.filename ?? '').images.push(image);
  });
  return [...byName.values()].map(group => {
    const all = new Set(group.images);
    return { ...group, candidates: new Map(group.texts.map(text => [text, all])) };
  });
}
