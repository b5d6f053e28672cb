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
 * The saved view of the table page; other subjects add to it, where they define their undoable
 * state.
 */
export interface TableViewState extends UndoableView {
  /** Rows of groups and of images are shown together; by default only those of images. */
  areLevelsMixed: boolean;
  firstPosition: number;
  /** Visible pixels of the row above it. */
  rowAbove: number;
  firstColumn?: FirstColumn | undefined;
  cells?: SavedCells;
  /** The search text of Find. */
  find?: CellSearch;
  /** Whether Ctrl+C copies the header too. */
  withHeader: boolean;
  /** The one of rows, groups and plots in front, if only one fits. */
  front?: BodyPart;
  /**
   * Columns outside the file: on restoring, their positions may have changed. Earlier versions
   * saved computed ones by name alone.
   */
  imageColumns?: AddedColumn[];
  /** The rows selected on the masks that were made a filter last, as a set of the engine. */
  selectedSet?: number;
  /** Steps to undo and redo. */
  history: SavedHistory;
  /** The header that this view belongs to, see headerMark. */
  header: string;
}

/** A subject's state in the saved view. */
export interface SavedPart extends RenamesSteps {
  /** In today's form, where an earlier version saved it in another one. */
  current?(saved: Partial<TableViewState>): Partial<TableViewState>;
  /**
   * Its state for the current table. `isSame`: the file has the saved header. `names`: renamed
   * columns outside the file, by former name.
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

/** A saved view in the current format. `added`: other subjects' state. */
export function currentTableView(saved: object, added: readonly SavedPart[]): Partial<TableViewState> {
  return added.reduce<Partial<TableViewState>>((view, part) => ({ ...view, ...part.current?.(view) }), saved);
}

/**
 * A saved view for the current table. Columns are saved by position: with another header, only
 * state without columns is restored. `selectedSet`: the engine's rows selected on the masks;
 * `added`: other subjects' state.
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

/** A view whose image columns moved, with existing ones; undefined if none moved. */
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
  const ofAdded = added.map(part => part.moved?.(saved, placeOf));
  return Object.assign({}, saved, moved, ...ofAdded, { history: NO_HISTORY }) as Partial<TableViewState>;
}

/**
 * A hash of a table's header: equal for equal names in equal order. Columns from overlong rows
 * don't count.
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
 * The initial layout: pins the object's ID, or in a wide table without one the first column, which
 * names the row's image in the service's tables. Columns with one value in every row are above the
 * grid.
 */
export function firstLayout({ columns }: TableSummary, constant: readonly number[] = []): ColumnLayout {
  const { id } = findRowColumns(columns);
  // A converted column is beside its original.
  const layout = columns.reduce(
    (all, { index, converted }) => (converted ? withBeside(all, index, converted.of) : all),
    fileLayout(columns.length, id === undefined && columns.length > 8 ? 1 : 0),
  );
  const hidden = constant.length < columns.length ? [...constant] : [];
  return { ...layout, hidden, ...(id !== undefined && { pinned: [id] }) };
}
