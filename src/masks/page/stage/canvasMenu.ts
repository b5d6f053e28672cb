import type { ObjectRef } from '../../objectRef';
import type { Point } from './viewTransform';

export interface CanvasMenuOptions {
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
export class CanvasMenu {
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
