import type { ToldBy } from '../masks/rowLinks';
import {
  type Evidence,
  GivenPositions,
  type IdAgreement,
  ObjectList,
  PixelPositions,
  Rounding,
  type Roundings,
  samplePlaces,
} from './objectEvidence';

/** Pixels. */
interface Size {
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
interface SameNamed {
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

interface ToldApart {
  told: (Pair & { by: ToldBy })[];
  /** What is likely and not certain, for a person. */
  suggested: Pair[];
}

interface AssignmentTools {
  /** Undefined where the table has no positions. */
  positions: () => Promise<PositionTools | undefined>;
  /** Awaited between steps, so that the thread hears of a cancellation. */
  pause: () => Promise<void>;
}

/** Reads x and y of some rows or objects, in turn, by their places in the list of their text or image. */
interface PositionTools {
  roundings: Roundings;
  ofRows: (text: number, places: Uint32Array) => Float64Array;
  ofObjects: (image: number, places: Uint32Array) => Promise<Float64Array>;
}

/** More pairs than this aren't compared one by one, nor more objects: what their sets of IDs leave open stays open. */
const MAX_PAIRS = 1_000_000;
const MAX_COMPARED = 20_000_000;
/** Pairs that are compared before the thread may pause. */
const PAIRS_AT_ONCE = 256;

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
  /** More objects would have had to be compared. */
  private isTooMuch = false;
  /** The set of IDs that a text or an image has, as far as others may have it too. */
  private readonly sameOfText = new Map<number, SameIds>();
  private readonly sameOfImage = new Map<number, SameIds>();
  /** By text; false where it has no areas. */
  private readonly areaTolerances = new Map<number, Float64Array | false>();
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

  /** A width and height that only one text and one image have. One that is missing may have any. */
  bySize(): void {
    const { texts, images, isMissing } = this.group;
    if (isMissing || texts.some(({ size }) => !size) || images.some(({ size }) => !size)) return;
    const ofText = bySize(texts);
    const ofImage = bySize(images);
    for (const [key, [text, ...others]] of ofText) {
      const [image, ...rivals] = ofImage.get(key) ?? [];
      if (text === undefined || image === undefined || others.length + rivals.length > 0) continue;
      const { rows } = texts[text] ?? {};
      const { objects } = images[image] ?? {};
      const areEmpty = !rows && objects?.ids.length === 0;
      const sharesIds = rows && objects && rows.compareIds(objects) !== 'none';
      if ((areEmpty || sharesIds) && this.fits({ text, image })) this.tell({ text, image }, 'size');
    }
  }

  /** Sets of IDs that are equal, then areas and positions where several are. */
  async byEqualSets(): Promise<void> {
    for (const same of this.sameIds()) {
      const fits = await this.byAreas(this.pairsBy(same), () => true);
      if (fits) await this.decide(fits, { areSetsEqual: true });
    }
  }

  /** Rows that are of a part of an image's objects, or the other way round: their IDs alone tell nothing. */
  async byParts(): Promise<void> {
    const isPart = (pair: Pair) => this.idsOf(pair) === 'part';
    const fits = await this.byAreas(this.openPairs(), isPart);
    if (fits) await this.decide(fits, { areSetsEqual: false });
  }

  /** Which pairs have areas that agree, or tell nothing; undefined where too much would have to be compared. */
  private async byAreas(
    pairs: Iterable<Pair>,
    isWanted: (pair: Pair) => boolean,
  ): Promise<{ agreeing: Edges; unknown: Edges } | undefined> {
    const [agreeing, unknown] = [new Edges(), new Edges()];
    const compared = { count: 0 };
    let count = 0;
    for (const pair of pairs) {
      if (count++ % PAIRS_AT_ONCE === 0) await this.tools.pause();
      if (!isWanted(pair)) continue;
      const areas = this.areasOf(pair, compared);
      if (compared.count > MAX_COMPARED) {
        this.isTooMuch = true;
        return undefined;
      }
      if (areas === 'agree') agreeing.add(pair);
      else if (areas === 'unknown') unknown.add(pair);
    }
    return { agreeing, unknown };
  }

