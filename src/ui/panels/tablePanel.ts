import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { TableKind, TablePageSide, TablePanelSide, TableStart } from '../../protocol/tablePage';
import { PageConnection, wordedHandlers } from './pageConnection';
import { pageHtml } from './pageHtml';
import { rowOrNull, sortKeys, text, wholeNumber } from './pageParams';
import { tablePageStrings } from './pageStrings';
import { PanelLife, type PanelParts } from './resultPanel';

/** A table of a result in a panel; the objects table shares its marks with the masks. */
export class TablePanel implements Disposable {
  readonly life: PanelLife;
  private readonly connection: PageConnection<TablePanelSide, TablePageSide>;

  constructor(
    private readonly parts: PanelParts,
    private readonly kind: TableKind,
  ) {
    this.life = new PanelLife(parts);
    const { panel, session, describe } = parts;
    const handlers = wordedHandlers<TablePanelSide>(this.handlers(), describe, (method, error) =>
      this.life.failed(method, error),
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
      }),
    );
    store.add(
      session.onDidProgress(progress => {
        if (progress.part === kind) this.connection.send('progress', this.life.progressWords(progress));
      }),
    );
    if (kind === 'objects') {
      store.add(session.onDidLink(report => this.connection.send('link', report)));
      store.add(session.hovered.onDidChangeRow(row => this.connection.send('hovered', row)));
      store.add(session.selected.onDidChangeRow(row => this.connection.send('selected', row)));
    }
    this.load();
  }

  /** Loads the page, anew if it is there already. */
  load(): void {
    const { panel, extensionUri } = this.parts;
    panel.webview.html = pageHtml(panel.webview, extensionUri, 'table', panel.title);
  }

  dispose(): void {
    this.life.dispose();
  }

  private handlers(): Parameters<typeof wordedHandlers<TablePanelSide>>[0] {
    const { session } = this.parts;
    return {
      strings: () => {
        this.connection.send('keep', this.life.kept);
        return tablePageStrings();
      },
      start: () => this.start(),
      retry: () => {
        session.forgive();
        return this.start();
      },
      rows: ({ start, end, sort }, signal) =>
        session.askTable(
          this.kind,
          'tableRows',
          { table: this.kind, start: wholeNumber(start), end: wholeNumber(end), sort: sortKeys(sort) },
          signal,
        ),
      position: ({ row, sort }, signal) =>
        session.askTable(
          this.kind,
          'tablePosition',
          { table: this.kind, row: wholeNumber(row), sort: sortKeys(sort) },
          signal,
        ),
      copy: async params => {
        await vscode.env.clipboard.writeText(text(params.text));
        return {};
      },
    };
  }

  private async start(): Promise<TableStart> {
    const { session } = this.parts;
    const table = await this.life.opened(signal => session.openTable(this.kind, signal));
    const marks = this.kind === 'objects';
    return {
      strings: tablePageStrings(),
      kind: this.kind,
      title: session.source.title,
      table,
      ...(marks && session.link && { link: session.link }),
      hovered: marks ? session.hovered.row : null,
      selected: marks ? session.selected.row : null,
    };
  }
}
