import { deepEqual, equal } from 'node:assert/strict';
import { TILE_SIZE } from '../../../../../src/protocol/tiles';
import {
  countEdges,
  labelEdges,
  objectEdges,
  PADDED_SIZE,
  padLabels,
  type Segments,
} from '../../../../../src/masks/page/labels/paddedLabels';
import { LabelImage } from './labelImage';

const pad = (image: LabelImage, x = 0, y = 0) =>
  padLabels(image.tile(x, y), image.neighbors(x, y), new Uint32Array(PADDED_SIZE * PADDED_SIZE));

/** Every shown pixel edge of an image as "x,y right" or "x,y down", found pixel by pixel. */
function slowEdges(image: LabelImage): Set<string> {
  const edges = new Set<string>();
  for (let y = 0; y <= image.height; y++) {
    for (let x = 0; x <= image.width; x++) {
      if (x < image.width && image.at(x, y) !== image.at(x, y - 1)) edges.add(`${x},${y} right`);
      if (y < image.height && image.at(x, y) !== image.at(x - 1, y)) edges.add(`${x},${y} down`);
    }
  }
  return edges;
}

/**
 * The unit edges that segments are made of, moved to the image's frame; an edge drawn twice is
 * listed twice.
 */
function unitEdges(segments: Segments, left = 0, top = 0): string[] {
  const units: string[] = [];
  for (let i = 0; i < segments.length; i += 4) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = segments.slice(i, i + 4);
    for (let x = x1; x < x2; x++) units.push(`${x + left},${y1 + top} right`);
    for (let y = y1; y < y2; y++) units.push(`${x1 + left},${y + top} down`);
  }
  return units;
}

describe('edges of labels', () => {
  const everyLabel = (label: number) => (label === 0 ? -1 : 0);

  it('run along the whole side of a box as one piece', () => {
    const groups = labelEdges(pad(new LabelImage(600, 600).box(7, 10, 20, 14, 30)), everyLabel, {
      right: false,
      below: false,
    });
    deepEqual(groups.get(0), [10, 20, 14, 20, 10, 30, 14, 30, 10, 20, 10, 30, 14, 20, 14, 30]);
  });

  it('are as many as are counted, whoever owns them', () => {
    const image = new LabelImage(600, 600).box(1, 5, 5, 40, 40).box(2, 20, 20, 60, 60).box(3, 0, 590, 9, 600);
    for (const last of [false, true].map(each => ({ right: each, below: each })))
      for (const ownerOf of [everyLabel, (label: number) => label - 1, () => -1]) {
        const tile = pad(image);
        const pieces = [...labelEdges(tile, ownerOf, last).values()].flat().length / 4;
        equal(countEdges(tile, ownerOf, last), pieces);
      }
  });

  it('of tiles together are the edges of the image, each drawn once: there are no seams', () => {
    const image = new LabelImage(TILE_SIZE * 2, TILE_SIZE + 40)
      .box(1, 250, 10, 270, 30)
      .box(2, 100, 250, 140, 280)
      .box(3, 240, 240, 280, 290)
      .box(4, 256, 100, 300, 120)
      .box(5, 500, 0, 512, 12)
      .box(6, 0, 290, 9, 296)
      .box(7, 270, 12, 280, 20);
    const drawn: string[] = [];
    for (const [x, y] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const last = { right: x === 1, below: y === 1 };
      const groups = labelEdges(pad(image, x, y), everyLabel, last);
      drawn.push(...unitEdges(groups.get(0) ?? [], x * TILE_SIZE, y * TILE_SIZE));
    }
    equal(new Set(drawn).size, drawn.length);
    deepEqual(new Set(drawn), slowEdges(image));
  });

  it('between two classes belong to the one listed first', () => {
    const image = new LabelImage(300, 300).box(1, 10, 10, 20, 20).box(2, 20, 10, 30, 20);
    const groups = labelEdges(pad(image), label => 2 - label, { right: false, below: false });
    const between = (owner: number) => unitEdges(groups.get(owner) ?? []).includes('20,15 down');
    deepEqual([between(0), between(1)], [true, false]);
  });

  it('of hidden objects are not followed, but those of an object beside them are', () => {
    const image = new LabelImage(300, 300).box(1, 10, 10, 20, 20).box(2, 20, 10, 30, 20);
    const groups = labelEdges(pad(image), label => (label === 2 ? 0 : -1), { right: false, below: false });
    deepEqual(groups.get(0), [20, 10, 30, 10, 20, 20, 30, 20, 20, 10, 20, 20, 30, 10, 30, 20]);
  });

  it('do not run along the border to a tile that has not come yet', () => {
    const image = new LabelImage(600, 300).box(1, 200, 10, 400, 20);
    const waiting = { ...image.neighbors(0, 0), right: undefined };
    const padded = padLabels(image.tile(0, 0), waiting, new Uint32Array(PADDED_SIZE * PADDED_SIZE));
    const units = unitEdges(objectEdges(padded, 1));
    equal(units.filter(unit => unit.startsWith('256,')).length, 0);
    equal(units.filter(unit => unit === '200,15 down').length, 1);
  });
});

describe('the edges of one object', () => {
  it('leave out those of its neighbors and include the image’s border', () => {
    const image = new LabelImage(TILE_SIZE, TILE_SIZE).box(1, 0, 0, 4, 4).box(2, 4, 0, 8, 4);
    const units = unitEdges(objectEdges(pad(image), 1));
    equal(units.length, 16);
    equal(objectEdges(pad(image), 3).length, 0);
  });
});
