/*
 * Evidence that rows of a table and masks are of the same image, from their objects: IDs, areas and
 * positions. The table may have other units, another origin, and rounded numbers. See
 * docs/measurements.md, "Identity".
 */

/** The relation of two lists of IDs: equal sets, some IDs in common, or none. */
type IdAgreement = 'equal' | 'part' | 'none';

/** The ratios of table numbers to pixels that all numbers allow, and the number of objects. */
export interface Fit {
  minRatio: number;
  maxRatio: number;
  count: number;
}

/** Objects of an image, or rows of one image, in the order of IDs. */
export class ObjectList {
  /** Stands for a missing index. */
  static readonly NOT_FOUND = 2 ** 32 - 1;
  static readonly EMPTY = new ObjectList(new Float64Array(0), new Float64Array(0), new Uint32Array(0), false);

  private cachedIsRange: boolean | undefined;

  private constructor(
    /** Ascending, without NaN. */
    readonly ids: Float64Array,
    /** NaN if unknown. */
    readonly areas: Float64Array,
    /** The object of the image, or row of the table, that each entry stands for. */
    readonly sourceIndexes: Uint32Array,
    /** Whether an ID is repeated. */
    readonly repeats: boolean,
    /** The difference of each ID from its double; absent if all are exact. */
    readonly residuals?: Float64Array,
  ) {}

  /** The list of objects at some indexes of columns, without objects that have no ID. */
  static of(
    indexes: Uint32Array,
    {
      ids,
      residualOf,
      areas,
    }: { ids: Float64Array; residualOf?: (index: number) => number; areas?: Float64Array },
  ): ObjectList {
    const residual = residualOf ?? (() => 0);
    const hasId = (index: number) => !Number.isNaN(ids[index]);
    const sourceIndexes = indexes.every(hasId) ? indexes.slice() : indexes.filter(hasId);
    const compare = (a: number, b: number) =>
      (ids[a] as number) - (ids[b] as number) || residual(a) - residual(b);
    if (hasPair(sourceIndexes, (a, b) => compare(a, b) > 0)) sourceIndexes.sort(compare);
    const repeats = hasPair(sourceIndexes, (a, b) => compare(a, b) === 0);
    const { length } = sourceIndexes;
    const [listIds, listAreas] = [new Float64Array(length), new Float64Array(length)];
    const residuals = residualOf && new Float64Array(length);
    for (let index = 0; index < length; index++) {
      const sourceIndex = sourceIndexes[index] as number;
      listIds[index] = ids[sourceIndex] as number;
      listAreas[index] = areas ? (areas[sourceIndex] as number) : NaN;
      if (residuals) residuals[index] = residualOf(sourceIndex);
    }
    const hasResiduals = residuals?.some(value => value !== 0) ?? false;
    return new ObjectList(listIds, listAreas, sourceIndexes, repeats, hasResiduals ? residuals : undefined);
  }

  /** A text that is equal for equal lists of IDs, and almost always different for others. */
  get keyOfIds(): string {
    const { ids, residuals } = this;
    let low = 0;
    let high = 0;
    for (let index = 0; index < ids.length; index++) {
      const id = (ids[index] as number) + 0.5 * (residuals?.[index] ?? 0);
      low = Math.imul(low ^ Math.trunc(id % 4294967296), 0x9e3779b1);
      high = Math.imul(high, 31) + Math.trunc((id * 1021) % 2147483647);
    }
    return `${ids.length} ${low} ${high | 0}`;
  }

  /**
   * Compares these rows' IDs with those of objects. Lists with repeated IDs never count as equal.
   */
  compareIds(objects: ObjectList): IdAgreement {
    const { length } = this.ids;
    const canBeEqual = length === objects.ids.length && !this.repeats && !objects.repeats;
    if (canBeEqual && length > 0) {
      let index = 0;
      while (index < length && compareAt(this, index, objects, index) === 0) index++;
      if (index === length) return 'equal';
    }
    return this.commonIndexes(objects).next().done ? 'none' : 'part';
  }

