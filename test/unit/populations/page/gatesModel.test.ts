import { deepEqual, equal, ok } from 'node:assert/strict';
import type { PlotOnPage } from '../../../../src/drawing/page/plotAddition';
import { GatesModel } from '../../../../src/populations/page/gatesModel';
import type { Gate } from '../../../../src/populations/gate';
import type { ShapeGate } from '../../../../src/populations/page/gateShapes';
import { populationsInTable, populationsOfTable } from '../../../../src/populations/page/populationsInTable';
import { PopulationsModel } from '../../../../src/populations/page/populationsModel';
import { namedPopulations } from '../../../../src/populations/page/gateWords';
import { OpenedTable, until, useNoScreen } from '../../table/page/openedTable';
import type { AddedToTable } from '../../table/page/tableStart';

const added: AddedToTable = {
  contributions: [populationsInTable],
  loadLater: () => Promise.resolve({ populations: { PopulationsModel, namedPopulations } } as never),
};
const plot: PlotOnPage = { drawing: undefined };
const areas = (from: number, to: number): ShapeGate => ({ kind: 'range', column: 3, from, to });

describe('Gates that are drawn in plots', () => {
  useNoScreen();
  let opened: OpenedTable | undefined;
  afterEach(() => opened?.close());

  const open = async () => {
    const page = (opened = await OpenedTable.open({ added }));
    const own = page.store.added.get(populationsOfTable);
    const populations = await own.model();
    populations.drawInPlots();
    const gates = new GatesModel(populations, own.parts);
    /** What was requested so far, and whether it was stored. */
    const counts = () =>
      page.engine.requests
        .filter(({ method }) => method === 'countPopulations')
        .map(({ params }) => params as { populations?: { name: string }[]; isDrawn?: boolean });
    const count = (name: string) => gates.countedOf(name)?.count;
    const rowsFrom = async (from: number, to: number) => {
      const filters = [{ kind: 'range', column: 3, from, to }];
      return ((await page.ask('tableView', { sort: [], filters })) as { rowCount: number }).rowCount;
    };
    return { page, populations, gates, counts, count, rowsFrom };
  };

  it('are counted while they are drawn, stored once they have a name, and undone', async () => {
    const { page, populations, gates, counts, count, rowsFrom } = await open();
    gates.draw(plot, areas(100, 300));
    await until(() => count('Population') !== undefined);
    equal(count('Population'), await rowsFrom(100, 300));
    gates.draw(plot, areas(100, 500));
    const wide = await rowsFrom(100, 500);
    await until(() => count('Population') === wide);
    gates.finishDrawing();
    deepEqual([gates.draft.value?.isNaming, populations.populations], [true, []]);
    ok(counts().every(({ populations: sent, isDrawn }) => sent === undefined || isDrawn === true));
    equal(gates.addNamed('  '), 'Enter a name.');
    equal(gates.addNamed('Cells'), undefined);
    await page.settled();
    deepEqual(populations.populations, [
      { name: 'Cells', gate: { kind: 'range', column: 'Area', from: 100, to: 500 } },
    ]);
    deepEqual([gates.draft.value, gates.selected.value], [undefined, { name: 'Cells', part: 0 }]);
    await until(() => count('Cells') === wide);
    equal(await page.move('undo'), 'Undid: Add Population');
    deepEqual([populations.populations, gates.selected.value], [[], undefined]);
  });

  it('are parts of the population that the table is filtered to', async () => {
    const { page, populations, gates } = await open();
    gates.draw(plot, areas(100, 500));
    gates.finishDrawing();
    gates.addNamed('Cells');
    await page.settled();
    populations.toggleFilter('Cells');
    await page.settled();
    gates.draw(plot, areas(200, 300));
    gates.finishDrawing();
    gates.addNamed('Small');
    await page.settled();
    equal(populations.populations[1]?.parent, 'Cells');
  });

  it('have one request on its way at most while they are dragged, and the latest wins', async () => {
    const { page, populations, gates, counts, count, rowsFrom } = await open();
    gates.draw(plot, areas(100, 500));
    gates.finishDrawing();
    gates.addNamed('Cells');
    await page.settled();
    const before = counts().length;
    page.engine.delayResponses('countPopulations');
    for (let to = 400; to > 300; to -= 10) gates.change(plot, { name: 'Cells', part: 0 }, areas(100, to));
    await until(() => page.engine.delayedResponses === 1);
    equal(counts().length, before + 1);
    page.engine.release();
    const last = await rowsFrom(100, 310);
    await until(() => count('Cells') === last);
    equal(counts().length, before + 2);
    ok(
      counts()
        .slice(before)
        .every(({ isDrawn }) => isDrawn === true),
    );
    // What was dragged is stored as one step.
    gates.store();
    await page.settled();
    deepEqual(populations.populations[0]?.gate, { kind: 'range', column: 'Area', from: 100, to: 310 });
    equal(await page.move('undo'), 'Undid: Change Population');
    deepEqual(populations.populations[0]?.gate, { kind: 'range', column: 'Area', from: 100, to: 500 });
  });

  it('keep the name that a program has given, also where another population has it', async () => {
    const { page, populations, gates } = await open();
    const range = { kind: 'range', column: 'Area', from: 100, to: 500 } as const;
    populations.restore([
      { name: 'All  cells', gate: range },
      { name: 'all  cells', gate: range },
    ]);
    await page.settled();
    gates.change(plot, { name: 'All  cells', part: 0 }, areas(100, 200));
    gates.store();
    await page.settled();
    deepEqual(populations.populations, [
      { name: 'All  cells', gate: { ...range, to: 200 } },
      { name: 'all  cells', gate: range },
    ]);
  });

  it('are thresholds, which are frozen where their line is dragged to, until that is undone', async () => {
    const { page, populations, gates, count, rowsFrom } = await open();
    const median: Gate = {
      kind: 'statistic',
      ...{ column: 'Area', of: 'all', center: 'median', spread: 'mad', factor: 0, side: 'above' },
    };
    equal(
      populations.saveDraft(undefined, { name: 'Upper', gate: { kind: 'not', gate: median } }),
      undefined,
    );
    await until(() => count('Upper') !== undefined);
    await page.settled();
    const axis = { column: 3, scale: 'linear', toPixel: (place: number) => place } as const;
    const box = { left: 0, top: 0, width: 100, height: 100 };
    const axes = { x: { ...axis, toPlace: (pixel: number) => pixel }, box };
    const lines = () => gates.shapesOn(axes).flatMap(({ gate }) => ('frozen' in gate ? [gate] : []));
    const [line] = lines();
    ok(line);
    const computed = line.frozen;
    // What is only pressed isn't changed.
    gates.store();
    deepEqual(populations.populations[0]?.gate, { kind: 'not', gate: median });
    gates.change(plot, { name: 'Upper', part: 0 }, { ...line, frozen: 300 });
    equal(lines()[0]?.frozen, 300);
    gates.store();
    deepEqual(populations.populations[0]?.gate, { kind: 'not', gate: { ...median, frozen: 300 } });
    const below = (await rowsFrom(-1e9, 300)) - (await rowsFrom(300, 300));
    await until(() => count('Upper') === below);
    equal(await page.move('undo'), 'Undid: Change Population');
    deepEqual(populations.populations[0]?.gate, { kind: 'not', gate: median });
    await until(() => lines()[0]?.frozen === computed);
  });

  it('are as before where a drag is left, and counts of it that come late are not taken', async () => {
    const { page, gates, count, rowsFrom, populations } = await open();
    gates.draw(plot, areas(100, 500));
    gates.finishDrawing();
    gates.addNamed('Cells');
    await page.settled();
    const stored = populations.populations;
    const whole = await rowsFrom(100, 500);
    await until(() => count('Cells') === whole);
    page.engine.delayResponses('countPopulations');
    gates.change(plot, { name: 'Cells', part: 0 }, areas(100, 200));
    await until(() => page.engine.delayedResponses === 1);
    gates.cancel();
    page.engine.release();
    await page.settled();
    equal(count('Cells'), whole);
    equal(populations.populations, stored);
    // The engine has no other rows either.
    const { populations: counted } = (await page.ask('countPopulations', {})) as {
      populations: { count: number }[];
    };
    equal(counted[0]?.count, whole);
  });

  it('give rows the colors of those that are seen, which are others only where they are others', async () => {
    const { page, populations, gates } = await open();
    equal(gates.colors.value === undefined, true);
    gates.draw(plot, areas(100, 500));
    gates.finishDrawing();
    gates.addNamed('Cells');
    await until(() => gates.colors.value?.groups[0]?.name === 'Cells');
    await page.settled();
    const { value } = gates.colors;
    await populations.count();
    equal(gates.colors.value, value);
    const [group] = value?.groups ?? [];
    ok(group && group.color('#1f1f1f') !== group.color('#ffffff'));
  });
});
