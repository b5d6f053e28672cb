import { t } from '../../pages/page/l10n';
import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isCoded } from '../../base/errors';
import type { PlotWindow } from '../../columns/viewSpec';
import { GroupCache, RowValues } from '../../drawing/page/plotCaches';
import type { ImageMeasures, PlotTable } from '../../drawing/page/plottedTable';
import type { PlotAddition, PlotOnPage } from '../../drawing/page/plotAddition';
import type { PlotParts } from './plotDefinition';
import type { LoadedPlot, PlotDrawing } from '../../drawing/page/plotDrawing';
import type { plotFile } from '../../drawing/page/plotFile';
import { fittingPlot, type PlotSpec } from './plotTypes';
import { PlotZoom } from '../../drawing/page/plotZoom';

/** The plot to show, or why there is none. */
type PlotContent = 'loading' | 'plot' | 'empty' | { failure: string };

/** Requests a plot's data; undefined if there is nothing to draw. */
export type LoadPlot = (
  spec: PlotSpec,
  parts: PlotParts,
  signal: AbortSignal,
) => Promise<LoadedPlot | undefined>;

/**
 * The table of a plot, and the functions that load plots and write their files, from another
 * script.
 */
export interface LoadingTable extends PlotTable {
  /** Absent without metadata of images. */
  imageMeasures?: ImageMeasures | undefined;
  /** Additions of another subject to plots. */
  addition: ReadonlySignal<PlotAddition | undefined>;
  loadPlot: LoadPlot;
  plotFile: typeof plotFile;
}

/**
 * One plot: type, columns, visible part, and data, which follow the filters. Getters are reactive.
 */
export class PlotModel implements PlotOnPage {
  readonly zoom: PlotZoom;
  /** Of the marked row. */
  readonly values: RowValues;
  private readonly groups: GroupCache;
  private readonly now: Signal<PlotSpec>;
  private readonly shown = signal<PlotContent>('loading');
  private readonly pictured = signal<PlotDrawing | undefined>(undefined);
  private readonly busy = signal(false);
  private readonly stale = signal(true);
  /** Whether the loaded data is of the current rows and columns. */
  private isCurrent = false;
  private request = new AbortController();

  /** `window`: the saved visible part of the plot; null for all. `save` saves the view. */
  constructor(
    private readonly table: LoadingTable,
    spec: PlotSpec,
    window: PlotWindow | null,
    private readonly save: () => void,
  ) {
    this.now = signal(spec);
    this.zoom = new PlotZoom({ window, save, load: () => void this.load() });
    this.values = new RowValues(table);
    this.groups = new GroupCache(table.source);
  }

  get spec(): PlotSpec {
    return this.now.value;
  }

  get content(): PlotContent {
    return this.shown.value;
  }

  /** The current plot on the screen. */
  get drawing(): PlotDrawing | undefined {
    return this.pictured.value;
  }

  get isBusy(): boolean {
    return this.busy.value;
  }

  /** Whether its data are to be requested. */
  get isStale(): boolean {
    return this.stale.value;
  }

  /** Whether the screen shows its current state, or why it can't. */
  get isSettled(): boolean {
    return this.content === 'plot' ? this.drawing !== undefined : this.content !== 'loading';
  }

  /** Another type or other columns. */
  change(spec: PlotSpec): void {
    batch(() => {
      this.now.value = spec;
      this.zoom.clear();
      this.discardData();
    });
    this.save();
  }

  /** Its measure of images has other values, and perhaps another key; whether it has. */
  imageMeasureChanged(renamed: (key: string) => string): boolean {
    const { imageMeasure } = this.now.peek();
    if (imageMeasure === undefined) return false;
    const now = renamed(imageMeasure);
    if (now !== imageMeasure) this.now.value = { ...this.now.peek(), imageMeasure: now };
    this.discardData();
    return now !== imageMeasure;
  }

  /** The filters or the table changed: the data have to be requested again. */
  dataChanged(change: 'filters' | 'table'): void {
    this.discardData();
    if (change === 'filters') return;
    this.groups.clear();
    this.values.clear();
  }

  /** The table has other columns: the plot gets columns that fit. */
  columnsChanged(): void {
    const { spec } = this;
    const fitting = fittingPlot(spec, this.table.source.table.columns);
    if (fitting !== spec) this.zoom.clear();
    this.now.value = fitting;
  }

  async load(): Promise<void> {
    const { table, spec, zoom } = this;
    const { source, imageMeasures } = table;
    const { window } = zoom;
    this.request.abort();
    zoom.cancelPending();
    const { signal: isCancelled } = (this.request = new AbortController());
    this.stale.value = false;
    this.busy.value = true;
    const parts = {
      source,
      imageMeasures,
      addition: table.addition.peek(),
      window,
      allGroups: (params: Parameters<GroupCache['get']>[0]) => this.groups.get(params),
    };
    try {
      const loaded = await table.loadPlot(spec, parts, isCancelled);
      if (isCancelled.aborted) return;
      this.isCurrent = true;
      batch(() => {
        zoom.take(loaded);
        this.shown.value = loaded ? 'plot' : 'empty';
      });
    } catch (error) {
      if (!isCancelled.aborted && !isCoded(error, 'cancelled')) this.failed(error, window);
    } finally {
      if (this.request.signal === isCancelled) this.busy.value = false;
    }
  }

  /** It is on the screen like this, or no longer. */
  drawn(drawing: PlotDrawing | undefined): void {
    this.pictured.value = drawing;
  }

  /** Saves the shown plot. */
  async saveAs(type: 'png' | 'svg'): Promise<void> {
    const { drawing, table } = this;
    if (!drawing) return;
    try {
      table.savePlot(drawing.title, type, await table.plotFile(drawing, type));
    } catch (error) {
      table.messages.failed(t.later("Couldn't save the plot as PNG. Save it as SVG instead."), error);
    }
  }

  dispose(): void {
    this.request.abort();
    this.zoom.cancelPending();
    this.drawn(undefined);
    this.values.clear();
  }

  private discardData(): void {
    this.stale.value = true;
    this.isCurrent = false;
    this.zoom.discardOverview();
  }

  /** Shown data of these rows stays; data of other rows doesn't. */
  private failed(error: unknown, requested: PlotWindow | null): void {
    const { messages } = this.table;
    if (this.isCurrent) {
      // Requests for a window that is no longer shown don't count.
      if (this.zoom.window === requested) messages.failed(t.later("Couldn't load the plot: {0}"), error);
      return;
    }
    const failure = messages.log(error);
    batch(() => {
      this.zoom.take(undefined);
      this.shown.value = { failure };
    });
  }
}
