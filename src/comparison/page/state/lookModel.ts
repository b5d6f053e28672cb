import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ComparedSide } from '../../comparison';
import type { SavedView } from './comparisonViewState';

/** The visibility of outlines, and the effect of dragging. */
export class LookModel {
  private readonly visible = { a: signal(true), b: signal(true) };
  private readonly colored: Signal<boolean>;
  private readonly drawing = signal(false);

  constructor(private readonly view: SavedView) {
    for (const side of view.saved.hidden ?? []) this.visible[side].value = false;
    this.colored = signal(view.saved.isColored ?? true);
  }

  isShown(side: ComparedSide): ReadonlySignal<boolean> {
    return this.visible[side];
  }

  get isColored(): ReadonlySignal<boolean> {
    return this.colored;
  }

  /** Whether dragging draws the region to compare. */
  get isDrawing(): ReadonlySignal<boolean> {
    return this.drawing;
  }

  toggleSide(side: ComparedSide): void {
    this.visible[side].value = !this.visible[side].peek();
    this.view.save({ hidden: (['a', 'b'] as const).filter(name => !this.visible[name].peek()) });
  }

  toggleColors(): void {
    this.colored.value = !this.colored.peek();
    this.view.save({ isColored: this.colored.peek() });
  }

  /** Switches between drawing the region to compare and moving the image. */
  toggleTool(on = !this.drawing.peek()): void {
    this.drawing.value = on;
  }
}
