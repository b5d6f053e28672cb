import { isCoded } from '../../base/errors';
import { tabSeparated } from '../../columns/csv/csvGrammar';
import type { PagePort } from '../../pages/page/pagePort';
import type { MasksText } from '../../pages/page/pageText';
import { showShortcuts } from '../../pages/page/widgets/popover';
import type { MasksMenuCommand } from '../../protocol/menuCommands';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../masksPage';
import { type ObjectRef, type ObjectsOfImage, pathOfImage } from '../masksSummary';
import type { MasksSelection } from './masksSelection';
import type { CanvasView } from './stage/canvasView';
import type { CurrentImage } from './stage/currentImage';
import { type CanvasKey, isMasksKey, type MasksKey, masksShortcuts } from './stage/masksShortcuts';
import type { MasksStage } from './stage/masksStage';
import type { ObjectFocus, ObjectPointer } from './stage/objectFocus';
import type { DragTool } from './state/layoutModel';
import type { MasksStore } from './state/masksStore';
import type { MasksViewState } from './state/masksViewState';
import { channelName, measurementCells } from './state/objectMeasurements';
import type { Point } from './tiles/viewTransform';

interface MasksActionsParts {
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  port: PagePort<MasksViewState>;
  text: MasksText;
  store: MasksStore;
  stage: MasksStage;
  current: CurrentImage;
  selection: MasksSelection;
  onFailure: (error: unknown, key?: 'saveFailed') => void;
}

/** What users do by a key or the image's context menu, and by a button too. */
export class MasksActions {
  constructor(private readonly parts: MasksActionsParts) {}

  /** From now on keys and the entries of the menu work. */
  listen(): void {
    const { panel, text, store, stage, current, selection, onFailure } = this.parts;
    const { hasMasks, list, look, layout } = store;
    const { canvas } = stage;
    const shared = {
      canvas,
      onSave: () => store.save(),
      onShortcuts: () => showShortcuts(text.get('shortcuts'), masksShortcuts(text, hasMasks)),
    };
    masksKeys({
      ...shared,
      hasMasks,
      onImage: step => list.go(step),
      onStyle: () => look.toggleFill(),
      onPeek: peeking => look.peek(peeking),
      onEscape: () => this.escape(),
      onTool: tool => layout.toggleTool(tool),
      onSelectView: () => selection.selectRegion(canvas.regionInView),
      onMinimap: () => this.toggleMinimap(),
    });
    const menu = new MasksMenu({
      ...shared,
      panel,
      current,
      focus: selection.focus,
      pointer: selection.pointer,
      text,
      store,
      selected: () => selection.objects,
      onExportSelected: () => selection.exportSelected(),
      onCopied: () => store.messages.say(text.get('measurementsCopied')),
      onFailure,
    });
    panel.on('menuCommand', ({ command }) => menu.run(command));
  }

  /** Saves the view as it is on the screen to a file that the user selects. */
  async save(): Promise<void> {
    const { panel, text, store, stage, current, onFailure } = this.parts;
    const { image, scene } = current;
    // Else the canvas still has the image before.
    if (!image || !scene) return;
    try {
      const saved = await saveView(panel, store.names.of(image), await stage.capture(), store.hasMasks);
      if (saved !== null) store.messages.say(text.get('viewSaved', saved));
    } catch (error) {
      onFailure(error, 'saveFailed');
    }
  }

  /**
   * Ends the drawing of a region, else clears a selection of several objects, else leaves the tool that selects, else clears the
   * selected object.
   */
  private escape(): void {
    const { stage, selection, store } = this.parts;
    if (stage.canvas.pointer.cancelRegion()) return;
    if (selection.hasSeveral || store.layout.tool.peek() === 'move') selection.clear();
    else store.layout.use('move');
  }

  private toggleMinimap(): void {
    const { stage, port } = this.parts;
    stage.minimapEnabled = !stage.minimapEnabled;
    port.updateView({ minimap: stage.minimapEnabled });
  }
}

interface MasksKeysOptions {
  canvas: CanvasView;
  /** False where an image is shown by itself: keys for masks do nothing. */
  hasMasks: boolean;
  onImage: (step: number) => void;
  /** Between filled masks and outlines. */
  onStyle: () => void;
  /** Held down to see the background image without its masks. */
  onPeek: (peeking: boolean) => void;
  onEscape: () => void;
  /** Puts a tool in use; one of those that select is put away where it is in use. */
  onTool: (tool: DragTool) => void;
  /** All objects in view, as with a rectangle around them. */
  onSelectView: () => void;
  onMinimap: () => void;
  onSave: () => void;
  /** The list of these keys. */
  onShortcuts: () => void;
}

