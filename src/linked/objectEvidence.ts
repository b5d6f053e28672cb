/*
 * What objects tell about whether rows of a table and masks of an image are of the same image: their IDs, areas and positions.
 * A table may give areas and positions in other units, with another origin, and rounded. See docs/measurements.md, "Identity".
 */

/** How the IDs of two lists relate: the same set, some in common, or none. */
export type IdAgreement = 'equal' | 'part' | 'none';

/** Whether areas or positions agree; unknown where too few objects could tell. */
export type Evidence = 'agree' | 'differ' | 'unknown';

/** Evidence is seen on at least as many objects of differing area, or at differing places. */
const MIN_OBJECTS = 3;

/** Objects of an image, or rows that name one image, in the order of their IDs. */
export class ObjectList {
  static readonly EMPTY = new ObjectList(new Float64Array(0), new Float64Array(0), new Uint32Array(0), false);

  private constructor(
    /** Ascending, none of them NaN. */
    readonly ids: Float64Array,
    /** NaN where unknown. */
    readonly areas: Float64Array,
    /** Number of each object in its image, or row of the table. */
    readonly at: Uint32Array,
    /** Whether an ID occurs twice. */
    readonly repeats: boolean,
    /** What the IDs lack of their integers; absent where they are exact. */
    readonly rests?: Float64Array,
  ) {}

  /** The list of the objects at some positions of columns; those without an ID are left out. */
  static of(
    positions: Uint32Array,
    { ids, restOf, areas }: { ids: Float64Array; restOf?: (at: number) => number; areas?: Float64Array },
  ): ObjectList {
    const rest = restOf ?? (() => 0);
    const hasId = (position: number) => !Number.isNaN(ids[position]);
    const at = positions.every(hasId) ? positions.slice() : positions.filter(hasId);
    const compare = (a: number, b: number) => (ids[a] as number) - (ids[b] as number) || rest(a) - rest(b);
    if (hasPair(at, (a, b) => compare(a, b) > 0)) at.sort(compare);
    const repeats = hasPair(at, (a, b) => compare(a, b) === 0);
    const [listIds, listAreas] = [new Float64Array(at.length), new Float64Array(at.length)];
    const rests = restOf && new Float64Array(at.length);
    for (let index = 0; index < at.length; index++) {
      const position = at[index] as number;
      listIds[index] = ids[position] as number;
      listAreas[index] = areas ? (areas[position] as number) : NaN;
      if (rests) rests[index] = restOf(position);
    }
    const hasRests = rests?.some(value => value !== 0) ?? false;
    return new ObjectList(listIds, listAreas, at, repeats, hasRests ? rests : undefined);
  }

  /** Whether there are enough objects for their IDs to tell images apart. */
  get hasEnoughIds(): boolean {
    return this.ids.length >= MIN_OBJECTS;
  }

  /** A text that lists with the same IDs have in common, and others most probably not. */
  get keyOfIds(): string {
    const { ids, rests } = this;
    let low = 0;
    let high = 0;
    for (let at = 0; at < ids.length; at++) {
      const id = (ids[at] as number) + 0.5 * (rests?.[at] ?? 0);
      low = Math.imul(low ^ Math.trunc(id % 4294967296), 0x9e3779b1);
      high = Math.imul(high, 31) + Math.trunc((id * 1021) % 2147483647);
    }
    return `${ids.length} ${low} ${high | 0}`;
  }

  /** Compares the IDs of these rows with those of objects. Repeated IDs are never a set that is equal. */
  compareIds(objects: ObjectList): IdAgreement {
    const { length } = this.ids;
    const canBeEqual = length === objects.ids.length && !this.repeats && !objects.repeats;
    if (canBeEqual && length > 0) {
      let at = 0;
      while (at < length && compareAt(this, at, objects, at) === 0) at++;
      if (at === length) return 'equal';
    }
    for (const pair of this.common(objects)) return pair && 'part';
    return 'none';
  }

