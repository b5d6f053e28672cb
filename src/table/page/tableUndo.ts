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
    'table' | 'columns' | 'messages' | 'rows' | 'grid' | 'restoreGroups' | 'additions' | 'unnoticed'
  >;
  port: PagePort<TableViewState>;
  /** The view that the page began with. */
  view: TableViewState;
  /** The undoable view state of other subjects. */
  added?: readonly UndoPart[];
}

/**
 * Undoes and redoes the user's changes of the view: filters, order, columns, groups and other
 * subjects' state. Compares the saved view with its earlier state; changes made at once are one
 * step. The selection isn't included.
 */
export class TableUndo {
  private readonly history: ViewHistory;
  /** The view as last seen; undefined until the page has opened. */
  private seen: TableViewState | undefined;
  private isScheduled = false;
  /** Whether the current change isn't the user's. */
  private isAutomatic = false;
  private isMoving = false;
  private latest: Promise<void> = Promise.resolve();

  constructor(private readonly parts: TableUndoDependencies) {
    this.history = new ViewHistory(parts.view.history, parts.added);
  }

  /** Follows the user from now on, once filters that the page opens with are applied. */
  async begin(): Promise<void> {
    const { store, port } = this.parts;
    const { table: model } = store;
    await model.settled();
    this.seen = this.view;
    store.unnoticed = change => {
      void this.unnoticed(async () => change());
    };
    port.onDidUpdateView(() => this.schedule());
    model.onDidChange(change => {
      // Plots and columns follow a table that is being read.
      if (change !== 'table') return;
      this.isAutomatic = true;
      this.schedule();
    });
    model.onDidLoseRowSets(() => {
      this.history.forgetRowSets();
      if (this.seen) this.seen = { ...this.seen, filters: withoutMaskRows(this.seen.filters) };
    });
    undoKeys({ onMove: move => this.move(move), onGesture: () => this.history.endGesture() });
  }

  /** Changes that aren't the user's doing are no step. */
  async unnoticed(change: () => Promise<void>): Promise<void> {
    this.record();
    const { isMoving } = this;
    this.isMoving = true;
    try {
      await change();
    } finally {
      this.isMoving = isMoving;
      if (this.seen) this.seen = this.view;
    }
  }

  /** Changes that are one step of the user, apart from earlier ones. */
  noticed(change: () => void): void {
    this.record();
    change();
    this.isAutomatic = false;
    this.record();
  }

  /** Columns are elsewhere now: steps would change others. */
  forget(): void {
    this.history.clear();
    this.save();
  }

  /** Columns have other names now, also in steps. */
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
   * The saved view. Until filters change, the active ones may differ: the filter for rows of
   * images, or fewer than saved.
   */
  private get view(): TableViewState {
    const { view, port, store } = this.parts;
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

  /** Adds a step for changes since the last call. */
  private record(): void {
    const { seen, isAutomatic, isMoving } = this;
    const { view } = this;
    this.seen = view;
    this.isAutomatic = false;
    const { added } = this.parts;
    const step = seen && !isAutomatic && !isMoving ? stepBetween(seen, view, added) : undefined;
    if (!step) return;
    this.history.add(step);
    this.save();
  }

  private save(): void {
    this.parts.port.updateView({ history: this.history.saved });
  }

  private async apply(move: HistoryMove): Promise<void> {
    const { table: model, messages, rows } = this.parts.store;
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
      await (isUndo ? this.show(step.after, step.before) : this.show(step.before, step.after));
      this.history.moved(move);
      messages.say(
        isUndo
          ? t('Undid: {0}', stepWords(step, model.table.columns, this.parts.added))
          : t('Redid: {0}', stepWords(step, model.table.columns, this.parts.added)),
      );
    } catch (error) {
      if (isCoded(error, 'cancelled')) return;
      this.history.discard(move);
      messages.failed(isUndo ? t.later("Couldn't undo: {0}") : t.later("Couldn't redo: {0}"), error);
    } finally {
      this.isMoving = false;
      this.seen = this.view;
      this.save();
      // Its element may be gone, such as a plot.
      if (hadFocus && !hasFocus()) rows.enterGrid();
    }
  }

  /** Changes parts of the view as from one to the other. */
  private async show(from: Partial<ViewParts>, to: Partial<ViewParts>): Promise<void> {
    const { store, added } = this.parts;
    const hasCause = causeOf({ before: from, after: to }, added) !== undefined;
    for (const addition of store.additions) await addition.restoreColumns?.(to, from);
    // The filters of columns that have gone have gone with them.
    const filters = hasCause ? [...store.table.latestFilters] : from.filters;
    store.columns.restore(to);
    // Changes that only follow others don't open their part.
    const open = !hasCause;
    if (to.groups) store.restoreGroups(to.groups, open);
    for (const addition of store.additions) addition.restore?.(to, open, from);
    if (to.sort) await this.sortBy(to.sort);
    if (filters && to.filters) await this.filterBy(filters, to.filters);
  }

  /** The grid reports its order a moment later. */
  private async sortBy(keys: ViewParts['sort']): Promise<void> {
    const { table: model, grid: shown } = this.parts.store;
    const valid = validSort(keys, model.table.columns.length);
    if (!shown || JSON.stringify(shown.sort) === JSON.stringify(valid)) return;
    await new Promise<void>(resolve => {
      const subscription = model.onDidChange(change => {
        if (change !== 'sort') return;
        subscription.dispose();
        resolve();
      });
      shown.setSort(valid);
    });
  }

  private async filterBy(from: readonly PageFilter[], to: readonly PageFilter[]): Promise<void> {
    const { table: model } = this.parts.store;
    const wanted = await this.withRowSets(to);
    // The user may have changed filters meanwhile.
    const filters = withChanges(model.latestFilters, from, wanted);
    if (!sameFilters(filters, model.latestFilters)) await model.setFilters(filters);
  }

  /** Lassos that aren't there now are drawn again: the engine may have dropped their rows. */
  private async withRowSets(filters: readonly PageFilter[]): Promise<PageFilter[]> {
    const { table: model } = this.parts.store;
    const known = new Map(model.filters.map(each => [filterSlot(each), each]));
    const found = await Promise.all(
      filters.map(async each => {
        const same = each.lasso && known.get(filterSlot(each));
        return same ? [turned(same, !each.off)] : await model.restoreLassos([each]);
      }),
    );
    return found.flat();
  }
}

/** Columns that are named before a step is only named by its kind. */
const MAX_NAMED = 2;

/** A step's label, in the words of the clicked control: "Hide Area". */
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

/** The label of a step that changed its other parts too. */
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
      [...added, ...removed, ...changed.map(({ to }) => to)].map(each => filterSubject(each, names)),
    ),
  ];
  const isRemoval = added.length === 0 && changed.length === 0;
  if (subjects.length > MAX_NAMED || (isRemoval && subjects.length > 1))
    return isRemoval ? t('Clear Filters') : t('Change Filters');
  const named = subjects.join(', ');
  if (isRemoval) return t('Remove the Filter of {0}', named);
  const [turned] = changed;
  if (turned && Boolean(turned.from.off) !== Boolean(turned.to.off))
    return turned.to.off ? t('Turn Off the Filter of {0}', named) : t('Turn On the Filter of {0}', named);
  return t('Filter {0}', named);
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

  function named(words: PageWords, of: readonly number[]): string {
    return words(of.map(name).join(', '));
  }
}

/** The column without which two orders are equal; undefined if several moved, or two swapped. */
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
