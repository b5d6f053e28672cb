import { commonSuffix, pathParts } from '../base/pathParts';
import { finish, inSteps, mapInSteps, type Steps } from '../base/steps';
import { endsOf, MAX_COMPARED_PARTS, stemOf } from './imageNames';

/*
 * Finds the image that a text means, by IDs and names: for tables, sheets, programs, label files,
 * other results and files of the workspace. For rules and reasons see docs/measurements.md,
 * "Identity".
 */

export interface NamedImage {
  id: string;
  /** File name, perhaps with folders before it. */
  filename: string;
  /** Its other names. */
  others?: readonly string[];
}

/** The image that a text of an image column means, or why there is none. */
export type ImageOfText = number | 'none' | 'ambiguous';

/** Texts and images that names alone don't distinguish, by their positions. */
export interface NameGroup {
  texts: number[];
  images: number[];
  /** The possible images of each text. */
  candidates: ReadonlyMap<number, ReadonlySet<number>>;
}

/**
 * Matches by names: the image of each text if it is certain, and open groups for other evidence.
 */
interface NameMatches {
  images: ImageOfText[];
  /** How well a text fits its image; see Candidates. */
  strengths: number[];
  groups: NameGroup[];
}

/**
 * The images that a text fits best, and how well: Infinity by ID, else the number of equal path
 * parts.
 */
export interface Candidates {
  /** Shared by texts that fit the same images. */
  images: readonly number[];
  strength: number;
  /** The parts of the text that fits. */
  parts: readonly string[];
}

const NO_CANDIDATES: Candidates = { images: [], strength: 0, parts: [] };

/** Share of repeated names from which names don't distinguish images, as on plates. */
const MIN_REPEATED = 0.1;

/**
 * Finds the images that the texts of an image column mean; see ImageCatalog. In steps, as thousands
 * take tens of milliseconds.
 */
export function* matchImages(
  texts: readonly string[],
  images: readonly (NamedImage | string)[],
): Steps<ImageOfText[]> {
  // Without texts or images, nothing is indexed.
  if (texts.length === 0 || images.length === 0) return texts.map(() => 'none');
  const catalog = yield* ImageCatalog.of(images, yield* lengthsOf(texts));
  return yield* catalog.decideInSteps(yield* catalog.candidatesInSteps(texts));
}

function* lengthsOf(texts: readonly string[]): Steps<Set<number>> {
  return new Set(yield* mapInSteps(texts, text => pathParts(text.trim()).length));
}

const asWritten = (path: string) => path;

/**
 * How people and tools write image names, and the part of an image's name to compare; each way is
 * tried if none before fits.
 */
const SPELLINGS = [asWritten, (path: string) => path.toLowerCase()].flatMap(
  (spelled): [text: (path: string) => string, image: (path: string) => string][] => [
    [spelled, spelled],
    // The text after the last dot may belong to a name without extension.
    [spelled, path => stemOf(spelled(path))],
    [path => stemOf(spelled(path)), path => stemOf(spelled(path))],
  ],
);

/**
 * As matchImages, for names that people and tools wrote: with any extension or none, and regardless
 * of case. An image with a better matching text is no candidate for others. Several texts that
 * match one image equally well all get it, so that their values can be compared.
 */
export function matchWrittenNames(texts: readonly string[], paths: readonly string[]): ImageOfText[] {
  return finish(matchWrittenNamesInSteps(texts, paths));
}

