import type { ToldBy } from '../masks/linkReport';
import {
  areaRange,
  compareAreas,
  compareIds,
  comparePositions,
  hasEnoughIds,
  keyOfIds,
  type Evidence,
  type ObjectList,
  type PairedPositions,
  type Rounding,
} from './objectEvidence';

/** Pixels. */
export interface Size {
  width: number;
  height: number;
}

/** A text of an image column, or the path of an analyzed image that no row names. */
export interface NamedRows {
  /** Undefined where no row has the text. */
  rows?: ObjectList;
  /** As the table says; undefined where it doesn't, or not one size. */
  size?: Size;
}

export interface NamedObjects {
  /** Undefined where the image could not be read. */
  objects?: ObjectList;
  /** Undefined where it could not be read. */
  size?: Size;
  /** Some of its objects could not be read. */
  isDamaged: boolean;
}

/** Texts and images that can't be told apart by their names. */
export interface SameNamed {
  texts: readonly NamedRows[];
  images: readonly NamedObjects[];
  /** Whether a text may mean an image by its name, by their positions in the lists above. */
  mayMean: (text: number, image: number) => boolean;
  /** All images that were analyzed are known, so that texts without rows are among the texts. */
  areItemsKnown: boolean;
  /** An image of which not even the name is known may be one of these. */
  isMissing: boolean;
  /** How the table's areas are rounded. */
  areas: Rounding;
}

export interface Pair {
  text: number;
  image: number;
}

export interface ToldApart {
  told: (Pair & { by: ToldBy })[];
  /** What is likely and not certain, for a person. */
  suggested: Pair[];
}

export interface AssignmentTools {
  /** Positions of some objects that rows and an image have in common; undefined where the table has none. */
  positions: (pair: Pair) => Promise<PairedPositions | undefined>;
  /** Awaited between steps, so that the thread hears of a cancellation. */
  pause: () => Promise<void>;
}

/** More pairs than this aren't compared one by one: what their sets of IDs leave open stays open. */
const MAX_PAIRS = 1_000_000;

/**
 * Finds which text means which image by what their objects say; see docs/measurements.md, "Identity". Each kind of evidence
 * decides only what the ones before have left open, one to one, and only where no other pair fits; so the order of texts and
 * images doesn't count.
 */
export async function tellApart(group: SameNamed, tools: AssignmentTools): Promise<ToldApart> {
  const assignment = new Assignment(group, tools);
  assignment.bySize();
  await assignment.byEqualSets();
  await assignment.byParts();
  assignment.byAbsence();
  return { told: assignment.told, suggested: await assignment.suggestions() };
}

class Assignment {
  readonly told: (Pair & { by: ToldBy })[] = [];
  private readonly openTexts: Set<number>;
  private readonly openImages: Set<number>;
  /** Whether all that could mean anything is there and whole. */
  private readonly isComplete: boolean;

  constructor(
    private readonly group: SameNamed,
    private readonly tools: AssignmentTools,
  ) {
    const { texts, images, areItemsKnown, isMissing } = group;
    this.openTexts = new Set(texts.keys());
    this.openImages = new Set(images.keys());
    const filled = images.filter(({ objects }) => objects && objects.ids.length > 0);
    const expected = areItemsKnown ? images.length : filled.length;
    this.isComplete = !isMissing && images.every(({ isDamaged }) => !isDamaged) && texts.length === expected;
  }

  /** A width and height that only one text and one image have. */
  bySize(): void {
    const { texts, images } = this.group;
    if (texts.some(({ size }) => !size) || images.some(({ size }) => !size)) return;
    const ofText = bySize(texts);
    const ofImage = bySize(images);
    for (const [key, [text, ...others]] of ofText) {
      const [image, ...rivals] = ofImage.get(key) ?? [];
      if (text === undefined || image === undefined || others.length + rivals.length > 0) continue;
      const { rows } = texts[text] ?? {};
      const { objects } = images[image] ?? {};
      const areEmpty = !rows && objects?.ids.length === 0;
      const sharesIds = rows && objects && compareIds(rows, objects) !== 'none';
      if ((areEmpty || sharesIds) && this.fits({ text, image })) this.tell({ text, image }, 'size');
    }
  }

  /** Sets of IDs that are equal, then areas and positions where several are. */
  async byEqualSets(): Promise<void> {
    const edges = new Edges();
    const tied = new Edges();
    for (const same of this.sameIds()) {
      for (const pair of this.pairsBy(same)) {
        await this.tools.pause();
        const areas = this.areasOf(pair);
        if (areas === 'agree') edges.add(pair);
        else if (areas === 'unknown') tied.add(pair);
      }
    }
    for (const pair of edges.only()) this.tell(pair, 'areas');
    // What has areas that agree with one leaves those that could not tell by them.
    tied.keep(pair => this.isOpen(pair) && !edges.hasText(pair.text) && !edges.hasImage(pair.image));
    if (this.isComplete)
      for (const pair of tied.only()) if (hasEnoughIds(this.rows(pair))) this.tell(pair, 'ids');
    edges.keep(pair => this.isOpen(pair));
    tied.keep(pair => this.isOpen(pair));
    await this.byPositions(edges);
    await this.byPositions(tied);
  }

