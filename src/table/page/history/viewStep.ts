import type { SortKey } from '../../../columns/viewSpec';
import type { PageFilter } from '../filters/filterList';
import type { ColumnLayout } from '../grid/columnLayout';
import type { GroupsState } from '../groups/groupsState';
import { sameFilters, withoutMaskRows } from './filterChanges';

/*
 * A step is what one change by the user did to the saved view: each part that changed, as it was before and after. Steps are
 * found by comparing views, so that nothing that changes the view needs to know of them.
 */

/** Which groups are shown; not where. */
export type ShownGroups = Omit<GroupsState, 'open' | 'height' | 'width' | 'first'>;

/** A plot as it is saved; only the plots know what it says. */
export type SavedPlot = object;

/** What of the view can be undone. */
export interface ViewParts {
  filters: PageFilter[];
  sort: SortKey[];
  order: number[];
  hidden: number[];
  pinned: number[];
  widths: Record<string, number>;
  isArranged: boolean;
  groups: ShownGroups;
  plots: SavedPlot[];
}

export interface ViewStep {
  before: Partial<ViewParts>;
  after: Partial<ViewParts>;
}

/** The saved view, as far as steps are concerned. */
export interface UndoableView {
  filters: PageFilter[];
  sort: SortKey[];
  widths: Record<string, number>;
  layout: ColumnLayout;
  isArranged: boolean;
  groups: GroupsState;
  drawer: { open: boolean; plots: SavedPlot[] };
}

type PartName = keyof ViewParts;

/** The step from one view to the next; undefined where the user changed nothing that can be undone. */
export function stepBetween(before: UndoableView, after: UndoableView): ViewStep | undefined {
  const [old, now] = [partsOf(before), partsOf(after)];
  const names = (Object.keys(now) as PartName[]).filter(
    name => !isSamePart(name, old, now) && !isAutomatic(name, before, after),
  );
  // That the user arranged the columns says nothing by itself.
  if (names.every(name => name === 'isArranged')) return undefined;
  return { before: pick(old, names), after: pick(now, names) };
}

/** Two steps in one: from before the first to after the second. Undefined where the second undid the first. */
export function joinedStep(first: ViewStep, second: ViewStep): ViewStep | undefined {
  return withoutSame({
    before: { ...second.before, ...first.before },
    after: { ...first.after, ...second.after },
  });
}

/** The step without filters of row sets that are gone, all but the one named; undefined where nothing else changed. */
export function withoutRowSets(step: ViewStep, selectedSet?: number): ViewStep | undefined {
  const strip = (parts: Partial<ViewParts>) =>
    parts.filters ? { ...parts, filters: withoutMaskRows(parts.filters, selectedSet) } : parts;
  return withoutSame({ before: strip(step.before), after: strip(step.after) });
}

function withoutSame({ before, after }: ViewStep): ViewStep | undefined {
  const names = (Object.keys(after) as PartName[]).filter(name => !isSamePart(name, before, after));
  return names.length > 0 ? { before: pick(before, names), after: pick(after, names) } : undefined;
}

function partsOf({ filters, sort, widths, layout, isArranged, groups, drawer }: UndoableView): ViewParts {
  const { by, measures, statistics, order: groupOrder } = groups;
  const shown = { by, measures, statistics, ...(groupOrder && { order: groupOrder }) };
  const { order, hidden, pinned } = layout;
  return { filters, sort, order, hidden, pinned, widths, isArranged, groups: shown, plots: drawer.plots };
}

/** Changes that the page makes by itself: a first layout, the groups and the plot to begin with. */
function isAutomatic(name: PartName, before: UndoableView, after: UndoableView): boolean {
  switch (name) {
    case 'order':
    case 'hidden':
    case 'pinned':
      return !before.isArranged && !after.isArranged;
    case 'groups':
      return before.groups.by.length === 0;
    case 'plots':
      return !before.drawer.open && after.drawer.open;
    default:
      return false;
  }
}

function isSamePart(name: PartName, a: Partial<ViewParts>, b: Partial<ViewParts>): boolean {
  if (a[name] === b[name]) return true;
  if (name === 'filters') return sameFilters(a.filters ?? [], b.filters ?? []);
  return JSON.stringify(a[name]) === JSON.stringify(b[name]);
}

function pick(parts: Partial<ViewParts>, names: readonly PartName[]): Partial<ViewParts> {
  return Object.fromEntries(names.map(name => [name, parts[name]]));
}
