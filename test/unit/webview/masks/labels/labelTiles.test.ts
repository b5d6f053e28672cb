import { deepEqual, equal } from 'node:assert/strict';
import { TILE_SIZE } from '../../../../../src/protocol/tiles';
import { LabelTiles } from '../../../../../src/webview/masks/labels/labelTiles';
import type { Tile } from '../../../../../src/webview/masks/tiles/tileMath';

/** A panel that responds when the test says so. */
class Panel {
  readonly requests: { tile: Tile; hidden: boolean; respond: (label: number, overlaps: boolean) => void }[] =
    [];
  private onChange: () => void = () => undefined;
  readonly tiles = new LabelTiles(
    { width: TILE_SIZE, height: TILE_SIZE },
    {
      fetch: (tile, hidden) =>
        new Promise(resolve => {
          this.requests.push({
            tile,
            hidden: hidden !== undefined,
            respond: (label, overlaps) =>
              resolve({ labels: new Uint32Array(TILE_SIZE ** 2).fill(label).buffer, overlaps }),
          });
        }),
      onChange: () => this.onChange(),
      onFailure: error => {
        throw error;
      },
    },
  );

  /** Responds to the latest request and waits until the tile is loaded. */
  respond(label: number, overlaps: boolean): Promise<void> {
    return new Promise(resolve => {
      this.onChange = resolve;
      this.requests.at(-1)?.respond(label, overlaps);
    });
  }
}

const ONLY: Tile = { level: 0, x: 0, y: 0 };

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
    equal(panel.tiles.objectAt(3, 3), 0);
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
    await panel.respond(0, false);
    panel.tiles.setHidden(undefined);
    panel.tiles.want([ONLY]);
    equal(panel.requests.length, 2);
    equal(panel.requests[1]?.hidden, false);
  });
});
