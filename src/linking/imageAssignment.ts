import type { OpenReason, DistinguishedBy } from './rowLinks';
import { haveOtherSizes } from '../archives/imageIdentity';
import type { ImageSize } from '../images/backgroundImageInfo';
import { ChanceFit, type SampledRows } from './chanceFit';
import { type Fit, ObjectList, type Rounding } from './objectEvidence';
import { fitPositions, type PositionFit, positionTolerances, type Roundings } from './positionEvidence';

/** A text of the table's image column, or the path of an analyzed image without rows. */
export interface NamedRows {
  /** Undefined if no row has the text. */
  rows?: ObjectList;
  /** The image size in the table; undefined if its rows have none, or several. */
  size?: ImageSize;
}

export interface NamedObjects {
  /** Undefined if the image can't be read. */
  objects?: ObjectList;
  /** Undefined if the image can't be read. */
  size?: ImageSize;
  /** Whether some objects of the image can't be read. */
  isDamaged: boolean;
}

/** Texts and images that names alone can't link. */
interface SameNamed {
  texts: readonly NamedRows[];
  images: readonly NamedObjects[];
  /** Whether the name of a text allows an image, by their indexes in the lists above. */
  isNameAllowed: (text: number, image: number) => boolean;
  /** Whether all analyzed images are known: the texts then include those without rows. */
  areItemsKnown: boolean;
  /** Whether an image of unknown name may be one of these. */
  isMissing: boolean;
  /** How the table's areas are rounded. */
  areas: Rounding;
  /** Rows of some images of any name: they show how similar images are. */
  others: readonly OtherRows[];
}

interface OtherRows {
  rows: ObjectList;
  /** The index of the text in `texts`, if it is one of them. */
  text?: number;
}

export interface Pair {
  text: number;
  image: number;
}

/** A certain pair, and the number of objects that link it. */
interface CertainPair extends Pair {
  by: DistinguishedBy;
  objects?: number;
}

interface AssignmentResult {
  certain: CertainPair[];
  /** Likely pairs to suggest to a user. */
  suggested: Pair[];
  /** The reason why an image isn't linked. */
  reasonOf: (image: number) => OpenReason;
}

interface AssignmentTools {
  /** Undefined where the table has no positions. */
  positions: () => Promise<PositionTools | undefined>;
  /** Awaited between steps: the thread can receive a cancellation then. */
  pause: () => Promise<void>;
}

/** Reads pairs of x and y, by indexes in the list of a text, of other rows or of an image. */
interface PositionTools {
  roundings: Roundings;
  ofRows: (text: number, indexes: Uint32Array) => Float64Array;
  ofOthers: (other: number, indexes: Uint32Array) => Float64Array;
  ofObjects: (image: number, indexes: Uint32Array) => Promise<Float64Array>;
}

/** Above one of these limits, no image is linked: pairs, compared objects, fitting pairs. */
const MAX_PAIRS = 30_000_000;
const MAX_COMPARED = 20_000_000;
const MAX_FITTING = 1_000_000;
/** Number of pairs that are compared between pauses. */
const PAIRS_AT_ONCE = 4096;
/**
 * Maximum number of objects of an image to compare by position: fewer next to areas, and only a few
 * in the first pass.
 */
const MAX_POSITIONS = 48;
const MAX_POSITIONS_BESIDE_AREAS = 16;
const FEW_POSITIONS = 5;
/** Bits of evidence that make a pair certain. Twice as many possible pairs need one more bit. */
const CERTAIN_BITS = 18;
/** If more texts fit an image, none is certain, and no bits are computed. */
const MAX_TIED = 16;
/** Bits of evidence that make a pair likely. */
const LIKELY_BITS = 6;
/** Minimum number of IDs: smaller sets of IDs are often equal by chance. */
const MIN_IDS = 3;

/**
 * Finds the image of each text by objects; see docs/measurements.md, "Identity". A pair is certain
 * if all evidence agrees, exceeds chance, and no other pair of the text or the image fits nearly as
 * well. The order of texts and images isn't evidence, nor is being the last pair left.
 */
