import type { Point } from './viewTransform';

/** What a drag on the image does: move it, or mark out a region. */
export type DragTool = 'move' | 'rectangle' | 'lasso';

const MIN_STEP = 3;

/** A region being drawn, in image pixels. */
export class RegionDrawing {
  private points: Point[] = [];

  constructor(
    readonly tool: Exclude<DragTool, 'move'>,
    start: Point,
  ) {
    this.points.push(start);
  }

  /** The pointer went on; `scale` is panel pixels per image pixel. */
  extend(to: Point, scale: number): void {
    const last = this.points.at(-1);
    if (this.tool === 'rectangle') this.points = [this.points[0] ?? to, to];
    else if (!last || Math.hypot(to.x - last.x, to.y - last.y) * scale >= MIN_STEP) this.points.push(to);
  }

  /** The region as corners x, y in turn; undefined while it has no inside. */
  get polygon(): number[] | undefined {
    const { corners } = this;
    return corners.length < 3 ? undefined : corners.flatMap(({ x, y }) => [x, y]);
  }

  /** Its corners, in order; none while it has no inside. */
  get corners(): readonly Point[] {
    if (this.tool === 'lasso') return this.points;
    const [from, to] = this.points;
    if (!from || !to || from.x === to.x || from.y === to.y) return [];
    return [from, { x: to.x, y: from.y }, to, { x: from.x, y: to.y }];
  }
}
