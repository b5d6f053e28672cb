import type { MasksPageSide, MasksPanelSide, PackedMasksStart } from '../masksPage';
import { unpackJson } from '../../protocol/packed';
import { RpcEndpoint } from '../../protocol/rpc';
import type { MasksTextKey } from '../../pages/masksTexts';
import { addStyle, openPage, scriptNonce } from '../../pages/page/openPage';
import { PagePort } from '../../pages/page/pagePort';
import { MasksPage } from './masksPage';
import { currentMasksView, type MasksViewState } from './state/masksViewState';
import sharedCss from '../../pages/page/shared.css';
import shortcutsDialogCss from '../../pages/page/widgets/shortcutsDialog.css';
import popoverCss from '../../pages/page/widgets/popover.css';
import dividerCss from '../../pages/page/widgets/divider.css';
import cutNameCss from '../../pages/page/widgets/cutName.css';
import imageLinksCss from './links/imageLinks.css';
import masksCss from './masks.css';
import stageCss from './stage/stage.css';
import fileNoticeCss from './fileNotice.css';
import masksToolbarCss from './masksToolbar.css';
import imageStripCss from './imageStrip.css';
import inspectorCss from './inspector/inspector.css';
import rangeClipCss from './inspector/rangeClip.css';
import backgroundImageCss from './inspector/backgroundImage.css';
import measuresCss from './inspector/measures.css';
import narrowPanelCss from './narrowPanel.css';

// In this order: later rules override earlier ones.
addStyle(
  scriptNonce(),
  sharedCss,
  masksCss,
  stageCss,
  masksToolbarCss,
  fileNoticeCss,
  imageStripCss,
  inspectorCss,
  rangeClipCss,
  backgroundImageCss,
  measuresCss,
  popoverCss,
  imageLinksCss,
  dividerCss,
  cutNameCss,
  shortcutsDialogCss,
  narrowPanelCss,
);
const port = new PagePort<MasksViewState>(acquireVsCodeApi(), currentMasksView);
const panel = new RpcEndpoint<MasksPageSide, MasksPanelSide>(port, {});
panel.on('panelState', value => port.savePanelState(value));
addEventListener('error', event => panel.send('failure', { message: event.message }));
addEventListener('unhandledrejection', event => panel.send('failure', { message: String(event.reason) }));

async function run(root: HTMLElement): Promise<void> {
  const { text, start: sent } = await openPage<PackedMasksStart, MasksTextKey>({
    root,
    strings: () => panel.request('strings', {}),
    start: () => panel.request('start', {}),
    retry: () => panel.request('retry', {}),
    onProgress: listener => panel.on('progress', listener),
    failed: message => panel.send('failure', { message }),
  });
  const start = { ...sent, masks: unpackJson(sent.masks) };
  new MasksPage({ root, start, text, port, panel }).show();
}

const root = document.getElementById('root');
if (root) void run(root);