export async function assignImages(group: SameNamed, tools: AssignmentTools): Promise<AssignmentResult> {
  const assignment = new Assignment(group, tools);
  await assignment.compareAll();
  assignment.assignByEvidence();
  assignment.assignByIds();
  assignment.assignEmpty();
  return {
    certain: assignment.certain,
    suggested: assignment.suggestions(),
    reasonOf: image => assignment.reasonOf(image),
  };
}

/** A text and an image that nothing contradicts. */
interface FittingPair extends Pair {
  /**
   * Bits of evidence for the pair; 0 without evidence, infinite if too many texts fit the image.
   */
  bits: number;
  by: DistinguishedBy | undefined;
  /** Number of compared objects. */
  objects: number;
}

class Assignment {
  readonly certain: CertainPair[] = [];
  private readonly openTexts: Set<number>;
  private readonly openImages: Set<number>;
  /** Whether a limit of comparisons was exceeded. */
  private isOverLimit = false;
  private fittingPairs: FittingPair[] = [];
  private readonly bestOfText = new BestPairs();
  private readonly bestOfImage = new BestPairs();
  /** The texts and images of each set of IDs. */
  private readonly idSets: readonly SameIds[];
  private readonly idSetOfText = new Map<number, SameIds>();
  private readonly hasAreas: boolean;
  private hasPositions = false;
  /** Whether every analyzed image is here and undamaged: each text then has an image here. */
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
    this.idSets = this.groupByIds();
  }

  /**
   * Collects the pairs without contradiction, with their evidence. Decodes some objects of each
   * image, once.
   */
  async compareAll(): Promise<void> {
    const { texts, images } = this.group;
    const textsWithRows = [...texts.keys()].filter(text => this.rows({ text }).ids.length > 0);
    if (textsWithRows.length * images.length > MAX_PAIRS) {
      this.isOverLimit = true;
      return;
    }
    const positions = await this.tools.positions();
    this.hasPositions = positions !== undefined;
    const compared = { count: 0 };
    const evidence = this.evidenceOf(textsWithRows, positions);
    let step = 0;
    for (const image of images.keys()) {
      const objects = this.objects({ image });
      if (objects.ids.length === 0) continue;
      const candidates: FittingCandidate[] = [];
      const isDamaged = this.group.images[image]?.isDamaged ?? false;
      for (const { ids, texts } of evidence) {
        if (!isDamaged && !objects.mayHaveAllOf(ids.rows)) continue;
        let haveFittingIds: boolean | undefined;
        // By index: with an iterator, an async function allocates an object for each pair.
        for (let index = 0; index < texts.length; index++) {
          if (step++ % PAIRS_AT_ONCE === 0) await this.tools.pause();
          const evidenceOfText = texts[index] as TextEvidence;
          const { text, rows, areaTolerances } = evidenceOfText;
          // Most pairs already differ in their first areas: IDs are searched only after them.
          const areas = areaTolerances && rows.fitAreas(objects, areaTolerances, compared);
          if (areaTolerances && !areas) continue;
          haveFittingIds ??= this.haveFittingIds({ text, image });
          if (!haveFittingIds) break;
          if (this.fits({ text, image }))
            candidates.push(areas ? { evidence: evidenceOfText, areas } : evidenceOfText.withoutAreas);
        }
      }
      const fittingCandidates = positions
        ? await this.withPositions(image, candidates, positions)
        : candidates;
      for (const pair of fittingCandidates) {
        const { text } = pair.evidence;
        if (fittingCandidates.length > MAX_TIED) {
          this.fittingPairs.push({ text, image, bits: Infinity, by: undefined, objects: 0 });
          continue;
        }
        const bits = pair.evidence.bitsOf(pair, objects);
        this.fittingPairs.push({
          text,
          image,
          bits: bits.areas + bits.positions,
          by: strongerEvidence(bits.areas, bits.positions),
          objects: pair.fit ? pair.evidence.ids.indexes.length : pair.evidence.rows.ids.length,
        });
      }
      if (compared.count > MAX_COMPARED || this.fittingPairs.length > MAX_FITTING) {
        this.isOverLimit = true;
        this.fittingPairs = [];
        return;
      }
    }
  }

  /** The evidence of texts, grouped by equal IDs, which are then looked up once. */
  private evidenceOf(texts: readonly number[], tools: PositionTools | undefined): TextsOfIds[] {
    const bySet = new Map<SameIds | number, TextsOfIds>();
    const maxPositions = this.hasAreas ? MAX_POSITIONS_BESIDE_AREAS : MAX_POSITIONS;
    for (const text of texts) {
      const set = this.idSetOfText.get(text) ?? text;
      const textsOfIds = bySet.get(set) ?? {
        ids: new SampledIds(this.group, this.rows({ text }), tools, maxPositions),
        texts: [],
      };
      bySet.set(set, textsOfIds);
      textsOfIds.texts.push(new TextEvidence(this.group, text, textsOfIds.ids, tools));
    }
    return [...bySet.values()];
  }

  /**
   * The pairs whose positions fit an image: first by a few objects, since most of many pairs fail
   * there.
   */
  private async withPositions(
    image: number,
    pairs: readonly FittingCandidate[],
    { ofObjects }: PositionTools,
  ): Promise<FittingCandidate[]> {
    const objects = this.objects({ image });
    const centroids = new Centroids(objects, indexes => ofObjects(image, indexes));
    let likelyPairs = pairs;
    if (pairs.length > 2) {
      const pixels = await centroids.atIds(pairs, ids => ids.fewIndexes);
      const fitting: FittingCandidate[] = [];
      for (const [index, pair] of pairs.entries()) {
        if ((index + 1) % PAIRS_AT_ONCE === 0) await this.tools.pause();
        const { positions: tablePositions, tolerances } = pair.evidence.fewPositions;
        if (fitPositions(tablePositions, tolerances, pixels.get(pair.evidence.ids) as Float64Array))
          fitting.push(pair);
      }
      likelyPairs = fitting;
    }
    if (likelyPairs.length === 0) return [];
    const pixelsOfIds = await centroids.atIds(likelyPairs, ids => ids.indexes);
    const fittingPairs: FittingCandidate[] = [];
    for (const [index, pair] of likelyPairs.entries()) {
      if ((index + 1) % PAIRS_AT_ONCE === 0) await this.tools.pause();
      const pixels = pixelsOfIds.get(pair.evidence.ids) as Float64Array;
      const { positions: tablePositions, tolerances } = pair.evidence.positions;
      const fit = fitPositions(tablePositions, tolerances, pixels);
      if (fit) fittingPairs.push({ ...pair, fit, pixels });
    }
    return fittingPairs;
  }

  /**
   * Takes pairs with more evidence than chance, and much more than any other pair of the text or
   * image.
   */
  assignByEvidence(): void {
    const { texts, images } = this.group;
    const minBits = CERTAIN_BITS + Math.log2(Math.max(1, texts.length * images.length));
    for (const pair of this.fittingPairs) {
      this.bestOfText.add(pair.text, pair);
      this.bestOfImage.add(pair.image, pair);
    }
    for (const pair of this.fittingPairs) {
      if (pair.bits < minBits || !pair.by) continue;
      if (pair.bits - this.bitsOfRival(pair) >= CERTAIN_BITS) this.assign(pair, pair.by, pair.objects);
    }
  }

  /** The most bits of another pair of the text or the image; −Infinity without one. */
  private bitsOfRival(pair: FittingPair): number {
    return Math.max(
      this.bestOfText.bitsOfOther(pair.text, pair),
      this.bestOfImage.bitsOfOther(pair.image, pair),
    );
  }

  /**
   * Takes pairs of equal sets of IDs, if the table has a row for each analyzed object, or if IDs
   * continue from image to image. Else a partial table, or a missing image, could have the IDs of
   * another one.
   */
  assignByIds(): void {
    if (this.isOverLimit || !(this.hasAllRows() || this.areIdsContinuous())) return;
    const fitting = new Set(this.fittingPairs.map(({ text, image }) => `${text} ${image}`));
    for (const { texts, images } of this.idSets) {
      const pair = onlyPair(texts, images);
      if (!pair || !this.isOpen(pair) || !fitting.has(`${pair.text} ${pair.image}`)) continue;
      if (this.rows(pair).ids.length >= MIN_IDS) this.assign(pair, 'ids', this.rows(pair).ids.length);
    }
  }

  /**
   * Whether the table has as many rows as the analyzed images have objects: a filtered one has
   * fewer.
   */
  private hasAllRows(): boolean {
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
   * Whether IDs continue from image to image without gaps, and each text has the IDs of one image.
   */
  private areIdsContinuous(): boolean {
    const { texts, images } = this.group;
    const nonEmpty = images.flatMap(({ objects }) => (objects && objects.ids.length > 0 ? [objects] : []));
    if (nonEmpty.length < 2 || images.some(({ isDamaged }) => isDamaged)) return false;
    if (!nonEmpty.every(({ isRange, ids }) => isRange && ids.length >= MIN_IDS)) return false;
    const sorted = nonEmpty.toSorted((a, b) => (a.ids[0] as number) - (b.ids[0] as number));
    const areDisjoint = sorted.every(
      ({ ids }, index) => index === 0 || (ids[0] as number) > (sorted[index - 1]?.ids.at(-1) as number),
    );
    const hasOneImage = (text: number) => this.idSetOfText.get(text)?.images.length === 1;
    return areDisjoint && [...texts.keys()].every(text => !texts[text]?.rows || hasOneImage(text));
  }

  /** Pairs the only text without rows with the only image without objects. */
  assignEmpty(): void {
    const { texts, images } = this.group;
    if (!this.isComplete) return;
    const pair = onlyPair(
      [...texts.keys()].filter(text => !texts[text]?.rows),
      [...images.keys()].filter(image => images[image]?.objects?.ids.length === 0),
    );
    if (pair && this.isOpen(pair) && this.fits(pair)) this.assign(pair, 'empty');
  }

  /** The unlinked pairs that fit best, if no other pair fits as well. */
  suggestions(): Pair[] {
    const suggested: Pair[] = [];
    const suggestedEdges = new Edges();
    const isFree = ({ text, image }: Pair) =>
      this.isOpen({ text, image }) && !suggestedEdges.hasText(text) && !suggestedEdges.hasImage(image);
    const suggest = (pairs: Iterable<Pair>) => {
      const edges = new Edges();
      for (const pair of pairs) if (isFree(pair)) edges.add(pair);
      for (const pair of edges.unrivaled()) {
        suggestedEdges.add(pair);
        suggested.push(pair);
      }
    };
    suggest(this.fittingPairs.filter(({ bits }) => bits >= LIKELY_BITS));
    const equalIds = new Edges();
    for (const { texts, images } of this.idSets) {
      const pair = onlyPair(
        texts.filter(text => this.openTexts.has(text)),
        images.filter(image => this.openImages.has(image)),
      );
      if (pair && this.fits(pair)) equalIds.add(pair);
    }
    const fitting = new Set(this.fittingPairs.map(({ text, image }) => `${text} ${image}`));
    suggest([...equalIds.pairs()].filter(({ text, image }) => fitting.has(`${text} ${image}`)));
    suggest(this.fittingPairs);
    suggest(equalIds.pairs());
    return suggested;
  }

  /** The reason why an image isn't linked. */
  reasonOf(image: number): OpenReason {
    if (this.isOverLimit) return 'many';
    const best = this.bestOfImage.bestOf(image);
    if (!best) return 'none-fits';
    if (!this.hasAreas && !this.hasPositions) return 'ids-alone';
    // If too many texts fit, both bits are infinite.
    return best.bits - this.bitsOfRival(best) >= CERTAIN_BITS ? 'little-evidence' : 'several-fit';
  }

  /** Groups texts and images by their sets of IDs; lists with repeated IDs are left out. */
  private groupByIds(): SameIds[] {
    const byKey = new Map<string, SameIds[]>();
    const setOf = (list: ObjectList | undefined) => {
      if (!list || list.ids.length === 0 || list.repeats) return undefined;
      const key = list.keyOfIds;
      const sameKey = byKey.get(key) ?? [];
      byKey.set(key, sameKey);
      const known = sameKey.find(({ list: other }) => list.compareIds(other) === 'equal');
      if (known) return known;
      const newSet: SameIds = { list, texts: [], images: [] };
      sameKey.push(newSet);
      return newSet;
    };
    this.group.texts.forEach(({ rows }, text) => {
      const set = setOf(rows);
      set?.texts.push(text);
      if (set) this.idSetOfText.set(text, set);
    });
    this.group.images.forEach(({ objects, isDamaged }, image) => {
      if (!isDamaged) setOf(objects)?.images.push(image);
    });
    return [...byKey.values()].flat();
  }

  /**
   * Whether the objects have all IDs of the rows; the missing ones may be of unreadable objects.
   */
  private haveFittingIds(pair: Pair): boolean {
    const [rows, objects] = [this.rows(pair), this.objects(pair)];
    if (objects.hasAllOf(rows)) return true;
    const isDamaged = this.group.images[pair.image]?.isDamaged ?? false;
    return isDamaged && rows.compareIds(objects) !== 'none';
  }

  private fits({ text, image }: Pair): boolean {
    const { texts, images, isNameAllowed } = this.group;
    return !haveOtherSizes(texts[text]?.size, images[image]?.size) && isNameAllowed(text, image);
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

  private assign({ text, image }: Pair, by: DistinguishedBy, objects?: number): void {
    this.openTexts.delete(text);
    this.openImages.delete(image);
    this.certain.push({ text, image, by, ...(objects !== undefined && { objects }) });
  }
}

/** A text whose IDs and areas fit an image, with the fit of its positions. */
interface FittingCandidate {
  evidence: TextEvidence;
  areas?: Fit;
  fit?: PositionFit;
  pixels?: Float64Array;
}

/** Texts whose rows have equal IDs; or one text whose rows repeat IDs. */
interface TextsOfIds {
  ids: SampledIds;
  texts: TextEvidence[];
}

type Numbers = Pick<SampledRows, 'areas' | 'positions'>;

/**
 * The rows of texts with equal IDs that are compared, and other texts' rows of the same IDs.
 * Computed on demand.
 */
class SampledIds {
  private cachedFewIndexes: Uint32Array | undefined;
  private cachedIndexes: Uint32Array | undefined;
  private otherNumbers: { text: number | undefined; numbers: Numbers }[] | undefined;

  constructor(
    private readonly group: SameNamed,
    readonly rows: ObjectList,
    private readonly tools: PositionTools | undefined,
    private readonly maxPositions: number,
  ) {}

  /** Indexes of a few rows in the lists of these texts. */
  get fewIndexes(): Uint32Array {
    this.cachedFewIndexes ??= this.rows.sample(FEW_POSITIONS);
    return this.cachedFewIndexes;
  }

  get indexes(): Uint32Array {
    this.cachedIndexes ??= this.rows.sample(this.maxPositions);
    return this.cachedIndexes;
  }

  /** Areas and positions of the rows of other texts with these IDs; NaN for missing rows. */
  numbersOfOthers(text: number): Numbers[] {
    this.otherNumbers ??= this.group.others.map(({ rows, text: other }, index) => ({
      text: other,
      numbers: this.atSameIds(rows, index),
    }));
    return this.otherNumbers.flatMap(({ text: other, numbers }) => (other === text ? [] : [numbers]));
  }

  private atSameIds(other: ObjectList, otherIndex: number): Numbers {
    const { indexes } = this;
    const areas = new Float64Array(indexes.length).fill(NaN);
    const positions = new Float64Array(this.tools ? indexes.length * 2 : 0).fill(NaN);
    const indexesInOther: number[] = [];
    const foundNumbers: number[] = [];
    for (let number = 0; number < indexes.length; number++) {
      const indexInOther = this.rows.indexIn(other, indexes[number] as number);
      if (indexInOther === ObjectList.NOT_FOUND) continue;
      areas[number] = other.areas[indexInOther] as number;
      indexesInOther.push(indexInOther);
      foundNumbers.push(number);
    }
    const otherPositions = this.tools?.ofOthers(otherIndex, Uint32Array.from(indexesInOther));
    foundNumbers.forEach((number, from) => {
      if (otherPositions) positions.set(otherPositions.subarray(from * 2, from * 2 + 2), number * 2);
    });
    return { areas, positions };
  }
}

/** x and y of the objects of an image, each decoded once. */
class Centroids {
  /** The index of the x of each object in `coordinates`. */
  private readonly xIndexOf = new Map<number, number>();
  private readonly coordinates: number[] = [];

  constructor(
    private readonly objects: ObjectList,
    private readonly read: (indexes: Uint32Array) => Promise<Float64Array>,
  ) {}

  /**
   * Centroids of the objects with the IDs of each text, once for equal IDs; NaN for missing
   * objects.
   */
  async atIds(
    pairs: readonly FittingCandidate[],
    indexesOf: (ids: SampledIds) => Uint32Array,
  ): Promise<Map<SampledIds, Float64Array>> {
    const objectsOfIds = new Map<SampledIds, Uint32Array>();
    const missing: number[] = [];
    for (const { evidence } of pairs) {
      const { ids } = evidence;
      if (objectsOfIds.has(ids)) continue;
      const objects = indexesOf(ids).map(index => ids.rows.indexIn(this.objects, index));
      objectsOfIds.set(ids, objects);
      for (const object of objects) {
        if (object === ObjectList.NOT_FOUND || this.xIndexOf.has(object)) continue;
        this.xIndexOf.set(object, this.coordinates.length + missing.length * 2);
        missing.push(object);
      }
    }
    for (const value of missing.length > 0 ? await this.read(Uint32Array.from(missing)) : [])
      this.coordinates.push(value);
    const pixels = new Map<SampledIds, Float64Array>();
    for (const [ids, objects] of objectsOfIds) {
      const centroids = new Float64Array(objects.length * 2);
      for (let index = 0; index < objects.length; index++) {
        const xIndex = this.xIndexOf.get(objects[index] as number);
        centroids[index * 2] = xIndex === undefined ? NaN : (this.coordinates[xIndex] as number);
        centroids[index * 2 + 1] = xIndex === undefined ? NaN : (this.coordinates[xIndex + 1] as number);
      }
      pixels.set(ids, centroids);
    }
    return pixels;
  }
}

/** The positions of the compared rows: pairs of x and y. */
interface PositionSample {
  positions: Float64Array;
  tolerances: Float64Array;
}

/** Evidence of the rows of a text, computed on demand. */
class TextEvidence {
  readonly rows: ObjectList;
  /** Undefined where the text has no areas. */
  readonly areaTolerances: Float64Array | undefined;
  readonly withoutAreas: FittingCandidate = { evidence: this };
  private cachedFewPositions: PositionSample | undefined;
  private cachedPositions: PositionSample | undefined;
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
    this.cachedFewPositions ??= this.sample(this.ids.fewIndexes);
    return this.cachedFewPositions;
  }

  get positions(): PositionSample {
    this.cachedPositions ??= this.sample(this.ids.indexes);
    return this.cachedPositions;
  }

  /** Bits of evidence from areas and positions, for an image that they fit. */
  bitsOf(
    { areas, fit, pixels }: FittingCandidate,
    objects: ObjectList,
  ): { areas: number; positions: number } {
    const areasOfObjects = () =>
      Float64Array.from(this.ids.indexes, index => {
        const object = this.rows.indexIn(objects, index);
        return object === ObjectList.NOT_FOUND ? NaN : (objects.areas[object] as number);
      });
    return this.chanceFit.bitsOf(
      areas && { fit: areas, pixels: areasOfObjects() },
      fit && pixels && { fit, pixels },
    );
  }

  private sample(indexes: Uint32Array): PositionSample {
    if (!this.tools) return { positions: new Float64Array(0), tolerances: new Float64Array(0) };
    const positions = this.tools.ofRows(this.text, indexes);
    return { positions, tolerances: positionTolerances(positions, this.tools.roundings) };
  }

  private get chanceFit(): ChanceFit {
    if (this.chance) return this.chance;
    const { positions, tolerances } = this.positions;
    const sample = (values: Float64Array) =>
      Float64Array.from(this.ids.indexes, index => values[index] as number);
    const rows: SampledRows = {
      areas: sample(this.rows.areas),
      positions,
      areaTolerances: sample(this.areaTolerances ?? new Float64Array(0)),
      positionTolerances: tolerances,
    };
    this.chance = new ChanceFit(rows, this.ids.numbersOfOthers(this.text));
    return this.chance;
  }
}

