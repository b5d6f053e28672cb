import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isCoded } from '../../base/errors';
import { withChanges } from '../../base/namedList';
import { t } from '../../pages/page/l10n';
import type { OpenedParts } from '../../table/page/contribution';
import { activeFilters, type PageFilter } from '../../table/page/filterList';
import type {} from '../populationsPage';
import type { Gate } from '../gate';
import { MAX_POPULATIONS, plain, type Population, populationNamed } from '../population';
import { withRenamedColumns } from '../renamedPopulations';
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
  readonly state: ReadonlySignal<PopulationsState>;
  readonly isOpen: ReadonlySignal<boolean>;
  readonly width: ReadonlySignal<number>;
  /** Why counting failed. */
  readonly failure: ReadonlySignal<string | undefined>;
  /** Whether the table's filters can become a population. */
  readonly canAdd: ReadonlySignal<boolean>;
  readonly rowCount: ReadonlySignal<number | undefined>;
  private readonly all: Signal<readonly Population[]>;
  private readonly counted = signal<CountedPopulations | undefined>(undefined);
  private readonly failed = signal<string | undefined>(undefined);
  private request = new AbortController();
  /** The list before changes that couldn't be stored. */
  private unstored: readonly Population[] | undefined;
  /** Whether plots show populations. */
  private isDrawn = false;

  constructor(
    private readonly parts: OpenedParts,
    private readonly place: Signal<PopulationsState>,
    /** Offers populations as measures. `again`: their rows have changed. */
    private readonly offer: (populations: readonly Population[], again?: boolean) => void,
  ) {
    const { model, port } = parts;
    this.all = signal(port.view.populations ?? []);
    this.state = this.place;
    this.isOpen = computed(() => this.place.value.open);
    this.width = computed(() => this.place.value.width);
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
      if (change === 'table' && this.areSeen && !model.table.reading) void this.count();
    });
    if (this.isOpen.peek()) void this.count();
  }

  get populations(): readonly Population[] {
    return this.all.value;
  }

  toggle(): void {
    this.changeState({ open: !this.isOpen.peek() });
    if (this.isOpen.peek()) void this.count();
  }

  resize(width: number = CLOSED.width): void {
    this.changeState({ width: Math.max(WIDTHS.min, Math.min(WIDTHS.max, Math.round(width))) });
  }

  /** Sets the column whose mean is shown for each population; undefined for none. */
  measure(column: string | undefined): void {
    const { open, width } = this.place.peek();
    this.place.value = { open, width, ...(column !== undefined && { mean: column }) };
    this.parts.port.updateView({ populationsPart: this.place.peek() });
    void this.count();
  }

  /** A name for a population of the table's filters: the filters in words. */
  get proposedName(): string {
    const { model } = this.parts;
    const { columns } = model.table;
    const made = gateOfFilters(activeFilters(model.latestFilters), columns);
    return freeName(
      this.all.peek(),
      made ? gateWords(made.gate, columns) : t({ message: 'Population', comment: 'Named set of objects' }),
    );
  }

  /** Makes a population of the table's filters. Returns the problem with its name, if any. */
  add(name: string): string | undefined {
    const { model } = this.parts;
    const made = gateOfFilters(activeFilters(model.latestFilters), model.table.columns);
    const problem = this.problemOf(name);
    if (problem !== undefined || !made) return problem;
    const { gate, parent } = made;
    const added = { name: tidyName(name), ...(parent !== undefined && { parent }), gate };
    this.change([...this.all.peek(), added], added.name);
    return undefined;
  }

  /** Call when plots show populations: counts are then needed even if the part is closed. */
  drawInPlots(): void {
    const wereSeen = this.areSeen;
    this.isDrawn = true;
    if (!wereSeen && this.areSeen) void this.count();
  }

  private get areSeen(): boolean {
    return this.isOpen.peek() || (this.isDrawn && this.all.peek().length > 0);
  }

  /** The latest counts. */
  get latest(): CountedPopulations | undefined {
    return this.counted.value;
  }

  /** The population that the table is filtered to. */
  get filtered(): string | undefined {
    return populationFilter(this.parts.model.filters);
  }

  /** Adds a population whose gate was drawn. Returns the problem with its name, if any. */
  addDrawn({ name, ...drawn }: Population): string | undefined {
    const problem = this.problemOf(name);
    if (problem === undefined) this.change([...this.all.peek(), { name: tidyName(name), ...drawn }]);
    return problem;
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

  /** Stores a draft. Returns the problem with its name, if any. */
  saveDraft(editedName: string | undefined, draft: Population): string | undefined {
    const name = tidyName(draft.name);
    const problem = this.problemOf(name, editedName);
    if (problem !== undefined) return problem;
    const list = () => this.withDraft(editedName, { ...draft, name });
    if (editedName === undefined || editedName === name) this.change(list());
    else void this.withoutFilter([editedName], list);
    return undefined;
  }

  /** The possible parents of an edited or new population, including the current one. */
  parentsWith(editedName: string | undefined): string[] {
    const all = this.all.peek();
    return editedName === undefined ? all.map(({ name }) => name) : parentsFor(all, editedName);
  }

  /** Replaces the gate of a population. */
  reshape(name: string, gate: Gate): void {
    this.change(
      this.all.peek().map(population => (population.name === name ? { ...population, gate } : population)),
    );
  }

  /**
   * Counts populations that aren't stored, such as while dragging a gate. Uses the counts only if
   * they are still wanted.
   */
  async countDrawn(populations: readonly Population[], isWanted: () => boolean): Promise<void> {
    const { panel, messages } = this.parts;
    const mean = this.meanColumn;
    const params = { populations: [...populations], isDrawn: true, ...(mean !== undefined && { mean }) };
    try {
      const counted = await panel.request('countPopulations', params);
      if (isWanted()) this.counted.value = counted;
    } catch (error) {
      if (!isCoded(error, 'cancelled')) messages.log(error);
    }
  }

  /** Returns the problem with the new name, if any. */
  rename(from: string, to: string): string | undefined {
    if (tidyName(to) === from) return undefined;
    const problem = this.problemOf(to, from);
    if (problem !== undefined) return problem;
    void this.withoutFilter([from], all => renamed(all, from, tidyName(to)));
    return undefined;
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
    const all = this.all.peek();
    const before = all.find(population => population.name === name)?.parent;
    if (parent === undefined ? before !== undefined : this.parentsFor(name).includes(parent))
      this.change(moved(all, name, parent));
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

  /** The populations that one can be moved to, without its current parent. */
  parentsFor(name: string): string[] {
    const all = this.all.peek();
    const currentParent = all.find(population => population.name === name)?.parent;
    return parentsFor(all, name).filter(
      parent => currentParent === undefined || plain(parent) !== plain(currentParent),
    );
  }

  /** Filters table, plots and masks to a population, or removes that filter. */
  toggleFilter(name: string): void {
    if (this.isFilter(name)) this.clearFilter();
    // A population with a problem has no rows to show.
    else if (!this.counted.peek()?.populations.find(population => population.name === name)?.problem)
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
    const mean = this.meanColumn;
    try {
      const { saved } = await panel.request('savePopulationTable', {
        by,
        ...(mean !== undefined && { mean }),
      });
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

  /** Call when columns were renamed: gates follow. */
  columnsRenamed(names: ReadonlyMap<string, string>): void {
    const all = this.all.peek();
    const followed = withRenamedColumns(all, names);
    if (JSON.stringify(followed) !== JSON.stringify(all)) this.change(followed);
  }

  /** Requests the counts, after storing a change if given. Resolves with whether that succeeded. */
  async count(changed?: PopulationsChange): Promise<boolean> {
    const { panel, model, messages } = this.parts;
    this.request.abort();
    const { signal: until } = (this.request = new AbortController());
    const mean = this.meanColumn;
    // A change that couldn't be stored is stored with the next one.
    const change = changed ?? (this.unstored && { before: this.unstored, populations: this.all.peek() });
    const before = this.unstored ?? change?.before ?? [];
    const params = {
      ...(change && { before: [...before], populations: [...change.populations] }),
      ...(mean !== undefined && { mean }),
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

  private get meanColumn(): number | undefined {
    const { mean } = this.place.peek();
    const { columns } = this.parts.model.table;
    return columns.find(({ name, kind }) => name === mean && kind === 'number')?.index;
  }

  /** Updates the version of a population's rows in filters, so that they are applied again. */
  private updateFilterVersion(filters: readonly PageFilter[]): void {
    const followed = filters.map(pageFilter => {
      const { filter } = pageFilter;
      if (filter.kind !== 'population') return pageFilter;
      const { as } = this.countedOf(filter.name) ?? {};
      return as === undefined || as === filter.as ? pageFilter : { ...pageFilter, filter: { ...filter, as } };
    });
    if (followed.some((pageFilter, at) => pageFilter !== filters[at])) this.parts.filters.set(followed);
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

  private countedOf(name: string): CountedPopulation | undefined {
    return this.counted.peek()?.populations.find(population => plain(population.name) === plain(name));
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
    this.all.value = populations;
    this.parts.port.updateView({ populations });
    this.offer(populations);
    void this.count({ before, populations }).then(isCounted => {
      if (isCounted && filter !== undefined) this.filterTo(filter);
    });
  }

  private changeState(changes: Partial<PopulationsState>): void {
    this.place.value = { ...this.place.peek(), ...changes };
    this.parts.port.updateView({ populationsPart: this.place.peek() });
  }
}

/** The name of the population that active filters filter to. */
function populationFilter(filters: readonly PageFilter[]): string | undefined {
  for (const { filter } of activeFilters(filters)) if (filter.kind === 'population') return filter.name;
  return undefined;
}
