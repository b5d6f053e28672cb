/*
 * Evidence from objects that rows of a table and masks are of the same image: IDs, areas and
 * positions. A table may give areas and positions in other units, with another origin, and rounded.
 * See docs/measurements.md, "Identity".
 */

/** How the IDs of two lists relate: the same set, some in common, or none. */
type IdAgreement = 'equal' | 'part' | 'none';

/** The ratios of table numbers to pixels that all numbers allow; of how many objects. */
export interface Fit {
  least: number;
  most: number;
  count: number;
}

/** Objects of an image, or rows that name one image, in the order of their IDs. */
export class ObjectList {
  /** No place of a list. */
  static readonly NOWHERE = 2 ** 32 - 1;
  static readonly EMPTY = new ObjectList(new Float64Array(0), new Float64Array(0), new Uint32Array(0), false);

  private range: boolean | undefined;

  private constructor(
    /** Ascending, without NaN. */
    readonly ids: Float64Array,
    /** NaN where unknown. */
    readonly areas: Float64Array,
    /** Number of each object in its image, or row of the table. */
    readonly at: Uint32Array,
    /** Whether an ID occurs twice. */
    readonly repeats: boolean,
    /** The differences of IDs from their integers; absent if they are exact. */
    readonly rests?: Float64Array,
  ) {}

  /** The list of objects at some positions of columns, without those that have no ID. */
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

  /** A text that is the same for equal lists of IDs, and most probably not for others. */
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

  /** Compares IDs of these rows with those of objects. Repeated IDs never count as an equal set. */
  compareIds(objects: ObjectList): IdAgreement {
    const { length } = this.ids;
    const canBeEqual = length === objects.ids.length && !this.repeats && !objects.repeats;
    if (canBeEqual && length > 0) {
      let at = 0;
      while (at < length && compareAt(this, at, objects, at) === 0) at++;
      if (at === length) return 'equal';
    }
    return this.common(objects).next().done ? 'none' : 'part';
  }

  /** The positions of common IDs in this list and in another. */
  *common(objects: ObjectList): Generator<[row: number, object: number], void> {
    const [rowCount, objectCount] = [this.ids.length, objects.ids.length];
    let [row, object] = [0, 0];
    // Long lists whose ranges don't meet aren't searched.
    if (rowCount === 0 || objectCount === 0) return;
    if ((this.ids[rowCount - 1] as number) < (objects.ids[0] as number)) return;
    if ((objects.ids[objectCount - 1] as number) < (this.ids[0] as number)) return;
    while (row < rowCount && object < objectCount) {
      const order = compareAt(this, row, objects, object);
      if (order < 0) row++;
      else if (order > 0) object++;
      else {
        // Of two rows, or objects, with one ID neither is certain.
        const isSingle = !isRepeated(this, row) && !isRepeated(objects, object);
        if (isSingle) yield [row, object];
        row++;
        object += isSingle ? 1 : 0;
      }
    }
  }

  /** Whether the IDs are all integers from the first to the last. */
  get isRange(): boolean {
    this.range ??= this.findRange();
    return this.range;
  }

  private findRange(): boolean {
    const { ids, rests, repeats } = this;
    const [first, last] = [ids[0], ids.at(-1)];
    if (first === undefined || last === undefined || rests || repeats) return false;
    return Number.isSafeInteger(first) && last - first === ids.length - 1 && ids.every(Number.isInteger);
  }

  /** Whether number, first and last of some IDs allow others than these among them. */
  mayHaveAllOf(rows: ObjectList): boolean {
    const count = this.ids.length;
    const rowCount = rows.ids.length;
    if (rowCount === 0) return true;
    if (count === 0 || (rowCount > count && !rows.repeats)) return false;
    if ((rows.ids[0] as number) < (this.ids[0] as number)) return false;
    return (rows.ids[rowCount - 1] as number) <= (this.ids[count - 1] as number);
  }

  /** Whether all IDs of some rows are among these. */
  hasAllOf(rows: ObjectList): boolean {
    if (!this.mayHaveAllOf(rows)) return false;
    if (this.isRange && rows.isRange) return true;
    const [count, rowCount] = [this.ids.length, rows.ids.length];
    let at = 0;
    for (let row = 0; row < rowCount; row++) {
      while (at < count && compareAt(rows, row, this, at) > 0) at++;
      if (at === count || compareAt(rows, row, this, at) !== 0) return false;
    }
    return true;
  }