  /** The indexes of common IDs in this list and another one. */
  *commonIndexes(objects: ObjectList): Generator<[row: number, object: number], void> {
    const [rowCount, objectCount] = [this.ids.length, objects.ids.length];
    let [row, object] = [0, 0];
    // Long lists without overlapping ranges aren't searched.
    if (rowCount === 0 || objectCount === 0) return;
    if ((this.ids[rowCount - 1] as number) < (objects.ids[0] as number)) return;
    if ((objects.ids[objectCount - 1] as number) < (this.ids[0] as number)) return;
    while (row < rowCount && object < objectCount) {
      const order = compareAt(this, row, objects, object);
      if (order < 0) row++;
      else if (order > 0) object++;
      else {
        // Rows or objects with a repeated ID can't be matched.
        const isSingle = !isRepeated(this, row) && !isRepeated(objects, object);
        if (isSingle) yield [row, object];
        row++;
        object += isSingle ? 1 : 0;
      }
    }
  }

  /** Whether the IDs are consecutive integers. */
  get isRange(): boolean {
    this.cachedIsRange ??= this.findRange();
    return this.cachedIsRange;
  }

  private findRange(): boolean {
    const { ids, residuals, repeats } = this;
    const [first, last] = [ids[0], ids.at(-1)];
    if (first === undefined || last === undefined || residuals || repeats) return false;
    return Number.isSafeInteger(first) && last - first === ids.length - 1 && ids.every(Number.isInteger);
  }

  /** Quick check if this list can have all IDs of some rows, by number, first and last ID. */
  mayHaveAllOf(rows: ObjectList): boolean {
    const count = this.ids.length;
    const rowCount = rows.ids.length;
    if (rowCount === 0) return true;
    if (count === 0 || (rowCount > count && !rows.repeats)) return false;
    if ((rows.ids[0] as number) < (this.ids[0] as number)) return false;
    return (rows.ids[rowCount - 1] as number) <= (this.ids[count - 1] as number);
  }

  /** Whether this list has all IDs of some rows. */
  hasAllOf(rows: ObjectList): boolean {
    if (!this.mayHaveAllOf(rows)) return false;
    if (this.isRange && rows.isRange) return true;
    const [count, rowCount] = [this.ids.length, rows.ids.length];
    let index = 0;
    for (let row = 0; row < rowCount; row++) {
      while (index < count && compareAt(rows, row, this, index) > 0) index++;
      if (index === count || compareAt(rows, row, this, index) !== 0) return false;
    }
    return true;
  }

  /** The index of this list's ID in another list; NOT_FOUND if it is missing or repeated. */
  indexIn(other: ObjectList, index: number): number {
    if (other.isRange) {
      const offset = (this.ids[index] as number) - (other.ids[0] as number);
      const isIndex = offset >= 0 && offset < other.ids.length && Number.isInteger(offset);
      return isIndex && !this.residuals?.[index] ? offset : ObjectList.NOT_FOUND;
    }
    let low = 0;
    let high = other.ids.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareAt(other, middle, this, index) < 0) low = middle + 1;
      else high = middle;
    }
    const isFound = low < other.ids.length && compareAt(other, low, this, index) === 0;
    return isFound && !isRepeated(other, low) ? low : ObjectList.NOT_FOUND;
  }

  /**
   * Indexes of at most `count` rows, ascending, without repeated IDs. The selection depends only
   * on IDs: equal lists give equal selections, similar lists similar ones.
   */
  sample(count: number): Uint32Array {
    const total = this.ids.length;
    const allIndexes = Uint32Array.from(this.ids.keys());
    if (total <= count)
      return this.repeats ? allIndexes.filter(index => !isRepeated(this, index)) : allIndexes;
    const ranks = Float64Array.from(this.ids, rankOfId);
    // Usually enough ranks are below this, so that only a few must be sorted.
    const rankLimit = (RANKS * 3 * count) / total;
    const unrepeated = this.repeats ? allIndexes.filter(index => !isRepeated(this, index)) : allIndexes;
    const lowRanks = unrepeated.filter(index => (ranks[index] as number) < rankLimit);
    const indexes = lowRanks.length >= count ? lowRanks : unrepeated;
    indexes.sort((a, b) => (ranks[a] as number) - (ranks[b] as number) || a - b);
    return indexes.subarray(0, count).sort();
  }

  /**
   * The ratios of areas that the tolerances of these rows allow, for all objects with their IDs;
   * undefined if there are none. Counts compared objects beyond the first few, so that a caller
   * with many lists can stop.
   */
  fitAreas(objects: ObjectList, tolerances: Float64Array, compared: { count: number }): Fit | undefined {
    // Allocates nothing but the result: most of many pairs fail after a few objects.
    let minRatio = 0;
    let maxRatio = Infinity;
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
      const tableArea = this.areas[row] as number;
      const pixels = objects.areas[object] as number;
      const tolerance = tolerances[row] as number;
      row++;
      if (!isSingle) continue;
      object++;
      if (Number.isNaN(tableArea) || !(pixels > 0)) continue;
      minRatio = Math.max(minRatio, (tableArea - tolerance) / pixels);
      maxRatio = Math.min(maxRatio, (tableArea + tolerance) / pixels);
      if (minRatio > maxRatio || maxRatio <= 0) return undefined;
      count++;
    }
    return { minRatio, maxRatio, count };
  }
}

