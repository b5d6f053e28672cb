/*
 * What objects tell about whether rows of a table and masks of an image are of the same image: their IDs, areas and positions.
 * A table may give areas and positions in other units, with another origin, and rounded. See docs/measurements.md, "Identity".
 */

/** Objects of an image, or rows that name one image, in the order of their IDs. */
export interface ObjectList {
  /** Ascending, none of them NaN. */
  ids: Float64Array;
  /** What the IDs lack of their integers; absent where they are exact. */
  rests?: Float64Array;
  /** NaN where unknown. */
  areas: Float64Array;
  /** Number of each object in its image, or row of the table. */
  at: Uint32Array;
  /** Whether an ID occurs twice. */
  repeats: boolean;
}

/** Makes the list of the objects at some positions of columns; those without an ID are left out. */
export function objectList(
  positions: Uint32Array,
  { ids, restOf, areas }: { ids: Float64Array; restOf?: (at: number) => number; areas?: Float64Array },
): ObjectList {
  const rest = restOf ?? (() => 0);
  const at = positions.some(position => Number.isNaN(ids[position]))
    ? positions.filter(position => !Number.isNaN(ids[position]))
    : positions.slice();
  const compare = (a: number, b: number) => (ids[a] as number) - (ids[b] as number) || rest(a) - rest(b);
  if (at.some((position, index) => index > 0 && compare(at[index - 1] as number, position) > 0))
    at.sort(compare);
  const rests = restOf && Float64Array.from(at, restOf);
  return {
    ids: Float64Array.from(at, position => ids[position] as number),
    ...(rests?.some(value => value !== 0) && { rests }),
    areas: Float64Array.from(at, position => areas?.[position] ?? NaN),
    at,
    repeats: at.some((position, index) => index > 0 && compare(at[index - 1] as number, position) === 0),
  };
}

/** How the IDs of two lists relate: the same set, some in common, or none. */
export type IdAgreement = 'equal' | 'part' | 'none';

/** Compares the IDs of rows and objects. Repeated IDs are never a set that is equal. */
export function compareIds(rows: ObjectList, objects: ObjectList): IdAgreement {
  const length = rows.ids.length;
  const canBeEqual = length === objects.ids.length && !rows.repeats && !objects.repeats;
  if (canBeEqual && length > 0) {
    let at = 0;
    while (at < length && compareAt(rows, at, objects, at) === 0) at++;
    if (at === length) return 'equal';
  }
  for (const pair of common(rows, objects)) return pair && 'part';
  return 'none';
}

/** A text that lists with the same IDs have in common, and others most probably not. */
export function keyOfIds({ ids, rests }: ObjectList): string {
  let low = 0;
  let high = 0;
  for (let at = 0; at < ids.length; at++) {
    const id = (ids[at] as number) + 0.5 * (rests?.[at] ?? 0);
    low = Math.imul(low ^ Math.trunc(id % 4294967296), 0x9e3779b1);
    high = Math.imul(high, 31) + Math.trunc((id * 1021) % 2147483647);
  }
  return `${ids.length} ${low} ${high | 0}`;
}

/** How a column's numbers were rounded when they were written: to decimals, to significant digits, or to neither. */
export interface Rounding {
  /** Half of the last decimal that occurs. */
  decimal: number;
  /** Half of the last significant digit, as a share of the leading one; 0 where there are more digits than rounding leaves. */
  significant: number;
}

/** Numbers of a column that are looked at, to see how it is rounded. */
const MAX_SAMPLE = 500;
/** Numbers with more decimals, or more significant digits, aren't rounded. */
const MAX_DECIMALS = 9;
const MAX_DIGITS = 7;

/** How the numbers of a column are rounded; NaN doesn't count. */
export function roundingOf(values: Float64Array): Rounding {
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
  return {
    decimal: decimals > MAX_DECIMALS ? 0 : 0.5 * 10 ** -decimals,
    significant: digits > MAX_DIGITS ? 0 : 0.5 * 10 ** (1 - digits),
  };
}

function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) <= 1e-9 * Math.max(1, value);
}

/** A single-precision number is off by less than this share of it. */
const FLOAT_SHARE = 1e-6;

