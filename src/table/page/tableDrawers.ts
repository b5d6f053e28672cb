import { PlotDrawer } from '../../plots/page/plotDrawer';
import type { PlotAction } from '../../plots/page/plotDrawing';
import { type PlotSpec, validPlots } from '../../plots/page/plotTypes';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide } from '../tablePage';
import { GroupsPart } from './groups/groupsPart';
import { groupsHeightNeeded } from './groups/groupsPlace';
import { validGroups } from './state/groupsState';
import type { TableStore } from './state/tableStore';
import type { SavedPlot, ShownGroups } from './viewHistory';

interface TableDrawersParts {
  store: TableStore;
  nonce: string;
  panel: RpcEndpoint<TablePageSide, TablePanelSide>;
  /** Columns that say the same in every row, as far as is known. */
  constants: () => readonly number[];
  /** The pointer is over a row in a plot now, or over none. */
  onHover: (row: number | null) => void;
}

/** The plots and the groups, which share the room below the rows: opened, closed and arranged together. */
export class TableDrawers {
  readonly plots: PlotDrawer;
  readonly groups: GroupsPart;

  constructor(private readonly parts: TableDrawersParts) {
    this.plots = this.makePlots();
    this.groups = this.makeGroups();
  }

  /** They are in the document. */
  attached(): void {
    const { plots, groups } = this;
    plots.attached();
    groups.arrange(plots.heightBelow);
    this.parts.store.groups.state.subscribe(() => plots.arrange());
  }

  /** The rows are there: the groups, if they are open, are next. */
  load(): void {
    this.groups.attached();
  }

  /** Opens or closes the plots. */
  togglePlots(): void {
    this.plots.setOpen(!this.plots.isOpen);
  }

  /** Opens or closes the groups; opens them too where plots are in their place. */
  toggleGroups(): void {
    const { plots, groups } = this;
    groups.setOpen(!groups.isOpen || plots.isOver);
    this.groupsToggled();
  }

  /** Shows the groups, of a column if one is given. */
  showGroups(column?: number): void {
    if (column === undefined) this.groups.setOpen(true);
    else this.groups.showBy(column);
    this.groupsToggled();
  }

  /** Shows groups as they were. */
  restoreGroups(groups: ShownGroups): void {
    this.groups.restore(validGroups(groups, this.parts.store.table.table.columns));
    this.groupsToggled();
  }

  /** Shows plots as they were. */
  restorePlots(plots: readonly SavedPlot[]): void {
    this.plots.restore(validPlots(plots as PlotSpec[], this.parts.store.table.table.columns));
  }

  private groupsToggled(): void {
    // Plots that need all the room would hide the groups.
    if (this.groups.isOpen && this.plots.isOver) this.togglePlots();
  }

  private makePlots(): PlotDrawer {
    const { store, onHover } = this.parts;
    const { table, text, output, messages } = store;
    return new PlotDrawer({
      source: table,
      text,
      drawer: store.plots,
      taken: room => (this.groups.isOpen ? groupsHeightNeeded(room) : 0),
      onPlace: () => this.groups.arrange(this.plots.heightBelow),
      onClosed: () => store.rows.enterGrid(),
      onHover,
      onAction: action => void this.runPlotAction(action),
      say: words => messages.announce(words),
      save: (name, type, data) => void output.savePlot(name, type, data),
      onPngFailure: error => messages.failed('pngFailed', error),
      onFailure: error => messages.failed('plotFailed', error),
      log: error => messages.log(error),
    });
  }

  /** Applies an action of a plot to the table. */
  private async runPlotAction(action: PlotAction): Promise<void> {
    const { filters, output, rows } = this.parts.store;
    switch (action.kind) {
      case 'select':
        await rows.select(action.row);
        return;
      case 'lasso': {
        const filter = await output.lasso(action.lasso);
        if (filter) filters.add(filter);
        return;
      }
      case 'clearLasso':
        filters.removeLassos(action);
        return;
      case 'range':
        filters.toggleRange(action.column, action.range);
        return;
      case 'group':
        filters.toggleGroup(action.column, action.key);
        return;
      case 'clearGroup':
        filters.clearColumn(action.column);
    }
  }

  private makeGroups(): GroupsPart {
    const { store, nonce, panel, constants } = this.parts;
    const { table, text, groups, filters, output, messages } = store;
    return new GroupsPart({
      model: table,
      text,
      nonce,
      groups,
      constants,
      onClosed: () => store.rows.enterGrid(),
      setFilters: wanted => filters.set(wanted),
      copy: copied => panel.request('copy', { text: copied }),
      save: params => output.saveGroups(params),
      done: words => messages.say(words),
      failed: (key, error) => messages.failed(key, error),
      log: error => messages.log(error),
    });
  }
}
