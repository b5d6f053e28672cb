import { h, render } from 'preact';
import type { MasksPageSide, MasksPanelSide, PackedMasksStart } from '../masksPage';
import { unpackJson } from '../../protocol/packed';
import { RpcEndpoint } from '../../protocol/rpc';
import { addStyle, openPage, scriptNonce } from '../../pages/page/openPage';
import { PagePort } from '../../pages/page/pagePort';
import { fill } from '../../pages/page/widgets/element';
import { GlLabelRenderer } from './labels/glLabelRenderer';
import { MasksView } from './masksView';
import { ImageMenu } from './stage/imageMenu';
import { listenToKeys } from './stage/masksShortcuts';
import { MasksStage } from './stage/masksStage';
import { followPointer } from './stage/pointerSamples';
import { ObjectColors } from './state/masksLook';
import { MasksStore } from './state/masksStore';
import { currentMasksView, type MasksViewState } from './state/masksViewState';
import { Thumbnails } from './thumbnails';
import sharedCss from '../../pages/page/shared.css';
import shortcutsDialogCss from '../../pages/page/widgets/shortcutsDialog.css';
import popoverCss from '../../pages/page/widgets/popover.css';
import dividerCss from '../../pages/page/widgets/divider.css';
import rangeClipCss from '../../pages/page/widgets/rangeClip.css';
import cutNameCss from '../../pages/page/widgets/cutName.css';
import imageLinksCss from '../../linking/page/imageLinks.css';
import masksCss from './masks.css';
import stageCss from './stage/stage.css';
import fileNoticeCss from './fileNotice.css';
import masksToolbarCss from './masksToolbar.css';
import imageStripCss from './imageStrip.css';
import inspectorCss from './inspector/inspector.css';
import backgroundImageCss from './inspector/backgroundImage.css';
import measuresCss from './inspector/measures.css';
import narrowPanelCss from './narrowPanel.css';

// The order matters: later rules override earlier ones.
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

async function run(root: HTMLElement): Promise<void> {
  const opening = openPage<PackedMasksStart>(root, panel, port);
  let redraw = () => undefined as void;
  // WebGL is set up while the panel opens the masks: it takes a browser 20 to 75 ms.
  const gpu = new GlLabelRenderer(() => redraw());
  const packedStart = await opening;
  const start = { ...packedStart, masks: unpackJson(packedStart.masks) };
  const store: MasksStore = new MasksStore({
    start,
    port,
    panel,
    stage: () => stage,
  });
  const colors = new ObjectColors();
  const stage = new MasksStage(store, panel, colors, gpu);
  redraw = () => stage.canvas.redraw();
  const thumbnails = new Thumbnails(panel, colors, store);
  fill(root);
  render(h(MasksView, { store, thumbnails, stage: stage.root }), root);
  followMessages(panel, store);
  followPointer(store, panel);
  const menu = new ImageMenu({ store, panel, canvas: stage.canvas });
  panel.on('menuCommand', ({ command }) => menu.run(command));
  listenToKeys(store, stage.canvas);
  // Tells the panel once that something is on the screen.
  store.layout.isShown.subscribe(isShown => isShown && requestAnimationFrame(() => panel.send('shown', {})));
  store.restore();
}

/** Passes messages of the panel to the store. */
function followMessages(from: typeof panel, store: MasksStore): void {
  from.on('imagesRead', ({ images, done, total }) => store.imagesRead(unpackJson(images), done, total));
  from.on('masksRead', masks => store.masksRead(unpackJson(masks)));
  from.on('searchAgain', ({ images }) => store.searchAgain(images));
  from.on('backgroundImageProgress', ({ image, done, total }) =>
    store.background.showProgress(image, done / total),
  );
  from.on('imagePaths', ({ paths }) => store.rename(paths));
  from.on('link', report => store.linked(report));
  from.on('tableExtended', () => store.tableExtended());
  from.on('populationsChanged', () => store.populationsChanged());
  from.on('hovered', ref => store.selection.focus.followHovered(ref));
  from.on('selected', ref => store.selection.follow(ref));
  from.on('showImage', ref => store.showImageOf(ref));
  from.on('fileChange', change => store.messages.fileChanged(change));
  from.on('filtered', filtered => void store.table.filter(filtered));
}

const root = document.getElementById('root');
if (root) void run(root);
