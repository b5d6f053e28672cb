import { deepEqual, equal } from 'node:assert/strict';
import { TILE_SIZE } from '../../../../src/protocol/tiles';
import { LabelTiles } from '../../../../src/webview/masks/labelTiles';
import type { Tile } from '../../../../src/webview/masks/tileMath';

/** A panel that answers when the test says so. */
class Panel {
  readonly asked: { tile: Tile; hidden: boolean; answer: (label: number, overlaps: boolean) => void }[] = [];
  private heard: () => void = () => undefined;
  readonly tiles = new LabelTiles(
    { width: TILE_SIZE, height: TILE_SIZE },
    {
      fetch: (tile, hidden) =>
        new Promise(resolve => {
          this.asked.push({
            tile,
            hidden: hidden !== undefined,
            answer: (label, overlaps) =>
              resolve({ labels: new Uint32Array(TILE_SIZE ** 2).fill(label).buffer, overlaps }),
          });
        }),
      onChange: () => this.heard(),
      onFailure: error => {
        throw error;
      },
    },
  );

  /** Answers the latest question and waits until the tile is taken in. */
  answer(label: number, overlaps: boolean): Promise<void> {
    return new Promise(resolve => {
      this.heard = resolve;
      this.asked.at(-1)?.answer(label, overlaps);
    });
  }
}

const ONLY: Tile = { level: 0, x: 0, y: 0 };

describe('labels where something is hidden', () => {
  const bits = () => new Uint8Array([1]).buffer;

  it('are asked for again, for what lies beneath; those of before stay until they have come', async () => {
    const panel = new Panel();
    panel.tiles.want([ONLY]);
    await panel.answer(1, true);
    panel.tiles.setHidden(bits());
    panel.tiles.want([ONLY]);
    deepEqual(
      panel.asked.map(({ hidden }) => hidden),
      [false, true],
    );
    equal(panel.tiles.at(ONLY)?.labels[0], 1);
    equal(panel.tiles.objectAt(3, 3), undefined);
    await panel.answer(2, true);
    equal(panel.tiles.objectAt(3, 3), 1);
  });

  it('are not asked for again where no objects lie over each other', async () => {
    const panel = new Panel();
    panel.tiles.want([ONLY]);
    await panel.answer(1, false);
    panel.tiles.setHidden(bits());
    panel.tiles.want([ONLY]);
    equal(panel.asked.length, 1);
    equal(panel.tiles.objectAt(3, 3), 0);
  });

  it('are not asked for again when the same objects are hidden once more', async () => {
    const panel = new Panel();
    panel.tiles.setHidden(bits());
    panel.tiles.want([ONLY]);
    await panel.answer(0, false);
    panel.tiles.setHidden(bits());
    panel.tiles.want([ONLY]);
    equal(panel.asked.length, 1);
  });

  it('are asked for when what was left out of them is shown again', async () => {
    const panel = new Panel();
    panel.tiles.setHidden(bits());
    panel.tiles.want([ONLY]);
    await panel.answer(0, false);
    panel.tiles.setHidden(undefined);
    panel.tiles.want([ONLY]);
    equal(panel.asked.length, 2);
    equal(panel.asked[1]?.hidden, false);
  });
});
