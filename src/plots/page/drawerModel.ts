import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { TableColumn } from '../../columns/tableSummary';
import type { PlotWindow } from '../../columns/viewSpec';
import type { PlaceOf } from '../../table/page/movedColumns';
import { MIN_ROWS } from '../../table/page/state/groupsPlace';
import { RowNames } from '../../drawing/page/plotCaches';
import { type LoadingTable, PlotModel } from './plotModel';
import { firstPlot, movedPlots, type PlotSpec, validPlots } from './plotTypes';

/** The state of the drawer, which the table page saves. */
export interface DrawerState {
  open: boolean;
  side: 'below' | 'right';
  /** Height or width in pixels. */
  size: number;
  plots: PlotSpec[];
  /** The visible part of each plot; null for all of it. */
  windows?: (PlotWindow | null)[];
  /** Scroll position of the plots in pixels. */
  top?: number;
}

export const CLOSED_DRAWER: DrawerState = { open: false, side: 'below', size: 320, plots: [] };

type DrawerLayout = Omit<DrawerState, 'plots' | 'windows'>;

interface Room {
  width: number;
  height: number;
}

interface DrawerModelOptions extends LoadingTable {
  /**
   * Size shared by rows, plots and other content below the rows, in pixels; undefined until
   * measured.
   */
  room: ReadonlySignal<Room | undefined>;
  /** Height in pixels that other content needs below the rows, see drawerPlace. */
  heightNeededBelow: (room: Room) => number;
  save: (state: DrawerState) => void;
}

/** Width from which cards are side by side. */
const CARD_WIDTH = 380;
const CARD_PADDING = 24;

/** The plots beside the rows, and their position. Changes are saved with the view at once. */
export class DrawerModel {
  readonly isOpen: ReadonlySignal<boolean>;
  readonly place: ReadonlySignal<DrawerPlace>;
  /** Height of the drawer below the rows in pixels, else 0. */
  readonly heightBelow: ReadonlySignal<number>;
  /** Whether the plots replace the rows and the content below them. */
  readonly isOver: ReadonlySignal<boolean>;
  readonly plots: ReadonlySignal<readonly PlotModel[]>;
  /** Number of cards side by side. */
  readonly perRow: ReadonlySignal<number>;
  /** Space for a plot in a card, in pixels; undefined until measured. */
  readonly cards: ReadonlySignal<Room | undefined>;
  /** Whether all plots on the screen are up to date. */
  readonly isSettled: ReadonlySignal<boolean>;
  /** Whether data of plots must be loaded, see `load`. */
  readonly isStale: ReadonlySignal<boolean>;
  /** The columns that pickers list. A new list when names or kinds change. */
  readonly columns: ReadonlySignal<readonly TableColumn[]>;
  readonly names: RowNames;
  private readonly savedLayout: Signal<DrawerLayout>;
  private readonly shown: Signal<readonly PlotModel[]>;
  private readonly listRoom = signal<Room | undefined>(undefined);
  private readonly listedColumns: Signal<readonly TableColumn[]>;

  constructor(
    { plots, windows = [], ...layout }: DrawerState,
    readonly options: DrawerModelOptions,
  ) {
    const { room, heightNeededBelow, source, imageMeasures } = options;
    this.savedLayout = signal(layout);
    this.plots = this.shown = signal(plots.map((plot, index) => this.make(plot, windows[index])));
    this.names = new RowNames(source);
    this.isOpen = computed(() => this.savedLayout.value.open);
    // Computed apart, as scrolling doesn't change the place.
    const side = computed(() => this.savedLayout.value.side);
    const size = computed(() => this.savedLayout.value.size);
    this.place = computed(() => {
      const preferred = { side: side.value, size: size.value };
      // Before the size is measured, the saved size is used.
      if (!room.value) return drawerPlace(preferred, { width: Infinity, height: Infinity });
      return drawerPlace(preferred, room.value, heightNeededBelow(room.value));
    });
    this.heightBelow = computed(() => {
      const { where, size: height } = this.place.value;
      return this.isOpen.value && where === 'below' ? height : 0;
    });
    this.isOver = computed(() => this.isOpen.value && this.place.value.where === 'over');
    this.perRow = computed(() => {
      const { width = 0 } = this.listRoom.value ?? {};
      return Math.max(1, Math.min(this.shown.value.length, Math.floor(width / CARD_WIDTH)));
    });
    this.cards = computed(() => {
      const list = this.listRoom.value;
      if (!list) return undefined;
      // A card is at most as high as the list, so that all of it can be seen.
      return { width: Math.floor(list.width / this.perRow.value) - CARD_PADDING, height: list.height };
    });
    this.isSettled = computed(() => this.shown.value.every(plot => plot.isSettled));
    this.isStale = computed(() => this.isOpen.value && this.shown.value.some(plot => plot.isStale));
    this.columns = this.listedColumns = signal(source.table.columns);
    source.onDidChange(change => {
      if (change === 'sort') return;
      if (change === 'table') {
        this.names.clear();
        this.followColumns();
      }
      for (const plot of this.shown.peek()) plot.dataChanged(change);
    });
    imageMeasures?.onDidChange(renamed => this.imageMeasuresChanged(renamed));
  }

  /** Saved scroll position of the plots, in pixels. */
  get top(): number {
    return this.savedLayout.peek().top ?? 0;
  }

  /** Opens or closes the drawer. If it is empty, adds the most useful plot for the table. */
  toggle(): void {
    const open = !this.isOpen.peek();
    this.change({ open });
    if (!open || this.shown.peek().length > 0) return;
    for (const kind of ['scatter', 'histogram', 'bar'] as const) if (this.add(kind)) return;
  }

