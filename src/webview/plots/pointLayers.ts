import { fromHex, type Rgb } from '../../formats/masks/rgb';
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

/** What a color that is not #rrggbb is painted as. */
const GRAY: Rgb = [128, 128, 128];

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
  box: Box,
  scale: number,
): void {
  const { width, height } = context.canvas;
  if (width === 0 || height === 0) return;
  const image = context.createImageData(width, height);
  rasterize(image, layers, box, scale);
  context.putImageData(image, 0, 0);
}

/**
 * Paints marks pixel by pixel (RGBA by rows, not premultiplied): 20,000 dots take a tenth of the time that a canvas takes to
 * copy an image of a dot.
 */
export function rasterize(
  raster: Pick<ImageData, 'width' | 'height' | 'data'>,
  layers: readonly PointLayer[],
  { left, top, width, height }: Box,
  scale: number,
): void {
  const cut = {
    left: Math.max(0, Math.floor((left - BLEED) * scale)),
    top: Math.max(0, Math.floor((top - BLEED) * scale)),
    right: Math.min(raster.width, Math.ceil((left + width + BLEED) * scale)),
    bottom: Math.min(raster.height, Math.ceil((top + height + BLEED) * scale)),
  };
  for (const layer of layers) {
    if (layer.kind === 'cells') {
      const rgb = fromHex(layer.color) ?? GRAY;
      const place = (value: number, from: number) => Math.round((value + from) * scale);
      for (let at = 0; at + 3 < layer.edges.length; at += 4) {
        // Whole pixels: no seams between cells.
        const x = place(layer.edges[at] as number, left);
        const y = place(layer.edges[at + 1] as number, top);
        const right = Math.max(x + 1, place(layer.edges[at + 2] as number, left));
        const bottom = Math.max(y + 1, place(layer.edges[at + 3] as number, top));
        for (let py = Math.max(cut.top, y); py < Math.min(cut.bottom, bottom); py++)
          for (let px = Math.max(cut.left, x); px < Math.min(cut.right, right); px++)
            blend(raster.data, (py * raster.width + px) * 4, rgb, layer.opacity);
      }
      continue;
    }
    const palette = layer.palette.map(color => fromHex(color) ?? GRAY);
    const { reach, cover } = dotCover(layer.radius * scale);
    const size = 2 * reach + 1;
    for (let at = 0; at < layer.x.length; at++) {
      const cx = Math.round(((layer.x[at] as number) + left) * scale - 0.5);
      const cy = Math.round(((layer.y[at] as number) + top) * scale - 0.5);
      const rgb = palette[layer.colors?.[at] ?? 0] ?? GRAY;
      // A place that is no number fails the comparison.
      if (!(
        cx + reach >= cut.left &&
        cx - reach < cut.right &&
        cy + reach >= cut.top &&
        cy - reach < cut.bottom
      ))
        continue;
      for (let dy = 0; dy < size; dy++) {
        const py = cy - reach + dy;
        if (py < cut.top || py >= cut.bottom) continue;
        for (let dx = 0; dx < size; dx++) {
          const px = cx - reach + dx;
          const share = cover[dy * size + dx] as number;
          if (share > 0 && px >= cut.left && px < cut.right)
            blend(raster.data, (py * raster.width + px) * 4, rgb, share * layer.opacity);
        }
      }
    }
  }
}

/** Puts a color with an opacity over a pixel. */
function blend(data: Uint8ClampedArray, at: number, [red, green, blue]: Rgb, opacity: number): void {
  const behind = ((data[at + 3] as number) / 255) * (1 - opacity);
  const alpha = opacity + behind;
  data[at] = (red * opacity + (data[at] as number) * behind) / alpha;
  data[at + 1] = (green * opacity + (data[at + 1] as number) * behind) / alpha;
  data[at + 2] = (blue * opacity + (data[at + 2] as number) * behind) / alpha;
  data[at + 3] = alpha * 255;
}

/** How much of each pixel around its center a dot covers, in a square of 2 · reach + 1. */
function dotCover(radius: number): { reach: number; cover: Float32Array } {
  const reach = Math.ceil(radius);
  const size = 2 * reach + 1;
  const cover = Float32Array.from({ length: size * size }, (_, at) => {
    const far = Math.hypot((at % size) - reach, Math.floor(at / size) - reach);
    return Math.max(0, Math.min(1, radius + 0.5 - far));
  });
  return { reach, cover };
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
