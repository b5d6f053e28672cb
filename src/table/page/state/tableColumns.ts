import { t } from '../../../pages/page/l10n';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { TableStart } from '../../tablePage';
import type { CellSelection } from '../grid/cellSelection';
import {
  type ColumnLayout,
  fittingLayout,
  type GridSort,
  shownColumns,
  withBeside,
  withHidden,
  withMoved,
  withPinned,
} from '../grid/columnLayout';
import type { ModelParts } from '../modelParts';
import { firstLayout } from '../tableViewState';
import type { ViewParts } from '../viewHistory';

/** A column with one value in every row; null if it is empty. */
type Constant = NonNullable<TableStart['constants']>[number];

interface TableColumnsDependencies extends Pick<ModelParts, 'model' | 'port' | 'messages' | 'grid'> {
  cells: Pick<CellSelection, 'columnsChanged'>;
  /** Their saved state. */
  layout: ColumnLayout;
  /** Columns with one value in every row, already found by the panel. */
  constants: readonly Constant[] | undefined;
}

/** The layout of columns: hidden, pinned, order and widths. */
export class TableColumns {
  readonly layout: ReadonlySignal<ColumnLayout>;
  /** Columns with one value in every row that aren't in the grid. */
  readonly hiddenConstants: ReadonlySignal<readonly Constant[]>;
  private readonly arranged: Signal<ColumnLayout>;
  private readonly found = signal<readonly Constant[]>([]);
  private sent: readonly Constant[] | undefined;

  constructor(private readonly parts: TableColumnsDependencies) {
    const { model, layout, constants } = parts;
    this.sent = constants;
    this.arranged = signal(layout);
    this.layout = computed(() => fittingLayout(this.arranged.value, model.table.columns.length));
    this.hiddenConstants = computed(() => {
      const { hidden } = this.layout.value;
      return this.found.value.filter(({ column }) => hidden.includes(column));
    });
  }

  /** Known columns with one value in every row. */
  get constants(): number[] {
    return this.found.value.map(({ column }) => column);
  }

  isShown(column: number): boolean {
    return !this.layout.value.hidden.includes(column);
  }

  /** Whether there are columns besides this one: the last one can't be hidden. */
  get canHide(): boolean {
    return shownColumns(this.layout.value).length > 1;
  }

  /**
   * Finds columns with one value in every row, once all rows are read. They move above the grid,
   * unless the user arranged the columns before.
   */
  async load(): Promise<void> {
    const { model, port, messages, grid } = this.parts;
    if (model.table.reading) return;
    const { sent } = this;
    this.sent = undefined;
    try {
      this.found.value = sent ?? (await model.request('tableConstants', {})).constants;
    } catch (error) {
      messages.failed(t.later("Couldn't read some rows: {0}"), error);
    }
    if (port.view.isArranged) return;
    const before = shownColumns(this.layout.peek()).join();
    const layout = firstLayout(model.table, this.constants);
    this.arranged.value = layout;
    port.updateView({ layout });
    if (grid() && shownColumns(layout).join() !== before) this.apply();
  }

  /** The user arranges the columns. */
  arrange(layout: ColumnLayout): void {
    this.parts.grid()?.setLayout(layout);
    this.dragged(layout);
  }

  /** The user has arranged the columns in the grid. */
  dragged(layout: ColumnLayout): void {
    this.arranged.value = layout;
    this.parts.port.updateView({ layout, isArranged: true });
    this.parts.cells.columnsChanged();
  }

  resized(column: string, width: number): void {
    const { port } = this.parts;
    port.updateView({ widths: { ...port.view.widths, [column]: width } });
  }

  /** Sorts by a column alone, and keeps the focus on its header; so do pin, hide and show. */
  sort(column: number, direction: GridSort['sort'] | null): void {
    this.parts.grid()?.sortBy(column, direction);
    this.focus(column);
  }

  clearSort(): void {
    this.parts.grid()?.clearSort();
  }

  pin(column: number, pinned: boolean): void {
    this.arrange(withPinned(this.layout.peek(), column, pinned));
    this.focus(column);
  }

  hide(column: number): void {
    this.toggle(column, false);
    this.focus(column);
  }

  show(column: number): void {
    this.toggle(column, true);
    this.focus(column);
  }

  toggle(column: number, shown: boolean): void {
    this.arrange(withHidden(this.layout.peek(), column, !shown));
  }

  togglePin(column: number): void {
    const layout = this.layout.peek();
    this.arrange(withPinned(layout, column, !layout.pinned.includes(column)));
  }

  /** Moves a column by some places among all. */
  move(column: number, by: number): void {
    this.arrange(withMoved(this.layout.peek(), column, by));
  }

  showAll(): void {
    this.arrange({ ...this.layout.peek(), hidden: [] });
  }

  /** Restores their initial arrangement, and widths. */
  reset(): void {
    const { order, hidden, pinned } = firstLayout(this.parts.model.table, this.constants);
    this.restore({ order, hidden, pinned, widths: {}, isArranged: false });
  }

  /** Restores an arrangement of columns. */
  restore({ order, hidden, pinned, widths, isArranged }: Partial<ViewParts>): void {
    const { port, grid, model } = this.parts;
    if (order ?? hidden ?? pinned) {
      const changes = { ...(order && { order }), ...(hidden && { hidden }), ...(pinned && { pinned }) };
      this.arranged.value = { ...this.layout.peek(), ...changes };
      port.updateView({ layout: this.layout.peek() });
      this.apply();
    }
    if (widths) {
      port.updateView({ widths });
      grid()?.setColumns(model.table.columns, widths);
    }
    if (isArranged !== undefined) port.updateView({ isArranged });
  }

  /** The table has more columns, which are shown at the end. */
  extended(): void {
    this.parts.cells.columnsChanged();
  }

  /** Shows a further column to the right of another one. */
  placeBeside(column: number, other: number): void {
    this.arranged.value = withBeside(this.layout.peek(), column, other);
    this.parts.port.updateView({ layout: this.layout.peek() });
    this.apply();
  }

  /** Focuses the header of a column, or the first where that is hidden. */
  focus(column: number): void {
    const shown = shownColumns(this.layout.peek());
    const target = shown.includes(column) ? column : shown[0];
    if (target !== undefined) this.parts.grid()?.focusHeader(target);
  }

  private apply(): void {
    this.parts.grid()?.setLayout(this.layout.peek());
    this.parts.cells.columnsChanged();
  }
}
