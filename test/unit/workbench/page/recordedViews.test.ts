import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TableSummary } from '../../../../src/columns/tableSummary';
import {
  currentMasksView,
  type MasksViewState,
  restoreLook,
} from '../../../../src/masks/page/state/masksViewState';
import { formulasInTable } from '../../../../src/formulas/page/formulasInTable';
import { savedDrawer } from '../../../../src/plots/page/drawerSaved';
import { populationsInTable } from '../../../../src/populations/page/populationsInTable';
import {
  currentTableView,
  fittingView,
  type TableViewState,
} from '../../../../src/table/page/tableViewState';
import { RECORDED, type EditorStore } from '../../../store/placeStore';

/** The recorded table's own column of areas, and columns that are in no file. */
const AREA = 3;
const MICRONS = 'Area (µm²)';
const HALF = { name: 'Half', formula: '[Area] / 2' };

/** What subjects add to the view of a table. */
const parts = [savedDrawer, ...[formulasInTable, populationsInTable].flatMap(({ saved }) => saved ?? [])];

describe('Views that pages of an earlier version saved', () => {
  const editor = JSON.parse(readFileSync(join(RECORDED, 'editor.json'), 'utf8')) as EditorStore;
  const saved = <View>(viewType: string) =>
    (editor.views.find(view => view.viewType === viewType)!.state as { view: View }).view;

  /** The table that the view is of, with the columns of images that were added to it. */
  function recordedTable(added: readonly string[]): TableSummary {
    const names = readdirSync(RECORDED, { recursive: true, encoding: 'utf8' });
    const file = names.find(name => name.endsWith('-objects.csv')) ?? '';
    const [header = '', ...rows] = readFileSync(join(RECORDED, file), 'utf8').trim().split(/\r?\n/);
    const own = header.split(',').map((name, index) => ({ index, name, kind: 'number' as const }));
    const inNoFile = added.map((name, at) => {
      const column = { index: own.length + at, name };
      if (name === HALF.name)
        return {
          ...column,
          kind: 'number' as const,
          computed: { formula: HALF.formula, type: 'number' as const },
        };
      if (name === MICRONS) return { ...column, kind: 'number' as const, converted: { of: AREA } };
      return { ...column, kind: 'text' as const, ofImage: true as const };
    });
    const columns = [...own, ...inNoFile];
    return { columns, rowCount: rows.length, delimiter: ',', raggedRows: { count: 0, first: [] } };
  }

  /** That version had filters with a name, which are populations now. */
  const fitting = (view: object, table: TableSummary) => ({
    ...fittingView(currentTableView(view, parts), table, undefined, parts),
    filterSets: [],
  });

  it('come up as they were in the table', () => {
    const view = saved<TableViewState>('imageAnalysis.table');
    deepEqual(view.sort, [{ column: AREA, descending: true }]);
    deepEqual(view.filters, [{ filter: { kind: 'range', column: AREA, from: 200, to: null } }]);
    deepEqual(view.layout.hidden, [10, 4]);
    deepEqual(view.drawer?.plots, [{ kind: 'histogram', column: AREA }]);
    deepEqual(view.groups.by, [2]);
    deepEqual(view.cells?.row, 26);
    deepEqual(view.find, { text: 'Large' });
    equal(view.history.past.length, 5);
    const { imageColumns = [] } = view;
    deepEqual(imageColumns, ['Drug', MICRONS, HALF.name]);
    deepEqual(view.formulas, [HALF]);
    deepEqual(
      view.populations?.map(({ name }) => name),
      ['Cells', 'Large'],
    );
    // Computed columns are saved with their formulas by now.
    const now = { ...view, imageColumns: ['Drug', MICRONS, HALF] };
    deepEqual(fitting(view, recordedTable(imageColumns)), now);
    deepEqual(fitting(now, recordedTable(imageColumns)), now);
  });

  it('come up as they were in the table, also from before there were columns of images', () => {
    const { imageColumns = [], layout, ...older } = saved<TableViewState>('imageAnalysis.table');
    const table = recordedTable([]);
    for (const name of ['formulas', 'populations'] as const) Reflect.deleteProperty(older, name);
    equal(layout.order.length, table.columns.length + imageColumns.length);
    const order = layout.order.filter(column => column < table.columns.length);
    const view = { ...older, layout: { ...layout, order } };
    deepEqual(fitting(view, table), { ...view, formulas: [], imageColumns: [] });
  });

  it('come up as they were on the masks', () => {
    const view = saved<Partial<MasksViewState>>('imageAnalysis.masks');
    deepEqual(currentMasksView(view), view);
    const classes = ['Small', 'Large'].map(name => ({ name, count: 20 }));
    const look = restoreLook(view, classes, { Large: '#ff8800' }, 0.4);
    deepEqual([...look.hidden], [0]);
    deepEqual(look.colors[1], [255, 136, 0]);
    equal(look.opacity, 1);
    equal(look.fill, true);
    deepEqual(look.colorBy, { kind: 'measure', measure: 'perimeter' });
    equal(look.colorMap, 'turbo');
    deepEqual(view.selected, { image: 1, object: 6, id: view.image, objectCount: 20 });
    deepEqual(view.view, { scale: 1, x: 100, y: 80 });
  });
});
