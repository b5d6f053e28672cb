import { reason } from '../../../base/reasons';
import { maskFromRuns, type ObjectMask } from '../../../archives/objectMask';
import { maskPixels, type Runs, unreadableMask } from '../../../archives/runLengthEncoding';

/*
 * Masks of polygons. The pixels that a polygon covers depend on the tool that wrote it: for COCO,
 * as COCO's own code has it; for GeoJSON and regions, by the centers of pixels.
 */

/** Maximum number of points on a COCO polygon's outline: far more than the largest image needs. */
const MAX_POINTS = 2 ** 27;
/** Larger coordinates can't be of an image. */
const MAX_COORDINATE = 2 ** 26;

/**
 * The mask of the polygons of a COCO annotation: all pixels that one of them covers, exactly as
 * `rleFrPoly` of pycocotools 2.0 (common/maskApi.c). Corners are x and y in turn. Throws
 * `damaged-archive` with the reason.
 */
export function maskOfCocoPolygons(polygons: readonly unknown[], height: number, width: number): ObjectMask {
  maskPixels(height, width);
  let union: Runs | undefined;
  for (const polygon of polygons) {
    const runs = cocoPolygonRuns(cornersOf(polygon), height, width);
    union = union ? unionOf(union, runs) : runs;
  }
  if (!union) throw unreadableMask(reason('The annotation has no polygon'));
  return maskFromRuns(union, height);
}

function cornersOf(polygon: unknown): readonly number[] {
  const isList = Array.isArray(polygon) && polygon.length >= 6 && polygon.length % 2 === 0;
  if (!isList || !polygon.every(value => typeof value === 'number' && Math.abs(value) <= MAX_COORDINATE))
    throw unreadableMask(reason("The polygon's coordinates aren't valid"));
  return polygon as number[];
}

/** Steps of the outline per pixel. */
const SCALE = 5;

function cocoPolygonRuns(corners: readonly number[], height: number, width: number): Runs {
  const count = corners.length / 2;
  const x = new Float64Array(count + 1);
  const y = new Float64Array(count + 1);
  for (let n = 0; n <= count; n++) {
    const corner = n === count ? 0 : n;
    x[n] = Math.trunc(SCALE * (corners[2 * corner] as number) + 0.5);
    y[n] = Math.trunc(SCALE * (corners[2 * corner + 1] as number) + 0.5);
  }
  const positions: number[] = [];
  let points = 0;
  let lastX = 0;
  let lastY = 0;
  let isFirst = true;
  const visit = (pointX: number, pointY: number): void => {
    if (!isFirst && pointX !== lastX) {
      const column = ((pointX < lastX ? pointX : pointX - 1) + 0.5) / SCALE - 0.5;
      if (Math.floor(column) === column && column >= 0 && column <= width - 1) {
        const row = ((pointY < lastY ? pointY : lastY) + 0.5) / SCALE - 0.5;
        positions.push(column * height + Math.ceil(Math.min(height, Math.max(0, row))));
      }
    }
    isFirst = false;
    lastX = pointX;
    lastY = pointY;
  };
  for (let n = 0; n < count; n++) {
    let [startX, endX] = [x[n] as number, x[n + 1] as number];
    let [startY, endY] = [y[n] as number, y[n + 1] as number];
    const acrossX = Math.abs(endX - startX);
    const acrossY = Math.abs(endY - startY);
    const isFlat = acrossX >= acrossY;
    points += Math.max(acrossX, acrossY) + 1;
    if (points > MAX_POINTS) throw unreadableMask(reason("The polygon's coordinates aren't valid"));
    const isFlipped = isFlat ? startX > endX : startY > endY;
    if (isFlipped) {
      [startX, endX] = [endX, startX];
      [startY, endY] = [endY, startY];
    }
    const slope = isFlat ? (endY - startY) / acrossX : (endX - startX) / acrossY;
    const length = isFlat ? acrossX : acrossY;
    for (let step = 0; step <= length; step++) {
      const t = isFlipped ? length - step : step;
      // A single point has no slope: C converts 0 · NaN to an integer.
      const offset = length === 0 ? 0 : slope * t;
      if (isFlat) visit(t + startX, Math.trunc(startY + offset + 0.5));
      else visit(Math.trunc(startX + offset + 0.5), t + startY);
    }
  }
  positions.push(height * width);
  const sorted = Float64Array.from(positions).sort();
  const runs: number[] = [];
  let last = 0;
  const lengths = sorted.map(position => {
    const length = position - last;
    last = position;
    return length;
  });
  runs.push(lengths[0] as number);
  for (let i = 1; i < lengths.length;) {
    const length = lengths[i++] as number;
    if (length > 0) runs.push(length);
    else if (i < lengths.length) runs[runs.length - 1] = (runs.at(-1) ?? 0) + (lengths[i++] as number);
  }
  return Uint32Array.from(runs);
}

