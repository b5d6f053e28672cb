// Runs in a page: paints made-up labels as the masks page does, on the GPU and with a 2D canvas.
import { TILE_SIZE } from '../../../src/protocol/tiles';
import { CanvasLabelRenderer } from '../../../src/masks/page/labels/canvasLabelRenderer';
import { GlLabelRenderer } from '../../../src/masks/page/labels/glLabelRenderer';
import {
  asDimmed,
  asSelected,
  type LabelLook,
  type LabelRenderer,
  LabelTiles,
} from '../../../src/masks/page/labels/labelTiles';
import type { Tile } from '../../../src/masks/page/tiles/tiles';
import { packed } from '../../../src/base/colors';
import type { PaintRequest, PaintedPixels } from './paintRequest';

/**
 * Rectangles as labels, 1 and up; later ones cover earlier ones. A pixel has the label at its
 * center.
 */
function labelsOf({ boxes }: PaintRequest, { level, x, y }: Tile): ArrayBuffer {
  const side = 2 ** level;
  const inImage = (tile: number, pixel: number) => Math.floor((tile * TILE_SIZE + pixel + 0.5) * side);
  const labels = Uint32Array.from({ length: TILE_SIZE * TILE_SIZE }, (_, at) => {
    const [px, py] = [inImage(x, at % TILE_SIZE), inImage(y, Math.floor(at / TILE_SIZE))];
    return 1 + boxes.findLastIndex(([x1, y1, x2, y2]) => px >= x1 && px < x2 && py >= y1 && py < y2);
  });
  return labels.buffer;
}

async function paintLabels(request: PaintRequest): Promise<PaintedPixels> {
  const { image, scale, at } = request;
  let fetched = 0;
  const tiles = new LabelTiles(image, {
    fetch: tile => {
      fetched++;
      return Promise.resolve({ labels: labelsOf(request, tile), inRuns: false, overlaps: false });
    },
    onChange: () => undefined,
    onFailure: error => {
      throw error;
    },
  });
  const panel = { width: image.width * scale, height: image.height * scale };
  const canvas = document.createElement('canvas');
  Object.assign(canvas, panel);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('No 2D canvas');
  const frame = { context, panel, image, view: { x: image.width / 2, y: image.height / 2, scale } };
  const inView = tiles.inView(frame);
  while (tiles.want(inView).missing) await new Promise(resolve => setTimeout(resolve, 1));
  const first = fetched;
  const look = (colors: PaintRequest['colors']): LabelLook => ({
    palette: Uint32Array.from([
      0,
      ...colors.map((color, object) => {
        if (!color) return 0;
        if (!request.selected) return packed(color);
        return request.selected.includes(object) ? asSelected(packed(color)) : asDimmed(packed(color));
      }),
    ]),
    hasSelected: request.selected !== undefined,
    fill: request.fill,
    opacity: request.opacity,
    marks: request.marked === undefined ? [] : [markOf(request, request.marked)],
  });
  const looks = [request.colors, ...(request.recolored ? [request.recolored] : [])].map(look);
  const read = (painter: LabelRenderer) => {
    for (const each of looks) {
      let isDone = false;
      for (let tries = 0; !isDone && tries < 50; tries++) {
        context.clearRect(0, 0, panel.width, panel.height);
        isDone = painter.paint(frame, tiles, inView, each);
      }
    }
    tiles.want(inView);
    const pixels = at.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data]);
    painter.dispose();
    return pixels;
  };
  const gpu = new GlLabelRenderer(() => undefined, { software: true });
  const pixels = { ...(gpu.ready && { gpu: read(gpu) }), canvas: read(new CanvasLabelRenderer()) };
  return { ...pixels, fetchedAgain: fetched - first };
}

function markOf({ boxes }: PaintRequest, object: number): LabelLook['marks'][number] {
  const box = boxes[object];
  if (!box) throw new Error(`No box ${object}`);
  return { object, box, line: [255, 255, 255], width: 2, haloWidth: 6 };
}

/** Without being told to use the processor. */
const isPaintedByGpu = () => new GlLabelRenderer(() => undefined).ready;

Object.assign(globalThis, { paintLabels, isPaintedByGpu });
