import { t } from '../../../pages/page/l10n';
import { tabSeparated } from '../../../columns/csv/csvGrammar';
import type { MasksMenuCommand } from '../../../protocol/menuCommands';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import { type ObjectRef, pathOfImage } from '../../../archives/masksSummary';
import type { MasksStore } from '../state/masksStore';
import { channelName, measurementCells } from '../state/objectMeasurements';
import type { Point } from '../tiles/viewTransform';
import type { CanvasView } from './canvasView';
import { moveHistory, openShortcuts } from './masksShortcuts';

interface ImageMenuDependencies {
  store: MasksStore;
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  canvas: CanvasView;
}

/**
 * The context menu of the image, which VS Code shows (`webview/context` in package.json). VS Code
 * must know on the event whether an object is there, but finding it takes a moment. So the event is
 * stopped, and a second one, sent by this class, opens the menu.
 */
export class ImageMenu {
  /** The object that the menu is about. */
  private object: ObjectRef | null = null;
  private events = 0;
  /** The second event. */
  private opening: Event | undefined;

  constructor(private readonly dependencies: ImageMenuDependencies) {
    addEventListener('contextmenu', event => void this.open(event), { capture: true });
  }

  /** Runs a command of the menu. */
  readonly run = (command: MasksMenuCommand): void => {
    const { store, canvas } = this.dependencies;
    const { object } = this;
    const actions: Record<MasksMenuCommand, () => unknown> = {
      zoomToObject: () => object && this.zoomTo(object),
      showOnlyClass: () => object && this.showOnly(object),
      copyMeasurements: () => object && this.copyMeasurements(object),
      exportSelectedObjects: () => store.selection.exportSelected(),
      fitMasks: () => canvas.fit(),
      saveMasksView: () => store.save(),
      undoInMasks: () => moveHistory(store, 'undo'),
      redoInMasks: () => moveHistory(store, 'redo'),
      showMasksShortcuts: () => openShortcuts(store),
    };
    actions[command]();
  };

  private async open(event: MouseEvent): Promise<void> {
    const { store, canvas: view } = this.dependencies;
    const { canvas } = view;
    if (event === this.opening) return;
    // Without a mouse button, the keyboard opened the menu.
    const byKeyboard = event.button < 0;
    if (event.target !== canvas && !(byKeyboard && event.target === document.body)) return;
    event.preventDefault();
    const eventNumber = ++this.events;
    const { left, top } = canvas.getBoundingClientRect();
    const clickedPoint = { x: event.clientX - left, y: event.clientY - top };
    const { object, onPanel } = byKeyboard
      ? this.keyboardTarget()
      : { object: await store.selection.objectUnder(view.toImage(clickedPoint)), onPanel: clickedPoint };
    if (eventNumber !== this.events || !canvas.isConnected) return;
    this.object = object;
    canvas.dataset['vscodeContext'] = JSON.stringify({
      webviewSection: object ? 'object' : 'image',
      ...(store.selection.objects.length > 0 && { objectsSelected: true }),
      ...(store.undo.can('undo') && { masksCanUndo: true }),
      ...(store.undo.can('redo') && { masksCanRedo: true }),
    });
    const [clientX, clientY] = [left + onPanel.x, top + onPanel.y];
    this.opening = new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX, clientY });
    canvas.dispatchEvent(this.opening);
  }

  /**
   * The selected object and its center, limited to the panel; without an object, the middle of the
   * panel.
   */
  private keyboardTarget(): { object: ObjectRef | null; onPanel: Point } {
    const { store, canvas } = this.dependencies;
    const { width, height } = canvas.size;
    const object = store.selection.focus.selected.peek();
    const box = object && store.image.sceneOf(object)?.boxOf(object.object);
    if (!box) return { object: null, onPanel: { x: width / 2, y: height / 2 } };
    const [x1, y1, x2, y2] = box;
    const { x, y } = canvas.toPanel({ x: (x1 + x2) / 2, y: (y1 + y2) / 2 });
    const within = (position: number, size: number) => Math.min(size, Math.max(0, position));
    return { object, onPanel: { x: within(x, width), y: within(y, height) } };
  }

  private async zoomTo(ref: ObjectRef): Promise<void> {
    const { store, canvas } = this.dependencies;
    const scene = store.image.sceneOf(ref);
    const box = await scene?.loadBox(ref.object).catch(store.messages.failed);
    if (box && store.image.scene.peek() === scene) canvas.zoomTo(box);
  }

  private showOnly(ref: ObjectRef): void {
    const { store } = this.dependencies;
    const position = store.image.sceneOf(ref)?.objects.peek()?.classes[ref.object];
    if (position !== undefined) store.look.showOnly(position);
  }

  private async copyMeasurements(object: ObjectRef): Promise<void> {
    const { store, panel } = this.dependencies;
    const { liveSummary } = store.image;
    if (object.image !== liveSummary?.index) return;
    try {
      const { details, pixelSize, means, info } = await store.measurementsOf(object);
      const namedMeans = means.map((mean, index) => ({
        channel: info ? channelName(info, index) : '',
        mean,
      }));
      const measured = { image: pathOfImage(liveSummary), details, pixelSize, means: namedMeans };
      await panel.request('copy', { text: tabSeparated(measurementCells(measured)) });
      store.messages.say(t('Measurements copied'));
    } catch (error) {
      store.messages.failed(error);
    }
  }
}
