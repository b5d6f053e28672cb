import { t } from '../../../pages/page/l10n';
import { activeFilters } from '../filterList';
import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { TableFormat } from '../../../columns/tableSummary';
import type { ImageLink, LinkColumns } from '../../../linking/rowLinks';
import type { PagePort } from '../../../pages/page/pagePort';
import type { PlotTable } from '../../../drawing/page/plottedTable';
import { Parts } from '../../../base/parts';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { TablePageSide, TablePanelSide, TableStart } from '../../tablePage';
import { CellSelection } from '../grid/cellSelection';
import type { TableGrid } from '../grid/tableGrid';
import type { ModelParts } from '../modelParts';
import { RowFocus } from '../rowFocus';
import { TableFilters, TableLevels } from '../tableFilters';
import { TableModel } from '../tableModel';
import type { TableViewState } from '../tableViewState';
import type { Drawer, OpenedParts, OverRows, TableAddition, TableContribution } from '../contribution';
import { BodyTabs } from './bodyTabs';
import { CellFind } from './cellFind';
import { CellOutput } from './cellOutput';
import { NamedPopulations } from './namedPopulations';
import { GroupsModel } from './groupsModel';
import { groupsHeightNeeded } from './groupsPlace';
import type { GroupsState } from './groupsState';
import { plottedTable } from './plottedTable';
import { TableColumns } from './tableColumns';
import { TableLink } from './tableLink';
import { TableMessages } from './tableMessages';
import { growTable, TableReading } from './tableReading';

interface TableStoreOptions {
  start: TableStart;
  /** The view at the start. */
  view: TableViewState;
  port: Pick<PagePort<TableViewState>, 'view' | 'updateView'>;
  panel: RpcEndpoint<TablePageSide, TablePanelSide>;
  /** Contributions of other subjects to the page. */
  contributions?: readonly TableContribution[];
  /** Loads the later scripts of contributions. */
  loadLater: OpenedParts['loadLater'];
}

/**
 * The state of the table page, by subject: signals that only methods of their models write. Views
 * are functions of the state (`tableView.tsx`); `followStore.ts` updates everything else. The store
 * has no elements.
 */
export class TableStore {
  readonly title: string;
  readonly hasMasks: boolean;
  /** Whether rows are images and groups of images; names of columns vary. */
  readonly isAggregate: boolean;
  /** Whether rows are pairs of a comparison, which the page shows in place of masks. */
  readonly ofPairs: boolean;
  readonly table: TableModel;
  readonly messages: TableMessages;
  readonly filters: TableFilters;
  readonly levels: TableLevels;
  readonly populations = new NamedPopulations();
  readonly link: TableLink;
  readonly reading: TableReading;
  readonly columns: TableColumns;
  readonly cells: CellSelection;
  readonly rows: RowFocus;
  readonly find: CellFind;
  readonly output: CellOutput;
  /** The table for plots and comparisons. */
  readonly plotted: PlotTable;
  /** What other subjects add to the page. */
  readonly additions: readonly TableAddition[];
  /** What subjects offer to others, by key. */
  readonly added = new Parts();
  /** The drawer beside the rows, if a subject has one. */
  readonly drawer: Drawer | undefined;
  readonly groups: GroupsModel;
  /** Tabs of rows, groups and plots, if only one fits. */
  readonly tabs: BodyTabs;
  /** Size that rows, groups and a drawer share, in pixels; undefined until measured. */
  private readonly room = signal<{ width: number; height: number } | undefined>(undefined);
  readonly body = new BodyModel();
  /** Undefined until the first rows arrive, and while the table is empty. */
  grid: TableGrid | undefined;
  /**
   * The last change of columns outside the file. Changes wait for each other: each starts from the
   * result of the one before.
   */
  extending: Promise<void> = Promise.resolve();
  /** Changes the saved view without recording it for undo; set by the history. */
  withoutUndo: OpenedParts['withoutUndo'] = change => change();

