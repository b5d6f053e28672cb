import { type PageWords, t } from '../../pages/page/l10n';
import { isOfColumn } from '../../columns/viewSpec';
import { isCoded } from '../../base/errors';
import type { TableColumn } from '../../columns/tableSummary';
import { columnName } from '../../pages/page/columnName';
import type { PagePort } from '../../pages/page/pagePort';
import { closePopovers, hasFocus, type HistoryMove, undoKeys } from '../../pages/page/stepHistory';
import { type PageFilter, turned } from './filterList';
import { fileColumn, validSort } from './grid/columnLayout';
import type { TableStore } from './state/tableStore';
import type { TableViewState } from './tableViewState';
import {
  filterChanges,
  filterSlot,
  sameFilters,
  stepBetween,
  type UndoPart,
  ViewHistory,
  type ViewParts,
  type ViewStep,
  withChanges,
  withoutMaskRows,
} from './viewHistory';

interface TableUndoDependencies {
  store: Pick<
    TableStore,
    'table' | 'columns' | 'messages' | 'rows' | 'grid' | 'restoreGroups' | 'additions' | 'withoutUndo'
  >;
  port: PagePort<TableViewState>;
  /** The view at the start of the page. */
  view: TableViewState;
  /** Undoable view state of other subjects. */
  added?: readonly UndoPart[];
}

/**
 * Undoes and redoes the user's changes of the view: filters, order, columns, groups, and state of
 * other subjects. Compares the saved view with the one before; changes made at the same time are
 * one step. The selection isn't undoable.
 */
export class TableUndo {
  private readonly history: ViewHistory;
  /** The view that was compared last; undefined until the page has opened. */
  private recordedView: TableViewState | undefined;
  private isScheduled = false;
  /** Whether the change to record isn't the user's. */
  private isAutomatic = false;
  private isMoving = false;
  private latest: Promise<void> = Promise.resolve();

  constructor(private readonly dependencies: TableUndoDependencies) {
    this.history = new ViewHistory(dependencies.view.history, dependencies.added);
  }

  /** Starts to record steps, once the filters that the page opens with are applied. */
  async begin(): Promise<void> {
    const { store, port } = this.dependencies;
    const { table: model } = store;
    await model.settled();
    this.recordedView = this.view;
    store.withoutUndo = change => {
      void this.withoutUndo(async () => change());
    };
    port.onDidUpdateView(() => this.schedule());
    model.onDidChange(change => {
      // Plots and columns change with a table that is being read.
      if (change !== 'table') return;
      this.isAutomatic = true;
      this.schedule();
    });
    model.onDidLoseRowSets(() => {
      this.history.forgetRowSets();
      if (this.recordedView)
        this.recordedView = { ...this.recordedView, filters: withoutMaskRows(this.recordedView.filters) };
    });
    undoKeys({ onMove: move => this.move(move), onGesture: () => this.history.endGesture() });
  }

  /** Makes changes that aren't recorded for undo. */
  async withoutUndo(change: () => Promise<void>): Promise<void> {
    this.record();
    const { isMoving } = this;
    this.isMoving = true;
    try {
      await change();
    } finally {
      this.isMoving = isMoving;
      if (this.recordedView) this.recordedView = this.view;
    }
  }

  /** Makes changes of the user that are a step of their own. */
  recordStep(change: () => void): void {
    this.record();
    change();
    this.isAutomatic = false;
    this.record();
  }

  /** Drops all steps: columns have moved, so that the steps would change others. */
  forget(): void {
    this.history.clear();
    this.save();
  }

  /** Columns were renamed: renames them in the steps. */
  columnsRenamed(names: ReadonlyMap<string, string>): void {
    if (names.size === 0) return;
    this.history.columnsRenamed(names);
    this.save();
  }

  can(move: HistoryMove): boolean {
    return this.history.next(move) !== undefined;
  }

  /** Undoes the latest step or redoes the next one, after earlier requests. */
  move(move: HistoryMove): void {
    this.latest = this.latest.then(() => this.apply(move));
  }