  /**
   * Decides by areas, by sets of IDs that are equal, and by positions where these leave several. What is left over when others are
   * taken isn't certain by that.
   */
  private async decide(
    { agreeing, unknown }: { agreeing: Edges; unknown: Edges },
    { areSetsEqual }: { areSetsEqual: boolean },
  ): Promise<void> {
    const byAreas = agreeing.only();
    const byIds = unknown.only().filter(pair => !agreeing.touches(pair) && this.rows(pair).hasEnoughIds);
    for (const pair of byAreas) this.tell(pair, 'areas');
    if (areSetsEqual && this.isComplete) for (const pair of byIds) this.tell(pair, 'ids');
    agreeing.keep(pair => this.isOpen(pair));
    await this.byPositions(agreeing, areSetsEqual);
    // Those whose areas agree come before those whose areas tell nothing.
    unknown.keep(pair => this.isOpen(pair) && !agreeing.touches(pair));
    await this.byPositions(unknown, areSetsEqual);
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
    if (this.isTooMuch) return found;
    const sharing = new Edges();
    const share = (pair: Pair) => {
      const isSharing = isFree(pair) && this.idsOf(pair) !== 'none';
      if (isSharing) sharing.add(pair);
      return isSharing;
    };
    const fits = await this.byAreas(this.openPairs(), share);
    if (!fits) return found;
    for (const pair of fits.unknown.pairs()) fits.agreeing.add(pair);
    suggest(fits.agreeing.only());
    sharing.keep(isFree);
    suggest(sharing.only());
    return found;
  }

  /** Compares positions of pairs that fit equally well so far; of each image some objects are decoded, once. */
  private async byPositions(tied: Edges, areSetsEqual: boolean): Promise<void> {
    const tools = tied.isEmpty ? undefined : await this.tools.positions();
    if (!tools) return;
    const [agreeing, unknown] = [new Edges(), new Edges()];
    const compare = areSetsEqual ? this.byWholeSample(tools) : this.byCommonSample(tools);
    let count = 0;
    for (const pair of tied.byImage()) {
      if (count++ % PAIRS_AT_ONCE === 0) await this.tools.pause();
      const found = compare(pair);
      const agreement = typeof found === 'string' ? found : await found;
      if (agreement === 'agree') agreeing.add(pair);
      else if (agreement === 'unknown') unknown.add(pair);
    }
    for (const pair of agreeing.only()) if (!unknown.touches(pair)) this.tell(pair, 'positions');
  }

  /**
   * Lists with the same IDs are compared by the same places for each pair, so that each list is read once; texts with the same
   * numbers are compared once with each image.
   */
  private byWholeSample({ roundings, ofRows, ofObjects }: PositionTools): CompareByPositions {
    const ofText = new Map<number, GivenPositions>();
    const same = new Map<string, GivenPositions>();
    const givenOf = (text: number, places: Uint32Array): GivenPositions => {
      const read = new GivenPositions(ofRows(text, places), roundings);
      const { key } = read;
      const given = same.get(key) ?? read;
      same.set(key, given);
      ofText.set(text, given);
      return given;
    };
    let latest: { image: number; pixels: PixelPositions } | undefined;
    let found = new Map<GivenPositions, Evidence>();
    const compare = (given: GivenPositions, pixels: PixelPositions): Evidence => {
      const known = found.get(given);
      if (known) return known;
      const evidence = given.mayAgree(pixels) ? given.compare(pixels) : 'differ';
      found.set(given, evidence);
      return evidence;
    };
    return pair => {
      const { text, image } = pair;
      const given = ofText.get(text) ?? givenOf(text, samplePlaces(this.rows(pair).ids.length));
      if (latest?.image === image) return compare(given, latest.pixels);
      return ofObjects(image, samplePlaces(this.objects(pair).ids.length)).then(centroids => {
        const pixels = new PixelPositions(centroids);
        latest = { image, pixels };
        found = new Map();
        return compare(given, pixels);
      });
    };
  }

  private byCommonSample({ roundings, ofRows, ofObjects }: PositionTools): CompareByPositions {
    return async pair => {
      const both = [...this.rows(pair).common(this.objects(pair))];
      const places = samplePlaces(both.length);
      const placesOf = (side: 0 | 1) => places.map(at => both[at]?.[side] ?? 0);
      const given = new GivenPositions(ofRows(pair.text, placesOf(0)), roundings);
      return given.compare(new PixelPositions(await ofObjects(pair.image, placesOf(1))));
    };
  }

  /** Open texts and images by their sets of IDs, where both have one. */
  private sameIds(): SameIds[] {
    const byKey = new Map<string, SameIds[]>();
    const classOf = (list: ObjectList | undefined) => {
      if (!list || list.ids.length === 0 || list.repeats) return undefined;
      const key = list.keyOfIds;
      const known = byKey.get(key) ?? [];
      byKey.set(key, known);
      const same = known.find(({ list: other }) => list.compareIds(other) === 'equal');
      if (same) return same;
      const made: SameIds = { list, texts: [], images: [] };
      known.push(made);
      return made;
    };
    for (const text of this.openTexts) {
      const same = classOf(this.group.texts[text]?.rows);
      same?.texts.push(text);
      if (same) this.sameOfText.set(text, same);
    }
    for (const image of this.openImages) {
      const { objects, isDamaged } = this.group.images[image] ?? {};
      const same = isDamaged ? undefined : classOf(objects);
      same?.images.push(image);
      if (same) this.sameOfImage.set(image, same);
    }
    const classes = [...byKey.values()].flat();
    return classes.filter(({ texts, images }) => texts.length > 0 && images.length > 0);
  }

