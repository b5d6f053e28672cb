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
  scene: Scene | undefined;
  colorBy: ColorBy;
  values?: PackedNumbers | undefined;
  /** Absent where there are no values, or no number among them. */
  spread?: ValueSpread | undefined;
  range?: ValueRange | undefined;
  /** The table's populations, while they color objects. */
  populations?: readonly PaintedPopulation[] | undefined;
  /** Why the values couldn't be loaded. Objects then have the colors of their classes. */
  failure?: string;
}

interface ColoringOptions {
  classCount: number;
  image: ImageModel;
  look: CurrentLook;
  port: Pick<PagePort<MasksViewState>, 'view' | 'updateView'>;
  panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request' | 'send'>;
  fail: (error: unknown) => void;
  /** Makes a change that isn't recorded for undo. */
  withoutUndo: (change: () => void) => void;
}

/** Colors the objects of the current image: loads their values and the ends of the color scale. */
export class ColoringModel {
  /** The color scale in use, of a column or a measurement; undefined where there is none. */
  readonly scale: ReadonlySignal<ShownScale | undefined>;
  /** Objects by class that match the table's filter; undefined while they are being read. */
  readonly classCounts: ReadonlySignal<readonly number[] | undefined>;
  /** Share of the image's area that each class covers, 0…1; undefined while it isn't known. */
  readonly classShares: ReadonlySignal<readonly number[] | undefined>;
  private readonly loaded = signal<LoadedValues>({ scene: undefined, colorBy: { kind: 'class' } });
  private readonly colorable = signal<readonly ObjectColumn[]>([]);
  private readonly populationsAvailable = signal(false);
  private readonly populationChanges = signal(0);
  private readonly areas = signal<{ scene: Scene; values: PackedNumbers } | undefined>(undefined);
  private readonly measures = new Map<MaskMeasure, PackedNumbers>();
  /** The range that the user set; undefined for the usual range. */
  private userRange: ValueRange | undefined;
  private isLinked = false;
  /** Whether objects are being recolored after a change of populations. */
  private isRecoloring = false;
  /** Whether populations changed again during that. */
  private isOutdated = false;
  private requests = 0;

