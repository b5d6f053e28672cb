import { isCoded } from '../../../base/errors';
import {
  type MeanAndSpread,
  type SelectedColumn,
  type ShapeMeasure,
  shapeMeasures,
  type ShapeStatistics,
} from '../../selectionStatistics';
import type { MasksTextKey } from '../../../pages/masksTexts';
import type { MasksText } from '../../../pages/page/pageText';
import { element, fill } from '../../../pages/page/widgets/element';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { ObjectsOfImage } from '../../masksSummary';

interface SelectionSectionOptions {
  text: MasksText;
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  onExport: () => void;
  onClear: () => void;
  onFailure: (error: unknown) => void;
}

const names: Record<ShapeMeasure, { name: MasksTextKey; hint: MasksTextKey; unit: string }> = {
  area: { name: 'measureArea', hint: 'measureAreaHint', unit: 'px²' },
  perimeter: { name: 'measurePerimeter', hint: 'measurePerimeterHint', unit: 'px' },
  majorAxis: { name: 'measureMajorAxis', hint: 'measureAxisHint', unit: 'px' },
  minorAxis: { name: 'measureMinorAxis', hint: 'measureAxisHint', unit: 'px' },
  feretMaximum: { name: 'measureFeret', hint: 'measureFeretHint', unit: 'px' },
};

/** Count, mean and standard deviation of several selected objects: of their masks, and of their rows of the table. */
export class SelectionSection {
  readonly root: HTMLElement;
  private readonly heading = element('h2');
  private readonly body = element('div');
  private selection: readonly ObjectsOfImage[] = [];
  private pending: AbortController | undefined;

  constructor(private readonly options: SelectionSectionOptions) {
    const { text, onExport, onClear } = options;
    const button = (label: string, onClick: () => void) => {
      const made = element('button', { type: 'button', class: 'button secondary' }, label);
      made.addEventListener('click', onClick);
      return made;
    };
    this.root = element(
      'section',
      { class: 'section selection', 'aria-label': text.get('selection'), hidden: true },
      this.heading,
      this.body,
      element(
        'div',
        { class: 'buttons' },
        button(text.get('exportSelected'), onExport),
        button(text.get('clearSelection'), onClear),
      ),
    );
  }

  /** The selection has changed. */
  show(selection: readonly ObjectsOfImage[]): void {
    const { text } = this.options;
    this.selection = selection;
    const count = selection.reduce((sum, { objects }) => sum + objects.length, 0);
    this.root.hidden = count === 0;
    if (count > 0) fill(this.heading, text.count('selectionOf', count));
    void this.refresh();
  }

  /** Rows and objects were linked again. */
  async refresh(): Promise<void> {
    const { panel, onFailure } = this.options;
    this.pending?.abort();
    if (this.selection.length === 0) return;
    const { signal } = (this.pending = new AbortController());
    const params = {
      selection: this.selection.map(({ image, objects }) => ({ image, objects: [...objects] })),
    };
    try {
      const { columns } = await panel.request('columnsOfSelection', params, signal);
      if (!signal.aborted) this.render(undefined, columns);
      const shapes = await panel.request('shapesOfSelection', params, signal);
      if (!signal.aborted) this.render(shapes, columns);
    } catch (error) {
      if (!signal.aborted && !isCoded(error, 'cancelled')) onFailure(error);
    }
  }

  private render(shapes: ShapeStatistics | undefined, columns: readonly SelectedColumn[]): void {
    const { text } = this.options;
    const header = (words: string, hint?: string) => element('th', { scope: 'col', title: hint }, words);
    fill(
      this.body,
      element(
        'table',
        { class: 'statistics' },
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            element('td'),
            header(text.get('statisticMean')),
            header(text.get('statisticSd'), text.get('statisticSdHint')),
          ),
        ),
        element(
          'tbody',
          {},
          this.groupRow(text.get('measuredHere')),
          ...shapeMeasures.map(measure => {
            const { name, hint, unit } = names[measure];
            return this.row(text.get('nameInUnit', text.get(name), unit), text.get(hint), shapes?.[measure]);
          }),
        ),
        columns.length > 0 &&
          element(
            'tbody',
            {},
            this.groupRow(text.get('columnsOfTable')),
            ...columns.map(column =>
              this.row(column.name || '–', column.isRounded ? text.get('statisticRounded') : '', column),
            ),
          ),
      ),
    );
  }

  private groupRow(words: string): HTMLElement {
    return element(
      'tr',
      {},
      element('th', { scope: 'rowgroup', colspan: 3, class: 'statistics-group' }, words),
    );
  }

  private row(name: string, hint: string, found: MeanAndSpread | undefined): HTMLElement {
    const { text } = this.options;
    const [mean = '', sd = ''] = found ? text.aligned([found.mean, found.sd], 5) : ['…', '…'];
    const counted = found && text.count('statisticOf', found.count);
    const title = [name, hint, counted].filter(Boolean).join('\n');
    return element(
      'tr',
      { title },
      element('th', { scope: 'row' }, name),
      element('td', {}, mean),
      element('td', {}, sd),
    );
  }
}
