import { tablePopulations } from '../../linking/node/tablePopulations';
import { linkedImages } from '../../linking/node/linkedImages';
import { sessionLinks } from '../../linking/node/sessionLinks';
import { imageOfRow, sessionRows } from '../../linking/node/sessionRows';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { toDisposable } from '../../base/disposable';
import { CodedError, fromPlainError, isCoded, type PlainError } from '../../base/errors';
import type { TableGrowth, TableSummary } from '../../columns/tableSummary';
import { savedGroupsName, savedRowsName } from '../../columns/viewSpec';
import { setPanelTitle } from '../../host/editor/shown';
import { completeStep } from '../../host/editor/walkthroughSteps';
import type { PageSettings } from '../../host/settings';
import { PageConnection } from '../../pages/editor/pageConnection';
import type { PageMenuCommand } from '../../protocol/menuCommands';
import type { Handlers } from '../../protocol/rpc';
import { type AnyHandler, type PageDeclaration, passOn } from '../../protocol/declarations';
import { showFailure } from '../../host/editor/messages';
import { saveWithDialog, showSaved, tableFiles } from '../../results/editor/savePlace';
import { writeWholeFile } from '../../results/node/saveFile';
import { savedEndings } from '../../results/node/tableFormats';
import type { TableKind } from '../../service/resultParts';
import { askForPopulations } from './askForPopulations';
import type { AnyPanelPart, CountedRows, PanelAddition } from './tablePanelPart';
import { tablePage, type TablePageSide, type TablePanelSide, type TableStart } from '../tablePage';
import { reasonSentence } from '../../words/reasonWords';
import { EarlyOpening } from '../../session/node/contentState';
import { RowsAhead } from '../node/rowsAhead';
import { FiltersToShow } from '../node/filtersToShow';
import type { TableShown } from '../../linking/shownRows';
import { PanelLife, type PanelDependencies, panelTitle } from '../../session/editor/panelLife';

/** Areas count as pixels if the ratio to the masks' areas differs from 1 by less than this. */
const AREA_TOLERANCE = 1e-3;

interface TablePanelDependencies extends PanelDependencies {
  /** The current settings. */
  settings: () => PageSettings<'table'>;
  /** Parts of other subjects. */
  added: readonly AnyPanelPart[];
  /**
   * Stores the filters of an objects table, which masks follow until the table's page is loaded.
   */
  storeFilters: (shown: TableShown | null) => void;
}

/** A table of a result in a panel. An objects table shares marks and filters with the masks. */
export class TablePanel {
  readonly life: PanelLife;
  private readonly connection: PageConnection<TablePanelSide, TablePageSide>;
  private readonly opening: EarlyOpening<TableSummary>;
  private readonly firstRows: RowsAhead;
  private readonly filters: FiltersToShow;
  private readonly additions: readonly PanelAddition<Readonly<Record<string, AnyHandler>>>[];
  /** The folder of the last saved figure. */
  private lastFigure: string | undefined;

