import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { fromHex, luminance, toHex } from '../../base/colors';
import type { PlotOnPage, RowColors } from '../../drawing/page/plotAddition';
import { readable } from '../../drawing/page/plotColors';
import { t } from '../../pages/page/l10n';
import type { OpenedParts } from '../../table/page/contribution';
import {
  plain,
  type Population,
  type PopulationInTable,
  populationNamed,
  populationsInTable,
} from '../population';
import { populationColors } from '../populationColors';
import { byNames, freeName } from '../populationList';
import type { CountedPopulation } from '../populationRequests';
import {
  type GateAxes,
  type GateTool,
  type ShapeGate,
  shapesOn,
  type ThresholdGate,
  thresholdsOn,
  withPart,
} from './gateShapes';
import type { PopulationsModel } from './populationsModel';

/** A shape in a plot: which population it is of, and the place of its gate in that one's. */
interface ShapeId {
  name: string;
  at: number;
}

interface SelectedShape extends ShapeId {
  /** Position of a handle, which keys move in place of the whole gate. */
  handle?: number | undefined;
}

/** A population that is being drawn, or whose gate is being changed: not stored yet. */
interface Draft {
  population: Population;
  isNew: boolean;
  /** The plot that it is drawn in. */
  plot: PlotOnPage;
  /** It is drawn, and gets its name. */
  isNaming?: true;
}

/** A population with a gate on the axes of a plot. */
export interface ShapeInPlot extends ShapeId {
  gate: ShapeGate;
  place: number;
  counted: CountedPopulation | undefined;
}

/** Thresholds on an axis: of images from the least to the greatest. */
export interface ThresholdInPlot {
  name: string;
  gate: ThresholdGate;
  place: number;
  counted: CountedPopulation;
  ends: [least: number, greatest: number];
}

/** Sends one at a time: of later ones only the latest. */
class LatestOnly {
  private isWaiting = false;
  private isBusy = false;

  constructor(private readonly send: () => Promise<void>) {}

  ask(): void {
    this.isWaiting = true;
    if (!this.isBusy) void this.work();
  }

  /** Drops the waiting one. */
  forget(): void {
    this.isWaiting = false;
  }

  private async work(): Promise<void> {
    this.isBusy = true;
    while (this.isWaiting) {
      this.isWaiting = false;
      await this.send();
    }
    this.isBusy = false;
  }
}

/**
 * Gates in a page's plots: the visible ones, the selected one, and the one being drawn or changed.
 * Its counts are shown at once; it is stored at the end.
 */
export class GatesModel {
  /** The tool of each plot; undefined without a tool. */
  readonly tool = signal<{ plot: PlotOnPage; kind: GateTool } | undefined>(undefined);
  readonly draft: ReadonlySignal<Draft | undefined>;
  readonly selected: ReadonlySignal<SelectedShape | undefined>;
  /** All populations, including the one being drawn or changed. */
  readonly all: ReadonlySignal<readonly Population[]>;
  readonly colors: ReadonlySignal<RowColors | undefined>;
  private readonly drafted: Signal<Draft | undefined> = signal(undefined);
  private readonly chosen: Signal<SelectedShape | undefined> = signal(undefined);
  private readonly inTable: ReadonlySignal<readonly PopulationInTable[]>;
  /** Distinguishes counts of the current drawing from earlier ones. */
  private gesture = 0;
  private readonly counting: LatestOnly;

  constructor(
    readonly populations: PopulationsModel,
    private readonly parts: Pick<OpenedParts, 'model'>,
  ) {
    this.draft = this.drafted;
    this.all = computed(() => withDraft(populations.populations, this.drafted.value));
    this.inTable = computed(() => populationsInTable(this.all.value, parts.model.table.columns));
    this.selected = computed(() => {
      const { value } = this.chosen;
      return value && populationNamed(this.all.value, value.name) ? value : undefined;
    });
    this.counting = new LatestOnly(() => {
      const { gesture } = this;
      return populations.countDrawn(this.all.peek(), () => gesture === this.gesture);
    });
    let known: { mark: string; colors: RowColors | undefined } = { mark: '', colors: undefined };
    this.colors = computed(() => {
      const { mark, colors } = this.rowColors();
      // Others only if they changed.
      if (mark !== known.mark) known = { mark, colors };
      return known.colors;
    });
  }

  /** The populations whose gates are on the axes of a plot. */
  shapesOn(axes: GateAxes): ShapeInPlot[] {
    return this.shown().flatMap(({ of: { name }, found }, place) =>
      'problem' in found
        ? []
        : shapesOn(found.gate, axes).map(part => ({ ...part, name, place, counted: this.countedOf(name) })),
    );
  }

  thresholdsOn(axes: GateAxes): ThresholdInPlot[] {
    return this.shown().flatMap(({ of: { name }, found }, place) => {
      const counted = this.countedOf(name);
      if ('problem' in found || !counted) return [];
      return thresholdsOn(found.gate, axes).flatMap(({ at, gate }) => {
        const [least, greatest] = counted.thresholds[at] ?? [null, null];
        if (least === null || greatest === null) return [];
        return [{ name, gate, place, counted, ends: [least, greatest] as [number, number] }];
      });
    });
  }

