import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import {
  between,
  type Box,
  closeUp,
  fitView,
  panBy,
  revealBox,
  toImage,
  toPanel,
  zoomAt,
} from '../../../../../src/masks/page/tiles/viewTransform';

const panel = { width: 800, height: 600 };
const image = { width: 4000, height: 2000 };

const near = (a: number, b: number) => ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

describe('a fitted view', () => {
  it('shows the whole image with a margin', () => {
    const view = fitView(image, panel);
    const corner = toPanel(view, panel, { x: 0, y: 0 });
    near(corner.x, 16);
    ok(corner.y >= 16);
  });

  it('enlarges a small image until it touches the margins', () => {
    for (const small of [
      { width: 300, height: 100 },
      { width: 30, height: 30 },
    ]) {
      const view = fitView(small, panel);
      const corner = toPanel(view, panel, { x: 0, y: 0 });
      near(Math.min(corner.x, corner.y), 16);
    }
  });

  it('enlarges no pixel beyond what zooming allows', () => {
    equal(fitView({ width: 2, height: 2 }, panel).scale, 64);
  });

  it('survives a panel that has no size yet', () => {
    ok(fitView(image, { width: 0, height: 0 }).scale > 0);
  });
});

describe('a close-up', () => {
  it('shows a box in the middle, over half of the panel', () => {
    const view = closeUp(panel, [1000, 500, 1100, 540], image);
    deepEqual(view, { x: 1050, y: 520, scale: 4 });
  });

  it('enlarges a single pixel no further than zooming does, and shrinks a large box to be seen whole', () => {
    equal(closeUp(panel, [10, 10, 11, 11], image).scale, 64);
    const view = closeUp(panel, [0, 0, 4000, 2000], image);
    const corner = toPanel(view, panel, { x: 0, y: 0 });
    ok(corner.x >= 0 && corner.y >= 0);
  });
});

describe('zooming', () => {
  it('leaves the image point under the pointer where it is', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 100, max: 700, noNaN: true }),
        fc.double({ min: 100, max: 500, noNaN: true }),
        fc.double({ min: 0.8, max: 2, noNaN: true }),
        (x, y, factor) => {
          const view = { x: 2000, y: 1000, scale: 1 };
          const before = toImage(view, panel, { x, y });
          const after = toImage(zoomAt(view, panel, { x, y }, factor, image), panel, { x, y });
          near(before.x, after.x);
          near(before.y, after.y);
        },
      ),
    );
  });

  it('ends at half the fitted size and at 64 screen pixels a pixel', () => {
    const view = fitView(image, panel);
    const middle = { x: 400, y: 300 };
    near(zoomAt(view, panel, middle, 1e-9, image).scale, view.scale / 2);
    equal(zoomAt(view, panel, middle, 1e9, image).scale, 64);
  });
});

describe('panning', () => {
  it('moves the background image with the pointer', () => {
    const view = panBy({ x: 2000, y: 1000, scale: 2 }, panel, 10, -20, image);
    deepEqual(view, { x: 1995, y: 1010, scale: 2 });
  });

  it('stays on the image but for a margin that lets its edges out from under the scale bar', () => {
    const view = { x: 2000, y: 1000, scale: 2 };
    const first = panBy(view, panel, 1e6, 1e6, image);
    deepEqual(toPanel(first, panel, { x: 0, y: 0 }), { x: 48, y: 48 });
    const last = panBy(view, panel, -1e6, -1e6, image);
    deepEqual(toPanel(last, panel, { x: 4000, y: 2000 }), { x: 800 - 48, y: 600 - 48 });
  });

  it('leaves an image smaller than the panel in the middle', () => {
    const view = panBy({ x: 50, y: 40, scale: 2 }, panel, 300, -200, { width: 100, height: 80 });
    deepEqual(view, { x: 50, y: 40, scale: 2 });
  });

  it('moves along the side that is longer than the panel only', () => {
    const view = panBy({ x: 2000, y: 50, scale: 1 }, panel, -100, -100, { width: 4000, height: 100 });
    deepEqual(view, { x: 2100, y: 50, scale: 1 });
  });
});

describe('bringing an object into view', () => {
  const view = { x: 2000, y: 1000, scale: 1 };

  it('moves nothing when the object is in view and large enough', () => {
    equal(revealBox(view, panel, [1990, 990, 2030, 1020], image), view);
  });

  it('centers an object out of view and keeps the zoom', () => {
    deepEqual(revealBox(view, panel, [1000, 500, 1040, 520], image), { x: 1020, y: 510, scale: 1 });
  });

  it('shows an object at the edge of the image without leaving the image', () => {
    const revealed = revealBox(view, panel, [0, 0, 40, 20], image);
    deepEqual(toPanel(revealed, panel, { x: 0, y: 0 }), { x: 48, y: 48 });
  });

  it('zooms in on an object too small to see', () => {
    const revealed = revealBox({ ...view, scale: 0.15 }, panel, [2000, 1000, 2010, 1008], image);
    ok(10 * revealed.scale >= 16);
  });

  it('zooms out for an object larger than the panel', () => {
    const box: Box = [0, 0, 4000, 2000];
    const revealed = revealBox({ ...view, scale: 4 }, panel, box, image);
    ok(4000 * revealed.scale <= 800);
  });
});

describe('a view on the way to another', () => {
  it('begins and ends at the two, with the scale changing evenly to the eye', () => {
    const [from, to] = [
      { x: 0, y: 0, scale: 1 },
      { x: 10, y: 20, scale: 4 },
    ];
    deepEqual(between(from, to, 0), from);
    deepEqual(between(from, to, 1), to);
    deepEqual(between(from, to, 0.5), { x: 5, y: 10, scale: 2 });
  });
});
