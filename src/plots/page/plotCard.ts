import { isCoded } from '../../base/errors';
import type { PlotWindow } from '../../columns/viewSpec';
import { columnName, type PlotText } from '../../pages/page/pageText';
import { type Child, element, fill, icon, iconButton, labelButton } from '../../pages/page/widgets/element';
import { FrameQueue } from '../../pages/page/widgets/timing';
import { openMenu } from '../../pages/page/widgets/popover';
import { GroupCache, type RowNames, RowValues } from './plotCaches';
import { plotColors, type PlotColors } from './plotColors';
import type { PlotColumn, PlotSource } from './plotDefinition';
import type { LoadedPlot, PlotAction, PlotDrawing } from './plotDrawing';
import { listenToPlotKeys, PlotPointer } from './plotPointer';
import { PlotStage } from './plotStage';
import { fittingPlot, plotPickers, type PlotSpec, plotTypes } from './plotTypes';
import { PlotZoom } from './plotZoom';

const MIN_WIDTH = 150;
/** Width of a picker whose text can be read, and of the buttons beside the pickers. */
const PICKER = 112;
const BUTTONS = 84;
const MIN_HEIGHT = 140;
const MAX_HEIGHT = 420;
const NARROW_HEIGHT = 300;

export interface PlotCardParts {
  source: PlotSource;
  text: PlotText;
  names: RowNames;
  /** The row selected in the table or on the masks. */
  selected: () => number | null;
  onChange: (card: PlotCard) => void;
  /** Another part of the plot is shown. */
  onZoom: () => void;
  onRemove: (card: PlotCard) => void;
  onHover: (row: number | null) => void;
  onAction: (action: PlotAction) => void;
  say: (words: string) => void;
  save: (name: string, type: 'png' | 'svg', data: ArrayBuffer) => void;
  /** The browser couldn't make a PNG. */
  onPngFailure: (error: unknown) => void;
  onFailure: (error: unknown) => void;
  /** Logs a failure that is shown in the plot's place, and returns its reason. */
  log: (error: unknown) => string;
}

/** One plot with pickers for its type and columns; it follows the filters. */
export class PlotCard {
  readonly root: HTMLElement;
  private readonly controls = element('div', { class: 'plot-controls' });
  private readonly head = element('div', { class: 'plot-head' });
  private readonly canvas: PlotCanvas;
  private readonly note = element('p', { class: 'plot-note' });
  private readonly stage: PlotStage;
  private readonly pointer: PlotPointer;
  private readonly resetZoom: HTMLButtonElement;
  private readonly values: RowValues;
  private readonly groups: GroupCache;
  private readonly rendering = new FrameQueue(() => this.render());
  private readonly zoom = new PlotZoom({
    drawing: () => this.stage.drawing,
    onWindow: () => {
      this.rendering.schedule();
      this.parts.onZoom();
    },
    onLoad: () => void this.load(),
  });
  private colors: PlotColors = plotColors();
  private request = new AbortController();
  private isStale = true;
  /** Whether what is loaded is of the rows and columns that are to be plotted. */
  private isCurrent = false;
  /** Why there is nothing to show, in words. */
  private failure: string | undefined;
  private width = 0;
  private maxHeight = Infinity;
  /** Height of what the card shows besides the plot, in pixels, as measured last. */
  private around = 0;

  constructor(
    private readonly parts: PlotCardParts,
    public spec: PlotSpec,
    window: PlotWindow | null = null,
  ) {
    if (window) this.zoom.restore(window);
    const { text, onRemove, source } = parts;
    const save: HTMLButtonElement = iconButton('save', text.get('savePlot'), () =>
      openMenu(save, text.get('savePlot'), [
        { label: text.get('savePng'), run: () => void this.save('png') },
        { label: text.get('saveSvg'), run: () => void this.save('svg') },
      ]),
    );
    const remove = iconButton('close', text.get('removePlot'), () => onRemove(this));
    this.resetZoom = iconButton('screen-full', text.get('resetZoom'), () => this.zoom.reset());
    this.head.append(this.controls, this.resetZoom, save, remove);
    const { names, onHover, onAction, say } = parts;
    this.stage = new PlotStage({ role: text.get('plotRole'), names, onHover, onAction, say });
    this.canvas = new PlotCanvas({ text, stage: this.stage.root, onRetry: () => void this.load() });
    this.pointer = new PlotPointer(this.stage, this.zoom, () => this.colors.foreground);
    listenToPlotKeys(this.stage, this.pointer, this.zoom);
    this.groups = new GroupCache(source);
    this.values = new RowValues(source, () => this.markSelected(), parts.onFailure);
    this.root = element(
      'section',
      { class: 'plot-card', 'aria-label': text.get(spec.kind) },
      this.head,
      this.canvas.root,
      this.note,
    );
    this.showControls();
  }

