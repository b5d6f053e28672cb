import type { CanvasView } from './canvasView';

export interface MasksKeysOptions {
  canvas: CanvasView;
  onImage: (step: number) => void;
  /** Between filled masks and outlines. */
  onStyle: () => void;
  /** Held down to see the picture without its masks. */
  onPeek: (peeking: boolean) => void;
  onEscape: () => void;
}

/** The page's keys. They work wherever the focus is, except where it needs them itself. */
export function masksKeys({ canvas, onImage, onStyle, onPeek, onEscape }: MasksKeysOptions): void {
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
    Escape: onEscape,
  };
  addEventListener('keydown', event => {
    // Keys with these belong to VS Code; AltGr types the brackets on many keyboards.
    const altGraph = event.getModifierState('AltGraph');
    if ((event.ctrlKey || event.metaKey || event.altKey) && !altGraph) return;
    const inField = event.target instanceof HTMLInputElement;
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
