import { deepEqual } from 'node:assert/strict';
import { TILE_SIZE } from '../../../../../src/protocol/tiles';
import { CanvasLabelRenderer } from '../../../../../src/masks/page/labels/canvasLabelRenderer';
import { type LabelLook, LabelTiles } from '../../../../../src/masks/page/labels/labelTiles';

const ONLY = { level: 0, x: 0, y: 0 };

/** What a renderer makes in a page, which there is none of here: each is counted. */
function stubs() {
  const made = { canvases: 0, paths: 0, puts: 0 };
  const drawing = new Proxy({}, { get: () => () => undefined, set: () => true });
  const before = ['OffscreenCanvas', 'Path2D', 'ImageData', 'devicePixelRatio', 'performance'].map(
    name => [name, (globalThis as Record<string, unknown>)[name]] as const,
  );
  Object.assign(globalThis, {
    devicePixelRatio: 1,
    // A frame stops painting after a while: here no time passes.
    performance: { now: () => 0 },
    OffscreenCanvas: class {
      constructor() {
        made.canvases++;
      }
      getContext() {
        return { putImageData: () => made.puts++ };
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
    context: drawing as CanvasRenderingContext2D,
    restore: () => Object.assign(globalThis, Object.fromEntries(before)),
  };
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
    const image = { width: TILE_SIZE, height: TILE_SIZE };
    let onChange = () => undefined as void;
    const tiles = new LabelTiles(image, {
      fetch: () => Promise.resolve({ labels: labels.buffer, inRuns: false, overlaps: false }),
      onChange: () => onChange(),
      onFailure: () => undefined,
    });
    const loaded = new Promise<void>(resolve => (onChange = resolve));
    tiles.want([ONLY]);
    await loaded;
    const frame = { context: page.context, panel: image, image, view: { x: 128, y: 128, scale: 1 } };
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
    deepEqual(page.made, { canvases: 1, paths: 3, puts: 3 });
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
