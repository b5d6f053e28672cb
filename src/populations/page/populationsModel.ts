import {
  batch,
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
  untracked,
} from '@preact/signals';
import { isCoded } from '../../base/errors';
import { withChanges } from '../../base/namedList';
import { t } from '../../pages/page/l10n';
import type { OpenedParts } from '../../table/page/contribution';
import { activeFilters, type PageFilter } from '../../table/page/filterList';
import type {} from '../populationsPage';
import { byName, MAX_POPULATIONS, plain, type Population, populationNamed } from '../population';
import {
  duplicated,
  freeName,
  gateOfFilters,
  inTreeOrder,
  moved,
  nameProblem,
  parentsFor,
  restyled,
  renamed,
  reordered,
  tidyName,
  without,
  withDescendants,
} from '../populationList';
import type { CountedPopulation, CountedPopulations, PopulationTable } from '../populationRequests';
import { gateWords } from './gateWords';
import { CLOSED, type PopulationsState } from './populationsSaved';

/** Width of the part in pixels. */
export const WIDTHS = { min: 220, max: 560 };

/** A change from the list `before` to `populations`. */
interface PopulationsChange {
  before: readonly Population[];
  populations: readonly Population[];
}

/** A population in the tree; numbers are undefined until counted. */
export interface ShownPopulation {
  population: Population;
  level: number;
  counted: CountedPopulation | undefined;
  /** Whether the table is filtered to it. */
  isFilter: boolean;
}

/**
 * The populations of the table, and their changes. Each change is stored with the table, and can be
 * undone.
 */
export class PopulationsModel {
  readonly list: ReadonlySignal<readonly ShownPopulation[]>;
  /** Why counting failed. */
  readonly failure: ReadonlySignal<string | undefined>;
  /** Whether the table's filters can become a population. */
  readonly canAdd: ReadonlySignal<boolean>;
  readonly rowCount: ReadonlySignal<number | undefined>;
  private readonly all: Signal<readonly Population[]>;
  private readonly counted = signal<CountedPopulations | undefined>(undefined);
  private readonly countedNamed = computed(() => byName(this.counted.value?.populations ?? []));
  private readonly failed = signal<string | undefined>(undefined);
  private request = new AbortController();
  /** The list before changes that couldn't be stored. */
  private unstored: readonly Population[] | undefined;
  private nextDraft: readonly Population[] | undefined;
  private isCountingDraft = false;
  private endedDrafts = 0;
  /** Whether plots show populations. */
  private isDrawn = false;

  constructor(
    private readonly parts: OpenedParts,
    private readonly saved: Signal<PopulationsState>,
    /** Offers populations as measures. `again`: their rows have changed. */
    private readonly offer: (populations: readonly Population[], again?: boolean) => void,
  ) {
    const { model, port } = parts;
    this.all = signal(port.view.populations ?? []);
    this.failure = this.failed;
    this.rowCount = computed(() => this.counted.value?.rowCount);
    this.canAdd = computed(
      () => gateOfFilters(activeFilters(model.filters), model.table.columns) !== undefined,
    );
    this.list = computed(() => {
      const countedByName = new Map(
        this.counted.value?.populations.map(population => [population.name, population]),
      );
      const filter = populationFilter(model.filters);
      return inTreeOrder(this.all.value).map(({ population, level }) => ({
        population,
        level,
        counted: countedByName.get(population.name),
        isFilter: filter !== undefined && plain(filter) === plain(population.name),
      }));
    });
    model.onDidChange(change => {
      // Not while rows are being read, since each block would start a count.
      if (change === 'table' && this.areShown && !model.table.reading) void this.count();
    });
    const isOpen = computed(() => this.state.value.open);
    effect(() => {
      if (isOpen.value) untracked(() => void this.count());
    });
  }

  get state(): ReadonlySignal<PopulationsState> {
    return this.saved;
  }

  get populations(): readonly Population[] {
    return this.all.value;
  }

  resize(width: number = CLOSED.width): void {
    this.changeState({ width: Math.max(WIDTHS.min, Math.min(WIDTHS.max, Math.round(width))) });
  }

  /** Sets the column whose mean is shown for each population; undefined for none. */
  measure(column: string | undefined): void {
    this.changeState({ mean: column });
    void this.count();
  }

  /** A name for a population of the table's filters: the filters in words. */
  get proposedName(): string {
    const { model } = this.parts;
    const { columns } = model.table;
    const filterGate = gateOfFilters(activeFilters(model.latestFilters), columns);
    return this.freeName(filterGate && gateWords(filterGate.gate, columns));
  }