  /** The part that is shown; null for all. */
  get window(): PlotWindow | null {
    return this.zoom.window;
  }

  /** Draws the plot in a card of this width, no higher than `maxHeight` if possible. Requests its data if they changed. */
  async draw(width = this.width, maxHeight = this.maxHeight): Promise<void> {
    this.width = width;
    this.maxHeight = maxHeight;
    this.colors = plotColors();
    if (this.isStale) await this.load();
    else this.render();
  }

  /** The filters or the table changed: the next `draw` requests the data again. */
  dataChanged(change: 'filters' | 'table'): void {
    this.discardData();
    if (change === 'filters') return;
    this.groups.clear();
    this.values.clear();
  }

  /** Another row is selected. */
  selectionChanged(): void {
    this.markSelected();
  }

  /** Outlines a row that the pointer is over in the table or on the masks. */
  showHovered(row: number | null): void {
    this.stage.showHovered(row);
  }

  private discardData(): void {
    this.isStale = true;
    this.isCurrent = false;
    this.zoom.discardOverview();
  }

  private async load(): Promise<void> {
    this.isStale = false;
    this.request.abort();
    this.zoom.cancelPending();
    const { signal } = (this.request = new AbortController());
    const { source, text } = this.parts;
    const { spec } = this;
    const { window } = this.zoom;
    const allGroups: PlotSource['allGroups'] = params => this.groups.get(params);
    this.root.setAttribute('aria-busy', 'true');
    this.canvas.showLoading();
    try {
      const loaded = await plotTypes[spec.kind].load(spec, { source, text, window, allGroups }, signal);
      if (signal.aborted) return;
      this.isCurrent = true;
      this.failure = undefined;
      this.zoom.setLoaded(loaded);
    } catch (error) {
      if (signal.aborted || isCoded(error, 'cancelled')) return;
      this.failed(error, window);
    } finally {
      if (this.request.signal === signal) this.root.removeAttribute('aria-busy');
    }
    this.render();
  }

  /** What is shown stays if it is of these rows; what was shown of others doesn't. */
  private failed(error: unknown, requested: PlotWindow | null): void {
    const { text, log, onFailure } = this.parts;
    if (this.isCurrent) {
      // What was requested for a window that is no longer shown isn't missed.
      if (this.zoom.window === requested) onFailure(error);
      return;
    }
    this.zoom.setLoaded(undefined);
    this.failure = text.get('plotFailed', log(error));
  }

  private render(): void {
    const { canvas, failure, note, zoom } = this;
    this.showResetButton();
    const { childElementCount: pickers } = this.controls;
    this.head.classList.toggle('two-lines', this.width < pickers * PICKER + BUTTONS);
    if (failure === undefined && zoom.plot) {
      this.renderPlot(zoom.plot);
      return;
    }
    this.root.setAttribute('aria-label', this.parts.text.get(this.spec.kind));
    note.textContent = '';
    if (failure !== undefined) canvas.showFailure(failure);
    else if (this.isCurrent) canvas.showEmpty();
  }

  private renderPlot(plot: LoadedPlot): void {
    const { text } = this.parts;
    const { colors, stage } = this;
    const { window } = this.zoom;
    const width = Math.max(MIN_WIDTH, this.width);
    // Narrow ones are nearly square: a flat one would have little room for points, and none for a tip beside them.
    const high = Math.min(MAX_HEIGHT, Math.max(Math.round(width * 0.62), Math.min(width, NARROW_HEIGHT)));
    const fitting = () => Math.max(MIN_HEIGHT, Math.min(high, this.maxHeight - this.around));
    const draw = (height: number) => {
      const drawing = plot.draw({ size: { width, height }, colors, window });
      this.root.setAttribute('aria-label', text.get('plotLabel', text.get(this.spec.kind), drawing.title));
      this.canvas.showPlot();
      stage.show(drawing);
      this.note.textContent = this.noteOn(drawing);
      this.around = this.root.offsetHeight - height;
    };
    const height = fitting();
    draw(height);
    // The lines of the note and of the legend are known once they are drawn.
    if (fitting() !== height) draw(fitting());
    this.markSelected();
  }

  private showResetButton(): void {
    const { text } = this.parts;
    const { canZoom, nextReset } = this.zoom;
    this.resetZoom.hidden = !canZoom;
    this.resetZoom.disabled = nextReset === undefined;
    const isFit = nextReset === 'fit';
    const label = text.get(isFit ? 'fitToFiltered' : 'resetZoom');
    labelButton(this.resetZoom, label, isFit ? 'screen-normal' : 'screen-full');
  }

