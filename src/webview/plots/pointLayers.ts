import { svg } from '../widgets/svg';

/** Dots that a saved SVG has one by one; of more it has an image. */
const MAX_SVG_DOTS = 20_000;
/** Pixels of such an image per pixel on the screen. */
const IMAGE_SCALE = 3;

/** Marks in pixels of the plot's inner box; overlapping dots add up. */
export type PointLayer =
  | {
      kind: 'dots';
      opacity: number;
      radius: number;
      x: Float32Array;
      y: Float32Array;
      palette: readonly string[];
      /** Each dot's color, by its place in the palette; all have the first where it is left out. */
      colors?: Uint8Array;
    }
  /** Rectangles of one color: left, top, right, bottom each. */
  | { kind: 'cells'; color: string; opacity: number; edges: Float32Array };

/** Pixels that marks may reach over the edge of the box: half of a dot at the end of an axis. */
const BLEED = 5;

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Paints marks where thousands of elements would be too slow; `scale` pixels of the canvas per pixel of the drawing. */
export function paintPoints(
  context: CanvasRenderingContext2D,
  layers: readonly PointLayer[],
  { left, top, width, height }: Box,
  scale: number,
): void {
  context.save();
  context.beginPath();
  context.rect(
    (left - BLEED) * scale,
    (top - BLEED) * scale,
    (width + 2 * BLEED) * scale,
    (height + 2 * BLEED) * scale,
  );
  context.clip();
  for (const layer of layers) {
    context.globalAlpha = layer.opacity;
    if (layer.kind === 'cells') {
      context.fillStyle = layer.color;
      const { edges } = layer;
      const place = (value: number, from: number) => Math.round((value + from) * scale);
      for (let at = 0; at + 3 < edges.length; at += 4) {
        const x = place(edges[at] as number, left);
        const y = place(edges[at + 1] as number, top);
        const right = place(edges[at + 2] as number, left);
        const bottom = place(edges[at + 3] as number, top);
        // Whole pixels: no seams between cells.
        context.fillRect(x, y, Math.max(1, right - x), Math.max(1, bottom - y));
      }
      continue;
    }
    const dots = layer.palette.map(color => dotImage(color, layer.radius * scale));
    const { colors } = layer;
    for (let at = 0; at < layer.x.length; at++) {
      const dot = dots[colors?.[at] ?? 0];
      if (!dot) continue;
      const half = dot.width / 2;
      context.drawImage(
        dot,
        ((layer.x[at] as number) + left) * scale - half,
        ((layer.y[at] as number) + top) * scale - half,
      );
    }
  }
  context.restore();
}

/** The same marks as an element of an SVG file, cut off where they are on the screen; too many dots as one image. */
export function svgOfPoints(layers: readonly PointLayer[], box: Box): SVGElement {
  const dots = layers.reduce((sum, layer) => sum + (layer.kind === 'dots' ? layer.x.length : 0), 0);
  const marks = dots > MAX_SVG_DOTS ? [imageOf(layers, box)] : layers.map(elementOf);
  const [x, y, width, height] = [-BLEED, -BLEED, box.width + 2 * BLEED, box.height + 2 * BLEED];
  const cut = svg('svg', { x, y, width, height, viewBox: `${x} ${y} ${width} ${height}` }, ...marks);
  return svg('g', { transform: `translate(${box.left} ${box.top})` }, cut);
}

function elementOf(layer: PointLayer): SVGElement {
  if (layer.kind === 'cells') {
    const parts: string[] = [];
    for (let at = 0; at + 3 < layer.edges.length; at += 4) {
      const [left, top, right, bottom] = [...layer.edges.subarray(at, at + 4)].map(edge => edge.toFixed(1));
      parts.push(`M${left} ${top}H${right}V${bottom}H${left}z`);
    }
    const look = { fill: layer.color, 'fill-opacity': layer.opacity };
    return svg('path', { ...look, d: parts.join(''), 'shape-rendering': 'crispEdges' });
  }
  const { palette, colors, opacity, radius } = layer;
  const group = svg('g', { fill: palette[0], 'fill-opacity': opacity });
  for (let at = 0; at < layer.x.length; at++) {
    const [cx, cy] = [(layer.x[at] as number).toFixed(1), (layer.y[at] as number).toFixed(1)];
    const fill = colors && palette[colors[at] ?? 0];
    group.append(svg('circle', { cx, cy, r: radius.toFixed(2), fill }));
  }
  return group;
}

function imageOf(layers: readonly PointLayer[], { width, height }: Box): SVGElement {
  const [wide, tall] = [width + 2 * BLEED, height + 2 * BLEED];
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(wide * IMAGE_SCALE);
  canvas.height = Math.round(tall * IMAGE_SCALE);
  const context = canvas.getContext('2d');
  if (context) paintPoints(context, layers, { left: BLEED, top: BLEED, width, height }, IMAGE_SCALE);
  const href = canvas.toDataURL('image/png');
  return svg('image', { x: -BLEED, y: -BLEED, width: wide, height: tall, href });
}

/** A dot to copy: copying an image is faster than filling a circle each time. */
function dotImage(color: string, radius: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const size = 2 * Math.ceil(radius + 1);
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext('2d');
  if (!context) return canvas;
  context.fillStyle = color;
  context.beginPath();
  context.arc(size / 2, size / 2, radius, 0, 2 * Math.PI);
  context.fill();
  return canvas;
}