/** The same in steps. */
export function* matchWrittenNamesInSteps(
  texts: readonly string[],
  paths: readonly string[],
): Steps<ImageOfText[]> {
  const matches = texts.map((): ImageOfText => 'none');
  const decidedImages = new Set<number>();
  const doubtfulImages = new Set<number>();
  // A text that has no name in common with any image, as most cells of sheets, isn't compared.
  const plainName = (path: string) => pathParts(path.trim().toLowerCase()).at(-1) ?? '';
  const names = new Set<string>();
  yield* inSteps(paths, path => names.add(plainName(path)).add(stemOf(plainName(path))));
  let undecided: number[] = [];
  yield* inSteps(texts, (text, index) => {
    const name = plainName(text);
    if (names.has(name) || names.has(stemOf(name))) undecided.push(index);
  });
  for (const [spellText, spellImage] of SPELLINGS) {
    if (undecided.length === 0) break;
    const written = yield* mapInSteps(undecided, text => spellText(texts[text] ?? ''));
    const catalog = yield* ImageCatalog.of(yield* mapInSteps(paths, spellImage), yield* lengthsOf(written));
    const textCandidates = yield* catalog.candidatesInSteps(written);
    const openCandidates = new Set<readonly number[]>();
    const allTexts = yield* mapInSteps(texts, text => pathParts(spellText(text).trim()));
    const decided = yield* catalog.decideInSteps(textCandidates, { mayTie: true, texts: allTexts });
    decided.forEach((image, index) => {
      const text = undecided[index] ?? -1;
      const candidates = typeof image === 'number' ? [image] : (textCandidates[index]?.images ?? []);
      if (candidates.length > 0 && candidates.every(candidate => decidedImages.has(candidate))) return;
      // If an image is open for a text that fits better, it isn't certain for one that fits less.
      matches[text] = typeof image === 'number' && doubtfulImages.has(image) ? 'ambiguous' : image;
      if (image === 'ambiguous') openCandidates.add(candidates);
    });
    for (const images of openCandidates) for (const image of images) doubtfulImages.add(image);
    for (const image of matches) if (typeof image === 'number') decidedImages.add(image);
    undecided = undecided.filter(text => matches[text] === 'none');
  }
  return matches;
}

/** The file that may be the background image of an image, and the evidence for it. */
type BackgroundImageMatch =
  /** One path, of at least two parts, is the end of the other. */
  | { by: 'path'; index: number }
  /** The only file of that name, or the one whose path matches longest before a folder differs. */
  | { by: 'name'; index: number }
  | { by: 'ambiguous'; count: number }
  | { by: 'none' };

/**
 * Finds the background image of an image among files (paths with / or \\), by its name and by its
 * path in the objects table, its `origin`. If a folder differs, it is only a suggestion: all plates
 * have the same names of wells.
 */
export function matchBackgroundImage(
  { filename, origin }: { filename: string; origin?: string },
  paths: readonly string[],
): BackgroundImageMatch {
  const catalog = new ImageCatalog(paths);
  const nameCandidates = [filename, ...(origin === undefined ? [] : [origin])].map(name =>
    catalog.candidates(name),
  );
  const maxStrength = Math.max(...nameCandidates.map(({ strength }) => strength));
  const files = paths.map(pathParts);
  const lengths = files.map(file =>
    Math.max(...nameCandidates.map(({ parts }) => commonSuffix(parts, file))),
  );
  const longest = Math.max(0, ...lengths);
  if (longest === 0) return { by: 'none' };
  const byPath =
    maxStrength > 1 ? nameCandidates.find(({ strength }) => strength === maxStrength) : undefined;
  const fitting = byPath?.images ?? lengths.flatMap((length, index) => (length === longest ? [index] : []));
  const [index = 0] = fitting;
  if (fitting.length > 1) return { by: 'ambiguous', count: fitting.length };
  // As in any other list: ends of paths that occur again don't distinguish images.
  const isCertain = byPath && typeof catalog.decide([byPath])[0] === 'number';
  return { by: isCertain ? 'path' : 'name', index };
}

/** The images that several names of one fit best, together. */
function candidatesOf(catalog: ImageCatalog, names: readonly string[]): Candidates {
  const nameCandidates = names.map(name => catalog.candidates(name));
  const strength = Math.max(0, ...nameCandidates.map(candidates => candidates.strength));
  const best = nameCandidates.filter(candidates => candidates.strength === strength);
  const [first = NO_CANDIDATES] = best;
  if (best.every(({ images }) => images === first.images)) return first;
  return { ...first, images: [...new Set(best.flatMap(({ images }) => images))] };
}