  constructor(
    private readonly dependencies: TablePanelDependencies,
    private readonly kind: TableKind,
  ) {
    this.life = new PanelLife(dependencies, 'table');
    const { panel, session } = dependencies;
    const { store } = this.life.state;
    this.additions = dependencies.added.map(part =>
      part.open({
        ...{ session, kind, stem: this.stem, signal: this.life.state.signal },
        byteOrderMark: () => dependencies.settings().byteOrderMark,
        send: (name, value) => this.connection.send(name, value),
      }),
    );
    store.add(toDisposable(() => this.additions.forEach(addition => addition.dispose?.())));
    this.filters = new FiltersToShow(session.tables, session.get(sessionRows));
    this.connection = store.add(
      new PageConnection<TablePanelSide, TablePageSide>({
        webview: panel.webview,
        onWillLoad: this.life.onWillLoad,
        declaration: allMessages(dependencies.added),
        handlers: this.handlers(),
        listen: page => {
          this.life.listenTo(page);
          page.on('showMasks', () => dependencies.openPart('masks'));
          if (kind === 'aggregate') page.on('select', row => void session.get(imageOfRow).select(row));
          if (kind !== 'objects') return;
          page.on('hover', row => void session.get(sessionLinks).hovered.setRow(row));
          page.on('select', row => void session.get(sessionLinks).selected.setRow(row));
          // A comparison restores its selection itself.
          if (!session.source.isOfPairs)
            page.on('selectedBefore', row => void session.get(sessionLinks).selected.restoreRow(row));
          page.on('filtered', shown => this.onFiltered(shown));
        },
        describe: error => this.describe(error),
        failed: (message, error) => this.life.failed(message, error),
      }),
    );
    store.add(
      session.onDidProgress(progress => {
        if (progress.part === kind) this.connection.send('progress', this.life.progressWords(progress));
      }),
    );
    store.add(session.tables.onDidGrow(growth => this.onGrowth(growth)));
    store.add(
      session.tables.onDidReplace(replaced => {
        if (replaced === kind) this.life.load();
      }),
    );
    store.add(
      session.tables.onDidExtend(({ kind: extended, summary }) => {
        if (extended === kind) this.connection.send('extended', { table: summary });
      }),
    );
    if (kind === 'objects') {
      // Pairs have no link to report: their rows and objects belong together.
      if (!session.source.isOfPairs)
        store.add(session.get(sessionLinks).onDidLink(report => this.connection.send('link', report)));
      store.add(
        session.get(sessionLinks).hovered.onDidChangeRow(row => this.connection.send('hovered', row)),
      );
      store.add(
        session.get(sessionLinks).selected.onDidChangeRow(row => this.connection.send('selected', row)),
      );
      store.add(session.get(sessionRows).onDidSelect(rows => this.connection.send('selectedRows', rows)));
      panel.onDidDispose(() => this.onFiltered(null));
    }
    this.life.load();
    // The thread starts and reads the first rows while the page loads.
    const { signal } = this.life.state;
    this.opening = new EarlyOpening(() => session.tables.open(kind, signal));
    this.firstRows = new RowsAhead({ tables: session.tables, kind, signal });
  }

  /** Runs a command of the page's context menu in the page. */
  runInPage(entry: PageMenuCommand): void {
    if (entry.page === 'table') this.connection.send('menuCommand', { command: entry.command });
  }

  private onFiltered(shown: TableShown | null): void {
    this.filters.confirm(shown);
    this.dependencies.storeFilters(shown);
  }

  private handlers(): Handlers<TablePanelSide> {
    const { session } = this.dependencies;
    return {
      ...passOn(tablePage.passedOn, (method, params, signal) =>
        session.tables.request(this.kind, method, params, signal),
      ),
      ...this.handlersOfAdded(),
      tableGroups: async (params, signal) => {
        const { filters, ...counts } = await this.countedRows(signal);
        const counted = { ...params, filters: [...(params.filters ?? []), ...filters] };
        return { ...(await session.tables.request(this.kind, 'tableGroups', counted, signal)), ...counts };
      },
      applyFilters: async ({ view, total }, signal) => {
        const shown =
          this.kind === 'objects'
            ? await this.filters.apply({ view, total }, signal)
            : await session.tables.request(this.kind, 'tableView', view, signal);
        if (view.filters?.length) completeStep('imageAnalysis.tableFiltered');
        return shown;
      },
      strings: async () => {
        this.connection.send('panelState', this.life.storedView);
        const failed = vscode.l10n.t("Couldn't show this result");
        return { failed, translations: await this.life.translations() };
      },
      start: () => this.start(() => this.opening.opened()),
      retry: () => {
        session.resetCrashes();
        return this.start(signal => session.tables.open(this.kind, signal));
      },
      reopen: async format => {
        await session.tables.reopen(this.kind, format, this.life.state.signal);
        this.life.load();
        return {};
      },
      copy: this.life.copy,
      saveView: params => this.saveView(params),
      saveGroups: params => this.saveGroups(params),
      savePlot: params => this.savePlot(params),
      imageLinks: (_, signal) => session.get(linkedImages).openImages(signal),
      linkImages: ({ links }, signal) => session.get(linkedImages).link(links, signal),
      linkThumbnail: ({ image }, signal) => session.get(linkedImages).thumbnail(image, signal),
      relink: async ({ columns }) => {
        const report = await session.get(sessionLinks).relink(columns);
        if (!report) throw new CodedError('bad-request', 'No masks are open');
        return report;
      },
    };
  }

