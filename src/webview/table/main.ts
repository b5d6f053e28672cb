import { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide, TableStart } from '../../protocol/tablePage';
import sharedCss from '../shared.css';
import { openPage } from '../openPage';
import { PagePort } from '../pagePort';
import type { PageText } from '../pageText';
import { addStyle, scriptNonce } from '../pageStyle';
import plotsCss from '../plots/plots.css';
import tableCss from './table.css';
import { TableModel } from './tableModel';
import { TablePage } from './tablePage';
import { fittingView, type TableView } from './tableView';

const nonce = scriptNonce();
addStyle(nonce, sharedCss, tableCss, plotsCss);
const port = new PagePort<TableView>(acquireVsCodeApi());
const panel = new RpcEndpoint<TablePageSide, TablePanelSide>(port, {});
panel.on('keep', value => port.keepForPanel(value));
addEventListener('error', event => panel.send('failure', { message: event.message }));
addEventListener('unhandledrejection', event => panel.send('failure', { message: String(event.reason) }));

/** Opens the table and shows it. */
async function run(root: HTMLElement): Promise<void> {
  const growth: TablePanelSide['events']['grew'][] = [];
  const early = panel.on('grew', value => growth.push(value));
  const { text, start } = await openPage({
    root,
    strings: () => panel.request('strings', {}),
    start: () => panel.request('start', {}),
    retry: () => panel.request('retry', {}),
    onProgress: listener => panel.on('progress', listener),
    failed: message => panel.send('failure', { message }),
  });
  early.dispose();
  await show(root, text, start, growth);
}

/** Lays out the page for an open table; `early` is what was heard of its growth before. */
async function show(
  root: HTMLElement,
  text: PageText,
  start: TableStart,
  early: TablePanelSide['events']['grew'][],
): Promise<void> {
  const model = new TableModel(panel, start.table);
  const view = fittingView(port.view, start.table);
  port.keepView(view);
  const page = new TablePage({
    root,
    nonce,
    start,
    text,
    port,
    panel,
    model,
    view,
  });
  for (const growth of early.filter(({ rowCount, done }) => done || rowCount > start.table.rowCount))
    await page.grow(growth);
  panel.on('grew', growth => void page.grow(growth));
  await page.show();
}

const root = document.getElementById('root');
if (root) void run(root);
