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
 * Identifies images by evidence, strongest first: a user's link, the item at the service, the hash
 * of the file, then names (imageCatalog.ts). Among equal names, objects decide (src/linking).
 * Weaker evidence isn't certain against stronger evidence, and only a user links images of
 * different sizes. See docs/measurements.md, "Identity".
 */

/**
 * Kinds of evidence. `path` has a folder, `name` has none; the kinds after them distinguish images
 * of one name.
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

/** Evidence as shown to a user, with the number of objects that were compared. */
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
  /** SHA-256 of the file, hexadecimal, if it was uploaded from here. */
  sha256?: string;
}

/** A user's link: an image of the masks, by its ID, and a path in the table. */
export interface LinkedByHand {
  image: string;
  path: string;
}

/**
 * Stores a user's links of images with the result, and how images were linked at the last visit.
 */
export interface StoredImageLinks {
  byHand(): Promise<LinkedByHand[]>;
  setByHand(links: readonly LinkedByHand[]): Promise<void>;
  /** A digest of the last links of images of one name; undefined before any. */
  last(): Promise<string | undefined>;
  setLast(digest: string): Promise<void>;
}

/** Facts that can show that two images differ. */
interface ImageFacts {
  /** SHA-256 of the analyzed file, hexadecimal. */
  sha256?: string;
  /** Undefined where it isn't known. */
  size?: ImageSize | undefined;
}

/** Reasons why two images may differ. */
interface Contradictions {
  isOtherSize?: boolean;
  isOtherFile?: boolean;
  /** The right image may be in no list, so that a name without a folder isn't certain. */
  mayBeElsewhere?: boolean;
}

/** Why two images aren't certainly the same: their sizes, their files, or their names alone. */
type Doubt = 'size' | 'hash' | 'name';

/**
 * Why two images that evidence pairs may differ; undefined if they certainly are the same. A user's
 * link beats all; sizes can only contradict.
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

/** Facts that are known of both images and differ. */
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

/** Facts about an image on either side of a pair. */
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

/** Images that evidence pairs and facts contradict; a user decides. */
export interface DoubtfulImages {
  a: number;
  b: number;
  why: Doubt;
}

/** Doubtful pairs that a user may accept all at once: others can't be compared. */
export function ofOtherFiles(doubtful: readonly DoubtfulImages[]): DoubtfulImages[] {
  return doubtful.filter(({ why }) => why !== 'size');
}

/** Evidence that pairs images of two lists. */
export type PairedBy = Extract<IdentifiedBy, 'hand' | 'item' | 'hash' | 'path'>;

/**
 * Pairs images of two lists, step by step from the strongest evidence on; each step looks only at
 * images that are left.
 */
export class ImagePairs<T extends ImageFacts> {
  readonly pairs: SameImages[] = [];
  readonly doubtful: DoubtfulImages[] = [];
  /** Some names match several images. */
  isOpen = false;
  private readonly remainingA: Set<number>;
  private readonly remainingB: Set<number>;
  /** Images of A that the user left without a partner. */
  private readonly leftUnpaired: number[] = [];

  constructor(
    private readonly a: readonly T[],
    private readonly b: readonly T[],
  ) {
    this.remainingA = new Set(a.keys());
    this.remainingB = new Set(b.keys());
  }

  /** Images without a partner, ascending. */
  get unpairedA(): number[] {
    const doubtful = this.doubtful.map(({ a }) => a);
    return [...this.remainingA, ...this.leftUnpaired, ...doubtful].sort((a, b) => a - b);
  }

  get unpairedB(): number[] {
    return [...this.remainingB, ...this.doubtful.map(({ b }) => b)].sort((a, b) => a - b);
  }

