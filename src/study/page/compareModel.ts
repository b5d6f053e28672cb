import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { NamedPopulation } from '../../table/page/state/namedPopulations';
import { isCoded } from '../../base/errors';
import type { TableColumn } from '../../columns/tableSummary';
import { type Filter, isOfColumn } from '../../columns/viewSpec';
import type { ComparisonScale } from '../conditionComparison';
import type { ComparedTable, ComparisonMarks, ComparisonParams, CompareStart } from '../conditionRequests';
import type { PartFilter } from '../../table/page/tableFilters';
import { mayBeInPixels, micronColumnOf } from '../../columns/pixelMeasures';
import { plainValue } from '../spellings';
import {
  choicesOf,
  choicesWithRenamedColumns,
  CLOSED_COMPARISON,
  type CompareChoices,
  type CompareState,
} from './comparisonChoices';
import { type FigureEdits, type FigureWord, moving, recoloring, renaming, withEdits } from './figureEdits';
import {
  type ChosenMeasure,
  classesOf,
  inPopulation,
  measurable,
  measureOf,
  type OfferedMeasures,
  populationOf,
  withRenamedPopulation,
} from './chosenMeasure';

/** Selectable parts of the plot besides objects. */
export type SelectedPart =
  | { kind: 'condition'; condition: string }
  | { kind: 'replicate'; condition: string; name: readonly string[] }
  /** Of the measure, drawn along its axis. */
  | { kind: 'range'; from: number; to: number };

/** The table that conditions are of. */
interface CompareSource {
  readonly table: { readonly columns: readonly TableColumn[] };
  /** Filters for statistics. */
  readonly statisticsFilters: { filters: readonly Filter[] };
  /** The unit of a column whose name has none; undefined where that isn't known. */
  unitOf?(name: string): string | undefined;
}

interface ComparePanel {
  compareStart(signal: AbortSignal): Promise<CompareStart>;
  /** Whether pixels of images are known to be of different sizes. */
  pixelSizesDiffer(signal: AbortSignal): Promise<boolean>;
  tableCompare(
    params: ComparisonParams,
    signal: AbortSignal,
  ): Promise<ComparedTable & { marks?: ComparisonMarks }>;
  /** Texts of a column, most frequent first. */
  textsOf(column: number, limit: number, signal: AbortSignal): Promise<string[]>;
}

export interface CompareModelOptions {
  source: CompareSource;
  /** Populations, whose shares, numbers and means can be compared. */
  populations: ReadonlySignal<readonly NamedPopulation[]>;
  panel: ComparePanel;
  state: CompareState | undefined;
  save: (state: CompareState) => void;
  /** Logs a failure that is shown in the plot's place, and returns its reason in words. */
  log: (error: unknown) => string;
  /** Gives the keyboard to the rows. */
  enterRows: () => void;
}

/** A comparison on the screen, with its inputs. */
export interface ShownComparison {
  compared: ComparedTable & { marks?: ComparisonMarks };
  params: ComparisonParams;
  /** The chosen measure, and columns by their positions. */
  measure: ChosenMeasure;
  /** Filters to one condition or replicate, which don't apply: the others stay for comparison. */
  ignored: readonly Filter[];
  /** The unit of the measure's column, where that is in no name. */
  unit?: string | undefined;
  figure: FigureEdits;
}

const NO_EDITS: FigureEdits = {};

/** Conditions compared by replicates: settings, results, and why there are none. */
export class CompareModel {
  readonly state: ReadonlySignal<CompareState>;
  /** Columns of the roles, and classes; undefined until they are known. */
  readonly known: ReadonlySignal<(CompareStart & { classes: string[] }) | undefined>;
  readonly shown: ReadonlySignal<ShownComparison | undefined>;
  readonly isBusy: ReadonlySignal<boolean>;
  /** Why there is nothing to show, in words. */
  readonly failure: ReadonlySignal<string | undefined>;
  /** The selected part of the plot; undefined if it is gone. */
  readonly selected: ReadonlySignal<SelectedPart | undefined>;
  /** Whether the question about names is shown again, though it is answered. */
  readonly isAskedAgain: ReadonlySignal<boolean>;
  private readonly now: Signal<CompareState>;
  private readonly roles = signal<(CompareStart & { classes: string[] }) | undefined>(undefined);
  private readonly latest = signal<Omit<ShownComparison, 'figure' | 'unit'> | undefined>(undefined);
  private readonly marked = signal<SelectedPart | undefined>(undefined);
  private readonly asksAgain = signal(false);
  private readonly busy = signal(false);
  private readonly why = signal<string | undefined>(undefined);
  private readonly sizesDiffer = signal(false);
  private request = new AbortController();
  /** Until it is closed, or begins anew. */
  private opened = new AbortController();
  /** The table has changed since the request that is under way. */
  private isBehind = false;
  /** Which columns have roles has to be found out. */
  private areRolesDue = true;