  /** Handlers of other subjects' requests. Their types are declared in those subjects. */
  private handlersOfAdded() {
    const { session, added } = this.dependencies;
    const passed = added.map(({ declaration: { passedOn } }) =>
      passOn(passedOn, (method, params, signal) =>
        session.tables.request(this.kind, method as 'tableRows', params, signal),
      ),
    );
    return Object.assign({}, ...passed, ...this.additions.map(({ handlers }) => handlers)) as Handlers<{
      requests: Omit<
        TablePanelSide['requests'],
        keyof typeof tablePage.requests | keyof typeof tablePage.passedOn
      >;
      events: Record<string, never>;
    }>;
  }

  /** The rows that count in statistics of groups. */
  private async countedRows(signal: AbortSignal): Promise<CountedRows> {
    const counts = await Promise.all(
      this.additions.map(async addition => await addition.countedRows?.(signal)),
    );
    return Object.assign({}, ...counts, {
      filters: counts.flatMap(count => count?.filters ?? []),
    }) as CountedRows;
  }

  /**
   * Whether lengths and areas are in pixels: in the service's table of objects, unless its areas
   * contradict those of the masks.
   */
  private get isInPixels(): boolean {
    const { session } = this.dependencies;
    const { source, tableSources } = session;
    const ofService = this.kind === 'objects' && source.jobIds !== undefined && !tableSources.choice;
    const { areaRatio } = session.get(sessionLinks).report ?? {};
    return (
      ofService && !source.isOfPairs && (areaRatio === undefined || Math.abs(areaRatio - 1) < AREA_TOLERANCE)
    );
  }

  private async start(open: (signal: AbortSignal) => Promise<TableSummary>): Promise<TableStart> {
    const { session } = this.dependencies;
    const table = await this.life.state.openContent(open);
    const [first, constants] = await Promise.all([this.firstRows.of(table), this.constants(table)]);
    const isObjects = this.kind === 'objects';
    const { isOfPairs } = session.source;
    if (isObjects)
      setPanelTitle(
        this.dependencies.panel,
        panelTitle(session.source, this.kind, session.tableSources.choice),
      );
    return {
      ...this.dependencies.settings(),
      kind: this.kind,
      title: session.source.title,
      table,
      ...(first && { first }),
      ...(constants && { constants }),
      ...(table.failure && { failed: this.whyIncomplete(table.failure) }),
      ...(session.source.tables?.(this.kind) && { joined: true as const }),
      ...(isOfPairs && { ofPairs: true as const }),
      ...(Object.assign({}, ...this.additions.map(addition => addition.start?.())) as Partial<TableStart>),
      ...(this.isInPixels && { isInPixels: true as const }),
      ...(isObjects &&
        !isOfPairs &&
        session.get(sessionLinks).report && { link: session.get(sessionLinks).report }),
      hovered: isObjects ? session.get(sessionLinks).hovered.row : null,
      selected: isObjects ? session.get(sessionLinks).selected.row : null,
      ...(isObjects && session.get(sessionLinks).selected.isSet && { isSelectionSet: true as const }),
      ...(isObjects &&
        session.get(sessionRows).selected && { selectedRows: session.get(sessionRows).selected }),
    };
  }

  /**
   * Constant columns: the page needs them next, before it lays out the columns. Undefined if
   * unknown or failed.
   */
  private async constants({ reading }: TableSummary): Promise<TableStart['constants']> {
    if (reading) return undefined;
    const { session } = this.dependencies;
    try {
      const { signal } = this.life.state;
      return (await session.tables.request(this.kind, 'tableConstants', {}, signal)).constants;
    } catch {
      return undefined;
    }
  }

  private onGrowth({ table, failure, ...growth }: TableGrowth): void {
    if (table !== this.kind) return;
    this.connection.send('growth', { ...growth, ...(failure && { failed: this.whyIncomplete(failure) }) });
  }

  /** The reason of a failure. The table's name isn't needed, as it is in the panel's title. */
  private whyIncomplete(failure: PlainError): string {
    const reason = failure.details?.reason;
    return reason ? reasonSentence(vscode.l10n.t, reason) : this.describe(fromPlainError(failure));
  }