  /**
   * Applies a user's links, by keys of images; without `b`, an image of A gets no partner. Returns
   * the positions of the links that apply: the others name absent or already paired images.
   */
  *byHand(links: readonly { a: string; b?: string }[], keyOf: (image: T) => string): Steps<number[]> {
    if (links.length === 0) return [];
    const positionsOfA = yield* uniqueBy(this.a, this.remainingA, keyOf);
    const positionsOfB = yield* uniqueBy(this.b, this.remainingB, keyOf);
    return [...links.keys()].filter(index => {
      const { a: keyA, b: keyB } = links[index] ?? { a: '' };
      const a = positionsOfA.get(keyA);
      if (a === undefined || !this.remainingA.has(a)) return false;
      if (keyB !== undefined) return this.add(a, positionsOfB.get(keyB) ?? -1, 'hand');
      this.remainingA.delete(a);
      this.leftUnpaired.push(a);
      return true;
    });
  }

  /** Pairs images by a key that is unique in both lists. */
  *byKey(by: 'item' | 'hash', keyOf: (image: T) => string | undefined): Steps<void> {
    const positionsOfB = yield* uniqueBy(this.b, this.remainingB, keyOf);
    for (const [key, a] of yield* uniqueBy(this.a, this.remainingA, keyOf)) {
      const b = positionsOfB.get(key);
      if (b !== undefined) this.add(a, b, by);
    }
  }

  /**
   * Pairs images by their possible names. With `isWanted`, pairs nothing unless it accepts all
   * pairs.
   */
  *byNames(
    namesOfA: readonly (readonly string[])[],
    namesOfB: readonly (readonly string[])[],
    isWanted: (pairs: readonly Pick<SameImages, 'a' | 'b'>[]) => boolean = () => true,
  ): Steps<void> {
    const [imagesOfA, imagesOfB] = [[...this.remainingA], [...this.remainingB]];
    const matches = yield* pairNames(
      imagesOfA.map(index => namesOfA[index] ?? []),
      imagesOfB.map(index => namesOfB[index] ?? []),
      { a: firstNames(namesOfA, this.remainingA), b: firstNames(namesOfB, this.remainingB) },
    );
    this.isOpen ||= matches.includes('ambiguous');
    const pairs = matches.flatMap((match, index) =>
      typeof match === 'number' ? [{ a: imagesOfA[index] ?? -1, b: imagesOfB[match] ?? -1 }] : [],
    );
    if (isWanted(pairs)) for (const { a, b } of pairs) this.add(a, b, 'path');
  }

  private add(a: number, b: number, by: PairedBy): boolean {
    if (!this.remainingA.has(a) || !this.remainingB.has(b)) return false;
    this.remainingA.delete(a);
    this.remainingB.delete(b);
    const why = doubtOf(by, contradictionsOf(this.a[a], this.b[b]));
    if (why) this.doubtful.push({ a, b, why });
    else this.pairs.push({ a, b, by });
    return true;
  }
}

/** The first name of each image that is already paired. */
function firstNames(names: readonly (readonly string[])[], remaining: ReadonlySet<number>): string[] {
  return names.flatMap(([name], index) => (remaining.has(index) || name === undefined ? [] : [name]));
}

/** Images by a key that no other of them has. */
function* uniqueBy<T>(
  images: readonly T[],
  remaining: ReadonlySet<number>,
  keyOf: (image: T) => string | undefined,
): Steps<Map<string, number>> {
  const positions = new Map<string, number>();
  const duplicates = new Set<string>();
  yield* inSteps(remaining, index => {
    const image = images[index];
    const key = image && keyOf(image);
    if (key === undefined) return;
    if (positions.has(key)) duplicates.add(key);
    positions.set(key, index);
  });
  for (const key of duplicates) positions.delete(key);
  return positions;
}

/** The facts about an image of an archive that links use. */
interface LinkableImage {
  id: string;
  filename: string;
  /** Pixels; 0 where they aren't known. */
  width?: number;
  height?: number;
  /** It could not be read. */
  failure?: unknown;
}

