import { svg } from '../../../pages/page/widgets/svg';
import { paintPoints } from './paintPoints';
import { OVERHANG, type LayerBox, type PointLayer } from './pointLayer';

/** Dots that a saved SVG contains one by one; more are saved as an image. */
const MAX_SVG_DOTS = 20_000;
/** Pixels of that image per pixel on the screen. */
const IMAGE_SCALE = 3;

/** Marks as an SVG element, clipped as on the screen; many dots become one image. */
export function svgOfPoints(layers: readonly PointLayer[], box: LayerBox): SVGElement {
  const dots = layers.reduce((sum, layer) => sum + (layer.kind === 'dots' ? layer.x.length : 0), 0);
  const marks = dots > MAX_SVG_DOTS ? [imageOf(layers, box)] : layers.map(elementOf);
  const [x, y] = [-OVERHANG, -OVERHANG];
  const [width, height] = [box.width + 2 * OVERHANG, box.height + 2 * OVERHANG];
  const clipped = svg('svg', { x, y, width, height, viewBox: `${x} ${y} ${width} ${height}` }, ...marks);
  return svg('g', { transform: `translate(${box.left} ${box.top})` }, clipped);
}

function elementOf(layer: PointLayer): SVGElement {
  if (layer.kind === 'cells') {
    const parts: string[] = [];
    for (let at = 0; at + 3 < layer.edges.length; at += 4) {
      const [left, top, right, bottom] = [...layer.edges.subarray(at, at + 4)].map(edge => edge.toFixed(1));
      parts.push(`M${left} ${top}H${right}V${bottom}H${left}z`);
    }
    return svg('path', {
      fill: layer.color,
      'fill-opacity': layer.opacity,
      d: parts.join(''),
      'shape-rendering': 'crispEdges',
    });
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

function imageOf(layers: readonly PointLayer[], box: LayerBox): SVGElement {
  const [width, height] = [box.width + 2 * OVERHANG, box.height + 2 * OVERHANG];
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * IMAGE_SCALE);
  canvas.height = Math.round(height * IMAGE_SCALE);
  const context = canvas.getContext('2d');
  const canvasBox = { left: OVERHANG, top: OVERHANG, width: box.width, height: box.height };
  if (context) paintPoints(context, layers, canvasBox, IMAGE_SCALE);
  return svg('image', { x: -OVERHANG, y: -OVERHANG, width, height, href: canvas.toDataURL('image/png') });
}