  /** Rows that are of a part of an image's objects, or the other way round: their IDs alone tell nothing. */
  async byParts(): Promise<void> {
    const edges = new Edges();
    const tied = new Edges();
    for (const pair of this.openPairs()) {
      await this.tools.pause();
      if (compareIds(this.rows(pair), this.objects(pair)) !== 'part') continue;
      const areas = this.areasOf(pair);
      if (areas === 'agree') edges.add(pair);
      else if (areas === 'unknown') tied.add(pair);
    }
    for (const pair of edges.only()) this.tell(pair, 'areas');
    edges.keep(pair => this.isOpen(pair));
    await this.byPositions(edges);
    tied.keep(pair => this.isOpen(pair) && !edges.hasText(pair.text) && !edges.hasImage(pair.image));
    await this.byPositions(tied);
  }

  /** The one image without objects is the one analyzed image without rows. */
  byAbsence(): void {
    const { texts, images, areItemsKnown } = this.group;
    if (!areItemsKnown || !this.isComplete) return;
    const withoutRows = [...texts.keys()].filter(text => !texts[text]?.rows);
    const withoutObjects = [...images.keys()].filter(image => images[image]?.objects?.ids.length === 0);
    const [text, ...others] = withoutRows;
    const [image, ...rivals] = withoutObjects;
    if (text === undefined || image === undefined || others.length + rivals.length > 0) return;
    if (this.isOpen({ text, image }) && this.fits({ text, image })) this.tell({ text, image }, 'empty');
  }

  /** The pairs of what is open that fit best, where no other one fits as well. */
  async suggestions(): Promise<Pair[]> {
    const found: Pair[] = [];
    const taken = new Edges();
    const suggest = (pairs: readonly Pair[]) => {
      for (const pair of pairs) {
        taken.add(pair);
        found.push(pair);
      }
    };
    const isFree = ({ text, image }: Pair) => !taken.hasText(text) && !taken.hasImage(image);
    const equal = new Edges();
    for (const { texts, images } of this.sameIds()) {
      const [text, ...others] = texts;
      const [image, ...rivals] = images;
      if (text === undefined || image === undefined || others.length + rivals.length > 0) continue;
      if (this.fits({ text, image })) equal.add({ text, image });
    }
    suggest(equal.only());
    const agreeing = new Edges();
    const sharing = new Edges();
    for (const pair of this.openPairs()) {
      await this.tools.pause();
      if (!isFree(pair) || compareIds(this.rows(pair), this.objects(pair)) === 'none') continue;
      sharing.add(pair);
      if (this.areasOf(pair) !== 'differ') agreeing.add(pair);
    }
    suggest(agreeing.only());
    sharing.keep(isFree);
    suggest(sharing.only());
    return found;
  }

  /** Compares positions of pairs that fit equally well so far; each image is read once. */
  private async byPositions(tied: Edges): Promise<void> {
    const edges = new Edges();
    const unknown = new Edges();
    for (const pair of tied.byImage()) {
      await this.tools.pause();
      const positions = await this.tools.positions(pair);
      if (!positions) return;
      const agreement = comparePositions(positions);
      if (agreement === 'agree') edges.add(pair);
      else if (agreement === 'unknown') unknown.add(pair);
    }
    for (const pair of edges.only())
      if (!unknown.hasText(pair.text) && !unknown.hasImage(pair.image)) this.tell(pair, 'positions');
  }

  /** Open texts and images by their sets of IDs, where both have one. */
  private sameIds(): SameIds[] {
    const byKey = new Map<string, SameIds[]>();
    const classOf = (list: ObjectList | undefined) => {
      if (!list || list.ids.length === 0 || list.repeats) return undefined;
      const key = keyOfIds(list);
      const known = byKey.get(key) ?? [];
      byKey.set(key, known);
      const same = known.find(({ list: other }) => compareIds(list, other) === 'equal');
      if (same) return same;
      const made: SameIds = { list, texts: [], images: [] };
      known.push(made);
      return made;
    };
    for (const text of this.openTexts) classOf(this.group.texts[text]?.rows)?.texts.push(text);
    for (const image of this.openImages) {
      const { objects, isDamaged } = this.group.images[image] ?? {};
      if (!isDamaged) classOf(objects)?.images.push(image);
    }
    const classes = [...byKey.values()].flat();
    return classes.filter(({ texts, images }) => texts.length > 0 && images.length > 0);
  }

