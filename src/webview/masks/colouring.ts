import { isCoded } from '../../base/errors';
import type { MasksPageSide, MasksPanelSide, ObjectColumn } from '../../protocol/masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { PageText } from '../pageText';
import { ColourSection } from './colourSection';
import { loadMeasures, loadValues, type ImageMeasures } from './imageObjects';
import type { ImageScene } from './imageScene';
import { sameColouring, type ColourBy, type ValueRange } from './masksLook';
import { spreadOf, usualRange, type ValueSpread } from './valueScale';

const BINS = 256;

export interface ColouringOptions {
  text: PageText;
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  /** As it was left. */
  colourBy: ColourBy;
  range: ValueRange | undefined;
  /** What is coloured by has changed, or the range that the user set for it (undefined for the usual one). */
  onChange: (colourBy: ColourBy, range: ValueRange | undefined) => void;
  /** Where the colour scale begins and ends now. */
  onRange: (range: ValueRange | undefined) => void;
  /** The measurements of a scene's objects are there. */
  onMeasures: (scene: ImageScene, measures: ImageMeasures) => void;
  onFailure: (error: unknown) => void;
}

/** What objects are coloured by: fetches the values of the image shown and knows how far their scale goes. */
export class Colouring {
  readonly section: ColourSection;
  private colourBy: ColourBy;
  private chosenRange: ValueRange | undefined;
  private spread: { of: ColourBy; value: ValueSpread } | undefined;
  private scene: ImageScene | undefined;
  private measures: ImageMeasures | undefined;
  private values: Float64Array | undefined;
  private columns: readonly ObjectColumn[] | undefined;
  private asked = 0;

  constructor(private readonly options: ColouringOptions) {
    this.colourBy = options.colourBy;
    this.chosenRange = options.range;
    this.section = new ColourSection({
      text: options.text,
      onChoose: colourBy => this.choose(colourBy),
      onRange: range => this.setRange(range),
      onReset: () => this.setRange(undefined),
    });
    this.section.show(this.colourBy);
  }

  /** Rows are linked, or linked anew: columns of the table can be coloured by. */
  async linked(): Promise<void> {
    try {
      const { columns } = await this.options.panel.request('objectColumns', {});
      this.columns = columns;
      this.section.setColumns(columns);
      if (this.colourBy.kind === 'column') {
        const found = this.stillThere(this.colourBy, columns);
        const moved = !sameColouring(found, this.colourBy);
        this.colourBy = found;
        if (moved) this.options.onChange(found, this.chosenRange);
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
    this.measures = undefined;
    this.values = undefined;
    await this.refresh();
    await this.measure(scene);
  }

  private choose(colourBy: ColourBy): void {
    this.colourBy = colourBy;
    this.chosenRange = undefined;
    this.options.onChange(colourBy, undefined);
    this.section.show(colourBy);
    void this.refresh();
  }

  private setRange(range: ValueRange | undefined): void {
    this.chosenRange = range;
    this.options.onChange(this.colourBy, range);
    this.apply();
  }

  /** Fetches what the present choice needs for the image shown. */
  private async refresh(): Promise<void> {
    const { scene, colourBy } = this;
    const asked = ++this.asked;
    if (!scene) return;
    try {
      const values = await this.valuesOf(scene, colourBy);
      const spread = values && (await this.spreadFor(colourBy, values));
      if (asked !== this.asked || scene !== this.scene) return;
      this.values = values;
      this.spread = spread && { of: colourBy, value: spread };
      this.apply();
      if (values && !spread) this.section.showNothing();
    } catch (error) {
      this.failed(error);
    }
  }

  private apply(): void {
    const { spread, colourBy } = this;
    const known = spread && sameColouring(spread.of, colourBy) ? spread.value : undefined;
    const range = known && (this.chosenRange ?? usualRange(known));
    this.section.show(colourBy, known, range);
    this.options.onRange(range);
    this.scene?.setValues(this.values, range);
  }

  private async valuesOf(scene: ImageScene, colourBy: ColourBy): Promise<Float64Array | undefined> {
    if (colourBy.kind === 'measure') return (await this.measure(scene))?.[colourBy.measure];
    if (colourBy.kind !== 'column' || !this.columns) return undefined;
    const { column } = colourBy;
    return loadValues(this.options.panel, scene.image.index, column, scene.signal);
  }

  /** A column has one scale for all images; what is measured here is known of the image shown alone. */
  private async spreadFor(colourBy: ColourBy, values: Float64Array): Promise<ValueSpread | undefined> {
    if (colourBy.kind !== 'column') return spreadOf(values, BINS);
    if (this.spread && sameColouring(this.spread.of, colourBy)) return this.spread.value;
    const { min, max, counts } = await this.options.panel.request('valueScale', { column: colourBy.column });
    return min === null || max === null ? undefined : { min, max, counts: new Uint32Array(counts) };
  }

  private async measure(scene: ImageScene): Promise<ImageMeasures | undefined> {
    if (scene !== this.scene) return undefined;
    if (this.measures) return this.measures;
    try {
      const measures = await loadMeasures(this.options.panel, scene.image, scene.signal);
      if (scene !== this.scene) return undefined;
      this.measures = measures;
      this.options.onMeasures(scene, measures);
      return measures;
    } catch (error) {
      this.failed(error);
      return undefined;
    }
  }

  /** The column of that name, wherever it stands now. */
  private stillThere(chosen: ColourBy & { kind: 'column' }, columns: readonly ObjectColumn[]): ColourBy {
    const same = columns.find(({ column, name }) => column === chosen.column && name === chosen.name);
    const found = same ?? columns.find(({ name }) => name === chosen.name);
    return found ? { kind: 'column', ...found } : { kind: 'class' };
  }

  private failed(error: unknown): void {
    if (!isCoded(error, 'cancelled')) this.options.onFailure(error);
  }
}
