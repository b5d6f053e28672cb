import { t } from '../../../pages/page/l10n';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isCoded } from '../../../base/errors';
import type { GroupOrder } from '../../../columns/columnStatistics';
import type { FilterSet } from '../../../columns/filterSets';
import type { Alike, Measure } from '../../../conditions/comparisonRequests';
import { classesOf, measureOf, type OfferedMeasures } from '../../../conditions/page/chosenMeasure';
import { isColumnStatistic } from '../../../conditions/unitStatistics';
import type { ModelParts } from '../modelParts';
import type { TableFilters } from '../tableFilters';
import type { CellOutput } from './cellOutput';
import {
  fetchGroups,
  type GroupColumn,
  groupColumns,
  type GroupRow,
  groupsAsText,
  type GroupsView,
} from './groupColumns';
import { GroupSelection } from './groupSelection';
import { type GroupsPosition, groupsPosition } from './groupsPlace';
import {
  firstKey,
  firstMeasures,
  type GroupMeasure,
  type GroupsSpec,
  type GroupsState,
  isValidOrder,
  measureKeyOf,
  measuresOfUnit,
  statisticsOfUnit,
  validGroups,
} from './groupsState';
import type { TableColumns } from './tableColumns';

/** Groups in a block of their grid. */
export const BLOCK_GROUPS = 200;

/** Groups that were found, and of which rows. */
export interface FoundGroups {
  /** What the grid's columns are about, to know when it needs others. */
  mark: string;
  view: GroupsView;
  columns: readonly GroupColumn[];
  /** The first of them, and how many there are. */
  rows: GroupRow[];
  total: number;
  all: GroupRow;
  /** Whether there are filters besides those of the selected group. */
  areFiltered: boolean;
  /** Whether the table is still being read. */
  isPartial: boolean;
  /** Images that are left out. */
  excludedImages: number;
  /** Of each measure: objects that are in no share, since a value is missing. */
  unjudged: readonly number[];
  /** Of each measure: numbers that are infinite, and in no mean. */
  infinite: readonly number[];
  /** Images without objects aren't known, and so aren't counted per image. */
  areImagesUnknown: boolean;
  /** Columns of replicates multiply n: there is no SEM and no interval. */
  areLevelsOpen: boolean;
  /** Values that are written in several ways and count as one. */
  alike: readonly Alike[];
}

/** What is shown: groups, why there are none, or a failure and its reason. */
type GroupsContent =
  | { kind: 'groups'; found: FoundGroups }
  | { kind: 'message'; words: string }
  | { kind: 'failure'; reason: string };

interface GroupsModelParts extends Pick<ModelParts, 'model' | 'text' | 'panel' | 'port' | 'messages'> {
  filters: Pick<TableFilters, 'set'>;
  output: Pick<CellOutput, 'saveGroups'>;
  columns: Pick<TableColumns, 'constants'>;
  /** Pixels that a drawer takes below the rows. */
  heightOfDrawer: ReadonlySignal<number>;
  room: ReadonlySignal<{ width: number; height: number } | undefined>;
  /** Filters with names, whose shares can be measures. */
  filterSets: ReadonlySignal<readonly FilterSet[]>;
  /** Texts of a column, most frequent first. */
  textsOf: (column: number, limit: number) => Promise<string[]>;
}

/** Of groups of rows, which have none. */
const NO_LEVELS: { replicate: number[]; technical: number[] } = { replicate: [], technical: [] };

type GroupsChange = { [K in keyof GroupsState]?: GroupsState[K] | undefined };

/**
 * Statistics of groups of the rows that match the filters. A filter to one of the groups isn't applied here: that group is marked
 * instead. Each change of what they are, or of their place, is saved with the view at once.
 */
export class GroupsModel {
  readonly isOpen: ReadonlySignal<boolean>;
  /** Where they are, and how high or wide: below the rows no higher than all groups are. */
  readonly place: ReadonlySignal<GroupsPosition>;
  /** Whether they are in place of the rows. */
  readonly isOver: ReadonlySignal<boolean>;
  readonly selection: GroupSelection;
  private readonly shown = signal<GroupsContent | undefined>(undefined);
  private readonly loading = signal(false);
  private readonly contentHeight = signal(Infinity);
  /** What is known of images: their classes, and whether they have areas. */
  private readonly known = signal<Omit<OfferedMeasures, 'filterSets'>>({ classes: [], hasAreas: false });
  /** Columns that rows are likely to be grouped by. */
  private readonly likely = signal<readonly number[]>([]);
  private areKeysKnown = false;
  private request = new AbortController();
  /** Ends requests for further groups of those that are shown. */
  private further = new AbortController();
  private hasBegun = false;
  /** The first group in view when the page was left. */
  private first: number;