/** Number of objects that each pair of lists may compare without being counted. */
const FREE_STEPS = 8;

const RANKS = 2 ** 32;

/** A pseudo-random number below 2³² for an ID. */
function rankOfId(id: number): number {
  const low = Math.imul(Math.trunc(id % 4294967296) ^ 0x5bd1e995, 0x9e3779b1);
  return Math.imul(low ^ (low >>> 15), 0x85ebca6b) >>> 0;
}

/** Whether two consecutive numbers match a condition. */
function hasPair(numbers: Uint32Array, matches: (a: number, b: number) => boolean): boolean {
  for (let index = 1; index < numbers.length; index++)
    if (matches(numbers[index - 1] as number, numbers[index] as number)) return true;
  return false;
}

function isRepeated(list: ObjectList, index: number): boolean {
  if (!list.repeats) return false;
  const hasSameId = (other: number) =>
    other >= 0 && other < list.ids.length && compareAt(list, index, list, other) === 0;
  return hasSameId(index - 1) || hasSameId(index + 1);
}

function compareAt(a: ObjectList, indexA: number, b: ObjectList, indexB: number): number {
  return (
    (a.ids[indexA] as number) - (b.ids[indexB] as number) ||
    (a.residuals?.[indexA] ?? 0) - (b.residuals?.[indexB] ?? 0)
  );
}

/** Maximum number of a column's values that are sampled for its rounding. */
const MAX_SAMPLE = 500;
/** Minimum number of values that must all end in zeros, to count as rounded to tens or hundreds. */
const MIN_ROUNDED = 3;
const MAX_ZEROS = 6;
/** Numbers with more decimals or significant digits count as not rounded. */
const MAX_DECIMALS = 9;
const MAX_DIGITS = 7;
/** Maximum relative error of a single-precision number. */
const FLOAT_SHARE = 1e-6;

/** The rounding of a column's numbers: to decimals, to significant digits, or none. */
export class Rounding {
  constructor(
    /** Half of the last decimal. */
    private readonly decimal: number,
    /**
     * Half of the last significant digit, relative to the leading one; 0 if there are too many
     * digits.
     */
    private readonly significant: number,
  ) {}

  /** The rounding of a column's numbers; NaN is ignored. */
  static of(values: Float64Array): Rounding {
    const step = Math.max(1, Math.floor(values.length / MAX_SAMPLE));
    let decimals = -MAX_ZEROS;
    let digits = 1;
    let count = 0;
    for (let index = 0; index < values.length; index += step) {
      const value = Math.abs(values[index] as number);
      if (!Number.isFinite(value) || value === 0) continue;
      count++;
      while (decimals <= MAX_DECIMALS && !isWhole(value * 10 ** decimals)) decimals++;
      const exponent = Math.floor(Math.log10(value));
      while (digits <= MAX_DIGITS && !isWhole(value * 10 ** (digits - 1 - exponent))) digits++;
    }
    // A few numbers may end in zeros by chance.
    if (count < MIN_ROUNDED) decimals = Math.max(0, decimals);
    return new Rounding(
      decimals > MAX_DECIMALS ? 0 : 0.5 * 10 ** -decimals,
      digits > MAX_DIGITS ? 0 : 0.5 * 10 ** (1 - digits),
    );
  }

  /** The maximum rounding error of a number. */
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
