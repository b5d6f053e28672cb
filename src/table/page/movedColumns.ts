import type { ComputedColumn } from '../../columns/computedColumn';
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

/**
 * A column outside the file as views save it: a computed one with its formula, others by name,
 * with what they are known by where that is another one.
 */
export type AddedColumn = string | ComputedColumn | { name: string; id: string };

/** The columns that are in no file, in order. */
export function addedColumns(columns: readonly TableColumn[]): AddedColumn[] {
  return columns
    .filter(isAdded)
    .map(({ name, computed, id }) =>
      computed ? { name, formula: computed.formula } : id === undefined ? name : { name, id },
    );
}

/**
 * Finds the current positions of columns after others were added or removed outside the file;
 * undefined if none moved. Matches by name; `renamed`: new names by former ones.
 */
export function movedColumns(
  before: readonly AddedColumn[],
  columns: readonly TableColumn[],
  renamed: ReadonlyMap<string, string>,
): PlaceOf | undefined {
  const added = columns.filter(isAdded);
  const firstAdded = added[0]?.index ?? columns.length;
  const given = new Set(renamed.values());
  const places = before.map(nameOf).map(name => {
    // A removed column's name may now be that of a renamed one.
    const now = renamed.get(name) ?? (given.has(name) ? undefined : name);
    return added.find(column => column.name === now)?.index;
  });
  const isSame = places.every((place, at) => place === firstAdded + at);
  // Columns of the file that were found later come after the added ones.
  const hasLater = columns.some(column => !isAdded(column) && column.index > firstAdded);
  if (isSame && (before.length === added.length || !hasLater)) return undefined;
  return column => {
    if (column < firstAdded) return column;
    if (column < firstAdded + before.length) return places[column - firstAdded];
    const place = column - before.length + added.length;
    return place < columns.length ? place : undefined;
  };
}

/**
 * New names of renamed columns, by former ones. A computed column that is gone was renamed if a new
 * one has its formula. A column of images was renamed if its ID now has another name; so was,
 * for a view that missed it, a removed one whose identity a new column has got.
 */
export function renamedColumns(
  before: readonly AddedColumn[],
  now: readonly AddedColumn[],
): Map<string, string> {
  const [oldNames, newNames] = [before.map(nameOf), now.map(nameOf)];
  const newComputed = now.filter(isComputed).filter(({ name }) => !oldNames.includes(name));
  const renamed = new Map<string, string>();
  for (const { name, formula } of before.filter(isComputed)) {
    if (newNames.includes(name)) continue;
    const match = newComputed.findIndex(column => column.formula === formula);
    const [column] = match < 0 ? [] : newComputed.splice(match, 1);
    if (column) renamed.set(name, column.name);
  }
  for (const column of before) {
    if (isComputed(column)) continue;
    const id = typeof column === 'string' ? column : column.id;
    const hasSameId = (other: AddedColumn) => typeof other !== 'string' && 'id' in other && other.id === id;
    // An earlier version may have added one whose name is the identity of another.
    const match = now.find(hasSameId) ?? now.find(other => other === id);
    if (match && nameOf(match) !== nameOf(column)) renamed.set(nameOf(column), nameOf(match));
  }
  return renamed;
}

function nameOf(column: AddedColumn): string {
  return typeof column === 'string' ? column : column.name;
}

function isComputed(column: AddedColumn): column is ComputedColumn {
  return typeof column !== 'string' && 'formula' in column;
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
