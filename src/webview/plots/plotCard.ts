import { isCoded } from '../../base/errors';
import type { PlotWindow } from '../../model/plotWindow';
import { element, fill, icon, iconButton, labelButton } from '../widgets/element';
import { FrameQueue } from '../widgets/frameQueue';
import type { PlotText } from '../page/pageText';
import { columnName } from '../page/columnName';
import { openMenu } from '../widgets/menu';
import { plotColors, type PlotColors } from './plotColors';
import type { LoadedPlot, PlotAction, PlotDrawing } from './plotDrawing';
import { listenToPlotKeys } from './stage/plotKeys';
import { PlotPointer, type PointerZoom } from './stage/plotPointer';
import type { PlotSource } from './plotSource';
import { columnsFor, firstPlot, fittingPlot } from './plotSpec';
import { PlotStage } from './stage/plotStage';
import { plotTypeIds, plotTypes, type PlotColumn, type PlotSpec } from './plotTypes';
import { RowValues } from './rowValues';
import type { RowNames } from './rowNames';
import { pngFile, svgFile } from './saveImage';
import { isInside, pannedWindow, zoomedWindow } from './zoomWindow';

const MIN_WIDTH = 260;
const MIN_HEIGHT = 180;
const MAX_HEIGHT = 420;
/** Height of what is below a plot: a note of two lines, and the card's own rim. */
const BELOW = 44;
/** Milliseconds after the last zoom until the points of the window are requested. */
const SETTLE = 150;

export interface PlotCardParts {
  source: PlotSource;
  text: PlotText;
  names: RowNames;
  /** The row selected in the table or on the masks. */
  selected: () => number | null;
  onChange: (card: PlotCard) => void;
  onRemove: (card: PlotCard) => void;
  onHover: (row: number | null) => void;
  onAction: (action: PlotAction) => void;
  say: (words: string) => void;
  save: (name: string, type: 'png' | 'svg', data: ArrayBuffer) => void;
  /** The browser made no PNG of a plot. */
  onPngFailure: (error: unknown) => void;
  onFailure: (error: unknown) => void;
}

/** One plot with pickers for what it shows; it follows the filters, and zooms. */
export class PlotCard {
  readonly root: HTMLElement;
  private readonly controls = element('div', { class: 'plot-controls' });
  private readonly head = element('div', { class: 'plot-head' });
  private readonly canvas = element('div', { class: 'plot-canvas' });
  private readonly note = element('p', { class: 'plot-note' });
  private readonly stage: PlotStage;
  private readonly pointer: PlotPointer;
  private readonly resetZoom: HTMLButtonElement;
  private readonly values: RowValues;
  private readonly zooming = new FrameQueue(() => this.render());
  private loaded: LoadedPlot | undefined;
  /** All of the plane, from before it was zoomed: shown while the points of a window are on their way. */
  private whole: LoadedPlot | undefined;
  private window: PlotWindow | null = null;
  private colors: PlotColors = plotColors();
  private request = new AbortController();
  private settling: ReturnType<typeof setTimeout> | undefined;
  private readonly kept = new Map<string, Promise<unknown>>();
  private isStale = true;
  private width = 0;
  private maxHeight = Infinity;

  constructor(
    private readonly parts: PlotCardParts,
    public spec: PlotSpec,
  ) {
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
    this.pointer = new PlotPointer(this.stage, this.zoom, () => this.colors.foreground);
    listenToPlotKeys(this.stage, this.pointer, this.zoom);
    this.values = new RowValues(
      source,
      () => this.mark(),
      error => !isCoded(error, 'cancelled') && parts.onFailure(error),
    );
    this.root = element(
      'section',
      { class: 'plot-card', 'aria-label': text.get(spec.kind) },
      this.head,
      this.canvas,
      this.note,
    );
    this.showControls();
  }

