import { t } from '../../pages/page/l10n';
import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isCoded } from '../../base/errors';
import type { PlotWindow } from '../../columns/viewSpec';
import { GroupCache, RowValues } from '../../drawing/page/plotCaches';
import type { ImageMeasures, PlotTable } from '../../drawing/page/plottedTable';
import type { PlotAddition, PlotOnPage } from '../../drawing/page/plotAddition';
import type { PlotInput } from './plotDefinition';
import type { LoadedPlot, PlotDrawing } from '../../drawing/page/plotDrawing';
import type { plotFile } from '../../drawing/page/plotFile';
import { fittingPlot, type PlotSpec } from './plotTypes';
import { PlotZoom } from '../../drawing/page/plotZoom';

/** What the card shows: the plot, or why it can't be shown. */
type PlotContent = 'loading' | 'plot' | 'empty' | { failure: string };

/** Loads a plot's data; undefined if there is nothing to draw. */
export type LoadPlot = (
  spec: PlotSpec,
  input: PlotInput,
  signal: AbortSignal,
) => Promise<LoadedPlot | undefined>;

/** The table of a plot. Functions that load plots and make files are in the later script. */
export interface LoadingTable extends PlotTable {
  /** Absent without metadata of images. */
  imageMeasures?: ImageMeasures | undefined;
  /** What another subject adds to plots. */
  addition: ReadonlySignal<PlotAddition | undefined>;
  loadPlot: LoadPlot;
  plotFile: typeof plotFile;
}

/**
 * One plot: type, columns, visible part, and data, which follows the filters. Getters are reactive.
 */
export class PlotModel implements PlotOnPage {
  readonly zoom: PlotZoom;
  /** Values of the marked row. */
  readonly values: RowValues;
  private readonly groups: GroupCache;
  private readonly currentSpec: Signal<PlotSpec>;
  private readonly shown = signal<PlotContent>('loading');
  private readonly currentDrawing = signal<PlotDrawing | undefined>(undefined);
  private readonly busy = signal(false);
  private readonly stale = signal(true);
  /** Whether the loaded data belongs to the current rows and columns. */
  private isCurrent = false;
  private request = new AbortController();

  /** `window`: the saved visible part; null for all of the plot. `save` saves the view. */
  constructor(
    private readonly table: LoadingTable,
    spec: PlotSpec,
    window: PlotWindow | null,
    private readonly save: () => void,
  ) {
    this.currentSpec = signal(spec);
    this.zoom = new PlotZoom({ window, save, load: () => void this.load() });
    this.values = new RowValues(table);
    this.groups = new GroupCache(table.source);
  }

  get spec(): PlotSpec {
    return this.currentSpec.value;
  }

  get content(): PlotContent {
    return this.shown.value;
  }

  /** The plot as currently drawn on the screen. */
  get drawing(): PlotDrawing | undefined {
    return this.currentDrawing.value;
  }

  get isBusy(): boolean {
    return this.busy.value;
  }

  /** Whether data must be loaded. */
  get isStale(): boolean {
    return this.stale.value;
  }

  /** Whether the card shows the current state, or why it can't. */
  get isSettled(): boolean {
    return this.content === 'plot' ? this.drawing !== undefined : this.content !== 'loading';
  }

  /** Changes the type or columns. */
  change(spec: PlotSpec): void {
    batch(() => {
      this.currentSpec.value = spec;
      this.zoom.clear();
      this.discardData();
    });
    this.save();
  }

  /** Its measure of images has other values. Returns whether that measure has another key. */
  imageMeasureChanged(renamed: (key: string) => string): boolean {
    const { imageMeasure } = this.currentSpec.peek();
    if (imageMeasure === undefined) return false;
    const newKey = renamed(imageMeasure);
    if (newKey !== imageMeasure)
      this.currentSpec.value = { ...this.currentSpec.peek(), imageMeasure: newKey };
    this.discardData();
    return newKey !== imageMeasure;
  }

  /** The filters or the table changed: data must be loaded again. */
  dataChanged(change: 'filters' | 'table'): void {
    this.discardData();
    if (change === 'filters') return;
    this.groups.clear();
    this.values.clear();
  }

  /** Columns of the table changed: a plot without its columns gets others that fit. */
  columnsChanged(): void {
    const { spec } = this;
    const fitting = fittingPlot(spec, this.table.source.table.columns);
    if (fitting !== spec) this.zoom.clear();
    this.currentSpec.value = fitting;
  }

  async load(): Promise<void> {
    const { table, spec, zoom } = this;
    const { source, imageMeasures } = table;
    const { window } = zoom;
    this.request.abort();
    zoom.cancelPending();
    const { signal: canceled } = (this.request = new AbortController());
    this.stale.value = false;
    this.busy.value = true;
    const input = {
      source,
      imageMeasures,
      addition: table.addition.peek(),
      window,
      allGroups: (params: Parameters<GroupCache['get']>[0]) => this.groups.get(params),
    };
    try {
      const loaded = await table.loadPlot(spec, input, canceled);
      if (canceled.aborted) return;
      this.isCurrent = true;
      batch(() => {
        zoom.setLoaded(loaded);
        this.shown.value = loaded ? 'plot' : 'empty';
      });
    } catch (error) {
      if (!canceled.aborted && !isCoded(error, 'cancelled')) this.failed(error, window);
    } finally {
      if (this.request.signal === canceled) this.busy.value = false;
    }
  }

  /** The plot was drawn, or removed from the screen (undefined). */
  drawn(drawing: PlotDrawing | undefined): void {
    this.currentDrawing.value = drawing;
  }

  /** Saves the plot as drawn. */
  async saveAs(type: 'png' | 'svg'): Promise<void> {
    const { drawing, table } = this;
    if (drawing) await table.savePlot(drawing.title, type, () => table.plotFile(drawing, type));
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

  /** Reports a failure. Data of the current rows stays on the screen; outdated data doesn't. */
  private failed(error: unknown, requested: PlotWindow | null): void {
    const { messages } = this.table;
    if (this.isCurrent) {
      // The failure doesn't matter if the window has changed since.
      if (this.zoom.window === requested) messages.failed(t.later("Couldn't load the plot: {0}"), error);
      return;
    }
    const failure = messages.log(error);
    batch(() => {
      this.zoom.setLoaded(undefined);
      this.shown.value = { failure };
    });
  }
}
