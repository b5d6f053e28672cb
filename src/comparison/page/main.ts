import { h, render } from 'preact';
import { addStyle, openPage, scriptNonce } from '../../pages/page/openPage';
import { PagePort } from '../../pages/page/pagePort';
import { fill } from '../../pages/page/widgets/element';
import { RpcEndpoint } from '../../protocol/rpc';
import type { ComparisonPageSide, ComparisonPanelSide, ComparisonStart } from '../comparisonPage';
import { listenToComparisonKeys } from './comparisonKeys';
import { ComparisonView } from './comparisonView';
import { ComparisonStage } from './stage/comparisonStage';
import { ComparisonStore, viewName } from './state/comparisonStore';
import type { ComparisonViewState } from './state/comparisonViewState';
import sharedCss from '../../pages/page/shared.css';
import shortcutsDialogCss from '../../pages/page/widgets/shortcutsDialog.css';
import popoverCss from '../../pages/page/widgets/popover.css';
import cutNameCss from '../../pages/page/widgets/cutName.css';
import stageCss from '../../masks/page/stage/stage.css';
import comparisonCss from './comparison.css';

// In this order: later rules override earlier ones.
addStyle(scriptNonce(), sharedCss, stageCss, popoverCss, cutNameCss, shortcutsDialogCss, comparisonCss);
// Earlier versions saved no view.
const port = new PagePort<ComparisonViewState>(acquireVsCodeApi(), saved => saved);
const panel = new RpcEndpoint<ComparisonPageSide, ComparisonPanelSide>(port, {});

async function run(root: HTMLElement): Promise<void> {
  const start = await openPage<ComparisonStart>(root, panel, port);
  const store = new ComparisonStore({
    start,
    panel,
    saved: port.view,
    save: changes => port.updateView(changes),
  });
  const stage = new ComparisonStage(store, panel);
  fill(root);
  render(h(ComparisonView, { store, stage }), root);
  listenToComparisonKeys(
    store,
    stage.canvas,
    () => void store.saveDrawing(viewName(store), 'png', () => stage.png()),
  );
  panel.on('progress', progress => store.comparing.progressed(progress));
  panel.on('selected', object => void store.selectedInTable(object));
  panel.on('hovered', object => store.selection.hover(object));
  panel.on('filtered', filtered => void store.objects.filteredByTable(filtered));
  await store.begin();
  // The first content is visible: scores, or why there are none.
  requestAnimationFrame(() => panel.send('shown', {}));
}

const root = document.getElementById('root');
if (root) void run(root);
