import type { OpenReason, DistinguishedBy } from './rowLinks';
import { haveOtherSizes } from '../archives/imageIdentity';
import type { ImageSize } from '../images/backgroundImageInfo';
import { ChanceFit, type SampledRows } from './chanceFit';
import { type Fit, ObjectList, type Rounding } from './objectEvidence';
import { fitPositions, type PositionFit, positionTolerances, type Roundings } from './positionEvidence';

/** A text of an image column, or the path of an analyzed image that no row names. */
export interface NamedRows {
  /** Undefined where no row has the text. */
  rows?: ObjectList;
  /** From the table; undefined if its rows have none, or several. */
  size?: ImageSize;
}

export interface NamedObjects {
  /** Undefined where the image could not be read. */
  objects?: ObjectList;
  /** Undefined where it could not be read. */
  size?: ImageSize;
  /** Some of its objects could not be read. */
  isDamaged: boolean;
}

/** Texts and images that their names don't distinguish. */
interface SameNamed {
  texts: readonly NamedRows[];
  images: readonly NamedObjects[];
  /** Whether a text may mean an image by its name, by their positions in the lists above. */
  mayMean: (text: number, image: number) => boolean;
  /** All analyzed images are known, so the texts include those without rows. */
  areItemsKnown: boolean;
  /** An image without a known name may be one of these. */
  isMissing: boolean;
  /** How the table's areas are rounded. */
  areas: Rounding;
  /** Rows of some images, of this name or of others, that show how alike images are. */
  others: readonly OtherRows[];
}

interface OtherRows {
  rows: ObjectList;
  /** Its position in the list of texts, where it is one of them. */
  text?: number;
}

export interface Pair {
  text: number;
  image: number;
}

/** A pair that is certain, with the number of objects that say so. */
interface ToldPair extends Pair {
  by: DistinguishedBy;
  objects?: number;
}

interface ToldApart {
  told: ToldPair[];
  /** The likely pair, for a user; it isn't certain. */
  suggested: Pair[];
  /** Why an image stays open. */
  reasonOf: (image: number) => OpenReason;
}

interface AssignmentTools {
  /** Undefined where the table has no positions. */
  positions: () => Promise<PositionTools | undefined>;
  /** Awaited between steps, so that the thread hears of a cancellation. */
  pause: () => Promise<void>;
}

/**
 * Reads x and y of some rows or objects, in turn, by their positions in the list of their text,
 * other rows or image.
 */
interface PositionTools {
  roundings: Roundings;
  ofRows: (text: number, places: Uint32Array) => Float64Array;
  ofOthers: (other: number, places: Uint32Array) => Float64Array;
  ofObjects: (image: number, places: Uint32Array) => Promise<Float64Array>;
}

/** With more pairs than this, more objects to compare or more fitting pairs, all stays open. */
const MAX_PAIRS = 30_000_000;
const MAX_COMPARED = 20_000_000;
const MAX_FITTING = 1_000_000;
/** Pairs that are compared before the thread may pause. */
const PAIRS_AT_ONCE = 4096;
/**
 * Objects of an image to compare by position: fewer if there are areas, and the first few of those.
 */
const MAX_POSITIONS = 48;
const MAX_POSITIONS_BESIDE_AREAS = 16;
const FEW_POSITIONS = 5;
/**
 * Bits of evidence that link an image; each doubling of the pairs that could fit by chance needs
 * one more.
 */
const CERTAIN_BITS = 18;
/** If more paths fit an image, none is certain: their likeness shows without computing bits. */
const MAX_TIED = 16;
/** A fit of fewer bits isn't even likely. */
const LIKELY_BITS = 6;
/** Sets of fewer IDs occur again. */
const MIN_IDS = 3;

/**
 * Finds the image of each text by objects; see docs/measurements.md, "Identity". A pair is certain
 * if all evidence agrees, exceeds chance, and no other pair of the text or the image fits nearly as
 * well. The order of texts and images doesn't count, and leftovers are no evidence.
 */
export async function tellApart(group: SameNamed, tools: AssignmentTools): Promise<ToldApart> {
  const assignment = new Assignment(group, tools);
  await assignment.compareAll();
  assignment.byEvidence();
  assignment.byIds();
  assignment.byAbsence();
  return {
    told: assignment.told,
    suggested: assignment.suggestions(),
    reasonOf: image => assignment.reasonOf(image),
  };
}

