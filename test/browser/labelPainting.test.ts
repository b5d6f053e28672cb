import * as assert from 'node:assert/strict';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { WAIT_MS } from '../../scripts/patience.mjs';
import { launchChromium } from '../host/chromium';
import type { PaintRequest, PaintedPixels } from './painting/paintRequest';

const CLEAR = [0, 0, 0, 0];
const RED: [number, number, number] = [255, 0, 0];
const BLUE: [number, number, number] = [0, 0, 255];

describe('Labels painted in a page', () => {
  let browser: Browser;
  let page: Page;

  before(async () => {
    const { outputFiles } = await build({
      entryPoints: ['test/browser/painting/paintPage.ts'],
      bundle: true,
      write: false,
      format: 'iife',
      target: 'chrome128',
    });
    browser = await launchChromium();
    page = await browser.newPage();
    page.setDefaultTimeout(WAIT_MS);
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  });
  after(() => browser.close());

  const base: PaintRequest = {
    image: { width: 300, height: 60 },
    scale: 1,
    boxes: [
      [10, 10, 30, 30],
      [245, 10, 270, 40],
      [20, 20, 50, 50],
    ],
    colors: [RED, BLUE, BLUE],
    fill: true,
    opacity: 1,
    at: [],
  };
  /** Pixels as the GPU paints them; a 2D canvas must agree wherever no line is near. */
  const painted = async (change: Partial<PaintRequest>, alike = true) => {
    const all = { ...base, ...change };
    const { gpu, canvas, fetchedAgain } = await page.evaluate<PaintedPixels>(
      `paintLabels(${JSON.stringify(all)})`,
    );
    assert.ok(gpu, 'WebGL2 is available');
    assert.equal(fetchedAgain, 0);
    if (alike) assert.deepEqual(canvas, gpu);
    return gpu;
  };

  it('fill objects in their colors, what lies on top over the rest, and leave the background clear', async () => {
    assert.deepEqual(
      await painted({
        at: [
          [14, 14],
          [35, 35],
          [150, 30],
          [299, 59],
        ],
      }),
      [[...RED, 255], [...BLUE, 255], CLEAR, CLEAR],
    );
  });

  it('are recolored without loading their labels again', async () => {
    const at: [number, number][] = [
      [14, 14],
      [35, 35],
      [250, 20],
    ];
    const recolored = [BLUE, RED, null];
    assert.deepEqual(await painted({ recolored, at }), [[...BLUE, 255], CLEAR, [...RED, 255]]);
  });

  it('leave hidden objects clear', async () => {
    assert.deepEqual(
      await painted({
        colors: [RED, BLUE, null],
        at: [
          [40, 40],
          [14, 14],
        ],
      }),
      [CLEAR, [...RED, 255]],
    );
  });

  it('have no line where an object crosses from tile to tile', async () => {
    const [left, right] = await painted({
      at: [
        [255, 25],
        [256, 25],
      ],
    });
    assert.deepEqual(left, [...BLUE, 255]);
    assert.deepEqual(right, left);
  });

  it('have outlines in their color inside and a dark halo outside, with nothing between when not filled', async () => {
    const at: [number, number][] = [
      [10, 15],
      [9, 15],
      [15, 16],
      [5, 15],
    ];
    const [line, halo, inside, outside] = await painted(
      { fill: false, boxes: base.boxes.slice(0, 1), at },
      false,
    );
    assert.deepEqual(line, [...RED, 255]);
    assert.deepEqual(halo?.slice(0, 3), [0, 0, 0]);
    assert.ok((halo?.[3] ?? 0) > 80);
    assert.deepEqual([inside, outside], [CLEAR, CLEAR]);
  });

  it('have a light halo around a dark color', async () => {
    const boxes = base.boxes.slice(0, 1);
    const [line, halo] = await painted(
      {
        fill: false,
        boxes,
        colors: [BLUE],
        at: [
          [10, 15],
          [9, 15],
        ],
      },
      false,
    );
    assert.deepEqual(line, [...BLUE, 255]);
    assert.deepEqual(halo?.slice(0, 3), [255, 255, 255]);
  });

  it('keep their lines one screen pixel wide at every zoom', async () => {
    const at: [number, number][] = [
      [80, 160],
      [86, 160],
      [79, 160],
    ];
    const [line, inside, halo] = await painted(
      { scale: 8, opacity: 0.5, boxes: [[10, 10, 30, 30]], at },
      false,
    );
    assert.deepEqual(inside, [255, 0, 0, 128]);
    assert.ok((line?.[3] ?? 0) > 200);
    assert.deepEqual(halo?.slice(0, 3), [0, 0, 0]);
  });

  it('have a thin white line around those that are selected together, and the others are dimmed', async () => {
    const boxes = [
      [10, 10, 30, 30],
      [34, 10, 50, 30],
    ] satisfies PaintRequest['boxes'];
    const at: [number, number][] = [
      [80, 160],
      [79, 160],
      [120, 160],
      [262, 160],
      [340, 160],
    ];
    const around = async (change: Partial<PaintRequest>) => {
      const request = { ...base, scale: 8, boxes, colors: [RED, BLUE], at, ...change };
      const { gpu, canvas } = await page.evaluate<PaintedPixels>(`paintLabels(${JSON.stringify(request)})`);
      return [gpu ?? [], canvas];
    };
    const both = await around({ selected: [0] });
    assert.deepEqual(both[0]?.[1], [0, 0, 0, 255]);
    for (const [line, , inside, beside, dimmed] of both) {
      assert.ok(Math.min(...(line ?? [])) >= 180, String(line));
      assert.deepEqual(inside?.slice(0, 3), [255, 0, 0]);
      assert.ok((inside?.[3] ?? 0) >= 254);
      assert.deepEqual(beside, [0, 0, 0, 0]);
      assert.deepEqual(dimmed?.slice(0, 3), [0, 0, 255]);
      assert.ok(Math.abs((dimmed?.[3] ?? 0) - 64) <= 2, String(dimmed));
    }
  });

  it('keep the colors of those that are selected together where they are too small for lines', async () => {
    const boxes = [
      [10, 10, 22, 22],
      [22, 10, 34, 22],
    ] satisfies PaintRequest['boxes'];
    const at: [number, number][] = [
      [3, 4],
      [4, 4],
    ];
    const request = { ...base, scale: 0.25, boxes, colors: [RED, BLUE], at, selected: [0], opacity: 0.9 };
    const { gpu, canvas } = await page.evaluate<PaintedPixels>(`paintLabels(${JSON.stringify(request)})`);
    for (const pixels of [gpu, canvas])
      for (const [red = 0, green = 0, blue = 0, alpha = 0] of pixels ?? [])
        // The halo of an outline, which all objects have, darkens it.
        assert.ok(red > 100 && green < 40 && blue < 40 && alpha > 200, JSON.stringify([gpu, canvas]));
  });

  it('are left to the 2D canvas on a machine without a GPU', async () => {
    assert.equal(await page.evaluate('isPaintedByGpu()'), false);
  });

  it('show a marked object with a white line on a black one', async () => {
    const at: [number, number][] = [
      [80, 160],
      [82, 160],
      [160, 160],
    ];
    const [line, rim, inside] = await painted({ scale: 8, marked: 0, boxes: [[10, 10, 30, 30]], at }, false);
    assert.deepEqual(line, [255, 255, 255, 255]);
    assert.deepEqual(rim, [0, 0, 0, 255]);
    assert.deepEqual(inside, [...RED, 255]);
  });
});
