import { isAdded, type TableColumn } from '../../columns/tableSummary';
import type { SortKey } from '../../columns/viewSpec';
import type { PageFilter } from './filterList';
import { type ColumnLayout, fileColumn, gridColumn } from './grid/columnLayout';
import type { GroupMeasure, GroupsState } from './state/groupsState';

/*
 * Columns outside the file, those of images, come and go. Views name columns by positions, which
 * then change.
 */

/** The current position of a column; undefined if it is gone. */
export type PlaceOf = (column: number) => number | undefined;

/** The parts of a view that name columns. */
export interface ColumnsInView {
  sort: SortKey[];
  filters: PageFilter[];
  widths: Record<string, number>;
  layout: ColumnLayout;
  groups: GroupsState;
}

/** The names of columns that are in no file, in order. */
export function namesOfAdded(columns: readonly TableColumn[]): string[] {
  return columns.filter(isAdded).map(({ name }) => name);
}

/**
 * Current positions of columns, by the names of those outside the file; undefined if none moved. If
 * their number is unchanged, one with another name was renamed.
 */
export function movedColumns(
  before: readonly string[],
  columns: readonly TableColumn[],
): PlaceOf | undefined {
  const added = columns.filter(isAdded);
  const first = added[0]?.index ?? columns.length;
  const isRenamed = before.length === added.length;
  const places = before.map((name, at) => {
    const found = added.find(column => column.name === name) ?? (isRenamed ? added[at] : undefined);
    return found?.index;
  });
  const isSame = places.every((place, at) => place === first + at);
  // Columns of the file that were found later follow those that were added then.
  const hasLater = columns.some(column => !isAdded(column) && column.index > first);
  if (isSame && (before.length === added.length || !hasLater)) return undefined;
  return column => {
    if (column < first) return column;
    if (column < first + before.length) return places[column - first];
    const place = column - before.length + added.length;
    return place < columns.length ? place : undefined;
  };
}

/**
 * New names of renamed columns: if their number is unchanged, those with names unlike all before.
 */
export function renamedColumns(before: readonly string[], now: readonly string[]): Map<string, string> {
  if (before.length !== now.length) return new Map();
  const isNew = (name: string) => !before.includes(name);
  return new Map(
    before.flatMap((name, at) => {
      const other = now[at] ?? name;
      return !now.includes(name) && isNew(other) ? [[name, other]] : [];
    }),
  );
}

/** A view whose columns moved: state about a removed column is dropped. */
export function movedView(view: ColumnsInView, placeOf: PlaceOf): ColumnsInView {
  const places = (columns: readonly number[]) => columns.flatMap(column => placeOf(column) ?? []);
  const { groups, layout } = view;
  const by = places(groups.by);
  const measures = groups.measures.filter(
    measure => typeof measure !== 'number' || placeOf(measure) !== undefined,
  );
  const placed = (measure: GroupMeasure) =>
    typeof measure === 'number' ? (placeOf(measure) ?? measure) : measure;
  // An order may be by a column that is gone.
  const isWhole = by.length === groups.by.length && measures.length === groups.measures.length;
  const { order: groupOrder, ...others } = groups;
  return {
    sort: view.sort.flatMap(key => {
      const column = placeOf(key.column);
      return column === undefined ? [] : [{ ...key, column }];
    }),
    filters: view.filters.flatMap(each => movedFilter(each, placeOf) ?? []),
    widths: Object.fromEntries(
      Object.entries(view.widths).flatMap(([id, width]) => {
        const column = fileColumn(id);
        const place = column === undefined ? undefined : placeOf(column);
        return place === undefined ? [] : [[gridColumn(place), width]];
      }),
    ),
    layout: {
      order: places(layout.order),
      hidden: places(layout.hidden),
      pinned: places(layout.pinned),
    },
    groups: {
      ...others,
      by,
      measures: measures.map(placed),
      ...(isWhole && groupOrder && { order: groupOrder }),
    },
  };
}

function movedFilter({ filter, lasso, ...others }: PageFilter, placeOf: PlaceOf): PageFilter | undefined {
  if (filter.kind === 'rowSet') {
    const [x, y] = lasso ? [placeOf(lasso.x), placeOf(lasso.y)] : [];
    if (!lasso) return { filter, ...others };
    return x === undefined || y === undefined ? undefined : { filter, lasso: { ...lasso, x, y }, ...others };
  }
  if (filter.kind === 'population') return { filter, ...others };
  const column = placeOf(filter.column);
  return column === undefined ? undefined : { filter: { ...filter, column }, ...others };
}
