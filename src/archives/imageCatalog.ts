import { commonSuffix, pathParts } from '../base/pathParts';
import { endsOf, MAX_COMPARED_PARTS, stemOf } from './imageNames';

/*
 * Which image a text means: the one place that decides it by IDs and names, for tables, sheets, programs, label files, other
 * results and files of the workspace. docs/measurements.md, "Identity", says what is decided and why.
 */

export interface NamedImage {
  id: string;
  /** File name, perhaps with folders before it. */
  filename: string;
  /** What else it may be called. */
  others?: readonly string[];
}

/** The image that a text of an image column means, or why there is none. */
export type ImageOfText = number | 'none' | 'ambiguous';

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

/** The images that a text fits best, and how well: Infinity by ID, else the number of parts of paths that are the same. */
export interface Candidates {
  /** Shared by texts that fit the same images. */
  images: readonly number[];
  strength: number;
  /** The parts of the text that fits. */
  parts: readonly string[];
}

/** Names occur again, as on plates or in series, where at least this share of them does. */
const MIN_REPEATED = 0.1;

/** Finds the images that the texts of an image column mean; see ImageCatalog. */
export function matchImages(texts: readonly string[], images: readonly NamedImage[]): ImageOfText[] {
  // Where there is nothing to find, none is indexed: thousands take tens of milliseconds.
  if (texts.length === 0 || images.length === 0) return texts.map(() => 'none');
  return new ImageCatalog(images, lengthsOf(texts)).match(texts);
}

function lengthsOf(texts: readonly string[]): Set<number> {
  return new Set(texts.map(text => pathParts(text.trim()).length));
}

const asWritten = (path: string) => path;

/** How people and other tools write the names of images, and what of an image that is compared with; each where none before fits. */
const WAYS = [asWritten, (path: string) => path.toLowerCase()].flatMap(
  (spelled): [text: (path: string) => string, image: (path: string) => string][] => [
    [spelled, spelled],
    // What follows the last dot of a text may be part of a name whose extension it leaves out.
    [spelled, path => stemOf(spelled(path))],
    [path => stemOf(spelled(path)), path => stemOf(spelled(path))],
  ],
);

/**
 * As matchImages, for names that people and other tools wrote: also without or with another extension, and regardless of case.
 * An image that a text names better is none that another one means; several texts that mean one equally well all have it, so that
 * what they say of it can be compared.
 */
export function matchWrittenNames(texts: readonly string[], paths: readonly string[]): ImageOfText[] {
  const matches = texts.map((): ImageOfText => 'none');
  const taken = new Set<ImageOfText>();
  let left = [...texts.keys()];
  for (const [ofText, ofImage] of WAYS) {
    if (left.length === 0) break;
    const names = left.map(text => ofText(texts[text] ?? ''));
    const catalog = new ImageCatalog(
      paths.map(path => ({ id: '', filename: ofImage(path) })),
      lengthsOf(names),
    );
    const found = catalog.decide(
      names.map(name => catalog.candidates(name)),
      { mayTie: true },
    );
    left.forEach((text, at) => {
      const image = found[at] ?? 'none';
      if (!taken.has(image)) matches[text] = image;
    });
    for (const image of matches) if (typeof image === 'number') taken.add(image);
    left = left.filter(text => matches[text] === 'none');
  }
  return matches;
}

/** The file that may be the background image of an image, and by what it was matched. */
type BackgroundImageMatch =
  /** One path, of at least two parts, is the end of the other. */
  | { by: 'path'; index: number }
  /** The only file of that name, or the one whose path matches farthest before a folder differs. */
  | { by: 'name'; index: number }
  | { by: 'ambiguous'; count: number }
  | { by: 'none' };

/**
 * Finds among files (paths with / or \\) the background image of an image, by its name and by its path in the objects table, its
 * `origin`. If a folder differs, it is only a suggestion: every plate has the same names of wells.
 */
