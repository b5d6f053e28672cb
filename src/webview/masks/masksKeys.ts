import type { CanvasView } from './canvasView';
import type { DragTool } from './regionTool';

export interface MasksKeysOptions {
  canvas: CanvasView;
  onImage: (step: number) => void;
  /** Between filled masks and outlines. */
  onStyle: () => void;
  /** Held down to see the picture without its masks. */
  onPeek: (peeking: boolean) => void;
  onEscape: () => void;
  onTool: (tool: DragTool) => void;
  /** All objects in view, as with a rectangle around them. */
  onPickView: () => void;
  onMinimap: () => void;
  onSave: () => void;
}

/** The page's keys. They work wherever the focus is, except where it needs them itself. */
export function masksKeys(options: MasksKeysOptions): void {
  const { canvas, onImage, onStyle, onPeek, onEscape, onTool, onPickView, onMinimap, onSave } = options;
  const toggle = (tool: DragTool) => onTool(canvas.tool === tool ? 'move' : tool);
  const actions: Record<string, () => void> = {
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
    a: onPickView,
    m: onMinimap,
    s: onSave,
    Escape: onEscape,
  };
  addEventListener('keydown', event => {
    // Keys with these belong to VS Code; AltGr types the brackets on many keyboards.
    const altGraph = event.getModifierState('AltGraph');
    if ((event.ctrlKey || event.metaKey || event.altKey) && !altGraph) return;
    const inField = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const onCanvas = event.target === canvas.canvas || event.target === document.body;
    const action = inField ? undefined : actions[key];
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
