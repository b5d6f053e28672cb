import type { MasksPageSide, MasksPanelSide } from '../../protocol/masksPage';
import { RpcEndpoint } from '../../protocol/rpc';
import sharedCss from '../shared.css';
import { openPage } from '../openPage';
import { PagePort } from '../pagePort';
import { addStyle, scriptNonce } from '../pageStyle';
import masksCss from './masks.css';
import { MasksPage } from './masksPage';
import type { MasksView } from './masksView';

addStyle(scriptNonce(), sharedCss, masksCss);
const port = new PagePort<MasksView>(acquireVsCodeApi());
const panel = new RpcEndpoint<MasksPageSide, MasksPanelSide>(port, {});
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
  new MasksPage(root, start, text, port, panel).show();
}

const root = document.getElementById('root');
if (root) void run(root);