/** The page's keys. They work wherever the focus is, except where it needs them itself. */
function masksKeys(options: MasksKeysOptions): void {
  const { canvas, hasMasks, onImage, onStyle, onPeek, onEscape, onTool, onSelectView, onMinimap } = options;
  const actions: Record<Exclude<MasksKey, CanvasKey>, () => void> = {
    '+': () => canvas.zoomBy(1.5),
    '=': () => canvas.zoomBy(1.5),
    '-': () => canvas.zoomBy(1 / 1.5),
    _: () => canvas.zoomBy(1 / 1.5),
    '0': () => canvas.fit(),
    f: () => canvas.fit(),
    '1': () => canvas.actualSize(),
    '[': () => onImage(-1),
    ']': () => onImage(1),
    h: () => onPeek(true),
    o: onStyle,
    r: () => onTool('rectangle'),
    l: () => onTool('lasso'),
    v: () => onTool('move'),
    a: onSelectView,
    m: onMinimap,
    s: options.onSave,
    '?': options.onShortcuts,
    Escape: onEscape,
  };
  addEventListener('keydown', event => {
    // Keys with these belong to VS Code; AltGr types the brackets on many keyboards.
    const altGraph = event.getModifierState('AltGraph');
    if ((event.ctrlKey || event.metaKey || event.altKey) && !altGraph) return;
    const inField = isTypedInto(event.target);
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const onCanvas = event.target === canvas.canvas || event.target === document.body;
    const isOurs = !inField && isKeyOf(actions, key) && (hasMasks || !isMasksKey(key));
    const action = isOurs ? actions[key] : undefined;
    if (action) {
      if (!event.repeat || key !== 'h') action();
    } else if (!onCanvas || !canvas.key(event)) return;
    event.preventDefault();
  });
  addEventListener('keyup', event => {
    if (event.key.toLowerCase() === 'h') onPeek(false);
  });
  addEventListener('blur', () => onPeek(false));
}

/** Checkboxes and sliders have none of the page's keys; what is typed into a list selects an entry. */
function isTypedInto(target: EventTarget | null): boolean {
  if (target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'range', 'color'].includes(target.type);
}

function isKeyOf<T extends object>(of: T, key: string): key is Extract<keyof T, string> {
  return Object.hasOwn(of, key);
}

interface MasksMenuParts {
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  text: MasksText;
  store: MasksStore;
  canvas: CanvasView;
  current: CurrentImage;
  focus: ObjectFocus;
  pointer: ObjectPointer;
  /** What is selected: several objects, or the one in focus. */
  selected: () => readonly ObjectsOfImage[];
  onExportSelected: () => void;
  onSave: () => void;
  onShortcuts: () => void;
  /** The measurements of an object are on the clipboard. */
  onCopied: () => void;
  onFailure: (error: unknown) => void;
}

/** What the entries of the image's context menu do. */
class MasksMenu {
  private readonly menu: CanvasMenu;

  constructor(private readonly parts: MasksMenuParts) {
    const { canvas, pointer } = parts;
    this.menu = new CanvasMenu({
      canvas: canvas.canvas,
      objectAt: onPanel => pointer.objectUnder(canvas.toImage(onPanel)),
      focused: () => this.focused(),
      hasSelection: () => parts.selected().length > 0,
    });
  }

  run(command: MasksMenuCommand): void {
    const { canvas, store, onExportSelected, onSave, onShortcuts } = this.parts;
    const { object } = this.menu;
    const position = object && this.classOf(object);
    switch (command) {
      case 'zoomToObject':
        if (object) void this.zoomTo(object);
        break;
      case 'showOnlyClass':
        if (position !== null && position !== undefined) store.look.showOnly(position);
        break;
      case 'copyMeasurements':
        if (object) void this.copyMeasurements(object);
        break;
      case 'exportSelectedObjects':
        onExportSelected();
        break;
      case 'fitMasks':
        canvas.fit();
        break;
      case 'saveMasksView':
        onSave();
        break;
      case 'showMasksShortcuts':
        onShortcuts();
    }
  }

