import { type Filter, isOfColumn, type SortKey } from '../../columns/viewSpec';
import { type SavedSteps, StepHistory } from '../../pages/page/stepHistory';
import { type PageFilter, sameFilter } from './filterList';
import type { ColumnLayout } from './grid/columnLayout';
import type { GroupsState } from './state/groupsState';

export type SavedHistory = SavedSteps<ViewStep>;

export const NO_HISTORY: SavedHistory = { past: [], future: [] };

/** The user's steps in a table, and the number of undone ones. */
export class ViewHistory extends StepHistory<ViewStep> {
  /** `added`: other subjects' undoable state. */
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

  /** Row sets of the masks are gone. */
  forgetRowSets(): void {
    this.replace(withoutRowSetsOf(this.saved));
  }

  /** Columns have other names: steps follow them. */
  columnsRenamed(names: ReadonlyMap<string, string>): void {
    this.replace(historyWithRenamedColumns(this.saved, names, this.added));
  }
}

/** A saved history of the same table. Row sets of the masks may be gone, except the named one. */
export function validHistory(saved: Partial<SavedHistory> | undefined, selectedSet?: number): SavedHistory {
  // Earlier versions had steps of filters with a name.
  const steps = (of: unknown) =>
    (Array.isArray(of) ? (of as ViewStep[]) : []).filter(({ after }) => !('filterSets' in after));
  return withoutRowSetsOf({ past: steps(saved?.past), future: steps(saved?.future) }, selectedSet);
}

/** Steps whose names follow renamed columns. */
export function historyWithRenamedColumns(
  history: SavedHistory,
  names: ReadonlyMap<string, string>,
  added: readonly RenamesSteps[] = [],
): SavedHistory {
  if (names.size === 0) return history;
  const parts = (before: Partial<ViewParts>): Partial<ViewParts> =>
    Object.assign({ ...before }, ...added.map(part => part.renamed?.(before, names))) as Partial<ViewParts>;
  const steps = (of: readonly ViewStep[]) =>
    of.map(({ before, after }) => ({ before: parts(before), after: parts(after) }));
  return { past: steps(history.past), future: steps(history.future) };
}

function withoutRowSetsOf({ past, future }: SavedHistory, selectedSet?: number): SavedHistory {
  const valid = (steps: readonly ViewStep[]) =>
    steps.flatMap(step => withoutRowSets(step, selectedSet) ?? []);
  return { past: valid(past), future: valid(future) };
}

/** The only changed thing of a step if it changes gradually: a range or a text. */
function continued({ before, after }: ViewStep, ofSubjects: readonly UndoPart[]): string | undefined {
  for (const part of ofSubjects) {
    const what = part.continued?.({ before, after });
    if (what !== undefined) return what;
  }
  const parts = Object.keys(after).join();
  if (parts !== 'filters') return undefined;
  const { added, removed, changed } = filterChanges(before.filters ?? [], after.filters ?? []);
  if (changed.some(({ from, to }) => from.off !== to.off)) return undefined;
  const [only, ...others] = [...added, ...removed, ...changed.map(({ to }) => to)];
  const isGradual = only?.filter.kind === 'range' || only?.filter.kind === 'text';
  return only && isGradual && others.length === 0 ? filterSlot(only) : undefined;
}

/*
 * A step is one change of the saved view by the user: each changed part, before and after. Steps
 * are found by comparing views, so code that changes the view needn't know of them.
 */

/** Which groups are shown; not where. */
type ShownGroups = Omit<GroupsState, 'open' | 'height' | 'width' | 'first'>;

/**
 * The undoable parts of the view. Other subjects add their state, and declare it in an UndoPart.
 */
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

/** The parts of the saved view for steps; other subjects add to them. */
export interface UndoableView {
  filters: PageFilter[];
  sort: SortKey[];
  widths: Record<string, number>;
  layout: ColumnLayout;
  /** The user arranged the columns; else the layout follows the table. */
  isArranged: boolean;
  groups: GroupsState;
}

type PartName = keyof ViewParts;

/** Parts of a step that name columns, by name. */
export interface RenamesSteps {
  /** Parts that follow renamed columns. */
  renamed?(parts: Partial<ViewParts>, names: ReadonlyMap<string, string>): Partial<ViewParts>;
}

/** A subject's undoable state of the view. */
export interface UndoPart extends RenamesSteps {
  of(view: UndoableView): Partial<ViewParts>;
  /** Set where the other parts of a step have changed because of this one. */
  readonly isCause?: true;
  /** Whether a change of it was automatic. */
  isAutomatic?(before: UndoableView, after: UndoableView): boolean;
  /**
   * The gradually changed thing of a step: steps that continue each other merge. Undefined for
   * others.
   */
  continued?(step: ViewStep): string | undefined;
  /** A step's label, in the words of the clicked control; undefined if this part didn't change. */
  words(step: ViewStep): string | undefined;
}

