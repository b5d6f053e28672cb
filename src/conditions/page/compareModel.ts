import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isCoded } from '../../base/errors';
import type { TableColumn } from '../../columns/tableSummary';
import type { Filter } from '../../columns/viewSpec';
import type { ComparisonIntervals, ComparisonScale } from '../comparison';
import type { ComparedTable, ComparisonMarks, ComparisonParams, CompareStart } from '../comparisonRequests';
import type { FilterSet } from '../../columns/filterSets';
import { mayBeInPixels, micronColumnOf } from '../pixelMeasures';
import type { ReplicateMean } from '../replicates';
import { type ChosenMeasure, classesOf, measurable, measureOf, type OfferedMeasures } from './chosenMeasure';

/** What is compared, as the user set it up; part of the page's saved state. */
export interface CompareState {
  open: boolean;
  measure?: ChosenMeasure | undefined;
  /** Names of columns. */
  condition?: string | undefined;
  replicate?: string[] | undefined;
  /** Those of technical replicates likewise. */
  technical?: string[] | undefined;
  /** Whether the user said that each combination of values of the replicate columns is a replicate. */
  combined?: boolean | undefined;
  /** A condition; '' for none, where there would be one. */
  reference?: string | undefined;
  /** Whether replicates of one name are the same donors; absent until the user says so. */
  paired?: boolean | undefined;
  /** The columns of conditions and replicates that this was said of. */
  pairedOf?: string[] | undefined;
  scale: ComparisonScale;
  /** Of several comparisons; absent means unadjusted. */
  intervals?: ComparisonIntervals | undefined;
  mean: ReplicateMean;
}

/** What is chosen of a comparison; not whether it is open. */
export type CompareChoices = Omit<CompareState, 'open'>;

export const CLOSED_COMPARISON: CompareState = { open: false, scale: 'difference', mean: 'objects' };

export function choicesOf({ open: _, ...choices }: CompareState): CompareChoices {
  return choices;
}

/** Choices that follow columns that were renamed. */
export function choicesWithRenamedColumns<T extends CompareChoices>(
  choices: T,
  names: ReadonlyMap<string, string>,
): T {
  const { condition, replicate, technical, pairedOf } = choices;
  const renamed = (name: string) => names.get(name) ?? name;
  return {
    ...choices,
    ...(condition !== undefined && { condition: renamed(condition) }),
    ...(replicate && { replicate: replicate.map(renamed) }),
    ...(technical && { technical: technical.map(renamed) }),
    ...(pairedOf && { pairedOf: pairedOf.map(renamed) }),
  };
}

/** The table that conditions are of. */
export interface CompareSource {
  readonly table: { readonly columns: readonly TableColumn[] };
  /** Filters for statistics. */
  readonly statisticsFilters: { filters: readonly Filter[] };
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
  /** Filters with names, of which shares can be compared. */
  filterSets: ReadonlySignal<readonly FilterSet[]>;
  panel: ComparePanel;
  state: CompareState | undefined;
  save: (state: CompareState) => void;
  /** Logs a failure that is shown in the plot's place, and returns its reason in words. */
  log: (error: unknown) => string;
  /** Gives the keyboard to the rows. */
  enterRows: () => void;
}

/** A comparison on the screen, with what it is of. */
export interface ShownComparison {
  compared: ComparedTable & { marks?: ComparisonMarks };
  params: ComparisonParams;
  /** The chosen measure, and columns by their positions. */
  measure: ChosenMeasure;
}