  /** The wanted name, or one like it that no population has but the edited one. */
  freeName(wanted = '', editedName?: string): string {
    const others = this.all.peek().filter(({ name }) => name !== editedName);
    const name =
      wanted.trim() === '' ? t({ message: 'Population', comment: 'Named set of objects' }) : wanted;
    return freeName(others, name);
  }

  /** Makes a population of the table's filters. Returns the problem with its name, if any. */
  add(name: string): string | undefined {
    const { model } = this.parts;
    const filterGate = gateOfFilters(activeFilters(model.latestFilters), model.table.columns);
    if (!filterGate) return this.problemOf(name);
    const { gate, parent } = filterGate;
    return this.saveDraft(undefined, { name, ...(parent !== undefined && { parent }), gate }, true);
  }

  /** Call when plots show populations: counts are then needed even if the part is closed. */
  drawInPlots(): void {
    const wereShown = this.areShown;
    this.isDrawn = true;
    if (!wereShown && this.areShown) void this.count();
  }

  private get areShown(): boolean {
    return this.state.peek().open || (this.isDrawn && this.all.peek().length > 0);
  }

  /** The latest counts. */
  get latest(): CountedPopulations | undefined {
    return this.counted.value;
  }

  /** The population that the table is filtered to. */
  get filtered(): string | undefined {
    return populationFilter(this.parts.model.filters);
  }

  /**
   * The list with a draft in place of the edited population, or with a new one. A draft may have
   * another name than before.
   */
  withDraft(editedName: string | undefined, draft: Population): readonly Population[] {
    const all = this.all.peek();
    // Another window may have deleted it.
    if (editedName === undefined || !all.some(population => population.name === editedName))
      return [...all, draft];
    return renamed(all, editedName, draft.name).map((population, at) => {
      if (all[at]?.name !== editedName) return population;
      const { color, hidden, formerName } = population;
      const former = formerName !== undefined && { formerName };
      return Object.assign(draft, color !== undefined && { color }, hidden && { hidden }, former);
    });
  }

  /**
   * Stores a draft, of a new population if `editedName` is undefined. Returns the problem with its
   * name, if any. `isFilter`: filters the table to it once it is counted.
   */
  saveDraft(editedName: string | undefined, draft: Population, isFilter = false): string | undefined {
    const isNamed = draft.name !== editedName;
    const name = isNamed ? tidyName(draft.name) : draft.name;
    const problem = isNamed ? this.problemOf(name, editedName) : undefined;
    if (problem !== undefined) return problem;
    const list = () => this.withDraft(editedName, { ...draft, name });
    if (editedName === undefined || editedName === name) this.change(list(), isFilter ? name : undefined);
    else void this.withoutFilter([editedName], list);
    return undefined;
  }

  /** The possible parents of a population, or of a new one. */
  parentsFor(name?: string): string[] {
    const all = this.all.peek();
    return name === undefined ? all.map(population => population.name) : parentsFor(all, name);
  }

  /**
   * Counts a list that isn't stored, such as while dragging a gate. Sends one request at a time: of
   * the lists until its response, only the last one is counted.
   */
  countDraft(populations: readonly Population[]): void {
    this.nextDraft = populations;
    if (!this.isCountingDraft) void this.countDrafts();
  }

  /** Counts the stored populations again, in place of a draft. */
  cancelDraft(): void {
    this.endDraft();
    this.countDraft(this.all.peek());
  }

  /** Ignores the counts of drafts until now. */
  private endDraft(): void {
    this.nextDraft = undefined;
    this.endedDrafts++;
  }

  private async countDrafts(): Promise<void> {
    const { panel, messages } = this.parts;
    this.isCountingDraft = true;
    for (let draft = this.nextDraft; draft; draft = this.nextDraft) {
      this.nextDraft = undefined;
      const { endedDrafts } = this;
      const params = { populations: [...draft], isDrawn: true, ...this.mean };
      try {
        const counted = await panel.request('countPopulations', params);
        if (endedDrafts === this.endedDrafts) this.counted.value = counted;
      } catch (error) {
        if (!isCoded(error, 'cancelled')) messages.log(error);
      }
    }
    this.isCountingDraft = false;
  }