  private async zoomTo({ image, object }: ObjectRef): Promise<void> {
    const { current, canvas, onFailure } = this.parts;
    const { scene } = current;
    if (scene?.image.index !== image) return;
    try {
      const box = await scene.loadBox(object);
      if (box && current.scene === scene) canvas.zoomTo(box);
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }

  private async copyMeasurements(object: ObjectRef): Promise<void> {
    const { panel, text, store, current, onCopied, onFailure } = this.parts;
    const { image } = current;
    if (!image || object.image !== image.index) return;
    try {
      const { details, pixelSize, means, info } = await store.measurementsOf(object);
      const named = means.map((mean, at) => ({ channel: info ? channelName(text, info, at) : '', mean }));
      const measured = { image: pathOfImage(image), details, pixelSize, means: named };
      await panel.request('copy', { text: tabSeparated(measurementCells(text, measured)) });
      onCopied();
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }

  /** The selected object of the image shown, at the place nearest to it; else the middle of the panel. */
  private focused(): { object: ObjectRef | null; onPanel: { x: number; y: number } } {
    const { canvas, focus } = this.parts;
    const { width, height } = canvas.size;
    const box = focus.selected && this.boxOf(focus.selected);
    if (!box) return { object: null, onPanel: { x: width / 2, y: height / 2 } };
    const [x1, y1, x2, y2] = box;
    const { x, y } = canvas.toPanel({ x: (x1 + x2) / 2, y: (y1 + y2) / 2 });
    const within = (at: number, size: number) => Math.min(size, Math.max(0, at));
    return { object: focus.selected, onPanel: { x: within(x, width), y: within(y, height) } };
  }

  private boxOf({ image, object }: ObjectRef) {
    const { scene } = this.parts.current;
    return scene?.image.index === image ? scene.boxOf(object) : undefined;
  }

  private classOf({ image, object }: ObjectRef): number | undefined {
    const { scene } = this.parts.current;
    return scene?.image.index === image ? scene.objects?.classes[object] : undefined;
  }
}

interface CanvasMenuOptions {
  canvas: HTMLCanvasElement;
  /** The object that a menu at a point of the panel means; null beside the objects. */
  objectAt: (onPanel: Point) => Promise<ObjectRef | null>;
  /** What a menu opened by the keyboard means, and where on the panel it is. */
  focused: () => { object: ObjectRef | null; onPanel: Point };
  /** Whether any objects are selected. */
  hasSelection: () => boolean;
}

/**
 * The context menu of the image, which VS Code shows (`webview/context` in package.json). It has to know at once whether
 * there is an object, and which one takes a moment to find out: the event is held back, and a second one opens the menu.
 */
class CanvasMenu {
  /** What the menu was opened on. */
  object: ObjectRef | null = null;
  private events = 0;
  private opening: Event | undefined;

  constructor(private readonly options: CanvasMenuOptions) {
    addEventListener('contextmenu', event => void this.open(event), { capture: true });
  }

  private async open(event: MouseEvent): Promise<void> {
    const { canvas, objectAt, focused, hasSelection } = this.options;
    if (event === this.opening) return;
    // No button was pressed.
    const byKeyboard = event.button < 0;
    if (event.target !== canvas && !(byKeyboard && event.target === document.body)) return;
    event.preventDefault();
    const current = ++this.events;
    const { left, top } = canvas.getBoundingClientRect();
    const pointed = { x: event.clientX - left, y: event.clientY - top };
    const { object, onPanel } = byKeyboard
      ? focused()
      : { object: await objectAt(pointed), onPanel: pointed };
    if (current !== this.events || !canvas.isConnected) return;
    this.object = object;
    canvas.dataset['vscodeContext'] = JSON.stringify({
      webviewSection: object ? 'object' : 'image',
      ...(hasSelection() && { objectsSelected: true }),
    });
    const [clientX, clientY] = [left + onPanel.x, top + onPanel.y];
    this.opening = new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX, clientY });
    canvas.dispatchEvent(this.opening);
  }
}

/** Bytes in one message. */
const PNG_PART = 4 * 2 ** 20;

/** Sends a rendered view to the panel, which shows a save dialog. Returns the path, or null if the dialog was canceled. */
async function saveView(
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>,
  imageName: string,
  png: Blob,
  hasMasks: boolean,
): Promise<string | null> {
  // Not the image's own name: the view isn't the data.
  const name = `${imageName.replaceAll('/', '_').replace(/\.[^.]+$/, '')}_${hasMasks ? 'masks' : 'view'}.png`;
  const { save } = await panel.request('saveView', { name });
  if (save === null) return null;
  for (let from = 0; ; from += PNG_PART) {
    const bytes = await png.slice(from, from + PNG_PART).arrayBuffer();
    const last = from + PNG_PART >= png.size;
    const { saved } = await panel.request('saveViewPart', { save, bytes, last });
    if (last) return saved;
  }
}