/** The images of an image column's texts, before any objects are compared. */
interface ImageColumnTexts {
  /** The texts, followed by the paths of analyzed images that no text names. */
  texts: readonly string[];
  /** The image of each text, by its position. */
  images: ImageOfText[];
  /** The evidence for the image of each text; undefined where it is open. */
  by: (IdentifiedBy | undefined)[];
  /** Texts and images that may belong together; their objects decide. */
  groups: NameGroup[];
  /** Texts and images that match except in size; a user decides. */
  ofOtherSizes: { text: number; image: number }[];
  /** The paths of images that were analyzed, by their positions. */
  paths: ReadonlyMap<number, string>;
  /** All images that were analyzed are known. */
  areItemsKnown: boolean;
  /** An image without a known name may share a name that occurs once. */
  isNameMissing: boolean;
}

/** Finds the image of each text of an image column: by the user's links, by items, and by names. */
export function* resolveTexts(
  tableTexts: readonly string[],
  images: readonly LinkableImage[],
  {
    items = [],
    byHand = [],
    sizes = [],
  }: {
    items?: readonly AnalyzedItem[];
    byHand?: readonly LinkedByHand[];
    /** Sizes of images in the rows of the table, by text. */
    sizes?: readonly (ImageSize | undefined)[];
  },
): Steps<ImageColumnTexts> {
  const analyzed = yield* analyzedPaths(tableTexts, items);
  const texts = [...tableTexts, ...analyzed.withoutRows];
  const named = images.map(({ id, filename }): NamedImage => {
    const path = analyzed.pathOf.get(id);
    return { id, filename: path !== undefined && isPathOf(path, filename) ? path : filename };
  });
  const isNameMissing = hasUnknownImages(images, named, texts);
  const byNames = yield* matchNames(texts, named, isNameMissing);
  const imageByHand = linkedByHand(byHand, texts, images);
  const imagesOfUser = new Set(imageByHand.values());
  // A user's links beat names: images that names gave to other texts are free again.
  const linked = byNames.images.map((image, text): ImageOfText => {
    const imageOfLink = imageByHand.get(text);
    if (imageOfLink !== undefined) return imageOfLink;
    return typeof image === 'number' && imagesOfUser.has(image) ? 'ambiguous' : image;
  });
  const groups = [...byNames.groups, ...freedByHand(byNames.images, imageByHand, texts, images)];
  const by = linked.map((image, text): IdentifiedBy | undefined => {
    if (imageByHand.has(text)) return 'hand';
    const strength = byNames.strengths[text] ?? 0;
    if (typeof image !== 'number') return undefined;
    return strength === Infinity ? 'item' : strength > 1 ? 'path' : 'name';
  });
  const ofOtherSizes: ImageColumnTexts['ofOtherSizes'] = [];
  by.forEach((evidence, text) => {
    const image = linked[text];
    if (!evidence || typeof image !== 'number') return;
    const { width = 0, height = 0 } = images[image] ?? {};
    const size = knownSize({ width, height });
    if (!doubtOf(evidence, contradictionsOf({ size: sizes[text] }, { size }))) return;
    ofOtherSizes.push({ text, image });
    linked[text] = 'ambiguous';
    by[text] = undefined;
  });
  const paths = new Map<number, string>();
  named.forEach(({ id, filename }, image) => {
    if (filename === analyzed.pathOf.get(id)) paths.set(image, filename);
  });
  return {
    texts,
    images: linked,
    by,
    ofOtherSizes,
    groups: groups.map(group => ({
      ...group,
      texts: group.texts.filter(text => !imageByHand.has(text)),
      images: group.images.filter(image => !imagesOfUser.has(image)),
    })),
    paths,
    areItemsKnown: analyzed.areKnown,
    isNameMissing,
  };
}

/** The paths that analyzed images add to the texts of a table. */
interface AnalyzedPaths {
  areKnown: boolean;
  pathOf: ReadonlyMap<string, string>;
  /** Paths of items that no row names. */
  withoutRows: string[];
}

