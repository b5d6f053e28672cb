import type { CanvasFrame } from '../tiles/tileSurface';
import type { Point } from './viewTransform';

/** Paints the border of a region that is being drawn: a white dash on a black line, to be seen on any image. */
export function paintRegion({ context, view, panel }: CanvasFrame, corners: readonly Point[]): void {
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