/** The texts and images with an equal set of IDs, and one of their lists. */
interface SameIds {
  list: ObjectList;
  texts: number[];
  images: number[];
}

function strongerEvidence(areaBits: number, positionBits: number): DistinguishedBy | undefined {
  if (areaBits >= 1 && positionBits >= 1) return 'areasAndPositions';
  if (areaBits + positionBits === 0) return undefined;
  return areaBits > positionBits ? 'areas' : 'positions';
}

function onlyPair(texts: readonly number[], images: readonly number[]): Pair | undefined {
  const [text, ...otherTexts] = texts;
  const [image, ...otherImages] = images;
  if (text === undefined || image === undefined || otherTexts.length + otherImages.length > 0)
    return undefined;
  return { text, image };
}

/** The two pairs with the most bits of each text, or of each image. */
class BestPairs {
  private readonly bestTwo = new Map<number, [first: FittingPair, second?: FittingPair]>();

  add(key: number, pair: FittingPair): void {
    const [first, second] = this.bestTwo.get(key) ?? [];
    if (!first || pair.bits > first.bits) this.bestTwo.set(key, first ? [pair, first] : [pair]);
    else if (!second || pair.bits > second.bits) this.bestTwo.set(key, [first, pair]);
  }

  bestOf(key: number): FittingPair | undefined {
    return this.bestTwo.get(key)?.[0];
  }