  private describe(error: unknown): string {
    if (!isCoded(error, 'file-changed')) return this.dependencies.describe(error);
    return vscode.l10n.t(
      'The file changed after it was opened. To see its current content, select its format at the bottom right, then Reload File.',
    );
  }

  /** Prefix of the names of saved files. */
  private get stem(): string {
    const { title, isOfPairs } = this.dependencies.session.source;
    return isOfPairs ? title : path.parse(title.replace(/\.(gz|zst)$/i, '')).name;
  }

  private async saveView({
    sort,
    filters,
    columns,
  }: TablePanelSide['requests']['saveView']['params']): Promise<{
    saved: { name: string; rows: number } | null;
  }> {
    const { session } = this.dependencies;
    const populations =
      session.find(tablePopulations)?.areIn(this.kind) === true &&
      (await askForPopulations(vscode.l10n.t('Save Rows')));
    if (populations === undefined) return { saved: null };
    const isMeasured = this.kind === 'objects' && session.tableSources.choice?.kind === 'measured';
    const origin = session.source.isOfPairs ? 'pairs' : isMeasured ? 'measured' : undefined;
    const isMadeHere = origin !== undefined || session.source.tables?.(this.kind) !== undefined;
    const name = savedRowsName(vscode.l10n.t, this.stem, { sort, ...(filters && { filters }) }, origin);
    const file = { name, filters: tableFiles(...savedEndings), title: vscode.l10n.t('Save Rows') };
    const written = await saveWithDialog(file, async destination => {
      if (populations) await session.find(tablePopulations)?.withoutDrafts(this.kind);
      const params = {
        sort,
        ...(filters && { filters }),
        columns,
        populations,
        destination,
        // The dialog has asked already.
        overwrite: true,
        markHeader: isMadeHere && this.dependencies.settings().byteOrderMark,
      };
      return session.tables.request(this.kind, 'tableSave', params, this.life.state.signal);
    });
    return { saved: written ? { name: path.basename(written.path), rows: written.saved.rows } : null };
  }

  private async saveGroups(
    params: TablePanelSide['requests']['saveGroups']['params'],
  ): Promise<{ saved: { name: string; groups: number } | null }> {
    const { session } = this.dependencies;
    const { stem } = this;
    const name = savedGroupsName(vscode.l10n.t, stem);
    const { filters } = params;
    const file = { name, filters: tableFiles(...savedEndings), title: vscode.l10n.t('Save Groups') };
    const written = await saveWithDialog(file, async destination => {
      // The save dialog has already asked.
      const target = { destination, overwrite: true, markHeader: this.dependencies.settings().byteOrderMark };
      const { signal } = this.life.state;
      const counted = await this.countedRows(signal);
      const saveParams = { ...params, filters: [...(filters ?? []), ...counted.filters], ...target };
      return session.tables.request(this.kind, 'tableGroupsSave', saveParams, signal);
    });
    return { saved: written ? { name: path.basename(written.path), groups: written.saved.groups } : null };
  }

  private async savePlot({
    name,
    type,
    data,
  }: TablePanelSide['requests']['savePlot']['params']): Promise<{ saved: { name: string } | null }> {
    const file = {
      name: `${name}.${type}`,
      filters: { [vscode.l10n.t('Image')]: [type] },
      title: vscode.l10n.t('Save Figure'),
      isFigure: true as const,
      // Suggests the folder of the last saved figure.
      ...(this.lastFigure !== undefined && { beside: this.lastFigure }),
    };
    const written = await saveWithDialog(file, destination =>
      writeWholeFile(destination, [new Uint8Array(data)]),
    );
    if (!written) return { saved: null };
    this.lastFigure = written.path;
    showSaved(written.path).catch(showFailure);
    return { saved: { name: path.basename(written.path) } };
  }
}

/** All messages of the page, including those of other subjects. */
function allMessages(added: readonly AnyPanelPart[]): PageDeclaration {
  const declarations = [tablePage, ...added.map(({ declaration }) => declaration)];
  return {
    passedOn: Object.assign(
      {},
      ...declarations.map(({ passedOn }) => passedOn),
    ) as PageDeclaration['passedOn'],
    requests: Object.assign(
      {},
      ...declarations.map(({ requests }) => requests),
    ) as PageDeclaration['requests'],
    events: tablePage.events,
  };
}
