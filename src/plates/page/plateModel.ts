import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { NamedPopulation } from '../../table/page/state/namedPopulations';
import { isCoded } from '../../base/errors';
import { fromJsonNumber } from '../../columns/columnStatistics';
import type { TableColumn } from '../../columns/tableSummary';
import type { Filter } from '../../columns/viewSpec';
import { classesOf, measurable, measureOf, type OfferedMeasures } from '../../study/page/chosenMeasure';
import { type Control, type ControlledPlate, Controls, NO_MARKS } from '../controls';
import type { ControlMarks, PlateRequests, PlateStart, WellMeasure } from '../plateRequests';
import type { Plates, PlateWells, WellStatisticId } from '../plates';
import type { ChosenWellMeasure, PlateChoices, PlatesState } from './platesSaved';
import { type PlateScale, plateScale, shownValues } from './plateScale';
import { isOnPlate, placeOfWell, type PlateSize, plateSizeFor, plateSizes, type WellPlace } from '../wells';

/** Plates on a page of the map. */
const PLATES_PER_PAGE = 100;
/** Wells in memory; beyond them the first plates are shown. */
const MAX_WELLS = 500_000;

type Params = Omit<PlateRequests['tablePlates']['params'], 'start' | 'end'>;

export interface PlateModelOptions {
  source: {
    readonly table: { readonly columns: readonly TableColumn[] };
    readonly statisticsFilters: { filters: readonly Filter[] };
  };
  populations: ReadonlySignal<readonly NamedPopulation[]>;
  panel: {
    plateStart(signal: AbortSignal): Promise<PlateStart>;
    tablePlates(params: PlateRequests['tablePlates']['params'], signal: AbortSignal): Promise<Plates>;
    textsOf(column: number, limit: number, signal: AbortSignal): Promise<string[]>;
  };
  /** The settings, and whether plates are open; `change` saves them too. */
  state: ReadonlySignal<PlatesState>;
  change: (state: PlatesState) => void;
  /** Logs a failure that is shown in the map's place, and returns its reason in words. */
  log: (error: unknown) => string;
  /** Filters the table to wells, or none, in place of other filters of these columns. */
  filterTo: (wells: readonly WellFilter[], columns: readonly number[]) => void;
  enterRows: () => void;
}

/** A column with the texts that rows have to have in it. */
interface WellFilter {
  column: number;
  values: string[];
}

/** Plates on the screen, with their contents. */
export interface ShownPlates {
  found: Plates;
  params: Params;
  measure: ChosenWellMeasure;
}

/** A plate for drawing. */
export interface ShownPlate extends ControlledPlate {
  wells: PlateWells;
  places: WellPlace[];
  size: PlateSize;
}

/**
 * The plates of a table: settings, values of wells, and the wells that the table is filtered to.
 */
export class PlateModel {
  readonly state: ReadonlySignal<PlatesState>;
  /** Columns by role, and classes; undefined until known. */
  readonly known: ReadonlySignal<(PlateStart & { classes: string[] }) | undefined>;
  readonly shown: ReadonlySignal<ShownPlates | undefined>;
  /** All plates, on one scale. */
  readonly plates: ReadonlySignal<readonly ShownPlate[]>;
  readonly scale: ReadonlySignal<PlateScale | undefined>;
  /** The finite values that are shown, ascending. */
  readonly values: ReadonlySignal<Float64Array>;
  /** The plates on the page of the map that is shown, and the position of the first of them. */
  readonly page: ReadonlySignal<{ plates: readonly ShownPlate[]; first: number }>;
  /** Wells that a plate of the chosen size hasn't, by their names: the size isn't used then. */
  readonly outside: ReadonlySignal<readonly string[]>;
  readonly isBusy: ReadonlySignal<boolean>;
  /**
   * Why nothing is shown; `mayBeOne`: wells are in several folders, which the user may call one
   * plate.
   */
  readonly failure: ReadonlySignal<{ words: string; mayBeOne: boolean } | undefined>;
  /** The control that a click marks wells as, in place of filtering. */
  readonly marking: Signal<Control | undefined> = signal(undefined);
  private readonly start = signal<(PlateStart & { classes: string[] }) | undefined>(undefined);
  private readonly latest = signal<ShownPlates | undefined>(undefined);
  private readonly busy = signal(false);
  private readonly firstOnPage = signal(0);
  private readonly why = signal<{ words: string; mayBeOne: boolean } | undefined>(undefined);
  private request = new AbortController();
  /** The table has changed since the request that is under way. */
  private isBehind = false;