/** A text and an image that nothing speaks against. */
interface FittingPair extends Pair {
  /** Bits of evidence for the pair; 0 without any, infinite if many texts fit the image. */
  bits: number;
  by: DistinguishedBy | undefined;
  /** Objects that were compared. */
  objects: number;
}

class Assignment {
  readonly told: ToldPair[] = [];
  private readonly openTexts: Set<number>;
  private readonly openImages: Set<number>;
  /** More would have had to be compared. */
  private isTooMuch = false;
  private fitting: FittingPair[] = [];
  private readonly ofText = new BestPairs();
  private readonly ofImage = new BestPairs();
  /** Texts and images by their sets of IDs. */
  private readonly sets: readonly SameIds[];
  private readonly setOfText = new Map<number, SameIds>();
  private readonly hasAreas: boolean;
  private hasPositions = false;
  /** Whether all that was analyzed is here, whole: each text then has its image. */
  private readonly isComplete: boolean;

  constructor(
    private readonly group: SameNamed,
    private readonly tools: AssignmentTools,
  ) {
    const { texts, images, areItemsKnown, isMissing } = group;
    this.openTexts = new Set(texts.keys());
    this.openImages = new Set(images.keys());
    this.hasAreas = texts.some(({ rows }) => rows?.areas.some(area => !Number.isNaN(area)));
    this.isComplete =
      areItemsKnown &&
      !isMissing &&
      images.every(({ isDamaged }) => !isDamaged) &&
      texts.length === images.length;
    this.sets = this.sameIds();
  }

  /**
   * Finds the pairs without contradiction, and the evidence for each; decodes some objects of each
   * image, once.
   */
  async compareAll(): Promise<void> {
    const { texts, images } = this.group;
    const filled = [...texts.keys()].filter(text => this.rows({ text }).ids.length > 0);
    if (filled.length * images.length > MAX_PAIRS) {
      this.isTooMuch = true;
      return;
    }
    const positions = await this.tools.positions();
    this.hasPositions = positions !== undefined;
    const compared = { count: 0 };
    const evidence = this.evidenceOf(filled, positions);
    let count = 0;
    for (const image of images.keys()) {
      const objects = this.objects({ image });
      if (objects.ids.length === 0) continue;
      const left: Compared[] = [];
      const isDamaged = this.group.images[image]?.isDamaged ?? false;
      for (const { ids, texts } of evidence) {
        if (!isDamaged && !objects.mayHaveAllOf(ids.rows)) continue;
        let haveFittingIds: boolean | undefined;
        // By number: an iterator in a function that awaits makes an object for each pair.
        for (let at = 0; at < texts.length; at++) {
          if (count++ % PAIRS_AT_ONCE === 0) await this.tools.pause();
          const of = texts[at] as TextEvidence;
          const { text, rows, areaTolerances } = of;
          // For most pairs, the first few areas differ before all IDs are searched.
          const areas = areaTolerances && rows.fitAreas(objects, areaTolerances, compared);
          if (areaTolerances && !areas) continue;
          haveFittingIds ??= this.haveFittingIds({ text, image });
          if (!haveFittingIds) break;
          if (this.fits({ text, image })) left.push(areas ? { of, areas } : of.withoutAreas);
        }
      }
      const found = positions ? await this.withPositions(image, left, positions) : left;
      for (const pair of found) {
        const { text } = pair.of;
        if (found.length > MAX_TIED) {
          this.fitting.push({ text, image, bits: Infinity, by: undefined, objects: 0 });
          continue;
        }
        const bits = pair.of.bitsOf(pair, objects);
        this.fitting.push({
          text,
          image,
          bits: bits.areas + bits.positions,
          by: toldBy(bits.areas, bits.positions),
          objects: pair.fit ? pair.of.ids.places.length : pair.of.rows.ids.length,
        });
      }
      if (compared.count > MAX_COMPARED || this.fitting.length > MAX_FITTING) {
        this.isTooMuch = true;
        this.fitting = [];
        return;
      }
    }
  }

