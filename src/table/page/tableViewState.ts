import { isAdded, type TableSummary } from '../../columns/tableSummary';
import type { CellSearch, SortKey } from '../../columns/viewSpec';
import { type FilterSet, validFilterSets, withRenamedColumns } from '../../columns/filterSets';
import { choicesWithRenamedColumns, type CompareState } from '../../conditions/page/compareModel';
import { CLOSED_DRAWER, type DrawerState } from '../../plots/page/drawerModel';
import { type PlotSpec, validPlots } from '../../plots/page/plotTypes';
import type { SavedCells } from './grid/cellSelection';
import type { FirstColumn } from './grid/gridScroll';
import { type ColumnLayout, fileLayout, fittingLayout, validSort, withBeside } from './grid/columnLayout';
import { findRowColumns } from '../../columns/rowColumns';
import type { BodyPart } from './state/bodyTabs';
import { validGroups, type GroupsState } from './state/groupsState';
import { historyWithRenamedColumns, NO_HISTORY, type SavedHistory, validHistory } from './viewHistory';
import { movedColumns, movedView, namesOfAdded, renamedColumns } from './movedColumns';
import { type PageFilter, validFilters } from './filterList';

/** The saved view of the table page. */
export interface TableViewState {
  sort: SortKey[];
  filters: PageFilter[];
  /** Rows of groups and of images are shown together; to begin with only those of images are. */
  areLevelsMixed: boolean;
  widths: Record<string, number>;
  layout: ColumnLayout;
  /** The user has arranged the columns; else the layout follows the table. */
  isArranged: boolean;
  firstPosition: number;
  /** How much of the row above it is in view, in pixels. */
  rowAbove: number;
  firstColumn?: FirstColumn | undefined;
  cells?: SavedCells;
  /** What Find searches for. */
  find?: CellSearch;
  /** Whether Ctrl+C copies the header too. */
  withHeader: boolean;
  drawer: DrawerState;
  groups: GroupsState;
  /** Which of rows, groups and plots is in front where there is room for one of them alone. */
  front?: BodyPart;
  /** What is known of images is in place of the rows. */
  areImagesShown?: boolean;
  /** They were opened from a comparison. */
  areImagesFromComparison?: boolean;
  /** The columns that are in no file, by name: their positions may be others when the view is shown again. */
  imageColumns?: string[];
  /** Columns by name. */
  compare?: CompareState;
  /** Filters that have a name. */
  filterSets: FilterSet[];
  /** The rows selected on the masks that were made a filter last, as a set of the engine. */
  selectedSet?: number;
  /** What can be undone, and done again. */
  history: SavedHistory;
  /** The header that this view belongs to, see headerMark. */
  header: string;
}

/** A saved view in today's form: the color of a scatter plot was saved as `colour` once. */
export function currentTableView(saved: object): Partial<TableViewState> {
  const view = saved as Partial<TableViewState>;
  const plots = view.drawer?.plots;
  if (!view.drawer || !plots) return view;
  const current = plots.map((plot: PlotSpec & { colour?: number | null }) => {
    const { colour, ...others } = plot;
    return colour === undefined ? plot : { color: colour, ...others };
  });
  return { ...view, drawer: { ...view.drawer, plots: current } };
}

/**
 * A saved view, adapted to the table as it is now. Columns are saved by position: if the file has another header now, only what
 * is not about columns is restored. `selectedSet` are the rows selected on the masks that the engine has now.
 */
export function fittingView(
  before: Partial<TableViewState>,
  table: TableSummary,
  selectedSet?: number,
): TableViewState {
  const moved = fittingColumns(before, table);
  const saved = moved ?? before;
  const count = table.columns.length;
  const header = headerMark(table);
  const isSame = saved.header === undefined || saved.header === header;
  const valid: Partial<TableViewState> = isSame ? saved : { withHeader: saved.withHeader === true };
  const imageColumns = namesOfAdded(table.columns);
  const renamed = renamedColumns(before.imageColumns ?? [], imageColumns);
  const drawer = { ...CLOSED_DRAWER, ...saved.drawer, ...(!isSame && { plots: [] }) };
  return {
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
    drawer: fittingDrawer(drawer, table),
    groups: validGroups(isSame ? saved.groups : { ...saved.groups, by: [], measures: [] }, table.columns),
    imageColumns,
    ...(saved.front && { front: saved.front }),
    ...(saved.areImagesShown && { areImagesShown: true }),
    ...(saved.areImagesShown && saved.areImagesFromComparison && { areImagesFromComparison: true }),
    ...(saved.compare && { compare: choicesWithRenamedColumns(saved.compare, renamed) }),
    filterSets: withRenamedColumns(validFilterSets(valid.filterSets), renamed),
    history: isSame
      ? historyWithRenamedColumns(validHistory(saved.history, selectedSet), renamed)
      : NO_HISTORY,
    ...(selectedSet !== undefined && valid.selectedSet === selectedSet && { selectedSet }),
    header,
  };
}

/** A view whose columns of images are elsewhere by now, with those that are there; undefined where all are where they were. */
function fittingColumns(
  saved: Partial<TableViewState>,
  { columns }: TableSummary,
): Partial<TableViewState> | undefined {
  const { sort, filters, widths, layout, groups, drawer } = saved;
  const placeOf = movedColumns(saved.imageColumns ?? [], columns);
  if (!placeOf || !sort || !filters || !widths || !layout || !groups || !drawer) return undefined;
  const { plots, ...moved } = movedView(
    { sort, filters, widths, layout, groups, plots: drawer.plots },
    placeOf,
  );
  return { ...saved, ...moved, drawer: { ...drawer, plots }, history: NO_HISTORY };
}

function fittingDrawer({ windows, ...drawer }: DrawerState, { columns }: TableSummary): DrawerState {
  const plots = validPlots(drawer.plots, columns);
  // They go by the places of the plots.
  return { ...drawer, plots, ...(windows && plots.length === drawer.plots.length && { windows }) };
}

/** A short mark of a table's header: equal for equal names in equal order. Columns added by long rows do not count. */
function headerMark({ columns }: TableSummary): string {
  const names = columns.filter(column => !isAdded(column)).map(({ name }) => name);
  while (names.at(-1) === '') names.pop();
  let hash = 0x811c_9dc5;
  for (const letter of JSON.stringify(names))
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x0100_0193);
  return `${names.length}:${(hash >>> 0).toString(36)}`;
}

/**
 * The layout before the user changes it: the object's ID is pinned, and in a wide table without one the first column, which names
 * the row's image in the service's tables. Columns that say the same in every row are above the grid instead.
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
