import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { NamedPopulation } from '../../table/page/state/namedPopulations';
import { isCoded } from '../../base/errors';
import { LatestRequest } from '../../pages/page/latestRequest';
import type { TableColumn } from '../../columns/tableSummary';
import { type Filter, isOfColumn } from '../../columns/viewSpec';
import type { ComparisonScale } from '../conditionComparison';
import type { ComparedTable, ComparisonMarks, ComparisonParams, StudyColumns } from '../conditionRequests';
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
  firstMeasure,
  inPopulation,
  measureOf,
  type OfferedMeasures,
  populationOf,
  withRenamedPopulation,
} from './chosenMeasure';

/** Selectable parts of the plot besides objects. */
export type SelectedPart =
  | { kind: 'condition'; condition: string }
  | { kind: 'replicate'; condition: string; name: readonly string[] }
  /** A range of the measure's axis. */
  | { kind: 'range'; from: number; to: number };

/** The table whose conditions are compared. */
interface CompareSource {
  readonly table: { readonly columns: readonly TableColumn[] };
  /** Filters for statistics. */
  readonly statisticsFilters: { filters: readonly Filter[] };
  /** The unit of a column without a unit in its name; undefined if unknown. */
  unitOf?(name: string): string | undefined;
}

interface ComparePanel {
  studyColumns(signal: AbortSignal): Promise<StudyColumns>;
  /** Whether the images' pixel sizes are known to differ. */
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
  /** The populations; their shares, numbers and means can be compared. */
  populations: ReadonlySignal<readonly NamedPopulation[]>;
  panel: ComparePanel;
  state: CompareState | undefined;
  save: (state: CompareState) => void;
  /** Logs a failure, and returns the reason that the page shows. */
  log: (error: unknown) => string;
  /** Moves the focus to the rows. */
  enterRows: () => void;
}

/** A comparison on the page, with its inputs. */
export interface ShownComparison {
  compared: ComparedTable & { marks?: ComparisonMarks };
  params: ComparisonParams;
  /** The selected measure, with columns by name. */
  measure: ChosenMeasure;
  /** Filters to a single condition or replicate: they would leave nothing to compare with. */
  ignored: readonly Filter[];
  /** The unit of the measure's column, if its name has none. */
  unit?: string | undefined;
  figure: FigureEdits;
}

const NO_EDITS: FigureEdits = {};

/** The comparison of conditions: its settings, its result or the reason for a failure. */
export class CompareModel {
  readonly state: ReadonlySignal<CompareState>;
  /**
   * The columns by role (conditions, replicates, technical replicates), and the classes; undefined
   * until loaded.
   */
  readonly studyColumns: ReadonlySignal<(StudyColumns & { classes: string[] }) | undefined>;
  readonly shown: ReadonlySignal<ShownComparison | undefined>;
  readonly isBusy: ReadonlySignal<boolean>;
  /** The reason of a failure, as text. */
  readonly failure: ReadonlySignal<string | undefined>;
  /** The selected part of the plot; undefined if the plot no longer has it. */
  readonly selected: ReadonlySignal<SelectedPart | undefined>;
  /** Whether the questions about replicates that the user has answered are shown again. */
  readonly isQuestionReopened: ReadonlySignal<boolean>;
  private readonly currentState: Signal<CompareState>;
  private readonly loadedColumns = signal<(StudyColumns & { classes: string[] }) | undefined>(undefined);
  private readonly latestComparison = signal<Omit<ShownComparison, 'figure' | 'unit'> | undefined>(undefined);
  private readonly selectedPart = signal<SelectedPart | undefined>(undefined);
  private readonly isReopened = signal(false);
  private readonly failureText = signal<string | undefined>(undefined);
  private readonly pixelSizesDiffer = signal(false);
  private readonly requests = new LatestRequest();
  /** Aborts when the comparison closes, or opens again. */
  private whileOpen = new AbortController();
  /** Whether `studyColumns` must be loaded, for the first time or again. */
  private areColumnsDue = true;