  /** Evidence of the rows of texts, together for texts with equal IDs, which are looked up once. */
  private evidenceOf(texts: readonly number[], tools: PositionTools | undefined): TextsOfIds[] {
    const bySet = new Map<SameIds | number, TextsOfIds>();
    const maxPositions = this.hasAreas ? MAX_POSITIONS_BESIDE_AREAS : MAX_POSITIONS;
    for (const text of texts) {
      const set = this.setOfText.get(text) ?? text;
      const same = bySet.get(set) ?? {
        ids: new SampledIds(this.group, this.rows({ text }), tools, maxPositions),
        texts: [],
      };
      bySet.set(set, same);
      same.texts.push(new TextEvidence(this.group, text, same.ids, tools));
    }
    return [...bySet.values()];
  }

  /** Those whose positions fit an image as well: first by a few objects, as most of many don't. */
  private async withPositions(
    image: number,
    pairs: readonly Compared[],
    { ofObjects }: PositionTools,
  ): Promise<Compared[]> {
    const objects = this.objects({ image });
    const centroids = new Centroids(objects, places => ofObjects(image, places));
    let likely = pairs;
    if (pairs.length > 2) {
      const pixels = await centroids.atIds(pairs, ids => ids.few);
      const fitting: Compared[] = [];
      for (const [at, pair] of pairs.entries()) {
        if ((at + 1) % PAIRS_AT_ONCE === 0) await this.tools.pause();
        const { given, tolerances } = pair.of.fewPositions;
        if (fitPositions(given, tolerances, pixels.get(pair.of.ids) as Float64Array)) fitting.push(pair);
      }
      likely = fitting;
    }
    if (likely.length === 0) return [];
    const all = await centroids.atIds(likely, ids => ids.places);
    const left: Compared[] = [];
    for (const [at, pair] of likely.entries()) {
      if ((at + 1) % PAIRS_AT_ONCE === 0) await this.tools.pause();
      const pixels = all.get(pair.of.ids) as Float64Array;
      const { given, tolerances } = pair.of.positions;
      const fit = fitPositions(given, tolerances, pixels);
      if (fit) left.push({ ...pair, fit, pixels });
    }
    return left;
  }

  /**
   * Pairs with more evidence than chance, and much more than any other pair of the text or the
   * image.
   */
  byEvidence(): void {
    const { texts, images } = this.group;
    const enough = CERTAIN_BITS + Math.log2(Math.max(1, texts.length * images.length));
    for (const pair of this.fitting) {
      this.ofText.add(pair.text, pair);
      this.ofImage.add(pair.image, pair);
    }
    for (const pair of this.fitting) {
      if (pair.bits < enough || !pair.by) continue;
      if (pair.bits - this.mostBesides(pair) >= CERTAIN_BITS) this.tell(pair, pair.by, pair.objects);
    }
  }

  /** The most bits of another pair of the text or the image; −Infinity without one. */
  private mostBesides(pair: FittingPair): number {
    return Math.max(this.ofText.besides(pair.text, pair), this.ofImage.besides(pair.image, pair));
  }

  /**
   * Compares sets of IDs alone: if the table has a row for each analyzed object, or if IDs run on
   * from image to image. Otherwise a partial table, or a missing image, may have the same IDs as
   * another one.
   */
  byIds(): void {
    if (this.isTooMuch || !(this.isWhole() || this.runsOn())) return;
    const fitting = new Set(this.fitting.map(({ text, image }) => `${text} ${image}`));
    for (const { texts, images } of this.sets) {
      const pair = onlyPair(texts, images);
      if (!pair || !this.isOpen(pair) || !fitting.has(`${pair.text} ${pair.image}`)) continue;
      if (this.rows(pair).ids.length >= MIN_IDS) this.tell(pair, 'ids', this.rows(pair).ids.length);
    }
  }

  /** Whether rows are as many as objects, over all analyzed images: a filtered table has fewer. */
  private isWhole(): boolean {
    const { texts, images } = this.group;
    const count = (lists: readonly (ObjectList | undefined)[]) =>
      lists.reduce((sum, list) => sum + (list?.ids.length ?? 0), 0);
    const lists = texts.map(({ rows }) => rows);
    return (
      this.isComplete &&
      !lists.some(list => list?.repeats) &&
      count(lists) === count(images.map(({ objects }) => objects))
    );
  }

