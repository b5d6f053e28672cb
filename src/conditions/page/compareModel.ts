import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isCoded } from '../../base/errors';
import { classColumnOf } from '../../columns/rowColumns';
import type { TableColumn } from '../../columns/tableSummary';
import type { Filter } from '../../columns/viewSpec';
import type { ComparisonScale } from '../comparison';
import type {
  ComparedTable,
  ComparisonMarks,
  ComparisonParams,
  CompareStart,
  Measure,
} from '../comparisonRequests';
import { mayBeInPixels, micronColumnOf } from '../pixelMeasures';
import type { ReplicateMean } from '../replicates';

/** A measure as it is chosen; columns by name, since image columns may change their places. */
export type ChosenMeasure =
  | { kind: 'column'; name: string }
  | { kind: 'objectsPerImage'; per?: 'area' }
  | { kind: 'class'; value: string }
  /** The share of objects from a number to another, both included. */
  | { kind: 'range'; name: string; from: number | null; to: number | null };

/** What is compared, as the user set it up; part of the page's saved state. */
export interface CompareState {
  open: boolean;
  measure?: ChosenMeasure | undefined;
  /** Names of columns. */
  condition?: string | undefined;
  replicate?: string[] | undefined;
  /** A condition; '' for none, where there would be one. */
  reference?: string | undefined;
  /** Whether replicates of one name are the same donors; absent until the user says so. */
  paired?: boolean | undefined;
  /** The columns of conditions and replicates that this was said of. */
  pairedOf?: string[] | undefined;
  scale: ComparisonScale;
  mean: ReplicateMean;
}

/** What is chosen of a comparison; not whether it is open. */
export type CompareChoices = Omit<CompareState, 'open'>;

export const CLOSED_COMPARISON: CompareState = { open: false, scale: 'difference', mean: 'objects' };

export function choicesOf({ open: _, ...choices }: CompareState): CompareChoices {
  return choices;
}

/** Classes that are listed as measures. */
const MAX_CLASSES = 30;

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

interface CompareModelParts {
  source: CompareSource;
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

  constructor(private readonly parts: CompareModelParts) {
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
      ...(asksAgain && { paired: undefined, reference: undefined }),
      ...('paired' in changes && { pairedOf: this.studied }),
      ...changes,
    });
    void this.refresh();
  }

  /** Opens it with choices as they were. */
  restore(choices: CompareChoices): void {
    const wasOpen = this.now.peek().open;
    this.now.value = { ...choices, open: true };
    this.parts.save(this.now.peek());
    void (wasOpen ? this.refresh() : this.start());
  }

  /** Columns are called otherwise now: what is chosen stays with them. */
  columnsRenamed(names: ReadonlyMap<string, string>): void {
    const { condition, replicate, pairedOf } = this.now.peek();
    const renamed = (name: string) => names.get(name) ?? name;
    if (![condition ?? [], replicate ?? [], pairedOf ?? []].flat().some(name => names.has(name))) return;
    this.change({
      ...(condition !== undefined && { condition: renamed(condition) }),
      ...(replicate && { replicate: replicate.map(renamed) }),
      ...(pairedOf && { pairedOf: pairedOf.map(renamed) }),
    });
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
      const column = classColumnOf(source.table.columns);
      const classes = column === undefined ? [] : await panel.textsOf(column, MAX_CLASSES, until);
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
    if (!this.sizesDiffer.value || (measured?.kind !== 'column' && measured?.kind !== 'range'))
      return undefined;
    const { name } = measured;
    if (!mayBeInPixels(name)) return undefined;
    return { name, micron: micronColumnOf(name, this.parts.source.table.columns) };
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
    if (chosen && measureOf(chosen, columns)) return chosen;
    const numbers = measurable(columns);
    const likely = numbers.find(({ name }) => /\barea\b/i.test(name)) ?? numbers[0];
    return likely && { kind: 'column', name: likely.name };
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

  /** What the user said of equal names; undefined where that was of other columns. */
  get paired(): boolean | undefined {
    const { paired, pairedOf = [] } = this.state.value;
    return pairedOf.join('\n') === this.studied.join('\n') ? paired : undefined;
  }

  /** Whether the user has yet to say if equal names are the same donors: until then there is no test. */
  get asksAboutNames(): boolean {
    return this.latest.value?.compared.namesRecur === true && this.paired === undefined;
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
    const { source } = this.parts;
    const { condition, replicate } = this;
    const chosen = this.measure();
    const measure = chosen && measureOf(chosen, source.table.columns);
    if (condition === undefined || !measure) return undefined;
    const { reference, scale, mean } = this.state.value;
    const { paired = false } = this;
    const filters = withoutGroups(source.statisticsFilters.filters, [condition, ...replicate]);
    return {
      filters,
      measure,
      condition,
      replicate,
      mean,
      ...(reference !== undefined && { reference }),
      paired,
      scale,
    };
  }
}

/** Columns of numbers that are worth comparing: none that name objects. */
export function measurable(columns: readonly TableColumn[]): TableColumn[] {
  return columns.filter(
    ({ kind, name, ofImage }) =>
      kind === 'number' && !ofImage && !/\b(id|number|index|label)$/i.test(name.trim()),
  );
}

function measureOf(chosen: ChosenMeasure, columns: readonly TableColumn[]): Measure | undefined {
  if (chosen.kind === 'objectsPerImage') return { kind: 'objectsPerImage', per: chosen.per ?? 'image' };
  if (chosen.kind === 'class') {
    const column = classColumnOf(columns);
    return column === undefined
      ? undefined
      : { kind: 'share', of: [{ kind: 'values', column, values: [chosen.value] }] };
  }
  const column = columns.find(({ name, kind }) => name === chosen.name && kind === 'number')?.index;
  if (column === undefined) return undefined;
  if (chosen.kind === 'column') return { kind: 'column', column };
  return { kind: 'share', of: [{ kind: 'range', column, from: chosen.from, to: chosen.to }] };
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