  constructor(private readonly options: CompareModelOptions) {
    this.currentState = signal({ ...CLOSED_COMPARISON, ...options.state });
    this.state = this.currentState;
    this.studyColumns = this.loadedColumns;
    const figure = computed(() => this.currentState.value.figure ?? NO_EDITS);
    this.shown = computed(() => {
      const shown = this.latestComparison.value;
      if (!shown) return undefined;
      const { measure } = shown;
      const hasColumn = measure.kind === 'column' || measure.kind === 'range';
      const unit = hasColumn ? options.source.unitOf?.(measure.name) : undefined;
      return { ...shown, unit, figure: figure.value };
    });
    this.selected = computed(() => {
      const part = this.selectedPart.value;
      const { compared, measure } = this.latestComparison.value ?? {};
      if (!part || !compared) return undefined;
      if (part.kind === 'range') return measure?.kind === 'column' ? part : undefined;
      if (part.kind === 'condition')
        return compared.groups.some(({ condition }) => condition === part.condition) ? part : undefined;
      const key = JSON.stringify([part.condition, part.name]);
      return compared.replicates.some(({ condition, name }) => JSON.stringify([condition, name]) === key)
        ? part
        : undefined;
    });
    this.isQuestionReopened = this.isReopened;
    this.isBusy = this.requests.isBusy;
    this.failure = this.failureText;
  }

  /** Opens the comparison in place of the rows. */
  open(): void {
    this.change({ open: true });
    void this.start();
  }

  close(): void {
    this.change({ open: false });
    this.selectedPart.value = undefined;
    this.isReopened.value = false;
    this.requests.abort();
    this.whileOpen.abort();
  }

  /** Closes the comparison, and moves the focus to the rows. */
  leave(): void {
    this.close();
    this.options.enterRows();
  }

  /**
   * Changes settings. Other columns of conditions or replicates clear the answers about replicates,
   * and the reference.
   */
  choose(changes: Partial<CompareChoices>): void {
    const hasNewGroups = 'condition' in changes || 'replicate' in changes;
    this.isReopened.value = false;
    // The selected part belongs to the earlier axis or groups.
    if (hasNewGroups || 'measure' in changes) this.selectedPart.value = undefined;
    this.change({
      ...(hasNewGroups && { paired: undefined, combined: undefined, reference: undefined }),
      ...('paired' in changes && { pairedOf: this.studiedColumns }),
      ...changes,
    });
    void this.refresh();
  }

  /** Selects a part of the plot; clears the selection if the part is selected already. */
  select(part: SelectedPart | undefined): void {
    const selectedBefore = this.selectedPart.peek();
    this.selectedPart.value = JSON.stringify(part) === JSON.stringify(selectedBefore) ? undefined : part;
  }

  /** Shows an answered question about names or levels again. */
  reopenQuestion(): void {
    this.isReopened.value = true;
  }

  /** The filters to a part of the plot; values match in all their spellings. */
  filtersOf(part: SelectedPart): PartFilter[] {
    const { compared, params } = this.latestComparison.peek() ?? {};
    if (!compared || !params) return [];
    if (part.kind === 'range') {
      if (params.measure.kind !== 'column') return [];
      const { column, of = [] } = params.measure;
      // The range alone would also match objects outside of the measure's population.
      const populationFilters = of.flatMap(filter =>
        filter.kind === 'population' ? [{ population: filter.name }] : [],
      );
      return [...populationFilters, { column, from: part.from, to: part.to }];
    }
    const filterTo = (column: number, value: string): PartFilter => {
      const spellings = compared.alike.find(equal => equal.column === column && equal.value === value);
      return { column, values: [value, ...(spellings?.others ?? [])] };
    };
    const conditionFilter = filterTo(params.condition, part.condition);
    if (part.kind === 'condition') return [conditionFilter];
    return [conditionFilter, ...params.replicate.map((column, at) => filterTo(column, part.name[at] ?? ''))];
  }