  /**
   * Whether images share no ID, have no gap in their IDs, and each text has the IDs of one image.
   */
  private runsOn(): boolean {
    const { texts, images } = this.group;
    const filled = images.flatMap(({ objects }) => (objects && objects.ids.length > 0 ? [objects] : []));
    if (filled.length < 2 || images.some(({ isDamaged }) => isDamaged)) return false;
    if (!filled.every(({ isRange, ids }) => isRange && ids.length >= MIN_IDS)) return false;
    const sorted = filled.toSorted((a, b) => (a.ids[0] as number) - (b.ids[0] as number));
    const isApart = sorted.every(
      ({ ids }, at) => at === 0 || (ids[0] as number) > (sorted[at - 1]?.ids.at(-1) as number),
    );
    const isOfOne = (text: number) => this.setOfText.get(text)?.images.length === 1;
    return isApart && [...texts.keys()].every(text => !texts[text]?.rows || isOfOne(text));
  }

  /** The one image without objects is the one analyzed image without rows. */
  byAbsence(): void {
    const { texts, images } = this.group;
    if (!this.isComplete) return;
    const pair = onlyPair(
      [...texts.keys()].filter(text => !texts[text]?.rows),
      [...images.keys()].filter(image => images[image]?.objects?.ids.length === 0),
    );
    if (pair && this.isOpen(pair) && this.fits(pair)) this.tell(pair, 'empty');
  }

  /** The open pairs that fit best, if no other pair fits as well. */
  suggestions(): Pair[] {
    const found: Pair[] = [];
    const taken = new Edges();
    const isFree = ({ text, image }: Pair) =>
      this.isOpen({ text, image }) && !taken.hasText(text) && !taken.hasImage(image);
    const suggest = (pairs: Iterable<Pair>) => {
      const edges = new Edges();
      for (const pair of pairs) if (isFree(pair)) edges.add(pair);
      for (const pair of edges.only()) {
        taken.add(pair);
        found.push(pair);
      }
    };
    suggest(this.fitting.filter(({ bits }) => bits >= LIKELY_BITS));
    const equal = new Edges();
    for (const { texts, images } of this.sets) {
      const pair = onlyPair(
        texts.filter(text => this.openTexts.has(text)),
        images.filter(image => this.openImages.has(image)),
      );
      if (pair && this.fits(pair)) equal.add(pair);
    }
    const fitting = new Set(this.fitting.map(({ text, image }) => `${text} ${image}`));
    suggest([...equal.pairs()].filter(({ text, image }) => fitting.has(`${text} ${image}`)));
    suggest(this.fitting);
    suggest(equal.pairs());
    return found;
  }

  /** Why each open image isn't certain. */
  reasonOf(image: number): OpenReason {
    if (this.isTooMuch) return 'many';
    const best = this.ofImage.bestOf(image);
    if (!best) return 'none-fits';
    if (!this.hasAreas && !this.hasPositions) return 'ids-alone';
    // Where many fit, both are infinite.
    return best.bits - this.mostBesides(best) >= CERTAIN_BITS ? 'little-evidence' : 'several-fit';
  }

  /** Each text and image by its set of IDs, where it has one. */
  private sameIds(): SameIds[] {
    const byKey = new Map<string, SameIds[]>();
    const setOf = (list: ObjectList | undefined) => {
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
    this.group.texts.forEach(({ rows }, text) => {
      const same = setOf(rows);
      same?.texts.push(text);
      if (same) this.setOfText.set(text, same);
    });
    this.group.images.forEach(({ objects, isDamaged }, image) => {
      if (!isDamaged) setOf(objects)?.images.push(image);
    });
    return [...byKey.values()].flat();
  }

  /** Whether the objects have all IDs of the rows. Unreadable objects may have the missing ones. */
  private haveFittingIds(pair: Pair): boolean {
    const [rows, objects] = [this.rows(pair), this.objects(pair)];
    if (objects.hasAllOf(rows)) return true;
    const isDamaged = this.group.images[pair.image]?.isDamaged ?? false;
    return isDamaged && rows.compareIds(objects) !== 'none';
  }

  private fits({ text, image }: Pair): boolean {
    const { texts, images, mayMean } = this.group;
    return !haveOtherSizes(texts[text]?.size, images[image]?.size) && mayMean(text, image);
  }

  private rows({ text }: Pick<Pair, 'text'>): ObjectList {
    return this.group.texts[text]?.rows ?? ObjectList.EMPTY;
  }

  private objects({ image }: Pick<Pair, 'image'>): ObjectList {
    return this.group.images[image]?.objects ?? ObjectList.EMPTY;
  }

  private isOpen({ text, image }: Pair): boolean {
    return this.openTexts.has(text) && this.openImages.has(image);
  }

  private tell({ text, image }: Pair, by: DistinguishedBy, objects?: number): void {
    this.openTexts.delete(text);
    this.openImages.delete(image);
    this.told.push({ text, image, by, ...(objects !== undefined && { objects }) });
  }
}

/** A text whose IDs and areas fit an image, with how its positions do. */
interface Compared {
  of: TextEvidence;
  areas?: Fit;
  fit?: PositionFit;
  pixels?: Float64Array;
}

/** Texts whose rows have equal IDs, or one text whose IDs are no set. */
interface TextsOfIds {
  ids: SampledIds;
  texts: TextEvidence[];
}

type Numbers = Pick<SampledRows, 'areas' | 'positions'>;

/** The compared rows of texts with equal IDs, and other rows with those IDs; computed on demand. */
class SampledIds {
  private fewest: Uint32Array | undefined;
  private most: Uint32Array | undefined;
  private ofOthers: { text: number | undefined; numbers: Numbers }[] | undefined;

