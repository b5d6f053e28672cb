import { reason } from '../../../base/reasons';
import { maskFromRuns, type ObjectMask } from '../../../masks/objectMask';
import { maskPixels, type Runs, unreadableMask } from '../../../masks/runLengthEncoding';

/*
 * Masks of polygons. Which pixels a polygon covers depends on the tool that wrote it, so there are two ways: as COCO's own
 * code has it, for COCO, and by the centers of pixels, for GeoJSON and for regions.
 */

/** Points on the outline of a COCO polygon that are looked at: far more than the largest image needs. */
const MAX_POINTS = 2 ** 27;
/** Coordinates beyond can't be of an image. */
const MAX_COORDINATE = 2 ** 26;

/**
 * The mask of polygons of a COCO annotation: all pixels that any of them covers, where each covers what `rleFrPoly` of
 * pycocotools 2.0 (common/maskApi.c) says, to the pixel. Corners are x, y in turn. Throws `damaged-archive` with the reason.
 */
export function maskOfCocoPolygons(polygons: readonly unknown[], height: number, width: number): ObjectMask {
  maskPixels(height, width);
  let all: Runs | undefined;
  for (const polygon of polygons) {
    const runs = cocoPolygonRuns(cornersOf(polygon), height, width);
    all = all ? unionOf(all, runs) : runs;
  }
  if (!all) throw unreadableMask(reason('polygon-missing'));
  return maskFromRuns(all, height);
}

function cornersOf(polygon: unknown): readonly number[] {
  const isList = Array.isArray(polygon) && polygon.length >= 6 && polygon.length % 2 === 0;
  if (!isList || !polygon.every(value => typeof value === 'number' && Math.abs(value) <= MAX_COORDINATE))
    throw unreadableMask(reason('polygon-invalid'));
  return polygon as number[];
}

/** Steps of the outline in a pixel. */
const SCALE = 5;

function cocoPolygonRuns(corners: readonly number[], height: number, width: number): Runs {
  const count = corners.length / 2;
  const x = new Float64Array(count + 1);
  const y = new Float64Array(count + 1);
  for (let n = 0; n <= count; n++) {
    const at = n === count ? 0 : n;
    x[n] = Math.trunc(SCALE * (corners[2 * at] as number) + 0.5);
    y[n] = Math.trunc(SCALE * (corners[2 * at + 1] as number) + 0.5);
  }
  const places: number[] = [];
  let points = 0;
  let beforeX = 0;
  let beforeY = 0;
  let isFirst = true;
  const visit = (pointX: number, pointY: number): void => {
    if (!isFirst && pointX !== beforeX) {
      const column = ((pointX < beforeX ? pointX : pointX - 1) + 0.5) / SCALE - 0.5;
      if (Math.floor(column) === column && column >= 0 && column <= width - 1) {
        const row = ((pointY < beforeY ? pointY : beforeY) + 0.5) / SCALE - 0.5;
        places.push(column * height + Math.ceil(Math.min(height, Math.max(0, row))));
      }
    }
    isFirst = false;
    beforeX = pointX;
    beforeY = pointY;
  };
  for (let n = 0; n < count; n++) {
    let [startX, endX] = [x[n] as number, x[n + 1] as number];
    let [startY, endY] = [y[n] as number, y[n + 1] as number];
    const acrossX = Math.abs(endX - startX);
    const acrossY = Math.abs(endY - startY);
    const isFlat = acrossX >= acrossY;
    points += Math.max(acrossX, acrossY) + 1;
    if (points > MAX_POINTS) throw unreadableMask(reason('polygon-invalid'));
    const isFlipped = isFlat ? startX > endX : startY > endY;
    if (isFlipped) {
      [startX, endX] = [endX, startX];
      [startY, endY] = [endY, startY];
    }
    const slope = isFlat ? (endY - startY) / acrossX : (endX - startX) / acrossY;
    const length = isFlat ? acrossX : acrossY;
    for (let step = 0; step <= length; step++) {
      const t = isFlipped ? length - step : step;
      // A single point has no slope: 0 · NaN, which C makes an integer as well.
      const off = length === 0 ? 0 : slope * t;
      if (isFlat) visit(t + startX, Math.trunc(startY + off + 0.5));
      else visit(Math.trunc(startX + off + 0.5), t + startY);
    }
  }
  places.push(height * width);
  const sorted = Float64Array.from(places).sort();
  const runs: number[] = [];
  let last = 0;
  const lengths = sorted.map(place => {
    const length = place - last;
    last = place;
    return length;
  });
  runs.push(lengths[0] as number);
  for (let at = 1; at < lengths.length;) {
    const length = lengths[at++] as number;
    if (length > 0) runs.push(length);
    else if (at < lengths.length) runs[runs.length - 1] = (runs.at(-1) ?? 0) + (lengths[at++] as number);
  }
  return Uint32Array.from(runs);
}

