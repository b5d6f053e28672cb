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
  /** The view to begin with. */
  view: TableViewState;
  port: Pick<PagePort<TableViewState>, 'view' | 'updateView'>;
  panel: RpcEndpoint<TablePageSide, TablePanelSide>;
  /** Subjects' parts of the page. */
  contributions?: readonly TableContribution[];
  /** Loads their later scripts. */
  loadLater: OpenedParts['loadLater'];
}

/**
 * The state of the table page, by subject: signals that only their model's methods write. Views are
 * functions of it (`tableView.tsx`); `followStore.ts` updates all else. It has no elements.
 */
export class TableStore {
  readonly title: string;
  readonly hasMasks: boolean;
  /** Its rows are of images and of groups of these, with any names of columns. */
  readonly isAggregate: boolean;
  /** Whether its rows are pairs of a comparison, which replaces masks. */
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
  /** The table as plots and comparisons see it. */
  readonly plotted: PlotTable;
  /** Subjects' parts of the page. */
  readonly additions: readonly TableAddition[];
  /** Their offers, by key. */
  readonly added = new Parts();
  /** The drawer beside the rows, if a subject has one. */
  readonly drawer: Drawer | undefined;
  readonly groups: GroupsModel;
  /** Rows, groups and plots in tabs, if only one fits. */
  readonly tabs: BodyTabs;
  /** Pixels that rows, groups and a drawer share; undefined until measured. */
  private readonly room = signal<{ width: number; height: number } | undefined>(undefined);
  readonly body = new BodyModel();
  /** Undefined until the first rows arrive, and while the table is empty. */
  grid: TableGrid | undefined;
  /**
   * Changes of columns outside the file run in sequence: each begins with the result of the one
   * before.
   */
  extending: Promise<void> = Promise.resolve();
  /** Changes the saved view without a step; set by the history. */
  unnoticed: OpenedParts['unnoticed'] = change => change();

  constructor(private readonly options: TableStoreOptions) {
    const { start, view, port, panel, contributions = [], loadLater } = options;
    const grid = () => this.grid;
    const messages = new TableMessages(panel);
    const model = new TableModel(panel, start.table, start.isInPixels);
    const parts: ModelParts = { model, panel, port, messages, grid };
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
      ...parts,
      cells,
      layout,
      constants: start.constants,
    }));
    const rows = (this.rows = new RowFocus({
      ...{ ...parts, cells, link },
      bringForward: () => this.tabs.showRows(),
    }));
    this.find = new CellFind({ ...parts, cells, rows });
    const output = (this.output = new CellOutput({ ...parts, cells }));
    const { room } = this;
    const plotted = (this.plotted = plottedTable({ ...parts, rows, link, output, filters }));
    // A drawer leaves room for open groups, whose place depends on the drawer's.
    const groups = signal(view.groups);
    const areGroupsOpen = computed(() => groups.value.open);
    const neededByGroups = (around: { width: number }) =>
      areGroupsOpen.value ? groupsHeightNeeded(around) : 0;
    const opened: OpenedParts = {
      ...{
        ...parts,
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
      unnoticed: change => this.unnoticed(change),
    };
    this.additions = contributions.map(contribution => contribution.open(opened));
    openOneAtATime(this.additions.flatMap(({ overRows }) => overRows ?? []));
    const drawer = (this.drawer = this.additions.find(addition => addition.drawer)?.drawer);
    const heightOfDrawer = drawer?.heightBelow ?? signal(0);
    this.groups = new GroupsModel(groups, {
      ...parts,
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
   * The table is restored: from now on, changes are saved with the view and sent to other panels.
   */
  begin(): void {
    const { table, levels, messages } = this;
    const { port } = this.options;
    for (const addition of this.additions) addition.begin?.();
    table.onDidChange(change => {
      if (change === 'table') return;
      // First, so that the masks repaint while rows are fetched.
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
    // Positions in the order belong to other rows now.
    if (this.table.sort.length > 0) void rows.restore();
    void columns.load();
    if (bytesDone > 0) messages.announce(t.count(this.table.table.rowCount, '1 row', '{0} rows'));
  }

  /** Tells the other panels which rows match the filters. */
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

  /** The middle of the page has another size, in pixels. */
  measured(width: number, height: number): void {
    // A hidden page has no size, and moves nothing.
    if (width > 0) this.room.value = { width, height };
  }

  /** Opens or closes the groups; brings hidden ones to the front. */
  toggleGroups(): void {
    if (this.isBehind('groups')) this.tabs.show('groups');
    else this.groups.open(!this.groups.isOpen.peek());
  }

  /** Closes the groups from inside, and returns to the rows. */
  leaveGroups(): void {
    this.groups.open(false);
    this.rows.enterGrid();
  }

  /** Opens or closes the drawer; brings it to the front where it is behind. */
  toggleDrawer(): void {
    if (this.isBehind('plots')) this.tabs.show('plots');
    else this.drawer?.toggle();
  }

  /** Shows the groups, of a column if one is given. */
  showGroups(column?: number): void {
    this.groups.open(true, column);
    this.tabs.show('groups');
  }

  /** Restores groups. */
  restoreGroups(groups: Partial<GroupsState>, open = true): void {
    this.groups.restore(groups, open);
  }

  private isBehind(part: 'groups' | 'plots'): boolean {
    const { parts, front } = this.tabs;
    return parts.peek().includes(part) && front.peek() !== part;
  }

  /** Lets a user link images. */
  get imageLinks() {
    const { panel } = this.options;
    return {
      read: () => panel.request('imageLinks', {}),
      link: (links: ImageLink[]) => panel.request('linkImages', { links }),
      thumbnail: (image: number) => panel.request('linkThumbnail', { image }),
    };
  }

  /** Links rows with objects by other columns; null finds them by their names again. */
  relink(columns: LinkColumns | null): void {
    this.options.panel
      .request('relink', { columns })
      .then(report => this.link.linked(report))
      .catch((error: unknown) => this.messages.failed(t.later("Couldn't link rows and objects: {0}"), error));
  }

  /**
   * Reads the file again in its format; the panel then reloads the page, as columns may have
   * changed.
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

/** Of several views in place of the rows, the last opened one is open. */
function openOneAtATime(all: readonly OverRows[]): void {
  for (const each of all)
    effect(() => {
      if (each.isOpen.value)
        untracked(() =>
          all.filter(other => other !== each && other.isOpen.peek()).forEach(other => other.close()),
        );
    });
}

/** Shown in place of the rows: there are none, or they can't be read. */
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

  /** Whether there is a grid. */
  get hasGrid(): ReadonlySignal<boolean> {
    return this.ready;
  }

  isEmpty(text: 'noColumns' | 'noRows'): void {
    this.shown.value = { kind: 'empty', text };
  }

  /** Resolves when the user wants to try again. */
  failed(reason: string): Promise<void> {
    const attempt = ++this.attempts;
    return new Promise(retry => (this.shown.value = { kind: 'failure', reason, attempt, retry }));
  }

  gridComes(): void {
    this.shown.value = undefined;
    this.ready.value = true;
  }
}
