import type { PagePort } from '../../pages/page/pagePort';
import type { TableText } from '../../pages/page/pageText';
import type { LiveRegion } from '../../pages/page/widgets/element';
import { PlotDrawer } from '../../plots/page/plotDrawer';
import type { PlotAction } from '../../plots/page/plotDrawing';
import { type PlotSpec, validPlots } from '../../plots/page/plotTypes';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide } from '../tablePage';
import type { TableActions } from './controls/tableActions';
import type { TableToolbar } from './controls/tableToolbar';
import { GroupsPart } from './groups/groupsPart';
import { groupsHeightNeeded } from './groups/groupsPlace';
import { validGroups } from './groups/groupsState';
import type { RowFocus } from './rowFocus';
import type { TableFilters } from './tableFilters';
import type { TableModel } from './tableModel';
import type { TableNotices } from './tableNotices';
import type { TableViewState } from './tableViewState';
import type { SavedPlot, ShownGroups } from './viewHistory';

interface TableDrawersParts {
  model: TableModel;
  text: TableText;
  nonce: string;
  panel: RpcEndpoint<TablePageSide, TablePanelSide>;
  port: PagePort<TableViewState>;
  view: TableViewState;
  toolbar: TableToolbar;
  filters: TableFilters;
  actions: TableActions;
  focus: RowFocus;
  notices: TableNotices;
  live: LiveRegion;
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
    this.showButtons();
    groups.arrange(plots.heightBelow);
  }

  /** The rows are there: the groups, if they are open, are next. */
  load(): void {
    this.groups.attached();
  }

  /** Opens or closes the plots. */
  togglePlots(): void {
    this.plots.setOpen(!this.plots.isOpen);
    this.showButtons();
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
    this.groups.restore(validGroups(groups, this.parts.model.table.columns));
    this.groupsToggled();
  }

  /** Shows plots as they were. */
  restorePlots(plots: readonly SavedPlot[]): void {
    this.plots.restore(validPlots(plots as PlotSpec[], this.parts.model.table.columns));
    this.showButtons();
  }

  private groupsToggled(): void {
    this.showButtons();
    // Plots that need all the room would hide the groups.
    if (this.groups.isOpen && this.plots.isOver) this.togglePlots();
  }

  private showButtons(): void {
    this.parts.toolbar.setPlotsOpen(this.plots.isOpen);
    this.parts.toolbar.setGroupsOpen(this.groups.isOpen);
  }

  private makePlots(): PlotDrawer {
    const { model, text, port, view, actions, notices, live, onHover } = this.parts;
    return new PlotDrawer({
      source: model,
      text,
      state: view.drawer,
      onState: drawer => port.updateView({ drawer }),
      taken: room => (this.groups.isOpen ? groupsHeightNeeded(room) : 0),
      onPlace: () => this.groups.arrange(this.plots.heightBelow),
      onClosed: () => this.leave(),
      onHover,
      onAction: action => void this.runPlotAction(action),
      say: words => live.say(words),
      save: (name, type, data) => void actions.savePlot(name, type, data),
      onPngFailure: error => notices.failed('pngFailed', error),
      onFailure: error => notices.failed('plotFailed', error),
      log: error => notices.log(error),
    });
  }

  /** Applies an action of a plot to the table. */
  private async runPlotAction(action: PlotAction): Promise<void> {
    const { filters, actions, focus } = this.parts;
    switch (action.kind) {
      case 'select':
        await focus.select(action.row);
        return;
      case 'lasso': {
        const filter = await actions.lasso(action.lasso);
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
    const { model, text, nonce, panel, port, view, filters, actions, notices, constants } = this.parts;
    return new GroupsPart({
      model,
      text,
      nonce,
      state: view.groups,
      constants,
      onState: groups => {
        port.updateView({ groups });
        this.plots.arrange();
      },
      onClosed: () => this.leave(),
      setFilters: wanted => filters.set(wanted),
      copy: copied => panel.request('copy', { text: copied }),
      save: params => actions.saveGroups(params),
      done: words => notices.say(words),
      failed: (key, error) => notices.failed(key, error),
      log: error => notices.log(error),
    });
  }

  /** One was closed by its own button, which is gone now. */
  private leave(): void {
    this.showButtons();
    this.parts.focus.enterGrid();
  }
}
