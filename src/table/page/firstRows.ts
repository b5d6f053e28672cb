import type { TableStart } from '../tablePage';
import { shownColumns, type ColumnLayout } from './grid/columnLayout';
import type { GridHolder } from './grid/gridHolder';
import { fetchFirstRows, type FirstRows } from './grid/rows/rowFetcher';
import { blocksOf, columnsIn, MAX_WHOLE_COLUMNS } from './grid/wide/columnBlocks';
import type { TableModel } from './tableModel';
import type { TableNotices } from './tableNotices';

const FIRST_ROWS = 200;
const WIDE_FIRST_ROWS = 40;
/** Columns that are on the screen at first, at most. */
const FIRST_COLUMNS = 40;

export interface FirstRowsParts {
  model: TableModel;
  /** The first rows of the file, if the panel sent them. */
  sent: TableStart['first'];
  layout: ColumnLayout;
  holder: GridHolder;
  notices: TableNotices;
}

/** The rows that the grid begins with and measures its columns by; offers to retry as often as they can't be read. */
export async function loadFirstRows(parts: FirstRowsParts): Promise<FirstRows> {
  const { model, sent, layout, holder, notices } = parts;
  const { length } = model.table.columns;
  const wide = length > MAX_WHOLE_COLUMNS && { columns: firstColumns(layout, length) };
  const limit = wide ? WIDE_FIRST_ROWS : FIRST_ROWS;
  for (;;) {
    try {
      return await fetchFirstRows(model, { limit, sent, ...wide });
    } catch (error) {
      await holder.showFailure(notices.log(error));
    }
  }
}

/** The columns of the blocks that are on the screen at first. */
function firstColumns(layout: ColumnLayout, columnCount: number): number[] {
  const shown = shownColumns(layout);
  const pinned = shown.filter(column => layout.pinned.includes(column));
  return columnsIn(blocksOf([...pinned, ...shown.slice(0, FIRST_COLUMNS)]), columnCount);
}
