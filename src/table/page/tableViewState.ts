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
import {
  type AddedColumn,
  addedColumns,
  movedColumns,
  movedView,
  type PlaceOf,
  renamedColumns,
} from './movedColumns';
import { validFilters } from './filterList';

/**
 * The saved view of the table page. Other subjects extend it where they define their undoable
 * state.
 */
export interface TableViewState extends UndoableView {
  /** Whether rows of groups and images are shown together; by default only those of images. */
  areLevelsMixed: boolean;
  firstPosition: number;
  /** Visible pixels of the row above the first one. */
  rowAbove: number;
  firstColumn?: FirstColumn | undefined;
  cells?: SavedCells;
  /** The search text of Find. */
  find?: CellSearch;
  /** Whether Ctrl+C copies the header, too. */
  withHeader: boolean;
  /** Which of rows, groups and plots is in front, if only one fits. */
  front?: BodyPart;
  /**
   * Columns outside the file. Their positions may have changed when the view is restored. Earlier
   * versions saved computed ones by name alone.
   */
  imageColumns?: AddedColumn[];
  /** The last rows selected on the masks that became a filter: a set of the engine. */
  selectedSet?: number;
  /** The undo history. */
  history: SavedHistory;
  /** The header of the view's table, see headerMark. */
  header: string;
}

/** A subject's state in the saved view. */
export interface SavedPart extends RenamesSteps {
  /** Converts state that an earlier version saved to the current form. */
  current?(saved: Partial<TableViewState>): Partial<TableViewState>;
  /**
   * The state for the current table. `isSame`: whether the file has the saved header. `names`: new
   * names of columns outside the file, by former names.
   */
  fitting(
    saved: Partial<TableViewState>,
    table: TableSummary,
    isSame: boolean,
    names: ReadonlyMap<string, string>,
  ): Partial<TableViewState>;
  /** The state after columns moved. */
  moved?(saved: Partial<TableViewState>, placeOf: PlaceOf): Partial<TableViewState>;
  /** Whether a view is open that needs the later script. */
  isOpen(saved: Partial<TableViewState>): boolean;
}

/** A saved view in the current format. `added`: state of other subjects. */
export function currentTableView(saved: object, added: readonly SavedPart[]): Partial<TableViewState> {
  return added.reduce<Partial<TableViewState>>((view, part) => ({ ...view, ...part.current?.(view) }), saved);
}

/**
 * A saved view for the current table. Columns are saved by position: with another header, only
 * state without columns is restored. `selectedSet`: the engine's rows selected on the masks.
 */
export function fittingView(
  before: Partial<TableViewState>,
  table: TableSummary,
  selectedSet?: number,
  added: readonly SavedPart[] = [],
): TableViewState {
  const imageColumns = addedColumns(table.columns);
  const renamed = renamedColumns(before.imageColumns ?? [], imageColumns);
  const moved = fittingColumns(before, table, renamed, added);
  const saved = moved ?? before;
  const count = table.columns.length;
  const header = headerMark(table);
  const isSame = saved.header === undefined || saved.header === header;
  const valid: Partial<TableViewState> = isSame ? saved : { withHeader: saved.withHeader === true };
  const addedState = added.map(part => part.fitting(saved, table, isSame, renamed));
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
    Object.assign({}, ...addedState) as Partial<TableViewState>,
  );
}

/** A view whose image columns moved, adapted to the current columns; undefined if none moved. */
function fittingColumns(
  saved: Partial<TableViewState>,
  { columns }: TableSummary,
  renamed: ReadonlyMap<string, string>,
  added: readonly SavedPart[],
): Partial<TableViewState> | undefined {
  const { sort, filters, widths, layout, groups } = saved;
  const placeOf = movedColumns(saved.imageColumns ?? [], columns, renamed);
  if (!placeOf || !sort || !filters || !widths || !layout || !groups) return undefined;
  const moved = movedView({ sort, filters, widths, layout, groups }, placeOf);
  const addedState = added.map(part => part.moved?.(saved, placeOf));
  return Object.assign({}, saved, moved, ...addedState, { history: NO_HISTORY }) as Partial<TableViewState>;
}

/**
 * A hash of a table's header: equal for equal names in the same order. Columns that only overlong
 * rows have don't count.
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
 * The initial layout. Pins the column of the object's ID, or in a wide table without IDs the first
 * column, which names the image in the service's tables. Constant columns are hidden: they are
 * above the grid.
 */
export function firstLayout({ columns }: TableSummary, constant: readonly number[] = []): ColumnLayout {
  const { id } = findRowColumns(columns);
  // A converted column is next to its original.
  const layout = columns.reduce(
    (all, { index, converted }) => (converted ? withBeside(all, index, converted.of) : all),
    fileLayout(columns.length, id === undefined && columns.length > 8 ? 1 : 0),
  );
  const hidden = constant.length < columns.length ? [...constant] : [];
  return { ...layout, hidden, ...(id !== undefined && { pinned: [id] }) };
}
