import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { fromHex, luminance, toHex } from '../../base/colors';
import type { PlotOnPage, RowColors } from '../../drawing/page/plotAddition';
import { readable } from '../../drawing/page/plotColors';
import { t } from '../../pages/page/l10n';
import type { OpenedParts } from '../../table/page/contribution';
import {
  type Population,
  type PopulationInTable,
  populationColors,
  populationNamed,
  populationsInTable,
} from '../population';
import { withColumnNames } from '../populationList';
import type { CountedPopulation } from '../populationRequests';
import { type GateAxes, type GateTool, type ShapeGate, shapesOn, withPart } from './gateShapes';
import type { PopulationsModel } from './populationsModel';

/** Identifies a shape: its population, and its position among the simple gates of that one. */
interface ShapeId {
  name: string;
  part: number;
}

interface SelectedShape extends ShapeId {
  /** Position of the selected handle, if any: keys move it instead of the whole gate. */
  handle?: number | undefined;
}

/** A population that is being drawn, or whose gate is being changed. It isn't stored yet. */
interface Draft {
  population: Population;
  isNew: boolean;
  /** The plot that it is drawn in. */
  plot: PlotOnPage;
  /** Set while the user enters a name for the drawn gate. */
  isNaming?: true;
}

/** A population with a gate on the axes of a plot. */
export interface ShapeInPlot extends ShapeId {
  gate: ShapeGate;
  isBand?: true;
  /** Its population's position in the list. */
  listed: number;
  counted: CountedPopulation | undefined;
}

/**
 * Gates in a page's plots: the visible ones, the selected one, and the one being drawn or changed.
 * The latter is counted during the gesture, and stored when it ends.
 */
export class GatesModel {
  /** The active tool, and its plot. */
  readonly tool = signal<{ plot: PlotOnPage; kind: GateTool } | undefined>(undefined);
  readonly draft: ReadonlySignal<Draft | undefined>;
  readonly selected: ReadonlySignal<SelectedShape | undefined>;
  /** All populations, including the one being drawn or changed. */
  readonly all: ReadonlySignal<readonly Population[]>;
  readonly colors: ReadonlySignal<RowColors | undefined>;
  private readonly currentDraft: Signal<Draft | undefined> = signal(undefined);
  private readonly selection: Signal<SelectedShape | undefined> = signal(undefined);
  private readonly inTable: ReadonlySignal<readonly PopulationInTable[]>;

  constructor(
    readonly populations: PopulationsModel,
    private readonly parts: Pick<OpenedParts, 'model'>,
  ) {
    this.draft = this.currentDraft;
    this.all = computed(() => withDraft(populations.populations, this.currentDraft.value));
    this.inTable = computed(() => populationsInTable(this.all.value, parts.model.table.columns));
    this.selected = computed(() => {
      const { value } = this.selection;
      return value && populationNamed(this.all.value, value.name) ? value : undefined;
    });
    let latest: { mark: string; colors: RowColors | undefined } = { mark: '', colors: undefined };
    this.colors = computed(() => {
      const { mark, colors } = this.rowColors();
      // The same object if nothing changed, so that plots aren't drawn again.
      if (mark !== latest.mark) latest = { mark, colors };
      return latest.colors;
    });
  }

  /** Shapes of gates on a plot's axes. Of hidden populations, only those of the selected one. */
  shapesOn(axes: GateAxes): ShapeInPlot[] {
    const selected = this.selected.value?.name;
    return this.inTable.value.flatMap(({ population: { name, hidden }, placement }, listed) => {
      if ('problem' in placement || (hidden && name !== selected)) return [];
      const counted = this.countedOf(name);
      const parts = shapesOn(placement.gate, axes, counted?.thresholds);
      return parts.map(part => ({ ...part, name, listed, counted }));
    });
  }

  countedOf(name: string): CountedPopulation | undefined {
    return this.populations.countedOf(name);
  }

  /** The colors of all populations, in order, adjusted to stand out from a background. */
  colorsOn(background: string): string[] {
    return colorsOn(this.all.value, background);
  }

  select(shape: SelectedShape | undefined): void {
    this.selection.value = shape;
  }

