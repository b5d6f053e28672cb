import { deepEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import { beneathInRuns } from '../../../../../src/archives/labelRuns';
import { TILE_SIZE } from '../../../../../src/protocol/tiles';
import { LabelTiles, type PaintedCount } from '../../../../../src/masks/page/labels/labelTiles';
import {
  labelEdges,
  PADDED_SIZE,
  padLabels,
  paintFill,
  paintOutline,
} from '../../../../../src/masks/page/labels/paddedLabels';
import type { Tile } from '../../../../../src/masks/page/tiles/tiles';

/** A panel that responds when the test says so. */
class Panel {
  readonly requests: {
    tile: Tile;
    hidden: boolean;
    count: PaintedCount;
    respond: (label: number, overlaps: boolean, count?: number) => void;
  }[] = [];
  private onChange: () => void = () => undefined;
  readonly tiles = new LabelTiles(
    { width: TILE_SIZE, height: TILE_SIZE },
    {
      fetch: (tile, hidden, _, count) =>
        new Promise(resolve => {
          this.requests.push({
            tile,
            hidden: hidden !== undefined,
            count,
            respond: (label, overlaps, count) =>
              resolve({
                labels: new Uint32Array(TILE_SIZE ** 2).fill(label).buffer,
                inRuns: false,
                overlaps,
                count,
              }),
          });
        }),
      onChange: () => this.onChange(),
      onFailure: error => {
        throw error;
      },
    },
  );

  /** Responds to the latest request and waits until the tile is loaded. */
  respond(label: number, overlaps: boolean, count?: number): Promise<void> {
    return new Promise(resolve => {
      this.onChange = resolve;
      this.requests.at(-1)?.respond(label, overlaps, count);
    });
  }
}

const ONLY: Tile = { level: 0, x: 0, y: 0 };

describe('labels of an image that is being read', () => {
  it('are those of the objects read so far, and stay until those of more objects arrive', async () => {
    const panel = new Panel();
    panel.tiles.setCount(10);
    panel.tiles.want([ONLY]);
    await panel.respond(3, false);
    equal(panel.tiles.objectAt(3, 3), 2);
    panel.tiles.setCount(25);
    panel.tiles.want([ONLY]);
    equal(panel.tiles.at(ONLY)?.labels[0], 3);
    equal(panel.tiles.objectAt(3, 3), undefined);
    await panel.respond(20, false);
    panel.tiles.setCount(undefined);
    panel.tiles.want([ONLY]);
    await panel.respond(30, false);
    panel.tiles.want([ONLY]);
    deepEqual(
      panel.requests.map(({ count }) => count),
      [10, 25, undefined],
    );
    equal(panel.tiles.objectAt(3, 3), 29);
  });

  it('are requested before it is known how many objects were read, and once only if these are as many', async () => {
    const panel = new Panel();
    panel.tiles.setCount('known');
    panel.tiles.want([ONLY]);
    await panel.respond(3, false, 10);
    panel.tiles.want([ONLY]);
    panel.tiles.setCount(10);
    panel.tiles.want([ONLY]);
    equal(panel.tiles.objectAt(3, 3), 2);
    deepEqual(
      panel.requests.map(({ count }) => count),
      ['known'],
    );
    panel.tiles.setCount(undefined);
    panel.tiles.want([ONLY]);
    equal(panel.requests.length, 2);
  });

  it('are requested for few coarse tiles of a large image, and for all of a small one, which is read by then', () => {
    const panel = { width: 1000, height: 1000 };
    const requested = (side: number) => {
      const image = { width: side, height: side };
      const never = () => new Promise<never>(() => undefined);
      const tiles = new LabelTiles(image, {
        fetch: never,
        onChange: () => undefined,
        onFailure: () => undefined,
      });
      tiles.setCount('known');
      return tiles.inView({ image, panel, view: { x: side / 2, y: side / 2, scale: 1000 / side } }).length;
    };
    equal(requested(40_000), 4);
    equal(requested(1000), 16);
  });
});

describe('labels of a large image', () => {
  const requestedFor = (inView: Tile[]) => {
    const requested: string[] = [];
    const tiles = new LabelTiles(
      { width: TILE_SIZE * 16, height: TILE_SIZE * 16 },
      {
        fetch: tile => {
          requested.push(`${tile.level}/${tile.x}/${tile.y}`);
          return new Promise(() => undefined);
        },
        onChange: () => undefined,
        onFailure: () => undefined,
      },
    );
    tiles.want(inView);
    return requested;
  };

  it('begin with the tile that shows it whole, which stands in for the others', () => {
    const inView = [0, 1].map(x => ({ level: 3, x, y: 0 }));
    deepEqual(requestedFor(inView), ['4/0/0', '3/0/0', '3/1/0']);
  });

  it('begin with those in view where these are a small part of it', () => {
    const inView = [5, 6].map(x => ({ level: 0, x, y: 7 }));
    deepEqual(requestedFor(inView), ['0/5/7', '0/6/7', '4/0/0']);
  });
});

describe('labels where something is hidden', () => {
  const bits = () => new Uint8Array([1]).buffer;

  it('are requested again for objects beneath; the previous ones stay until the new ones arrive', async () => {
    const panel = new Panel();
    panel.tiles.want([ONLY]);
    await panel.respond(1, true);
    panel.tiles.setHidden(bits());
    panel.tiles.want([ONLY]);
    deepEqual(
      panel.requests.map(({ hidden }) => hidden),
      [false, true],
    );
    equal(panel.tiles.at(ONLY)?.labels[0], 1);
    equal(panel.tiles.objectAt(3, 3), undefined);
    await panel.respond(2, true);
    equal(panel.tiles.objectAt(3, 3), 1);
  });

  it('are not requested again where no objects overlap', async () => {
    const panel = new Panel();
    panel.tiles.want([ONLY]);
    await panel.respond(1, false);
    panel.tiles.setHidden(bits());
    panel.tiles.want([ONLY]);
    equal(panel.requests.length, 1);
    equal(panel.tiles.objectAt(3, 3), -1);
  });

  it('are not requested again when the same objects are hidden again', async () => {
    const panel = new Panel();
    panel.tiles.setHidden(bits());
    panel.tiles.want([ONLY]);
    await panel.respond(0, false);
    panel.tiles.setHidden(bits());
    panel.tiles.want([ONLY]);
    equal(panel.requests.length, 1);
  });

  it('are requested when objects they left out are shown again', async () => {
    const panel = new Panel();
    panel.tiles.setHidden(bits());
    panel.tiles.want([ONLY]);
    await panel.respond(1, true);
    panel.tiles.want([ONLY]);
    await panel.respond(0, true);
    panel.tiles.setHidden(undefined);
    panel.tiles.want([ONLY]);
    deepEqual(
      panel.requests.map(({ hidden }) => hidden),
      [false, true, false],
    );
  });
});

describe('labels that come with those of covered objects', () => {
  const OBJECTS = 12;
  /** For each pixel the objects on it, from the top. */
  const stacks = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: OBJECTS }), { maxLength: 5 }), {
    minLength: 1,
    maxLength: 40,
  });
  const hiddenSets = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: OBJECTS })), { maxLength: 3 });
  const bitsOf = (labels: readonly number[]) => {
    const bits = new Uint8Array(2);
    for (const label of labels)
      bits[(label - 1) >> 3] = (bits[(label - 1) >> 3] ?? 0) | (1 << ((label - 1) & 7));
    return labels.length > 0 ? bits.buffer : undefined;
  };
  const paletteOf = (hidden: readonly number[]) =>
    Uint32Array.from({ length: OBJECTS + 1 }, (_, label) =>
      label > 0 && !hidden.includes(label) ? label * 1000 : 0,
    );
  const painted = (labels: Uint32Array, palette: Uint32Array) => {
    const fill = new Uint32Array(TILE_SIZE ** 2);
    paintFill(labels, palette, fill);
    const outline = new Uint32Array(TILE_SIZE ** 2);
    const alone = { left: 'outside', right: 'outside', above: 'outside', below: 'outside' } as const;
    const padded = padLabels(labels, alone, new Uint32Array(PADDED_SIZE ** 2));
    paintOutline(padded, palette, color => color + 1, outline);
    const ownerOf = (label: number) => palette[label] || -1;
    const edges = [...labelEdges(padded, ownerOf, { right: true, below: true })].sort();
    // Texts are compared many times faster than arrays.
    return [fill, outline, edges].map(String);
  };

  it('are painted as if hidden objects were not there, for any sequence of hidden objects, with one request', async () => {
    await fc.assert(
      fc.asyncProperty(stacks, hiddenSets, async (stacks, sets) => {
        const stackAt = (pixel: number) => stacks[Math.floor(pixel / 3) % stacks.length] ?? [];
        const pixels = Array.from({ length: TILE_SIZE ** 2 }, (_, pixel) => pixel);
        const covered = pixels.flatMap(pixel =>
          stackAt(pixel)
            .slice(1)
            .flatMap(label => [pixel, label]),
        );
        let requests = 0;
        const loaded = new Promise<LabelTiles>(resolve => {
          const tiles: LabelTiles = new LabelTiles(
            { width: TILE_SIZE, height: TILE_SIZE },
            {
              fetch: () => {
                requests++;
                const labels = Uint32Array.from(pixels, pixel => stackAt(pixel)[0] ?? 0).buffer;
                const overlaps = covered.length > 0;
                const beneath = overlaps ? beneathInRuns(covered).buffer : undefined;
                return Promise.resolve({ labels, inRuns: false, overlaps, beneath });
              },
              onChange: () => resolve(tiles),
              onFailure: error => {
                throw error;
              },
            },
          );
          tiles.want([ONLY]);
        });
        const tiles = await loaded;
        for (const hidden of [...sets, []]) {
          tiles.setHidden(bitsOf(hidden));
          tiles.want([ONLY]);
          const palette = paletteOf(hidden);
          const top = (pixel: number) => stackAt(pixel).find(label => !hidden.includes(label)) ?? 0;
          const reference = Uint32Array.from(pixels, top);
          deepEqual(
            painted(tiles.at(ONLY)?.labels ?? new Uint32Array(0), palette),
            painted(reference, palette),
          );
          equal(tiles.objectAt(7, 2), (reference[2 * TILE_SIZE + 7] ?? 0) - 1);
        }
        equal(requests, 1);
      }),
      { numRuns: 6 },
    );
  });
});