  constructor(
    /** As they were left; theirs to change. */
    private readonly now: Signal<GroupsState>,
    private readonly parts: GroupsModelParts,
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

  /** Columns to choose from: those that rows are likely to be grouped by, and those that they are. */
  get keys(): readonly number[] {
    return [...new Set([...this.likely.value, ...this.now.value.by])].sort((a, b) => a - b);
  }

  /** Measures of images to choose from. */
  get offered(): OfferedMeasures {
    return { ...this.known.value, filterSets: this.parts.filterSets.value };
  }

  /** Finds out what measures of images there are; a failure leaves those that are there in any case. */
  async offer(): Promise<void> {
    const { model, panel, messages, textsOf } = this.parts;
    try {
      const { hasAreas } = await panel.request('compareStart', {});
      this.known.value = { classes: await classesOf(model.table.columns, textsOf), hasAreas };
    } catch (error) {
      messages.log(error);
    }
  }

  /** Filters were given a name, or lost it; a share of those that were renamed follows them. */
  filterSetsChanged(renamed?: { from: string; to: string }): void {
    const { measures, order } = this.now.peek();
    const isNamed = (measure: GroupMeasure) => typeof measure !== 'number' && measure.kind === 'filter';
    if (!measures.some(isNamed)) return;
    const follow = (measure: GroupMeasure): GroupMeasure =>
      renamed && measureKeyOf(measure) === measureKeyOf({ kind: 'filter', name: renamed.from })
        ? { kind: 'filter', name: renamed.to }
        : measure;
    const followed = measures.map(follow);
    // Without a measure, an order by the place of a value is by that of another one.
    const areAllThere = followed.every(measure => !isNamed(measure) || this.requested(measure));
    this.change({
      measures: followed,
      order: areAllThere || order?.of.kind !== 'value' ? order : undefined,
    });
    this.load();
  }

  /** The rows are there: the groups, if they are open, are next. */
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
    const keeps = order && isValidOrder(order, spec) && (order.of.kind !== 'value' || isSame);
    this.change({ ...spec, order: keeps ? order : undefined });
    this.load();
  }

  /** Shows groups as they were. */
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

  /** The first group in view for a new grid: only the first one begins as the page was left. */
  takeFirst(): number {
    const { first } = this;
    this.first = 0;
    return first;
  }

  scrolled(first: number): void {
    this.change({ first });
  }

  /** Another height, or width beside the plots, as far as there is room. */
  resize(size: number): void {
    const { where, min, max } = this.place.peek();
    const limited = Math.max(min, Math.min(max, size));
    this.change(where === 'beside' ? { width: limited } : { height: limited });
  }

  /** All groups are so high, with the head above them; undefined while none are shown. */
  measured(height = Infinity): void {
    this.contentHeight.value = height;
  }

  /** Groups [start, end) of those shown, in an order. */
  async fetch(start: number, end: number, order: GroupOrder | undefined): Promise<GroupRow[]> {
    const view = this.found?.view;
    if (!view) return [];
    return (await fetchGroups(this.parts.model, view, { start, end, order }, this.further.signal)).rows;
  }

  /** Copies all groups. */
  async copy(): Promise<void> {
    const { model, text, panel, messages } = this.parts;
    const { found } = this;
    if (!found) return;
    try {
      const { view, columns, all } = found;
      const copied = await groupsAsText(model, text, view, { order: this.orderOf(view), columns, all });
      await panel.request('copy', { text: copied.text });
      messages.say(text.count('copiedGroups', copied.groups));
    } catch (error) {
      messages.failed(t.later("Couldn't copy: {0}"), error);
    }
  }

  async save(): Promise<void> {
    const { found } = this;
    if (!found) return;
    const { by, measured, statistics, filters, of, replicate, technical } = found.view;
    const order = this.orderOf(found.view);
    const header = found.columns.map(({ fullName }) => fullName);
    await this.parts.output.saveGroups({
      sort: [],
      filters,
      by,
      measures: measured.flatMap(measure => (measure.kind === 'column' ? [measure.column] : [])),
      statistics: statistics.filter(id => isColumnStatistic(id)),
      ...(of !== 'objects' && {
        units: {
          of,
          replicate: [...replicate],
          technical: [...technical],
          measures: [...measured],
          statistics,
        },
      }),
      ...(order && { order }),
      header,
    });
  }

