import { deepEqual, equal, fail, ok } from 'node:assert/strict';
import type { TableSummary } from '../../../../src/columns/tableSummary';
import type { PlotWindow } from '../../../../src/columns/viewSpec';
import { loadPlot } from '../../../../src/plots/page/drawPlot';
import { CLOSED_DRAWER, drawerPlace, type DrawerState } from '../../../../src/plots/page/drawerModel';
import { savedDrawer, undonePlots } from '../../../../src/plots/page/drawerSaved';
import { plotsInTable, plotsOfTable } from '../../../../src/plots/page/plotsInTable';
import { firstPlot, movedPlots } from '../../../../src/plots/page/plotTypes';
import { groupsHeightNeeded, groupsPosition } from '../../../../src/table/page/state/groupsPlace';
import { INITIAL_GROUPS } from '../../../../src/table/page/state/groupsState';
import { stepWords } from '../../../../src/table/page/tableUndo';
import { currentTableView, fittingView } from '../../../../src/table/page/tableViewState';
import { stepBetween } from '../../../../src/table/page/viewHistory';
import { OpenedTable, useNoScreen } from '../../table/page/openedTable';
import type { AddedToTable } from '../../table/page/tableStart';
import { store, table } from '../../table/page/twoColumns';

const [AREA, PERIMETER, MAJOR] = [3, 4, 5] as const;

/** The page with plots alone added to it; of what comes later they need what loads them. */
const added: AddedToTable = {
  contributions: [plotsInTable],
  loadLater: () => Promise.resolve({ plots: { loadPlot } } as never),
};

const withPlots = (...[start, responses, saved]: Partial<Parameters<typeof store>>) =>
  store(start, responses, saved, added);

describe('The plots of a table', () => {
  // Statistics wait for a frame, which never comes.
  before(() => Object.assign(globalThis, { requestAnimationFrame: () => 0 }));
  after(() => Reflect.deleteProperty(globalThis, 'requestAnimationFrame'));

  it('opens the plots with one that says something, and keeps the zoom of those that stay', () => {
    const { page, port } = withPlots();
    const plots = page.added.get(plotsOfTable);
    plots.toggle();
    const [first] = port.view.drawer?.plots ?? [];
    deepEqual([plots.isOpen.value, first?.kind], [true, 'histogram']);
    const window: PlotWindow = { x: [0, 1], y: [0, 0] };
    const [plot] = plots.plots.value;
    plot?.zoom.setLoaded({
      draw: () => fail('Not drawn in this test'),
      zoom: { whole: { x: [0, 2], y: [0, 0] }, fit: window, window: null, isComplete: true },
    });
    plot?.zoom.reset();
    deepEqual(port.view.drawer?.windows, [window]);
    plots.restore([firstPlot('bar', table.columns), first].map(spec => spec ?? fail('No plot fits')));
    deepEqual(port.view.drawer?.windows, [null, window]);
    plots.toggle();
    plots.restore([]);
    deepEqual([plots.isOpen.value, port.view.drawer?.plots], [false, []]);
  });

  it('has tabs of rows, groups and plots where there is room for one, with what was opened last in front', () => {
    const { page, port } = withPlots({}, {}, { groups: { ...INITIAL_GROUPS, by: [0] } });
    const { tabs } = page;
    const now = () => [tabs.parts.value.join(), tabs.front.value];
    page.measured(1200, 900);
    page.toggleDrawer();
    page.toggleGroups();
    deepEqual(now(), ['', undefined]);
    page.measured(400, 580);
    // Of three panels none would show what it is for.
    deepEqual(now(), ['rows,groups,plots', 'groups']);
    page.toggleDrawer();
    deepEqual(now(), ['rows,groups,plots', 'plots']);
    deepEqual([page.groups.isOpen.value, port.view.front], [true, 'plots']);
    tabs.show('rows');
    deepEqual([tabs.isSeen('rows'), tabs.isSeen('groups'), tabs.isSeen('plots')], [true, false, false]);
    // A page that is hidden has no size.
    page.measured(0, 0);
    deepEqual(now(), ['rows,groups,plots', 'rows']);
    page.showGroups(1);
    deepEqual(now(), ['rows,groups,plots', 'groups']);
    tabs.close();
    // Without the groups there is room for rows and plots.
    deepEqual([...now(), page.groups.isOpen.value, page.drawer?.isOpen.value], ['', undefined, false, true]);
    page.measured(400, 300);
    deepEqual(now(), ['rows,plots', 'rows']);
    page.toggleDrawer();
    page.toggleDrawer();
    deepEqual([...now(), page.drawer?.isOpen.value], ['', undefined, false]);
  });

  it('has tabs of rows and groups beside plots that have room on the right', () => {
    const { page } = withPlots({}, {}, { groups: { ...INITIAL_GROUPS, by: [0] } });
    page.measured(1200, 300);
    page.toggleDrawer();
    page.toggleGroups();
    deepEqual([page.tabs.parts.value, page.tabs.front.value], [['rows', 'groups'], 'groups']);
    equal(page.tabs.isSeen('plots'), true);
    page.toggleGroups();
    deepEqual([page.tabs.parts.value, page.drawer?.isOpen.value], [[], true]);
  });

  it('has the tab in front that was in front', () => {
    const drawer = { ...CLOSED_DRAWER, open: true };
    const { page } = withPlots(
      {},
      {},
      { drawer, groups: { ...INITIAL_GROUPS, by: [0], open: true }, front: 'rows' },
    );
    page.measured(400, 300);
    deepEqual([page.tabs.parts.value.length, page.tabs.front.value], [3, 'rows']);
  });
});

