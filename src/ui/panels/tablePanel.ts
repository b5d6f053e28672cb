import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { CodedError, fromPlainError, isCoded, type PlainError } from '../../base/errors';
import type { TableGrowth, TableSummary } from '../../protocol/tableEngine';
import type {
  TableKind,
  TablePageSide,
  TablePanelSide,
  TableShown,
  TableStart,
} from '../../protocol/tablePage';
import { PageConnection, wordedHandlers } from './pageConnection';
import { pageHtml } from './pageHtml';
import { rowOrNull, sortKeys, text, wholeNumber } from './pageParams';
import { tablePageStrings } from './tablePageStrings';
import { PageLoader } from './pageLoader';
import { PanelLife, type PanelParts } from './resultPanel';
import { fileName, savePlace } from './savePlace';
import { checkPlain, tableQuestionHandlers } from './tableQuestions';

type PanelHandlers = Parameters<typeof wordedHandlers<TablePanelSide>>[0];

/** A table of a result in a panel; the objects table shares its marks and its filters with the masks. */
export class TablePanel implements Disposable {
  readonly life: PanelLife;
  private readonly loader: PageLoader;
  private readonly connection: PageConnection<TablePanelSide, TablePageSide>;

  constructor(
    private readonly parts: PanelParts,
    private readonly kind: TableKind,
  ) {
    this.life = new PanelLife(parts);
    const { panel, session } = parts;
    const handlers = wordedHandlers<TablePanelSide>(
      this.handlers(),
      error => this.describe(error),
      (method, error) => this.life.failed(method, error),
    );
    const { store } = this.life;
    this.connection = store.add(
      new PageConnection<TablePanelSide, TablePageSide>(panel.webview, handlers, page => {
        page.on('shown', () => this.life.shown());
        page.on('failure', ({ message }) => parts.log.error(`In the table page: ${String(message)}`));
        page.on('showMasks', () => parts.openOther('masks'));
        if (kind !== 'objects') return;
        page.on('hover', row => void session.hovered.setRow(rowOrNull(row)));
        page.on('select', row => void session.selected.setRow(rowOrNull(row)));
        page.on('filtered', shown => session.setShown(shownOrNull(shown)));
      }),
    );
    store.add(
      session.onDidProgress(progress => {
        if (progress.part === kind) this.connection.send('progress', this.life.progressWords(progress));
      }),
    );
    store.add(session.onDidGrow(growth => this.grew(growth)));
    if (kind === 'objects') {
      store.add(session.onDidLink(report => this.connection.send('link', report)));
      store.add(session.hovered.onDidChangeRow(row => this.connection.send('hovered', row)));
      store.add(session.selected.onDidChangeRow(row => this.connection.send('selected', row)));
      store.add(session.onDidPickRows(picked => this.connection.send('picked', picked)));
      panel.onDidDispose(() => session.setShown(null));
    }
    const html = () => pageHtml(panel.webview, parts.extensionUri, 'table', panel.title);
    this.loader = store.add(new PageLoader(panel, html, parts.log, () => this.life.pageMissing()));
    this.load();
  }

  /** Loads the page, anew if it is there already. */
  load(): void {
    this.loader.load();
  }

  dispose(): void {
    this.life.dispose();
  }

  private handlers(): PanelHandlers {
    const { session } = this.parts;
    return {
      ...tableQuestionHandlers(session, this.kind),
      strings: () => {
        this.connection.send('keep', this.life.kept);
        return tablePageStrings();
      },
      start: () => this.start(signal => session.openTable(this.kind, signal)),
      retry: () => {
        session.forgive();
        return this.start(signal => session.openTable(this.kind, signal));
      },
      reopen: async ({ delimiter, decimalComma }) => {
        const choice = {
          ...(delimiter !== undefined && { delimiter: text(delimiter) }),
          ...(decimalComma !== undefined && { decimalComma: decimalComma === true }),
        };
        await session.reopenTable(this.kind, choice, this.life.signal);
        this.load();
        return {};
      },
      copy: async params => {
        await vscode.env.clipboard.writeText(text(params.text));
        return {};
      },
      saveView: params => this.saveView(params),
      savePlot: params => this.savePlot(params),
      relink: async ({ imageColumn, idColumn }) => {
        const columns = { imageColumn: wholeNumber(imageColumn), idColumn: wholeNumber(idColumn) };
        const report = await session.relink(columns);
        if (!report) throw new CodedError('bad-request', 'No masks are open');
        return report;
      },
    };
  }