  /** Marks the selected row, once its values have arrived. */
  private markSelected(): void {
    const { mark } = this.stage.drawing ?? {};
    const row = this.parts.selected();
    const values = mark && row !== null ? this.values.of(row, mark) : undefined;
    this.stage.showMark(values && mark?.draw(values.numbers, values.text));
  }

  private noteOn({ note, drag }: PlotDrawing): string {
    const { source, text } = this.parts;
    const hint = drag?.shape === 'lasso' ? 'lassoHint' : drag ? 'spanHint' : 'groupHint';
    const narrower = source.statisticsAreNarrower && text.get('imageRowsOnly');
    return [note, narrower, this.roundedColumns(), text.get(hint)].filter(Boolean).join(' ');
  }

  /** Names the columns whose numbers the plot rounds. */
  private roundedColumns(): string {
    const { source, text } = this.parts;
    const { columns } = source.table;
    return plotTypes[this.spec.kind].columns
      .map(({ role }: PlotColumn) => (role === 'by' ? null : (this.spec[role] ?? null)))
      .filter(column => column !== null && columns[column]?.isRounded)
      .map(column => text.get('roundedNumbers', columnName(columns, column ?? 0, text)))
      .join(' ');
  }

  /** Removes the plot. */
  remove(): void {
    this.parts.onRemove(this);
  }

  /** The table has other columns: the pickers list those, and the plot gets columns that fit. */
  columnsChanged(): void {
    const fitting = fittingPlot(this.spec, this.parts.source.table.columns);
    if (fitting !== this.spec) this.zoom.clear();
    this.spec = fitting;
    this.showControls();
  }

  dispose(): void {
    this.request.abort();
    this.zoom.cancelPending();
    this.values.clear();
    this.pointer.dispose();
    this.stage.dispose();
  }

  private change(spec: PlotSpec): void {
    this.spec = spec;
    this.zoom.clear();
    this.discardData();
    this.showControls();
    this.parts.onChange(this);
    void this.draw();
  }

  private showControls(): void {
    const { spec } = this;
    const { text, source } = this.parts;
    const { columns } = source.table;
    // What has the focus is replaced: its successor gets it.
    const focused = [...this.controls.children].indexOf(document.activeElement ?? this.controls);
    const pickers = plotPickers({ spec, columns, text, onChange: changed => this.change(changed) });
    fill(this.controls, ...pickers);
    pickers[focused]?.focus();
  }

  /** Saves the plot as it is shown. */
  async save(type: 'png' | 'svg'): Promise<void> {
    // The stage keeps its last drawing where there is nothing to plot.
    const file = this.zoom.plot && this.stage.file(type);
    if (!file) return;
    const title = this.stage.drawing?.title ?? '';
    const { save, onPngFailure } = this.parts;
    try {
      save(title, type, await file);
    } catch (error) {
      onPngFailure(error);
    }
  }
}

interface PlotCanvasParts {
  text: PlotText;
  /** The plot itself; what has the focus in its place gives it to the plot. */
  stage: HTMLElement;
  onRetry: () => void;
}

/** The place of a plot in its card, with the plot or with why there is none. */
class PlotCanvas {
  readonly root = element('div', { class: 'plot-canvas' });
  private readonly retry: HTMLButtonElement;

  constructor(private readonly parts: PlotCanvasParts) {
    const { text, onRetry } = parts;
    this.retry = element('button', { type: 'button', class: 'button secondary' }, text.get('retry'));
    this.retry.addEventListener('click', onRetry);
  }

  showPlot(): void {
    const { stage } = this.parts;
    if (stage.parentElement === this.root) return;
    const hasFocus = this.root.contains(document.activeElement);
    fill(this.root, stage);
    if (hasFocus) stage.focus();
  }

  /** There are no values. */
  showEmpty(): void {
    this.showInstead(icon('graph'), this.parts.text.get('nothingToPlot'));
  }

  /** The first data are on their way: says so if they take long. */
  showLoading(): void {
    if (this.root.hasChildNodes()) return;
    this.showInstead(icon('loading codicon-modifier-spin'));
    this.root.firstElementChild?.classList.add('plot-loading');
  }

  showFailure(words: string): void {
    // Drawn again, such as in another size, it isn't announced again.
    if (this.root.querySelector('[role="alert"]')?.textContent === words) return;
    const hasFocus = this.root.contains(document.activeElement);
    this.showInstead(icon('error'), element('span', { role: 'alert' }, words), this.retry);
    this.root.firstElementChild?.classList.add('error');
    if (hasFocus) this.retry.focus();
  }

  private showInstead(...content: Child[]): void {
    fill(this.root, element('div', { class: 'plot-empty' }, ...content));
  }
}