  /** The pairs of equal sets that may fit by their areas: found by sorting, since most don't. None if too many may. */
  private pairsBy({ texts, images }: SameIds): Pair[] {
    const sorted = images
      .map(image => ({ image, range: this.objects({ text: 0, image }).areaRange(EXACT) ?? ANY }))
      .sort((a, b) => a.range[0] - b.range[0]);
    // Those without a range come first, and may fit all.
    const ranged = sorted.filter(({ range }) => range !== ANY);
    const others = sorted.slice(0, sorted.length - ranged.length);
    const pairs: Pair[] = [];
    for (const text of texts) {
      const [least, most] = this.rows({ text, image: 0 }).areaRange(this.group.areas) ?? ANY;
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

  private idsOf(pair: Pair): IdAgreement {
    const same = this.sameOfText.get(pair.text);
    if (same && same === this.sameOfImage.get(pair.image)) return 'equal';
    return this.rows(pair).compareIds(this.objects(pair));
  }

  private areasOf(pair: Pair, compared: { count: number }): Evidence {
    const rows = this.rows(pair);
    let tolerances = this.areaTolerances.get(pair.text);
    if (tolerances === undefined) {
      const hasAreas = rows.areas.some(area => !Number.isNaN(area));
      tolerances = hasAreas && rows.areas.map(area => this.group.areas.toleranceOf(area));
      this.areaTolerances.set(pair.text, tolerances);
    }
    return tolerances ? rows.compareAreas(this.objects(pair), tolerances, compared) : 'unknown';
  }

  private fits({ text, image }: Pair): boolean {
    const ofText = this.group.texts[text]?.size;
    const ofImage = this.group.images[image]?.size;
    const isOtherSize =
      ofText && ofImage && (ofText.width !== ofImage.width || ofText.height !== ofImage.height);
    return !isOtherSize && this.group.mayMean(text, image);
  }

  private rows({ text }: Pair): ObjectList {
    return this.group.texts[text]?.rows ?? ObjectList.EMPTY;
  }

  private objects({ image }: Pair): ObjectList {
    return this.group.images[image]?.objects ?? ObjectList.EMPTY;
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
const EXACT = new Rounding(0, 0);
const ANY: [least: number, most: number] = [-Infinity, Infinity];

type CompareByPositions = (pair: Pair) => Evidence | Promise<Evidence>;

/** Pairs that fit; only one that shares neither side with another is certain. */
class Edges {
  private texts: number[] = [];
  private images: number[] = [];
  private ofText = new Map<number, number>();
  private ofImage = new Map<number, number>();

  get isEmpty(): boolean {
    return this.texts.length === 0;
  }

  add({ text, image }: Pair): void {
    this.texts.push(text);
    this.images.push(image);
    this.ofText.set(text, (this.ofText.get(text) ?? 0) + 1);
    this.ofImage.set(image, (this.ofImage.get(image) ?? 0) + 1);
  }

  hasText(text: number): boolean {
    return this.ofText.has(text);
  }

  hasImage(image: number): boolean {
    return this.ofImage.has(image);
  }

  /** Whether a pair shares a text or an image with one of these. */
  touches({ text, image }: Pair): boolean {
    return this.hasText(text) || this.hasImage(image);
  }

  *pairs(): Generator<Pair, void> {
    for (const [at, text] of this.texts.entries()) yield { text, image: this.images[at] ?? -1 };
  }

  only(): Pair[] {
    const found: Pair[] = [];
    for (const pair of this.pairs())
      if (this.ofText.get(pair.text) === 1 && this.ofImage.get(pair.image) === 1) found.push(pair);
    return found;
  }

  /** One image after the other. */
  *byImage(): Generator<Pair, void> {
    const order = Uint32Array.from(this.images.keys());
    order.sort((a, b) => (this.images[a] as number) - (this.images[b] as number));
    for (const at of order) yield { text: this.texts[at] ?? -1, image: this.images[at] ?? -1 };
  }

  keep(wanted: (pair: Pair) => boolean): void {
    const before = [...this.pairs()];
    this.texts = [];
    this.images = [];
    this.ofText = new Map();
    this.ofImage = new Map();
    for (const pair of before) if (wanted(pair)) this.add(pair);
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