export function matchBackgroundImage(
  { filename, origin }: { filename: string; origin?: string },
  paths: readonly string[],
): BackgroundImageMatch {
  const catalog = new ImageCatalog(paths.map(path => ({ id: '', filename: path })));
  const found = [filename, ...(origin === undefined ? [] : [origin])].map(name => catalog.candidates(name));
  const most = Math.max(...found.map(({ strength }) => strength));
  const files = paths.map(pathParts);
  const lengths = files.map(file => Math.max(...found.map(({ parts }) => commonSuffix(parts, file))));
  const best = Math.max(0, ...lengths);
  if (best === 0) return { by: 'none' };
  const byPath = most > 1 ? found.find(({ strength }) => strength === most)?.images : undefined;
  const fitting = byPath ?? lengths.flatMap((length, index) => (length === best ? [index] : []));
  const [index = 0] = fitting;
  if (fitting.length > 1) return { by: 'ambiguous', count: fitting.length };
  return { by: byPath ? 'path' : 'name', index };
}

/** The images that several names of one fit best, together. */
function candidatesOf(catalog: ImageCatalog, names: readonly string[]): Candidates {
  const found = names.map(name => catalog.candidates(name));
  const strength = Math.max(0, ...found.map(each => each.strength));
  const best = found.filter(each => each.strength === strength);
  const [first = { images: [], strength: 0, parts: [] }] = best;
  if (best.every(({ images }) => images === first.images)) return first;
  return { ...first, images: [...new Set(best.flatMap(({ images }) => images))] };
}

/** The image of B that each of A is, by the names that each may have; no two of A are one of B. */
export function pairNames(
  a: readonly (readonly string[])[],
  b: readonly (readonly string[])[],
): ImageOfText[] {
  const catalog = new ImageCatalog(b.map(([filename = '', ...others]) => ({ id: '', filename, others })));
  return catalog.decide(a.map(names => candidatesOf(catalog, names)));
}

/** As matchImages, but says what belongs together where names leave several possibilities. */
export function matchNames(
  texts: readonly string[],
  images: readonly NamedImage[],
  uncertain?: UncertainNames,
): NameMatches {
  const catalog = new ImageCatalog(images);
  const found = texts.map(text => catalog.candidates(text));
  const decided = catalog.decide(found, { uncertain });
  const taken = new Set(decided);
  const sets = new Map<readonly number[], ReadonlySet<number>>();
  const candidates = new Map<number, ReadonlySet<number>>();
  decided.forEach((image, text) => {
    if (image !== 'ambiguous') return;
    const fit = found[text]?.images ?? [];
    // A text that fits one image less well than another text does is no candidate for it.
    const free = sets.get(fit) ?? new Set(fit.filter(each => !taken.has(each)));
    sets.set(fit, free);
    if (free.size > 0) candidates.set(text, free);
  });
  return { images: decided, groups: connected(candidates) };
}

/**
 * The images of a result by all that they are called. Images are added, and texts looked up, one by one, so that tens of
 * thousands can be taken in steps; then what the texts of one list mean is decided together.
 */
export class ImageCatalog {
  /** How many parts the path of each image has. */
  private readonly partCounts: number[] = [];
  private readonly byId = new Map<string, number[]>();
  /** By whole path, and by each end of it. */
  private readonly byPath = new Map<string, number[]>();
  private readonly byEnd = new Map<string, number[]>();
  private readonly names = new Set<string>();
  private readonly repeated = new Set<string>();

  /** `lengths`: how many parts the paths of texts have; of any number where it is absent. Each end of a path takes its time. */
  constructor(
    images: Iterable<NamedImage> = [],
    private readonly lengths?: ReadonlySet<number>,
  ) {
    for (const image of images) this.add(image);
  }

  add({ id, filename, others = [] }: NamedImage): void {
    const image = this.partCounts.length;
    if (id !== '') append(this.byId, id, image);
    const parts = pathParts(filename.trim());
    this.partCounts.push(parts.length);
    addName(this.names, this.repeated, parts.at(-1));
    this.addPath(parts, image);
    for (const other of others) this.addPath(pathParts(other.trim()), image);
  }

  private addPath(parts: readonly string[], image: number): void {
    const ends = endsOf(parts);
    append(this.byPath, ends.at(-1) ?? '', image);
    ends.forEach((end, at) => {
      // A path of more parts than are compared is found as a whole.
      const isWanted = !this.lengths || this.lengths.has(at + 1) || at >= MAX_COMPARED_PARTS;
      if (isWanted) append(this.byEnd, end, image);
    });
  }

