import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { CodedError, isCoded } from '../../../base/errors';
import type { PagePort } from '../../../pages/page/pagePort';
import {
  type ColorMapName,
  spreadOf,
  usualRange,
  type ValueRange,
  type ValueSpread,
} from '../../../pages/page/widgets/colorScale';
import type { PackedNumbers } from '../../../protocol/packed';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide, ObjectColumn } from '../../masksPage';
import type { ImageModel, Scene } from './imageModel';
import {
  classTotals,
  loadMeasure,
  loadPopulations,
  loadValues,
  type PaintedPopulation,
} from './loadedObjects';
import { type ColorBy, type MaskMeasure, type MasksLook, sameColoring, type ShownScale } from './masksLook';
import type { CurrentLook, MasksViewState } from './masksViewState';

const BINS = 256;

/** The values that color an image's objects, once loaded. */
interface LoadedValues {
  image: Scene | undefined;
  of: ColorBy;
  values?: PackedNumbers | undefined;
  /** Absent where there are no values, or no number among them. */
  spread?: ValueSpread | undefined;
  range?: ValueRange | undefined;
  /** Of the table, if they color objects. */
  populations?: readonly PaintedPopulation[] | undefined;
  /** Why they couldn't be loaded: objects have the colors of their classes. */
  failure?: string;
}

interface ColoringOptions {
  classCount: number;
  image: ImageModel;
  look: CurrentLook;
  port: Pick<PagePort<MasksViewState>, 'view' | 'updateView'>;
  panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request' | 'send'>;
  fail: (error: unknown) => void;
  /** Makes changes that aren't the user's. */
  unnoticed: (change: () => void) => void;
}

/** The coloring of objects: fetches values of the current image, and knows their scale's ends. */
export class ColoringModel {
  /** The color scale in use, of a column or a measurement; undefined where there is none. */
  readonly scale: ReadonlySignal<ShownScale | undefined>;
  /** Objects by class that match the table's filter; undefined while they are being read. */
  readonly classCounts: ReadonlySignal<readonly number[] | undefined>;
  /** Share of the image's area that each class covers, 0…1; undefined while it isn't known. */
  readonly classShares: ReadonlySignal<readonly number[] | undefined>;
  private readonly loaded = signal<LoadedValues>({ image: undefined, of: { kind: 'class' } });
  private readonly colorable = signal<readonly ObjectColumn[]>([]);
  private readonly populated = signal(false);
  private readonly populations = signal(0);
  private readonly areas = signal<{ of: Scene; values: PackedNumbers } | undefined>(undefined);
  private readonly measures = new Map<MaskMeasure, PackedNumbers>();
  /** As the user set it; undefined for the usual one. */
  private userRange: ValueRange | undefined;
  private isLinked = false;
  /** The image shown is being colored after a change of populations, and there was another one. */
  private following = false;
  private isBehind = false;
  private requests = 0;

  constructor(private readonly options: ColoringOptions) {
    const { classCount, image, look, port } = options;
    this.userRange = port.view.range ?? undefined;
    // Of the look, which changes during a slider's drag, only the color map changes the scale.
    const map = computed(() => look.now.value.colorMap);
    this.scale = computed(() => {
      const { of, spread, range } = this.loaded.value;
      return spread && range && { of, colorMap: map.value, range, min: spread.min, max: spread.max };
    });
    const areas = computed(() => {
      const known = this.areas.value;
      return known?.of === image.scene.value ? known?.values : undefined;
    });
    const totals = computed(() => {
      const { classes, matching } = image.objects.value ?? {};
      const found = { shown: matching, areas: areas.value };
      return classes && classTotals({ classes, ...found }, classCount);
    });
    this.classCounts = computed(() => {
      const known = image.known.value;
      return known?.isPartial ? undefined : (totals.value?.counts ?? known?.classCounts);
    });
    this.classShares = computed(() => {
      const known = image.known.value;
      const whole = known && !known.isPartial && areas.value && known.width * known.height;
      return whole ? totals.value?.areas.map(sum => sum / whole) : undefined;
    });
  }

  /** The values of the image, for its canvas. */
  get values(): ReadonlySignal<LoadedValues> {
    return this.loaded;
  }

  /** Columns of the linked table that can color objects. */
  get columns(): ReadonlySignal<readonly ObjectColumn[]> {
    return this.colorable;
  }

  /** Whether populations of the linked table can color objects. */
  get hasPopulations(): ReadonlySignal<boolean> {
    return this.populated;
  }

  /** Another number each time that populations have changed. */
  get populationsRevision(): ReadonlySignal<number> {
    return this.populations;
  }

  /** The texts that get a color, where a column has texts. */
  categoriesOf(column: number): readonly string[] | undefined {
    return this.colorable.peek().find(each => each.column === column)?.categories;
  }

  /** Colors objects by something else, from now on. */
  colorBy(colorBy: ColorBy): void {
    this.recolor(colorBy, undefined);
    void this.load();
  }

  /** The saved coloring with its scale's ends; a column is found by name. Throws `not-found`. */
  restore({ colorBy = this.now.colorBy, range }: { colorBy?: ColorBy; range?: ValueRange | null }): void {
    const found = colorBy.kind === 'column' ? currentColumn(colorBy, this.colorable.peek()) : colorBy;
    if (found.kind !== colorBy.kind) throw new CodedError('not-found', 'The column is gone');
    this.recolor(found, (range === undefined ? this.userRange : range) ?? undefined);
    void this.load();
  }

