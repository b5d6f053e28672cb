import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TableSummary } from '../../../../src/columns/tableSummary';
import {
  currentMasksView,
  type MasksViewState,
  restoreLook,
} from '../../../../src/masks/page/state/masksViewState';
import { savedDrawer } from '../../../../src/plots/page/drawerSaved';
import {
  currentTableView,
  fittingView,
  type TableViewState,
} from '../../../../src/table/page/tableViewState';
import { RECORDED, type EditorStore } from '../../../store/placeStore';

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
    const ofImages = added.map((name, at) => {
      return { index: own.length + at, name, kind: 'text' as const, ofImage: true as const };
    });
    const columns = [...own, ...ofImages];
    return { columns, rowCount: rows.length, delimiter: ',', raggedRows: { count: 0, first: [] } };
  }

  const fitting = (view: object, table: TableSummary) =>
    fittingView(currentTableView(view, [savedDrawer]), table, undefined, [savedDrawer]);

  it('come up as they were in the table', () => {
    const view = saved<TableViewState>('imageAnalysis.table');
    const area = 3;
    deepEqual(view.sort, [{ column: area, descending: true }]);
    deepEqual(view.filters, [{ filter: { kind: 'range', column: area, from: 200, to: null } }]);
    deepEqual(view.layout.hidden, [10, 4]);
    deepEqual(view.drawer?.plots, [{ kind: 'histogram', column: area }]);
    deepEqual(view.groups.by, [2]);
    deepEqual(view.cells?.row, 26);
    deepEqual(view.find, { text: 'Large' });
    equal(view.history.past.length, 5);
    const { imageColumns = [] } = view;
    equal(imageColumns.length, 1);
    deepEqual(fitting(view, recordedTable(imageColumns)), view);
  });

  it('come up as they were in the table, also from before there were columns of images', () => {
    const { imageColumns = [], layout, ...view } = saved<TableViewState>('imageAnalysis.table');
    const older = { ...view, layout: { ...layout, order: layout.order.slice(0, -imageColumns.length) } };
    deepEqual(fitting(older, recordedTable([])), {
      ...older,
      imageColumns: [],
    });
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
    deepEqual(view.selected, { image: 1, object: 6 });
    deepEqual(view.view, { scale: 1, x: 100, y: 80 });
  });
});