  constructor(private readonly parts: CompareModelOptions) {
    this.now = signal({ ...CLOSED_COMPARISON, ...parts.state });
    this.state = this.now;
    this.known = this.roles;
    const figure = computed(() => this.now.value.figure ?? NO_EDITS);
    this.shown = computed(() => {
      const shown = this.latest.value;
      if (!shown) return undefined;
      const { measure } = shown;
      const hasColumn = measure.kind === 'column' || measure.kind === 'range';
      const unit = hasColumn ? parts.source.unitOf?.(measure.name) : undefined;
      return { ...shown, unit, figure: figure.value };
    });
    this.selected = computed(() => {
      const part = this.marked.value;
      const { compared, measure } = this.latest.value ?? {};
      if (!part || !compared) return undefined;
      if (part.kind === 'range') return measure && isRangeSelectable(measure) ? part : undefined;
      if (part.kind === 'condition')
        return compared.groups.some(({ condition }) => condition === part.condition) ? part : undefined;
      const key = JSON.stringify([part.condition, part.name]);
      return compared.replicates.some(({ condition, name }) => JSON.stringify([condition, name]) === key)
        ? part
        : undefined;
    });
    this.isAskedAgain = this.asksAgain;
    this.isBusy = this.busy;
    this.failure = this.why;
  }

  /** Opens the comparison in place of the rows. */
  open(): void {
    this.change({ open: true });
    void this.start();
  }

  close(): void {
    this.change({ open: false });
    this.marked.value = undefined;
    this.asksAgain.value = false;
    this.request.abort();
    this.opened.abort();
  }

  /** Closes the comparison from inside, and returns to the rows. */
  leave(): void {
    this.close();
    this.parts.enterRows();
  }

  /** Chooses something else. Another column of replicates is another question about their names. */
  choose(changes: Partial<CompareChoices>): void {
    const asksAgain = 'condition' in changes || 'replicate' in changes;
    this.asksAgain.value = false;
    // The selected part belongs to another axis, or other groups.
    if (asksAgain || 'measure' in changes) this.marked.value = undefined;
    this.change({
      ...(asksAgain && { paired: undefined, combined: undefined, reference: undefined }),
      ...('paired' in changes && { pairedOf: this.studied }),
      ...changes,
    });
    void this.refresh();
  }

  /** Selects a part of the plot, or no more where it is selected already. */
  select(part: SelectedPart | undefined): void {
    const before = this.marked.peek();
    this.marked.value = JSON.stringify(part) === JSON.stringify(before) ? undefined : part;
  }

  /** Asks about names or levels once more, though that was answered. */
  askAgain(): void {
    this.asksAgain.value = true;
  }

  /** The filters to a part of the plot: all ways in which its values are written count. */
  filtersOf(part: SelectedPart): PartFilter[] {
    const { compared, params } = this.latest.peek() ?? {};
    if (!compared || !params) return [];
    if (part.kind === 'range') {
      // Objects outside of the population are in the range as well.
      if (params.measure.kind !== 'column' || params.measure.of) return [];
      return [{ column: params.measure.column, from: part.from, to: part.to }];
    }
    const spelled = (column: number, value: string): PartFilter => {
      const same = compared.alike.find(each => each.column === column && each.value === value);
      return { column, values: [value, ...(same?.others ?? [])] };
    };
    const ofCondition = spelled(params.condition, part.condition);
    if (part.kind === 'condition') return [ofCondition];
    return [ofCondition, ...params.replicate.map((column, at) => spelled(column, part.name[at] ?? ''))];
  }