  /** Sets where the scale begins and ends; without a range, to where it usually does. */
  setRange(range: ValueRange | undefined): void {
    this.recolor(this.now.colorBy, range);
    const { spread } = this.loaded.peek();
    this.loaded.value = { ...this.loaded.peek(), range: spread && (range ?? usualRange(spread)) };
  }

  setColorMap(colorMap: ColorMapName): void {
    this.options.port.updateView({ colorMap });
    this.options.look.change({ colorMap });
  }

  /** Rows were linked: objects can be colored by columns of the table. */
  async linked(): Promise<void> {
    try {
      const { columns, hasPopulations = false } = await this.options.panel.request('objectColumns', {});
      this.isLinked = true;
      this.colorable.value = columns;
      this.populated.value = hasPopulations;
      const { colorBy } = this.now;
      if (colorBy.kind === 'population') await this.load();
      if (colorBy.kind !== 'column') return;
      const found = currentColumn(colorBy, columns);
      if (!sameColoring(found, colorBy)) this.options.unnoticed(() => this.recolor(found, this.userRange));
      await this.load({ anew: true });
    } catch (error) {
      this.options.fail(error);
    }
  }

  /**
   * The table's populations changed in number, objects or color. During a gate's drag they change
   * faster than a million objects are colored: only the last change counts.
   */
  async populationsChanged(): Promise<void> {
    this.populations.value++;
    if (this.following) {
      this.isBehind = true;
      return;
    }
    this.following = true;
    do {
      this.isBehind = false;
      if (this.now.colorBy.kind === 'population') await this.load();
    } while (this.isBehind);
    this.following = false;
  }

  /** The objects of the image shown are there. */
  async objectsCame(): Promise<void> {
    const image = this.options.image.scene.peek();
    if (!image) return;
    this.measures.clear();
    await this.load();
    await image.painted;
    // For the legend.
    await this.measure(image, 'area').catch(this.options.fail);
  }

  /**
   * Fetches data of the current coloring for the current image; `anew`: the table may have changed.
   */
  async load({ anew = false } = {}): Promise<void> {
    const image = this.options.image.scene.peek();
    const { colorBy: of } = this.now;
    const request = ++this.requests;
    if (!image) return;
    const isLatest = () => request === this.requests && image === this.options.image.scene.peek();
    try {
      if (of.kind === 'population') {
        const found =
          this.isLinked && (await loadPopulations(this.options.panel, image.image.index, image.signal));
        if (isLatest()) this.loaded.value = { image, of, ...found };
        return;
      }
      const values = await this.valuesOf(image, of);
      const spread = values && (await this.spreadOf(of, values, anew));
      const range = spread && (this.userRange ?? usualRange(spread));
      if (isLatest()) this.loaded.value = { image, of, values, spread, range };
    } catch (error) {
      if (!isLatest() || isCoded(error, 'cancelled')) return;
      const failure = error instanceof Error ? error.message : String(error);
      this.options.panel.send('failure', { message: failure });
      this.loaded.value = { image, of, failure };
    }
  }

  private get now(): MasksLook {
    return this.options.look.now.peek();
  }

  private recolor(colorBy: ColorBy, range: ValueRange | undefined): void {
    this.userRange = range;
    this.options.port.updateView({ colorBy, range: range ?? null });
    if (colorBy !== this.now.colorBy) this.options.look.change({ colorBy });
  }

  private async valuesOf(image: Scene, colorBy: ColorBy): Promise<PackedNumbers | undefined> {
    if (colorBy.kind === 'measure') return this.measure(image, colorBy.measure);
    if (colorBy.kind !== 'column' || !this.isLinked) return undefined;
    const categories = this.categoriesOf(colorBy.column);
    return loadValues(this.options.panel, image.image.index, colorBy.column, image.signal, categories);
  }

  /**
   * A column has one scale for all images; measurements from masks cover only the current image.
   */
  private async spreadOf(
    of: ColorBy,
    values: PackedNumbers,
    anew: boolean,
  ): Promise<ValueSpread | undefined> {
    if (of.kind === 'column' && of.isText) return undefined;
    if (of.kind !== 'column') return spreadOf(values, BINS);
    const before = this.loaded.peek();
    if (!anew && before.spread && sameColoring(before.of, of)) return before.spread;
    const { min, max, counts } = await this.options.panel.request('valueScale', { column: of.column });
    return min === null || max === null ? undefined : { min, max, counts: new Uint32Array(counts) };
  }

  private async measure(of: Scene, measure: MaskMeasure): Promise<PackedNumbers | undefined> {
    const isShown = () => of === this.options.image.scene.peek();
    if (!isShown()) return undefined;
    const known = this.measures.get(measure);
    if (known) return known;
    const values = await loadMeasure(this.options.panel, of.image, measure, of.signal);
    if (!isShown()) return undefined;
    this.measures.set(measure, values);
    if (measure === 'area') this.areas.value = { of, values };
    return values;
  }
}

/** Coloring by a column. */
export function coloringBy({ column, name, categories }: ObjectColumn): ColorBy {
  return { kind: 'column', column, name, ...(categories && { isText: true }) };
}

/** The column of that name, wherever it stands now. */
function currentColumn(saved: ColorBy & { kind: 'column' }, columns: readonly ObjectColumn[]): ColorBy {
  const same = columns.find(({ column, name }) => column === saved.column && name === saved.name);
  const found = same ?? columns.find(({ name }) => name === saved.name);
  return found ? coloringBy(found) : { kind: 'class' };
}