  constructor(
    private readonly group: SameNamed,
    readonly rows: ObjectList,
    private readonly tools: PositionTools | undefined,
    private readonly maxPositions: number,
  ) {}

  /** Places in the lists of these texts. */
  get few(): Uint32Array {
    this.fewest ??= this.rows.sample(FEW_POSITIONS);
    return this.fewest;
  }

  get places(): Uint32Array {
    this.most ??= this.rows.sample(this.maxPositions);
    return this.most;
  }

  /** Areas and positions of other texts at these IDs; NaN without any. */
  othersThan(text: number): Numbers[] {
    this.ofOthers ??= this.group.others.map(({ rows, text: other }, index) => ({
      text: other,
      numbers: this.atSameIds(rows, index),
    }));
    return this.ofOthers.flatMap(({ text: other, numbers }) => (other === text ? [] : [numbers]));
  }

  private atSameIds(other: ObjectList, index: number): Numbers {
    const { places } = this;
    const areas = new Float64Array(places.length).fill(NaN);
    const positions = new Float64Array(this.tools ? places.length * 2 : 0).fill(NaN);
    const found: number[] = [];
    const at: number[] = [];
    for (let each = 0; each < places.length; each++) {
      const there = this.rows.placeIn(other, places[each] as number);
      if (there === ObjectList.NOWHERE) continue;
      areas[each] = other.areas[there] as number;
      found.push(there);
      at.push(each);
    }
    const given = this.tools?.ofOthers(index, Uint32Array.from(found));
    at.forEach((each, from) => {
      if (given) positions.set(given.subarray(from * 2, from * 2 + 2), each * 2);
    });
    return { areas, positions };
  }
}

/** x and y, in turn, of the objects of an image, each decoded once. */
class Centroids {
  /** The position of each object in the list of the image. */
  private readonly at = new Map<number, number>();
  private readonly known: number[] = [];

  constructor(
    private readonly objects: ObjectList,
    private readonly read: (places: Uint32Array) => Promise<Float64Array>,
  ) {}

  /** Centroids of objects by the IDs of each text, once for equal IDs; NaN without any. */
  async atIds(
    pairs: readonly Compared[],
    placesOf: (ids: SampledIds) => Uint32Array,
  ): Promise<Map<SampledIds, Float64Array>> {
    const found = new Map<SampledIds, Uint32Array>();
    const missing: number[] = [];
    for (const { of } of pairs) {
      const { ids } = of;
      if (found.has(ids)) continue;
      const places = placesOf(ids).map(place => ids.rows.placeIn(this.objects, place));
      found.set(ids, places);
      for (const place of places) {
        if (place === ObjectList.NOWHERE || this.at.has(place)) continue;
        this.at.set(place, this.known.length + missing.length * 2);
        missing.push(place);
      }
    }
    for (const value of missing.length > 0 ? await this.read(Uint32Array.from(missing)) : [])
      this.known.push(value);
    const pixels = new Map<SampledIds, Float64Array>();
    for (const [ids, places] of found) {
      const ofIds = new Float64Array(places.length * 2);
      for (let each = 0; each < places.length; each++) {
        const from = this.at.get(places[each] as number);
        ofIds[each * 2] = from === undefined ? NaN : (this.known[from] as number);
        ofIds[each * 2 + 1] = from === undefined ? NaN : (this.known[from + 1] as number);
      }
      pixels.set(ids, ofIds);
    }
    return pixels;
  }
}

/** Rows whose positions are compared: x and y in turn. */
interface PositionSample {
  given: Float64Array;
  tolerances: Float64Array;
}

/** Evidence of the rows of a text, computed on demand. */
class TextEvidence {
  readonly rows: ObjectList;
  /** Undefined where the text has no areas. */
  readonly areaTolerances: Float64Array | undefined;
  readonly withoutAreas: Compared = { of: this };
  private few: PositionSample | undefined;
  private sampled: PositionSample | undefined;
  private chance: ChanceFit | undefined;

