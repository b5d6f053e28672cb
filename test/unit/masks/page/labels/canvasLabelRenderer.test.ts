import { deepEqual } from 'node:assert/strict';
import { TILE_SIZE } from '../../../../../src/protocol/tiles';
import { CanvasLabelRenderer } from '../../../../../src/masks/page/labels/canvasLabelRenderer';
import {
  asSelected,
  type LabelLook,
  LabelTiles,
  type Mark,
} from '../../../../../src/masks/page/labels/labelTiles';

const ONLY = { level: 0, x: 0, y: 0 };

/** What a renderer makes in a page, which there is none of here: each is counted. */
function stubs() {
  const made = { canvases: 0, paths: 0, puts: 0 };
  const strokes = { count: 0 };
  const drawing = new Proxy({}, { get: () => () => undefined, set: () => true });
  const before = ['OffscreenCanvas', 'Path2D', 'ImageData', 'devicePixelRatio', 'performance'].map(
    name => [name, (globalThis as Record<string, unknown>)[name]] as const,
  );
  Object.assign(globalThis, {
    devicePixelRatio: 1,
    // A frame stops painting after a while: here no time passes.
    performance: { now: () => 0 },
    OffscreenCanvas: class {
      constructor(
        readonly width: number,
        readonly height: number,
      ) {
        made.canvases++;
      }
      getContext() {
        const counted = { putImageData: () => made.puts++, stroke: () => strokes.count++ };
        return new Proxy(counted, {
          get: (of, name) => (name in of ? of[name as keyof typeof of] : () => undefined),
          set: () => true,
        });
      }
    },
    Path2D: class {
      constructor() {
        made.paths++;
      }
      moveTo() {}
      lineTo() {}
    },
    ImageData: class {},
  });
  return {
    made,
    strokes,
    context: drawing as CanvasRenderingContext2D,
    restore: () => Object.assign(globalThis, Object.fromEntries(before)),
  };
}

const IMAGE = { width: TILE_SIZE, height: TILE_SIZE };

const frameOf = (context: CanvasRenderingContext2D) => ({
  context,
  panel: IMAGE,
  image: IMAGE,
  view: { x: 128, y: 128, scale: 1 },
});

/** The one tile of an image, loaded. */
async function loadTiles(labels: Uint32Array<ArrayBuffer>): Promise<LabelTiles> {
  let onChange = () => undefined as void;
  const tiles = new LabelTiles(IMAGE, {
    fetch: () => Promise.resolve({ labels: labels.buffer, inRuns: false, overlaps: false }),
    onChange: () => onChange(),
    onFailure: () => undefined,
  });
  const loaded = new Promise<void>(resolve => (onChange = resolve));
  tiles.want([ONLY]);
  await loaded;
  return tiles;
}

describe('masks painted with a 2D canvas', () => {
  let page: ReturnType<typeof stubs>;
  beforeEach(() => (page = stubs()));
  afterEach(() => page.restore());

  const look = (palette: Uint32Array): LabelLook => ({
    palette,
    fill: true,
    opacity: 0.5,
    hasSelected: false,
    marks: [],
  });

  /** Paints a tile of labels, again and again with other colors. */
  async function paint(
    labels: Uint32Array<ArrayBuffer>,
    times: number,
    renderer = new CanvasLabelRenderer(),
  ): Promise<void> {
    const tiles = await loadTiles(labels);
    const frame = frameOf(page.context);
    for (let at = 1; at <= times; at++) {
      const palette = Uint32Array.from({ length: TILE_SIZE ** 2 + 1 }, (_, label) =>
        label === 0 ? 0 : 0xff000000 + at + 256 * label,
      );
      renderer.paint(frame, tiles, [ONLY], look(palette));
    }
  }

  it('get no strokes that are too many to draw, and other colors on the canvases there are', async () => {
    // Every other pixel is an object of its own.
    await paint(
      Uint32Array.from({ length: TILE_SIZE ** 2 }, (_, at) => ((at + (at >> 8)) % 2 === 0 ? at + 1 : 0)),
      4,
    );
    deepEqual(page.made, { canvases: 2, paths: 0, puts: 8 });
  });

  it('get strokes where these are few, other ones for each color', async () => {
    await paint(
      Uint32Array.from({ length: TILE_SIZE ** 2 }, (_, at) => (at < 5000 ? 1 : 0)),
      3,
    );
    deepEqual(page.made, { canvases: 2, paths: 3, puts: 3 });
  });

  it('stroke again only those marked while nothing else changes', async () => {
    const tiles = await loadTiles(
      Uint32Array.from({ length: TILE_SIZE ** 2 }, (_, at) => (at < 5000 ? 1 : 0)),
    );
    const renderer = new CanvasLabelRenderer();
    const palette = Uint32Array.of(0, 0xff0000ff);
    const mark: Mark = { object: 0, box: [0, 0, 256, 20], line: [255, 255, 255], width: 2, haloWidth: 4 };
    const strokesOf = (change: Partial<LabelLook>, scale = 1) => {
      const before = page.strokes.count;
      const frame = { ...frameOf(page.context), view: { x: 128, y: 128, scale } };
      renderer.paint(frame, tiles, [ONLY], { ...look(palette), ...change });
      return page.strokes.count - before;
    };
    // A halo and a line.
    deepEqual(strokesOf({}), 2);
    deepEqual(strokesOf({ marks: [mark] }), 0);
    deepEqual(strokesOf({ fill: false }), 0);
    for (const change of [{ opacity: 0.7 }, { palette: Uint32Array.of(0, 0xff00ff00) }])
      deepEqual(strokesOf(change), 2, JSON.stringify(change));
    deepEqual(strokesOf({}, 2), 2);
    renderer.clear();
    deepEqual(strokesOf({}, 2), 2);
    // Two lines more around what is selected.
    const selected = { hasSelected: true, palette: Uint32Array.of(0, asSelected(0xff0000ff)) };
    deepEqual([strokesOf(selected, 2), strokesOf(selected, 2)], [4, 0]);
  });

  it('are painted on the canvases of the image before', async () => {
    const renderer = new CanvasLabelRenderer();
    const every = (step: number) =>
      Uint32Array.from({ length: TILE_SIZE ** 2 }, (_, at) => ((at + (at >> 8)) % step === 0 ? at + 1 : 0));
    await paint(every(2), 1, renderer);
    renderer.clear();
    await paint(every(3), 1, renderer);
    deepEqual(page.made, { canvases: 2, paths: 0, puts: 4 });
  });
});
