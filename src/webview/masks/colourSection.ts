import type { ObjectColumn } from '../../protocol/masksPage';
import { element, fill } from '../element';
import type { PageText } from '../pageText';
import { sameColouring, type ColourBy, type ValueRange } from './masksLook';
import { RangeClip } from './rangeClip';
import type { ValueSpread } from './valueScale';

export interface ColourSectionOptions {
  text: PageText;
  onChoose: (colourBy: ColourBy) => void;
  onRange: (range: ValueRange) => void;
  /** Back to the range that is usual for these values. */
  onReset: () => void;
}

/** What the objects are coloured by, and for numbers where the colours begin and end. */
export class ColourSection {
  readonly root: HTMLElement;
  private readonly select = element('select', { class: 'select', id: 'colour-by' });
  private readonly clip: RangeClip;
  private readonly reset: HTMLButtonElement;
  private readonly scale: HTMLElement;
  private readonly nothing: HTMLElement;
  private choices: ColourBy[] = [];
  private columns: readonly ObjectColumn[] = [];
  private chosen: ColourBy = { kind: 'class' };

  constructor(private readonly options: ColourSectionOptions) {
    const { text } = options;
    this.clip = new RangeClip({
      text,
      lowLabel: 'scaleLow',
      highLabel: 'scaleHigh',
      onChange: options.onRange,
    });
    this.reset = element('button', { type: 'button', class: 'link-button' }, text.get('scaleReset'));
    this.reset.addEventListener('click', options.onReset);
    this.nothing = element('p', { class: 'hint', hidden: true }, text.get('scaleNone'));
    this.scale = element(
      'div',
      { class: 'scale', hidden: true },
      this.clip.root,
      element('p', { class: 'hint scale-hint' }, element('span', {}, text.get('scaleHint')), this.reset),
    );
    this.select.addEventListener('change', () => {
      const choice = this.choices[Number(this.select.value)];
      if (choice) options.onChoose(choice);
    });
    this.root = element(
      'section',
      { class: 'section', 'aria-label': text.get('colourBy') },
      element('h2', {}, element('label', { for: 'colour-by' }, text.get('colourBy'))),
      this.select,
      this.scale,
      this.nothing,
    );
    this.refresh();
  }

  /** Numeric columns of the linked table. */
  setColumns(columns: readonly ObjectColumn[]): void {
    this.columns = columns;
    this.refresh();
  }

  /** What is chosen, and the spread of its values if it is a number and there are any. */
  show(colourBy: ColourBy, spread?: ValueSpread, range?: ValueRange): void {
    this.chosen = colourBy;
    this.refresh();
    const numeric = colourBy.kind === 'column' || colourBy.kind === 'measure';
    this.scale.hidden = !numeric || !spread || !range;
    this.nothing.hidden = true;
    if (spread && range) this.clip.show(spread, range);
  }

  /** The chosen column holds no number. */
  showNothing(): void {
    this.scale.hidden = true;
    this.nothing.hidden = false;
  }

  private refresh(): void {
    const { text } = this.options;
    this.choices = [];
    const option = (choice: ColourBy, words: string) => {
      const value = this.choices.push(choice) - 1;
      const made = element('option', { value }, words);
      made.selected = sameColouring(choice, this.chosen);
      return made;
    };
    const group = (label: string, ...options: HTMLElement[]) => {
      const made = element('optgroup', {}, ...options);
      made.label = label;
      return made;
    };
    const { chosen } = this;
    // A choice that was kept is there before the table is.
    const columns =
      chosen.kind === 'column' && !this.columns.some(({ column }) => column === chosen.column)
        ? [{ column: chosen.column, name: chosen.name }, ...this.columns]
        : this.columns;
    fill(
      this.select,
      option({ kind: 'class' }, text.get('byClass')),
      option({ kind: 'object' }, text.get('byObject')),
      group(
        text.get('measuredHere'),
        option({ kind: 'measure', measure: 'area' }, text.get('byArea')),
        option({ kind: 'measure', measure: 'perimeter' }, text.get('byPerimeter')),
      ),
      columns.length > 0 &&
        group(
          text.get('columnsOfTable'),
          ...columns.map(({ column, name }) =>
            option({ kind: 'column', column, name }, name || text.get('unnamedColumn', column + 1)),
          ),
        ),
    );
  }
}