  /** Changes the figure. Nothing is compared anew. */
  editFigure(changes: FigureEdits): void {
    this.change({ figure: withEdits(this.now.peek().figure, changes) });
  }

  /** Calls a part of the figure otherwise; by '' or its own words as it comes. */
  rename(what: FigureWord, own: string, words: string): void {
    this.editFigure(renaming(this.now.peek().figure, { what, own, words }));
  }

  /** Gives a replicate, by its name as JSON, a color; undefined for that which it has by itself. */
  recolor(key: string, color: string | undefined): void {
    this.editFigure(recoloring(this.now.peek().figure, key, color));
  }

  /** Moves a condition by places to the right, or to the left of 0. */
  move(condition: string, by: number): void {
    const shown = this.latest.peek();
    if (!shown) return;
    const moved = moving(this.now.peek().figure, shown.compared.groups, { condition, by });
    if (moved) this.editFigure(moved);
  }

  /** Restores settings, and opens it unless it shouldn't. */
  restore(choices: CompareChoices, open = true): void {
    const before = this.now.peek();
    const wasOpen = before.open;
    this.asksAgain.value = false;
    this.now.value = { ...choices, open: open || wasOpen };
    this.parts.save(this.now.peek());
    // The figure alone needs no numbers.
    const withoutFigure = (all: CompareState) => JSON.stringify({ ...choicesOf(all), figure: undefined });
    const isSame =
      withoutFigure(before) === withoutFigure(this.now.peek()) && this.latest.peek() !== undefined;
    if (wasOpen && !isSame) void this.refresh();
    else if (!wasOpen && open) void this.start();
  }

  /** Columns were renamed: settings follow. */
  columnsRenamed(names: ReadonlyMap<string, string>): void {
    const state = this.now.peek();
    const { condition = [], replicate = [], technical = [], pairedOf = [] } = state;
    if ([condition, replicate, technical, pairedOf].flat().some(name => names.has(name)))
      this.change(choicesWithRenamedColumns(state, names));
  }

  /** Populations are others; a measure of one that was renamed follows it. */
  populationsChanged(renamed?: { from: string; to: string }): void {
    const { open, measure } = this.now.peek();
    if (!measure || populationOf(measure) === undefined) return;
    if (renamed && populationOf(measure) === renamed.from)
      this.change({ measure: withRenamedPopulation(measure, renamed) });
    if (open) void this.refresh();
  }

  /** The rows that match the filters are others, or the table has other columns. */
  dataChanged(change: 'filters' | 'table' | 'sort'): void {
    if (!this.now.peek().open || change === 'sort') return;
    if (change === 'filters') void this.refresh();
    // While rows are read they come in quick succession.
    else if (this.busy.peek()) this.isBehind = true;
    else void this.start();
  }

  /** Finds out which columns say what, and compares. */
  async start(): Promise<void> {
    const { panel, source, log } = this.parts;
    this.areRolesDue = true;
    const { signal: until } = this.begin();
    try {
      const start = await panel.compareStart(until);
      const classes = await classesOf(source.table.columns, (column, limit) =>
        panel.textsOf(column, limit, until),
      );
      if (until.aborted) return;
      this.roles.value = { ...start, classes };
      this.areRolesDue = false;
      void this.compareSizes();
      await this.load();
    } catch (error) {
      if (!until.aborted && !isCoded(error, 'cancelled')) this.fail(log(error));
    } finally {
      this.ended(until);
    }
  }

  /**
   * A measure that may be in pixels, over images with different pixels; with its µm column, if any.
   */
  get inPixels(): { name: string; micron: string | undefined; isCertain: boolean } | undefined {
    const measured = this.latest.value?.measure;
    if (!this.sizesDiffer.value || !measured) return undefined;
    if (measured.kind === 'column' || measured.kind === 'range') {
      const { name } = measured;
      const { source } = this.parts;
      const isCertain = source.unitOf?.(name) !== undefined;
      if (mayBeInPixels(name)) return { name, micron: micronColumnOf(name, source.table.columns), isCertain };
    }
    // Its gates may be in pixels too.
    const population = populationOf(measured);
    const found = this.parts.populations.value.find(({ name }) => name === population);
    const name = found?.columns.find(mayBeInPixels);
    return name === undefined ? undefined : { name, micron: undefined, isCertain: false };
  }

