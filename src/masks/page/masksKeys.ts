import { isMasksKey, type CanvasKey, type MasksKey } from './masksShortcuts';
import type { CanvasView } from './stage/canvasView';
import type { DragTool } from './stage/regionTool';

export interface MasksKeysOptions {
  canvas: CanvasView;
  /** False where an image is shown by itself: keys for masks do nothing. */
  hasMasks: boolean;
  onImage: (step: number) => void;
  /** Between filled masks and outlines. */
  onStyle: () => void;
  /** Held down to see the background image without its masks. */
  onPeek: (peeking: boolean) => void;
  onEscape: () => void;
  onTool: (tool: DragTool) => void;
  /** All objects in view, as with a rectangle around them. */
  onSelectView: () => void;
  onMinimap: () => void;
  onSave: () => void;
  /** The list of these keys. */
  onShortcuts: () => void;
}

/** The page's keys. They work wherever the focus is, except where it needs them itself. */
export function masksKeys(options: MasksKeysOptions): void {
  const { canvas, hasMasks, onImage, onStyle, onPeek, onEscape, onTool, onSelectView, onMinimap } = options;
  const toggle = (tool: DragTool) => onTool(canvas.pointer.tool === tool ? 'move' : tool);
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
    r: () => toggle('rectangle'),
    l: () => toggle('lasso'),
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