/** All pixels that either mask has, of the same frame. */
function unionOf(a: Runs, b: Runs): Runs {
  const runs = new Uint32Array(a.length + b.length + 1);
  let count = 0;
  let atA = 0;
  let atB = 0;
  let leftA = a[0] ?? 0;
  let leftB = b[0] ?? 0;
  let isInside = false;
  let length = 0;
  for (;;) {
    while (leftA === 0 && atA + 1 < a.length) leftA = a[++atA] as number;
    while (leftB === 0 && atB + 1 < b.length) leftB = b[++atB] as number;
    const step = leftA === 0 ? leftB : leftB === 0 ? leftA : Math.min(leftA, leftB);
    if (step === 0) break;
    const inside = (leftA > 0 && atA % 2 === 1) || (leftB > 0 && atB % 2 === 1);
    if (inside !== isInside) {
      runs[count++] = length;
      length = 0;
      isInside = inside;
    }
    length += step;
    leftA -= Math.min(step, leftA);
    leftB -= Math.min(step, leftB);
  }
  runs[count++] = length;
  return runs.slice(0, count);
}

/** Corners of a ring, x, y in turn; the last is joined to the first. */
export type Corners = readonly number[];

/** Columns of one object: more than any image has. */
const MAX_COLUMNS = 2 ** 24;
/** Crossings of edges with the middles of columns. */
const MAX_CROSSINGS = 2 ** 26;

/**
 * The mask of rings, inside by the even-odd rule (so that a ring within another is a hole): the pixels whose centers they hold,
 * at x ≥ 0 and y ≥ 0. A polygon along pixel edges is covered exactly. Throws `damaged-archive` with the reason.
 */
export function maskOfRings(rings: readonly Corners[]): ObjectMask {
  const columns = crossingsByColumn(rings);
  let x1 = Infinity;
  let x2 = 0;
  let y1 = Infinity;
  let y2 = 0;
  const spans: number[] = [];
  for (const [x, crossings] of columns) {
    crossings.sort((one, other) => one - other);
    for (let n = 0; n + 1 < crossings.length; n += 2) {
      const from = Math.max(0, Math.ceil((crossings[n] as number) - 0.5));
      const to = Math.max(0, Math.ceil((crossings[n + 1] as number) - 0.5));
      if (to <= from) continue;
      spans.push(x, from, to);
      x1 = Math.min(x1, x);
      x2 = Math.max(x2, x + 1);
      y1 = Math.min(y1, from);
      y2 = Math.max(y2, to);
    }
  }
  if (spans.length === 0) return { x: 0, y: 0, width: 0, height: 0, runs: new Uint32Array(0) };
  const height = y2 - y1;
  return { x: x1, y: y1, width: x2 - x1, height, runs: runsOfSpans(spans, x1, y1, x2 - x1, height) };
}

/** The rows at which edges cross the middle of each column, by column. */
function crossingsByColumn(rings: readonly Corners[]): [x: number, rows: number[]][] {
  const columns = new Map<number, number[]>();
  let count = 0;
  for (const ring of rings) {
    for (let at = 0; at < ring.length; at += 2) {
      const next = (at + 2) % ring.length;
      const [fromX, fromY] = [ring[at] as number, ring[at + 1] as number];
      const [toX, toY] = [ring[next] as number, ring[next + 1] as number];
      const [left, right] = fromX < toX ? [fromX, toX] : [toX, fromX];
      const first = Math.max(0, Math.ceil(left - 0.5));
      const end = Math.min(MAX_COLUMNS, Math.ceil(right - 0.5));
      count += Math.max(0, end - first);
      if (count > MAX_CROSSINGS) throw unreadableMask(reason('polygon-invalid'));
      for (let x = first; x < end; x++) {
        const row = fromY + ((x + 0.5 - fromX) / (toX - fromX)) * (toY - fromY);
        const known = columns.get(x);
        if (known) known.push(row);
        else columns.set(x, [row]);
      }
    }
  }
  return [...columns].sort(([one], [other]) => one - other);
}

/** Column-major runs of a box from spans x, from, to (exclusive), by x, then from; they don't overlap. */
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
  for (let at = 0; at < spans.length; at += 3) {
    const start = ((spans[at] as number) - left) * height + (spans[at + 1] as number) - top;
    const length = (spans[at + 2] as number) - (spans[at + 1] as number);
    if (start === end && count > 0) runs[count - 1] = (runs[count - 1] as number) + length;
    else {
      runs[count++] = start - end;
      runs[count++] = length;
    }
    end = start + length;
  }
  const rest = width * height - end;
  if (rest > 0) runs[count++] = rest;
  return runs.slice(0, count);
}
