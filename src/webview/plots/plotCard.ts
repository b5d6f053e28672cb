import { isCoded } from '../../base/errors';
import type { TableColumn } from '../../protocol/tableEngine';
import { element, fill, icon, iconButton } from '../element';
import type { PageText } from '../pageText';
import type { Lasso } from '../table/filterList';
import { columnName } from '../table/filterWords';
import { openMenu } from '../table/menu';
import type { TableModel } from '../table/tableModel';
import { drawLasso } from './lasso';
import { plotColours } from './plotColours';
import { drawPlot, type Drawing } from './plotDrawing';
import { firstPlot, plotKinds, type PlotSpec } from './plotSpec';
import { pngFile, svgFile } from './savePicture';

const LEAST_WIDTH = 260;
const LEAST_HEIGHT = 180;
const MOST_HEIGHT = 420;
/** Height of what is below a plot: a note of two lines, and the card's own rim. */
const BELOW = 44;

export interface PlotCardParts {
  model: TableModel;
  text: PageText;
  onChange: (card: PlotCard) => void;
  onRemove: (card: PlotCard) => void;
  onLasso: (lasso: Lasso) => void;
  save: (name: string, type: 'png' | 'svg', data: ArrayBuffer) => void;
  onFailure: (error: unknown) => void;
}

/** One plot with the choice of what it shows; it follows the filters. */
export class PlotCard {
  readonly root: HTMLElement;
  private readonly controls = element('div', { class: 'plot-controls' });
  private readonly head = element('div', { class: 'plot-head' });
  private readonly canvas = element('div', { class: 'plot-canvas' });
  private readonly note = element('p', { class: 'plot-note' });
  private drawing: Drawing | undefined;
  private asking = new AbortController();
  private width = 0;
  private most = Infinity;

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

  /** Draws the plot anew for the view as it is, in a card so wide, and the card no higher than `most` if that can be. */
  async draw(width = this.width, most = this.most): Promise<void> {
    this.width = width;
    this.most = most;
    this.asking.abort();
    const { signal } = (this.asking = new AbortController());
    const { model, text, onFailure, onLasso } = this.parts;
    const inner = Math.max(LEAST_WIDTH, width);
    const room = most - this.head.offsetHeight - BELOW;
    const wanted = Math.min(MOST_HEIGHT, room, Math.round(inner * 0.62));
    const height = Math.max(LEAST_HEIGHT, wanted);
    const colours = plotColours();
    try {
      const size = { width: inner, height };
      const asked = { model, text, colours, size };
      const drawing = await drawPlot(this.spec, asked, signal);
      if (signal.aborted) return;
      this.drawing = drawing;
      const kind = text.get(this.spec.kind);
      this.root.setAttribute('aria-label', drawing ? text.get('plotLabel', kind, drawing.title) : kind);
      fill(
        this.canvas,
        drawing?.svg ?? element('p', { class: 'plot-empty' }, icon('graph'), text.get('nothingToPlot')),
      );
      const { spec } = this;
      if (drawing?.scatter && spec.kind === 'scatter') {
        drawLasso(drawing.scatter, colours, polygon => onLasso({ x: spec.x, y: spec.y, polygon }));
      }
      const hint = drawing?.scatter ? text.get('lassoHint') : '';
      const narrower = drawing && model.figuresAreNarrower && text.get('imageRowsOnly');
      this.note.textContent = [drawing?.note, narrower, hint].filter(Boolean).join(' ');
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }

  dispose(): void {
    this.asking.abort();
  }

  private change(spec: PlotSpec): void {
    this.spec = spec;
    this.showControls();
    this.parts.onChange(this);
    void this.draw();
  }

  private showControls(): void {
    const { spec } = this;
    const { text, model } = this.parts;
    const { columns } = model.table;
    const kind = this.select(
      text.get('plotKind'),
      plotKinds.map(each => [each, text.get(each)]),
      spec.kind,
      value => {
        const chosen = plotKinds.find(each => each === value);
        const next = chosen && firstPlot(chosen, columns);
        if (next) this.change(next);
      },
    );
    fill(this.controls, kind, ...this.columnSelects(spec, columns));
  }

  private columnSelects(spec: PlotSpec, columns: readonly TableColumn[]): HTMLElement[] {
    const { text } = this.parts;
    const numbers = columns.filter(column => column.kind === 'number');
    const choose = (
      label: string,
      among: readonly TableColumn[],
      value: number | null,
      set: (column: number) => void,
      none?: { label: string; set: () => void },
    ) =>
      this.select(
        label,
        [
          ...(none ? [['', none.label] as const] : []),
          ...among.map(({ index }) => [String(index), columnName(columns, index, text)] as const),
        ],
        value === null ? '' : String(value),
        chosen => (chosen === '' ? none?.set() : set(Number(chosen))),
      );
    switch (spec.kind) {
      case 'histogram':
        return [choose(text.get('column'), numbers, spec.column, column => this.change({ ...spec, column }))];
      case 'scatter':
        return [
          choose(text.get('xAxis'), numbers, spec.x, x => this.change({ ...spec, x })),
          choose(text.get('yAxis'), numbers, spec.y, y => this.change({ ...spec, y })),
          choose(text.get('colourBy'), columns, spec.colour, colour => this.change({ ...spec, colour }), {
            label: text.get('noColour'),
            set: () => this.change({ ...spec, colour: null }),
          }),
        ];
      case 'box':
        return [
          choose(text.get('measure'), numbers, spec.measure, measure => this.change({ ...spec, measure })),
          choose(text.get('groupBy'), columns, spec.by, by => this.change({ ...spec, by })),
        ];
      case 'bar':
        return [
          choose(text.get('measure'), numbers, spec.measure, measure => this.change({ ...spec, measure }), {
            label: text.get('numberOfRows'),
            set: () => this.change({ ...spec, measure: null }),
          }),
          choose(text.get('groupBy'), columns, spec.by, by => this.change({ ...spec, by })),
        ];
    }
  }

  private select(
    label: string,
    options: readonly (readonly [value: string, words: string])[],
    value: string,
    onChange: (value: string) => void,
  ): HTMLSelectElement {
    const select = element('select', { class: 'input', 'aria-label': label, title: label });
    for (const [each, words] of options)
      select.append(element('option', { value: each, selected: each === value }, words));
    select.addEventListener('change', () => onChange(select.value));
    return select;
  }

  private async save(type: 'png' | 'svg'): Promise<void> {
    const { drawing } = this;
    if (!drawing) return;
    try {
      const data = type === 'png' ? await pngFile(drawing.svg) : svgFile(drawing.svg).buffer;
      this.parts.save(drawing.title, type, data);
    } catch (error) {
      this.parts.onFailure(error);
    }
  }
}
