import { withoutMaskRows } from './history/filterChanges';
import type { TableLevels } from './tableLevels';
import type { TableModel } from './tableModel';
import type { TableNotices } from './tableNotices';
import type { TableViewState } from './tableViewState';
import type { TableToolbar } from './toolbar/tableToolbar';

export interface RestoreViewParts {
  model: TableModel;
  view: TableViewState;
  /** Whether the table may hold rows of groups and of images. */
  isAggregate: boolean;
  levels: TableLevels;
  toolbar: TableToolbar;
  notices: TableNotices;
}

/** Gives the table the order and the filters that it was left with. */
export async function restoreView(parts: RestoreViewParts): Promise<void> {
  const { model, view, isAggregate, levels, toolbar, notices } = parts;
  model.setSort(view.sort);
  try {
    await levels.load(isAggregate, view);
    if (levels.chooser) toolbar.setLevels(levels.chooser);
    const filters = await model.restoreLassos(levels.initialFilters(view.filters));
    await model.setFilters(filters).catch(async (error: unknown) => {
      // The rows selected on the masks may be gone.
      await model.setFilters(withoutMaskRows(filters));
      throw error;
    });
  } catch (error) {
    notices.failed('filterFailed', error);
  }
}
