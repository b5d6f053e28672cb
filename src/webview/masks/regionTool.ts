import type { Frame } from './tileSurface';
import type { Point } from './viewTransform';

/** What a drag on the picture does: move it, or mark out a region. */
export type DragTool = 'move' | 'rectangle' | 'lasso';

const LEAST_STEP = 3;

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
    else if (!last || Math.hypot(to.x - last.x, to.y - last.y) * scale >= LEAST_STEP) this.points.push(to);
  }

  /** The region as corners x, y in turn; undefined while it has no inside. */
  get polygon(): number[] | undefined {
    const corners = this.corners();
    return corners.length < 3 ? undefined : corners.flatMap(({ x, y }) => [x, y]);
  }

  /** Paints its border: a white dash on a black line, to be seen on any picture. */
  paint({ context, view, panel }: Frame): void {
    const corners = this.corners();
    context.save();
    context.beginPath();
    corners.forEach(({ x, y }, at) => {
      const px = (x - view.x) * view.scale + panel.width / 2;
      const py = (y - view.y) * view.scale + panel.height / 2;
      if (at === 0) context.moveTo(px, py);
      else context.lineTo(px, py);
    });
    context.closePath();
    context.fillStyle = 'rgb(255 255 255 / 0.12)';
    context.fill();
    context.lineWidth = 1.5 * devicePixelRatio;
    context.strokeStyle = 'black';
    context.stroke();
    context.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
    context.strokeStyle = 'white';
    context.stroke();
    context.restore();
  }

  private corners(): Point[] {
    if (this.tool === 'lasso') return this.points;
    const [from, to] = this.points;
    if (!from || !to || from.x === to.x || from.y === to.y) return [];
    return [from, { x: to.x, y: from.y }, to, { x: from.x, y: to.y }];
  }
}