/** Conditions compared by their replicates: what is chosen, what came of it, and why there is nothing. */
export class CompareModel {
  readonly state: ReadonlySignal<CompareState>;
  /** Columns of the roles, and classes; undefined until they are known. */
  readonly known: ReadonlySignal<(CompareStart & { classes: string[] }) | undefined>;
  readonly shown: ReadonlySignal<ShownComparison | undefined>;
  readonly isBusy: ReadonlySignal<boolean>;
  /** Why there is nothing to show, in words. */
  readonly failure: ReadonlySignal<string | undefined>;
  private readonly now: Signal<CompareState>;
  private readonly roles = signal<(CompareStart & { classes: string[] }) | undefined>(undefined);
  private readonly latest = signal<ShownComparison | undefined>(undefined);
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
    this.shown = this.latest;
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
    this.request.abort();
    this.opened.abort();
  }

  /** Closes the comparison by what is in it, and goes back to the rows. */
  leave(): void {
    this.close();
    this.parts.enterRows();
  }

  /** Chooses something else. Another column of replicates is another question about their names. */
  choose(changes: Partial<CompareChoices>): void {
    const asksAgain = 'condition' in changes || 'replicate' in changes;
    this.change({
      ...(asksAgain && { paired: undefined, combined: undefined, reference: undefined }),
      ...('paired' in changes && { pairedOf: this.studied }),
      ...changes,
    });
    void this.refresh();
  }

  /** Shows choices as they were, and opens it for that unless it shouldn't. */
  restore(choices: CompareChoices, open = true): void {
    const wasOpen = this.now.peek().open;
    this.now.value = { ...choices, open: open || wasOpen };
    this.parts.save(this.now.peek());
    if (wasOpen) void this.refresh();
    else if (open) void this.start();
  }

  /** Columns are called otherwise now: what is chosen stays with them. */
  columnsRenamed(names: ReadonlyMap<string, string>): void {
    const state = this.now.peek();
    const { condition = [], replicate = [], technical = [], pairedOf = [] } = state;
    if ([condition, replicate, technical, pairedOf].flat().some(name => names.has(name)))
      this.change(choicesWithRenamedColumns(state, names));
  }

  /** Filters were given a name, or lost it; a share of those that were renamed follows them. */
  filterSetsChanged(renamed?: { from: string; to: string }): void {
    const { open, measure } = this.now.peek();
    if (measure?.kind !== 'filter') return;
    if (renamed && measure.name === renamed.from)
      this.change({ measure: { kind: 'filter', name: renamed.to } });
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

  /** A measure of objects that may be in pixels, over images whose pixels differ; with its column in µm, where there is one. */
  get inPixels(): { name: string; micron: string | undefined } | undefined {
    const measured = this.latest.value?.measure;
    if (!this.sizesDiffer.value || !measured) return undefined;
    if (measured.kind === 'column' || measured.kind === 'range') {
      const { name } = measured;
      if (!mayBeInPixels(name)) return undefined;
      return { name, micron: micronColumnOf(name, this.parts.source.table.columns) };
    }
    if (measured.kind !== 'filter') return undefined;
    const set = this.parts.filterSets.value.find(({ name }) => name === measured.name);
    const ranges = set?.filters.filter(({ kind }) => kind === 'range') ?? [];
    const name = ranges.map(({ column }) => String(column)).find(mayBeInPixels);
    return name === undefined ? undefined : { name, micron: undefined };
  }

  /** Takes another column in place of that of the chosen measure. */
  chooseColumn(name: string): void {
    const chosen = this.measure();
    if (chosen?.kind === 'range') this.choose({ measure: { ...chosen, name, from: null, to: null } });
    else this.choose({ measure: { kind: 'column', name } });
  }

  /** Finds out whether images can be compared in pixels, which nothing waits for: files may have to be opened. */
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

  /** Compares what is chosen. */
  private async load(): Promise<void> {
    const { panel, log } = this.parts;
    const { signal: until } = this.begin();
    const params = this.params();
    const measure = this.measure();
    try {
      const compared = params && measure && (await panel.tableCompare({ ...params, plot: true }, until));
      if (until.aborted) return;
      this.latest.value = compared && { compared, params, measure };
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
    if (chosen && measureOf(chosen, columns, this.parts.filterSets.value)) return chosen;
    const numbers = measurable(columns);
    const likely = numbers.find(({ name }) => /\barea\b/i.test(name)) ?? numbers[0];
    return likely && { kind: 'column', name: likely.name };
  }

  /** The chosen scale; odds are of shares alone, and other measures have differences in their place. */
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
    return { classes, hasAreas, filterSets: this.parts.filterSets.value };
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

  /** Whether the user has yet to say which of several columns is of replicates: until then there is no n and no test. */
  get asksAboutLevels(): boolean {
    const { compared, params } = this.latest.value ?? {};
    return compared?.areMultiplied === true && params?.combined !== true;
  }

  /** What the user said of equal names; undefined where that was of other columns. */
  get paired(): boolean | undefined {
    const { paired, pairedOf = [] } = this.state.value;
    return pairedOf.join('\n') === this.studied.join('\n') ? paired : undefined;
  }

  /** Whether the user has yet to say if equal names are the same donors: until then there is no test. */
  get asksAboutNames(): boolean {
    const recur = this.latest.value?.compared.namesRecur === true;
    return recur && this.paired === undefined && !this.asksAboutLevels;
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

  /** What to request; undefined where a choice is missing. */
  private params(): ComparisonParams | undefined {
    const { source, filterSets } = this.parts;
    const { condition, replicate, technical } = this;
    const chosen = this.measure();
    const measure = chosen && measureOf(chosen, source.table.columns, filterSets.peek());
    if (condition === undefined || !measure) return undefined;
    const { reference, intervals, mean, combined } = this.state.value;
    const { paired = false, scale } = this;
    const filters = withoutGroups(source.statisticsFilters.filters, [condition, ...replicate]);
    return {
      filters,
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
  }
}

/**
 * Filters but those to a single condition or replicate, which a click in the plot sets: the others stay for comparison.
 */
function withoutGroups(filters: readonly Filter[], columns: readonly number[]): Filter[] {
  return filters.filter(filter => {
    if (filter.kind === 'rowSet' || !columns.includes(filter.column)) return true;
    const isOne =
      filter.kind === 'values' &&
      filter.exclude !== true &&
      filter.values.length + Number(filter.missing === true) === 1;
    const isNumber = filter.kind === 'range' && filter.from === filter.to;
    return !(isOne || isNumber);
  });
}
