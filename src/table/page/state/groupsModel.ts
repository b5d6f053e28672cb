import { t } from '../../../pages/page/l10n';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { isCoded } from '../../../base/errors';
import type { GroupOrder } from '../../../columns/columnStatistics';
import { columnName } from '../../../pages/page/columnName';
import type { ModelParts } from '../modelParts';
import type { AddedLater } from '../addedLater';
import type { ChosenGroups, GroupSource, GroupUnits, GroupsView } from '../groupUnits';
import type { TableFilters } from '../tableFilters';
import type { CellOutput } from './cellOutput';
import {
  type FetchedGroups,
  fetchGroups,
  type GroupColumn,
  groupColumns,
  type GroupRow,
  groupsAsText,
  groupsOfRows,
} from './groupColumns';
import { GroupSelection } from './groupSelection';
import { type GroupsPosition, groupsPosition } from './groupsPlace';
import {
  firstKey,
  firstMeasures,
  type AddedMeasure,
  type GroupMeasure,
  type GroupsSpec,
  type GroupsState,
  type GroupUnit,
  isValidOrder,
  statisticsOfUnit,
  validGroups,
} from './groupsState';
import type { TableColumns } from './tableColumns';

/** Groups in a block of their grid. */
export const BLOCK_GROUPS = 200;

/** Groups that were found, and of which rows. */
export interface LoadedGroups {
  /** Identity of the grid's columns: if it changes, the grid needs others. */
  mark: string;
  view: GroupsView;
  source: GroupSource;
  columns: readonly GroupColumn[];
  /** The first of them, and how many there are. */
  rows: GroupRow[];
  total: number;
  all: GroupRow;
  /** Whether there are filters besides those of the selected group. */
  areFiltered: boolean;
  /** Whether the table is still being read. */
  isPartial: boolean;
  /** Other notes. */
  notes: readonly string[];
  /** Images that are left out. */
  excludedImages: number;
  /** For each measure: infinite numbers, which no mean includes. */
  infinite: readonly number[];
}

/** The content: groups, why there are none, or a failure with its reason. */
type GroupsContent =
  | { kind: 'groups'; found: LoadedGroups }
  | { kind: 'message'; words: string }
  | { kind: 'failure'; reason: string };

interface GroupsModelDependencies extends Pick<ModelParts, 'model' | 'panel' | 'port' | 'messages'> {
  filters: Pick<TableFilters, 'set'>;
  output: Pick<CellOutput, 'saveGroups'>;
  columns: Pick<TableColumns, 'constants'>;
  /** Pixels that a drawer takes below the rows. */
  heightOfDrawer: ReadonlySignal<number>;
  room: ReadonlySignal<{ width: number; height: number } | undefined>;
  /** Other units of statistics besides rows; absent without any. */
  units: GroupUnits | undefined;
}

type GroupsChange = { [K in keyof GroupsState]?: GroupsState[K] | undefined };

/**
 * Statistics of groups of the matching rows. A filter to one group isn't applied here: it marks
 * that group. Each change of settings or position is saved with the view at once.
 */
export class GroupsModel implements ChosenGroups {
  readonly isOpen: ReadonlySignal<boolean>;
  /** Their position, and height or width: below the rows not higher than all groups. */
  readonly place: ReadonlySignal<GroupsPosition>;
  /** Whether they replace the rows. */
  readonly isOver: ReadonlySignal<boolean>;
  readonly selection: GroupSelection;
  private readonly shown = signal<GroupsContent | undefined>(undefined);
  private readonly loading = signal(false);
  private readonly contentHeight = signal(Infinity);
  /** Columns that rows are likely to be grouped by. */
  private readonly likely = signal<readonly number[]>([]);
  private areKeysKnown = false;
  private request = new AbortController();
  /** Ends requests for more of the shown groups. */
  private further = new AbortController();
  private hasBegun = false;
  /** The saved first group in view. */
  private first: number;