/** Items only help if their paths are those of the table: it may name folders differently. */
function* analyzedPaths(texts: readonly string[], items: readonly AnalyzedItem[]): Steps<AnalyzedPaths> {
  const textCatalog = yield* ImageCatalog.of(texts);
  const itemCatalog = yield* ImageCatalog.of(items.map(({ id, path }) => ({ id, filename: path })));
  const strengths = yield* mapInSteps(items, ({ path }) =>
    path === '' ? 0 : textCatalog.candidates(path).strength,
  );
  const fits = strengths.map(strength => strength > 0);
  const isNamed = items.every(({ path }) => path !== '');
  const haveFolders = items.some(
    ({ path }, index) => pathParts(path).length > 1 && (strengths[index] ?? 0) > 1,
  );
  const isTextKnown = yield* mapInSteps(
    texts,
    text => text.trim() === '' || itemCatalog.candidates(text).strength > 0,
  );
  const areTextsKnown = !isTextKnown.includes(false);
  const areKnown = isNamed && haveFolders && areTextsKnown;
  if (!areKnown) return { areKnown, pathOf: new Map(), withoutRows: [] };
  return {
    areKnown,
    pathOf: new Map(items.map(({ id, path }) => [id, path])),
    withoutRows: items.flatMap(({ path }, index) => (fits[index] ? [] : [path])),
  };
}

/** Whether an image in the archive may have this path; a damaged image has no name there. */
function isPathOf(path: string, filename: string): boolean {
  const parts = pathParts(path);
  const filenameParts = pathParts(filename);
  return parts.at(-1) === filenameParts.at(-1) || filename.endsWith('_objects.json') || filename === '';
}

/**
 * Whether an unreadable image of unknown name may share a name that occurs once. It can't if as
 * many names of the table have no image: those are the missing ones.
 */
function hasUnknownImages(
  images: readonly LinkableImage[],
  named: readonly NamedImage[],
  texts: readonly string[],
): boolean {
  const unknown = images.filter(
    ({ failure, filename }, index) =>
      failure !== undefined && filename.endsWith('_objects.json') && named[index]?.filename === filename,
  );
  if (unknown.length === 0) return false;
  const names = new Set(named.map(({ filename }) => pathParts(filename).at(-1)));
  const ids = new Set(named.map(({ id }) => id));
  const unmatchedNames = new Set(
    texts
      .map(text => text.trim())
      .filter(text => text !== '' && !names.has(pathParts(text).at(-1)) && !ids.has(text)),
  );
  return unmatchedNames.size < unknown.length;
}

/** The links by hand whose text and image still exist: text to image. */
function linkedByHand(
  byHand: readonly LinkedByHand[],
  texts: readonly string[],
  images: readonly LinkableImage[],
): Map<number, number> {
  if (byHand.length === 0) return new Map();
  const imageOfId = new Map(images.map(({ id }, index) => [id, index]));
  const textOf = new Map(texts.map((text, index) => [text, index]));
  const links = new Map<number, number>();
  for (const { image: id, path } of byHand) {
    const image = imageOfId.get(id);
    const text = textOf.get(path);
    if (image !== undefined && text !== undefined) links.set(text, image);
  }
  return links;
}

/** Texts and images that names linked and a user separated, by name; their objects decide. */
function freedByHand(
  byNames: readonly ImageOfText[],
  imageByHand: ReadonlyMap<number, number>,
  texts: readonly string[],
  images: readonly LinkableImage[],
): NameGroup[] {
  const imagesOfUser = new Set(imageByHand.values());
  const byName = new Map<string, { texts: number[]; images: number[] }>();
  const groupOf = (path: string) => {
    const name = pathParts(path.trim()).at(-1) ?? '';
    const group = byName.get(name) ?? { texts: [], images: [] };
    byName.set(name, group);
    return group;
  };
  byNames.forEach((image, text) => {
    if (typeof image !== 'number' || imageByHand.get(text) === image) return;
    const isOfUser = imagesOfUser.has(image);
    if (isOfUser && !imageByHand.has(text)) groupOf(texts[text] ?? '').texts.push(text);
    else if (!isOfUser && imageByHand.has(text)) groupOf(images[image]?.filename ?? '').images.push(image);
  });
  return [...byName.values()].map(group => {
    const candidates = new Set(group.images);
    return { ...group, candidates: new Map(group.texts.map(text => [text, candidates])) };
  });
}