/** The pixels that at least one of two masks has, in the same frame. */
function unionOf(a: Runs, b: Runs): Runs {
  const runs = new Uint32Array(a.length + b.length + 1);
  let count = 0;
  let runA = 0;
  let runB = 0;
  let leftA = a[0] ?? 0;
  let leftB = b[0] ?? 0;
  let isInside = false;
  let length = 0;
  for (;;) {
    while (leftA === 0 && runA + 1 < a.length) leftA = a[++runA] as number;
    while (leftB === 0 && runB + 1 < b.length) leftB = b[++runB] as number;
    const step = leftA === 0 ? leftB : leftB === 0 ? leftA : Math.min(leftA, leftB);
    if (step === 0) break;
    const isInUnion = (leftA > 0 && runA % 2 === 1) || (leftB > 0 && runB % 2 === 1);
    if (isInUnion !== isInside) {
      runs[count++] = length;
      length = 0;
      isInside = isInUnion;
    }
    length += step;
    leftA -= Math.min(step, leftA);
    leftB -= Math.min(step, leftB);
  }
  runs[count++] = length;
  return runs.slice(0, count);
}

/** Corners of a ring, x and y in turn; the last one connects to the first. */
export type Corners = readonly number[];

/** Maximum number of columns of an object. */
const MAX_COLUMNS = 2 ** 24;
/** Maximum number of crossings of edges with the middles of columns. */
const MAX_CROSSINGS = 2 ** 26;

/**
 * The mask of rings, by the even-odd rule: a ring within another is a hole. It has the pixels at x
 * ≥ 0 and y ≥ 0 whose centers are inside, so polygons along pixel edges are covered exactly. Throws
 * `damaged-archive` with the reason.
 */
export function maskOfRings(rings: readonly Corners[]): ObjectMask {
  const spans = new Spans();
  for (const [x, { rows }] of crossingsByColumn(rings)) {
    rows.sort((a, b) => a - b);
    for (let n = 0; n + 1 < rows.length; n += 2) spans.add(x, rows[n] as number, rows[n + 1] as number);
  }
  return spans.mask;
}

/** A mask of polygons. If rings overlap, tools differ about the inside. */
interface PolygonsMask {
  mask: ObjectMask;
  overlaps: boolean;
}

/**
 * The mask of polygons: the pixels inside at least one. Within a polygon, every second nested ring
 * is a hole. A ring that is drawn twice, or crosses itself, includes all that it winds around
 * (nonzero rule). Throws `damaged-archive` with the reason.
 */
export function maskOfPolygons(polygons: readonly (readonly Corners[])[]): PolygonsMask {
  let overlaps = false;
  const rings: Corners[] = [];
  /** The polygon of each ring. */
  const polygonOf: number[] = [];
  polygons.forEach((polygon, index) => {
    const ringKeys = new Set<string>();
    for (const ring of polygon) {
      // A repeated ring isn't a hole that would empty the polygon.
      const key = polygon.length > 1 ? ring.join() : '';
      if (key !== '' && ringKeys.has(key)) {
        overlaps = true;
        continue;
      }
      ringKeys.add(key);
      rings.push(ring);
      polygonOf.push(index);
    }
  });
  const spans = new Spans();
  const sweep = new Sweep(polygonOf, polygons.length);
  for (const [x, { rows, steps }] of crossingsByColumn(rings)) {
    if (rows.length === 2) {
      // A single ring, crossed once: most columns of most objects.
      const [firstRowCrossed = 0, secondRowCrossed = 0] = rows;
      spans.add(x, Math.min(firstRowCrossed, secondRowCrossed), Math.max(firstRowCrossed, secondRowCrossed));
      continue;
    }
    const order = Array.from(rows.keys()).sort((a, b) => (rows[a] as number) - (rows[b] as number));
    order.forEach((crossing, n) => {
      sweep.cross(steps[crossing] as number);
      const from = rows[crossing] as number;
      const to = rows[order[n + 1] ?? crossing] as number;
      if (sweep.isInside) spans.add(x, from, to);
      if (sweep.isDoubtful && firstRow(from) < firstRow(to)) overlaps = true;
    });
  }
  return { mask: spans.mask, overlaps };
}

/** The rings and polygons around a point that moves down a column. Below the last edge, none. */
class Sweep {
  /** The winding number of each ring around the point. */
  private readonly windings: Int32Array;
  /** The number of rings of each polygon around the point. */
  private readonly ringsAround: Int32Array;
  /** 1 for each polygon whose outer ring is around the point. */
  private readonly inOuter: Uint8Array;
  private crossings = 0;
  /** Number of polygons around the point. */
  private insideCount = 0;
  /** Number of polygons that may or may not be around the point, depending on the rule. */
  private doubtfulCount = 0;

  constructor(
    private readonly polygonOf: readonly number[],
    polygonCount: number,
  ) {
    this.windings = new Int32Array(polygonOf.length);
    this.ringsAround = new Int32Array(polygonCount);
    this.inOuter = new Uint8Array(polygonCount);
  }

