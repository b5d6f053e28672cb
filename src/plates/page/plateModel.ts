import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isCoded } from '../../base/errors';
import { fromJsonNumber } from '../../columns/columnStatistics';
import type { Filter } from '../../columns/viewSpec';
import { t } from '../../pages/page/l10n';
import {
  classesOf,
  measurable,
  measureOf,
  type OfferedMeasures,
  populationOf,
} from '../../study/page/chosenMeasure';
import type { OpenedParts } from '../../table/page/contribution';
import { activeFilters, type PageFilter } from '../../table/page/filterList';
import type {} from '../platesPage';
import { type Control, type ControlledPlate, Controls, NO_MARKS } from '../controls';
import type { ControlMarks, PlateRequests, PlateStart, WellMeasure } from '../plateRequests';
import type { Plates, PlateWells, WellStatisticId } from '../plates';
import type { ChosenWellMeasure, PlateChoices, PlatesState } from './platesSaved';
import { type PlateScale, plateScale, shownValues } from './plateScale';
import { isOnPlate, parseWell, type PlateSize, plateSizeFor, plateSizes, type WellPlace } from '../wells';

/** Plates on a page of the map. */
const PLATES_PER_PAGE = 100;
/** Wells in memory; beyond them the first plates are shown. */
const MAX_WELLS = 500_000;

type Params = Omit<PlateRequests['tablePlates']['params'], 'start' | 'end'>;

/** What plates need of their table's page. */
type PageOfPlates = Pick<
  OpenedParts,
  'filters' | 'link' | 'messages' | 'model' | 'panel' | 'populations' | 'rows' | 'start' | 'textsOf'
>;

/** A column with the texts that rows have to have in it. */
interface WellFilter {
  column: number;
  values: string[];
}

/** Plates on the screen, with their contents. */
export interface ShownPlates {
  measured: Plates;
  params: Params;
  measure: ChosenWellMeasure;
}

/** A plate for drawing. */
export interface ShownPlate extends ControlledPlate {
  wells: PlateWells;
  places: WellPlace[];
  size: PlateSize;
}

/** A place of a well on a plate, and its position among the wells that have images. */
export interface PlateTarget {
  plate: ShownPlate;
  place: WellPlace;
  well: number | undefined;
}

/**
 * The plates of a table: settings, values of wells, and the wells that the table is filtered to.
 */
export class PlateModel {
  /** Columns by role, and classes; undefined until they are loaded. */
  readonly start = signal<(PlateStart & { classes: string[] }) | undefined>(undefined);
  readonly shown = signal<ShownPlates | undefined>(undefined);
  /** All plates, on one scale. */
  readonly plates: ReadonlySignal<readonly ShownPlate[]>;
  readonly scale: ReadonlySignal<PlateScale | undefined>;
  /** The finite values that are shown, ascending. */
  readonly values: ReadonlySignal<Float64Array>;
  /** The plates on the page of the map that is shown, and the position of the first of them. */
  readonly page: ReadonlySignal<{ plates: readonly ShownPlate[]; first: number }>;
  /** Wells that a plate of the chosen size hasn't, by their names: the size isn't used then. */
  readonly outside: ReadonlySignal<readonly string[]>;
  readonly isBusy = signal(false);
  /**
   * Why nothing is shown; `mayBeOne`: wells are in several folders, which the user may call one
   * plate.
   */
  readonly failure = signal<{ words: string; mayBeOne: boolean } | undefined>(undefined);
  /** The control that a click marks wells as, in place of filtering. */
  readonly marking: Signal<Control | undefined> = signal(undefined);
  private readonly firstOnPage = signal(0);
  private request = new AbortController();
  /** The table has changed since the request that is under way. */
  private isBehind = false;

  /** `state`: the settings, and whether plates are open; `save` changes it. */
  constructor(
    private readonly parts: PageOfPlates,
    readonly state: ReadonlySignal<PlatesState>,
    private readonly save: (state: PlatesState) => void,
  ) {
    parts.populations.onDidChange(() => this.populationsChanged());
    parts.model.onDidChange(changed => this.dataChanged(changed));
    const places = computed(() =>
      (this.shown.value?.measured.plates ?? []).map(({ wells }) =>
        wells.flatMap(well => parseWell(well) ?? []),
      ),
    );
    const chosen = computed(() => plateSizes.find(({ wells }) => wells === this.state.value.size));
    this.outside = computed(() => {
      const size = chosen.value;
      if (!size) return [];
      return places.value.flatMap((ofPlate, at) =>
        ofPlate.flatMap((place, well) =>
          isOnPlate(size, place) ? [] : (this.shown.value?.measured.plates[at]?.wells[well] ?? []),
        ),
      );
    });
    // While the scale's ends are dragged, plates keep their positions.
    const marks = computed(() => this.state.value.marks ?? NO_MARKS);
    const as = computed(() => this.state.value.as ?? 'value');
    this.plates = computed(() => {
      const { measured } = this.shown.value ?? {};
      if (!measured) return [];
      const controls = new Controls(marks.value, measured.conditions);
      const size = this.outside.value.length > 0 ? undefined : chosen.value;
      return measured.plates.map((wells, at) => {
        const ofPlate = places.value[at] ?? [];
        const shown = controls.of(wells, as.value);
        return { ...shown, wells, places: ofPlate, size: size ?? plateSizeFor(ofPlate) };
      });
    });
    this.values = computed(() => shownValues(this.plates.value));
    this.scale = computed(() => plateScale(this.plates.value, this.values.value, this.state.value.scale));
    this.page = computed(() => {
      // There may be fewer plates by now.
      const first = this.firstOnPage.value < this.plates.value.length ? this.firstOnPage.value : 0;
      return { plates: this.plates.value.slice(first, first + PLATES_PER_PAGE), first };
    });
  }

