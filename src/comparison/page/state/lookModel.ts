import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ComparedSide } from '../../comparison';
import type { SavedView } from './comparisonViewState';

/** The visibility of outlines, and the effect of dragging. */
export class LookModel {
  private readonly visible = { a: signal(true), b: signal(true) };
  private readonly colors: Signal<boolean>;
  private readonly tool = signal(false);

  constructor(private readonly view: SavedView) {
    for (const side of view.saved.hidden ?? []) this.visible[side].value = false;
    this.colors = signal(view.saved.isColored ?? true);
  }

  isShown(side: ComparedSide): ReadonlySignal<boolean> {
    return this.visible[side];
  }

  get isColored(): ReadonlySignal<boolean> {
    return this.colors;
  }

  /** Whether dragging draws the region to compare. */
  get draws(): ReadonlySignal<boolean> {
    return this.tool;
  }

  toggleSide(side: ComparedSide): void {
    this.visible[side].value = !this.visible[side].peek();
    this.view.save({ hidden: (['a', 'b'] as const).filter(each => !this.visible[each].peek()) });
  }

  toggleColors(): void {
    this.colors.value = !this.colors.peek();
    this.view.save({ isColored: this.colors.peek() });
  }

  /** Switches between drawing the region to compare and moving the image. */
  toggleTool(on = !this.tool.peek()): void {
    this.tool.value = on;
  }
}