/** How far a number may be from the one that was rounded to it. */
export function toleranceOf(value: number, { decimal, significant }: Rounding): number {
  const size = Math.abs(value);
  const leading = significant === 0 || size === 0 ? 0 : significant * 10 ** Math.floor(Math.log10(size));
  return Math.max(decimal, leading) + FLOAT_SHARE * size;
}

/** Whether areas or positions agree; unknown where too few objects could tell. */
export type Evidence = 'agree' | 'differ' | 'unknown';

/** Evidence is seen on at least as many objects of differing area, or at differing places. */
const MIN_OBJECTS = 3;

/** Whether the areas of rows are those of the objects with their IDs, up to one ratio. */
export function compareAreas(rows: ObjectList, objects: ObjectList, rounding: Rounding): Evidence {
  let least = 0;
  let most = Infinity;
  const seen = new Differing();
  for (const [row, object] of common(rows, objects)) {
    const given = rows.areas[row] as number;
    const pixels = objects.areas[object] as number;
    if (Number.isNaN(given) || !(pixels > 0)) continue;
    const tolerance = toleranceOf(given, rounding);
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
export function areaRange(
  { areas }: ObjectList,
  rounding: Rounding,
): [least: number, most: number] | undefined {
  const sums: [number, number] = [0, 0];
  const tolerances: [number, number] = [0, 0];
  for (let at = 0; at < areas.length; at++) {
    const area = areas[at] as number;
    if (!(area > 0)) return undefined;
    sums[(at & 1) as 0 | 1] += area;
    tolerances[(at & 1) as 0 | 1] += toleranceOf(area, rounding);
  }
  const [even, odd] = sums;
  if (odd <= tolerances[1]) return undefined;
  return [(even - tolerances[0]) / (odd + tolerances[1]), (even + tolerances[0]) / (odd - tolerances[1])];
}

/** Coordinates of objects of both sides, in turn. */
export interface PairedPositions {
  /** As the table gives them: x, y. */
  given: Float64Array;
  /** Of the masks, in pixels: x, y. */
  pixels: Float64Array;
  /** How the table's are rounded. */
  rounding: Rounding;
}

/** Pixels: what computing a centroid in another way may change. */
const POSITION_TOLERANCE = 0.01;

/** Whether positions of a table are those of the masks, up to one ratio for both axes and one offset for each. */
export function comparePositions({ given, pixels, rounding }: PairedPositions): Evidence {
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
    for (const each of [0, 1]) {
      const moved = at2(pixels, at, each) - at2(pixels, from, each);
      const value = at2(given, at, each);
      const expected = at2(given, from, each) + ratio * moved;
      // Both ends of the longest distance are rounded, and so is what is compared with them.
      const tolerance =
        4 * Math.max(toleranceOf(value, rounding), toleranceOf(at2(given, from, each), rounding)) +
        POSITION_TOLERANCE * ratio;
      if (Math.abs(value - expected) > tolerance) return 'differ';
    }
    seen.add(at2(given, at, axis), at2(pixels, at, axis));
  }
  return seen.isEnough ? 'agree' : 'unknown';
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

/** Whether there are enough objects for their IDs to tell images apart. */
export function hasEnoughIds({ ids }: ObjectList): boolean {
  return ids.length >= MIN_OBJECTS;
}

/** Positions in both lists of the IDs that they have in common. */
export function* common(
  rows: ObjectList,
  objects: ObjectList,
): Generator<[row: number, object: number], void> {
  const [rowCount, objectCount] = [rows.ids.length, objects.ids.length];
  let [row, object] = [0, 0];
  // Of long lists whose numbers don't meet, nothing is walked through.
  if (rowCount === 0 || objectCount === 0) return;
  if ((rows.ids[rowCount - 1] as number) < (objects.ids[0] as number)) return;
  if ((objects.ids[objectCount - 1] as number) < (rows.ids[0] as number)) return;
  while (row < rowCount && object < objectCount) {
    const order = compareAt(rows, row, objects, object);
    if (order < 0) row++;
    else if (order > 0) object++;
    else {
      // Neither of two rows, or objects, of one ID is known to be it.
      const isSingle = !isRepeated(rows, row) && !isRepeated(objects, object);
      if (isSingle) yield [row, object];
      row++;
      object += isSingle ? 1 : 0;
    }
  }
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