  /** Returns the problem with the new name, if any. */
  rename(from: string, to: string): string | undefined {
    if (!populationNamed(this.all.peek(), from) || tidyName(to) === from) return undefined;
    const problem = this.problemOf(to, from);
    // While the filter was removed, another window may have taken the name.
    if (problem === undefined)
      void this.withoutFilter([from], all =>
        nameProblem(all, to, from) ? all : renamed(all, from, tidyName(to)),
      );
    return problem;
  }

  duplicate(name: string): void {
    const all = this.all.peek();
    const copy = freeName(all, t('{0} Copy', name));
    const problem = this.problemOf(copy);
    if (problem !== undefined) this.parts.messages.say(problem, true);
    else this.change(duplicated(all, name, copy));
  }

  /** Deletes a population with its descendants. */
  remove(name: string): void {
    void this.withoutFilter(withDescendants(this.all.peek(), name), all => without(all, name));
  }

  /**
   * Changes the list after removing a filter to one of these populations. These are separate steps,
   * so that undo never filters to a missing population.
   */
  private async withoutFilter(
    names: readonly string[],
    change: (all: readonly Population[]) => readonly Population[],
  ): Promise<void> {
    if (names.some(name => this.isFilter(name))) {
      this.clearFilter();
      await this.parts.model.settled();
    }
    this.change(change(this.all.peek()));
  }

  /** Makes a population a part of another one; or of all rows, if `parent` is undefined. */
  move(name: string, parent: string | undefined): void {
    if (parent === undefined || this.parentsFor(name).includes(parent))
      this.change(moved(this.all.peek(), name, parent));
  }

  /** Moves a population before or after its sibling. */
  reorder(name: string, by: -1 | 1): void {
    this.change(reordered(this.all.peek(), name, by));
  }

  /** Sets the color of a population; undefined for the color of its position. */
  recolor(name: string, color: string | undefined): void {
    this.change(restyled(this.all.peek(), name, { color }));
  }

  toggleHidden(name: string): void {
    const all = this.all.peek();
    const isHidden = all.find(population => population.name === name)?.hidden === true;
    this.change(restyled(all, name, { hidden: !isHidden }));
  }

  /** Hides all other populations; or shows all, if only this one is shown. */
  toggleOthers(name: string): void {
    const all = this.all.peek();
    const isAlone = all.every(population => (population.name === name) !== (population.hidden === true));
    this.change(
      all.reduce<readonly Population[]>(
        (list, population) =>
          restyled(list, population.name, { hidden: !isAlone && population.name !== name }),
        all,
      ),
    );
  }

  /** Filters table, plots and masks to a population, or removes that filter. */
  toggleFilter(name: string): void {
    if (this.isFilter(name)) this.clearFilter();
    // A population with a problem has no rows to show.
    else if (!this.list.peek().find(({ population }) => population.name === name)?.counted?.problem)
      this.filterTo(name);
  }

  /** Replaces the list, by undo or redo. */
  restore(populations: readonly Population[]): void {
    this.change(populations);
    this.clearStaleFilter();
  }

  /** Clears a filter to a population that no longer exists. */
  private clearStaleFilter(): void {
    const filter = populationFilter(this.parts.model.latestFilters);
    if (filter !== undefined && !populationNamed(this.all.peek(), filter)) this.clearFilter();
  }

  /** Saves a table of row counts to a file that the user selects. */
  async saveTable(by: PopulationTable): Promise<void> {
    const { panel, messages } = this.parts;
    try {
      const { saved } = await panel.request('savePopulationTable', { by, ...this.mean });
      if (saved) messages.say(t.count(saved.rows, '1 row saved as {1}', '{0} rows saved as {1}', saved.name));
    } catch (error) {
      messages.failed(t.later("Couldn't save: {0}"), error);
    }
  }

  /** Saves the populations for other tables, to a file that the user selects. */
  async saveFile(): Promise<void> {
    const { panel, messages } = this.parts;
    try {
      const { saved } = await panel.request('savePopulationFile', { populations: [...this.all.peek()] });
      if (!saved) return;
      const { name, populations } = saved;
      messages.say(t.count(populations, '1 population saved as {1}', '{0} populations saved as {1}', name));
    } catch (error) {
      messages.failed(t.later("Couldn't save the populations: {0}"), error);
    }
  }

  /** Adds the populations of a file that the user selects. */
  async applyFile(): Promise<void> {
    const { panel, messages } = this.parts;
    try {
      const before = this.all.peek();
      const { populations } = await panel.request('applyPopulationFile', { populations: [...before] });
      // Changes made during the dialog stay.
      if (populations) this.restore(withChanges(this.all.peek(), before, populations));
    } catch (error) {
      messages.failed(t.later("Couldn't apply the populations: {0}"), error);
    }
  }

