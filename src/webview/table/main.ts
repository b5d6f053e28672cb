import { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide } from '../../protocol/tablePage';
import sharedCss from '../shared.css';
import { openPage } from '../openPage';
import { PagePort } from '../pagePort';
import { addStyle, scriptNonce } from '../pageStyle';
import tableCss from './table.css';
import { TablePage, type TableView } from './tablePage';

const nonce = scriptNonce();
addStyle(nonce, sharedCss, tableCss);
const port = new PagePort<TableView>(acquireVsCodeApi());
const panel = new RpcEndpoint<TablePageSide, TablePanelSide>(port, {});
panel.on('keep', value => port.keepForPanel(value));
addEventListener('error', event => panel.send('failure', { message: event.message }));
addEventListener('unhandledrejection', event => panel.send('failure', { message: String(event.reason) }));

async function run(root: HTMLElement): Promise<void> {
  const { text, start } = await openPage({
    root,
    strings: () => panel.request('strings', {}),
    start: () => panel.request('start', {}),
    retry: () => panel.request('retry', {}),
    onProgress: listener => panel.on('progress', listener),
    failed: message => panel.send('failure', { message }),
  });
  await new TablePage(root, nonce, start, text, port, panel).show();
}

const root = document.getElementById('root');
if (root) void run(root);
