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

/** Groups in a block of the grid. */
export const BLOCK_GROUPS = 200;

/** Groups that were loaded, and what they were loaded for. */
export interface LoadedGroups {
  /** Identity of the grid's columns: a grid is made anew when it changes. */
  mark: string;
  view: GroupsView;
  source: GroupSource;
  columns: readonly GroupColumn[];
  /** The first groups. */
  rows: GroupRow[];
  /** Number of all groups. */
  total: number;
  /** The row about all rows. */
  all: GroupRow;
  /** Whether there are filters besides those of the selected group. */
  areFiltered: boolean;
  /** Whether the table is still being read. */
  isPartial: boolean;
  /** Other notes. */
  notes: readonly string[];
  /** Number of images that are left out. */
  excludedImages: number;
  /** Infinite numbers per measure, which no mean includes. */
  infinite: readonly number[];
}

/** The content: groups, why there are none, or the reason of a failure. */
type GroupsContent =
  | { kind: 'groups'; groups: LoadedGroups }
  | { kind: 'message'; words: string }
  | { kind: 'failure'; reason: string };

interface GroupsModelDependencies extends Pick<ModelParts, 'model' | 'panel' | 'port' | 'messages'> {
  filters: Pick<TableFilters, 'set'>;
  output: Pick<CellOutput, 'saveGroups'>;
  columns: Pick<TableColumns, 'constants'>;
  /** Height of a drawer below the rows, in pixels. */
  heightOfDrawer: ReadonlySignal<number>;
  room: ReadonlySignal<{ width: number; height: number } | undefined>;
  /** Units of statistics other than rows; absent if there are none. */
  units: GroupUnits | undefined;
}

type GroupsChange = { [K in keyof GroupsState]?: GroupsState[K] | undefined };

/**
 * Statistics of groups of the matching rows. A filter to one group doesn't apply to the groups: it
 * marks the group. Settings and positions are saved with the view at once.
 */
export class GroupsModel implements ChosenGroups {
  readonly isOpen: ReadonlySignal<boolean>;
  /**
   * Position of the groups, with their height or width. Below the rows they are at most as high as
   * their content.
   */
  readonly place: ReadonlySignal<GroupsPosition>;
  /** Whether the groups replace the rows. */
  readonly isOver: ReadonlySignal<boolean>;
  readonly selection: GroupSelection;
  private readonly shown = signal<GroupsContent | undefined>(undefined);
  private readonly loading = signal(false);
  private readonly contentHeight = signal(Infinity);
  /** Columns that users probably group by. */
  private readonly likelyKeys = signal<readonly number[]>([]);
  private areKeysKnown = false;
  private request = new AbortController();
  /** Aborts requests for more of the shown groups. */
  private moreGroups = new AbortController();
  private hasRows = false;
  /** The saved position of the first group in view. */
  private first: number;

  constructor(
    /** The saved settings, which this model changes. */
    private readonly groupsState: Signal<GroupsState>,
    private readonly dependencies: GroupsModelDependencies,
  ) {
    const { model, filters, messages, heightOfDrawer, room } = dependencies;
    this.first = groupsState.peek().first ?? 0;
    this.isOpen = computed(() => this.groupsState.value.open);
    const width = computed(() => this.groupsState.value.width);
    const height = computed(() => this.groupsState.value.height);
    this.place = computed(() => {
      const preferredSize = { width: width.value, height: height.value };
      const available = room.value ?? { width: 0, height: Infinity };
      const position = groupsPosition(preferredSize, available, heightOfDrawer.value);
      if (position.where !== 'below') return position;
      const max = Math.min(position.max, this.contentHeight.value);
      return { ...position, size: Math.min(position.size, max), min: Math.min(position.min, max), max };
    });
    this.isOver = computed(() => this.isOpen.value && this.place.value.where === 'over');
    this.selection = new GroupSelection({
      model,
      by: () => this.groupsState.value.by,
      setFilters: newFilters => filters.set(newFilters),
      onFailure: error => messages.failed(t.later("Couldn't apply the filter: {0}"), error),
    });
    dependencies.units?.onDidChange(measureAfter => this.measuresChanged(measureAfter));
    model.onDidChange(change => {
      if (change === 'table') this.tableChanged();
      else if (change === 'filters') this.load();
    });
  }