  /** Draws the plot in a card of this width, and no higher than `maxHeight` if possible; requests what changed. */
  async draw(width = this.width, maxHeight = this.maxHeight): Promise<void> {
    this.width = width;
    this.maxHeight = maxHeight;
    this.colors = plotColors();
    if (this.isStale) await this.load();
    else this.render();
  }

  /** The filters or the table changed: the next time it is drawn, the plot requests what it shows. */
  dataChanged(change: 'filters' | 'table'): void {
    this.forget();
    if (change === 'filters') return;
    this.kept.clear();
    this.values.forget();
  }

  private forget(): void {
    this.isStale = true;
    this.whole = undefined;
  }

  /** Another row is selected. */
  selectionChanged(): void {
    this.mark();
  }

  /** Outlines a row that the pointer is over elsewhere. */
  link(row: number | null): void {
    this.stage.link(row);
  }

  private async load(): Promise<void> {
    this.isStale = false;
    this.request.abort();
    clearTimeout(this.settling);
    const { signal } = (this.request = new AbortController());
    const { source, text, onFailure } = this.parts;
    const { window, spec } = this;
    const once = <T>(key: string, make: () => Promise<T>): Promise<T> => {
      const made = (this.kept.get(key) as Promise<T> | undefined) ?? make();
      this.kept.set(key, made);
      made.catch(() => this.kept.delete(key));
      return made;
    };
    try {
      const loaded = await plotTypes[spec.kind].load(spec, { source, text, window, once }, signal);
      if (signal.aborted) return;
      this.loaded = loaded;
      if (loaded?.zoom?.window === null) this.whole = loaded;
      this.render();
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }

  private render(): void {
    const { text } = this.parts;
    const { window, colors } = this;
    const inner = Math.max(MIN_WIDTH, this.width);
    const room = this.maxHeight - this.head.offsetHeight - BELOW;
    const height = Math.max(MIN_HEIGHT, Math.min(MAX_HEIGHT, room, Math.round(inner * 0.62)));
    const drawing = this.plotOf(window)?.draw({ size: { width: inner, height }, colors, window });
    const kind = text.get(this.spec.kind);
    this.root.setAttribute('aria-label', drawing ? text.get('plotLabel', kind, drawing.title) : kind);
    this.showReset();
    if (!drawing) {
      fill(this.canvas, element('p', { class: 'plot-empty' }, icon('graph'), text.get('nothingToPlot')));
      this.note.textContent = '';
      return;
    }
    if (this.stage.root.parentElement !== this.canvas) fill(this.canvas, this.stage.root);
    this.stage.show(drawing);
    this.mark();
    this.note.textContent = this.noteOn(drawing);
  }

  /** The points that show most of a window: its own, or those of all while others are on their way. */
  private plotOf(window: PlotWindow | null): LoadedPlot | undefined {
    const { loaded, whole } = this;
    const of = loaded?.zoom?.window;
    if (!of || !whole) return loaded;
    return window && isInside(window, of) ? loaded : whole;
  }

  private readonly zoom: PointerZoom = {
    zoom: (factor, x, y) => {
      const at = this.stage.drawing?.toData?.(x, y);
      const { whole } = this.loaded?.zoom ?? {};
      if (!at || !whole || (!this.window && factor >= 1)) return false;
      this.setWindow(zoomedWindow(this.window ?? whole, whole, factor, at));
      return true;
    },
    pan: (dx, dy) => {
      const { whole } = this.loaded?.zoom ?? {};
      const { width, height } = this.stage.drawing?.frame.box ?? {};
      if (!whole || !this.window || !width || !height) return;
      this.setWindow(pannedWindow(this.window, whole, -dx / width, dy / height));
    },
    reset: () => {
      const { fit } = this.loaded?.zoom ?? {};
      if (this.window) this.setWindow(null);
      else if (fit) this.setWindow(fit);
    },
  };

  /** Shows another part of the plane at once, and requests its points once it stays. */
  private setWindow(window: PlotWindow | null): void {
    this.window = window;
    this.zooming.schedule();
    clearTimeout(this.settling);
    const { zoom } = this.plotOf(window) ?? {};
    if (zoom?.isComplete && (zoom.window === null || (window && isInside(window, zoom.window)))) return;
    this.settling = setTimeout(() => void this.load(), SETTLE);
  }

  /** The button shows all of a plot that is zoomed, and of one that isn't what the filters leave. */
  private showReset(): void {
    const { text } = this.parts;
    const { zoom } = this.loaded ?? {};
    this.resetZoom.hidden = !zoom;
    this.resetZoom.disabled = !this.window && !zoom?.fit;
    const isFit = !this.window && zoom?.fit;
    labelButton(
      this.resetZoom,
      text.get(isFit ? 'fitToFiltered' : 'resetZoom'),
      isFit ? 'screen-normal' : 'screen-full',
    );
  }

  /** Marks the selected row, once its numbers are known. */
  private mark(): void {
    const { mark } = this.stage.drawing ?? {};
    const row = this.parts.selected();
    const values = mark && row !== null ? this.values.of(row, mark) : undefined;
    this.stage.mark(values && mark?.draw(values.numbers, values.text));
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

  /** Takes the plot away. */
  remove(): void {
    this.parts.onRemove(this);
  }

  /** The table has other columns now, or of other kinds: the pickers list those, and the plot is of columns that fit. */
  columnsChanged(): void {
    const fitting = fittingPlot(this.spec, this.parts.source.table.columns);
    if (fitting !== this.spec) this.window = null;
    this.spec = fitting;
    this.showControls();
  }

  dispose(): void {
    this.request.abort();
    clearTimeout(this.settling);
    this.values.forget();
    this.pointer.dispose();
    this.stage.dispose();
  }

  private change(spec: PlotSpec): void {
    this.spec = spec;
    this.window = null;
    this.forget();
    this.showControls();
    this.parts.onChange(this);
    void this.draw();
  }

  private showControls(): void {
    const { spec } = this;
    const { text, source } = this.parts;
    const { columns } = source.table;
    const type = picker({
      label: text.get('plotType'),
      options: plotTypeIds.map(each => [each, text.get(each)]),
      value: spec.kind,
      onChange: value => {
        const selected = plotTypeIds.find(each => each === value);
        const next = selected && firstPlot(selected, columns);
        if (next) this.change(next);
      },
    });
    const pickers = plotTypes[spec.kind].columns.map((needed: PlotColumn) => {
      const { role, nameKey, noneKey } = needed;
      const among = columnsFor(needed, columns).map(
        ({ index }) => [String(index), columnName(columns, index, text)] as const,
      );
      return picker({
        label: text.get(nameKey),
        options: noneKey ? [['', text.get(noneKey)], ...among] : among,
        value: String(spec[role] ?? ''),
        onChange: value => this.change({ ...spec, [role]: value === '' ? null : Number(value) }),
      });
    });
    fill(this.controls, type, ...pickers);
  }

  /** Saves the plot as it is shown. */
  async save(type: 'png' | 'svg'): Promise<void> {
    const picture = this.plotOf(this.window) && this.stage.picture();
    const title = this.stage.drawing?.title ?? '';
    if (!picture) return;
    const { save, onPngFailure } = this.parts;
    if (type === 'svg') {
      save(title, type, svgFile(picture).buffer);
      return;
    }
    try {
      save(title, type, await pngFile(picture));
    } catch (error) {
      onPngFailure(error);
    }
  }
}

interface PickerOptions {
  label: string;
  options: readonly (readonly [value: string, words: string])[];
  value: string;
  onChange: (value: string) => void;
}

function picker({ label, options, value, onChange }: PickerOptions): HTMLSelectElement {
  const select = element('select', { class: 'input', 'aria-label': label, title: label });
  for (const [each, words] of options)
    select.append(element('option', { value: each, selected: each === value }, words));
  select.addEventListener('change', () => onChange(select.value));
  return select;
}
