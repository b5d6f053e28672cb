import { t } from '../../../pages/page/l10n';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { Emitter, type Event } from '../../../base/event';
import {
  type FilterSet,
  filtersByName,
  filtersInTable,
  MAX_SET_NAME,
  MAX_SETS,
  withRenamedColumns,
} from '../../../columns/filterSets';
import { isOfColumn } from '../../../columns/viewSpec';
import { activeFilters, type PageFilter, withColumnFilter } from '../filterList';
import type { ModelParts } from '../modelParts';

interface FilterSetsDependencies extends Pick<ModelParts, 'model' | 'panel' | 'port' | 'messages'> {
  /** The filters that a person has set, without those that keep rows of groups and images apart. */
  filters: ReadonlySignal<readonly PageFilter[]>;
  setFilters: (filters: readonly PageFilter[]) => void;
}

/** A set that has another name. */
interface RenamedSet {
  from: string;
  to: string;
}

/** Why filters can't have a name. */
export type NameProblem = 'empty' | 'taken' | 'many';

/**
 * Filters of the table that have a name, such as "CD4+ and CD8+": their shares are measures of
 * groups and of comparisons.
 */
export class FilterSets {
  readonly all: ReadonlySignal<readonly FilterSet[]>;
  /** They are others; where one has another name, from which and to which. */
  readonly onDidChange: Event<RenamedSet | undefined>;
  private readonly now: Signal<readonly FilterSet[]>;
  private readonly changed = new Emitter<RenamedSet | undefined>();

  constructor(
    sets: readonly FilterSet[],
    private readonly parts: FilterSetsDependencies,
  ) {
    this.now = signal(sets);
    this.all = this.now;
    this.onDidChange = this.changed.event;
  }

  /**
   * The table's filters that can have a name: those that are on, but for lassos and objects
   * selected on the masks.
   */
  get nameable(): readonly PageFilter[] {
    return activeFilters(this.parts.filters.value).filter(({ filter }) => isOfColumn(filter));
  }

  /** Whether filters are on that can't have a name. */
  get areSomeUnnameable(): boolean {
    return activeFilters(this.parts.filters.value).length > this.nameable.length;
  }

  /** Gives the table's filters a name. Returns why it can't. */
  add(name: string): NameProblem | undefined {
    const sets = this.now.peek();
    const problem = sets.length >= MAX_SETS ? 'many' : this.problemOf(name);
    if (problem) return problem;
    const { columns } = this.parts.model.table;
    const filters = filtersByName(
      this.nameable.map(({ filter }) => filter),
      columns,
    );
    if (filters.length > 0) this.change([...sets, { name: plainName(name), filters }]);
    return undefined;
  }

  /** Gives one another name, by which measures find it from then on. Returns why it can't. */
  rename(from: string, to: string): NameProblem | undefined {
    const name = plainName(to);
    if (name === from) return undefined;
    const problem = this.problemOf(name, from);
    if (problem) return problem;
    const sets = this.now.peek().map(set => (set.name === from ? { ...set, name } : set));
    this.change(sets, { from, to: name });
    return undefined;
  }

  remove(name: string): void {
    this.change(this.now.peek().filter(set => set.name !== name));
  }

  /**
   * Changes sets as from one list to another; those that are others by now for other reasons stay.
   */
  restore(from: readonly FilterSet[], to: readonly FilterSet[]): void {
    const isIn = (sets: readonly FilterSet[], { name }: FilterSet) => sets.some(set => set.name === name);
    const now = this.now.peek();
    if (JSON.stringify(now) === JSON.stringify(from)) {
      this.change(to);
      return;
    }
    const kept = now.filter(set => !isIn(from, set) && !isIn(to, set));
    this.change([...to.filter(set => isIn(now, set) || !isIn(from, set)), ...kept]);
  }

  /** They were changed elsewhere: in another view of the table. */
  show(sets: readonly FilterSet[]): void {
    this.change(sets, renamedSet(this.now.peek(), sets), 'view');
  }

  /** Columns have other names. */
  columnsRenamed(renamed: ReadonlyMap<string, string>): void {
    if (renamed.size > 0 && this.now.peek().length > 0)
      this.change(withRenamedColumns(this.now.peek(), renamed));
  }

  /** Filters of a set as the table has them; undefined where it lacks a column of theirs. */
  filtersOf(set: FilterSet): PageFilter[] | undefined {
    return filtersInTable(set, this.parts.model.table.columns)?.map(filter => ({ filter }));
  }

  /**
   * Adds the filters of a set to those of the table; they replace filters of the same columns and
   * kinds.
   */
  apply(set: FilterSet): void {
    const { model, setFilters } = this.parts;
    const filters = this.filtersOf(set) ?? [];
    const applied = filters.reduce<readonly PageFilter[]>(
      (before, { filter }) =>
        isOfColumn(filter) ? withColumnFilter(before, filter.column, filter.kind, filter) : before,
      model.latestFilters,
    );
    setFilters([...applied]);
  }

  private problemOf(name: string, except?: string): NameProblem | undefined {
    const plain = plainName(name).toLowerCase();
    if (plain === '') return 'empty';
    const isTaken = this.now.peek().some(set => set.name !== except && set.name.toLowerCase() === plain);
    return isTaken ? 'taken' : undefined;
  }

  private change(
    sets: readonly FilterSet[],
    renamed?: RenamedSet,
    where: 'view' | 'view-and-table' = 'view-and-table',
  ): void {
    this.now.value = sets;
    this.parts.port.updateView({ filterSets: [...sets] });
    if (where === 'view-and-table') this.saveWithTable(sets);
    this.changed.fire(renamed);
  }

  private saveWithTable(sets: readonly FilterSet[]): void {
    const { panel, messages } = this.parts;
    panel
      .request('saveFilterSets', { sets: sets.map(({ name, filters }) => ({ name, filters: [...filters] })) })
      .catch((error: unknown) => messages.failed(t.later("Couldn't save the named filters: {0}"), error));
  }
}

/** Which set has another name, where that is all that changed. */
function renamedSet(before: readonly FilterSet[], now: readonly FilterSet[]): RenamedSet | undefined {
  const without = (sets: readonly FilterSet[], others: readonly FilterSet[]) =>
    sets.filter(({ name }) => others.every(other => other.name !== name));
  const [gone, ...alsoGone] = without(before, now);
  const [added, ...alsoAdded] = without(now, before);
  if (!gone || !added || alsoGone.length > 0 || alsoAdded.length > 0) return undefined;
  const areSame = JSON.stringify(gone.filters) === JSON.stringify(added.filters);
  return areSame ? { from: gone.name, to: added.name } : undefined;
}

/** A name on one line. */
function plainName(name: string): string {
  return name.replace(/\s+/g, ' ').trim().slice(0, MAX_SET_NAME);
}
