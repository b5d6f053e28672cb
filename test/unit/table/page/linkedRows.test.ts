import { deepEqual, equal } from 'node:assert/strict';
import type { SelectedRows } from '../../../../src/linking/shownRows';
import type { TablePanelSide, TableStart } from '../../../../src/table/tablePage';
import type { SavedCells } from '../../../../src/table/page/grid/cellSelection';
import { TableLink } from '../../../../src/table/page/state/tableLink';
import { LinkedRows } from '../../../../src/table/page/linkedRows';

type Events = TablePanelSide['events'];

/** Linked rows, what the parts of the page were told, and a way for the panel to send events. */
function linkedRows(
  start: Partial<Pick<TableStart, 'hovered' | 'selected' | 'isSelectionSet' | 'selectedRows' | 'link'>> = {},
  view: { selectedSet?: number; cells?: SavedCells } = {},
) {
  const told: string[] = [];
  const listeners = new Map<string, (value: never) => void>();
  const link = new TableLink(
    { send: (name: string, value: unknown) => void told.push(`sent ${name} ${String(value)}`) } as never,
    start.link,
  );
  const linked = new LinkedRows({
    store: {
      link,
      filters: { setSelectedRows: ({ set }: SelectedRows) => told.push(`rows of set ${set}`) },
      rows: {
        showRow: (row: number | null) => {
          told.push(`row ${row}`);
          return Promise.resolve(true);
        },
        restoreCells: ({ row }: SavedCells) => {
          told.push(`cells of row ${row}`);
          return Promise.resolve();
        },
      },
    } as never,
    panel: {
      on: (name, listener) => {
        listeners.set(name, listener);
        return { dispose: () => undefined };
      },
    },
    port: { updateView: changes => told.push(`view with set ${changes.selectedSet}`) },
    view,
    start: { hovered: null, selected: null, ...start },
  });
  link.hovered.subscribe(({ row, by }) => told.push(`${by} hovered ${row}`));
  told.length = 0;
  link.selected.subscribe(row => row !== null && told.push(`plots selected ${row}`));
  const event = <K extends keyof Events>(name: K, value: Events[K]) => listeners.get(name)?.(value as never);
  return { linked, told, event };
}

describe('what other panels mark', () => {
  it('shows in the grid once there is one', async () => {
    const { linked, told } = linkedRows({ hovered: 3, selected: 4, selectedRows: { set: 5, rows: 2 } });
    deepEqual(told, []);
    await linked.gridShown();
    deepEqual(told, ['panel hovered 3', 'plots selected 4', 'row 4', 'view with set 5', 'rows of set 5']);
  });

  it('is the latest of what was marked before there was a grid', async () => {
    const { linked, told, event } = linkedRows({ hovered: 3, selected: 4 });
    event('hovered', 6);
    event('selected', 7);
    event('selected', 8);
    event('selectedRows', { set: 9, rows: 1 });
    deepEqual(told, []);
    await linked.gridShown();
    deepEqual(told, ['panel hovered 6', 'plots selected 8', 'row 8', 'view with set 9', 'rows of set 9']);
  });

  it('leaves what was selected as it was, unless another row was selected meanwhile', async () => {
    const cells = { row: 4, range: null };
    const shown = async (start: Parameters<typeof linkedRows>[0]) => {
      const { linked, told } = linkedRows(start, { cells });
      await linked.gridShown();
      return told.slice(-2);
    };
    deepEqual(await shown({ selected: 4 }), ['plots selected 4', 'cells of row 4']);
    deepEqual(await shown({ selected: 5 }), ['plots selected 5', 'row 5']);
    deepEqual(await shown({ selected: null, isSelectionSet: true }), ['panel hovered null']);
  });

  it('selects again what was selected before the window was loaded again, and says so, linked or not', async () => {
    for (const link of [{}, { link: {} as never }]) {
      const { linked, told, event } = linkedRows(link, { cells: { row: 4, range: null } });
      await linked.gridShown();
      deepEqual(told.slice(1), ['sent selectedBefore 4', 'plots selected 4', 'cells of row 4']);
      // The masks came back with its object: the rows stay where they are.
      event('selected', 4);
      deepEqual(told.length, 4);
      event('selected', 5);
      deepEqual(told.slice(4), ['plots selected 5', 'row 5']);
    }
  });

  it('is what the masks selected, or deselected, before there was a grid, and not what the page was left with', async () => {
    for (const row of [7, null]) {
      const { linked, told, event } = linkedRows({}, { cells: { row: 4, range: null } });
      event('selected', row);
      await linked.gridShown();
      deepEqual(told.slice(1), row === null ? [] : ['plots selected 7', 'row 7']);
    }
  });

  it('leaves alone a filter that was made of the rows before', async () => {
    const { linked, told, event } = linkedRows({ selectedRows: { set: 5, rows: 2 } }, { selectedSet: 5 });
    await linked.gridShown();
    equal(told.includes('rows of set 5'), false);
    event('selectedRows', { set: 6, rows: 1 });
    deepEqual(told.slice(-2), ['view with set 6', 'rows of set 6']);
  });

  it('shows at once from then on', async () => {
    const { linked, told, event } = linkedRows();
    await linked.gridShown();
    told.length = 0;
    event('selected', 2);
    event('hovered', null);
    deepEqual(told, ['plots selected 2', 'row 2', 'panel hovered null']);
  });
});
