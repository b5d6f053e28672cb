import type { TableColumn } from '../../../columns/tableSummary';
import { columnName } from '../../../pages/page/columnName';
import type { TableText } from '../../../pages/page/pageText';
import type { PageFilter } from '../filters/filterList';
import { fileColumn } from '../filters/sortKeys';
import { filterChanges } from './filterChanges';
import type { ViewParts, ViewStep } from './viewStep';

/** Columns that are named before a step is only named by its kind. */
const MAX_NAMED = 2;

/** What a step did, in the words of what the user clicked: "Hide Area". */
export function stepWords(
  { before, after }: ViewStep,
  columns: readonly TableColumn[],
  text: TableText,
): string {
  const name = (column: number) => columnName(columns, column, text);
  const names: Naming = { text, name };
  if (before.filters && after.filters) return filterStep(before.filters, after.filters, names);
  if (after.sort) {
    const [first] = after.sort;
    return first ? text.get('stepSort', name(first.column)) : text.get('clearSort');
  }
  if (before.plots && after.plots) {
    const more = after.plots.length - before.plots.length;
    return text.get(more > 0 ? 'addPlot' : more < 0 ? 'removePlot' : 'stepPlot');
  }
  if (after.groups) return text.get('stepGroups');
  return columnStep(before, after, names);
}

interface Naming {
  text: TableText;
  name: (column: number) => string;
}

function filterStep(before: readonly PageFilter[], after: readonly PageFilter[], names: Naming): string {
  const { text } = names;
  const { added, removed, changed } = filterChanges(before, after);
  const subjects = [
    ...new Set(
      [...added, ...removed, ...changed.map(({ to }) => to)].map(each => filterSubject(each, names)),
    ),
  ];
  const isRemoval = added.length === 0 && changed.length === 0;
  if (subjects.length > MAX_NAMED || (isRemoval && subjects.length > 1))
    return text.get(isRemoval ? 'clearFilters' : 'stepFilters');
  const named = subjects.join(', ');
  if (isRemoval) return text.get('stepRemoveFilter', named);
  const [turned] = changed;
  if (turned && Boolean(turned.from.off) !== Boolean(turned.to.off))
    return text.get(turned.to.off ? 'stepTurnOffFilter' : 'stepTurnOnFilter', named);
  return text.get('filterColumn', named);
}

function filterSubject({ filter, lasso }: PageFilter, { text, name }: Naming): string {
  if (filter.kind !== 'rowSet') return name(filter.column);
  return lasso ? text.get('stepLasso', name(lasso.x), name(lasso.y)) : text.get('stepSelectedObjects');
}

function columnStep(before: Partial<ViewParts>, after: Partial<ViewParts>, { text, name }: Naming): string {
  if (before.isArranged && after.isArranged === false) return text.get('resetColumns');
  if (before.hidden && after.hidden) {
    const [hidden, shown] = [without(after.hidden, before.hidden), without(before.hidden, after.hidden)];
    if (hidden.length + shown.length > 1)
      return text.get(after.hidden.length === 0 ? 'showAllColumns' : 'stepColumns');
    return hidden.length > 0 ? named('hideColumn', hidden) : named('stepShow', shown);
  }
  if (before.pinned && after.pinned) {
    const [pinned, free] = [without(after.pinned, before.pinned), without(before.pinned, after.pinned)];
    if (pinned.length + free.length === 1)
      return pinned.length > 0 ? named('pinColumn', pinned) : named('unpinColumn', free);
  }
  if (before.order && after.order) {
    const moved = movedColumn(before.order, after.order);
    return moved === undefined ? text.get('stepMoveColumns') : text.get('stepMove', name(moved));
  }
  if (before.widths && after.widths) {
    const resized = resizedColumns(before.widths, after.widths);
    if (resized.length === 1) return named('stepResize', resized);
  }
  return text.get('stepColumns');

  function named(
    key: 'hideColumn' | 'stepShow' | 'pinColumn' | 'unpinColumn' | 'stepResize',
    of: readonly number[],
  ) {
    return text.get(key, of.map(name).join(', '));
  }
}

/** The column without which two orders are equal; undefined where several were moved, or two changed places. */
function movedColumn(before: readonly number[], after: readonly number[]): number | undefined {
  const at = before.findIndex((column, place) => column !== after[place]);
  const [moved, ...others] = [after[at], before[at]].filter(column => {
    const rest = (order: readonly number[]) => order.filter(each => each !== column).join();
    return rest(before) === rest(after);
  });
  return others.length === 0 ? moved : undefined;
}

function resizedColumns(before: Record<string, number>, after: Record<string, number>): number[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return ids.filter(id => before[id] !== after[id]).flatMap(id => fileColumn(id) ?? []);
}

function without(some: readonly number[], others: readonly number[]): number[] {
  const known = new Set(others);
  return some.filter(column => !known.has(column));
}