  /** They aren't on the screen any more. */
  end(): void {
    this.marking.value = undefined;
    this.request.abort();
  }

  /** Closes the plates from inside, and returns to the rows. */
  leave(): void {
    this.change({ open: false });
    this.parts.rows.enterGrid();
  }

  /** Shows another page of the map; false without one. */
  turnPage(by: 1 | -1): boolean {
    const first = this.page.peek().first + by * PLATES_PER_PAGE;
    if (first < 0 || first >= this.plates.peek().length) return false;
    this.firstOnPage.value = first;
    return true;
  }

  /** Changes settings. Marks, and the kind of shown values, need no other numbers. */
  choose(changes: Partial<PlateChoices>): void {
    // The ends of a scale belong to one measure.
    const isOther = 'measure' in changes || 'statistic' in changes || 'as' in changes;
    const { scale } = this.state.peek();
    this.change(isOther && typeof scale === 'object' ? { scale: undefined, ...changes } : changes);
    if ('measure' in changes || 'statistic' in changes || 'isOnePlate' in changes) void this.load();
  }

  /**
   * Marks wells on every plate, or conditions, as a control; unmarks them if all are one already.
   */
  mark(of: keyof ControlMarks[Control], names: readonly string[], control: Control): void {
    const { marks = NO_MARKS } = this.state.peek();
    const isOn = names.every(name => marks[control][of].includes(name));
    const marked = (as: Control) => {
      const others = marks[as][of].filter(name => !names.includes(name));
      return { ...marks[as], [of]: as === control && !isOn ? [...others, ...names] : others };
    };
    this.choose({ marks: { negative: marked('negative'), positive: marked('positive') } });
  }

  /** Takes all marks of a control away. */
  unmark(control: Control): void {
    const { marks = NO_MARKS } = this.state.peek();
    this.choose({ marks: { ...marks, [control]: NO_MARKS[control] } });
  }

  /** Filters the table to wells of a plate; `adds` toggles them in the current filter. */
  filterTo(plate: ShownPlate, wells: readonly number[], adds: boolean): void {
    const { params, measured } = this.shown.peek() ?? {};
    if (!params || !measured || wells.length === 0) return;
    const before = this.selection.peek();
    const texts = wells.flatMap(well => plate.wells.texts[well] ?? []);
    const { names } = plate.wells;
    const isOn = wells.every(well => this.isSelected(plate, well));
    if (
      isOn &&
      before?.wells?.size === texts.length &&
      (before.plates?.size ?? names.length) === names.length
    ) {
      this.clearSelection();
      return;
    }
    const withTexts = (before: ReadonlySet<string> | undefined, more: readonly string[]) => [
      ...new Set([...(adds ? (before ?? []) : []), ...more]),
    ];
    const values =
      adds && isOn
        ? [...(before?.wells ?? [])].filter(text => !texts.includes(text))
        : withTexts(before?.wells, texts);
    const ofPlate = measured.plates.length > 1 ? withTexts(before?.plates, plate.wells.names) : [];
    const wanted = [
      { column: params.well, values },
      ...(params.plate !== undefined && ofPlate.length > 0
        ? [{ column: params.plate, values: ofPlate }]
        : []),
    ];
    this.filterTable(values.length > 0 ? wanted : [], wellColumns(params));
  }

  /** Filters the table to wells no more. */
  clearSelection(): void {
    const { params } = this.shown.peek() ?? {};
    const { wells, plates } = this.selection.peek() ?? {};
    if (params && (wells ?? plates)) this.filterTable([], wellColumns(params));
  }