  /** Takes another column in place of that of the chosen measure. */
  chooseColumn(name: string): void {
    const chosen = this.measure();
    if (chosen?.kind === 'range') this.choose({ measure: { ...chosen, name, from: null, to: null } });
    else {
      const population = chosen?.kind === 'column' ? chosen.population : undefined;
      this.choose({ measure: inPopulation({ kind: 'column', name }, population) });
    }
  }

  /**
   * Finds out whether images can be compared in pixels; nothing waits for it, as it may open files.
   */
  private async compareSizes(): Promise<void> {
    const { panel, log } = this.parts;
    this.opened.abort();
    const { signal: until } = (this.opened = new AbortController());
    try {
      const differ = await panel.pixelSizesDiffer(until);
      if (!until.aborted) this.sizesDiffer.value = differ;
    } catch (error) {
      if (!until.aborted && !isCoded(error, 'cancelled')) log(error);
    }
  }

  /** Compares again; a request for the roles that this ends is made once more. */
  private refresh(): Promise<void> {
    return this.now.peek().open && this.areRolesDue ? this.start() : this.load();
  }

  /** Compares with the current settings. */
  private async load(): Promise<void> {
    const { panel, log } = this.parts;
    const { signal: until } = this.begin();
    const { params, ignored = [] } = this.params() ?? {};
    const measure = this.measure();
    try {
      const compared = params && measure && (await panel.tableCompare({ ...params, plot: true }, until));
      if (until.aborted) return;
      this.latest.value = compared && { compared, params, measure, ignored };
      this.why.value = undefined;
    } catch (error) {
      if (!until.aborted && !isCoded(error, 'cancelled')) this.fail(log(error));
    } finally {
      this.ended(until);
    }
  }

  /** The chosen measure, or the one to begin with; undefined where the table has no number. */
  measure(): ChosenMeasure | undefined {
    const { columns } = this.parts.source.table;
    const chosen = this.state.value.measure;
    if (chosen && measureOf(chosen, columns, this.parts.populations.value)) return chosen;
    const numbers = measurable(columns);
    const likely = numbers.find(({ name }) => /\barea\b/i.test(name)) ?? numbers[0];
    return likely && { kind: 'column', name: likely.name };
  }

  /** The selected scale; only shares have odds, and other measures use differences. */
  get scale(): ComparisonScale {
    const { scale } = this.state.value;
    return scale === 'logit' && !this.isShare ? 'difference' : scale;
  }

  /** Whether the measure is a share. */
  get isShare(): boolean {
    const kind = this.measure()?.kind;
    return kind !== undefined && kind !== 'column' && kind !== 'objectsPerImage';
  }

  /** Measures of images to choose from. */
  get offered(): OfferedMeasures {
    const { classes = [], hasAreas = false } = this.roles.value ?? {};
    return { classes, hasAreas, populations: this.parts.populations.value };
  }

  /** The column of conditions: as chosen, else by its role. */
  get condition(): number | undefined {
    const named = this.columnNamed(this.state.value.condition);
    return named ?? this.roles.value?.condition[0];
  }

  /** The columns of replicates likewise. */
  get replicate(): number[] {
    const { replicate } = this.state.value;
    const { condition } = this;
    const found = replicate
      ? replicate.flatMap(name => this.columnNamed(name) ?? [])
      : (this.roles.value?.replicate ?? []);
    return found.filter(column => column !== condition);
  }

  /** The columns of technical replicates likewise. */
  get technical(): number[] {
    const { technical } = this.state.value;
    const { condition, replicate } = this;
    const found = technical
      ? technical.flatMap(name => this.columnNamed(name) ?? [])
      : (this.roles.value?.technical ?? []);
    return found.filter(column => column !== condition && !replicate.includes(column));
  }