  chooseTool(plot: PlotOnPage, kind: GateTool | undefined): void {
    batch(() => {
      this.cancel();
      this.selection.value = undefined;
      this.tool.value = kind && { plot, kind };
    });
  }

  /** Shows a new gate while it is being drawn. */
  draw(plot: PlotOnPage, gate: ShapeGate): void {
    const { populations, parts } = this;
    const { draft } = this;
    const { filtered: parent } = populations;
    const named = draft.peek()?.population ?? {
      name: populations.freeName(),
      ...(parent !== undefined && { parent }),
    };
    const population = { ...named, gate: withColumnNames(gate, parts.model.table.columns) };
    this.show({ population, isNew: true, plot });
  }

  /** Ends drawing: the new gate needs a name. */
  finishDrawing(): void {
    const draft = this.currentDraft.peek();
    batch(() => {
      this.tool.value = undefined;
      if (draft) this.currentDraft.value = { ...draft, isNaming: true };
    });
  }

  /** Names and stores the new gate's population. Returns the problem with the name, if any. */
  addNamed(name: string): string | undefined {
    const draft = this.currentDraft.peek();
    if (!draft) return undefined;
    const problem = this.populations.saveDraft(undefined, { ...draft.population, name });
    if (problem !== undefined) return problem;
    this.currentDraft.value = undefined;
    const added = this.populations.populations.at(-1);
    if (added) this.selection.value = { name: added.name, part: 0 };
    return undefined;
  }

  /** Changes a shape; `store` stores the change. */
  change(plot: PlotOnPage, { name, part }: ShapeId, gate: ShapeGate): void {
    const population = populationNamed(this.all.peek(), name);
    if (!population) return;
    const changed = withPart(population.gate, part, simple => {
      if (simple.kind === 'range') return { ...simple, ...gate, column: simple.column };
      if ('frozen' in gate) return { ...simple, frozen: gate.frozen };
      if ('x' in simple && 'x' in gate) return { ...simple, ...gate, x: simple.x, y: simple.y };
      return simple;
    });
    this.show({ population: { ...population, gate: changed }, isNew: false, plot });
  }

  /** Stores a change as one step for undo. */
  store(): void {
    const draft = this.currentDraft.peek();
    if (!draft || draft.isNew) return;
    const { name, gate } = draft.population;
    const before = populationNamed(this.populations.populations, name);
    if (!before || JSON.stringify(before.gate) === JSON.stringify(gate)) {
      this.cancel();
      return;
    }
    batch(() => {
      this.populations.saveDraft(before.name, { ...before, gate });
      this.currentDraft.value = undefined;
    });
  }

  /** Discards what was drawn or changed. */
  cancel(): void {
    if (!this.currentDraft.peek()) return;
    this.currentDraft.value = undefined;
    this.populations.cancelDraft();
  }

  remove(name: string): void {
    this.cancel();
    this.populations.remove(name);
  }

  private show(draft: Draft): void {
    this.currentDraft.value = draft;
    this.populations.countDraft(this.all.peek());
  }

  private rowColors(): { mark: string; colors: RowColors | undefined } {
    const { value: all } = this.all;
    const groups = all.flatMap((population, place) => {
      const counted = this.countedOf(population.name);
      if (!counted || counted.problem || population.hidden) return [];
      return [
        { name: population.name, place, color: population.color, as: counted.as, depth: population.parent },
      ];
    });
    if (groups.length === 0) return { mark: '', colors: undefined };
    let latest = { background: '', colors: [] as string[] };
    const onBackground = (background: string) => {
      if (latest.background !== background) latest = { background, colors: colorsOn(all, background) };
      return latest.colors;
    };
    const colors = {
      name: t('Populations'),
      groups: groups.map(({ name, place }) => ({
        name,
        color: (background: string) => onBackground(background)[place] ?? background,
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
  return all.map(other => (other.name === population.name ? population : other));
}

function colorsOn(all: readonly Population[], background: string): string[] {
  const behind = fromHex(background) ?? [255, 255, 255];
  return populationColors(all, luminance(behind) > 0.5).map(hex => {
    const color = fromHex(hex);
    return color ? toHex(readable(color, behind)) : background;
  });
}
