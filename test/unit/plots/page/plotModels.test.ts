import { signal } from '@preact/signals';
import { deepEqual, equal } from 'node:assert/strict';
import type { TableColumn } from '../../../../src/columns/tableSummary';
import { canceledError } from '../../../../src/base/errors';
import { followColors } from '../../../../src/plots/page/followColors';
import { loadPlot } from '../../../../src/plots/page/drawPlot';
import { CLOSED_DRAWER, DrawerModel, type DrawerState } from '../../../../src/plots/page/drawerModel';
import type { PlotWindow } from '../../../../src/columns/viewSpec';
import type { PlotAddition, RowColors } from '../../../../src/drawing/page/plotAddition';
import type { PlotSource } from '../../../../src/drawing/page/plottedTable';

const number = (index: number, name: string): TableColumn => ({ index, name, kind: 'number' });
const histogram = { low: 0, high: 2, ends: [0, 1, 1, 2], all: [1, 2], shown: [1, 2] };

/**
 * The plots of a table with two columns of numbers, and what they requested, saved and reported.
 */
function drawerOf(state: Partial<DrawerState> = {}) {
  const done: unknown[] = [];
  const addition = signal<PlotAddition | undefined>(undefined);
  const source = {
    table: { columns: [number(0, 'Area'), number(1, 'Perimeter')] },
    onDidChange: (listener: (change: string) => void) => (page.changed = listener),
    histogram: ({ column }: { column: number }, cancel: AbortSignal) => {
      done.push(`histogram ${column}`);
      cancel.addEventListener('abort', () => done.push(`canceled ${column}`));
      return page.respond();
    },
  };
  const page = {
    respond: (): Promise<object | undefined> => Promise.resolve(histogram),
    changed: (_change: string): void => undefined,
    source,
  };
  const drawer = new DrawerModel(
    { ...CLOSED_DRAWER, open: true, ...state },
    {
      source: source as unknown as PlotSource,
      messages: {
        failed: (words, error) => done.push(words(String(error))),
        log: error => String(error),
      },
      selected: signal(null),
      hovered: signal(null),
      addition,
      hover: () => undefined,
      act: () => undefined,
      say: () => undefined,
      savePlot: () => Promise.resolve(),
      enterRows: () => done.push('rows'),
      loadPlot,
      plotFile: () => Promise.reject(new Error('No file is made in this test')),
      room: signal({ width: 1000, height: 800 }),
      heightNeededBelow: () => 0,
      save: ({ plots, windows, open }) => done.push({ plots, windows, open }),
    },
  );
  const plot = () => {
    const [first] = drawer.plots.value;
    if (!first) throw new Error('No plot');
    return first;
  };
  return { drawer, done, page, plot, addition };
}

const settled = () => new Promise<void>(resolve => setImmediate(resolve));
const ofArea = { kind: 'histogram', column: 0 } as const;
const ofPerimeter = { kind: 'histogram', column: 1 } as const;

describe('The colors of rows in plots', () => {
  const colorsOf = (...names: string[]): RowColors => ({
    name: 'Populations',
    groups: names.map(name => ({ name, color: () => '#ff0000' })),
    others: 'Other rows',
  });

  it('are requested one after the other where they change, and the latest win', async () => {
    const { drawer, addition, plot } = drawerOf({ plots: [ofArea] });
    const colors = signal<RowColors | undefined>(colorsOf('A'));
    const asked: (() => void)[] = [];
    addition.value = {
      colors,
      groupsOf: () => Promise.resolve([]),
      countsInBins: () => new Promise(resolve => asked.push(() => resolve([new Uint32Array([1, 0])]))),
      tools: () => null,
      overlay: () => ({ draw: () => undefined as never, dispose: () => undefined }),
    };
    drawer.load();
    await settled();
    asked[0]?.();
    await settled();
    deepEqual([asked.length, plot().content], [1, 'plot']);
    let redrawn = 0;
    const end = followColors(plot(), drawer, () => redrawn++);
    await settled();
    // It has come with them.
    deepEqual([asked.length, redrawn], [1, 0]);
    for (const name of ['B', 'C', 'D']) colors.value = colorsOf(name);
    await settled();
    equal(asked.length, 2);
    asked[1]?.();
    await settled();
    deepEqual([asked.length, redrawn], [3, 1]);
    asked[2]?.();
    await settled();
    deepEqual([asked.length, redrawn], [3, 2]);
    // What is drawn no longer needs none.
    end();
    colors.value = colorsOf('E');
    await settled();
    equal(asked.length, 3);
  });
});