  /**
   * Whether the user must still select the replicate column among several: until then no n and no
   * test.
   */
  get asksAboutLevels(): boolean {
    const { compared, params } = this.latest.value ?? {};
    return compared?.areMultiplied === true && params?.combined !== true;
  }

  /** The user's answer about equal names; undefined if it was about other columns. */
  get paired(): boolean | undefined {
    const { paired, pairedOf = [] } = this.state.value;
    return pairedOf.join('\n') === this.studied.join('\n') ? paired : undefined;
  }

  /** Whether the user must still say if equal names are the same donors: until then no test. */
  get asksAboutNames(): boolean {
    const { compared, params } = this.latest.value ?? {};
    if (compared?.namesRecur !== true || this.asksAboutLevels) return false;
    // Earlier tests don't use the answer.
    return this.paired === undefined || this.paired !== params?.paired;
  }

  /** Whether all conditions are compared with each other rather than with one. */
  get comparesAllPairs(): boolean {
    const { groups = [], pairs = [] } = this.latest.value?.compared ?? {};
    return (
      pairs.length > 1 && pairs.length === (groups.length * (groups.length - 1)) / 2 && groups.length > 2
    );
  }

  private begin(): AbortController {
    this.request.abort();
    this.busy.value = true;
    return (this.request = new AbortController());
  }

  /** A request is over; where the table has grown meanwhile, another follows. */
  private ended(until: AbortSignal): void {
    if (this.request.signal !== until) return;
    this.busy.value = false;
    if (!this.isBehind || !this.now.peek().open) return;
    this.isBehind = false;
    void this.start();
  }

  private fail(words: string): void {
    this.latest.value = undefined;
    this.why.value = words;
  }

  private change(changes: Partial<CompareState>): void {
    const all = Object.entries({ ...this.now.peek(), ...changes });
    this.now.value = Object.fromEntries(
      all.filter(([, value]) => value !== undefined),
    ) as unknown as CompareState;
    this.parts.save(this.now.peek());
  }

  /** Names of the columns of conditions and replicates. */
  private get studied(): string[] {
    const { columns } = this.parts.source.table;
    const { condition, replicate } = this;
    return [...(condition === undefined ? [] : [condition]), ...replicate].map(at => columns[at]?.name ?? '');
  }

  private columnNamed(name: string | undefined): number | undefined {
    if (name === undefined) return undefined;
    return this.parts.source.table.columns.find(column => column.name === name)?.index;
  }

  /** The request; undefined if a setting is missing. */
  private params(): { params: ComparisonParams; ignored: Filter[] } | undefined {
    const { source, populations } = this.parts;
    const { condition, replicate, technical } = this;
    const chosen = this.measure();
    const measure = chosen && measureOf(chosen, source.table.columns, populations.peek());
    if (condition === undefined || !measure) return undefined;
    const { reference, intervals, mean, combined } = this.state.value;
    const { paired = false, scale } = this;
    const all = source.statisticsFilters.filters;
    const groups = [condition, ...replicate];
    const ignored = all.filter(filter => isOfOneGroup(filter, groups));
    const params: ComparisonParams = {
      filters: all.filter(filter => !ignored.includes(filter)),
      measure,
      condition,
      replicate,
      ...(technical.length > 0 && { technical }),
      ...(combined !== undefined && { combined }),
      mean,
      ...(reference !== undefined && { reference }),
      paired,
      scale,
      ...(intervals && { intervals }),
    };
    return { params, ignored };
  }
}

/**
 * Whether a filter matches one condition or replicate, in all spellings: the others stay for
 * comparison.
 */
function isOfOneGroup(filter: Filter, columns: readonly number[]): boolean {
  if (!isOfColumn(filter) || !columns.includes(filter.column)) return false;
  if (filter.kind === 'range') return filter.from !== null && filter.from === filter.to;
  if (filter.kind !== 'values' || filter.exclude === true) return false;
  return new Set(filter.values.map(plainValue)).size + Number(filter.missing === true) === 1;
}

/** Whether a range of values can be selected, and filtered to. */
function isRangeSelectable(measure: ChosenMeasure): boolean {
  return measure.kind === 'column' && measure.population === undefined;
}