  /** Whether the table is filtered to a well. */
  isSelected(plate: ShownPlate, well: number): boolean {
    const { wells, plates } = this.selection.value ?? {};
    if (!wells && !plates) return false;
    const isAmong = (texts: readonly string[] = [], of: ReadonlySet<string> | undefined) =>
      of === undefined || texts.some(text => of.has(text));
    return isAmong(plate.wells.names, plates) && isAmong(plate.wells.texts[well], wells);
  }

  /** The filters to one well. */
  private filtersTo(plate: ShownPlate, well: number): Filter[] {
    const { params } = this.shown.peek() ?? {};
    if (!params) return [];
    const values = (column: number, texts: string[]): Filter => ({ kind: 'values', column, values: texts });
    return [
      ...(params.filters ?? []),
      values(params.well, plate.wells.texts[well] ?? []),
      ...(params.plate === undefined || plate.name === null ? [] : [values(params.plate, plate.wells.names)]),
    ];
  }

  /**
   * Filters the table to a well and opens the image of its first object; without masks, shows its
   * rows.
   */
  async enter(plate: ShownPlate, well: number): Promise<void> {
    const { link, messages, panel, start } = this.parts;
    if (!this.isSelected(plate, well)) this.filterTo(plate, [well], false);
    if (start.kind !== 'objects') {
      this.leave();
      return;
    }
    try {
      const view = { sort: [], filters: this.filtersTo(plate, well), columns: [] };
      const { fileRows } = await panel.request('tableRows', { ...view, start: 0, end: 1 });
      const [row] = fileRows;
      if (row === undefined) messages.say(t('No object of this well matches the filters.'), true);
      else {
        link.select(row);
        panel.send('showMasks', {});
      }
    } catch (error) {
      messages.failed(t.later("Couldn't read some rows: {0}"), error);
    }
  }

  /** Saves the shown numbers of all wells; `value` is their title. */
  async saveWells(value: string): Promise<void> {
    const { messages, panel } = this.parts;
    const { params } = this.shown.peek() ?? {};
    const { marks = NO_MARKS, as = 'value' } = this.state.peek();
    if (!params) return;
    try {
      const { saved } = await panel.request('savePlates', { ...params, marks, as, value });
      if (saved)
        messages.say(t.count(saved.wells, '1 well saved as {1}', '{0} wells saved as {1}', saved.name));
    } catch (error) {
      messages.failed(t.later("Couldn't save: {0}"), error);
    }
  }

  /** The settings changed elsewhere, such as by undo. */
  settingsChanged(): void {
    void this.load();
  }

  /** The rows that match the filters are others, or the table has other columns. */
  private dataChanged(change: 'filters' | 'table' | 'sort'): void {
    if (!this.state.peek().open || change === 'sort') return;
    if (change === 'table') {
      // During reading, rows come in quick succession.
      if (this.isBusy.peek()) this.isBehind = true;
      else void this.begin();
      return;
    }
    // The table's filter is the selection of wells.
    if (JSON.stringify(this.params()) !== JSON.stringify(this.shown.peek()?.params)) void this.load();
  }

  /** Measures again where the measure is of a population, as populations have changed. */
  private populationsChanged(): void {
    const { open, measure } = this.state.peek();
    if (open && measure && populationOf(measure) !== undefined) void this.load();
  }

  /** Finds out which columns say what, and measures wells. */
  async begin(): Promise<void> {
    await this.working(async until => {
      const { model, panel, textsOf } = this.parts;
      const start = await panel.request('plateStart', {}, until);
      const classes = await classesOf(model.table.columns, (column, limit) => textsOf(column, limit, until));
      if (until.aborted) return;
      this.start.value = { ...start, classes };
      await this.measureWells(until);
    });
  }

  /** The selected measure, or the first one. */
  measure(): ChosenWellMeasure {
    const { columns } = this.parts.model.table;
    const chosen = this.state.value.measure;
    if (chosen && this.requested(chosen)) return chosen;
    const numbers = measurable(columns);
    const likely = numbers.find(({ name }) => /\barea\b/i.test(name)) ?? numbers[0];
    return likely ? { kind: 'column', name: likely.name } : { kind: 'objects' };
  }

  /** Measures of images to choose from. */
  get offered(): OfferedMeasures {
    const { classes = [], hasAreas = false } = this.start.value ?? {};
    return { classes, hasAreas, populations: this.parts.populations.all.value };
  }

  get statistic(): WellStatisticId {
    return this.state.value.statistic ?? 'median';
  }

  /**
   * The texts of filters to wells and plates, which don't apply to the map: the other wells stay.
   */
  private readonly selection = computed(() => {
    const { params } = this.shown.value ?? {};
    if (!params) return undefined;
    const textsOf = (column: number | undefined) =>
      this.parts.model.statisticsFilters.filters.flatMap(filter => {
        if (column === undefined || !isOfWells(filter, [column])) return [];
        return [new Set(filter.kind === 'values' ? filter.values : [String(filter.from)])];
      })[0];
    return { wells: textsOf(params.well), plates: textsOf(params.plate) };
  });