  constructor(private readonly options: ColoringOptions) {
    const { classCount, image, look, port } = options;
    this.userRange = port.view.range ?? undefined;
    // The look changes all the time while a slider is dragged; the scale needs its color map alone.
    const colorMap = computed(() => look.current.value.colorMap);
    this.scale = computed(() => {
      const { colorBy, spread, range } = this.loaded.value;
      if (!spread || !range) return undefined;
      return { colorBy, colorMap: colorMap.value, range, min: spread.min, max: spread.max };
    });
    const areas = computed(() => {
      const loadedAreas = this.areas.value;
      return loadedAreas?.scene === image.scene.value ? loadedAreas?.values : undefined;
    });
    const totals = computed(() => {
      const { classes, matching } = image.objects.value ?? {};
      return classes && classTotals({ classes, shown: matching, areas: areas.value }, classCount);
    });
    this.classCounts = computed(() => {
      const summary = image.summary.value;
      return summary?.isPartial ? undefined : (totals.value?.counts ?? summary?.classCounts);
    });
    this.classShares = computed(() => {
      const summary = image.summary.value;
      const imageArea = summary && !summary.isPartial && areas.value && summary.width * summary.height;
      return imageArea ? totals.value?.areas.map(sum => sum / imageArea) : undefined;
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
    return this.populationsAvailable;
  }

  /** A number that grows whenever populations change. */
  get populationsRevision(): ReadonlySignal<number> {
    return this.populationChanges;
  }

  /** The texts of a column that get a color; undefined for a column of numbers. */
  categoriesOf(column: number): readonly string[] | undefined {
    return this.colorable.peek().find(objectColumn => objectColumn.column === column)?.categories;
  }

  /** Changes what colors objects. */
  colorBy(colorBy: ColorBy): void {
    this.recolor(colorBy, undefined);
    void this.load();
  }

  /** Restores a coloring and its scale's ends. A column is matched by name. Throws `not-found`. */
  restore({
    colorBy = this.currentLook.colorBy,
    range,
  }: {
    colorBy?: ColorBy;
    range?: ValueRange | null;
  }): void {
    const coloring = colorBy.kind === 'column' ? currentColumn(colorBy, this.colorable.peek()) : colorBy;
    if (coloring.kind !== colorBy.kind) throw new CodedError('not-found', 'The column is gone');
    this.recolor(coloring, (range === undefined ? this.userRange : range) ?? undefined);
    void this.load();
  }

  /** Sets the ends of the color scale; without a range, the usual ones. */
  setRange(range: ValueRange | undefined): void {
    this.recolor(this.currentLook.colorBy, range);
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
      this.populationsAvailable.value = hasPopulations;
      const { colorBy } = this.currentLook;
      if (colorBy.kind === 'population') await this.load();
      if (colorBy.kind !== 'column') return;
      const coloring = currentColumn(colorBy, columns);
      if (!sameColoring(coloring, colorBy))
        this.options.withoutUndo(() => this.recolor(coloring, this.userRange));
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
    this.populationChanges.value++;
    if (this.isRecoloring) {
      this.isOutdated = true;
      return;
    }
    this.isRecoloring = true;
    do {
      this.isOutdated = false;
      if (this.currentLook.colorBy.kind === 'population') await this.load();
    } while (this.isOutdated);
    this.isRecoloring = false;
  }

  /** Called once the objects of the current image are loaded. */
  async objectsLoaded(): Promise<void> {
    const scene = this.options.image.scene.peek();
    if (!scene) return;
    this.measures.clear();
    await this.load();
    await scene.painted;
    // The legend shows the area of each class.
    await this.measure(scene, 'area').catch(this.options.fail);
  }

  /**
   * Loads the values of the current coloring for the current image. With `anew`, the table may have
   * changed.
   */
  async load({ anew = false } = {}): Promise<void> {
    const scene = this.options.image.scene.peek();
    const { colorBy } = this.currentLook;
    const request = ++this.requests;
    if (!scene) return;
    const isLatest = () => request === this.requests && scene === this.options.image.scene.peek();
    try {
      if (colorBy.kind === 'population') {
        const populations =
          this.isLinked && (await loadPopulations(this.options.panel, scene.image.index, scene.signal));
        if (isLatest()) this.loaded.value = { scene, colorBy, ...populations };
        return;
      }
      const values = await this.valuesOf(scene, colorBy);
      const spread = values && (await this.spreadOf(colorBy, values, anew));
      const range = spread && (this.userRange ?? usualRange(spread));
      if (isLatest()) this.loaded.value = { scene, colorBy, values, spread, range };
    } catch (error) {
      if (!isLatest() || isCoded(error, 'cancelled')) return;
      const failure = error instanceof Error ? error.message : String(error);
      this.options.panel.send('failure', { message: failure });
      this.loaded.value = { scene, colorBy, failure };
    }
  }

  private get currentLook(): MasksLook {
    return this.options.look.current.peek();
  }

  private recolor(colorBy: ColorBy, range: ValueRange | undefined): void {
    this.userRange = range;
    this.options.port.updateView({ colorBy, range: range ?? null });
    if (colorBy !== this.currentLook.colorBy) this.options.look.change({ colorBy });
  }

  private async valuesOf(scene: Scene, colorBy: ColorBy): Promise<PackedNumbers | undefined> {
    if (colorBy.kind === 'measure') return this.measure(scene, colorBy.measure);
    if (colorBy.kind !== 'column' || !this.isLinked) return undefined;
    const categories = this.categoriesOf(colorBy.column);
    return loadValues(this.options.panel, scene.image.index, colorBy.column, scene.signal, categories);
  }

  /**
   * A column has one scale for all images; measurements from masks cover only the current image.
   */
  private async spreadOf(
    colorBy: ColorBy,
    values: PackedNumbers,
    anew: boolean,
  ): Promise<ValueSpread | undefined> {
    if (colorBy.kind !== 'column') return spreadOf(values, BINS);
    if (colorBy.isText) return undefined;
    const loaded = this.loaded.peek();
    if (!anew && loaded.spread && sameColoring(loaded.colorBy, colorBy)) return loaded.spread;
    const { min, max, counts } = await this.options.panel.request('valueScale', { column: colorBy.column });
    return min === null || max === null ? undefined : { min, max, counts: new Uint32Array(counts) };
  }

  private async measure(scene: Scene, measure: MaskMeasure): Promise<PackedNumbers | undefined> {
    const isShown = () => scene === this.options.image.scene.peek();
    if (!isShown()) return undefined;
    const cached = this.measures.get(measure);
    if (cached) return cached;
    const values = await loadMeasure(this.options.panel, scene.image, measure, scene.signal);
    if (!isShown()) return undefined;
    this.measures.set(measure, values);
    if (measure === 'area') this.areas.value = { scene, values };
    return values;
  }
}

/** Coloring by a column. */
export function coloringBy({ column, name, categories }: ObjectColumn): ColorBy {
  return { kind: 'column', column, name, ...(categories && { isText: true }) };
}

/** Coloring by the column of the saved name, at its current position; by class if it is gone. */
function currentColumn(saved: ColorBy & { kind: 'column' }, columns: readonly ObjectColumn[]): ColorBy {
  const same = columns.find(({ column, name }) => column === saved.column && name === saved.name);
  const match = same ?? columns.find(({ name }) => name === saved.name);
  return match ? coloringBy(match) : { kind: 'class' };
}