  /** Requests the counts, after storing a change if given. Resolves with whether that succeeded. */
  async count(changed?: PopulationsChange): Promise<boolean> {
    const { panel, model, messages } = this.parts;
    this.request.abort();
    const { signal: until } = (this.request = new AbortController());
    // A change that couldn't be stored is stored with the next one.
    const change = changed ?? (this.unstored && { before: this.unstored, populations: this.all.peek() });
    const before = this.unstored ?? change?.before ?? [];
    const params = {
      ...(change && { before: [...before], populations: [...change.populations] }),
      ...this.mean,
    };
    try {
      const counted = await panel.request('countPopulations', params, change ? undefined : until);
      if (change) this.unstored = undefined;
      if (until.aborted) return false;
      batch(() => {
        this.counted.value = counted;
        this.failed.value = undefined;
      });
      if (change) this.offer(change.populations, true);
      this.updateFilterVersion(model.latestFilters);
      return true;
    } catch (error) {
      if (change) {
        this.unstored ??= before;
        messages.failed(t.later("Couldn't save the populations: {0}"), error);
      }
      if (!until.aborted && !isCoded(error, 'cancelled')) this.failed.value = messages.log(error);
      return false;
    }
  }

  /** The column whose mean to count. */
  private get mean(): { mean?: number } {
    const { mean } = this.state.peek();
    const { columns } = this.parts.model.table;
    const column = columns.find(({ name, kind }) => name === mean && kind === 'number');
    return column ? { mean: column.index } : {};
  }

  /** Updates the version of a population's rows in filters, so that they are applied again. */
  private updateFilterVersion(filters: readonly PageFilter[]): void {
    const updated = filters.map(pageFilter => {
      const { filter } = pageFilter;
      if (filter.kind !== 'population') return pageFilter;
      const { as } = this.countedOf(filter.name) ?? {};
      return as === undefined || as === filter.as ? pageFilter : { ...pageFilter, filter: { ...filter, as } };
    });
    if (updated.some((pageFilter, at) => pageFilter !== filters[at])) this.parts.filters.set(updated);
  }

  private problemOf(name: string, except?: string): string | undefined {
    const all = this.all.peek();
    if (except === undefined && all.length >= MAX_POPULATIONS)
      return t('There are too many populations. Delete one first.');
    switch (nameProblem(all, name, except)) {
      case 'empty':
        return t('Enter a name.');
      case 'taken':
        return t('Another population has this name.');
      default:
        return undefined;
    }
  }

  private isFilter(name: string): boolean {
    const filter = populationFilter(this.parts.model.latestFilters);
    return filter !== undefined && plain(filter) === plain(name);
  }

  /** Filters to a population, in place of all other filters. */
  private filterTo(name: string): void {
    const { as } = this.countedOf(name) ?? {};
    const filter = { kind: 'population' as const, name, ...(as !== undefined && { as }) };
    this.parts.filters.set([{ filter }]);
  }

  private clearFilter(): void {
    const { model, filters } = this.parts;
    filters.set(model.latestFilters.filter(({ filter }) => filter.kind !== 'population'));
  }

  /** The latest counts of a population. */
  countedOf(name: string): CountedPopulation | undefined {
    return this.countedNamed.value(name);
  }

  /** Call when another view of the table, or a program, changed the list. */
  changedElsewhere(populations: readonly Population[]): void {
    this.all.value = populations;
    this.clearStaleFilter();
    void this.count();
  }

  /** `filter`: the population to filter the table to once it is counted. */
  private change(populations: readonly Population[], filter?: string): void {
    const before = this.all.peek();
    if (JSON.stringify(before) === JSON.stringify(populations)) return;
    this.endDraft();
    this.all.value = populations;
    this.parts.port.updateView({ populations });
    this.offer(populations);
    void this.count({ before, populations }).then(isCounted => {
      if (isCounted && filter !== undefined) this.filterTo(filter);
    });
  }

  private changeState(changes: Partial<PopulationsState>): void {
    this.saved.value = { ...this.saved.peek(), ...changes };
    this.parts.port.updateView({ populationsPart: this.saved.peek() });
  }
}

/** The name of the population that active filters filter to. */
function populationFilter(filters: readonly PageFilter[]): string | undefined {
  for (const { filter } of activeFilters(filters)) if (filter.kind === 'population') return filter.name;
  return undefined;
}
