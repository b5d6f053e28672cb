import { isAdded, type TableSummary } from '../../columns/tableSummary';
import type { CellSearch } from '../../columns/viewSpec';
import type { SavedCells } from './grid/cellSelection';
import type { FirstColumn } from './grid/gridScroll';
import { type ColumnLayout, fileLayout, fittingLayout, validSort, withBeside } from './grid/columnLayout';
import { findRowColumns } from '../../columns/rowColumns';
import type { BodyPart } from './state/bodyTabs';
import { validGroups } from './state/groupsState';
import {
  historyWithRenamedColumns,
  NO_HISTORY,
  type RenamesSteps,
  type SavedHistory,
  type UndoableView,
  validHistory,
} from './viewHistory';
import { movedColumns, movedView, namesOfAdded, type PlaceOf, renamedColumns } from './movedColumns';
import { validFilters } from './filterList';

/**
 * The saved view of the table page; subjects that add to the page add to it, where they tell what
 * can be undone.
 */
export interface TableViewState extends UndoableView {
  /** Rows of groups and of images are shown together; to begin with only those of images are. */
  areLevelsMixed: boolean;
  firstPosition: number;
  /** How much of the row above it is in view, in pixels. */
  rowAbove: number;
  firstColumn?: FirstColumn | undefined;
  cells?: SavedCells;
  /** What Find searches for. */
  find?: CellSearch;
  /** Whether Ctrl+C copies the header too. */
  withHeader: boolean;
  /** Which of rows, groups and plots is in front where there is room for one of them alone. */
  front?: BodyPart;
  /**
   * The columns that are in no file, by name: their positions may be others when the view is shown
   * again.
   */
  imageColumns?: string[];
  /** The rows selected on the masks that were made a filter last, as a set of the engine. */
  selectedSet?: number;
  /** What can be undone, and done again. */
  history: SavedHistory;
  /** The header that this view belongs to, see headerMark. */
  header: string;
}

/** What a subject keeps in the saved view. */
export interface SavedPart extends RenamesSteps {
  /** In today's form, where an earlier version saved it in another one. */
  current?(saved: Partial<TableViewState>): Partial<TableViewState>;
  /**
   * As it fits the table as it is now. `isSame`: the file's header is the one that the view was
   * saved with. `names`: columns that are in no file and called otherwise now, by the names that
   * they had.
   */
  fitting(
    saved: Partial<TableViewState>,
    table: TableSummary,
    isSame: boolean,
    names: ReadonlyMap<string, string>,
  ): Partial<TableViewState>;
  /** With columns that are elsewhere now. */
  moved?(saved: Partial<TableViewState>, placeOf: PlaceOf): Partial<TableViewState>;
  /** Whether it has something open whose script comes later. */
  isOpen(saved: Partial<TableViewState>): boolean;
}

/** A saved view in today's form. `added`: what subjects add to it. */
export function currentTableView(saved: object, added: readonly SavedPart[]): Partial<TableViewState> {
  return added.reduce<Partial<TableViewState>>((view, part) => ({ ...view, ...part.current?.(view) }), saved);
}

/**
 * A saved view, adapted to the table as it is now. Columns are saved by position: if the file has
 * another header now, only what is not about columns is restored. `selectedSet` are the rows
 * selected on the masks that the engine has now; `added`: what subjects add to the view.
 */
export function fittingView(
  before: Partial<TableViewState>,
  table: TableSummary,
  selectedSet?: number,
  added: readonly SavedPart[] = [],
): TableViewState {
  const moved = fittingColumns(before, table, added);
  const saved = moved ?? before;
  const count = table.columns.length;
  const header = headerMark(table);
  const isSame = saved.header === undefined || saved.header === header;
  const valid: Partial<TableViewState> = isSame ? saved : { withHeader: saved.withHeader === true };
  const imageColumns = namesOfAdded(table.columns);
  const renamed = renamedColumns(before.imageColumns ?? [], imageColumns);
  const ofAdded = added.map(part => part.fitting(saved, table, isSame, renamed));
  return Object.assign<TableViewState, Partial<TableViewState>>(
    {
      sort: validSort(valid.sort, count),
      filters: validFilters(valid.filters, count, selectedSet),
      areLevelsMixed: valid.areLevelsMixed === true,
      widths: valid.widths ?? {},
      layout: valid.layout ? fittingLayout(valid.layout, count) : firstLayout(table),
      isArranged: valid.isArranged ?? valid.layout !== undefined,
      firstPosition: valid.firstPosition ?? 0,
      rowAbove: valid.rowAbove ?? 0,
      ...(valid.firstColumn && { firstColumn: valid.firstColumn }),
      ...(valid.cells && (valid.cells.row ?? 0) < table.rowCount && { cells: valid.cells }),
      ...(saved.find && { find: saved.find }),
      withHeader: valid.withHeader === true,
      groups: validGroups(isSame ? saved.groups : { ...saved.groups, by: [], measures: [] }, table.columns),
      imageColumns,
      ...(saved.front && { front: saved.front }),
      history: isSame
        ? historyWithRenamedColumns(validHistory(saved.history, selectedSet), renamed, added)
        : NO_HISTORY,
      ...(selectedSet !== undefined && valid.selectedSet === selectedSet && { selectedSet }),
      header,
    },
    Object.assign({}, ...ofAdded) as Partial<TableViewState>,
  );
}

/**
 * A view whose columns of images are elsewhere by now, with those that are there; undefined where
 * all are where they were.
 */
function fittingColumns(
  saved: Partial<TableViewState>,
  { columns }: TableSummary,
  added: readonly SavedPart[],
): Partial<TableViewState> | undefined {
  const { sort, filters, widths, layout, groups } = saved;
  const placeOf = movedColumns(saved.imageColumns ?? [], columns);
  if (!placeOf || !sort || !filters || !widths || !layout || !groups) return undefined;
  const moved = movedView({ sort, filters, widths, layout, groups }, placeOf);
  const ofAdded = added.map(part => part.moved?.(saved, placeOf));
  return Object.assign({}, saved, moved, ...ofAdded, { history: NO_HISTORY }) as Partial<TableViewState>;
}

/**
 * A short mark of a table's header: equal for equal names in equal order. Columns added by long
 * rows do not count.
 */
function headerMark({ columns }: TableSummary): string {
  const names = columns.filter(column => !isAdded(column)).map(({ name }) => name);
  while (names.at(-1) === '') names.pop();
  let hash = 0x811c_9dc5;
  for (const letter of JSON.stringify(names))
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x0100_0193);
  return `${names.length}:${(hash >>> 0).toString(36)}`;
}

/**
 * The layout before the user changes it: the object's ID is pinned, and in a wide table without one
 * the first column, which names the row's image in the service's tables. Columns that say the same
 * in every row are above the grid instead.
 */
export function firstLayout({ columns }: TableSummary, constant: readonly number[] = []): ColumnLayout {
  const { id } = findRowColumns(columns);
  // A converted column stands beside the one whose numbers it has.
  const layout = columns.reduce(
    (all, { index, converted }) => (converted ? withBeside(all, index, converted.of) : all),
    fileLayout(columns.length, id === undefined && columns.length > 8 ? 1 : 0),
  );
  const hidden = constant.length < columns.length ? [...constant] : [];
  return { ...layout, hidden, ...(id !== undefined && { pinned: [id] }) };
}
