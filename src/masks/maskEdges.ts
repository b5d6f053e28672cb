import { forEachColumnSpan, type ObjectMask } from './objectMask';

/**
 * The vertical pixel edges between a mask and what is outside of it, each as long as it can be, directed so that the mask
 * lies to the right: edges to the west of the mask lead up, those to the east down. Edge n goes from (x, from) to (x, to).
 */
export interface MaskEdges {
  count: number;
  x: Int32Array;
  from: Int32Array;
  to: Int32Array;
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

/** Vertical spans of a mask, column by column, and which of them are connected (a union-find forest). */
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
    // The span met first stays the root, so that parts are numbered from left to right.
    this.parent.values[Math.max(first, second)] = Math.min(first, second);
  }
}

/** Finds the edges; memory and time grow with the mask's spans, not with its pixels. */
export function findMaskEdges(mask: ObjectMask): MaskEdges {
  const spans = new Spans(mask);
  const x = new Numbers();
  const from = new Numbers();
  const to = new Numbers();
  const owner = new Numbers();
  const add = (column: number, start: number, end: number, span: number) => {
    x.push(column);
    from.push(start);
    to.push(end);
    owner.push(span);
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
    const root = spans.rootOf(owner.at(edge));
    const known = parts.get(root) ?? parts.size;
    parts.set(root, known);
    part[edge] = known;
  }
  const count = x.length;
  return { count, x: x.values, from: from.values, to: to.values, part, partCount: parts.size };
}

/** Adds the edges between two adjoining columns, from top to bottom, and joins the spans that share a side. */
function compareColumns(
  spans: Spans,
  [left, leftEnd]: [number, number],
  [right, rightEnd]: [number, number],
  column: number,
  add: (column: number, from: number, to: number, span: number) => void,
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