  constructor(private readonly options: TableStoreOptions) {
    const { start, view, port, panel, contributions = [], loadLater } = options;
    const grid = () => this.grid;
    const messages = new TableMessages(panel);
    const model = new TableModel(panel, start.table, start.isInPixels);
    const modelDependencies: ModelParts = { model, panel, port, messages, grid };
    this.title = start.title;
    this.ofPairs = start.ofPairs === true;
    this.hasMasks = start.kind !== 'file' && !start.joined;
    this.isAggregate = start.kind === 'aggregate';
    this.messages = messages;
    this.table = model;
    const filters = (this.filters = new TableFilters(model, error =>
      messages.failed(t.later("Couldn't apply the filter: {0}"), error),
    ));
    this.levels = new TableLevels(model, filters);
    const textsOf = async (column: number, limit: number, until?: AbortSignal) => {
      const { values } = await model.request('tableDistinct', { column, limit, filters: [] }, until);
      return values.map(({ text: value }) => value);
    };
    const link = (this.link = new TableLink(panel, start.link));
    this.reading = new TableReading(start);
    const cells = (this.cells = new CellSelection({
      model,
      columns: () => grid()?.shown ?? [],
      rowAt: position => grid()?.rowAt(position)?.fileRow,
      save: saved => port.updateView({ cells: saved }),
      onFailure: error => messages.failed(t.later("Couldn't read some rows: {0}"), error),
    }));
    const { layout } = view;
    const columns = (this.columns = new TableColumns({
      ...modelDependencies,
      cells,
      layout,
      constants: start.constants,
    }));
    const rows = (this.rows = new RowFocus({
      ...{ ...modelDependencies, cells, link },
      bringForward: () => this.tabs.showRows(),
    }));
    this.find = new CellFind({ ...modelDependencies, cells, rows });
    const output = (this.output = new CellOutput({ ...modelDependencies, cells }));
    const { room } = this;
    const plotted = (this.plotted = plottedTable({ ...modelDependencies, rows, link, output, filters }));
    // A drawer leaves room for open groups, so it needs their state before they are made.
    const groups = signal(view.groups);
    const areGroupsOpen = computed(() => groups.value.open);
    const neededByGroups = (size: { width: number }) => (areGroupsOpen.value ? groupsHeightNeeded(size) : 0);
    const opened: OpenedParts = {
      ...{
        ...modelDependencies,
        panel,
        start,
        view,
        rows,
        link,
        filters,
        populations: this.populations,
        output,
        textsOf,
      },
      ...{ plotted, room, neededByGroups, added: this.added, loadLater, extended: () => this.extending },
      withoutUndo: change => this.withoutUndo(change),
    };
    this.additions = contributions.map(contribution => contribution.open(opened));
    openOneAtATime(this.additions.flatMap(({ overRows }) => overRows ?? []));
    const drawer = (this.drawer = this.additions.find(addition => addition.drawer)?.drawer);
    const heightOfDrawer = drawer?.heightBelow ?? signal(0);
    this.groups = new GroupsModel(groups, {
      ...modelDependencies,
      ...{ filters, output, columns, heightOfDrawer, room },
      units: this.additions.find(addition => addition.groups)?.groups,
    });
    this.tabs = new BodyTabs({
      groups: this.groups,
      drawer,
      leaveGroups: () => this.leaveGroups(),
      front: view.front,
      save: front => port.updateView({ front }),
    });
  }

  /**
   * The table is restored: saves changes with the view from now on, and sends them to other panels.
   */
  begin(): void {
    const { table, levels, messages } = this;
    const { port } = this.options;
    for (const addition of this.additions) addition.begin?.();
    table.onDidChange(change => {
      if (change === 'table') return;
      // Sent first, so that the masks repaint while rows are fetched.
      this.sendFiltered();
      const filters = [...table.filters];
      port.updateView({ sort: [...table.sort], filters, areLevelsMixed: levels.areMixed });
      if (change === 'filters') messages.announce(t('{0} of {1} rows', table.rowCount, table.table.rowCount));
    });
    table.onDidChangeList(() => port.updateView({ filters: [...table.filters] }));
    this.sendFiltered();
  }

  /** More rows were read, or reading ended. */
  async grow(growth: TablePanelSide['events']['growth']): Promise<void> {
    const { options, messages, columns, rows } = this;
    const { done, failed, bytesDone } = growth;
    await growTable(
      { table: this.table, messages, reading: this.reading, grid: () => this.grid },
      growth,
      options.port.view.widths ?? {},
    );
    if (failed !== undefined) messages.announce(t('Rows are missing. {0}', failed));
    if (!done || !this.grid) return;
    this.sendFiltered();
    // Positions in a sorted view have other rows now.
    if (this.table.sort.length > 0) void rows.restore();
    void columns.load();
    if (bytesDone > 0) messages.announce(t.count(this.table.table.rowCount, '1 row', '{0} rows'));
  }

