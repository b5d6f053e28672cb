import type { CanvasFrame } from '../tiles/tileSurface';
import type { Mark } from './labelRenderer';

/** As many as the shader looks for. */
const MAX_MARKS = 2;

/** Marked objects as the shader wants them, one after the other; label 0 for none. */
export interface MarkUniforms {
  labels: Uint32Array;
  /** Red, green and blue, 0…1. */
  colors: Float32Array;
  /** Half the width of the line, and of the line with its halo, in screen pixels. */
  widths: Int32Array;
  /** x1, y1, x2, y2 on the screen, with room for the line. */
  boxes: Int32Array;
}

export function markUniforms(marks: readonly Mark[], { view, panel }: CanvasFrame): MarkUniforms {
  const labels = new Uint32Array(MAX_MARKS);
  const colors = new Float32Array(3 * MAX_MARKS);
  const widths = new Int32Array(2 * MAX_MARKS);
  const boxes = new Int32Array(4 * MAX_MARKS);
  const half = (width: number) => Math.max(1, Math.round((width * devicePixelRatio) / 2));
  // Within what a shader's integers hold, however far off the screen.
  const onScreen = (at: number, middle: number, length: number) =>
    Math.min(1e6, Math.max(-1e6, (at - middle) * view.scale + length / 2));
  marks.slice(0, MAX_MARKS).forEach(({ object, box, line, width, haloWidth }, i) => {
    const reach = half(haloWidth) + 1;
    const [x1, y1, x2, y2] = box;
    labels[i] = object + 1;
    const color = line.map(part => part / 255);
    colors.set(color, i * 3);
    widths.set([half(width), Math.max(half(width) + 1, half(haloWidth))], i * 2);
    const onPanel = [
      Math.floor(onScreen(x1, view.x, panel.width)) - reach,
      Math.floor(onScreen(y1, view.y, panel.height)) - reach,
      Math.ceil(onScreen(x2, view.x, panel.width)) + reach,
      Math.ceil(onScreen(y2, view.y, panel.height)) + reach,
    ];
    boxes.set(onPanel, i * 4);
  });
  return { labels, colors, widths, boxes };
}