  get state(): ReadonlySignal<GroupsState> {
    return this.groupsState;
  }

  get content(): ReadonlySignal<GroupsContent | undefined> {
    return this.shown;
  }

  /** Whether groups are loading. */
  get isBusy(): ReadonlySignal<boolean> {
    return this.loading;
  }

  /** Columns to choose from: likely grouping columns, and the current ones. */
  get keys(): readonly number[] {
    return [...new Set([...this.likelyKeys.value, ...this.groupsState.value.by])].sort((a, b) => a - b);
  }

  /** Units of statistics other than rows. */
  get units(): readonly GroupUnit[] {
    return this.dependencies.units?.units ?? [];
  }

  /** The chosen unit; undefined for rows. */
  get unit(): GroupUnit | undefined {
    const { of } = this.groupsState.value;
    return this.units.find(({ id }) => id === of);
  }

  /** A key that is equal for equal measures. */
  keyOf(measure: GroupMeasure): string {
    return typeof measure === 'number'
      ? `column ${measure}`
      : (this.dependencies.units?.keyOf(measure) ?? JSON.stringify(measure));
  }

  nameOf(measure: GroupMeasure): string {
    const { model, units } = this.dependencies;
    if (typeof measure === 'number') return columnName(model.table.columns, measure);
    return units?.nameOf(measure) ?? measure.kind;
  }

  /** The options were opened. */
  offer(): void {
    this.dependencies.units?.offer();
  }

  /** The control for measures other than columns, for the options. */
  options(later: AddedLater): ComponentChildren {
    return this.dependencies.units?.options(later, this);
  }

  /** Measures were renamed, or their values changed. */
  private measuresChanged(measureAfter: Parameters<Parameters<GroupUnits['onDidChange']>[0]>[0]): void {
    const { measures, order } = this.groupsState.peek();
    const changed = (measure: GroupMeasure) =>
      typeof measure === 'number' ? undefined : measureAfter(measure);
    if (measures.every(measure => !changed(measure))) return;
    // An order by a value's position would use another value if a measure were missing.
    const hasAllMeasures = measures.every(measure => changed(measure)?.isAvailable !== false);
    this.change({
      measures: measures.map(measure => changed(measure)?.measure ?? measure),
      order: hasAllMeasures || order?.of.kind !== 'value' ? order : undefined,
    });
    // Values may have changed even if the measures are equal.
    this.load(true);
  }

  /** Rows are loaded: groups that are open follow. */
  begin(): void {
    this.hasRows = true;
    this.load();
  }

  /** Opens or closes the groups. With a column, groups by it. */
  open(open: boolean, column?: number): void {
    this.change({ open });
    if (column !== undefined) this.choose({ by: [column] });
    else if (open) this.load();
    else {
      this.request.abort();
      this.cancelMoreGroups();
    }
  }

  /** Changes the columns to group by, the measures or the statistics. */
  choose(changes: Partial<GroupsSpec>): void {
    const { by, measures, statistics, of, order } = this.groupsState.peek();
    const spec = { by, measures, statistics, of, ...changes };
    // An order by a statistic is valid only for the same measures and statistics.
    const isSame =
      JSON.stringify([spec.measures, spec.statistics, spec.of]) ===
      JSON.stringify([measures, statistics, of]);
    const keepsOrder = order && this.isValid(order, spec) && (order.of.kind !== 'value' || isSame);
    this.change({ ...spec, order: keepsOrder ? order : undefined });
    this.load();
  }

  /** Restores saved groups. */
  restore(saved: Partial<GroupsState>, open = true): void {
    const { by, measures, statistics, of, order } = validGroups(saved, this.dependencies.model.table.columns);
    this.change({ open: open || this.isOpen.peek(), by, measures, statistics, of, order });
    // A grid keeps its order: a new one is made.
    this.show(undefined);
    this.load();
  }