  constructor(private readonly parts: PlateModelOptions) {
    this.state = parts.state;
    this.known = this.start;
    this.shown = this.latest;
    this.isBusy = this.busy;
    this.failure = this.why;
    const places = computed(() =>
      (this.latest.value?.found.plates ?? []).map(({ wells }) =>
        wells.flatMap(well => placeOfWell(well) ?? []),
      ),
    );
    const chosen = computed(() => plateSizes.find(({ wells }) => wells === this.state.value.size));
    this.outside = computed(() => {
      const size = chosen.value;
      if (!size) return [];
      return places.value.flatMap((own, at) =>
        own.flatMap((place, well) =>
          isOnPlate(size, place) ? [] : (this.latest.value?.found.plates[at]?.wells[well] ?? []),
        ),
      );
    });
    // While the scale's ends are dragged, plates keep their positions.
    const marks = computed(() => this.state.value.marks ?? NO_MARKS);
    const as = computed(() => this.state.value.as ?? 'value');
    this.plates = computed(() => {
      const { found } = this.latest.value ?? {};
      if (!found) return [];
      const controls = new Controls(marks.value, found.conditions);
      const size = this.outside.value.length > 0 ? undefined : chosen.value;
      return found.plates.map((wells, at) => {
        const own = places.value[at] ?? [];
        return { ...controls.of(wells, as.value), wells, places: own, size: size ?? plateSizeFor(own) };
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
    this.parts.enterRows();
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
    const marked = (each: Control) => {
      const others = marks[each][of].filter(name => !names.includes(name));
      return { ...marks[each], [of]: each === control && !isOn ? [...others, ...names] : others };
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
    const { params, found } = this.latest.peek() ?? {};
    if (!params || !found || wells.length === 0) return;
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
    const kept = (of: ReadonlySet<string> | undefined, more: readonly string[]) => [
      ...new Set([...(adds ? (of ?? []) : []), ...more]),
    ];
    const values =
      adds && isOn
        ? [...(before?.wells ?? [])].filter(text => !texts.includes(text))
        : kept(before?.wells, texts);
    const ofPlate = found.plates.length > 1 ? kept(before?.plates, plate.wells.names) : [];
    const wanted = [
      { column: params.well, values },
      ...(params.plate !== undefined && ofPlate.length > 0
        ? [{ column: params.plate, values: ofPlate }]
        : []),
    ];
    this.parts.filterTo(values.length > 0 ? wanted : [], wellColumns(params));
  }

  /** Filters the table to wells no more. */
  clearSelection(): void {
    const { params } = this.latest.peek() ?? {};
    const { wells, plates } = this.selection.peek() ?? {};
    if (params && (wells ?? plates)) this.parts.filterTo([], wellColumns(params));
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
  filtersTo(plate: ShownPlate, well: number): Filter[] {
    const { params } = this.latest.peek() ?? {};
    if (!params) return [];
    const values = (column: number, texts: string[]): Filter => ({ kind: 'values', column, values: texts });
    return [
      ...(params.filters ?? []),
      values(params.well, plate.wells.texts[well] ?? []),
      ...(params.plate === undefined || plate.name === null ? [] : [values(params.plate, plate.wells.names)]),
    ];
  }

  /** The settings changed elsewhere, such as by undo. */
  chosen(): void {
    void this.load();
  }

  /** The rows that match the filters are others, or the table has other columns. */
  dataChanged(change: 'filters' | 'table' | 'sort'): void {
    if (!this.state.peek().open || change === 'sort') return;
    if (change === 'table') {
      // During reading, rows come in quick succession.
      if (this.busy.peek()) this.isBehind = true;
      else void this.begin();
      return;
    }
    // The table's filter is the selection of wells.
    if (JSON.stringify(this.params()) !== JSON.stringify(this.latest.peek()?.params)) void this.load();
  }

  /** Populations are others; a share of one that was renamed follows it. */
  populationsChanged(renamed?: { from: string; to: string }): void {
    const { open, measure } = this.state.peek();
    if (measure?.kind !== 'filter') return;
    if (renamed && measure.name === renamed.from)
      this.change({ measure: { kind: 'filter', name: renamed.to } });
    if (open) void this.load();
  }

  /** Finds out which columns say what, and measures wells. */
  async begin(): Promise<void> {
    await this.working(async until => {
      const { panel, source } = this.parts;
      const start = await panel.plateStart(until);
      const classes = await classesOf(source.table.columns, (column, limit) =>
        panel.textsOf(column, limit, until),
      );
      if (until.aborted) return;
      this.start.value = { ...start, classes };
      await this.measureWells(until);
    });
  }

  /** The selected measure, or the first one. */
  measure(): ChosenWellMeasure {
    const { columns } = this.parts.source.table;
    const chosen = this.state.value.measure;
    if (chosen && this.requested(chosen)) return chosen;
    const numbers = measurable(columns);
    const likely = numbers.find(({ name }) => /\barea\b/i.test(name)) ?? numbers[0];
    return likely ? { kind: 'column', name: likely.name } : { kind: 'objects' };
  }

  /** Measures of images to choose from. */
  get offered(): OfferedMeasures {
    const { classes = [], hasAreas = false } = this.start.value ?? {};
    return { classes, hasAreas, populations: this.parts.populations.value };
  }

  get statistic(): WellStatisticId {
    return this.state.value.statistic ?? 'median';
  }

  /**
   * The texts of filters to wells and plates, which don't apply to the map: the other wells stay.
   */
  private readonly selection = computed(() => {
    const { params } = this.latest.value ?? {};
    if (!params) return undefined;
    const textsOf = (column: number | undefined) =>
      this.parts.source.statisticsFilters.filters.flatMap(filter => {
        if (column === undefined || !isOfWells(filter, [column])) return [];
        return [new Set(filter.kind === 'values' ? filter.values : [String(filter.from)])];
      })[0];
    return { wells: textsOf(params.well), plates: textsOf(params.plate) };
  });

  private load(): Promise<void> {
    if (!this.state.peek().open) return Promise.resolve();
    return this.start.peek() ? this.working(until => this.measureWells(until)) : this.begin();
  }

  private async measureWells(until: AbortSignal): Promise<void> {
    const { panel } = this.parts;
    const params = this.params();
    const measure = this.measure();
    if (!params) {
      this.latest.value = undefined;
      this.why.value = undefined;
      return;
    }
    const plates: PlateWells[] = [];
    let wells = 0;
    let found: Plates;
    do {
      const start = plates.length;
      found = await panel.tablePlates({ ...params, start, end: start + PLATES_PER_PAGE }, until);
      if (until.aborted) return;
      plates.push(...found.plates);
      wells += found.plates.reduce((sum, each) => sum + each.wells.length, 0);
    } while (found.plates.length > 0 && plates.length < found.total && wells < MAX_WELLS);
    this.latest.value = { found: { ...found, plates }, params, measure };
    this.why.value = undefined;
  }

  private async working(work: (until: AbortSignal) => Promise<void>): Promise<void> {
    this.request.abort();
    const { signal: until } = (this.request = new AbortController());
    this.busy.value = true;
    try {
      await work(until);
    } catch (error) {
      if (until.aborted || isCoded(error, 'cancelled')) return;
      this.latest.value = undefined;
      const mayBeOne = isCoded(error) && error.details.reason?.code === 'several-plates';
      this.why.value = { words: this.parts.log(error), mayBeOne };
    } finally {
      if (this.request.signal === until) {
        this.busy.value = false;
        if (this.isBehind && this.state.peek().open) {
          this.isBehind = false;
          void this.begin();
        }
      }
    }
  }

  private change(changes: Partial<PlatesState>): void {
    const all = Object.entries({ ...this.state.peek(), ...changes });
    this.parts.change(
      Object.fromEntries(all.filter(([, value]) => value !== undefined)) as unknown as PlatesState,
    );
  }

  /** The request; undefined without a column of wells. */
  private params(): Params | undefined {
    const { well, plate, condition } = this.start.peek() ?? {};
    const measure = this.requested(this.measure());
    if (well?.[0] === undefined || !measure) return undefined;
    const columns = [well[0], ...(plate?.slice(0, 1) ?? [])];
    const { filters } = this.parts.source.statisticsFilters;
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
    if (chosen.kind === 'objects') return chosen;
    const measure = measureOf(chosen, this.parts.source.table.columns, this.parts.populations.value);
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