/**
 * Pairs each image of A with one of B by their possible names; no image of B is used twice.
 * `besides`: names of images in both lists that are already paired, as all names decide together.
 */
export function* pairNames(
  a: readonly (readonly string[])[],
  b: readonly (readonly string[])[],
  besides: { a: readonly string[]; b: readonly string[] },
): Steps<ImageOfText[]> {
  const named = b.map(([filename = '', ...others]) => ({ id: '', filename, others }));
  const lengths = new Set<number>();
  yield* inSteps(a, names => names.forEach(name => lengths.add(pathParts(name).length)));
  const catalog = yield* ImageCatalog.of(named, lengths);
  const candidatesOfA = yield* mapInSteps(a, names => candidatesOf(catalog, names));
  const texts = [...candidatesOfA.map(({ parts }) => parts), ...(yield* mapInSteps(besides.a, pathParts))];
  const images = [...catalog.paths, ...(yield* mapInSteps(besides.b, pathParts))];
  return yield* catalog.decideInSteps(candidatesOfA, { texts, images });
}

/** As matchImages, but returns groups where names leave several possibilities. */
export function* matchNames(
  texts: readonly string[],
  images: readonly NamedImage[],
  isNameMissing = false,
): Steps<NameMatches> {
  const catalog = yield* ImageCatalog.of(images);
  const textCandidates = yield* catalog.candidatesInSteps(texts);
  const decided = yield* catalog.decideInSteps(textCandidates, { isNameMissing });
  const decidedImages = new Set(decided);
  const sets = new Map<readonly number[], ReadonlySet<number>>();
  const candidates = new Map<number, ReadonlySet<number>>();
  decided.forEach((image, text) => {
    if (image !== 'ambiguous') return;
    const textImages = textCandidates[text]?.images ?? [];
    // A text that fits one image less well than another text does is no candidate for it.
    const freeImages = sets.get(textImages) ?? new Set(textImages.filter(image => !decidedImages.has(image)));
    sets.set(textImages, freeImages);
    if (freeImages.size > 0) candidates.set(text, freeImages);
  });
  return {
    images: decided,
    strengths: textCandidates.map(({ strength }) => strength),
    groups: connectedGroups(candidates),
  };
}

/**
 * The images of a result by all of their names. Images are added, and texts looked up, one by one,
 * so that tens of thousands can be done in steps; then all texts of a list are decided together.
 */
export class ImageCatalog {
  /** The path of each image, in parts. */
  readonly paths: (readonly string[])[] = [];
  private readonly byId = new Map<string, number[]>();
  /** By whole path, and by each end of it. */
  private readonly byPath = new Map<string, number[]>();
  private readonly byEnd = new Map<string, number[]>();

  /**
   * `lengths`: numbers of parts in the paths of texts; absent for any. Each end of a path takes
   * time.
   */
  constructor(
    images: Iterable<NamedImage | string> = [],
    private readonly lengths?: ReadonlySet<number>,
  ) {
    for (const image of images) this.add(image);
  }

  static *of(images: readonly (NamedImage | string)[], lengths?: ReadonlySet<number>): Steps<ImageCatalog> {
    const catalog = new ImageCatalog([], lengths);
    yield* inSteps(images, image => catalog.add(image));
    return catalog;
  }

  add(named: NamedImage | string): void {
    const { id, filename, others = [] } = typeof named === 'string' ? { id: '', filename: named } : named;
    const image = this.paths.length;
    if (id !== '') append(this.byId, id, image);
    const parts = pathParts(filename.trim());
    this.paths.push(parts);
    this.addPath(parts, image);
    for (const other of others) this.addPath(pathParts(other.trim()), image);
  }