  /** The bits of the best other pair; −Infinity without one. */
  bitsOfOther(key: number, pair: FittingPair): number {
    const [first, second] = this.bestTwo.get(key) ?? [];
    return (first === pair ? second : first)?.bits ?? -Infinity;
  }
}

/** Pairs as the edges of a graph: a pair is certain if it shares no side with another. */
class Edges {
  private readonly texts: number[] = [];
  private readonly images: number[] = [];
  private readonly countOfText = new Map<number, number>();
  private readonly countOfImage = new Map<number, number>();

  add({ text, image }: Pair): void {
    this.texts.push(text);
    this.images.push(image);
    this.countOfText.set(text, (this.countOfText.get(text) ?? 0) + 1);
    this.countOfImage.set(image, (this.countOfImage.get(image) ?? 0) + 1);
  }

  hasText(text: number): boolean {
    return this.countOfText.has(text);
  }

  hasImage(image: number): boolean {
    return this.countOfImage.has(image);
  }

  *pairs(): Generator<Pair, void> {
    for (const [index, text] of this.texts.entries()) yield { text, image: this.images[index] ?? -1 };
  }

  unrivaled(): Pair[] {
    const unrivaledPairs: Pair[] = [];
    for (const pair of this.pairs())
      if (this.countOfText.get(pair.text) === 1 && this.countOfImage.get(pair.image) === 1)
        unrivaledPairs.push(pair);
    return unrivaledPairs;
  }
}