  /**
   * The saved view. Active filters may differ from the saved ones until the user changes them:
   * there may be a filter to image rows, or fewer filters.
   */
  private get view(): TableViewState {
    const { view, port, store } = this.dependencies;
    return { ...view, ...port.view, filters: [...store.table.filters] };
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      this.record();
    });
  }

  /** Records a step for changes since the last call. */
  private record(): void {
    const { recordedView, isAutomatic, isMoving } = this;
    const { view } = this;
    this.recordedView = view;
    this.isAutomatic = false;
    const { added } = this.dependencies;
    const step =
      recordedView && !isAutomatic && !isMoving ? stepBetween(recordedView, view, added) : undefined;
    if (!step) return;
    this.history.add(step);
    this.save();
  }

  private save(): void {
    this.dependencies.port.updateView({ history: this.history.saved });
  }

  private async apply(move: HistoryMove): Promise<void> {
    const { table: model, messages, rows } = this.dependencies.store;
    const isUndo = move === 'undo';
    await model.settled();
    this.record();
    const step = this.history.next(move);
    if (!step) {
      messages.say(isUndo ? t('Nothing to undo') : t('Nothing to redo'));
      return;
    }
    const hadFocus = hasFocus();
    closePopovers();
    this.isMoving = true;
    try {
      await (isUndo ? this.restore(step.after, step.before) : this.restore(step.before, step.after));
      this.history.moved(move);
      messages.say(
        isUndo
          ? t('Undid: {0}', stepWords(step, model.table.columns, this.dependencies.added))
          : t('Redid: {0}', stepWords(step, model.table.columns, this.dependencies.added)),
      );
    } catch (error) {
      if (isCoded(error, 'cancelled')) return;
      this.history.discard(move);
      messages.failed(isUndo ? t.later("Couldn't undo: {0}") : t.later("Couldn't redo: {0}"), error);
    } finally {
      this.isMoving = false;
      this.recordedView = this.view;
      this.save();
      // The focused element may be gone, such as a plot.
      if (hadFocus && !hasFocus()) rows.enterGrid();
    }
  }

  /** Restores parts of the view: `from` is their current state, `to` the one to restore. */
  private async restore(from: Partial<ViewParts>, to: Partial<ViewParts>): Promise<void> {
    const { store, added } = this.dependencies;
    const hasCause = causeOf({ before: from, after: to }, added) !== undefined;
    for (const addition of store.additions) await addition.restoreColumns?.(to, from);
    // Filters of removed columns were removed with them.
    const filters = hasCause ? [...store.table.latestFilters] : from.filters;
    store.columns.restore(to);
    // A part that only follows another change isn't opened.
    const open = !hasCause;
    if (to.groups) store.restoreGroups(to.groups, open);
    for (const addition of store.additions) addition.restore?.(to, open, from);
    if (to.sort) await this.sortBy(to.sort);
    if (filters && to.filters) await this.filterBy(filters, to.filters);
  }

  /** Sorts, and waits until the grid reports the order. */
  private async sortBy(keys: ViewParts['sort']): Promise<void> {
    const { table: model, grid } = this.dependencies.store;
    const valid = validSort(keys, model.table.columns.length);
    if (!grid || JSON.stringify(grid.sort) === JSON.stringify(valid)) return;
    await new Promise<void>(resolve => {
      const subscription = model.onDidChange(change => {
        if (change !== 'sort') return;
        subscription.dispose();
        resolve();
      });
      grid.setSort(valid);
    });
  }

  private async filterBy(from: readonly PageFilter[], to: readonly PageFilter[]): Promise<void> {
    const { table: model } = this.dependencies.store;
    const targetFilters = await this.withRowSets(to);
    // The user may have changed filters meanwhile.
    const filters = withChanges(model.latestFilters, from, targetFilters);
    if (!sameFilters(filters, model.latestFilters)) await model.setFilters(filters);
  }

  /**
   * Filters with row sets. The rows of a lasso that isn't active are requested again: the engine
   * may have dropped them.
   */
  private async withRowSets(filters: readonly PageFilter[]): Promise<PageFilter[]> {
    const { table: model } = this.dependencies.store;
    const activeBySlot = new Map(model.filters.map(filter => [filterSlot(filter), filter]));
    const filtersWithRows = await Promise.all(
      filters.map(async filter => {
        const active = filter.lasso && activeBySlot.get(filterSlot(filter));
        return active ? [turned(active, !filter.off)] : await model.restoreLassos([filter]);
      }),
    );
    return filtersWithRows.flat();
  }
}

/** A step with more subjects is labeled by its kind only. */
const MAX_NAMED = 2;