  /** Sends the filters to the other panels. */
  sendFiltered(): void {
    const { isFiltered, spec, rowCount, table, filters } = this.table;
    const lassos = activeFilters(filters).flatMap(({ filter, lasso }) =>
      filter.kind === 'rowSet' && lasso ? [{ set: filter.set, ...lasso }] : [],
    );
    const shown = isFiltered
      ? { view: spec, rowCount, total: table.rowCount, ...(lassos.length > 0 && { lassos }) }
      : null;
    this.options.panel.send('filtered', shown);
  }

  /** The size of the page's middle changed, in pixels. */
  measured(width: number, height: number): void {
    // A hidden page has no size; its last size stays.
    if (width > 0) this.room.value = { width, height };
  }

  /** Opens or closes the groups; brings them to the front if they are behind. */
  toggleGroups(): void {
    if (this.isBehind('groups')) this.tabs.show('groups');
    else this.groups.open(!this.groups.isOpen.peek());
  }

  /** Closes the groups, and returns the focus to the rows. */
  leaveGroups(): void {
    this.groups.open(false);
    this.rows.enterGrid();
  }

  /** Opens or closes the drawer; brings it to the front if it is behind. */
  toggleDrawer(): void {
    if (this.isBehind('plots')) this.tabs.show('plots');
    else this.drawer?.toggle();
  }

  /** Shows the groups; with a column, groups by it. */
  showGroups(column?: number): void {
    this.groups.open(true, column);
    this.tabs.show('groups');
  }

  /** Restores saved groups. */
  restoreGroups(groups: Partial<GroupsState>, open = true): void {
    this.groups.restore(groups, open);
  }

  private isBehind(part: 'groups' | 'plots'): boolean {
    const { parts, front } = this.tabs;
    return parts.peek().includes(part) && front.peek() !== part;
  }

  /** Lets the user link images. */
  get imageLinks() {
    const { panel } = this.options;
    return {
      read: () => panel.request('imageLinks', {}),
      link: (links: ImageLink[]) => panel.request('linkImages', { links }),
      thumbnail: (image: number) => panel.request('linkThumbnail', { image }),
    };
  }

  /** Links rows with objects by these columns; null finds the columns by name again. */
  relink(columns: LinkColumns | null): void {
    this.options.panel
      .request('relink', { columns })
      .then(report => this.link.linked(report))
      .catch((error: unknown) => this.messages.failed(t.later("Couldn't link rows and objects: {0}"), error));
  }

  /**
   * Reads the file again in a format. The panel then reloads the page, as columns may have changed.
   */
  reopen(format: TableFormat): void {
    this.options.panel
      .request('reopen', format)
      .catch((error: unknown) => this.messages.failed(t.later("Couldn't reload the file: {0}"), error));
  }

  openMasks(): void {
    this.options.panel.send('showMasks', {});
  }
}

/** Keeps one view in place of the rows open: opening one closes the others. */
function openOneAtATime(views: readonly OverRows[]): void {
  for (const view of views)
    effect(() => {
      if (view.isOpen.value)
        untracked(() =>
          views.filter(other => other !== view && other.isOpen.peek()).forEach(other => other.close()),
        );
    });
}

/** A message in place of the rows: there are none, or they can't be read. */
type BodyMessage =
  | { kind: 'empty'; text: 'noColumns' | 'noRows' }
  | { kind: 'failure'; reason: string; attempt: number; retry: () => void };

/** The middle of the page: the rows, or a message in their place. */
class BodyModel {
  private readonly shown = signal<BodyMessage | undefined>(undefined);
  private readonly ready = signal(false);
  private attempts = 0;

  get message(): ReadonlySignal<BodyMessage | undefined> {
    return this.shown;
  }

  /** Whether the grid exists. */
  get hasGrid(): ReadonlySignal<boolean> {
    return this.ready;
  }

  showEmpty(text: 'noColumns' | 'noRows'): void {
    this.shown.value = { kind: 'empty', text };
  }

  /** Shows a failure. Resolves when the user wants to try again. */
  failed(reason: string): Promise<void> {
    const attempt = ++this.attempts;
    return new Promise(retry => (this.shown.value = { kind: 'failure', reason, attempt, retry }));
  }

  gridCreated(): void {
    this.shown.value = undefined;
    this.ready.value = true;
  }
}