  private async start(open: (signal: AbortSignal) => Promise<TableSummary>): Promise<TableStart> {
    const { session } = this.parts;
    const table = await this.life.opened(open);
    const marks = this.kind === 'objects';
    return {
      strings: tablePageStrings(),
      kind: this.kind,
      title: session.source.title,
      table,
      ...(table.failure && { failed: this.whyIncomplete(table.failure) }),
      ...(session.source.tables?.(this.kind) && { joined: true as const }),
      ...(marks && session.link && { link: session.link }),
      hovered: marks ? session.hovered.row : null,
      selected: marks ? session.selected.row : null,
      ...(marks && session.picked && { picked: session.picked }),
    };
  }

  private grew({ table, failure, ...growth }: TableGrowth): void {
    if (table !== this.kind) return;
    this.connection.send('grew', { ...growth, ...(failure && { failed: this.whyIncomplete(failure) }) });
  }

  /** The reason alone, where there is one: which table it is stands in the panel's title. */
  private whyIncomplete(failure: PlainError): string {
    return failure.details?.reason ?? this.describe(fromPlainError(failure));
  }

  private describe(error: unknown): string {
    if (!isCoded(error, 'file-changed')) return this.parts.describe(error);
    return vscode.l10n.t(
      'The file changed after it was opened. To see it as it is now, choose its format at the bottom right, then Read Again.',
    );
  }

  private async saveView({
    sort,
    filters,
    columns,
  }: TablePanelSide['requests']['saveView']['params']): Promise<{
    saved: { name: string; rows: number } | null;
  }> {
    checkPlain(filters);
    const { session } = this.parts;
    const place = await savePlace(
      `${path.parse(session.source.title).name}-${vscode.l10n.t('filtered')}.csv`,
      {
        [vscode.l10n.t('Table')]: ['csv', 'tsv'],
      },
    );
    if (!place) return { saved: null };
    const params = {
      table: this.kind,
      sort: sortKeys(sort),
      ...(filters && { filters }),
      columns: columns.map(wholeNumber),
      destination: place.fsPath,
      // The dialog has asked already.
      overwrite: true,
    };
    const { rows } = await session.askTable(this.kind, 'tableSave', params, this.life.signal);
    return { saved: { name: path.basename(place.fsPath), rows } };
  }

  private async savePlot({
    name,
    type,
    data,
  }: TablePanelSide['requests']['savePlot']['params']): Promise<{ saved: { name: string } | null }> {
    const extension = type === 'svg' ? 'svg' : 'png';
    if (!(data instanceof ArrayBuffer)) throw new CodedError('bad-request', 'A page sent no picture');
    const place = await savePlace(`${fileName(text(name))}.${extension}`, {
      [vscode.l10n.t('Picture')]: [extension],
    });
    if (!place) return { saved: null };
    await vscode.workspace.fs.writeFile(place, new Uint8Array(data));
    return { saved: { name: path.basename(place.fsPath) } };
  }
}

function shownOrNull(shown: TableShown | null): TableShown | null {
  if (shown === null) return null;
  checkPlain(shown);
  const { view, rowCount, total } = shown;
  return {
    view: { sort: sortKeys(view.sort), filters: view.filters ?? [] },
    rowCount: wholeNumber(rowCount),
    total: wholeNumber(total),
  };
}