  /** The position of this list's ID in another; NOWHERE if it is absent or repeated. */
  placeIn(other: ObjectList, place: number): number {
    if (other.isRange) {
      const at = (this.ids[place] as number) - (other.ids[0] as number);
      const isThere = at >= 0 && at < other.ids.length && Number.isInteger(at) && !this.rests?.[place];
      return isThere ? at : ObjectList.NOWHERE;
    }
    let low = 0;
    let high = other.ids.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareAt(other, middle, this, place) < 0) low = middle + 1;
      else high = middle;
    }
    const isFound = low < other.ids.length && compareAt(other, low, this, place) === 0;
    return isFound && !isRepeated(other, low) ? low : ObjectList.NOWHERE;
  }

  /**
   * Positions of at most `count` rows, ascending, without repeated IDs. The selection depends on
   * IDs only: equal lists give equal ones, similar lists similar ones.
   */
  sample(count: number): Uint32Array {
    const total = this.ids.length;
    const all = Uint32Array.from(this.ids.keys());
    if (total <= count) return this.repeats ? all.filter(at => !isRepeated(this, at)) : all;
    const ranks = Float64Array.from(this.ids, mixed);
    // Nearly always enough are below this rank, so that few are sorted.
    const enough = (RANKS * 3 * count) / total;
    const single = this.repeats ? all.filter(at => !isRepeated(this, at)) : all;
    const lowest = single.filter(at => (ranks[at] as number) < enough);
    const places = lowest.length >= count ? lowest : single;
    places.sort((a, b) => (ranks[a] as number) - (ranks[b] as number) || a - b);
    return places.subarray(0, count).sort();
  }

  /**
   * The ratios of area within the tolerances of these rows, for all objects with their IDs;
   * undefined without any. Counts objects beyond the first few, so that a caller with many lists
   * can stop.
   */
  fitAreas(objects: ObjectList, tolerances: Float64Array, compared: { count: number }): Fit | undefined {
    // Nothing is made here but the answer: of many pairs, most end after a few objects.
    let least = 0;
    let most = Infinity;
    let count = 0;
    const rowCount = this.ids.length;
    const objectCount = objects.ids.length;
    const isPlain = this.isRange && objects.isRange;
    let row = 0;
    let object = isPlain ? Math.max(0, (this.ids[0] as number) - (objects.ids[0] as number)) : 0;
    if (isPlain) row = Math.max(0, (objects.ids[0] as number) - (this.ids[0] as number));
    let steps = 0;
    while (row < rowCount && object < objectCount) {
      if (++steps > FREE_STEPS) compared.count++;
      const order = isPlain ? 0 : compareAt(this, row, objects, object);
      if (order < 0) {
        row++;
        continue;
      }
      if (order > 0) {
        object++;
        continue;
      }
      const isSingle = isPlain || (!isRepeated(this, row) && !isRepeated(objects, object));
      const given = this.areas[row] as number;
      const pixels = objects.areas[object] as number;
      const tolerance = tolerances[row] as number;
      row++;
      if (!isSingle) continue;
      object++;
      if (Number.isNaN(given) || !(pixels > 0)) continue;
      least = Math.max(least, (given - tolerance) / pixels);
      most = Math.min(most, (given + tolerance) / pixels);
      if (least > most || most <= 0) return undefined;
      count++;
    }
    return { least, most, count };
  }
}

/** Objects that each pair of lists may compare before it counts as work. */
const FREE_STEPS = 8;

const RANKS = 2 ** 32;

/** A number below 2³² that depends on an ID, and seems not to. */
function mixed(id: number): number {
  const low = Math.imul(Math.trunc(id % 4294967296) ^ 0x5bd1e995, 0x9e3779b1);
  return Math.imul(low ^ (low >>> 15), 0x85ebca6b) >>> 0;
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
/** Numbers count as rounded to tens, hundreds and so on if this many or more all end in zeros. */
const MIN_ROUNDED = 3;
const MAX_ZEROS = 6;
/** Numbers with more decimals, or more significant digits, aren't rounded. */
const MAX_DECIMALS = 9;
const MAX_DIGITS = 7;
/** A single-precision number is off by less than this share of it. */
const FLOAT_SHARE = 1e-6;

/** How a column's numbers were rounded: to decimals, to significant digits, or not at all. */
export class Rounding {
  constructor(
    /** Half of the last decimal that occurs. */
    private readonly decimal: number,
    /**
     * Half of the last significant digit, relative to the leading one; 0 for more digits than
     * rounding leaves.
     */
    private readonly significant: number,
  ) {}

  /** How the numbers of a column are rounded; NaN doesn't count. */
  static of(values: Float64Array): Rounding {
    const step = Math.max(1, Math.floor(values.length / MAX_SAMPLE));
    let decimals = -MAX_ZEROS;
    let digits = 1;
    let seen = 0;
    for (let at = 0; at < values.length; at += step) {
      const value = Math.abs(values[at] as number);
      if (!Number.isFinite(value) || value === 0) continue;
      seen++;
      while (decimals <= MAX_DECIMALS && !isWhole(value * 10 ** decimals)) decimals++;
      const exponent = Math.floor(Math.log10(value));
      while (digits <= MAX_DIGITS && !isWhole(value * 10 ** (digits - 1 - exponent))) digits++;
    }
    // A few numbers may end in zeros by chance.
    if (seen < MIN_ROUNDED) decimals = Math.max(0, decimals);
    return new Rounding(
      decimals > MAX_DECIMALS ? 0 : 0.5 * 10 ** -decimals,
      digits > MAX_DIGITS ? 0 : 0.5 * 10 ** (1 - digits),
    );
  }

  /** The largest distance of a number from its rounded one. */
  toleranceOf(value: number): number {
    const { decimal, significant } = this;
    const size = Math.abs(value);
    const leading = significant === 0 || size === 0 ? 0 : significant * 10 ** Math.floor(Math.log10(size));
    return Math.max(decimal, leading) + FLOAT_SHARE * size;
  }
}

function isWhole(value: number): boolean {
  const whole = Math.round(value);
  return whole > 0 && Math.abs(value - whole) <= 1e-9 * Math.max(1, value);
}