  private addPath(parts: readonly string[], image: number): void {
    const ends = endsOf(parts);
    append(this.byPath, ends.at(-1) ?? '', image);
    ends.forEach((end, index) => {
      // A path of more parts than are compared is found as a whole.
      const isWanted = !this.lengths || this.lengths.has(index + 1) || index >= MAX_COMPARED_PARTS;
      if (isWanted) append(this.byEnd, end, image);
    });
  }

  /**
   * Candidates of a text: the image with that ID, else images whose path ends with it, else those
   * whose paths are its longest end.
   */
  candidates(text: string): Candidates {
    const trimmed = text.trim();
    const parts = pathParts(trimmed);
    const ids = this.byId.size === 0 ? undefined : this.byId.get(trimmed);
    if (ids !== undefined) return { images: ids, strength: Infinity, parts };
    const longer = this.byEnd.get(parts.join('/'));
    if (longer !== undefined && parts.length > 0)
      return { images: longer, strength: Math.min(parts.length, MAX_COMPARED_PARTS + 1), parts };
    const ends = endsOf(parts);
    for (let length = ends.length - 1; length > 0; length--) {
      const shorter = this.byPath.get(ends[length - 1] ?? '');
      if (shorter !== undefined) return { images: shorter, strength: length, parts };
    }
    return { images: [], strength: 0, parts };
  }

  *candidatesInSteps(texts: readonly string[]): Steps<Candidates[]> {
    return yield* mapInSteps(texts, text => this.candidates(text));
  }

  /**
   * Decides all texts of a list together. Of several texts for one image, only the strictly best
   * fit is used, or all best ones with `mayTie`. Ends of paths aren't certain if they repeat
   * elsewhere, nor with `isNameMissing`: the right image may be missing. IDs are certain, and whole
   * paths too, unless folders are missing in one list.
   */
  decide(textCandidates: readonly Candidates[], options: DecideOptions = {}): ImageOfText[] {
    return finish(this.decideInSteps(textCandidates, options));
  }

  *decideInSteps(
    textCandidates: readonly Candidates[],
    {
      isNameMissing = false,
      mayTie = false,
      texts = textCandidates.map(({ parts }) => parts),
      images = this.paths,
    }: DecideOptions = {},
  ): Steps<ImageOfText[]> {
    const { decided, counts } = this.bestMatches(textCandidates, mayTie);
    yield;
    const repeating = new Map<number, boolean>();
    for (const count of this.countsToJudge(textCandidates, decided))
      repeating.set(count, yield* doEndsRepeat([images, texts], count, mayTie));
    const repeats = (count: number): boolean => repeating.get(count) ?? false;
    const mostParts = (paths: readonly (readonly string[])[]) =>
      paths.reduce((maxParts, parts) => Math.max(maxParts, parts.length), 0);
    const depths = [images, texts].map(mostParts);
    const decidedImages = new Set<number>();
    yield* inSteps(decided, (image, text) => {
      const { strength, parts } = textCandidates[text] ?? NO_CANDIDATES;
      if (typeof image !== 'number') return;
      const isWhole =
        strength > MAX_COMPARED_PARTS || strength === Math.max(parts.length, this.paths[image]?.length ?? 0);
      const isAlone = counts[image] === 1;
      const isOfOneKind = depths.every(depth => depth > strength) || depths.every(depth => depth <= strength);
      const isCertain =
        strength === Infinity ||
        (isWhole && isAlone && (isOfOneKind || !repeats(strength))) ||
        (!isNameMissing && !repeats(strength));
      if (isCertain) decidedImages.add(image);
      else decided[text] = 'ambiguous';
    });
    yield* this.decideWholePaths(textCandidates, decided, decidedImages);
    return decided;
  }

  /** Numbers of parts by which texts match their images, to check whether such ends repeat. */
  private countsToJudge(textCandidates: readonly Candidates[], decided: readonly ImageOfText[]): Set<number> {
    const counts = new Set<number>();
    textCandidates.forEach(({ strength }, text) => {
      if (typeof decided[text] === 'number' && strength < Infinity) counts.add(strength);
    });
    return counts;
  }

