import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { PlotWindow } from '../../columns/viewSpec';
import type { PlotSpec } from './plotTypes';

/** How the drawer was left; part of the table page's saved state. */
export interface DrawerState {
  open: boolean;
  side: 'below' | 'right';
  /** Height or width in pixels. */
  size: number;
  plots: PlotSpec[];
  /** The part of each plot that is shown; null for all. */
  windows?: (PlotWindow | null)[];
  /** Pixels by which the plots are scrolled. */
  top?: number;
}

export const CLOSED_DRAWER: DrawerState = { open: false, side: 'below', size: 320, plots: [] };

/** The plots beside the rows: which there are, and where; each change is saved with the view at once. */
export class DrawerModel {
  readonly isOpen: ReadonlySignal<boolean>;
  private readonly now: Signal<DrawerState>;

  constructor(
    state: DrawerState,
    private readonly save: (state: DrawerState) => void,
  ) {
    this.now = signal(state);
    this.isOpen = computed(() => this.now.value.open);
  }

  get state(): ReadonlySignal<DrawerState> {
    return this.now;
  }

  change(changes: Partial<DrawerState>): void {
    this.now.value = { ...this.now.peek(), ...changes };
    this.save(this.now.peek());
  }
}
