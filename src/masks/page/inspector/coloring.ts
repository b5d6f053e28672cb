import { isCoded } from '../../../base/errors';
import type { MasksText } from '../../../pages/page/pageText';
import {
  type ColorMapName,
  colorMapNames,
  scaleColor,
  spreadOf,
  usualRange,
  type ValueRange,
  type ValueSpread,
} from '../../../pages/page/widgets/colorScale';
import { element, fill } from '../../../pages/page/widgets/element';
import type { PackedNumbers } from '../../../protocol/packed';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide, ObjectColumn } from '../../masksPage';
import type { ImageScene } from '../stage/imageScene';
import { loadMeasure, loadValues } from '../state/loadedObjects';
import { type ColorBy, type MaskMeasure, sameColoring, type ShownScale } from '../state/masksLook';
import { RangeClip } from './rangeClip';

const BINS = 256;

interface ColoringOptions {
  text: MasksText;
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  /** As saved. */
  colorBy: ColorBy;
  range: ValueRange | undefined;
  colorMap: ColorMapName;
  onColorMap: (name: ColorMapName) => void;
  /** What is colored by has changed, or the range that the user set for it (undefined for the usual one). */
  onChange: (colorBy: ColorBy, range: ValueRange | undefined) => void;
  /** The color scale in use changed; undefined where there is none. */
  onScale: (scale: ShownScale | undefined) => void;
  /** The areas of a scene's objects are there. */
  onAreas: (scene: ImageScene, areas: PackedNumbers) => void;
  onFailure: (error: unknown) => void;
}

/** What objects are colored by: fetches the values of the image shown and knows how far their scale goes. */
export class Coloring {
  readonly section: ColorSection;
  private colorBy: ColorBy;
  private userRange: ValueRange | undefined;
  private colorMap: ColorMapName;
  private spread: { of: ColorBy; value: ValueSpread } | undefined;
  private scene: ImageScene | undefined;
  private readonly measures = new Map<MaskMeasure, PackedNumbers>();
  private values: PackedNumbers | undefined;
  private columns: readonly ObjectColumn[] | undefined;
  private requests = 0;

  constructor(private readonly options: ColoringOptions) {
    this.colorBy = options.colorBy;
    this.colorMap = options.colorMap;
    this.userRange = options.range;
    this.section = new ColorSection({
      text: options.text,
      colorMap: options.colorMap,
      onColorMap: name => {
        this.colorMap = name;
        options.onColorMap(name);
        this.apply();
      },
      onChoose: colorBy => this.select(colorBy),
      onRange: range => this.setRange(range),
      onReset: () => this.setRange(undefined),
      onRetry: () => void this.refresh(),
    });
    this.section.show(this.colorBy);
  }

  /** Rows were linked: objects can be colored by columns of the table. */
  async linked(): Promise<void> {
    try {
      const { columns } = await this.options.panel.request('objectColumns', {});
      this.columns = columns;
      this.section.setColumns(columns);
      if (this.colorBy.kind === 'column') {
        const found = this.currentColumn(this.colorBy, columns);
        const moved = !sameColoring(found, this.colorBy);
        this.colorBy = found;
        if (moved) this.options.onChange(found, this.userRange);
        this.spread = undefined;
        await this.refresh();
      }
    } catch (error) {
      this.failed(error);
    }
  }

  /** Another image is shown, its objects are there. */
  async setScene(scene: ImageScene): Promise<void> {
    this.scene = scene;
    this.measures.clear();
    this.values = undefined;
    await this.refresh();
    await scene.painted;
    // For the legend.
    await this.measure(scene, 'area').catch((error: unknown) => this.failed(error));
  }

  private select(colorBy: ColorBy): void {
    this.colorBy = colorBy;
    this.userRange = undefined;
    this.options.onChange(colorBy, undefined);
    this.section.show(colorBy);
    void this.refresh();
  }

  private setRange(range: ValueRange | undefined): void {
    this.userRange = range;
    this.options.onChange(this.colorBy, range);
    this.apply();
  }

  /** Fetches what the current coloring needs for the image shown. */
  private async refresh(): Promise<void> {
    const { scene, colorBy } = this;
    const request = ++this.requests;
    if (!scene) return;
    try {
      const values = await this.valuesOf(scene, colorBy);
      const spread = values && (await this.spreadFor(colorBy, values));
      if (request !== this.requests || scene !== this.scene) return;
      this.values = values;
      this.spread = spread && { of: colorBy, value: spread };
      this.apply();
      if (values && !spread) this.section.showNothing();
    } catch (error) {
      if (request === this.requests && scene === this.scene) this.showFailure(error);
    }
  }

  /** Objects have the colors of their classes until the values are loaded. */
  private showFailure(error: unknown): void {
    if (isCoded(error, 'cancelled')) return;
    const { text, panel } = this.options;
    const reason = error instanceof Error ? error.message : String(error);
    panel.send('failure', { message: reason });
    this.values = undefined;
    this.spread = undefined;
    this.section.showFailure(text.get('valuesFailed', reason));
    this.options.onScale(undefined);
    this.scene?.setValues(undefined, undefined);
  }

  private apply(): void {
    const { spread, colorBy } = this;
    const known = spread && sameColoring(spread.of, colorBy) ? spread.value : undefined;
    const range = known && (this.userRange ?? usualRange(known));
    this.section.show(colorBy, known, range);
    const { colorMap } = this;
    this.options.onScale(known && range && { of: colorBy, colorMap, range, min: known.min, max: known.max });
    this.scene?.setValues(this.values, range);
  }

  private async valuesOf(scene: ImageScene, colorBy: ColorBy): Promise<PackedNumbers | undefined> {
    if (colorBy.kind === 'measure') return this.measure(scene, colorBy.measure);
    if (colorBy.kind !== 'column' || !this.columns) return undefined;
    const { column } = colorBy;
    return loadValues(this.options.panel, scene.image.index, column, scene.signal);
  }

  /** A column has one scale for all images; what is measured here is known of the image shown alone. */
  private async spreadFor(colorBy: ColorBy, values: PackedNumbers): Promise<ValueSpread | undefined> {
    if (colorBy.kind !== 'column') return spreadOf(values, BINS);
    if (this.spread && sameColoring(this.spread.of, colorBy)) return this.spread.value;
    const { min, max, counts } = await this.options.panel.request('valueScale', { column: colorBy.column });
    return min === null || max === null ? undefined : { min, max, counts: new Uint32Array(counts) };
  }

  private async measure(scene: ImageScene, measure: MaskMeasure): Promise<PackedNumbers | undefined> {
    if (scene !== this.scene) return undefined;
    const known = this.measures.get(measure);
    if (known) return known;
    const values = await loadMeasure(this.options.panel, scene.image, measure, scene.signal);
    if (scene !== this.scene) return undefined;
    this.measures.set(measure, values);
    if (measure === 'area') this.options.onAreas(scene, values);
    return values;
  }

  /** The column of that name, wherever it stands now. */
  private currentColumn(saved: ColorBy & { kind: 'column' }, columns: readonly ObjectColumn[]): ColorBy {
    const same = columns.find(({ column, name }) => column === saved.column && name === saved.name);
    const found = same ?? columns.find(({ name }) => name === saved.name);
    return found ? { kind: 'column', ...found } : { kind: 'class' };
  }

  private failed(error: unknown): void {
    if (!isCoded(error, 'cancelled')) this.options.onFailure(error);
  }
}

interface ColorSectionOptions {
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
class ColorSection {
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