  sort(order: GroupOrder | undefined): void {
    this.change({ order });
  }

  /** The saved first group in view; only the first grid starts there. */
  takeFirst(): number {
    const { first } = this;
    this.first = 0;
    return first;
  }

  scrolled(first: number): void {
    this.change({ first });
  }

  /** Changes the height, or the width beside plots, within limits. */
  resize(size: number): void {
    const { where, min, max } = this.place.peek();
    const limited = Math.max(min, Math.min(max, size));
    this.change(where === 'beside' ? { width: limited } : { height: limited });
  }

  /** Sets the height of all groups with the head above; omitted without groups. */
  measured(height = Infinity): void {
    this.contentHeight.value = height;
  }

  /** Groups [start, end) of the loaded ones, in an order. */
  async fetch(start: number, end: number, order: GroupOrder | undefined): Promise<GroupRow[]> {
    const source = this.loadedGroups?.source;
    if (!source) return [];
    return (await fetchGroups(source, { start, end, order }, this.moreGroups.signal)).rows;
  }

  /** Copies all groups. */
  async copy(): Promise<void> {
    const { model, panel, messages } = this.dependencies;
    const { loadedGroups: loaded } = this;
    if (!loaded) return;
    try {
      const { view, source, columns, all } = loaded;
      const order = this.orderOf(view);
      const copied = await groupsAsText(model, { by: view.by, source, order, columns, all });
      await panel.request('copy', { text: copied.text });
      messages.say(t.count(copied.groups, '1 group copied with header', '{0} groups copied with header'));
    } catch (error) {
      messages.failed(t.later("Couldn't copy: {0}"), error);
    }
  }

  async save(): Promise<void> {
    const { loadedGroups: loaded } = this;
    if (!loaded) return;
    const header = loaded.columns.map(({ fullName }) => fullName);
    await loaded.source.save(header, this.orderOf(loaded.view));
  }

  /** Loads the content unless it is up to date. A later call cancels an earlier one. */
  load(reload = false): void {
    if (!this.hasRows || !this.isOpen.peek()) return;
    this.request.abort();
    const { signal } = (this.request = new AbortController());
    this.loading.value = true;
    this.loadContent(reload, signal)
      .catch((error: unknown) => {
        if (isCoded(error, 'cancelled')) return;
        this.show({ kind: 'failure', reason: this.dependencies.messages.log(error) });
      })
      .finally(() => {
        if (this.request.signal === signal) this.loading.value = false;
      });
  }

  private get loadedGroups(): LoadedGroups | undefined {
    const content = this.shown.peek();
    return content?.kind === 'groups' ? content.groups : undefined;
  }

  /** Saves changes; undefined removes an optional property. */
  private change(changes: GroupsChange): void {
    const state = Object.entries({ ...this.groupsState.peek(), ...changes }).filter(
      ([, value]) => value !== undefined,
    );
    this.groupsState.value = Object.fromEntries(state) as unknown as GroupsState;
    this.dependencies.port.updateView({ groups: this.groupsState.peek() });
  }

  /** The table was read further or anew. While it is being read, loaded groups stay. */
  private tableChanged(): void {
    if (this.dependencies.model.table.reading && this.loadedGroups) return;
    this.areKeysKnown = false;
    this.load(true);
  }

  private async loadContent(reload: boolean, canceled: AbortSignal): Promise<void> {
    const { model } = this.dependencies;
    const { table } = model;
    if (table.rowCount === 0 && !table.reading) return this.showMessage(t('No rows'));
    await this.ensureKeys(canceled);
    if (canceled.aborted) return;
    const { by, measures, statistics: chosen, of } = this.groupsState.peek();
    if (by.length === 0) return this.showMessage(t('No column to group by.'));
    const { unit } = this;
    const filters = model.statisticsFiltersOf(this.selection.otherFilters);
    const requestedView = { by, measures, statistics: statisticsOfUnit(unit, chosen), filters, of };
    const source = await this.sourceOf(requestedView, unit, canceled);
    if (canceled.aborted) return;
    if (typeof source === 'string') return this.showMessage(source);
    const view: GroupsView = { ...requestedView, measures: [...source.measures] };
    const order = this.orderOf(view);
    const { loadedGroups: shown } = this;
    if (!reload && shown && markOf(shown) === markOf({ view, source })) return;
    const groups = await fetchGroups(source, { start: 0, end: BLOCK_GROUPS, order }, canceled);
    if (canceled.aborted) return;
    if (groups.total === 0)
      this.showMessage(model.isFiltered ? t('No rows match the filters') : t('No rows'));
    else this.showGroups(view, source, groups);
  }