  /** Crosses an edge. `step` is the number of its ring from 1, negative for an edge to the left. */
  cross(step: number): void {
    const ring = Math.abs(step) - 1;
    const before = this.windings[ring] as number;
    const after = before + Math.sign(step);
    this.windings[ring] = after;
    this.crossings++;
    if ((before === 0) === (after === 0)) return;
    const polygon = this.polygonOf[ring] as number;
    this.count(polygon, -1);
    this.ringsAround[polygon] = (this.ringsAround[polygon] as number) + (after === 0 ? -1 : 1);
    if (this.polygonOf[ring - 1] !== polygon) this.inOuter[polygon] = after === 0 ? 0 : 1;
    this.count(polygon, 1);
  }

  get isInside(): boolean {
    return this.insideCount > 0;
  }

  /**
   * Whether the inside depends on the rule here: rings overlap, or a hole is outside its polygon.
   */
  get isDoubtful(): boolean {
    return this.doubtfulCount > 0 || this.isInside !== (this.crossings % 2 === 1);
  }

  private count(polygon: number, sign: 1 | -1): void {
    const around = this.ringsAround[polygon] as number;
    const isInside = around % 2 === 1;
    const isOuterAlone = around === 1 && this.inOuter[polygon] === 1;
    if (isInside) this.insideCount += sign;
    if (isInside !== isOuterAlone) this.doubtfulCount += sign;
  }
}

/** The first row with its center at or below a height. */
function firstRow(height: number): number {
  return Math.max(0, Math.ceil(height - 0.5));
}

/** Vertical spans of pixels, added by column, then by row. */
class Spans {
  private readonly spans: number[] = [];
  private x1 = Infinity;
  private x2 = 0;
  private y1 = Infinity;
  private y2 = 0;

  /** Adds the pixels of column x with centers between two heights. */
  add(x: number, fromHeight: number, toHeight: number): void {
    const from = firstRow(fromHeight);
    const to = firstRow(toHeight);
    if (to <= from) return;
    this.spans.push(x, from, to);
    this.x1 = Math.min(this.x1, x);
    this.x2 = Math.max(this.x2, x + 1);
    this.y1 = Math.min(this.y1, from);
    this.y2 = Math.max(this.y2, to);
  }

  get mask(): ObjectMask {
    const { spans, x1, x2, y1, y2 } = this;
    if (spans.length === 0) return { x: 0, y: 0, width: 0, height: 0, runs: new Uint32Array(0) };
    const [width, height] = [x2 - x1, y2 - y1];
    return { x: x1, y: y1, width, height, runs: runsOfSpans(spans, x1, y1, width, height) };
  }
}

/** The rows where edges cross the middle of a column; `steps` as for Sweep.cross. */
interface Crossings {
  rows: number[];
  steps: number[];
}

function crossingsByColumn(rings: readonly Corners[]): [x: number, crossings: Crossings][] {
  const columns = new Map<number, Crossings>();
  let count = 0;
  for (const [ringIndex, ring] of rings.entries()) {
    for (let corner = 0; corner < ring.length; corner += 2) {
      const next = (corner + 2) % ring.length;
      const isRight = (ring[corner] as number) < (ring[next] as number);
      // Always from left to right: two polygons with a common edge then get equal rows.
      const [from, to] = isRight ? [corner, next] : [next, corner];
      const [left, leftRow] = [ring[from] as number, ring[from + 1] as number];
      const [right, rightRow] = [ring[to] as number, ring[to + 1] as number];
      const step = isRight ? ringIndex + 1 : -ringIndex - 1;
      const first = Math.max(0, Math.ceil(left - 0.5));
      const end = Math.min(MAX_COLUMNS, Math.ceil(right - 0.5));
      count += Math.max(0, end - first);
      if (count > MAX_CROSSINGS) throw unreadableMask(reason("The polygon's coordinates aren't valid"));
      for (let x = first; x < end; x++) {
        const row = leftRow + ((x + 0.5 - left) / (right - left)) * (rightRow - leftRow);
        const crossings = columns.get(x);
        if (crossings) {
          crossings.rows.push(row);
          crossings.steps.push(step);
        } else columns.set(x, { rows: [row], steps: [step] });
      }
    }
  }
  return [...columns].sort(([a], [b]) => a - b);
}

/**
 * Column-major runs of a box. Spans are x, from, to (exclusive), sorted by x, then from, without
 * overlaps.
 */
export function runsOfSpans(
  spans: ArrayLike<number>,
  left: number,
  top: number,
  width: number,
  height: number,
): Runs {
  const runs = new Uint32Array((spans.length / 3) * 2 + 2);
  let count = 0;
  let end = 0;
  for (let i = 0; i < spans.length; i += 3) {
    const start = ((spans[i] as number) - left) * height + (spans[i + 1] as number) - top;
    const length = (spans[i + 2] as number) - (spans[i + 1] as number);
    if (start === end && count > 0) runs[count - 1] = (runs[count - 1] as number) + length;
    else {
      runs[count++] = start - end;
      runs[count++] = length;
    }
    end = start + length;
  }
  const pixelsAfter = width * height - end;
  if (pixelsAfter > 0) runs[count++] = pixelsAfter;
  return runs.slice(0, count);
}
