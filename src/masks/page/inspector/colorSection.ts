import type { ObjectColumn } from '../../masksPage';
import { element, fill } from '../../../pages/page/widgets/element';
import type { MasksText } from '../../../pages/page/pageText';
import { sameColoring, type ColorBy } from '../masksLook';
import type { ValueRange } from '../../../pages/page/widgets/valueScale';
import { colorMapNames, scaleColor, type ColorMapName } from '../../../pages/page/widgets/colorScale';
import { RangeClip } from './rangeClip';
import type { ValueSpread } from '../../../pages/page/widgets/valueScale';

export interface ColorSectionOptions {
  text: MasksText;
  onChoose: (colorBy: ColorBy) => void;
  colorMap: ColorMapName;
  onColorMap: (name: ColorMapName) => void;
  onRange: (range: ValueRange) => void;
  /** Back to the range that is usual for these values. */
  onReset: () => void;
  onRetry: () => void;
}

/** What the objects are colored by, and for numbers where the colors begin and end. */
export class ColorSection {
  readonly root: HTMLElement;
  private readonly select = element('select', { class: 'select', id: 'color-by' });
  private readonly clip: RangeClip;
  private readonly reset: HTMLButtonElement;
  private readonly scale: HTMLElement;
  private readonly rounded: HTMLElement;
  private readonly nothing: HTMLElement;
  private readonly failure = element('p', { class: 'hint', hidden: true });
  private readonly retry: HTMLButtonElement;
  private choices: ColorBy[] = [];
  private columns: readonly ObjectColumn[] = [];
  private selected: ColorBy = { kind: 'class' };
  private colorMap: ColorMapName;

  constructor(private readonly options: ColorSectionOptions) {
    const { text } = options;
    this.colorMap = options.colorMap;
    this.clip = new RangeClip({
      text,
      lowLabel: 'scaleLow',
      highLabel: 'scaleHigh',
      colorAt: share => `rgb(${scaleColor(share, this.colorMap).join(' ')})`,
      onChange: options.onRange,
    });
    this.reset = element('button', { type: 'button', class: 'link-button' }, text.get('scaleReset'));
    this.reset.addEventListener('click', options.onReset);
    this.rounded = element('p', { class: 'hint', hidden: true }, text.get('scaleRounded'));
    this.nothing = element('p', { class: 'hint', hidden: true }, text.get('scaleNone'));
    this.retry = element('button', { type: 'button', class: 'link-button' }, text.get('retry'));
    this.retry.addEventListener('click', options.onRetry);
    this.scale = element(
      'div',
      { class: 'scale', hidden: true },
      this.mapChoice(),
      this.clip.root,
      element('p', { class: 'hint scale-hint' }, element('span', {}, text.get('scaleHint')), this.reset),
    );
    this.select.addEventListener('change', () => {
      const choice = this.choices[Number(this.select.value)];
      if (choice) options.onChoose(choice);
    });
    this.root = element(
      'section',
      { class: 'section', 'aria-label': text.get('colorBy') },
      element('h2', {}, element('label', { for: 'color-by' }, text.get('colorBy'))),
      this.select,
      this.scale,
      this.rounded,
      this.nothing,
      this.failure,
    );
    this.refresh();
  }

  /** Numeric columns of the linked table. */
  setColumns(columns: readonly ObjectColumn[]): void {
    this.columns = columns;
    this.refresh();
  }

  /** Shows the current coloring, and for numbers the spread of the values if there are any. */
  show(colorBy: ColorBy, spread?: ValueSpread, range?: ValueRange): void {
    this.selected = colorBy;
    this.refresh();
    const numeric = colorBy.kind === 'column' || colorBy.kind === 'measure';
    this.scale.hidden = !numeric || !spread || !range;
    const shown = colorBy.kind === 'column' && this.columns.find(({ column }) => column === colorBy.column);
    this.rounded.hidden = this.scale.hidden || !shown || !shown.isRounded;
    this.nothing.hidden = true;
    this.setFailure(undefined);
    if (spread && range) this.clip.show(spread, range);
  }

  /** The selected column has no numbers. */
  showNothing(): void {
    this.scale.hidden = true;
    this.rounded.hidden = true;
    this.nothing.hidden = false;
  }

  /** The values couldn't be loaded; says so until something else is shown. */
  showFailure(words: string): void {
    this.scale.hidden = true;
    this.rounded.hidden = true;
    this.nothing.hidden = true;
    this.setFailure(words);
  }

  private setFailure(words: string | undefined): void {
    const hadFocus = document.activeElement === this.retry;
    this.failure.hidden = words === undefined;
    fill(this.failure, words !== undefined && element('span', { role: 'alert' }, words), ' ', this.retry);
    if (hadFocus) (words === undefined ? this.select : this.retry).focus();
  }

  private mapChoice(): HTMLElement {
    const { text, onColorMap } = this.options;
    const names = { viridis: 'mapViridis', turbo: 'mapTurbo', grays: 'mapGrays' } as const;
    const select = element('select', { class: 'select', id: 'color-map' });
    for (const name of colorMapNames) {
      const option = element('option', { value: name }, text.get(names[name]));
      option.selected = name === this.colorMap;
      select.append(option);
    }
    select.addEventListener('change', () => {
      this.colorMap = colorMapNames.find(name => name === select.value) ?? 'viridis';
      this.clip.repaint();
      onColorMap(this.colorMap);
    });
    return element(
      'div',
      { class: 'color-map' },
      element('label', { for: 'color-map' }, text.get('colorMap')),
      select,
    );
  }

  private refresh(): void {
    const { text } = this.options;
    this.choices = [];
    const option = (choice: ColorBy, words: string) => {
      const value = this.choices.push(choice) - 1;
      const made = element('option', { value }, words);
      made.selected = sameColoring(choice, this.selected);
      return made;
    };
    const group = (label: string, ...options: HTMLElement[]) => {
      const made = element('optgroup', {}, ...options);
      made.label = label;
      return made;
    };
    const { selected } = this;
    // A saved column is listed before the table is linked.
    const columns =
      selected.kind === 'column' && !this.columns.some(({ column }) => column === selected.column)
        ? [{ column: selected.column, name: selected.name }, ...this.columns]
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