  /** Positions in this list and in another of the IDs that they have in common. */
  *common(objects: ObjectList): Generator<[row: number, object: number], void> {
    const [rowCount, objectCount] = [this.ids.length, objects.ids.length];
    let [row, object] = [0, 0];
    // Of long lists whose numbers don't meet, nothing is walked through.
    if (rowCount === 0 || objectCount === 0) return;
    if ((this.ids[rowCount - 1] as number) < (objects.ids[0] as number)) return;
    if ((objects.ids[objectCount - 1] as number) < (this.ids[0] as number)) return;
    while (row < rowCount && object < objectCount) {
      const order = compareAt(this, row, objects, object);
      if (order < 0) row++;
      else if (order > 0) object++;
      else {
        // Neither of two rows, or objects, of one ID is known to be it.
        const isSingle = !isRepeated(this, row) && !isRepeated(objects, object);
        if (isSingle) yield [row, object];
        row++;
        object += isSingle ? 1 : 0;
      }
    }
  }

  /**
   * Whether the areas of these rows, with their tolerances, are those of the objects with their IDs, up to one ratio. Counts the
   * objects that it compares, so that whoever compares many lists can stop.
   */
  compareAreas(objects: ObjectList, tolerances: Float64Array, compared: { count: number }): Evidence {
    let least = 0;
    let most = Infinity;
    const seen = new Differing();
    const [rowCount, objectCount] = [this.ids.length, objects.ids.length];
    let [row, object] = [0, 0];
    while (row < rowCount && object < objectCount) {
      compared.count++;
      const order = compareAt(this, row, objects, object);
      if (order < 0) {
        row++;
        continue;
      }
      if (order > 0) {
        object++;
        continue;
      }
      const isSingle = !isRepeated(this, row) && !isRepeated(objects, object);
      const given = this.areas[row] as number;
      const pixels = objects.areas[object] as number;
      const tolerance = tolerances[row] as number;
      row++;
      if (!isSingle) continue;
      object++;
      if (Number.isNaN(given) || !(pixels > 0)) continue;
      least = Math.max(least, (given - tolerance) / pixels);
      most = Math.min(most, (given + tolerance) / pixels);
      if (least > most || most <= 0) return 'differ';
      seen.add(given, pixels);
    }
    return seen.isEnough ? 'agree' : 'unknown';
  }

  /**
   * Between which numbers the ratio of two sums of areas lies, those of every second object and of the others: it is the same in
   * all units, so lists whose ranges don't meet are of different images. Undefined where an area is missing.
   */
  areaRange(rounding: Rounding): [least: number, most: number] | undefined {
    const { areas } = this;
    const sums: [number, number] = [0, 0];
    const tolerances: [number, number] = [0, 0];
    for (let at = 0; at < areas.length; at++) {
      const area = areas[at] as number;
      if (!(area > 0)) return undefined;
      sums[(at & 1) as 0 | 1] += area;
      tolerances[(at & 1) as 0 | 1] += rounding.toleranceOf(area);
    }
    const [even, odd] = sums;
    if (odd <= tolerances[1]) return undefined;
    return [(even - tolerances[0]) / (odd + tolerances[1]), (even + tolerances[0]) / (odd - tolerances[1])];
  }
}

/** Whether two numbers that follow each other are as wanted. */
function hasPair(numbers: Uint32Array, isWanted: (a: number, b: number) => boolean): boolean {
  for (let at = 1; at < numbers.length; at++)
    if (isWanted(numbers[at - 1] as number, numbers[at] as number)) return true;
  return false;
}

function isRepeated(list: ObjectList, at: number): boolean {
  if (!list.repeats) return false;
  const isSame = (other: number) =>
    other >= 0 && other < list.ids.length && compareAt(list, at, list, other) === 0;
  return isSame(at - 1) || isSame(at + 1);
}

function compareAt(a: ObjectList, atA: number, b: ObjectList, atB: number): number {
  return (a.ids[atA] as number) - (b.ids[atB] as number) || (a.rests?.[atA] ?? 0) - (b.rests?.[atB] ?? 0);
}