  /** Closes the drawer, and returns the focus to the rows. */
  leave(): void {
    this.change({ open: false });
    this.options.enterRows();
  }

  /** Adds a plot of a type. Returns false if no columns fit. */
  add(kind: PlotSpec['kind']): boolean {
    const spec = firstPlot(kind, this.options.source.table.columns);
    if (spec) this.setPlots([...this.shown.peek(), this.make(spec)]);
    return spec !== undefined;
  }

  remove(plot: PlotModel): void {
    this.setPlots(this.shown.peek().filter(other => other !== plot));
  }

  /** Shows these plots. Equal plots that are already shown stay. */
  restore(specs: readonly PlotSpec[], open = true): void {
    const remaining = [...this.shown.peek()];
    const plots = specs.map(spec => {
      const index = remaining.findIndex(plot => JSON.stringify(plot.spec) === JSON.stringify(spec));
      return (index < 0 ? undefined : remaining.splice(index, 1)[0]) ?? this.make(spec);
    });
    this.setPlots(plots, { open: this.isOpen.peek() || (open && specs.length > 0) });
  }

  /** Columns moved. */
  columnsMoved(placeOf: PlaceOf): void {
    const { columns } = this.options.source.table;
    const specs = this.shown.peek().map(({ spec }) => spec);
    this.restore(validPlots(movedPlots(specs, placeOf), columns), false);
  }

  /** The list of cards was resized, in pixels. */
  measured(width: number, height: number): void {
    // A hidden list has no size; the last size of the cards stays.
    if (width > 0) this.listRoom.value = { width, height };
  }

  /** Loads outdated data, if the plots are visible. */
  load(): void {
    if (this.isOpen.peek()) for (const plot of this.shown.peek()) if (plot.isStale) void plot.load();
  }

  scrolled(top: number): void {
    this.change({ top });
  }

  switchSide(): void {
    this.change({ side: this.place.peek().where === 'below' ? 'right' : 'below' });
  }

  /** Changes the height or width, within limits; without an argument, to the default. */
  resize(size: number = CLOSED_DRAWER.size): void {
    const { min, max } = this.place.peek();
    this.change({ size: Math.max(min, Math.min(max, size)) });
  }

  /** The table was read further or again: columns and their kinds may have changed. */
  private followColumns(): void {
    const { columns } = this.options.source.table;
    if (columnsMark(columns) === columnsMark(this.listedColumns.peek())) return;
    this.listedColumns.value = columns;
    for (const plot of this.shown.peek()) plot.columnsChanged();
    this.change({});
  }

  /** Measures of images have other values, and perhaps other keys. */
  private imageMeasuresChanged(renamed: (key: string) => string): void {
    const areRenamed = this.shown.peek().map(plot => plot.imageMeasureChanged(renamed));
    if (areRenamed.includes(true)) this.change({});
  }

  private make(spec: PlotSpec, window: PlotWindow | null = null): PlotModel {
    return new PlotModel(this.options, spec, window, () => this.change({}));
  }

  private setPlots(plots: readonly PlotModel[], changes: Partial<DrawerLayout> = {}): void {
    for (const plot of this.shown.peek()) if (!plots.includes(plot)) plot.dispose();
    this.shown.value = plots;
    this.change(changes);
  }

  private change(changes: Partial<DrawerLayout>): void {
    this.savedLayout.value = { ...this.savedLayout.peek(), ...changes };
    const plots = this.shown.peek();
    this.options.save({
      ...this.savedLayout.peek(),
      plots: plots.map(({ spec }) => spec),
      windows: plots.map(({ zoom }) => zoom.window),
    });
  }
}

/** A text that is equal for columns with equal names and kinds. */
function columnsMark(columns: readonly TableColumn[]): string {
  return JSON.stringify(columns.map(({ name, kind }) => [name, kind]));
}

/**
 * Minimum size of a plot in pixels: its head, pickers, and a drawing with both axes. In a narrow
 * plot, pickers have two lines.
 */
const MIN_PLOTS = { width: 240, height: 212 };
const NARROW_MIN_HEIGHT = 244;
/** Width from which the pickers of three columns have one line. */
const ONE_LINE = 556;

/** The preferred position of the plots, with their height or width. */
interface PreferredPlace {
  side: 'below' | 'right';
  size: number;
}

/**
 * The position of the plots. `over`: in place of the rows, for lack of room; `size` is the height
 * of the whole area then.
 */
interface DrawerPlace {
  where: 'below' | 'right' | 'over';
  size: number;
  min: number;
  max: number;
}

/**
 * Places plots in the area that they share with the rows: on the preferred side or, if that has no
 * room, on the other. `heightNeededBelow`: what other content needs below the rows, in pixels.
 */
export function drawerPlace(
  { side, size }: PreferredPlace,
  room: { width: number; height: number },
  heightNeededBelow = 0,
): DrawerPlace {
  const neededByOthers = { width: 0, height: heightNeededBelow };
  for (const where of [side, side === 'below' ? 'right' : 'below'] as const) {
    const dimension = where === 'below' ? 'height' : 'width';
    const isNarrow = where === 'below' && room.width < ONE_LINE;
    const min = isNarrow ? NARROW_MIN_HEIGHT : MIN_PLOTS[dimension];
    const max = room[dimension] - MIN_ROWS[dimension] - neededByOthers[dimension];
    if (max >= min) return { where, size: Math.round(Math.max(min, Math.min(max, size))), min, max };
  }
  return { where: 'over', size: room.height, min: room.height, max: room.height };
}