  /** The pairs of equal sets that may fit by their areas: found by sorting, since most don't. None if too many may. */
  private pairsBy({ texts, images }: SameIds): Pair[] {
    const sorted = images
      .map(image => ({ image, range: areaRange(this.objects({ text: 0, image }), EXACT) ?? ANY }))
      .sort((a, b) => a.range[0] - b.range[0]);
    // Those without a range come first, and may fit all.
    const ranged = sorted.filter(({ range }) => range !== ANY);
    const others = sorted.slice(0, sorted.length - ranged.length);
    const pairs: Pair[] = [];
    for (const text of texts) {
      const [least, most] = areaRange(this.rows({ text, image: 0 }), this.group.areas) ?? ANY;
      const start = firstFrom(ranged, least);
      let end = start;
      while (end < ranged.length && (ranged[end]?.range[0] ?? 0) <= most) end++;
      for (const { image } of [...others, ...ranged.slice(start, end)])
        if (this.fits({ text, image })) pairs.push({ text, image });
      if (pairs.length > MAX_PAIRS) return [];
    }
    return pairs;
  }

  private *openPairs(): Generator<Pair, void> {
    const filled = [...this.openTexts].filter(text => this.group.texts[text]?.rows?.ids.length);
    const images = [...this.openImages].filter(image => this.group.images[image]?.objects?.ids.length);
    if (filled.length * images.length > MAX_PAIRS) return;
    for (const text of filled)
      for (const image of images) if (this.fits({ text, image })) yield { text, image };
  }

  private areasOf(pair: Pair): Evidence {
    return compareAreas(this.rows(pair), this.objects(pair), this.group.areas);
  }

  private fits({ text, image }: Pair): boolean {
    const ofText = this.group.texts[text]?.size;
    const ofImage = this.group.images[image]?.size;
    const isOtherSize =
      ofText && ofImage && (ofText.width !== ofImage.width || ofText.height !== ofImage.height);
    return !isOtherSize && this.group.mayMean(text, image);
  }

  private rows({ text }: Pair): ObjectList {
    return this.group.texts[text]?.rows ?? NO_OBJECTS;
  }

  private objects({ image }: Pair): ObjectList {
    return this.group.images[image]?.objects ?? NO_OBJECTS;
  }

  private isOpen({ text, image }: Pair): boolean {
    return this.openTexts.has(text) && this.openImages.has(image);
  }

  private tell(pair: Pair, by: ToldBy): void {
    this.openTexts.delete(pair.text);
    this.openImages.delete(pair.image);
    this.told.push({ ...pair, by });
  }
}

/** Texts and images with the same set of IDs, and one of their lists. */
interface SameIds {
  list: ObjectList;
  texts: number[];
  images: number[];
}

/** Areas of masks are whole pixels. */
const EXACT: Rounding = { decimal: 0, significant: 0 };
const ANY: [least: number, most: number] = [-Infinity, Infinity];

const NO_OBJECTS: ObjectList = {
  ids: new Float64Array(0),
  areas: new Float64Array(0),
  at: new Uint32Array(0),
  repeats: false,
};

/** Pairs that fit; only one that shares neither side with another is certain. */
class Edges {
  private pairs: Pair[] = [];
  private texts = new Map<number, number>();
  private images = new Map<number, number>();

  add(pair: Pair): void {
    this.pairs.push(pair);
    this.texts.set(pair.text, (this.texts.get(pair.text) ?? 0) + 1);
    this.images.set(pair.image, (this.images.get(pair.image) ?? 0) + 1);
  }

  hasText(text: number): boolean {
    return this.texts.has(text);
  }

  hasImage(image: number): boolean {
    return this.images.has(image);
  }

  only(): Pair[] {
    return this.pairs.filter(({ text, image }) => this.texts.get(text) === 1 && this.images.get(image) === 1);
  }

  byImage(): Pair[] {
    return [...this.pairs].sort((a, b) => a.image - b.image);
  }

  keep(wanted: (pair: Pair) => boolean): void {
    const kept = this.pairs.filter(wanted);
    this.pairs = [];
    this.texts = new Map();
    this.images = new Map();
    for (const pair of kept) this.add(pair);
  }
}

function bySize(all: readonly { size?: Size }[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  all.forEach(({ size }, at) => {
    const key = `${size?.width}×${size?.height}`;
    const same = found.get(key);
    if (same) same.push(at);
    else found.set(key, [at]);
  });
  return found;
}

/** The first position whose range doesn't end before `least`. */
function firstFrom(sorted: readonly { range: readonly [number, number] }[], least: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.range[1] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