/** Numbers of a column that are looked at, to see how it is rounded. */
const MAX_SAMPLE = 500;
/** Numbers with more decimals, or more significant digits, aren't rounded. */
const MAX_DECIMALS = 9;
const MAX_DIGITS = 7;
/** A single-precision number is off by less than this share of it. */
const FLOAT_SHARE = 1e-6;

/** How a column's numbers were rounded when they were written: to decimals, to significant digits, or to neither. */
export class Rounding {
  constructor(
    /** Half of the last decimal that occurs. */
    private readonly decimal: number,
    /** Half of the last significant digit, as a share of the leading one; 0 where there are more digits than rounding leaves. */
    private readonly significant: number,
  ) {}

  /** How the numbers of a column are rounded; NaN doesn't count. */
  static of(values: Float64Array): Rounding {
    const step = Math.max(1, Math.floor(values.length / MAX_SAMPLE));
    let decimals = 0;
    let digits = 1;
    for (let at = 0; at < values.length; at += step) {
      const value = Math.abs(values[at] as number);
      if (!Number.isFinite(value) || value === 0) continue;
      while (decimals <= MAX_DECIMALS && !isWhole(value * 10 ** decimals)) decimals++;
      const exponent = Math.floor(Math.log10(value));
      while (digits <= MAX_DIGITS && !isWhole(value * 10 ** (digits - 1 - exponent))) digits++;
    }
    return new Rounding(
      decimals > MAX_DECIMALS ? 0 : 0.5 * 10 ** -decimals,
      digits > MAX_DIGITS ? 0 : 0.5 * 10 ** (1 - digits),
    );
  }

  /** How far a number may be from the one that was rounded to it. */
  toleranceOf(value: number): number {
    const { decimal, significant } = this;
    const size = Math.abs(value);
    const leading = significant === 0 || size === 0 ? 0 : significant * 10 ** Math.floor(Math.log10(size));
    return Math.max(decimal, leading) + FLOAT_SHARE * size;
  }
}

function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) <= 1e-9 * Math.max(1, value);
}

/** How x and y of a table are rounded. */
export type Roundings = readonly [x: Rounding, y: Rounding];

/** Pixels: what computing a centroid in another way may change. */
const POSITION_TOLERANCE = 0.01;
/** Both ends of the longest distance are rounded, and so is what is compared with them. */
const ENDS = 4;
const AXES = [0, 1] as const;

/** x and y of some objects on the masks, in turn and in pixels. */
export class PixelPositions {
  readonly sums: PositionSums | undefined;

  constructor(readonly coordinates: Float64Array) {
    this.sums = positionSums(coordinates);
  }
}

/** x and y of some rows as the table gives them, in turn. */
export class GivenPositions {
  /** How far each may be off by rounding. */
  private readonly tolerances: Float64Array;
  private readonly sums: PositionSums | undefined;

  constructor(
    private readonly coordinates: Float64Array,
    roundings: Roundings,
  ) {
    this.tolerances = coordinates.map((value, at) => roundings[(at & 1) as 0 | 1].toleranceOf(value));
    this.sums = positionSums(coordinates, this.tolerances);
  }

  /** A text that the same positions have in common. */
  get key(): string {
    return this.coordinates.join();
  }

  /** Whether these may be those of the masks: of most that aren't it tells so without comparing them one by one. */
  mayAgree({ sums: pixels }: PixelPositions): boolean {
    const { sums: given } = this;
    if (!given || !pixels) return true;
    const size = Math.abs(pixels.x) + Math.abs(pixels.y);
    const sure = size - 2 * pixels.tolerance;
    if (sure <= 0) return true;
    const maxRatio = (Math.abs(given.x) + Math.abs(given.y) + 2 * given.tolerance) / sure;
    const off = given.tolerance + maxRatio * pixels.tolerance;
    return Math.abs(given.x * pixels.y - given.y * pixels.x) <= off * size;
  }