  /** Filters the table to wells, or none, in place of other filters of these columns. */
  private filterTable(wells: readonly WellFilter[], columns: readonly number[]): void {
    const { filters, model } = this.parts;
    const before = model.latestFilters;
    const isOfWells = ({ filter }: PageFilter) =>
      'column' in filter && columns.includes(filter.column) && filter.kind !== 'missing';
    const replaced = new Set(activeFilters(before).filter(isOfWells));
    filters.set([
      ...before.filter(filter => !replaced.has(filter)),
      ...wells.map(({ column, values }) => ({ filter: { kind: 'values' as const, column, values } })),
    ]);
  }

  private load(): Promise<void> {
    if (!this.state.peek().open) return Promise.resolve();
    return this.start.peek() ? this.working(until => this.measureWells(until)) : this.begin();
  }

  private async measureWells(until: AbortSignal): Promise<void> {
    const { panel } = this.parts;
    const params = this.params();
    const measure = this.measure();
    if (!params) {
      this.shown.value = undefined;
      this.failure.value = undefined;
      return;
    }
    const plates: PlateWells[] = [];
    let wells = 0;
    let response: Plates;
    do {
      const start = plates.length;
      const page = { start, end: start + PLATES_PER_PAGE };
      response = await panel.request('tablePlates', { ...params, ...page }, until);
      if (until.aborted) return;
      plates.push(...response.plates);
      wells += response.plates.reduce((sum, plate) => sum + plate.wells.length, 0);
    } while (response.plates.length > 0 && plates.length < response.total && wells < MAX_WELLS);
    this.shown.value = { measured: { ...response, plates }, params, measure };
    this.failure.value = undefined;
  }

  private async working(work: (until: AbortSignal) => Promise<void>): Promise<void> {
    this.request.abort();
    const { signal: until } = (this.request = new AbortController());
    this.isBusy.value = true;
    try {
      await work(until);
    } catch (error) {
      if (until.aborted || isCoded(error, 'cancelled')) return;
      this.shown.value = undefined;
      const mayBeOne = isCoded(error) && error.details.reason?.code === 'several-plates';
      this.failure.value = { words: this.parts.messages.log(error), mayBeOne };
    } finally {
      if (this.request.signal === until) {
        this.isBusy.value = false;
        if (this.isBehind && this.state.peek().open) {
          this.isBehind = false;
          void this.begin();
        }
      }
    }
  }

  private change(changes: Partial<PlatesState>): void {
    const all = Object.entries({ ...this.state.peek(), ...changes });
    this.save(Object.fromEntries(all.filter(([, value]) => value !== undefined)) as unknown as PlatesState);
  }

  /** The request; undefined without a column of wells. */
  private params(): Params | undefined {
    const { well, plate, condition } = this.start.peek() ?? {};
    const measure = this.requested(this.measure());
    if (well?.[0] === undefined || !measure) return undefined;
    const columns = [well[0], ...(plate?.slice(0, 1) ?? [])];
    const { filters } = this.parts.model.statisticsFilters;
    return {
      filters: filters.filter(filter => !isOfWells(filter, columns)),
      measure,
      well: well[0],
      ...(plate?.[0] !== undefined && { plate: plate[0] }),
      ...(condition?.[0] !== undefined && { condition: condition[0] }),
      ...(this.state.peek().isOnePlate && { isOnePlate: true }),
    };
  }

  private requested(chosen: ChosenWellMeasure): WellMeasure | undefined {
    const { model, populations } = this.parts;
    // Objects are of a population as those per image are.
    const counted = chosen.kind === 'objects' ? { ...chosen, kind: 'objectsPerImage' as const } : chosen;
    const measure = measureOf(counted, model.table.columns, populations.all.value);
    if (chosen.kind === 'objects')
      return measure && { kind: 'objects', ...(measure.of && { of: measure.of }) };
    return measure?.kind === 'column' ? { ...measure, statistic: this.statistic } : measure;
  }
}

function wellColumns({ well, plate }: Params): number[] {
  return plate === undefined ? [well] : [well, plate];
}

/** Whether a filter leaves some values of columns. */
function isOfWells(
  filter: Filter,
  columns: readonly number[],
): filter is Extract<Filter, { kind: 'values' | 'range' }> {
  if (!('column' in filter) || !columns.includes(filter.column)) return false;
  if (filter.kind === 'range') return filter.from !== null && filter.from === filter.to;
  return filter.kind === 'values' && filter.exclude !== true && filter.missing !== true;
}

/** The measured value of a well, before conversion to percent of a control or a score. */
export function valueOf(plate: ShownPlate, well: number): number | null {
  return fromJsonNumber(plate.wells.values[well] ?? null);
}
