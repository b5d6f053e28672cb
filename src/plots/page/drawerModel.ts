import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { TableColumn } from '../../columns/tableSummary';
import type { PlotWindow } from '../../columns/viewSpec';
import { MIN_ROWS } from '../../pages/page/widgets/divider';
import { firstPlot, type PlotSpec } from './plotTypes';

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

interface Room {
  width: number;
  height: number;
}

interface DrawerModelOptions {
  columns: () => readonly TableColumn[];
  /** What rows, plots and what else is below the rows share, in pixels; undefined until it is known. */
  room: ReadonlySignal<Room | undefined>;
  /** Pixels that something else needs below the rows, see drawerPlace. */
  taken: (room: Room) => number;
  save: (state: DrawerState) => void;
}

/** The plots beside the rows: which there are, and where; each change is saved with the view at once. */
export class DrawerModel {
  readonly isOpen: ReadonlySignal<boolean>;
  readonly place: ReadonlySignal<DrawerPlace>;
  /** Its height where it is below the rows, else 0; in pixels. */
  readonly heightBelow: ReadonlySignal<number>;
  /** Whether it is in place of the rows and what is below them. */
  readonly isOver: ReadonlySignal<boolean>;
  private readonly now: Signal<DrawerState>;

  constructor(
    state: DrawerState,
    private readonly options: DrawerModelOptions,
  ) {
    const { room, taken } = options;
    this.now = signal(state);
    this.isOpen = computed(() => this.now.value.open);
    // Scrolling and zooming leave the place as it is.
    const side = computed(() => this.now.value.side);
    const size = computed(() => this.now.value.size);
    this.place = computed(() => {
      const wanted = { side: side.value, size: size.value };
      // Before the room is known there is as much as is wanted.
      if (!room.value) return drawerPlace(wanted, { width: Infinity, height: Infinity });
      return drawerPlace(wanted, room.value, taken(room.value));
    });
    this.heightBelow = computed(() => {
      const { where, size: height } = this.place.value;
      return this.isOpen.value && where === 'below' ? height : 0;
    });
    this.isOver = computed(() => this.isOpen.value && this.place.value.where === 'over');
  }

  get state(): ReadonlySignal<DrawerState> {
    return this.now;
  }

  /** Opens or closes the drawer; an empty one starts with the plot that says most about the table. */
  toggle(): void {
    const open = !this.isOpen.peek();
    this.change({ open });
    if (!open || this.now.peek().plots.length > 0) return;
    const columns = this.options.columns();
    const plot =
      firstPlot('scatter', columns) ?? firstPlot('histogram', columns) ?? firstPlot('bar', columns);
    if (plot) this.add(plot);
  }

  add(plot: PlotSpec): void {
    const { plots, windows = [] } = this.now.peek();
    this.change({ plots: [...plots, plot], windows: [...plots.map((_, at) => windows[at] ?? null), null] });
  }

  /** Shows these plots; those that are shown already stay as they are. */
  restore(plots: readonly PlotSpec[]): void {
    const { plots: before, windows = [], open } = this.now.peek();
    const left = before.map((plot, at) => ({ mark: JSON.stringify(plot), window: windows[at] ?? null }));
    const kept = plots.map(plot => {
      const at = left.findIndex(({ mark }) => mark === JSON.stringify(plot));
      return at < 0 ? null : (left.splice(at, 1)[0]?.window ?? null);
    });
    this.change({ plots: [...plots], windows: kept, open: open || plots.length > 0 });
  }

  /** Another height or width, as far as there is room. */
  resize(size: number): void {
    const { min, max } = this.place.peek();
    this.change({ size: Math.max(min, Math.min(max, size)) });
  }

  change(changes: Partial<DrawerState>): void {
    this.now.value = { ...this.now.peek(), ...changes };
    this.options.save(this.now.peek());
  }
}

/** Less than this shows no plot. */
const MIN_PLOTS = { width: 240, height: 160 };

/** Where the plots are wanted, and how high or wide. */
interface WantedPlace {
  side: 'below' | 'right';
  size: number;
}

/** Where they go. `over`: in place of the rows, since there is no room for both; `size` is then that of all. */
export interface DrawerPlace {
  where: 'below' | 'right' | 'over';
  size: number;
  min: number;
  max: number;
}

/**
 * Where plots go in the room that they share with the rows: on the other side where there is no room on the one wanted.
 * `below`: pixels that something else needs below the rows.
 */
export function drawerPlace(
  { side, size }: WantedPlace,
  room: { width: number; height: number },
  below = 0,
): DrawerPlace {
  const taken = { width: 0, height: below };
  for (const where of [side, side === 'below' ? 'right' : 'below'] as const) {
    const along = where === 'below' ? 'height' : 'width';
    const [min, max] = [MIN_PLOTS[along], room[along] - MIN_ROWS[along] - taken[along]];
    if (max >= min) return { where, size: Math.round(Math.max(min, Math.min(max, size))), min, max };
  }
  return { where: 'over', size: room.height, min: room.height, max: room.height };
}