  constructor(
    /** The saved state, which they change. */
    private readonly now: Signal<GroupsState>,
    private readonly parts: GroupsModelDependencies,
  ) {
    const { model, filters, messages, heightOfDrawer, room } = parts;
    this.first = now.peek().first ?? 0;
    this.isOpen = computed(() => this.now.value.open);
    const width = computed(() => this.now.value.width);
    const height = computed(() => this.now.value.height);
    this.place = computed(() => {
      const wanted = { width: width.value, height: height.value };
      const around = room.value ?? { width: 0, height: Infinity };
      const position = groupsPosition(wanted, around, heightOfDrawer.value);
      if (position.where !== 'below') return position;
      const max = Math.min(position.max, this.contentHeight.value);
      return { ...position, size: Math.min(position.size, max), min: Math.min(position.min, max), max };
    });
    this.isOver = computed(() => this.isOpen.value && this.place.value.where === 'over');
    this.selection = new GroupSelection({
      model,
      by: () => this.now.value.by,
      setFilters: wanted => filters.set(wanted),
      onFailure: error => messages.failed(t.later("Couldn't apply the filter: {0}"), error),
    });
    parts.units?.onDidChange(now => this.measuresChanged(now));
    model.onDidChange(change => {
      if (change === 'table') this.tableChanged();
      else if (change === 'filters') this.load();
    });
  }

  get state(): ReadonlySignal<GroupsState> {
    return this.now;
  }

  get content(): ReadonlySignal<GroupsContent | undefined> {
    return this.shown;
  }

  /** Whether groups are on their way. */
  get isBusy(): ReadonlySignal<boolean> {
    return this.loading;
  }

  /** Columns to select from: likely grouping columns, and the current ones. */
  get keys(): readonly number[] {
    return [...new Set([...this.likely.value, ...this.now.value.by])].sort((a, b) => a - b);
  }

  /** Other units of statistics besides rows. */
  get units(): readonly GroupUnit[] {
    return this.parts.units?.units ?? [];
  }

  /** Their unit; undefined for rows. */
  get unit(): GroupUnit | undefined {
    const { of } = this.now.value;
    return this.units.find(({ id }) => id === of);
  }

  /** The same for measures that mean the same. */
  keyOf(measure: GroupMeasure): string {
    return typeof measure === 'number'
      ? `column ${measure}`
      : (this.parts.units?.keyOf(measure) ?? JSON.stringify(measure));
  }

  nameOf(measure: GroupMeasure): string {
    const { model, units } = this.parts;
    if (typeof measure === 'number') return columnName(model.table.columns, measure);
    return units?.nameOf(measure) ?? measure.kind;
  }

  /** The options are opened. */
  offer(): void {
    this.parts.units?.offer();
  }

  /** The control for measures besides columns, among the options. */
  options(later: AddedLater): ComponentChildren {
    return this.parts.units?.options(later, this);
  }

  /** Measures are called otherwise, or have other values. */
  private measuresChanged(now: Parameters<Parameters<GroupUnits['onDidChange']>[0]>[0]): void {
    const { measures, order } = this.now.peek();
    const changed = (measure: GroupMeasure) => (typeof measure === 'number' ? undefined : now(measure));
    if (measures.every(measure => !changed(measure))) return;
    // Without a measure, an order by a value's position would use another value.
    const areAllThere = measures.every(measure => changed(measure)?.isThere !== false);
    this.change({
      measures: measures.map(measure => changed(measure)?.measure ?? measure),
      order: areAllThere || order?.of.kind !== 'value' ? order : undefined,
    });
    this.load();
  }

  /** The rows are there: open groups follow. */
  begin(): void {
    this.hasBegun = true;
    this.load();
  }

  /** Opens or closes the groups; those of a column, if one is given. */
  open(open: boolean, column?: number): void {
    this.change({ open });
    if (column !== undefined) this.choose({ by: [column] });
    else if (open) this.load();
    else {
      this.request.abort();
      this.endFurther();
    }
  }

  /** Other columns to group by, or other statistics of other columns. */
  choose(changes: Partial<GroupsSpec>): void {
    const { by, measures, statistics, of, order } = this.now.peek();
    const spec = { by, measures, statistics, of, ...changes };
    // An order by a statistic is about another one when these change.
    const isSame =
      JSON.stringify([spec.measures, spec.statistics, spec.of]) ===
      JSON.stringify([measures, statistics, of]);
    const keeps = order && this.isValid(order, spec) && (order.of.kind !== 'value' || isSame);
    this.change({ ...spec, order: keeps ? order : undefined });
    this.load();
  }

