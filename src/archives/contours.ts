// Contours follow the edges of pixels, not their centers: the area inside a contour is then exactly
// the number of pixels, and rasterizing it gives the mask back. The vertical edges come from the
// runs (findMaskEdges), the horizontal ones only connect their ends row by row, so nothing here
// ever needs a bitmap.
import { forEachColumnSpan, type ObjectMask } from './objectMask';

/**
 * Corners of a closed line along pixel edges: x, y, x, y, …; the first isn't repeated at the end.
 */
export type Ring = Int32Array;

/** One 4-connected part of a mask: its outline and its holes. */
export interface ContourPart {
  outer: Ring;
  holes: Ring[];
}

/**
 * Contours of a mask in image pixels, as corners only. Outer rings run clockwise on the screen (a
 * positive area by the shoelace formula, y down), holes the other way. No ring touches itself:
 * where it would, diagonally, it is split; two rings may share a corner.
 */
export function traceContours(mask: ObjectMask): ContourPart[] {
  const edges = findMaskEdges(mask);
  const { next, corners, cornerCount } = linkEdges(edges, mask.y, mask.height);
  const parts = Array.from({ length: edges.partCount }, (): ContourPart => ({
    outer: new Int32Array(0),
    holes: [],
  }));
  const visited = new Uint8Array(edges.count);
  const walk = new RingWalk(cornerCount);
  for (let first = 0; first < edges.count; first++) {
    if (visited[first] === 1) continue;
    const part = parts[edges.part[first] as number];
    if (!part) continue;
    const addRing = (ring: Ring) => {
      if (twiceArea(ring) > 0) part.outer = ring;
      else part.holes.push(ring);
    };
    for (let edge = first; visited[edge] !== 1; edge = next[edge] as number) {
      visited[edge] = 1;
      const x = edges.x[edge] as number;
      walk.visit(x, edges.startY[edge] as number, corners[edge * 2] as number, addRing);
      walk.visit(x, edges.endY[edge] as number, corners[edge * 2 + 1] as number, addRing);
    }
    addRing(walk.finish());
  }
  return parts;
}

/** Twice a ring's signed area (shoelace formula, y down: positive if clockwise on the screen). */
export function twiceArea(ring: Ring): number {
  let sum = 0;
  let x = ring.at(-2) ?? 0;
  let y = ring.at(-1) ?? 0;
  for (let index = 0; index < ring.length; index += 2) {
    const nextX = ring[index] as number;
    const nextY = ring[index + 1] as number;
    sum += x * nextY - nextX * y;
    x = nextX;
    y = nextY;
  }
  return sum;
}

interface EdgeLinks {
  /** The edge that follows each edge on its ring, after a horizontal piece. */
  next: Int32Array;
  /** The number of the diagonal touch at the start and at the end of each edge, or −1. */
  corners: Int32Array;
  cornerCount: number;
}

/** Connects the vertical edges by horizontal edges between their ends. */
function linkEdges({ count, x, startY, endY }: MaskEdges, top: number, height: number): EdgeLinks {
  // Ends of edges by row, and by column within a row: a horizontal piece joins the first and
  // second, third and fourth …
  const rowStarts = new Uint32Array(height + 2);
  for (let edge = 0; edge < count; edge++) {
    for (const y of [startY[edge] as number, endY[edge] as number])
      rowStarts[y - top + 1] = (rowStarts[y - top + 1] as number) + 1;
  }
  for (let row = 1; row < rowStarts.length; row++)
    rowStarts[row] = (rowStarts[row] as number) + (rowStarts[row - 1] as number);
  const nextPositions = rowStarts.slice();
  /** Edge × 2, + 1 for its end. */
  const ends = new Int32Array(count * 2);
  for (let edge = 0; edge < count; edge++) {
    for (const end of [0, 1]) {
      const row = ((end === 0 ? startY[edge] : endY[edge]) as number) - top;
      const position = nextPositions[row] as number;
      nextPositions[row] = position + 1;
      ends[position] = edge * 2 + end;
    }
  }
  const columnOf = (position: number) => x[(ends[position] as number) >> 1] as number;
  const leadsUp = (position: number) => {
    const edge = (ends[position] as number) >> 1;
    return (endY[edge] as number) < (startY[edge] as number);
  };
  const corners = new Int32Array(count * 2).fill(-1);
  let cornerCount = 0;
  const next = new Int32Array(count);
  for (let row = 0; row <= height; row++) {
    const start = rowStarts[row] as number;
    const end = rowStarts[row + 1] as number;
    for (let position = start; position + 1 < end; position++) {
      if (columnOf(position) !== columnOf(position + 1)) continue;
      const upper = ends[position] as number;
      const lower = ends[position + 1] as number;
      corners[upper] = cornerCount;
      corners[lower] = cornerCount++;
      // Two pixels touch diagonally and aren't connected: an edge down joins the piece on its left,
      // an edge up the piece on its right.
      if (!leadsUp(position)) continue;
      ends[position] = lower;
      ends[position + 1] = upper;
    }
    for (let position = start; position + 1 < end; position += 2) {
      const left = ends[position] as number;
      const right = ends[position + 1] as number;
      if ((left & 1) === 1) next[left >> 1] = right >> 1;
      else next[right >> 1] = left >> 1;
    }
  }
  return { next, corners, cornerCount };
}

/** Collects the corners of one ring after the other; splits off a ring where a corner repeats. */
class RingWalk {
  private points: number[] = [];
  private touches: number[] = [];
  /** The position on the ring where each diagonal touch was visited; −1 if it wasn't. */
  private readonly visitedAt: Int32Array;