  /** Changes the figure, without comparing again. */
  editFigure(changes: FigureEdits): void {
    this.change({ figure: withEdits(this.currentState.peek().figure, changes) });
  }

  /** Renames a part of the figure; '' or the default text restores the default. */
  rename(what: FigureWord, defaultText: string, words: string): void {
    this.editFigure(renaming(this.currentState.peek().figure, { what, own: defaultText, words }));
  }

  /** Sets the color of a replicate by its name as JSON; undefined restores the default. */
  recolor(key: string, color: string | undefined): void {
    this.editFigure(recoloring(this.currentState.peek().figure, key, color));
  }

  /** Moves a condition by a number of positions, to the left if negative. */
  move(condition: string, by: number): void {
    const shown = this.latestComparison.peek();
    if (!shown) return;
    const movedOrder = moving(this.currentState.peek().figure, shown.compared.groups, { condition, by });
    if (movedOrder) this.editFigure(movedOrder);
  }

  /** Restores settings, and opens the comparison if `open`. */
  restore(choices: CompareChoices, open = true): void {
    const stateBefore = this.currentState.peek();
    const wasOpen = stateBefore.open;
    this.isReopened.value = false;
    this.currentState.value = { ...choices, open: open || wasOpen };
    this.options.save(this.currentState.peek());
    // A change of the figure needs no new comparison.
    const withoutFigure = (state: CompareState) => JSON.stringify({ ...choicesOf(state), figure: undefined });
    const isSame =
      withoutFigure(stateBefore) === withoutFigure(this.currentState.peek()) &&
      this.latestComparison.peek() !== undefined;
    if (wasOpen && !isSame) void this.refresh();
    else if (!wasOpen && open) void this.start();
  }

  /** Updates the settings after columns were renamed. */
  columnsRenamed(names: ReadonlyMap<string, string>): void {
    const state = this.currentState.peek();
    const { condition = [], replicate = [], technical = [], pairedOf = [] } = state;
    if ([condition, replicate, technical, pairedOf].flat().some(name => names.has(name)))
      this.change(choicesWithRenamedColumns(state, names));
  }

  /** Updates the measure after populations changed or one was renamed. */
  populationsChanged(renamed?: { from: string; to: string }): void {
    const { open, measure } = this.currentState.peek();
    if (!measure || populationOf(measure) === undefined) return;
    if (renamed && populationOf(measure) === renamed.from)
      this.change({ measure: withRenamedPopulation(measure, renamed) });
    if (open) void this.refresh();
  }

  /** Updates the comparison after a change of filters or of the table. */
  dataChanged(change: 'filters' | 'table' | 'sort'): void {
    if (!this.currentState.peek().open || change === 'sort') return;
    if (change === 'filters') void this.refresh();
    // While rows are being read, changes come in quick succession.
    else this.requests.whenIdle(() => this.currentState.peek().open && void this.start());
  }

  /** Loads the columns by role, and compares. */
  async start(): Promise<void> {
    const { panel, source } = this.options;
    this.areColumnsDue = true;
    await this.request(async abortSignal => {
      const studyColumns = await panel.studyColumns(abortSignal);
      const classes = await classesOf(source.table.columns, (column, limit) =>
        panel.textsOf(column, limit, abortSignal),
      );
      if (abortSignal.aborted) return;
      this.loadedColumns.value = { ...studyColumns, classes };
      this.areColumnsDue = false;
      void this.checkPixelSizes();
      await this.load();
    });
  }