describe('the plots of a table', () => {
  it('request their data once they are to be seen, and again for other filters', async () => {
    const { drawer, done, page, plot } = drawerOf({ open: false, plots: [ofArea] });
    drawer.load();
    deepEqual([drawer.isStale.value, done], [false, []]);
    drawer.toggle();
    equal(drawer.isStale.value, true);
    drawer.load();
    deepEqual([drawer.isStale.value, plot().isBusy, plot().content], [false, true, 'loading']);
    await settled();
    deepEqual([plot().isBusy, plot().content], [false, 'plot']);
    page.changed('sort');
    equal(drawer.isStale.value, false);
    page.changed('filters');
    equal(drawer.isStale.value, true);
    // What is shown of other rows stays until then.
    equal(plot().content, 'plot');
  });

  it('say that there is nothing to show, or why, and then show what has come', async () => {
    const { drawer, page, plot } = drawerOf({ plots: [ofArea] });
    page.respond = () => Promise.resolve(undefined);
    drawer.load();
    await settled();
    deepEqual([plot().content, plot().isSettled], ['empty', true]);
    page.changed('filters');
    page.respond = () => Promise.reject(new Error('No worker'));
    drawer.load();
    await settled();
    deepEqual(plot().content, { failure: 'Error: No worker' });
    page.respond = () => Promise.resolve(histogram);
    await plot().load();
    // It isn't on the screen yet.
    deepEqual([plot().content, plot().isSettled], ['plot', false]);
  });

  it('stay where only the points of another window fail to come, which is reported', async () => {
    const { drawer, done, page, plot } = drawerOf({ plots: [ofArea] });
    drawer.load();
    await settled();
    page.respond = () => Promise.reject(new Error('No worker'));
    await plot().load();
    deepEqual([plot().content, done.at(-1)], ['plot', "Couldn't load the plot: Error: No worker"]);
    page.respond = () => Promise.reject(canceledError());
    done.length = 0;
    await plot().load();
    deepEqual(done, ['canceled 0', 'histogram 0']);
  });

  it('are saved with the verb that changes them, and show all of what is chosen anew', () => {
    const window: PlotWindow = { x: [0, 1], y: [0, 0] };
    const { drawer, done, plot } = drawerOf({ plots: [ofArea], windows: [window] });
    deepEqual(plot().zoom.window, window);
    plot().change(ofPerimeter);
    drawer.add('scatter');
    const scatter = { kind: 'scatter', x: 0, y: 1, color: null };
    drawer.remove(plot());
    drawer.leave();
    deepEqual(done, [
      { plots: [ofPerimeter], windows: [null], open: true },
      { plots: [ofPerimeter, scatter], windows: [null, null], open: true },
      { plots: [scatter], windows: [null], open: true },
      { plots: [scatter], windows: [null], open: false },
      'rows',
    ]);
  });

  it('request nothing any longer once they are removed', () => {
    const { drawer, done, plot } = drawerOf({ plots: [ofArea] });
    drawer.load();
    drawer.remove(plot());
    deepEqual(done.slice(0, 2), ['histogram 0', 'canceled 0']);
  });

  it('get columns that fit where the table has others, and are requested again', () => {
    const { drawer, done, page, plot } = drawerOf({ plots: [ofPerimeter] });
    page.changed('table');
    deepEqual([plot().spec, done], [ofPerimeter, []]);
    page.source.table.columns = [number(0, 'Area'), { index: 1, name: 'Class', kind: 'text' }];
    page.changed('table');
    deepEqual([plot().spec, drawer.columns.value[1]?.name], [ofArea, 'Class']);
    deepEqual(done, [{ plots: [ofArea], windows: [null], open: true }]);
  });

  it('stand side by side where there is room', () => {
    const { drawer } = drawerOf({ plots: [ofArea, ofPerimeter] });
    equal(drawer.cards.value, undefined);
    drawer.measured(800, 300);
    deepEqual([drawer.perRow.value, drawer.cards.value], [2, { width: 376, height: 300 }]);
    drawer.measured(0, 0);
    drawer.remove(drawer.plots.value[0] as never);
    deepEqual([drawer.perRow.value, drawer.cards.value], [1, { width: 776, height: 300 }]);
  });
});
