import { element, setAttribute } from './element';

const KEY_STEP = 16;
const LARGE_STEP = 80;

interface DividerOptions {
  /** The element that becomes the line; without it, one is made. */
  root?: HTMLElement;
  label: string;
  /** ID of what it makes larger and smaller, which lies after it. */
  controls: string;
  /** Dragged or moved by keys: the size wanted, in CSS pixels, not yet limited. */
  onResize: (size: number) => void;
  /** A double click: back to the usual size. */
  onReset: () => void;
}

/** How far a divider can go now, in CSS pixels. */
interface DividerPlace {
  /** Whether what it resizes lies to its right, not below it. */
  beside: boolean;
  size: number;
  min: number;
  max: number;
}

/** A line between two areas that is dragged, or moved by the arrow keys, Home and End, to resize the second. */
export class Divider {
  readonly root: HTMLElement;
  private place: DividerPlace = { beside: true, size: 0, min: 0, max: 0 };
  private grabbed: { at: number; size: number } | undefined;

  constructor(private readonly options: DividerOptions) {
    this.root = options.root ?? element('div');
    const attributes = { class: 'divider', role: 'separator', tabindex: 0, title: options.label };
    const names = { 'aria-label': options.label, 'aria-controls': options.controls };
    for (const [name, value] of Object.entries({ ...attributes, ...names }))
      setAttribute(this.root, name, value);
    this.root.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      this.root.setPointerCapture(event.pointerId);
      this.grabbed = { at: this.along(event), size: this.place.size };
    });
    this.root.addEventListener('pointermove', event => {
      if (this.grabbed) options.onResize(this.grabbed.size + this.grabbed.at - this.along(event));
    });
    this.root.addEventListener('lostpointercapture', () => (this.grabbed = undefined));
    this.root.addEventListener('dblclick', () => options.onReset());
    this.root.addEventListener('keydown', event => this.key(event));
  }

  show(place: DividerPlace): void {
    this.place = place;
    const { beside, size, min, max } = place;
    const { root } = this;
    root.classList.toggle('beside', beside);
    root.setAttribute('aria-orientation', beside ? 'vertical' : 'horizontal');
    root.setAttribute('aria-valuenow', String(Math.round(size)));
    root.setAttribute('aria-valuemin', String(Math.round(min)));
    root.setAttribute('aria-valuemax', String(Math.round(max)));
  }

  private along(event: PointerEvent): number {
    return this.place.beside ? event.clientX : event.clientY;
  }

  private key(event: KeyboardEvent): void {
    const { beside, size, min, max } = this.place;
    const step = event.shiftKey ? LARGE_STEP : KEY_STEP;
    const targets: Record<string, number> = {
      [beside ? 'ArrowLeft' : 'ArrowUp']: size + step,
      [beside ? 'ArrowRight' : 'ArrowDown']: size - step,
      Home: min,
      End: max,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.options.onResize(target);
  }
}

/** What the rows of a table need beside plots or groups: header, scroll bar and three rows; row number, ID and a measurement. In pixels. */
export const MIN_ROWS = { width: 240, height: 180 };
