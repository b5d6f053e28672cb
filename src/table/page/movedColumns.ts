import { isAdded, type TableColumn } from '../../columns/tableSummary';
import type { SortKey } from '../../columns/viewSpec';
import type { PageFilter } from './filterList';
import { type ColumnLayout, fileColumn, gridColumn } from './grid/columnLayout';
import type { GroupMeasure, GroupsState } from './state/groupsState';

/*
 * Columns outside the file, such as metadata of images, can be added and removed. Views refer to
 * columns by position, which then changes.
 */

/** The current position of a column; undefined if it was removed. */
export type PlaceOf = (column: number) => number | undefined;

/** The parts of a view that refer to columns. */
export interface ColumnsInView {
  sort: SortKey[];
  filters: PageFilter[];
  widths: Record<string, number>;
  layout: ColumnLayout;
  groups: GroupsState;
}

/** The names of columns that aren't from the file, in order. */
export function namesOfAdded(columns: readonly TableColumn[]): string[] {
  return columns.filter(isAdded).map(({ name }) => name);
}

/**
 * Finds the current positions of columns after others were added or removed outside the file;
 * undefined if none moved. Matches by name. If the number of added columns is unchanged, one with a
 * new name counts as renamed.
 */
export function movedColumns(
  before: readonly string[],
  columns: readonly TableColumn[],
): PlaceOf | undefined {
  const added = columns.filter(isAdded);
  const first = added[0]?.index ?? columns.length;
  const isRenamed = before.length === added.length;
  const places = before.map((name, at) => {
    const match = added.find(column => column.name === name) ?? (isRenamed ? added[at] : undefined);
    return match?.index;
  });
  const isSame = places.every((place, at) => place === first + at);
  // Columns of the file that were found later come after the added ones.
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
 * New names by former names of renamed columns. If the number of columns is unchanged, a new name
 * replaces the missing one at the same position.
 */
export function renamedColumns(before: readonly string[], now: readonly string[]): Map<string, string> {
  if (before.length !== now.length) return new Map();
  const isNew = (name: string) => !before.includes(name);
  return new Map(
    before.flatMap((name, at) => {
      const currentName = now[at] ?? name;
      return !now.includes(name) && isNew(currentName) ? [[name, currentName]] : [];
    }),
  );
}

/** Moves columns in a view. State about a removed column is dropped. */
export function movedView(view: ColumnsInView, placeOf: PlaceOf): ColumnsInView {
  const places = (columns: readonly number[]) => columns.flatMap(column => placeOf(column) ?? []);
  const { groups, layout } = view;
  const by = places(groups.by);
  const measures = groups.measures.filter(
    measure => typeof measure !== 'number' || placeOf(measure) !== undefined,
  );
  const placed = (measure: GroupMeasure) =>
    typeof measure === 'number' ? (placeOf(measure) ?? measure) : measure;
  // The order may be by a removed column.
  const isComplete = by.length === groups.by.length && measures.length === groups.measures.length;
  const { order: groupOrder, ...otherState } = groups;
  return {
    sort: view.sort.flatMap(key => {
      const column = placeOf(key.column);
      return column === undefined ? [] : [{ ...key, column }];
    }),
    filters: view.filters.flatMap(filter => movedFilter(filter, placeOf) ?? []),
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
      ...otherState,
      by,
      measures: measures.map(placed),
      ...(isComplete && groupOrder && { order: groupOrder }),
    },
  };
}

function movedFilter({ filter, lasso, ...otherState }: PageFilter, placeOf: PlaceOf): PageFilter | undefined {
  if (filter.kind === 'rowSet') {
    const [x, y] = lasso ? [placeOf(lasso.x), placeOf(lasso.y)] : [];
    if (!lasso) return { filter, ...otherState };
    return x === undefined || y === undefined
      ? undefined
      : { filter, lasso: { ...lasso, x, y }, ...otherState };
  }
  if (filter.kind === 'population') return { filter, ...otherState };
  const column = placeOf(filter.column);
  return column === undefined ? undefined : { filter: { ...filter, column }, ...otherState };
}