  /** Restores groups. */
  restore(saved: Partial<GroupsState>, open = true): void {
    const { by, measures, statistics, of, order } = validGroups(saved, this.parts.model.table.columns);
    this.change({ open: open || this.isOpen.peek(), by, measures, statistics, of, order });
    // A grid keeps its own order.
    this.show(undefined);
    this.load();
  }

  sort(order: GroupOrder | undefined): void {
    this.change({ order });
  }

  /** The first group in view for a new grid: only the first grid uses the saved one. */
  takeFirst(): number {
    const { first } = this;
    this.first = 0;
    return first;
  }

  scrolled(first: number): void {
    this.change({ first });
  }

  /** Another height, or width beside the plots, within the room. */
  resize(size: number): void {
    const { where, min, max } = this.place.peek();
    const limited = Math.max(min, Math.min(max, size));
    this.change(where === 'beside' ? { width: limited } : { height: limited });
  }

  /** Height of all groups with the head above; undefined without groups. */
  measured(height = Infinity): void {
    this.contentHeight.value = height;
  }

  /** Groups [start, end) of those shown, in an order. */
  async fetch(start: number, end: number, order: GroupOrder | undefined): Promise<GroupRow[]> {
    const source = this.found?.source;
    if (!source) return [];
    return (await fetchGroups(source, { start, end, order }, this.further.signal)).rows;
  }

  /** Copies all groups. */
  async copy(): Promise<void> {
    const { model, panel, messages } = this.parts;
    const { found } = this;
    if (!found) return;
    try {
      const { view, source, columns, all } = found;
      const order = this.orderOf(view);
      const copied = await groupsAsText(model, { by: view.by, source, order, columns, all });
      await panel.request('copy', { text: copied.text });
      messages.say(t.count(copied.groups, '1 group copied with header', '{0} groups copied with header'));
    } catch (error) {
      messages.failed(t.later("Couldn't copy: {0}"), error);
    }
  }

  async save(): Promise<void> {
    const { found } = this;
    if (!found) return;
    const header = found.columns.map(({ fullName }) => fullName);
    await found.source.save(header, this.orderOf(found.view));
  }

  /** Requests the content unless it is shown; a later call cancels an earlier one. */
  load(again = false): void {
    if (!this.hasBegun || !this.isOpen.peek()) return;
    this.request.abort();
    const { signal } = (this.request = new AbortController());
    this.loading.value = true;
    this.find(again, signal)
      .catch((error: unknown) => {
        if (isCoded(error, 'cancelled')) return;
        this.show({ kind: 'failure', reason: this.parts.messages.log(error) });
      })
      .finally(() => {
        if (this.request.signal === signal) this.loading.value = false;
      });
  }

  private get found(): LoadedGroups | undefined {
    const content = this.shown.peek();
    return content?.kind === 'groups' ? content.found : undefined;
  }

  /** Undefined removes an optional property. */
  private change(changes: GroupsChange): void {
    const state = Object.entries({ ...this.now.peek(), ...changes }).filter(
      ([, value]) => value !== undefined,
    );
    this.now.value = Object.fromEntries(state) as unknown as GroupsState;
    this.parts.port.updateView({ groups: this.now.peek() });
  }

  /** More of the table was read, or it was read again. During reading, the content stays. */
  private tableChanged(): void {
    if (this.parts.model.table.reading && this.found) return;
    this.areKeysKnown = false;
    this.load(true);
  }