  private async sourceOf(view: GroupsView, unit: GroupUnit | undefined, canceled: AbortSignal) {
    const { model, units, output } = this.dependencies;
    if (unit && units) return units.source(view, unit, canceled);
    return groupsOfRows(model, view, params => output.saveGroups(params));
  }

  /** The order; undefined if it is by a column that isn't shown. */
  private orderOf(view: GroupsView): GroupOrder | undefined {
    const { order } = this.groupsState.peek();
    return order && isValidOrder(order, view) ? order : undefined;
  }

  /** Whether the groups of a specification have the column of an order. */
  private isValid(order: GroupOrder, { by, measures, statistics, of }: GroupsSpec): boolean {
    const unit = this.units.find(({ id }) => id === of);
    const available = unit ? measures : measures.filter(measure => typeof measure === 'number');
    return isValidOrder(order, { by, measures: available, statistics: statisticsOfUnit(unit, statistics) });
  }

  /** Loads likely grouping columns, and groups by one if none is chosen yet. */
  private async ensureKeys(canceled: AbortSignal): Promise<void> {
    const { model, columns: tableColumns } = this.dependencies;
    const { columns } = model.table;
    if (!this.areKeysKnown) {
      this.likelyKeys.value = (await model.request('tableGroupColumns', {}, canceled)).columns;
      this.areKeysKnown = true;
    }
    if (canceled.aborted || this.groupsState.peek().by.length > 0) return;
    const first = firstKey(columns, this.likelyKeys.peek(), tableColumns.constants);
    if (first !== undefined) this.change({ by: [first], measures: firstMeasures(columns, [first]) });
  }

  private showGroups(
    view: GroupsView,
    source: GroupSource,
    { rows, total, all: allRows, notes = [], excludedImages = 0, infinite = [] }: FetchedGroups,
  ): void {
    const { model } = this.dependencies;
    const { columns: tableColumns, decimalComma, reading } = model.table;
    const areFiltered = this.selection.otherFilters.length > 0;
    const words = areFiltered ? t('All filtered rows') : t('All rows');
    const all: GroupRow = { ...allRows, keys: view.by.map(() => null), row: 0, all: words };
    const { by, measures, statistics, of } = view;
    const spec = { by, measures, statistics, of };
    const nameOf = (measure: AddedMeasure) => this.nameOf(measure);
    const decimalMark = decimalComma ? ',' : '.';
    const columns = groupColumns({
      spec,
      columns: tableColumns,
      nameOf,
      decimalMark,
      sample: [...rows, all],
    });
    const mark = JSON.stringify([spec, columns.map(({ fullName }) => fullName)]);
    const isPartial = reading === true;
    const groups = {
      ...{ mark, view, source, columns, rows, total, all, areFiltered, isPartial },
      ...{ notes, excludedImages, infinite },
    };
    this.show({ kind: 'groups', groups });
  }

  private showMessage(words: string): void {
    this.show({ kind: 'message', words });
  }

  private show(content: GroupsContent | undefined): void {
    this.cancelMoreGroups();
    this.shown.value = content;
  }

  private cancelMoreGroups(): void {
    this.moreGroups.abort();
    this.moreGroups = new AbortController();
  }
}

/** A text that is equal for the same groups. */
function markOf({ view, source }: Pick<LoadedGroups, 'view' | 'source'>): string {
  return JSON.stringify([view, source.mark]);
}