/** A step's label, in the words of the control: "Hide Area". */
export function stepWords(
  step: ViewStep,
  columns: readonly TableColumn[],
  added: readonly UndoPart[] = [],
): string {
  const name = (column: number) => columnName(columns, column);
  const { before, after } = step;
  const names: Naming = { name };
  const cause = causeOf(step, added);
  if (cause !== undefined) return cause;
  if (before.filters && after.filters) return filterStep(before.filters, after.filters, names);
  if (after.sort) {
    const [first] = after.sort;
    return first ? t('Sort by {0}', name(first.column)) : t('Clear Sorting');
  }
  for (const part of added) {
    const words = part.words(step);
    if (words !== undefined) return words;
  }
  if (after.groups) return t('Change Groups');
  return columnStep(before, after, names);
}

/** The label of a part whose change changed the others; undefined if there is none. */
function causeOf(step: ViewStep, added: readonly UndoPart[] = []): string | undefined {
  for (const part of added) {
    const words = part.isCause && part.words(step);
    if (words !== undefined) return words;
  }
  return undefined;
}

interface Naming {
  name: (column: number) => string;
}

function filterStep(before: readonly PageFilter[], after: readonly PageFilter[], names: Naming): string {
  const { added, removed, changed } = filterChanges(before, after);
  const subjects = [
    ...new Set(
      [...added, ...removed, ...changed.map(({ to }) => to)].map(filter => filterSubject(filter, names)),
    ),
  ];
  const isRemoval = added.length === 0 && changed.length === 0;
  if (subjects.length > MAX_NAMED || (isRemoval && subjects.length > 1))
    return isRemoval ? t('Clear Filters') : t('Change Filters');
  const subjectNames = subjects.join(', ');
  if (isRemoval) return t('Remove the Filter of {0}', subjectNames);
  const [firstChange] = changed;
  if (firstChange && Boolean(firstChange.from.off) !== Boolean(firstChange.to.off))
    return firstChange.to.off
      ? t('Turn Off the Filter of {0}', subjectNames)
      : t('Turn On the Filter of {0}', subjectNames);
  return t('Filter {0}', subjectNames);
}

function filterSubject({ filter, lasso }: PageFilter, { name }: Naming): string {
  if (isOfColumn(filter)) return name(filter.column);
  if (filter.kind === 'population') return filter.name;
  return lasso ? t('{0} and {1}', name(lasso.x), name(lasso.y)) : t('Selected Objects');
}

function columnStep(before: Partial<ViewParts>, after: Partial<ViewParts>, { name }: Naming): string {
  if (before.isArranged && after.isArranged === false) return t('Reset Columns');
  if (before.hidden && after.hidden) {
    const [hidden, shown] = [without(after.hidden, before.hidden), without(before.hidden, after.hidden)];
    if (hidden.length + shown.length > 1)
      return after.hidden.length === 0 ? t('Show All Columns') : t('Change Columns');
    return hidden.length > 0 ? named(t.later('Hide {0}'), hidden) : named(t.later('Show {0}'), shown);
  }
  if (before.pinned && after.pinned) {
    const [pinned, free] = [without(after.pinned, before.pinned), without(before.pinned, after.pinned)];
    if (pinned.length + free.length === 1)
      return pinned.length > 0 ? named(t.later('Pin {0}'), pinned) : named(t.later('Unpin {0}'), free);
  }
  if (before.order && after.order) {
    const moved = movedColumn(before.order, after.order);
    return moved === undefined ? t('Move Columns') : t('Move {0}', name(moved));
  }
  if (before.widths && after.widths) {
    const resized = resizedColumns(before.widths, after.widths);
    if (resized.length === 1) return named(t.later('Resize {0}'), resized);
  }
  return t('Change Columns');

  function named(words: PageWords, columns: readonly number[]): string {
    return words(columns.map(name).join(', '));
  }
}

/**
 * The column that moved: without it, both orders are equal. Undefined if several moved, or two
 * swapped.
 */
function movedColumn(before: readonly number[], after: readonly number[]): number | undefined {
  const firstDifference = before.findIndex((column, place) => column !== after[place]);
  const [moved, ...otherMoved] = [after[firstDifference], before[firstDifference]].filter(column => {
    const orderWithout = (order: readonly number[]) => order.filter(other => other !== column).join();
    return orderWithout(before) === orderWithout(after);
  });
  return otherMoved.length === 0 ? moved : undefined;
}

function resizedColumns(before: Record<string, number>, after: Record<string, number>): number[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return ids.filter(id => before[id] !== after[id]).flatMap(id => fileColumn(id) ?? []);
}

function without(columns: readonly number[], excluded: readonly number[]): number[] {
  const excludedSet = new Set(excluded);
  return columns.filter(column => !excludedSet.has(column));
}
