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

/** A column with the same value in every row; null if it is empty. */
type Constant = NonNullable<TableStart['constants']>[number];

interface TableColumnsDependencies extends Pick<ModelParts, 'model' | 'port' | 'messages' | 'grid'> {
  cells: Pick<CellSelection, 'columnsChanged'>;
  /** The saved layout. */
  layout: ColumnLayout;
  /** Constant columns, if the panel has sent them. */
  constants: readonly Constant[] | undefined;
}

/** The layout of columns: order, visibility, pins and widths. */
export class TableColumns {
  readonly layout: ReadonlySignal<ColumnLayout>;
  /** Constant columns that aren't in the grid. */
  readonly hiddenConstants: ReadonlySignal<readonly Constant[]>;
  private readonly savedLayout: Signal<ColumnLayout>;
  private readonly constantColumns = signal<readonly Constant[]>([]);
  private sentConstants: readonly Constant[] | undefined;

  constructor(private readonly dependencies: TableColumnsDependencies) {
    const { model, layout, constants } = dependencies;
    this.sentConstants = constants;
    this.savedLayout = signal(layout);
    this.layout = computed(() => fittingLayout(this.savedLayout.value, model.table.columns.length));
    this.hiddenConstants = computed(() => {
      const { hidden } = this.layout.value;
      return this.constantColumns.value.filter(({ column }) => hidden.includes(column));
    });
  }

  /** The known constant columns. */
  get constants(): number[] {
    return this.constantColumns.value.map(({ column }) => column);
  }

  isShown(column: number): boolean {
    return !this.layout.value.hidden.includes(column);
  }

  /** Whether a column can be hidden: not the last visible one. */
  get canHide(): boolean {
    return shownColumns(this.layout.value).length > 1;
  }

  /**
   * Loads the constant columns, once all rows are read. They move above the grid, unless the user
   * arranged columns before.
   */
  async load(): Promise<void> {
    const { model, port, messages, grid } = this.dependencies;
    if (model.table.reading) return;
    const { sentConstants } = this;
    this.sentConstants = undefined;
    try {
      this.constantColumns.value = sentConstants ?? (await model.request('tableConstants', {})).constants;
    } catch (error) {
      messages.failed(t.later("Couldn't read some rows: {0}"), error);
    }
    if (port.view.isArranged) return;
    const before = shownColumns(this.layout.peek()).join();
    const layout = firstLayout(model.table, this.constants);
    this.savedLayout.value = layout;
    port.updateView({ layout });
    if (grid() && shownColumns(layout).join() !== before) this.apply();
  }

  /** Changes the layout for the user. */
  arrange(layout: ColumnLayout): void {
    this.dependencies.grid()?.setLayout(layout);
    this.dragged(layout);
  }

  /** The user changed the layout in the grid. */
  dragged(layout: ColumnLayout): void {
    this.savedLayout.value = layout;
    this.dependencies.port.updateView({ layout, isArranged: true });
    this.dependencies.cells.columnsChanged();
  }

  resized(column: string, width: number): void {
    const { port } = this.dependencies;
    port.updateView({ widths: { ...port.view.widths, [column]: width } });
  }

  /** Sorts by a column alone. Its header gets the focus, as with pin, hide and show. */
  sort(column: number, direction: GridSort['sort'] | null): void {
    this.dependencies.grid()?.sortBy(column, direction);
    this.focus(column);
  }

  clearSort(): void {
    this.dependencies.grid()?.clearSort();
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

  /** Moves a column by some places among all columns. */
  move(column: number, by: number): void {
    this.arrange(withMoved(this.layout.peek(), column, by));
  }

  showAll(): void {
    this.arrange({ ...this.layout.peek(), hidden: [] });
  }

  /** Restores the initial layout and widths. */
  reset(): void {
    const { order, hidden, pinned } = firstLayout(this.dependencies.model.table, this.constants);
    this.restore({ order, hidden, pinned, widths: {}, isArranged: false });
  }

  /** Restores parts of a layout. */
  restore({ order, hidden, pinned, widths, isArranged }: Partial<ViewParts>): void {
    const { port, grid, model } = this.dependencies;
    if (order ?? hidden ?? pinned) {
      const changes = { ...(order && { order }), ...(hidden && { hidden }), ...(pinned && { pinned }) };
      this.savedLayout.value = { ...this.layout.peek(), ...changes };
      port.updateView({ layout: this.layout.peek() });
      this.apply();
    }
    if (widths) {
      port.updateView({ widths });
      grid()?.setColumns(model.table.columns, widths);
    }
    if (isArranged !== undefined) port.updateView({ isArranged });
  }

  /** The table got more columns, which are shown at the end. */
  extended(): void {
    this.dependencies.cells.columnsChanged();
  }

  /** Shows an added column to the right of another one. */
  placeBeside(column: number, neighbor: number): void {
    this.savedLayout.value = withBeside(this.layout.peek(), column, neighbor);
    this.dependencies.port.updateView({ layout: this.layout.peek() });
    this.apply();
  }

  /** Focuses the header of a column, or the first header if it is hidden. */
  focus(column: number): void {
    const shown = shownColumns(this.layout.peek());
    const target = shown.includes(column) ? column : shown[0];
    if (target !== undefined) this.dependencies.grid()?.focusHeader(target);
  }

  private apply(): void {
    this.dependencies.grid()?.setLayout(this.layout.peek());
    this.dependencies.cells.columnsChanged();
  }
}