  /**
   * A column of the measure or its population that may be in pixels, if pixel sizes differ: its
   * values then don't compare. `isCertain`: it is known to be in pixels. `micron`: the same column
   * in µm, if there is one.
   */
  get columnInPixels(): { name: string; micron: string | undefined; isCertain: boolean } | undefined {
    const measure = this.latestComparison.value?.measure;
    if (!this.pixelSizesDiffer.value || !measure) return undefined;
    if (measure.kind === 'column' || measure.kind === 'range') {
      const { name } = measure;
      const { source } = this.options;
      const isCertain = source.unitOf?.(name) !== undefined;
      if (mayBeInPixels(name)) return { name, micron: micronColumnOf(name, source.table.columns), isCertain };
    }
    // The gates of a population may be in pixels too.
    const population = populationOf(measure);
    const namedPopulation = this.options.populations.value.find(({ name }) => name === population);
    const name = namedPopulation?.columns.find(mayBeInPixels);
    return name === undefined ? undefined : { name, micron: undefined, isCertain: false };
  }

  /** Replaces the column of the measure. */
  chooseColumn(name: string): void {
    const chosen = this.measure();
    if (chosen?.kind === 'range') this.choose({ measure: { ...chosen, name, from: null, to: null } });
    else {
      const population = chosen?.kind === 'column' ? chosen.population : undefined;
      this.choose({ measure: inPopulation<ChosenMeasure>({ kind: 'column', name }, population) });
    }
  }

  /** Checks whether pixel sizes differ; nothing waits for this, as it may open files. */
  private async checkPixelSizes(): Promise<void> {
    const { panel, log } = this.options;
    this.whileOpen.abort();
    const { signal: abortSignal } = (this.whileOpen = new AbortController());
    try {
      const differ = await panel.pixelSizesDiffer(abortSignal);
      if (!abortSignal.aborted) this.pixelSizesDiffer.value = differ;
    } catch (error) {
      if (!abortSignal.aborted && !isCoded(error, 'cancelled')) log(error);
    }
  }

  /** Compares again; loads the columns by role again if their request was aborted. */
  private refresh(): Promise<void> {
    return this.currentState.peek().open && this.areColumnsDue ? this.start() : this.load();
  }

  /** Compares with the current settings. */
  private load(): Promise<void> {
    const { params, ignored = [] } = this.params() ?? {};
    const measure = this.measure();
    return this.request(async abortSignal => {
      const { panel } = this.options;
      const compared =
        params && measure && (await panel.tableCompare({ ...params, plot: true }, abortSignal));
      if (abortSignal.aborted) return;
      this.latestComparison.value = compared && { compared, params, measure, ignored };
      this.failureText.value = undefined;
    });
  }

  /** The selected measure, or the default; undefined if the table has no numeric column. */
  measure(): ChosenMeasure | undefined {
    const { columns } = this.options.source.table;
    const chosen = this.state.value.measure;
    if (chosen && measureOf(chosen, columns, this.options.populations.value)) return chosen;
    return firstMeasure(columns);
  }

  /** The scale of the test: a selected odds ratio only applies to shares. */
  get scale(): ComparisonScale {
    const { scale } = this.state.value;
    return scale === 'logit' && !this.isShare ? 'difference' : scale;
  }

  /** Whether the measure is a share. */
  get isShare(): boolean {
    const kind = this.measure()?.kind;
    return kind !== undefined && kind !== 'column' && kind !== 'objectsPerImage';
  }

  /** The measures to select from. */
  get measureOptions(): OfferedMeasures {
    const { classes = [], hasAreas = false } = this.loadedColumns.value ?? {};
    return { classes, hasAreas, populations: this.options.populations.value };
  }

  /** The column of conditions: the selected one, else by role. */
  get condition(): number | undefined {
    const named = this.columnNamed(this.state.value.condition);
    return named ?? this.loadedColumns.value?.condition[0];
  }

  /** The columns of replicates: the selected ones, else by role. */
  get replicate(): number[] {
    const { replicate } = this.state.value;
    const { condition } = this;
    const columns = replicate
      ? replicate.flatMap(name => this.columnNamed(name) ?? [])
      : (this.loadedColumns.value?.replicate ?? []);
    return columns.filter(column => column !== condition);
  }