  private bestMatches(textCandidates: readonly Candidates[], mayTie: boolean) {
    const best = new Float64Array(this.paths.length);
    const counts = new Uint32Array(this.paths.length);
    for (const { images, strength } of textCandidates) {
      const [image] = images;
      if (image === undefined || images.length > 1) continue;
      if (strength > (best[image] ?? 0)) {
        best[image] = strength;
        counts[image] = 1;
      } else if (strength === best[image]) counts[image] = (counts[image] ?? 0) + 1;
    }
    const decided = textCandidates.map(({ images, strength }): ImageOfText => {
      const [image] = images;
      if (image === undefined) return 'none';
      const isBest = images.length === 1 && strength === best[image];
      return isBest && (mayTie || counts[image] === 1) ? image : 'ambiguous';
    });
    return { decided, counts };
  }

  /** Decides texts that are whole paths. The longest come first: shorter ones may be their ends. */
  private *decideWholePaths(
    textCandidates: readonly Candidates[],
    decided: ImageOfText[],
    decidedImages: Set<number>,
  ): Steps<void> {
    const texts = new Map<string, number[]>();
    yield* inSteps(textCandidates, ({ images, strength, parts }, text) => {
      const isOpen = decided[text] === 'ambiguous' && images.length > 1 && strength < Infinity;
      const path = isOpen ? parts.join('/') : '';
      if (isOpen && this.byPath.get(path)?.length === 1) append(texts, path, text);
    });
    const lists = [...texts.entries()]
      .map(([path, pathTexts]) => ({
        pathTexts,
        image: this.byPath.get(path)?.[0] ?? -1,
        ...textCandidates[pathTexts[0] ?? -1],
      }))
      .sort((a, b) => (b.parts?.length ?? 0) - (a.parts?.length ?? 0));
    for (const { pathTexts, image, images = [] } of lists) {
      const [text = -1] = pathTexts;
      if (pathTexts.length > 1 || decidedImages.has(image)) continue;
      if (!images.every(candidate => candidate === image || decidedImages.has(candidate))) continue;
      decided[text] = image;
      decidedImages.add(image);
    }
  }
}

/**
 * Whether ends of this many parts repeat among texts or images, so that they don't distinguish
 * images. Equal whole paths are of several images, unless only the way of comparing makes them
 * equal (`areAlike`).
 */
function* doEndsRepeat(
  lists: readonly (readonly (readonly string[])[])[],
  count: number,
  areAlike: boolean,
): Steps<boolean> {
  const [ends, repeated] = [new Set<string>(), new Set<string>()];
  for (const paths of lists) {
    const earlierEnds = new Set<string>();
    const wholePaths = new Set<string>();
    yield* inSteps(paths, parts => {
      if (parts.length < count) return;
      if (areAlike && wholePaths.size === wholePaths.add(parts.join('/')).size) return;
      const end = parts.slice(-count).join('/');
      if (earlierEnds.has(end)) repeated.add(end);
      earlierEnds.add(end);
      ends.add(end);
    });
  }
  return repeated.size > 0 && repeated.size >= MIN_REPEATED * ends.size;
}

interface DecideOptions {
  isNameMissing?: boolean;
  mayTie?: boolean;
  /** Paths of all texts and images, in parts, where these are more than those to decide. */
  texts?: readonly (readonly string[])[];
  images?: readonly (readonly string[])[];
}

/** Groups of texts and images that are connected by candidates. */
function connectedGroups(candidates: ReadonlyMap<number, ReadonlySet<number>>): NameGroup[] {
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
      const otherRoot = rootOf(other);
      if (otherRoot !== root) parents.set(otherRoot, root);
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

function append(map: Map<string, number[]>, key: string, value: number): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
