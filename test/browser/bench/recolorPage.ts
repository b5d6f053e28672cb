// Runs in a page: how long the masks page takes to give 50,000 objects other colors.
import type { RecolorTimes } from '../../bench/masks/recolor';
import { TILE_SIZE } from '../../../src/protocol/tiles';
import { GlLabelRenderer } from '../../../src/masks/page/labels/glLabelRenderer';
import { type LabelLook, LabelTiles } from '../../../src/masks/page/labels/labelTiles';
import { type MasksLook, ObjectColors } from '../../../src/masks/page/state/masksLook';
import type { CanvasFrame } from '../../../src/masks/page/tiles/tiles';
import type { Extent } from '../../../src/masks/page/tiles/viewTransform';

const OBJECTS = 50_000;
const IMAGE: Extent = { width: 20_000, height: 20_000 };
const SCREEN: Extent = { width: 1250, height: 1250 };

function contextOf({ width, height }: Extent): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d', { willReadFrequently: false });
  if (!context) throw new Error('There is no 2D canvas');
  return context;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}

async function recolor(): Promise<RecolorTimes> {
  let fetched = 0;
  const tiles = new LabelTiles(IMAGE, {
    fetch: tile => {
      fetched++;
      const labels = new Uint32Array(TILE_SIZE * TILE_SIZE);
      // Cells of 16 pixels, each an object of its own.
      for (let at = 0; at < labels.length; at++) {
        const cell = ((at >> 12) * 16 + ((at & 255) >> 4)) * (tile.x + 31 * tile.y + 1);
        labels[at] = cell % (OBJECTS + 1);
      }
      return Promise.resolve({ labels: labels.buffer, inRuns: false, overlaps: false });
    },
    onChange: () => undefined,
    onFailure: error => {
      throw error;
    },
  });
  const painter = new GlLabelRenderer(() => undefined, { software: true });
  if (!painter.ready) return { fetched };
  const scale = SCREEN.width / IMAGE.width;
  const view = { x: IMAGE.width / 2, y: IMAGE.height / 2, scale };
  const frame: CanvasFrame = { context: contextOf(SCREEN), view, panel: SCREEN, image: IMAGE };
  const inView = tiles.inView(frame);
  while (tiles.want(inView).missing) await new Promise(resolve => setTimeout(resolve, 1));
  const colors = new ObjectColors();
  const classes = Uint16Array.from({ length: OBJECTS }, (_, object) => object % 3);
  const values = Float64Array.from({ length: OBJECTS }, (_, object) => Math.sin(object));
  let turn = 0;
  const nextLook = (): LabelLook => {
    const look: MasksLook = {
      fill: true,
      opacity: 0.5,
      colors: [
        [turn % 256, 0, 0],
        [0, turn % 256, 0],
        [0, 0, turn % 256],
      ],
      hidden: new Set(),
      colorBy: turn++ % 2 === 0 ? { kind: 'class' } : { kind: 'measure', measure: 'area' },
      colorMap: 'viridis',
    };
    const palette = colors.palette({ classes, values }, look, { low: -1, high: 1 });
    return { palette, fill: true, opacity: 0.5, hasSelected: false, marks: [] };
  };
  const times = (on: CanvasFrame, shown: typeof inView): number => {
    const measured: number[] = [];
    for (let n = 0; n < 25; n++) {
      const start = performance.now();
      painter.paint(on, tiles, shown, nextLook());
      // Waits until it is really there.
      on.context.getImageData(0, 0, 1, 1);
      measured.push(performance.now() - start);
    }
    return median(measured.slice(5));
  };
  const before = fetched;
  const repaint = times(frame, inView);
  const pixel: Extent = { width: 1, height: 1 };
  const palette = times({ context: contextOf(pixel), view, panel: pixel, image: IMAGE }, []);
  return { palette, repaint, fetched: fetched - before };
}

Object.assign(globalThis, { recolor });