  constructor(
    group: SameNamed,
    readonly text: number,
    readonly ids: SampledIds,
    private readonly tools: PositionTools | undefined,
  ) {
    this.rows = group.texts[text]?.rows ?? ObjectList.EMPTY;
    const { areas } = this.rows;
    this.areaTolerances = areas.some(area => !Number.isNaN(area))
      ? areas.map(area => group.areas.toleranceOf(area))
      : undefined;
  }

  get fewPositions(): PositionSample {
    this.few ??= this.sample(this.ids.few);
    return this.few;
  }

  get positions(): PositionSample {
    this.sampled ??= this.sample(this.ids.places);
    return this.sampled;
  }

  /** Bits of evidence of areas and positions that fit an image's objects. */
  bitsOf({ areas, fit, pixels }: Compared, objects: ObjectList): { areas: number; positions: number } {
    const areasOf = () =>
      Float64Array.from(this.ids.places, place => {
        const at = this.rows.placeIn(objects, place);
        return at === ObjectList.NOWHERE ? NaN : (objects.areas[at] as number);
      });
    return this.chanceFit.bitsOf(
      areas && { fit: areas, pixels: areasOf() },
      fit && pixels && { fit, pixels },
    );
  }

  private sample(places: Uint32Array): PositionSample {
    if (!this.tools) return { given: new Float64Array(0), tolerances: new Float64Array(0) };
    const given = this.tools.ofRows(this.text, places);
    return { given, tolerances: positionTolerances(given, this.tools.roundings) };
  }

  private get chanceFit(): ChanceFit {
    if (this.chance) return this.chance;
    const { given: positions, tolerances } = this.positions;
    const atPlaces = (all: Float64Array) => Float64Array.from(this.ids.places, place => all[place] as number);
    const rows: SampledRows = {
      areas: atPlaces(this.rows.areas),
      positions,
      areaTolerances: atPlaces(this.areaTolerances ?? new Float64Array(0)),
      positionTolerances: tolerances,
    };
    this.chance = new ChanceFit(rows, this.ids.othersThan(this.text));
    return this.chance;
  }
}

/** Texts and images with equal sets of IDs, and one of their lists. */
interface SameIds {
  list: ObjectList;
  texts: number[];
  images: number[];
}

function toldBy(ofAreas: number, ofPositions: number): DistinguishedBy | undefined {
  if (ofAreas >= 1 && ofPositions >= 1) return 'areasAndPositions';
  if (ofAreas + ofPositions === 0) return undefined;
  return ofAreas > ofPositions ? 'areas' : 'positions';
}

function onlyPair(texts: readonly number[], images: readonly number[]): Pair | undefined {
  const [text, ...others] = texts;
  const [image, ...rivals] = images;
  if (text === undefined || image === undefined || others.length + rivals.length > 0) return undefined;
  return { text, image };
}

/** The two pairs with the most bits, of each text or of each image. */
class BestPairs {
  private readonly best = new Map<number, [first: FittingPair, second?: FittingPair]>();

  add(of: number, pair: FittingPair): void {
    const [first, second] = this.best.get(of) ?? [];
    if (!first || pair.bits > first.bits) this.best.set(of, first ? [pair, first] : [pair]);
    else if (!second || pair.bits > second.bits) this.best.set(of, [first, pair]);
  }

  bestOf(of: number): FittingPair | undefined {
    return this.best.get(of)?.[0];
  }

  /** The most bits of another pair; −Infinity without one. */
  besides(of: number, pair: FittingPair): number {
    const [first, second] = this.best.get(of) ?? [];
    return (first === pair ? second : first)?.bits ?? -Infinity;
  }
}

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