describe('Plots of a table that changes', () => {
  useNoScreen();
  let page: OpenedTable | undefined;
  afterEach(() => page?.close());

  it('come back when a step is undone, and are open then', async () => {
    page = await OpenedTable.open({ rowCount: 1000, added });
    const plots = page.store.added.get(plotsOfTable);
    const axes = () =>
      plots.plots.value.map(({ spec }) => (spec.kind === 'scatter' ? [spec.x, spec.y] : spec.kind));
    plots.toggle();
    await page.settled();
    deepEqual(axes(), [[AREA, PERIMETER]]);
    const [plot] = plots.plots.value;
    if (plot?.spec.kind === 'scatter') plot.change({ ...plot.spec, x: MAJOR });
    await page.settled();
    if (plot) plots.remove(plot);
    await page.settled();
    plots.toggle();
    deepEqual([axes(), plots.isOpen.value], [[], false]);
    equal(await page.move('undo'), 'Undid: Remove Plot');
    deepEqual([axes(), plots.isOpen.value], [[[MAJOR, PERIMETER]], true]);
    equal(await page.move('undo'), 'Undid: Change Plot');
    deepEqual(axes(), [[AREA, PERIMETER]]);
    // The first plot came with the drawer.
    equal(await page.move('undo'), 'Nothing to undo');
  });

  it('lists in a plot the columns that turn out to be numeric', async () => {
    page = await OpenedTable.open({ rowCount: 1000, added });
    const plots = page.store.added.get(plotsOfTable);
    plots.toggle();
    const offered = () => plots.columns.value.flatMap(({ kind, name }) => (kind === 'number' ? [name] : []));
    equal(offered().includes('Area'), true);
    deepEqual(
      [plots.plots.value[0]?.spec].map(spec => spec?.kind === 'scatter' && spec.x),
      [AREA],
    );
    const summary = await page.summary();
    const growth = { rowCount: 1000, bytesDone: 1, bytesTotal: 1, done: true };
    const asText = summary.columns.map(each =>
      each.index === AREA ? { ...each, kind: 'text' as const } : each,
    );
    await page.store.grow({ ...growth, summary: { ...summary, columns: asText } });
    await page.settled();
    equal(offered().includes('Area'), false);
    deepEqual(
      [plots.plots.value[0]?.spec].map(spec => spec?.kind === 'scatter' && spec.x),
      [PERIMETER],
    );
  });

  it('go with columns of images that move', () => {
    const plots = [
      { kind: 'box' as const, measure: 0, by: 3 },
      { kind: 'bar' as const, measure: 2, by: 0 },
    ];
    deepEqual(
      movedPlots(plots, column => [0, 1, undefined, 2][column]),
      [
        { kind: 'box', measure: 0, by: 2 },
        { kind: 'bar', measure: null, by: 0 },
      ],
    );
  });
});

