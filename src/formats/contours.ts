import { findMaskEdges, type MaskEdges } from './maskEdges';
import type { ObjectMask } from './objectMask';

/** Corners of a closed line along pixel edges as x, y, x, y, …; the first is not repeated at the end. */
export type Ring = Int32Array;

/** One 4-connected part of a mask: what surrounds it, and its holes. */
export interface ContourPart {
  outer: Ring;
  holes: Ring[];
}

/**
 * Contours of a mask in image pixels. They follow pixel edges and only corners are given, so that the area inside equals
 * the number of pixels. Outer rings run clockwise on the screen (a positive area by the shoelace formula, y down), holes
 * the other way. No ring touches itself: where it would, diagonally, it is split; two rings may share a corner.
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
    const part = parts[edges.part[first] ?? 0];
    if (!part) continue;
    const take = (ring: Ring) => {
      if (twiceArea(ring) > 0) part.outer = ring;
      else part.holes.push(ring);
    };
    for (let edge = first; visited[edge] !== 1; edge = next[edge] ?? first) {
      visited[edge] = 1;
      const x = edges.x[edge] ?? 0;
      walk.visit(x, edges.from[edge] ?? 0, corners[edge * 2] ?? -1, take);
      walk.visit(x, edges.to[edge] ?? 0, corners[edge * 2 + 1] ?? -1, take);
    }
    take(walk.finish());
  }
  return parts;
}

/** Twice the signed area inside a ring (shoelace formula, y down: positive when clockwise on the screen). */
export function twiceArea(ring: Ring): number {
  let sum = 0;
  let x = ring.at(-2) ?? 0;
  let y = ring.at(-1) ?? 0;
  for (let at = 0; at < ring.length; at += 2) {
    const nextX = ring[at] ?? 0;
    const nextY = ring[at + 1] ?? 0;
    sum += x * nextY - nextX * y;
    x = nextX;
    y = nextY;
  }
  return sum;
}

interface EdgeLinks {
  /** The edge that follows each edge on its ring, after a horizontal piece. */
  next: Int32Array;
  /** For the start and the end of each edge, the number of the diagonal touch that lies there, or −1. */
  corners: Int32Array;
  cornerCount: number;
}

/** Ties the vertical edges together by the horizontal ones between their ends. */
function linkEdges({ count, x, from, to }: MaskEdges, top: number, height: number): EdgeLinks {
  // Ends of edges by row, and by column within a row: a horizontal piece joins the first and second, third and fourth …
  const rowStarts = new Uint32Array(height + 2);
  for (let edge = 0; edge < count; edge++) {
    for (const y of [from[edge] ?? 0, to[edge] ?? 0])
      rowStarts[y - top + 1] = (rowStarts[y - top + 1] ?? 0) + 1;
  }
  for (let row = 1; row < rowStarts.length; row++)
    rowStarts[row] = (rowStarts[row] ?? 0) + (rowStarts[row - 1] ?? 0);
  const fill = rowStarts.slice();
  /** Edge × 2, + 1 for its end. */
  const ends = new Int32Array(count * 2);
  for (let edge = 0; edge < count; edge++) {
    for (const end of [0, 1]) {
      const row = ((end === 0 ? from[edge] : to[edge]) ?? 0) - top;
      const place = fill[row] ?? 0;
      fill[row] = place + 1;
      ends[place] = edge * 2 + end;
    }
  }
  const columnOf = (place: number) => x[(ends[place] ?? 0) >> 1] ?? 0;
  const leadsUp = (place: number) => {
    const edge = (ends[place] ?? 0) >> 1;
    return (to[edge] ?? 0) < (from[edge] ?? 0);
  };
  const corners = new Int32Array(count * 2).fill(-1);
  let cornerCount = 0;
  const next = new Int32Array(count);
  for (let row = 0; row <= height; row++) {
    const start = rowStarts[row] ?? 0;
    const end = rowStarts[row + 1] ?? 0;
    for (let place = start; place + 1 < end; place++) {
      if (columnOf(place) !== columnOf(place + 1)) continue;
      const upper = ends[place] ?? 0;
      const lower = ends[place + 1] ?? 0;
      corners[upper] = cornerCount;
      corners[lower] = cornerCount++;
      // Two pixels touch diagonally, and each keeps to itself: the edge that leads down goes with the piece on its left,
      // the one that leads up with the piece on its right.
      if (!leadsUp(place)) continue;
      ends[place] = lower;
      ends[place + 1] = upper;
    }
    for (let place = start; place + 1 < end; place += 2) {
      const a = ends[place] ?? 0;
      const b = ends[place + 1] ?? 0;
      if ((a & 1) === 1) next[a >> 1] = b >> 1;
      else next[b >> 1] = a >> 1;
    }
  }
  return { next, corners, cornerCount };
}

/** Collects the corners of one ring after the other, and cuts off a ring of its own wherever a corner comes again. */
class RingWalk {
  private points: number[] = [];
  private touches: number[] = [];
  /** Where on the ring each diagonal touch was passed; −1 where it was not. */
  private readonly passed: Int32Array;

  constructor(touchCount: number) {
    this.passed = new Int32Array(touchCount).fill(-1);
  }

  /** Goes on to a corner; `touch` is the number of the diagonal touch there, or −1. */
  visit(x: number, y: number, touch: number, take: (ring: Ring) => void): void {
    const before = touch < 0 ? -1 : (this.passed[touch] ?? -1);
    if (before >= 0) {
      take(Int32Array.from(this.points.slice(before * 2)));
      for (const inner of this.touches.slice(before + 1)) if (inner >= 0) this.passed[inner] = -1;
      this.points.length = before * 2;
      this.touches.length = before;
    }
    if (touch >= 0) this.passed[touch] = this.touches.length;
    this.points.push(x, y);
    this.touches.push(touch);
  }

  /** The ring walked to its end. */
  finish(): Ring {
    const ring = Int32Array.from(this.points);
    for (const touch of this.touches) if (touch >= 0) this.passed[touch] = -1;
    this.points = [];
    this.touches = [];
    return ring;
  }
}