  private async find(again: boolean, canceled: AbortSignal): Promise<void> {
    const { model } = this.parts;
    const { table } = model;
    if (table.rowCount === 0 && !table.reading) return this.tell(t('No rows'));
    await this.begun(canceled);
    if (canceled.aborted) return;
    const { by, measures, statistics: chosen, of } = this.now.peek();
    if (by.length === 0) return this.tell(t('No column to group by.'));
    const { unit } = this;
    const filters = model.statisticsFiltersOf(this.selection.otherFilters);
    const wanted = { by, measures, statistics: statisticsOfUnit(unit, chosen), filters, of };
    const source = await this.sourceOf(wanted, unit, canceled);
    if (canceled.aborted) return;
    if (typeof source === 'string') return this.tell(source);
    const view: GroupsView = { ...wanted, measures: [...source.measures] };
    const order = this.orderOf(view);
    const { found } = this;
    if (!again && found && markOf(found) === markOf({ view, source })) return;
    const groups = await fetchGroups(source, { start: 0, end: BLOCK_GROUPS, order }, canceled);
    if (canceled.aborted) return;
    if (groups.total === 0) this.tell(model.isFiltered ? t('No rows match the filters') : t('No rows'));
    else this.came(view, source, groups);
  }

  private async sourceOf(view: GroupsView, unit: GroupUnit | undefined, canceled: AbortSignal) {
    const { model, units, output } = this.parts;
    if (unit && units) return units.source(view, unit, canceled);
    return groupsOfRows(model, view, params => output.saveGroups(params));
  }

  /** The order, unless it is by a column that isn't shown. */
  private orderOf(view: GroupsView): GroupOrder | undefined {
    const { order } = this.now.peek();
    return order && isValidOrder(order, view) ? order : undefined;
  }

  /** Whether groups as chosen have the column that an order is by. */
  private isValid(order: GroupOrder, { by, measures, statistics, of }: GroupsSpec): boolean {
    const unit = this.units.find(({ id }) => id === of);
    const there = unit ? measures : measures.filter(measure => typeof measure === 'number');
    return isValidOrder(order, { by, measures: there, statistics: statisticsOfUnit(unit, statistics) });
  }

  /** Finds grouping columns, and begins with the likely ones. */
  private async begun(canceled: AbortSignal): Promise<void> {
    const { model, columns: arranged } = this.parts;
    const { columns } = model.table;
    if (!this.areKeysKnown) {
      this.likely.value = (await model.request('tableGroupColumns', {}, canceled)).columns;
      this.areKeysKnown = true;
    }
    if (canceled.aborted || this.now.peek().by.length > 0) return;
    const first = firstKey(columns, this.likely.peek(), arranged.constants);
    if (first !== undefined) this.change({ by: [first], measures: firstMeasures(columns, [first]) });
  }

  private came(
    view: GroupsView,
    source: GroupSource,
    { rows, total, all: ofAll, notes = [], excludedImages = 0, infinite = [] }: FetchedGroups,
  ): void {
    const { model } = this.parts;
    const { columns: ofTable, decimalComma, reading } = model.table;
    const areFiltered = this.selection.otherFilters.length > 0;
    const words = areFiltered ? t('All filtered rows') : t('All rows');
    const all: GroupRow = { ...ofAll, keys: view.by.map(() => null), row: 0, all: words };
    const { by, measures, statistics, of } = view;
    const spec = { by, measures, statistics, of };
    const nameOf = (measure: AddedMeasure) => this.nameOf(measure);
    const decimalMark = decimalComma ? ',' : '.';
    const columns = groupColumns({
      spec,
      columns: ofTable,
      nameOf,
      decimalMark,
      sample: [...rows, all],
    });
    const mark = JSON.stringify([spec, columns.map(({ fullName }) => fullName)]);
    const isPartial = reading === true;
    const found = {
      ...{ mark, view, source, columns, rows, total, all, areFiltered, isPartial },
      ...{ notes, excludedImages, infinite },
    };
    this.show({ kind: 'groups', found });
  }

  private tell(words: string): void {
    this.show({ kind: 'message', words });
  }

  private show(content: GroupsContent | undefined): void {
    this.endFurther();
    this.shown.value = content;
  }

  private endFurther(): void {
    this.further.abort();
    this.further = new AbortController();
  }
}

/** The same for the same groups. */
function markOf({ view, source }: Pick<LoadedGroups, 'view' | 'source'>): string {
  return JSON.stringify([view, source.mark]);
}