describe('The saved plots of a table', () => {
  const tableOf = (...names: string[]): TableSummary => ({
    ...table,
    columns: names.map((name, index) => ({ index, name, kind: 'number' })),
  });
  const first = tableOf('Area', 'Perimeter', 'Class');
  const parts = [savedDrawer];
  const left: DrawerState = {
    open: true,
    side: 'right',
    size: 200,
    plots: [{ kind: 'histogram', column: 1 }],
  };
  const fitting = (drawer: DrawerState, now: TableSummary) =>
    fittingView({ ...fittingView({}, first), drawer }, now, undefined, parts).drawer;

  it('are found so again, but for those of columns that stand elsewhere', () => {
    deepEqual(fitting(left, first), left);
    deepEqual(fitting(left, tableOf('Perimeter', 'Area', 'Class')), { ...left, plots: [] });
    deepEqual(fittingView({}, first, undefined, parts).drawer, CLOSED_DRAWER);
    deepEqual(
      [left, CLOSED_DRAWER].map(drawer => savedDrawer.isOpen({ drawer })),
      [true, false],
    );
  });

  it('has plots zoomed as they were, unless one of them is no longer there', () => {
    const windows = [{ x: [1, 2] as [number, number], y: [0, 0] as [number, number] }];
    const zoomed = { ...left, windows };
    deepEqual(fitting(zoomed, first)?.windows, windows);
    zoomed.plots = [{ kind: 'histogram', column: 7 }];
    equal(fitting(zoomed, first)?.windows, undefined);
  });

  it('is found so again where an earlier version saved the color of its plots', () => {
    const saved = {
      sort: [],
      drawer: {
        open: true,
        plots: [
          { kind: 'scatter', x: 0, y: 1, colour: 2 },
          { kind: 'scatter', x: 0, y: 1, colour: null },
          { kind: 'histogram', column: 1 },
        ],
      },
    };
    const { drawer = CLOSED_DRAWER } = fittingView(currentTableView(saved, parts), first, undefined, parts);
    deepEqual(drawer.plots, [
      { kind: 'scatter', x: 0, y: 1, color: 2 },
      { kind: 'scatter', x: 0, y: 1, color: null },
      { kind: 'histogram', column: 1 },
    ]);
    deepEqual(currentTableView({ drawer: left }, parts), { drawer: left });
    deepEqual(currentTableView({}, parts), {});
  });

  it('are where they are in the file again once columns of images have moved', () => {
    const ofImage = (index: number, name: string) => ({
      index,
      name,
      kind: 'text' as const,
      ofImage: true as const,
    });
    const now = { ...first, columns: [...first.columns, ofImage(3, 'Donor')] };
    const saved = fittingView({ drawer: { ...left, plots: [{ kind: 'box', measure: 0, by: 4 }] } }, now);
    const before = {
      ...saved,
      imageColumns: ['Dose', 'Donor'],
      drawer: { ...left, plots: [{ kind: 'box' as const, measure: 0, by: 4 }] },
    };
    deepEqual(fittingView(before, now, undefined, parts).drawer?.plots, [{ kind: 'box', measure: 0, by: 3 }]);
  });
});

describe('A step of the user with plots', () => {
  const view = fittingView({}, table);
  const opened = { ...CLOSED_DRAWER, open: true };
  function words(before: DrawerState, after: DrawerState): string | undefined {
    const step = stepBetween({ ...view, drawer: before }, { ...view, drawer: after }, [undonePlots]);
    return step && stepWords(step, table.columns, [undonePlots]);
  }

  it('is none where the drawer opens with one, or moves', () => {
    const plots = [{ kind: 'histogram' as const, column: 1 }];
    equal(words(CLOSED_DRAWER, { ...opened, plots }), undefined);
    equal(words({ ...opened, plots }, { ...opened, plots, side: 'right' }), undefined);
  });

  it('is worded by what happened to the plots', () => {
    const plots = [
      { kind: 'histogram' as const, column: 1 },
      { kind: 'histogram' as const, column: 2 },
    ];
    const of = (before: typeof plots, after: typeof plots) =>
      words({ ...opened, plots: before }, { ...opened, plots: after });
    equal(of([], plots.slice(1)), 'Add Plot');
    equal(of(plots, plots.slice(1)), 'Remove Plot');
    equal(of(plots.slice(0, 1), plots.slice(1)), 'Change Plot');
  });
});

describe('The room of plots below the rows', () => {
  const wanted = { width: 640, height: 240 };

  it('leaves enough for groups, or plots are elsewhere', () => {
    const needed = groupsHeightNeeded({ width: 400 });
    for (let height = 180; height < 900; height += 10) {
      const plots = drawerPlace({ side: 'below', size: 5000 }, { width: 400, height }, needed);
      if (plots.where !== 'below') continue;
      const groups = groupsPosition(wanted, { width: 400, height }, plots.size);
      equal(groups.where, 'below');
      ok(height - plots.size - groups.size >= 180, `${plots.size} and ${groups.size} of ${height}`);
    }
  });
});
