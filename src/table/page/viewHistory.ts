import { type Filter, isOfColumn, type SortKey } from '../../columns/viewSpec';
import { type SavedSteps, StepHistory } from '../../pages/page/stepHistory';
import { type PageFilter, sameFilter } from './filterList';
import type { ColumnLayout } from './grid/columnLayout';
import type { GroupsState } from './state/groupsState';

export type SavedHistory = SavedSteps<ViewStep>;

export const NO_HISTORY: SavedHistory = { past: [], future: [] };

/** The user's undoable steps in a table. */
export class ViewHistory extends StepHistory<ViewStep> {
  /** `added`: undoable state of other subjects. */
  constructor(
    saved: SavedHistory,
    private readonly added: readonly UndoPart[] = [],
  ) {
    super(saved, (last, step) =>
      continued(last, added) === (continued(step, added) ?? '')
        ? { step: joinedStep(last, step) }
        : undefined,
    );
  }

  /** Removes filters by rows selected on the masks, which no longer exist. */
  forgetRowSets(): void {
    this.replace(withoutRowSetsOf(this.saved));
  }

  /** Columns were renamed: renames them in the steps. */
  columnsRenamed(names: ReadonlyMap<string, string>): void {
    this.replace(historyWithRenamedColumns(this.saved, names, this.added));
  }
}

/**
 * A saved history of the same table. Rows selected on the masks are dropped, except `selectedSet`.
 */
export function validHistory(saved: Partial<SavedHistory> | undefined, selectedSet?: number): SavedHistory {
  // Earlier versions had named filters, with steps of their own.
  const steps = (savedSteps: unknown) =>
    (Array.isArray(savedSteps) ? (savedSteps as ViewStep[]) : []).filter(
      ({ after }) => !('filterSets' in after),
    );
  return withoutRowSetsOf({ past: steps(saved?.past), future: steps(saved?.future) }, selectedSet);
}

/** A history with renamed columns. */
export function historyWithRenamedColumns(
  history: SavedHistory,
  names: ReadonlyMap<string, string>,
  added: readonly RenamesSteps[] = [],
): SavedHistory {
  if (names.size === 0) return history;
  const renamedParts = (parts: Partial<ViewParts>): Partial<ViewParts> =>
    Object.assign({ ...parts }, ...added.map(part => part.renamed?.(parts, names))) as Partial<ViewParts>;
  const renamedSteps = (steps: readonly ViewStep[]) =>
    steps.map(({ before, after }) => ({ before: renamedParts(before), after: renamedParts(after) }));
  return { past: renamedSteps(history.past), future: renamedSteps(history.future) };
}

function withoutRowSetsOf({ past, future }: SavedHistory, selectedSet?: number): SavedHistory {
  const valid = (steps: readonly ViewStep[]) =>
    steps.flatMap(step => withoutRowSets(step, selectedSet) ?? []);
  return { past: valid(past), future: valid(future) };
}

/** Identity of the only thing that a step changes, if gradually: a range or a text. */
function continued({ before, after }: ViewStep, undoParts: readonly UndoPart[]): string | undefined {
  for (const part of undoParts) {
    const identity = part.continued?.({ before, after });
    if (identity !== undefined) return identity;
  }
  const parts = Object.keys(after).join();
  if (parts !== 'filters') return undefined;
  const { added, removed, changed } = filterChanges(before.filters ?? [], after.filters ?? []);
  if (changed.some(({ from, to }) => from.off !== to.off)) return undefined;
  const [only, ...otherFilters] = [...added, ...removed, ...changed.map(({ to }) => to)];
  const isGradual = only?.filter.kind === 'range' || only?.filter.kind === 'text';
  return only && isGradual && otherFilters.length === 0 ? filterSlot(only) : undefined;
}

/*
 * A step is one change of the saved view by the user: each changed part, before and after. Steps
 * are found by comparing views, so code that changes the view needn't record them.
 */

/** Which groups are shown, without their position. */
type ShownGroups = Omit<GroupsState, 'open' | 'height' | 'width' | 'first'>;