  /** Requests what is to be shown, unless it is shown already; a later call cancels an earlier one. */
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

  private get found(): FoundGroups | undefined {
    const content = this.shown.peek();
    return content?.kind === 'groups' ? content.found : undefined;
  }

  /** Undefined removes what may be absent. */
  private change(changes: GroupsChange): void {
    const state = Object.entries({ ...this.now.peek(), ...changes }).filter(
      ([, value]) => value !== undefined,
    );
    this.now.value = Object.fromEntries(state) as unknown as GroupsState;
    this.parts.port.updateView({ groups: this.now.peek() });
  }

  /** More of the table was read, or it was read again. While it is being read, what is shown stays. */
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
    const { by, measures: wanted, statistics: chosen, of = 'objects' } = this.now.peek();
    if (by.length === 0) return this.tell(t('No column to group by.'));
    const levels = of === 'objects' ? NO_LEVELS : await this.replicateColumns(canceled);
    const { replicate } = levels;
    if (canceled.aborted) return;
    if (of === 'replicates' && replicate.length === 0)
      return this.tell(t('No column has the role of replicates.'));
    const filters = model.statisticsFiltersOf(this.selection.otherFilters);
    const statistics = statisticsOfUnit(of, chosen);
    const found = measuresOfUnit(of, wanted).flatMap(measure => {
      const measured = this.requested(measure);
      return measured ? [{ measure, measured }] : [];
    });
    const measures = found.map(({ measure }) => measure);
    const measured = found.map(each => each.measured);
    const view: GroupsView = { by, measures, measured, statistics, filters, of, ...levels };
    const order = this.orderOf(view);
    if (!again && JSON.stringify(this.found?.view) === JSON.stringify(view)) return;
    const groups = await fetchGroups(model, view, { start: 0, end: BLOCK_GROUPS, order }, canceled);
    if (canceled.aborted) return;
    if (groups.total === 0) this.tell(model.isFiltered ? t('No rows match the filters') : t('No rows'));
    else this.came(view, groups);
  }

  /** What to request for a measure; undefined where the table lacks what it is of. */
  private requested(measure: GroupMeasure): Measure | undefined {
    if (typeof measure === 'number') return { kind: 'column', column: measure };
    return measureOf(measure, this.parts.model.table.columns, this.parts.filterSets.peek());
  }

  /** The order, unless it is by a column that isn't shown. */
  private orderOf({ by, measures, statistics, of }: GroupsView): GroupOrder | undefined {
    const { order } = this.now.peek();
    return order && isValidOrder(order, { by, measures: [...measures], statistics, of }) ? order : undefined;
  }

  /** The columns whose role is replicate or technical replicate; asking for them lists the images without objects, too. */
  private async replicateColumns(canceled: AbortSignal): Promise<typeof NO_LEVELS> {
    const { replicate, technical } = await this.parts.panel.request('compareStart', {}, canceled);
    return { replicate, technical };
  }

  /** Finds out what can be grouped by, and begins with what the table is likely about. */
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
    {
      rows,
      total,
      all: ofAll,
      excludedImages = 0,
      unjudged = [],
      infinite = [],
      areImagesUnknown,
      areLevelsOpen,
      alike = [],
    }: Awaited<ReturnType<typeof fetchGroups>>,
  ): void {
    const { model, text } = this.parts;
    const { columns: ofTable, decimalComma, reading } = model.table;
    const areFiltered = this.selection.otherFilters.length > 0;
    const words = text.get(areFiltered ? 'allFilteredRows' : 'allTableRows');
    const all: GroupRow = { ...ofAll, keys: view.by.map(() => null), row: 0, all: words };
    const { by, measures, statistics, of } = view;
    const spec = { by, measures, statistics, of };
    const decimalMark = decimalComma ? ',' : '.';
    const columns = groupColumns({ spec, columns: ofTable, text, decimalMark, sample: [...rows, all] });
    const mark = JSON.stringify([spec, columns.map(({ fullName }) => fullName)]);
    const isPartial = reading === true;
    const found = {
      ...{ mark, view, columns, rows, total, all, areFiltered, isPartial },
      ...{ excludedImages, unjudged, infinite, areImagesUnknown: areImagesUnknown === true },
      ...{ areLevelsOpen: areLevelsOpen === true, alike },
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