  /** Whether these are those of the masks, in the same order, up to one ratio for both axes and one offset for each. */
  compare({ coordinates: pixels }: PixelPositions): Evidence {
    const { coordinates: given, tolerances } = this;
    const known = Uint32Array.from({ length: given.length / 2 }, (_, at) => at).filter(at =>
      [0, 1].every(axis => Number.isFinite(given[at * 2 + axis]) && Number.isFinite(pixels[at * 2 + axis])),
    );
    const [first] = known;
    if (first === undefined) return 'unknown';
    let from = first;
    let to = first;
    let axis = 0;
    for (const each of [0, 1]) {
      let low = first;
      let high = first;
      for (const at of known) {
        if (at2(pixels, at, each) < at2(pixels, low, each)) low = at;
        if (at2(pixels, at, each) > at2(pixels, high, each)) high = at;
      }
      if (at2(pixels, high, each) - at2(pixels, low, each) <= at2(pixels, to, axis) - at2(pixels, from, axis))
        continue;
      [from, to, axis] = [low, high, each];
    }
    const spread = at2(pixels, to, axis) - at2(pixels, from, axis);
    if (spread < 1) return 'unknown';
    const ratio = (at2(given, to, axis) - at2(given, from, axis)) / spread;
    if (!(ratio > 0)) return 'differ';
    const seen = new Differing();
    for (const at of known) {
      for (const each of AXES) {
        const moved = at2(pixels, at, each) - at2(pixels, from, each);
        const value = at2(given, at, each);
        const expected = at2(given, from, each) + ratio * moved;
        const tolerance =
          ENDS * Math.max(at2(tolerances, at, each), at2(tolerances, from, each)) +
          POSITION_TOLERANCE * ratio;
        if (Math.abs(value - expected) > tolerance) return 'differ';
      }
      seen.add(at2(given, at, axis), at2(pixels, at, axis));
    }
    return seen.isEnough ? 'agree' : 'unknown';
  }
}

/** Sums of coordinates, of which every second one is subtracted: an offset doesn't change them. */
interface PositionSums {
  x: number;
  y: number;
  /** How far either may be off. */
  tolerance: number;
}

/** Undefined where a coordinate is missing. Those of masks have no tolerances. */
function positionSums(coordinates: Float64Array, tolerances?: Float64Array): PositionSums | undefined {
  const sums: [number, number] = [0, 0];
  const off: [number, number] = [0, 0];
  // As many are added as are subtracted.
  const count = coordinates.length - (coordinates.length % 4);
  for (let at = 0; at < count; at++) {
    const axis = (at & 1) as 0 | 1;
    const value = coordinates[at] as number;
    sums[axis] += (at & 2) === 0 ? value : -value;
    off[axis] += tolerances ? ENDS * (tolerances[at] as number) : POSITION_TOLERANCE;
  }
  const [x, y] = sums;
  return Number.isFinite(x + y) ? { x, y, tolerance: Math.max(...off) } : undefined;
}

function at2(coordinates: Float64Array, at: number, axis: number): number {
  return coordinates[at * 2 + axis] as number;
}

/** Whether enough objects were seen that differ, both in the table and in the masks. */
class Differing {
  private readonly given = new Set<number>();
  private readonly pixels = new Set<number>();

  add(given: number, pixels: number): void {
    if (this.given.size < MIN_OBJECTS) this.given.add(given);
    if (this.pixels.size < MIN_OBJECTS) this.pixels.add(pixels);
  }

  get isEnough(): boolean {
    return this.given.size >= MIN_OBJECTS && this.pixels.size >= MIN_OBJECTS;
  }
}

/** At most this many objects of an image are compared by their positions. */
const MAX_POSITIONS = 48;

/** Places of some of `count` items, over all of them; always the same. */
export function samplePlaces(count: number): Uint32Array {
  const step = Math.max(1, Math.ceil(count / MAX_POSITIONS));
  return Uint32Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);
}