/** The undoable parts of the view. Other subjects add theirs, and describe them in an UndoPart. */
export interface ViewParts {
  filters: PageFilter[];
  sort: SortKey[];
  order: number[];
  hidden: number[];
  pinned: number[];
  widths: Record<string, number>;
  isArranged: boolean;
  groups: ShownGroups;
}

export interface ViewStep {
  before: Partial<ViewParts>;
  after: Partial<ViewParts>;
}

/** The part of the saved view that steps are made of. Other subjects extend it. */
export interface UndoableView {
  filters: PageFilter[];
  sort: SortKey[];
  widths: Record<string, number>;
  layout: ColumnLayout;
  /** Whether the user arranged the columns; else the layout follows the table. */
  isArranged: boolean;
  groups: GroupsState;
}

type PartName = keyof ViewParts;

/** State of steps that refers to columns by name. */
export interface RenamesSteps {
  /** The parts of a step with renamed columns. */
  renamed?(parts: Partial<ViewParts>, names: ReadonlyMap<string, string>): Partial<ViewParts>;
}

/** A subject's undoable part of the view. */
export interface UndoPart extends RenamesSteps {
  of(view: UndoableView): Partial<ViewParts>;
  /** Set if a change of this part also changes other parts, such as filters of a removed column. */
  readonly isCause?: true;
  /** Whether a change of this part was automatic. */
  isAutomatic?(before: UndoableView, after: UndoableView): boolean;
  /**
   * Identity of the thing that a step changes gradually, so that consecutive steps merge; undefined
   * for other changes.
   */
  continued?(step: ViewStep): string | undefined;
  /** A step's label, in the words of the control; undefined if this part didn't change. */
  words(step: ViewStep): string | undefined;
}

/**
 * The step between two views; undefined if nothing undoable changed. `added`: undoable state of
 * other subjects.
 */
export function stepBetween(
  before: UndoableView,
  after: UndoableView,
  added: readonly UndoPart[] = [],
): ViewStep | undefined {
  const undoableParts = (view: UndoableView) =>
    Object.assign({}, partsOf(view), ...added.map(part => part.of(view))) as ViewParts;
  const [old, now] = [undoableParts(before), undoableParts(after)];
  const automatic = new Set(
    added.flatMap(part => (part.isAutomatic?.(before, after) ? Object.keys(part.of(after)) : [])),
  );
  const names = (Object.keys(now) as PartName[]).filter(
    name => !isSamePart(name, old, now) && !automatic.has(name) && !isAutomatic(name, before, after),
  );
  // Arranging alone isn't a change.
  if (names.every(name => name === 'isArranged')) return undefined;
  return { before: pick(old, names), after: pick(now, names) };
}

/** Merges two steps into one; undefined if the second undid the first. */
function joinedStep(first: ViewStep, second: ViewStep): ViewStep | undefined {
  return withoutSame({
    before: { ...second.before, ...first.before },
    after: { ...first.after, ...second.after },
  });
}

/**
 * The step without filters by rows selected on the masks, except `selectedSet`; undefined if it
 * changed nothing else.
 */
function withoutRowSets(step: ViewStep, selectedSet?: number): ViewStep | undefined {
  const strip = (parts: Partial<ViewParts>) =>
    parts.filters ? { ...parts, filters: withoutMaskRows(parts.filters, selectedSet) } : parts;
  return withoutSame({ before: strip(step.before), after: strip(step.after) });
}

function withoutSame({ before, after }: ViewStep): ViewStep | undefined {
  const names = (Object.keys(after) as PartName[]).filter(name => !isSamePart(name, before, after));
  return names.length > 0 ? { before: pick(before, names), after: pick(after, names) } : undefined;
}

function partsOf(view: UndoableView): Partial<ViewParts> {
  const { filters, sort, widths, layout, isArranged, groups } = view;
  const { by, measures, statistics, of, order: groupOrder } = groups;
  const shown = { by, measures, statistics, ...(of && { of }), ...(groupOrder && { order: groupOrder }) };
  const { order, hidden, pinned } = layout;
  return {
    filters,
    sort,
    order,
    hidden,
    pinned,
    widths,
    isArranged,
    groups: shown,
  };
}

