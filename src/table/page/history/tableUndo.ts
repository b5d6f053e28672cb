import { isCoded } from '../../../base/errors';
import type { PagePort } from '../../../pages/page/pagePort';
import type { TableText } from '../../../pages/page/pageText';
import { validSort } from '../filters/sortKeys';
import { turned, type PageFilter } from '../filters/filterList';
import { fittingLayout } from '../grid/columnLayout';
import type { RowFocus } from '../grid/rows/rowFocus';
import type { TableGrid } from '../grid/tableGrid';
import type { TableDrawers } from '../tableDrawers';
import type { TableModel } from '../tableModel';
import type { TableNotices } from '../tableNotices';
import type { TableViewState } from '../tableViewState';
import { filterSlot, sameFilters, withChanges, withoutMaskRows } from './filterChanges';
import { stepWords } from './stepWords';
import { undoKeys } from './undoKeys';
import { ViewHistory, type HistoryMove } from './viewHistory';
import { stepBetween, type ViewParts } from './viewStep';

export interface TableUndoParts {
  model: TableModel;
  text: TableText;
  port: PagePort<TableViewState>;
  /** The view that the page began with. */
  view: TableViewState;
  drawers: Pick<TableDrawers, 'restoreGroups' | 'restorePlots'>;
  notices: Pick<TableNotices, 'say' | 'failed'>;
  focus: Pick<RowFocus, 'enterGrid'>;
  grid: () => TableGrid | undefined;
  /** The columns on the screen are others now. */
  onLayout: () => void;
}

/**
 * Undoes what the user did to the view, and does it again: filters, order, columns, groups and plots. It compares the saved
 * view with what it was; changes made at once are one step. What is selected is no part of it.
 */
export class TableUndo {
  private readonly history: ViewHistory;
  /** The view as last seen; undefined until the page has opened. */
  private seen: TableViewState | undefined;
  private isScheduled = false;
  /** Whether what changes now isn't the user's doing. */
  private isAutomatic = false;
  private isMoving = false;
  private latest: Promise<void> = Promise.resolve();

  constructor(private readonly parts: TableUndoParts) {
    this.history = new ViewHistory(parts.view.history);
  }

  /** Follows the user from now on, once filters that the page opens with are applied. */
  async begin(): Promise<void> {
    const { model, port } = this.parts;
    await model.settled();
    this.seen = this.view;
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

  can(move: HistoryMove): boolean {
    return this.history.next(move) !== undefined;
  }

  /** Undoes the latest step or does the next one again, after those that were requested before. */
  move(move: HistoryMove): void {
    this.latest = this.latest.then(() => this.apply(move));
  }

  /** The saved view. Until filters are changed, those in force may be others: that for rows of images, or fewer than were saved. */
  private get view(): TableViewState {
    const { view, port, model } = this.parts;
    return { ...view, ...port.view, filters: [...model.filters] };
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      this.record();
    });
  }

  /** Adds a step for what has changed since the view was last seen. */
  private record(): void {
    const { seen, isAutomatic, isMoving } = this;
    const { view } = this;
    this.seen = view;
    this.isAutomatic = false;
    const step = seen && !isAutomatic && !isMoving ? stepBetween(seen, view) : undefined;
    if (!step) return;
    this.history.add(step);
    this.save();
  }

  private save(): void {
    this.parts.port.updateView({ history: this.history.saved });
  }

  private async apply(move: HistoryMove): Promise<void> {
    const { model, text, notices, focus } = this.parts;
    const isUndo = move === 'undo';
    await model.settled();
    this.record();
    const step = this.history.next(move);
    if (!step) {
      notices.say(text.get(isUndo ? 'nothingToUndo' : 'nothingToRedo'));
      return;
    }
    const hadFocus = hasFocus();
    // What they show would be out of date.
    for (const open of document.querySelectorAll<HTMLElement>(':popover-open')) open.hidePopover();
    this.isMoving = true;
    try {
      await (isUndo ? this.show(step.after, step.before) : this.show(step.before, step.after));
      this.history.moved(move);
      notices.say(text.get(isUndo ? 'undid' : 'redid', stepWords(step, model.table.columns, text)));
    } catch (error) {
      if (isCoded(error, 'cancelled')) return;
      this.history.discard(move);
      notices.failed('filterFailed', error);
    } finally {
      this.isMoving = false;
      this.seen = this.view;
      this.save();
      // What had it may be gone, such as a plot.
      if (hadFocus && !hasFocus()) focus.enterGrid();
    }
  }

  /** Changes parts of the view as from one to the other. */
  private async show(from: Partial<ViewParts>, to: Partial<ViewParts>): Promise<void> {
    const { drawers } = this.parts;
    this.showColumns(to);
    if (to.groups) drawers.restoreGroups(to.groups);
    if (to.plots) drawers.restorePlots(to.plots);
    if (to.sort) await this.sortBy(to.sort);
    if (from.filters && to.filters) await this.filterBy(from.filters, to.filters);
  }

  private showColumns({ order, hidden, pinned, widths, isArranged }: Partial<ViewParts>): void {
    const { model, port, grid, onLayout } = this.parts;
    const { columns } = model.table;
    if (order ?? hidden ?? pinned) {
      const changes = { ...(order && { order }), ...(hidden && { hidden }), ...(pinned && { pinned }) };
      const layout = fittingLayout({ ...this.view.layout, ...changes }, columns.length);
      port.updateView({ layout });
      grid()?.setLayout(layout);
      onLayout();
    }
    if (widths) {
      port.updateView({ widths });
      grid()?.setColumns(columns, widths);
    }
    if (isArranged !== undefined) port.updateView({ isArranged });
  }

  /** The grid reports its order a moment later. */
  private async sortBy(keys: ViewParts['sort']): Promise<void> {
    const { model, grid } = this.parts;
    const shown = grid();
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
    const { model } = this.parts;
    const wanted = await this.withRowSets(to);
    // The user may have changed filters meanwhile.
    const filters = withChanges(model.latestFilters, from, wanted);
    if (!sameFilters(filters, model.latestFilters)) await model.setFilters(filters);
  }

  /** Lassos that aren't there now are drawn again: the engine may have dropped their rows. */
  private async withRowSets(filters: readonly PageFilter[]): Promise<PageFilter[]> {
    const { model } = this.parts;
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

/** Whether something in the page has the focus. */
function hasFocus(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body;
}