/**
 * The step between two views; undefined if the user changed nothing undoable. `added`: other
 * subjects' state.
 */
export function stepBetween(
  before: UndoableView,
  after: UndoableView,
  added: readonly UndoPart[] = [],
): ViewStep | undefined {
  const all = (view: UndoableView) =>
    Object.assign({}, partsOf(view), ...added.map(part => part.of(view))) as ViewParts;
  const [old, now] = [all(before), all(after)];
  const automatic = new Set(
    added.flatMap(part => (part.isAutomatic?.(before, after) ? Object.keys(part.of(after)) : [])),
  );
  const names = (Object.keys(now) as PartName[]).filter(
    name => !isSamePart(name, old, now) && !automatic.has(name) && !isAutomatic(name, before, after),
  );
  // That the user arranged the columns is no change alone.
  if (names.every(name => name === 'isArranged')) return undefined;
  return { before: pick(old, names), after: pick(now, names) };
}

/**
 * Merges two steps: before the first to after the second. Undefined if the second undid the first.
 */
function joinedStep(first: ViewStep, second: ViewStep): ViewStep | undefined {
  return withoutSame({
    before: { ...second.before, ...first.before },
    after: { ...first.after, ...second.after },
  });
}

/**
 * The step without filters of removed row sets, except the named one; undefined if nothing else
 * changed.
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

/** Automatic changes: a first layout, and the first groups. */
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

/**
 * Added, removed and changed filters. A column has one filter per kind, the table one of rows
 * selected on the masks.
 */
export function filterChanges(before: readonly PageFilter[], after: readonly PageFilter[]): FilterChanges {
  const [old, now] = [bySlot(before), bySlot(after)];
  return {
    added: after.filter(each => !old.has(filterSlot(each))),
    removed: before.filter(each => !now.has(filterSlot(each))),
    changed: after.flatMap(to => {
      const from = old.get(filterSlot(to));
      return from && !areSame(from, to) ? [{ from, to }] : [];
    }),
  };
}

/** Whether two lists filter alike, in the same order. A lasso has another row set each time. */
export function sameFilters(a: readonly PageFilter[], b: readonly PageFilter[]): boolean {
  const isSame = (each: PageFilter, at: number) => {
    const other = b[at];
    return other !== undefined && filterSlot(each) === filterSlot(other) && areSame(each, other);
  };
  return a.length === b.length && a.every(isSame);
}

/** Applies the change from `from` to `to` to a list; its other differences stay. */
export function withChanges(
  filters: readonly PageFilter[],
  from: readonly PageFilter[],
  to: readonly PageFilter[],
): PageFilter[] {
  if (sameFilters(filters, from)) return [...to];
  const { added, removed, changed } = filterChanges(from, to);
  const gone = bySlot(removed);
  const next = bySlot([...added, ...changed.map(each => each.to)]);
  const kept = filters.filter(each => !gone.has(filterSlot(each)));
  const replaced = kept.map(each => next.get(filterSlot(each)) ?? each);
  const slots = bySlot(kept);
  return [...replaced, ...[...next].flatMap(([slot, each]) => (slots.has(slot) ? [] : [each]))];
}

/** Filters without those of row sets that only the masks can make, except the named one. */
export function withoutMaskRows(filters: readonly PageFilter[], selectedSet?: number): PageFilter[] {
  return filters.filter(
    ({ filter, lasso }) => filter.kind !== 'rowSet' || lasso !== undefined || filter.set === selectedSet,
  );
}

/** The identity of a filter: two of equal identity replace each other. */
export function filterSlot({ filter, lasso }: PageFilter): string {
  if (filter.kind === 'rowSet') return lasso ? JSON.stringify(lasso) : 'masks';
  // All populations: a table is filtered to one.
  return isOfColumn(filter) ? `${filter.kind} ${filter.column}` : filter.kind;
}

/** A population gets other rows when its gate changes; it is still the same filter. */
function plainFilter(filter: Filter): Filter {
  return filter.kind === 'population' ? { kind: 'population', name: filter.name } : filter;
}

function areSame(a: PageFilter, b: PageFilter): boolean {
  const isSame = a.lasso !== undefined || sameFilter(plainFilter(a.filter), plainFilter(b.filter));
  return Boolean(a.off) === Boolean(b.off) && isSame;
}

function bySlot(filters: readonly PageFilter[]): Map<string, PageFilter> {
  return new Map(filters.map(each => [filterSlot(each), each]));
}
