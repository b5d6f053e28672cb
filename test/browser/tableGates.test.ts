import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Population } from '../../src/populations/population';
import { sentMessages } from './preview/previewPages';
import { until } from './until';
import { usePreview } from './usePreview';

type Place = readonly [x: number, y: number];

describe('Gates in the plots of the table page', () => {
  const suite = usePreview(['table']);
  let page: Page;

  beforeEach(async () => {
    const size = { width: 1200, height: 900 };
    page = await suite.open({ page: 'table', size, options: { rowCount: 10_000, start: 'respond' } });
    await page.getByRole('button', { name: 'Populations' }).click();
    await page.getByRole('button', { name: 'Plots', exact: true }).click();
    const right = page.getByRole('button', { name: 'Show Plots on the Right' });
    if (await right.isVisible()) await right.click();
    await page.getByLabel('Plot size').focus();
    for (let step = 0; step < 30; step++) await page.keyboard.press('ArrowLeft');
    await page.locator('.plot-points').waitFor();
    await page.getByLabel('Y axis').selectOption('Length of Major Axis');
    await until(isIdle);
  });

  const stage = () => page.locator('.plot-stage').first();
  const status = () => page.locator('.gate-status').first();
  const isIdle = async () => (await page.locator('.plot-card').first().getAttribute('aria-busy')) === null;
  /** A place of the plot, as shares of its drawing, on the page. */
  const onPage = async ([x, y]: Place): Promise<Place> => {
    const box = await stage().boundingBox();
    assert.ok(box);
    return [box.x + box.width * x, box.y + box.height * y];
  };
  const drag = async (from: Place, to: Place) => {
    await page.mouse.move(...(await onPage(from)));
    await page.mouse.down();
    await page.mouse.move(...(await onPage([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2])));
    await page.mouse.move(...(await onPage(to)));
    await page.mouse.up();
  };
  const choose = (name: string) => page.getByRole('button', { name }).first().click();
  const name = async (words: string) => {
    const field = page.locator('.gate-tools').getByLabel('Name of the population');
    await field.fill(words);
    await page.keyboard.press('Enter');
    await status().getByText(words, { exact: true }).waitFor();
    await page.getByRole('treeitem', { name: words }).waitFor();
    await until(() => gateOf(words) !== undefined);
    // The keyboard goes on in the plot.
    await until(() => stage().evaluate(node => node === document.activeElement));
  };
  /** Those that were stored last. */
  const stored = (): Population[] => {
    const sent = suite.preview.engine.requests.flatMap(({ method, params }) => {
      const { populations, isDrawn } = params as { populations?: Population[]; isDrawn?: boolean };
      return method === 'countPopulations' && populations && isDrawn !== true ? [populations] : [];
    });
    return sent.at(-1) ?? [];
  };
  const gateOf = (words: string) => stored().find(each => each.name === words)?.gate;
  const rows = async () => (await status().locator('.gate-counts').textContent()) ?? '';
  const kindOf = (words: string) => gateOf(words)?.kind;
  /** Waits until something else was stored of one. */
  const changed = async (words: string, act: () => Promise<unknown>) => {
    const before = JSON.stringify(gateOf(words));
    await act();
    await until(() => JSON.stringify(gateOf(words)) !== before);
    return JSON.parse(before) as object;
  };

  it('are drawn, counted while they are, dragged by handles, and moved by keys and numbers', async () => {
    await choose('Draw a Rectangle');
    await page.mouse.move(...(await onPage([0.2, 0.3])));
    await page.mouse.down();
    await page.mouse.move(...(await onPage([0.4, 0.6])));
    await status()
      .getByText(/rows, /)
      .waitFor();
    const small = await rows();
    await page.mouse.move(...(await onPage([0.6, 0.85])));
    await until(async () => (await rows()) !== small);
    assert.deepEqual(stored(), []);
    await page.mouse.up();
    await name('Cells');
    assert.equal(kindOf('Cells'), 'rectangle');

    // A corner, by the pointer.
    const beforeDrag = await changed('Cells', () => drag([0.6, 0.85], [0.7, 0.7]));
    await changed('Cells', () => page.keyboard.press('ControlOrMeta+z'));
    assert.deepEqual(gateOf('Cells'), beforeDrag);
    await changed('Cells', () => page.keyboard.press('ControlOrMeta+Shift+z'));

    // The whole, by keys: each press that is released is a step.
    await stage().focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    const beforeKeys = await changed('Cells', () => page.keyboard.press('Shift+ArrowRight'));
    const { from, to } = gateOf('Cells') as { from: number[]; to: number[] };
    const old = beforeKeys as { from: number[]; to: number[] };
    assert.ok((from[0] ?? 0) > (old.from[0] ?? 0) && (to[0] ?? 0) > (old.to[0] ?? 0));
    await changed('Cells', () => page.keyboard.press('ControlOrMeta+z'));
    assert.deepEqual(gateOf('Cells'), beforeKeys);
    // One of its handles.
    await stage().focus();
    await page.keyboard.press('h');
    await changed('Cells', () => page.keyboard.press('ArrowLeft'));
    assert.deepEqual((gateOf('Cells') as { to: number[] }).to, old.to);

    // Its numbers.
    await page.getByRole('button', { name: 'Numbers of Cells' }).click();
    await page.getByLabel('Area from').fill('nothing');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a number.').waitFor();
    await page.getByLabel('Area from').fill('120.5');
    await changed('Cells', () => page.keyboard.press('Enter'));
    assert.equal((gateOf('Cells') as { from: number[] }).from[0], 120.5);

    // Legend and colors are those of the populations, where no column gives any.
    await page.getByLabel('Color by').selectOption('Populations');
    await stage().locator('text', { hasText: 'Other rows' }).waitFor();
    // They are in a saved plot too, without what is for the pointer.
    await page.getByRole('button', { name: 'Save Plot' }).click();
    await page.getByRole('menuitem', { name: 'Save as SVG' }).click();
    let figure = '';
    await until(async () => {
      const [saved] = (await sentMessages(page, 'savePlot')) as [
        unknown,
        unknown,
        unknown,
        unknown,
        string,
      ][];
      figure = saved?.[4] ?? '';
      return figure !== '';
    });
    assert.match(figure, />Other rows<[^]*>Cells \d/);
    assert.match(figure, /<circle[^>]*fill="#e69f00"/i);
    assert.doesNotMatch(figure, /gate-handle/);

    await stage().focus();
    await page.keyboard.press('Delete');
    await until(() => stored().length === 0);
    assert.equal(await page.getByRole('treeitem').count(), 0);
  });

  it('are thresholds, which are frozen where they are dragged to, until that is undone', async () => {
    const gate = { kind: 'statistic', center: 'median', spread: 'mad', factor: 1, side: 'above' } as const;
    const populations = [{ name: 'Large', gate: { ...gate, column: 'Area', of: 'all' } }];
    const options = { rowCount: 10_000, start: 'respond', populations };
    page = await suite.open({ page: 'table', size: { width: 1200, height: 900 }, options });
    await page.getByRole('button', { name: 'Plots', exact: true }).click();
    await page.locator('.plot-points').waitFor();
    await page.locator('.plot-stage text', { hasText: 'Large' }).waitFor();
    await until(isIdle);
    await stage().focus();
    await page.keyboard.press('g');
    await status().getByText('Large', { exact: true }).waitFor();
    const handle = await page.locator('.gate-handle').first().boundingBox();
    assert.ok(handle);
    const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2];
    const before = await rows();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y);
    await page.mouse.move(x + 80, y);
    await until(async () => (await rows()) !== before);
    await page.mouse.up();
    const frozen = () => (gateOf('Large') as { frozen?: number } | undefined)?.frozen;
    await until(() => frozen() !== undefined);
    await page.keyboard.press('ControlOrMeta+z');
    await until(() => gateOf('Large') !== undefined && frozen() === undefined);
    await until(async () => (await rows()) === before);
  });

  it('are ellipses, polygons and intervals, by clicks and by keys', async () => {
    await choose('Draw an Ellipse');
    // Left, nothing is drawn.
    await page.keyboard.press('Escape');
    await choose('Draw an Ellipse');
    await page.keyboard.press('Enter');
    await name('Round');
    assert.equal(kindOf('Round'), 'ellipse');
    await choose('Draw a Polygon');
    for (const corner of [
      [0.2, 0.8],
      [0.5, 0.8],
      [0.6, 0.4],
      [0.3, 0.3],
    ] as const)
      await page.mouse.click(...(await onPage(corner)));
    await page.keyboard.press('Backspace');
    await page.mouse.dblclick(...(await onPage([0.25, 0.2])));
    await name('Polygon');
    const { points } = gateOf('Polygon') as { points: number[][] };
    assert.equal(points.length, 4);
    // A new corner in the middle of a line, and a corner less.
    await changed('Polygon', () => drag([0.35, 0.8], [0.35, 0.9]));
    assert.equal((gateOf('Polygon') as { points: number[][] }).points.length, 5);
    await stage().focus();
    await page.keyboard.press('h');
    await changed('Polygon', () => page.keyboard.press('Delete'));
    assert.equal((gateOf('Polygon') as { points: number[][] }).points.length, 4);

    await page.getByLabel('Plot type').first().selectOption('Histogram');
    await page.getByText('Click a bar or drag to filter.').waitFor();
    await until(isIdle);
    await choose('Draw an Interval');
    await drag([0.4, 0.5], [0.7, 0.5]);
    // A name that is taken is told in place.
    const field = page.locator('.gate-tools').getByLabel('Name of the population');
    await field.fill('round');
    await page.keyboard.press('Enter');
    await page.getByText('Another population has this name.').waitFor();
    await name('Large');
    assert.equal(kindOf('Large'), 'range');
    // A click elsewhere selects nothing; one on its line selects it.
    await page.mouse.click(...(await onPage([0.2, 0.1])));
    await status().getByText('Large').waitFor({ state: 'detached' });
    await page.mouse.click(...(await onPage([0.4, 0.2])));
    await status().getByText('Large').waitFor();
  });
});