/** Whether a change is automatic: the first layout, and the first groups. */
function isAutomatic(name: PartName, before: UndoableView, after: UndoableView): boolean {
  switch (name) {
    case 'order':
    case 'hidden':
    case 'pinned':
      return !before.isArranged && !after.isArranged;
    case 'groups':
      return before.groups.by.length === 0;
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

/** The difference between two lists of filters. */
interface FilterChanges {
  added: PageFilter[];
  removed: PageFilter[];
  changed: { from: PageFilter; to: PageFilter }[];
}

/** Added, removed and changed filters. A filter is identified by its slot, see filterSlot. */
export function filterChanges(before: readonly PageFilter[], after: readonly PageFilter[]): FilterChanges {
  const [old, now] = [bySlot(before), bySlot(after)];
  return {
    added: after.filter(filter => !old.has(filterSlot(filter))),
    removed: before.filter(filter => !now.has(filterSlot(filter))),
    changed: after.flatMap(to => {
      const from = old.get(filterSlot(to));
      return from && !areSame(from, to) ? [{ from, to }] : [];
    }),
  };
}

/**
 * Whether two lists have equal filters in the same order. Lassos are compared by shape, as their
 * row sets differ each time.
 */
export function sameFilters(a: readonly PageFilter[], b: readonly PageFilter[]): boolean {
  const isSame = (filter: PageFilter, at: number) => {
    const otherFilter = b[at];
    return (
      otherFilter !== undefined &&
      filterSlot(filter) === filterSlot(otherFilter) &&
      areSame(filter, otherFilter)
    );
  };
  return a.length === b.length && a.every(isSame);
}

/** Applies the change from `from` to `to` to a list. Other filters of the list stay. */
export function withChanges(
  filters: readonly PageFilter[],
  from: readonly PageFilter[],
  to: readonly PageFilter[],
): PageFilter[] {
  if (sameFilters(filters, from)) return [...to];
  const { added, removed, changed } = filterChanges(from, to);
  const removedSlots = bySlot(removed);
  const newSlots = bySlot([...added, ...changed.map(change => change.to)]);
  const remaining = filters.filter(filter => !removedSlots.has(filterSlot(filter)));
  const replaced = remaining.map(filter => newSlots.get(filterSlot(filter)) ?? filter);
  const slots = bySlot(remaining);
  return [...replaced, ...[...newSlots].flatMap(([slot, filter]) => (slots.has(slot) ? [] : [filter]))];
}

/** Filters without those by rows selected on the masks, except `selectedSet`. */
export function withoutMaskRows(filters: readonly PageFilter[], selectedSet?: number): PageFilter[] {
  return filters.filter(
    ({ filter, lasso }) => filter.kind !== 'rowSet' || lasso !== undefined || filter.set === selectedSet,
  );
}

/** Identity of a filter: filters of equal identity replace each other. */
export function filterSlot({ filter, lasso }: PageFilter): string {
  if (filter.kind === 'rowSet') return lasso ? JSON.stringify(lasso) : 'masks';
  // One slot for all populations: a table is filtered to one at a time.
  return isOfColumn(filter) ? `${filter.kind} ${filter.column}` : filter.kind;
}

/** Compares populations by name: the rows of one change with its gate. */
function plainFilter(filter: Filter): Filter {
  return filter.kind === 'population' ? { kind: 'population', name: filter.name } : filter;
}

function areSame(a: PageFilter, b: PageFilter): boolean {
  const isSame = a.lasso !== undefined || sameFilter(plainFilter(a.filter), plainFilter(b.filter));
  return Boolean(a.off) === Boolean(b.off) && isSame;
}

function bySlot(filters: readonly PageFilter[]): Map<string, PageFilter> {
  return new Map(filters.map(filter => [filterSlot(filter), filter]));
}