  /** The columns of technical replicates: the selected ones, else by role. */
  get technical(): number[] {
    const { technical } = this.state.value;
    const { condition, replicate } = this;
    const columns = technical
      ? technical.flatMap(name => this.columnNamed(name) ?? [])
      : (this.loadedColumns.value?.technical ?? []);
    return columns.filter(column => column !== condition && !replicate.includes(column));
  }

  /**
   * Whether the user must select a replicate column among several; there is no n and no test until
   * then.
   */
  get asksAboutLevels(): boolean {
    const { compared, params } = this.latestComparison.value ?? {};
    return compared?.areMultiplied === true && params?.combined !== true;
  }

  /** The user's answer about equal names; undefined if it was for other columns. */
  get paired(): boolean | undefined {
    const { paired, pairedOf = [] } = this.state.value;
    return pairedOf.join('\n') === this.studiedColumns.join('\n') ? paired : undefined;
  }

  /** Whether the user must say if equal names are the same donors; there is no test until then. */
  get asksAboutNames(): boolean {
    const { compared, params } = this.latestComparison.value ?? {};
    if (compared?.namesRecur !== true || this.asksAboutLevels) return false;
    // The result may not have the latest answer yet.
    return this.paired === undefined || this.paired !== params?.paired;
  }

  /** Whether all pairs of conditions are compared, rather than each with a reference. */
  get comparesAllPairs(): boolean {
    const { groups = [], pairs = [] } = this.latestComparison.value?.compared ?? {};
    return (
      pairs.length > 1 && pairs.length === (groups.length * (groups.length - 1)) / 2 && groups.length > 2
    );
  }

  private request(load: (abortSignal: AbortSignal) => Promise<void>): Promise<void> {
    return this.requests.run(load, error => {
      this.latestComparison.value = undefined;
      this.failureText.value = this.options.log(error);
    });
  }

  private change(changes: Partial<CompareState>): void {
    const entries = Object.entries({ ...this.currentState.peek(), ...changes });
    this.currentState.value = Object.fromEntries(
      entries.filter(([, value]) => value !== undefined),
    ) as unknown as CompareState;
    this.options.save(this.currentState.peek());
  }

  /** Names of the columns of conditions and replicates. */
  private get studiedColumns(): string[] {
    const { columns } = this.options.source.table;
    const { condition, replicate } = this;
    return [...(condition === undefined ? [] : [condition]), ...replicate].map(at => columns[at]?.name ?? '');
  }

  private columnNamed(name: string | undefined): number | undefined {
    if (name === undefined) return undefined;
    return this.options.source.table.columns.find(column => column.name === name)?.index;
  }

  /** The params of the request; undefined if a setting is missing. */
  private params(): { params: ComparisonParams; ignored: Filter[] } | undefined {
    const { source, populations } = this.options;
    const { condition, replicate, technical } = this;
    const chosen = this.measure();
    const measure = chosen && measureOf(chosen, source.table.columns, populations.peek());
    if (condition === undefined || !measure) return undefined;
    const { reference, intervals, mean, combined } = this.state.value;
    const { paired = false, scale } = this;
    const filters = source.statisticsFilters.filters;
    const groups = [condition, ...replicate];
    const ignored = filters.filter(filter => isOfOneGroup(filter, groups));
    const params: ComparisonParams = {
      filters: filters.filter(filter => !ignored.includes(filter)),
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

/** Whether a filter matches a single condition or replicate, in all its spellings. */
function isOfOneGroup(filter: Filter, columns: readonly number[]): boolean {
  if (!isOfColumn(filter) || !columns.includes(filter.column)) return false;
  if (filter.kind === 'range') return filter.from !== null && filter.from === filter.to;
  if (filter.kind !== 'values' || filter.exclude === true) return false;
  return new Set(filter.values.map(plainValue)).size + Number(filter.missing === true) === 1;
}