  constructor(touchCount: number) {
    this.visitedAt = new Int32Array(touchCount).fill(-1);
  }

  /** Adds a corner; `touch` is the number of the diagonal touch there, or −1. */
  visit(x: number, y: number, touch: number, addRing: (ring: Ring) => void): void {
    const earlierPosition = touch < 0 ? -1 : (this.visitedAt[touch] as number);
    if (earlierPosition >= 0) {
      addRing(Int32Array.from(this.points.slice(earlierPosition * 2)));
      for (const inner of this.touches.slice(earlierPosition + 1)) if (inner >= 0) this.visitedAt[inner] = -1;
      this.points.length = earlierPosition * 2;
      this.touches.length = earlierPosition;
    }
    if (touch >= 0) this.visitedAt[touch] = this.touches.length;
    this.points.push(x, y);
    this.touches.push(touch);
  }

  /** The completed ring. */
  finish(): Ring {
    const ring = Int32Array.from(this.points);
    for (const touch of this.touches) if (touch >= 0) this.visitedAt[touch] = -1;
    this.points = [];
    this.touches = [];
    return ring;
  }
}

/**
 * The vertical pixel edges of a mask, each as long as possible. The mask lies to the right of each:
 * edges to the west of the mask lead up, those to the east down. Edge n goes from (x, startY) to
 * (x, endY).
 */
interface MaskEdges {
  count: number;
  x: Int32Array;
  startY: Int32Array;
  endY: Int32Array;
  /** The 4-connected part the edge belongs to, from 0, in the order of their first column. */
  part: Int32Array;
  partCount: number;
}

/** A growing column of whole numbers. */
class Numbers {
  values = new Int32Array(64);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Int32Array(this.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }

  at(index: number): number {
    return this.values[index] ?? 0;
  }
}

/** Vertical spans of a mask by column, and their connections (a union-find forest). */
class Spans {
  readonly x = new Numbers();
  readonly top = new Numbers();
  readonly bottom = new Numbers();
  private readonly parent = new Numbers();

  constructor(mask: ObjectMask) {
    forEachColumnSpan(mask, (x, y0, y1) => {
      this.x.push(x);
      this.top.push(y0);
      this.bottom.push(y1);
      this.parent.push(this.parent.length);
    });
  }

  get count(): number {
    return this.x.length;
  }

  /** The part a span belongs to, as the number of one of its spans. */
  rootOf(span: number): number {
    const parent = this.parent.values;
    let root = span;
    while (parent[root] !== root) {
      const next = parent[root] ?? root;
      parent[root] = parent[next] ?? next;
      root = next;
    }
    return root;
  }

  join(a: number, b: number): void {
    const first = this.rootOf(a);
    const second = this.rootOf(b);
    // The earlier span stays the root, so that parts are numbered from left to right.
    this.parent.values[Math.max(first, second)] = Math.min(first, second);
  }
}

/** Finds the edges; memory and time grow with the mask's spans, not with its pixels. */
function findMaskEdges(mask: ObjectMask): MaskEdges {
  const spans = new Spans(mask);
  const x = new Numbers();
  const startY = new Numbers();
  const endY = new Numbers();
  const spanOfEdge = new Numbers();
  const add = (column: number, start: number, end: number, span: number) => {
    x.push(column);
    startY.push(start);
    endY.push(end);
    spanOfEdge.push(span);
  };
  let leftStart = 0;
  let leftEnd = 0;
  while (leftStart < spans.count) {
    // Each round compares two adjoining columns; either of them may be empty.
    const column = leftEnd > leftStart ? spans.x.at(leftStart) + 1 : spans.x.at(leftStart);
    const rightStart = leftEnd;
    let rightEnd = rightStart;
    while (rightEnd < spans.count && spans.x.at(rightEnd) === column) rightEnd++;
    compareColumns(spans, [leftStart, leftEnd], [rightStart, rightEnd], column, add);
    // After an empty column the next one with spans follows.
    leftStart = rightStart;
    leftEnd = rightEnd;
  }
  const parts = new Map<number, number>();
  const part = new Int32Array(x.length);
  for (let edge = 0; edge < part.length; edge++) {
    const root = spans.rootOf(spanOfEdge.at(edge));
    const partOfRoot = parts.get(root) ?? parts.size;
    parts.set(root, partOfRoot);
    part[edge] = partOfRoot;
  }
  const count = x.length;
  return { count, x: x.values, startY: startY.values, endY: endY.values, part, partCount: parts.size };
}

/**
 * Adds the edges between two adjoining columns, top to bottom, and joins spans that share a side.
 */
function compareColumns(
  spans: Spans,
  [left, leftEnd]: [number, number],
  [right, rightEnd]: [number, number],
  column: number,
  add: (column: number, startY: number, endY: number, span: number) => void,
): void {
  let y = -1;
  while (left < leftEnd || right < rightEnd) {
    const leftTop = left < leftEnd ? Math.max(y, spans.top.at(left)) : Infinity;
    const rightTop = right < rightEnd ? Math.max(y, spans.top.at(right)) : Infinity;
    const leftBottom = left < leftEnd ? spans.bottom.at(left) : Infinity;
    const rightBottom = right < rightEnd ? spans.bottom.at(right) : Infinity;
    if (leftTop < rightTop) {
      y = Math.min(leftBottom, rightTop);
      add(column, leftTop, y, left);
    } else if (rightTop < leftTop) {
      y = Math.min(rightBottom, leftTop);
      add(column, y, rightTop, right);
    } else {
      y = Math.min(leftBottom, rightBottom);
      spans.join(left, right);
    }
    if (y === leftBottom) left++;
    if (y === rightBottom) right++;
  }
}
