import { isCoded } from '../../base/errors';
import { element, fill, icon, iconButton } from '../widgets/element';
import type { PlotText } from '../page/pageText';
import type { Lasso } from '../../model/lasso';
import { columnName } from '../page/columnName';
import { openMenu } from '../widgets/menu';
import { drawLasso } from './lasso';
import { plotColors } from './plotColors';
import type { PlotSource } from './plotSource';
import { columnsFor, firstPlot, fittingPlot } from './plotSpec';
import { plotTypeIds, plotTypes, type PlotColumn, type PlotDrawing, type PlotSpec } from './plotTypes';
import { pngFile, svgFile } from './saveImage';

const MIN_WIDTH = 260;
const MIN_HEIGHT = 180;
const MAX_HEIGHT = 420;
/** Height of what is below a plot: a note of two lines, and the card's own rim. */
const BELOW = 44;

export interface PlotCardParts {
  source: PlotSource;
  text: PlotText;
  onChange: (card: PlotCard) => void;
  onRemove: (card: PlotCard) => void;
  onLasso: (lasso: Lasso) => void;
  save: (name: string, type: 'png' | 'svg', data: ArrayBuffer) => void;
  /** The browser made no PNG of a plot. */
  onPngFailure: (error: unknown) => void;
  onFailure: (error: unknown) => void;
}

/** One plot with pickers for what it shows; it follows the filters. */
export class PlotCard {
  readonly root: HTMLElement;
  private readonly controls = element('div', { class: 'plot-controls' });
  private readonly head = element('div', { class: 'plot-head' });
  private readonly canvas = element('div', { class: 'plot-canvas' });
  private readonly note = element('p', { class: 'plot-note' });
  private drawing: PlotDrawing | undefined;
  private request = new AbortController();
  private width = 0;
  private maxHeight = Infinity;

  constructor(
    private readonly parts: PlotCardParts,
    public spec: PlotSpec,
  ) {
    const { text, onRemove } = parts;
    const save: HTMLButtonElement = iconButton('save', text.get('savePlot'), () =>
      openMenu(save, text.get('savePlot'), [
        { label: text.get('savePng'), run: () => void this.save('png') },
        { label: text.get('saveSvg'), run: () => void this.save('svg') },
      ]),
    );
    const remove = iconButton('close', text.get('removePlot'), () => onRemove(this));
    this.head.append(this.controls, save, remove);
    this.root = element(
      'section',
      { class: 'plot-card', 'aria-label': text.get(spec.kind) },
      this.head,
      this.canvas,
      this.note,
    );
    this.showControls();
  }

  /** Redraws the plot for the current view, in a card of this width, and no higher than `maxHeight` if possible. */
  async draw(width = this.width, maxHeight = this.maxHeight): Promise<void> {
    this.width = width;
    this.maxHeight = maxHeight;
    this.request.abort();
    const { signal } = (this.request = new AbortController());
    const { source, text, onFailure, onLasso } = this.parts;
    const inner = Math.max(MIN_WIDTH, width);
    const room = maxHeight - this.head.offsetHeight - BELOW;
    const wanted = Math.min(MAX_HEIGHT, room, Math.round(inner * 0.62));
    const height = Math.max(MIN_HEIGHT, wanted);
    const colors = plotColors();
    try {
      const size = { width: inner, height };
      const drawing = await plotTypes[this.spec.kind].draw(this.spec, { source, text, colors, size }, signal);
      if (signal.aborted) return;
      this.drawing = drawing;
      const kind = text.get(this.spec.kind);
      this.root.setAttribute('aria-label', drawing ? text.get('plotLabel', kind, drawing.title) : kind);
      fill(
        this.canvas,
        drawing?.svg ?? element('p', { class: 'plot-empty' }, icon('graph'), text.get('nothingToPlot')),
      );
      const { spec } = this;
      const { x, y } = spec;
      if (drawing?.scatter && typeof x === 'number' && typeof y === 'number')
        drawLasso(drawing.scatter, colors, polygon => onLasso({ x, y, polygon }));
      const hint = drawing?.scatter ? text.get('lassoHint') : '';
      const narrower = drawing && source.statisticsAreNarrower && text.get('imageRowsOnly');
      this.note.textContent = [drawing?.note, narrower, drawing && this.roundedColumns(), hint]
        .filter(Boolean)
        .join(' ');
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
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
    this.spec = fittingPlot(this.spec, this.parts.source.table.columns);
    this.showControls();
  }

  dispose(): void {
    this.request.abort();
  }

  private change(spec: PlotSpec): void {
    this.spec = spec;
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
    const { drawing } = this;
    if (!drawing) return;
    const { save, onPngFailure } = this.parts;
    if (type === 'svg') {
      save(drawing.title, type, svgFile(drawing.svg).buffer);
      return;
    }
    try {
      save(drawing.title, type, await pngFile(drawing.svg));
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