  countedOf(name: string): CountedPopulation | undefined {
    return this.populations.latest?.populations.find(each => plain(each.name) === plain(name));
  }

  /** The color of the population at a place of the list, so that it stands out. */
  colorOf(place: number, background: string): string {
    return colorOn(background, this.all.value, place);
  }

  select(shape: SelectedShape | undefined): void {
    this.chosen.value = shape;
  }

  choose(plot: PlotOnPage, kind: GateTool | undefined): void {
    batch(() => {
      this.cancel();
      this.chosen.value = undefined;
      this.tool.value = kind && { plot, kind };
    });
  }

  /** Draws a gate that isn't there yet, or draws it anew. */
  draw(plot: PlotOnPage, gate: ShapeGate): void {
    const { populations, parts } = this;
    const { draft } = this;
    const { filtered: parent, populations: all } = populations;
    const named = draft.peek()?.population ?? {
      name: freeName(all, t({ message: 'Population', comment: 'Named set of objects' })),
      ...(parent !== undefined && { parent }),
    };
    const population = { ...named, gate: byNames(gate, parts.model.table.columns) };
    this.show({ population, isNew: true, plot });
  }

  /** The new gate needs a name. */
  drawn(): void {
    const draft = this.drafted.peek();
    batch(() => {
      this.tool.value = undefined;
      if (draft) this.drafted.value = { ...draft, isNaming: true };
    });
  }

  /** Returns why it can't have that name. */
  give(name: string): string | undefined {
    const draft = this.drafted.peek();
    if (!draft) return undefined;
    const problem = this.populations.addDrawn({ ...draft.population, name });
    if (problem !== undefined) return problem;
    this.end();
    const added = this.populations.populations.at(-1);
    if (added) this.chosen.value = { name: added.name, at: 0 };
    return undefined;
  }

  /** Changes a shape; it is stored by `store`. */
  change(plot: PlotOnPage, { name, at }: ShapeId, gate: ShapeGate): void {
    const own = populationNamed(this.all.peek(), name);
    if (!own) return;
    const changed = withPart(own.gate, at, part => {
      if (part.kind === 'range') return { ...part, ...gate, column: part.column };
      if ('x' in part && 'x' in gate) return { ...part, ...gate, x: part.x, y: part.y };
      return part;
    });
    this.show({ population: { ...own, gate: changed }, isNew: false, plot });
  }

  /** Ends a change: it is a step that can be undone. */
  store(): void {
    const draft = this.drafted.peek();
    if (!draft || draft.isNew) return;
    const { name, gate } = draft.population;
    const before = populationNamed(this.populations.populations, name);
    if (JSON.stringify(before?.gate) === JSON.stringify(gate)) {
      this.cancel();
      return;
    }
    batch(() => {
      this.populations.reshape(name, gate);
      this.end();
    });
  }

  /** Restores the state before. */
  cancel(): void {
    if (!this.drafted.peek()) return;
    this.end();
    this.counting.ask();
  }

  remove(name: string): void {
    this.cancel();
    this.populations.remove(name);
  }

  private end(): void {
    this.gesture++;
    this.counting.forget();
    this.drafted.value = undefined;
  }

  private show(draft: Draft): void {
    this.drafted.value = draft;
    this.counting.ask();
  }

  /** The visible ones: hidden ones only while selected. */
  private shown(): PopulationInTable[] {
    const selected = this.selected.value?.name;
    return this.inTable.value.map(each =>
      each.of.hidden && each.of.name !== selected
        ? { of: each.of, found: { problem: { kind: 'needs', name: '' } } }
        : each,
    );
  }

  private rowColors(): { mark: string; colors: RowColors | undefined } {
    const { latest } = this.populations;
    const { value: all } = this.all;
    const groups = all.flatMap((each, place) => {
      const counted = latest?.populations.find(({ name }) => name === each.name);
      if (!counted || counted.problem || each.hidden) return [];
      return [{ name: each.name, place, color: each.color, as: counted.as, depth: each.parent }];
    });
    if (groups.length === 0) return { mark: '', colors: undefined };
    const colors = {
      name: t('Populations'),
      groups: groups.map(({ name, place }) => ({
        name,
        color: (background: string) => colorOn(background, all, place),
      })),
      others: t('Other rows'),
    };
    return { mark: JSON.stringify(groups), colors };
  }
}

function withDraft(all: readonly Population[], draft: Draft | undefined): readonly Population[] {
  if (!draft) return all;
  const { population, isNew } = draft;
  if (isNew) return [...all, population];
  return all.map(each => (each.name === population.name ? population : each));
}

function colorOn(background: string, all: readonly Population[], place: number): string {
  const behind = fromHex(background) ?? [255, 255, 255];
  const color = fromHex(populationColors(all, luminance(behind) > 0.5)[place] ?? '');
  return color ? toHex(readable(color, behind)) : background;
}