  /** What a text may mean: the image with that ID, else images of whose path it is the end, else those whose paths are its longest end. */
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

  match(texts: readonly string[]): ImageOfText[] {
    return this.decide(texts.map(text => this.candidates(text)));
  }

  /**
   * What all texts of a list mean. Of several that mean one image, only the strictly best fit is used, or best fits with `mayTie`. A text that is the whole
   * path of an image and the end of others' means the one, where each of the others has a text of its own. `uncertain` says
   * which parts of a path don't tell whether the only image with them is meant; whole paths and IDs always do.
   */
  decide(
    found: readonly Candidates[],
    {
      uncertain = this.doNamesRepeat(found) ? 'bare' : 'none',
      mayTie = false,
    }: { uncertain?: UncertainNames | undefined; mayTie?: boolean } = {},
  ): ImageOfText[] {
    const decided = this.best(found, mayTie);
    const taken = new Set<number>();
    decided.forEach((image, text) => {
      if (typeof image !== 'number') return;
      const { strength = 0, parts = [] } = found[text] ?? {};
      const isWhole = strength === Infinity || this.isWhole(image, parts, strength);
      const isUncertain = uncertain === 'parts' || (uncertain === 'bare' && strength === 1);
      if (isUncertain && !isWhole) decided[text] = 'ambiguous';
      else taken.add(image);
    });
    this.takeWhole(found, decided, taken);
    return decided;
  }

  /** Whether names occur again in other folders, among texts or among images: they don't tell images apart then. */
  doNamesRepeat(found: readonly Pick<Candidates, 'parts'>[]): boolean {
    const [names, repeated] = [new Set<string>(), new Set<string>()];
    for (const { parts } of found) addName(names, repeated, parts.at(-1));
    let [count, again] = [this.names.size, this.repeated.size];
    for (const name of names) if (!this.names.has(name)) count++;
    for (const name of repeated) if (!this.repeated.has(name)) again++;
    return again > 0 && again >= MIN_REPEATED * count;
  }

  private isWhole(image: number, parts: readonly string[], strength: number): boolean {
    return strength === Math.max(parts.length, this.partCounts[image] ?? 0);
  }

  private best(found: readonly Candidates[], mayTie: boolean): ImageOfText[] {
    const best = new Float64Array(this.partCounts.length);
    const counts = new Uint32Array(this.partCounts.length);
    for (const { images, strength } of found) {
      const [image] = images;
      if (image === undefined || images.length > 1) continue;
      if (strength > (best[image] ?? 0)) {
        best[image] = strength;
        counts[image] = 1;
      } else if (strength === best[image]) counts[image] = (counts[image] ?? 0) + 1;
    }
    return found.map(({ images, strength }) => {
      const [image] = images;
      if (image === undefined) return 'none';
      const isBest = images.length === 1 && strength === best[image];
      return isBest && (mayTie || counts[image] === 1) ? image : 'ambiguous';
    });
  }

  /** Decides texts that are whole paths: those of most parts first, as they leave less to the ends of them. */
  private takeWhole(found: readonly Candidates[], decided: ImageOfText[], taken: Set<number>): void {
    const texts = new Map<string, number[]>();
    found.forEach(({ images, strength, parts }, text) => {
      const isOpen = decided[text] === 'ambiguous' && images.length > 1 && strength < Infinity;
      const path = parts.join('/');
      if (isOpen && this.byPath.get(path)?.length === 1) append(texts, path, text);
    });
    const lists = [...texts.entries()]
      .map(([path, of]) => ({ of, image: this.byPath.get(path)?.[0] ?? -1, ...found[of[0] ?? -1] }))
      .sort((a, b) => (b.parts?.length ?? 0) - (a.parts?.length ?? 0));
    for (const { of, image, images = [] } of lists) {
      const [text = -1] = of;
      if (of.length > 1 || taken.has(image)) continue;
      if (!images.every(each => each === image || taken.has(each))) continue;
      decided[text] = image;
      taken.add(image);
    }
  }
}

function addName(names: Set<string>, repeated: Set<string>, name: string | undefined): void {
  if (name === undefined) return;
  if (names.has(name)) repeated.add(name);
  names.add(name);
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
