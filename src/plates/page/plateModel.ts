import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isCoded } from '../../base/errors';
import { type Filter, isOfColumn } from '../../columns/viewSpec';
import { t } from '../../pages/page/l10n';
import { LatestRequest } from '../../pages/page/latestRequest';
import {
  classesOf,
  firstMeasure,
  measureOf,
  type OfferedMeasures,
  populationOf,
} from '../../study/page/chosenMeasure';
import type { StudyColumns } from '../../study/conditionRequests';
import type { OpenedParts } from '../../table/page/contribution';
import { type Control, type ControlledPlate, controlledPlates, NO_MARKS } from '../controls';
import type { ControlMarks, PlateRequests, WellMeasure } from '../plateRequests';
import type { Plates, WellStatisticId } from '../plates';
import type { ChosenWellMeasure, PlateChoices, PlatesState } from './platesSaved';
import { plateScale, shownValues } from './plateScale';
import { isOnPlate, parseWell, type PlateSize, plateSizeFor, plateSizes, wellName } from '../wells';

/** Plates on a page of the map. */
const PLATES_PER_PAGE = 100;
/** Loading stops once there are this many wells; then only the first plates are shown. */
const MAX_WELLS = 500_000;

type Params = Omit<PlateRequests['tablePlates']['params'], 'start' | 'end'>;

/** What plates need of their table's page. */
type PageOfPlates = Pick<
  OpenedParts,
  'filters' | 'link' | 'messages' | 'model' | 'panel' | 'populations' | 'rows' | 'start' | 'textsOf'
>;

/** The measured wells of all plates, and what they were requested with. */
export interface MeasuredPlates {
  measured: Plates;
  params: Params;
  measure: ChosenWellMeasure;
}

/** A plate for drawing. */
export interface ShownPlate extends ControlledPlate {
  size: PlateSize;
}

/**
 * The plates of a table: settings, values of wells, and the wells that the table is filtered to.
 */
export class PlateModel {
  /** Columns by role, and classes; undefined until they are loaded. */
  readonly studyColumns = signal<(StudyColumns & { classes: string[] }) | undefined>(undefined);
  readonly shown = signal<MeasuredPlates | undefined>(undefined);
  /**
   * Why no plates are shown. `mayBeOne`: a well is in several folders or jobs, and the user can
   * declare that they are of one plate.
   */
  readonly failure = signal<{ words: string; mayBeOne: boolean } | undefined>(undefined);
  /** The control that a click marks wells as, in place of filtering. */
  readonly marking: Signal<Control | undefined> = signal(undefined);
  private readonly firstOnPage = signal(0);
  private readonly requests = new LatestRequest();

  private readonly places = computed(() =>
    (this.shown.value?.measured.plates ?? []).map(({ wells }) =>
      wells.flatMap(well => parseWell(well) ?? []),
    ),
  );
  private readonly chosenSize = computed(() =>
    plateSizes.find(({ wells }) => wells === this.state.value.size),
  );
  /** Names of wells that don't fit on a plate of the chosen size, which isn't used then. */
  readonly outside = computed(() => {
    const size = this.chosenSize.value;
    return size
      ? this.places.value
          .flat()
          .filter(place => !isOnPlate(size, place))
          .map(wellName)
      : [];
  });
  // Computed apart, so that dragging the ends of the scale doesn't recompute plates.
  private readonly marks = computed(() => this.state.value.marks ?? NO_MARKS);
  private readonly shownAs = computed(() => this.state.value.as ?? 'value');
  /** All plates, on one scale. */
  readonly plates: ReadonlySignal<readonly ShownPlate[]> = computed(() => {
    const { measured } = this.shown.value ?? {};
    if (!measured) return [];
    const size = this.outside.value.length > 0 ? undefined : this.chosenSize.value;
    return controlledPlates(measured, this.marks.value, this.shownAs.value).map((plate, index) => ({
      ...plate,
      size: size ?? plateSizeFor(this.places.value[index] ?? []),
    }));
  });
  /** The values that are shown, ascending. */
  readonly values = computed(() => shownValues(this.plates.value));
  readonly scale = computed(() => plateScale(this.values.value, this.state.value.scale));
  /** The plates on the current page of the map, and the position of the first one. */
  readonly page = computed(() => {
    // There may be fewer plates by now.
    const first = this.firstOnPage.value < this.plates.value.length ? this.firstOnPage.value : 0;
    return { plates: this.plates.value.slice(first, first + PLATES_PER_PAGE), first };
  });
  /**
   * The wells and the plates that the table is filtered to, as texts of their cells; undefined
   * without such a filter. The map ignores these filters, and also shows the other wells.
   */
  readonly selection = computed(() => {
    const { params } = this.shown.value ?? {};
    const textsOf = (column: number | undefined) => {
      const filter = this.parts.model.statisticsFilters.filters.find(tableFilter =>
        selectsValues(tableFilter, [column]),
      );
      if (filter === undefined) return undefined;
      return new Set(filter.kind === 'values' ? filter.values : [String(filter.from)]);
    };
    return { wells: textsOf(params?.well), plates: textsOf(params?.plate) };
  });

  /** `state`: the settings, and whether plates are open; `save` changes it. */
  constructor(
    private readonly parts: PageOfPlates,
    readonly state: ReadonlySignal<PlatesState>,
    private readonly save: (state: PlatesState) => void,
  ) {
    parts.populations.onDidChange(() => this.populationsChanged());
    parts.model.onDidChange(changed => this.dataChanged(changed));
  }

  get isBusy(): ReadonlySignal<boolean> {
    return this.requests.isBusy;
  }

  /** The plates were closed. */
  end(): void {
    this.marking.value = undefined;
    this.requests.abort();
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

  /**
   * Changes settings. Measures wells again only for settings that need it: controls and the kind of
   * shown values are applied to the loaded numbers.
   */
  choose(changes: Partial<PlateChoices>): void {
    // The ends of a scale belong to one measure.
    const isOther = 'measure' in changes || 'statistic' in changes || 'as' in changes;
    const { scale } = this.state.peek();
    this.change(isOther && typeof scale === 'object' ? { scale: undefined, ...changes } : changes);
    if ('measure' in changes || 'statistic' in changes || 'isOnePlate' in changes) void this.load();
  }

  /**
   * Marks wells on every plate, or conditions, as a control. Unmarks them if all are marked.
   */
  mark(field: keyof ControlMarks[Control], names: readonly string[], control: Control): void {
    const marks = this.marks.peek();
    const isOn = names.every(name => marks[control][field].includes(name));
    const markedAs = (kind: Control) => {
      const otherNames = marks[kind][field].filter(name => !names.includes(name));
      return {
        ...marks[kind],
        [field]: kind === control && !isOn ? [...otherNames, ...names] : otherNames,
      };
    };
    this.choose({ marks: { negative: markedAs('negative'), positive: markedAs('positive') } });
  }

  /** Removes all marks of a control. */
  unmark(control: Control): void {
    this.choose({ marks: { ...this.marks.peek(), [control]: NO_MARKS[control] } });
  }

  /** Filters the table to wells of a plate; `adds` toggles them in the current filter. */
  filterTo(plate: ShownPlate, wells: readonly number[], adds: boolean): void {
    const { wells: before = NO_TEXTS, plates = NO_TEXTS } = this.selection.peek();
    const texts = wells.flatMap(well => plate.texts[well] ?? []);
    const { names } = plate;
    const isOn = wells.every(well => this.isSelected(plate, well));
    const hasOtherPlates = plates.size > 0 && plates.size !== names.length;
    const isWholeSelection = isOn && before.size === texts.length && !hasOtherPlates;
    const withTexts = (previous: ReadonlySet<string>, added: readonly string[]) => [
      ...new Set([...(adds ? previous : NO_TEXTS), ...added]),
    ];
    const wellTexts =
      adds && isOn ? [...before].filter(text => !texts.includes(text)) : withTexts(before, texts);
    this.filterTable(isWholeSelection ? [] : wellTexts, withTexts(plates, names));
  }

  /** Removes the table's filter to wells. */
  clearSelection(): void {
    const { wells, plates } = this.selection.peek();
    if (wells ?? plates) this.filterTable([], []);
  }

  /** Whether the table is filtered to a well. */
  isSelected(plate: ShownPlate, well: number): boolean {
    const { wells, plates } = this.selection.peek();
    if (!wells && !plates) return false;
    const isAmong = (texts: readonly string[] = [], selected: ReadonlySet<string> | undefined) =>
      selected === undefined || texts.some(text => selected.has(text));
    return isAmong(plate.names, plates) && isAmong(plate.texts[well], wells);
  }

  /**
   * Filters the table to a well and opens the image of its first object; without masks, shows its
   * rows.
   */
  async enter(plate: ShownPlate, well: number): Promise<void> {
    const { link, messages, panel, start } = this.parts;
    const { params } = this.shown.peek() ?? {};
    if (!params) return;
    if (!this.isSelected(plate, well)) this.filterTo(plate, [well], false);
    if (start.kind !== 'objects') {
      this.leave();
      return;
    }
    try {
      const filters = [...(params.filters ?? []), ...filtersTo(params, plate.texts[well] ?? [], plate.names)];
      const { fileRows } = await panel.request('tableRows', {
        ...{ sort: [], filters, columns: [] },
        ...{ start: 0, end: 1 },
      });
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
    if (!params) return;
    try {
      const shown = { marks: this.marks.peek(), as: this.shownAs.peek(), value };
      const { saved } = await panel.request('savePlates', { ...params, ...shown });
      if (saved)
        messages.say(t.count(saved.wells, '1 well saved as {1}', '{0} wells saved as {1}', saved.name));
    } catch (error) {
      messages.failed(t.later("Couldn't save: {0}"), error);
    }
  }

  /** Loads columns by role and classes, then measures wells. */
  begin(): Promise<void> {
    return this.request(async canceled => {
      const { model, panel, textsOf } = this.parts;
      const columns = await panel.request('studyColumns', {}, canceled);
      const classes = await classesOf(model.table.columns, (column, limit) =>
        textsOf(column, limit, canceled),
      );
      if (canceled.aborted) return;
      this.studyColumns.value = { ...columns, classes };
      await this.measureWells(canceled);
    });
  }

  /** Measures wells with the current settings. */
  load(): Promise<void> {
    if (!this.state.peek().open) return Promise.resolve();
    return this.studyColumns.peek() ? this.request(canceled => this.measureWells(canceled)) : this.begin();
  }

  /** The selected measure, or the first one. */
  measure(): ChosenWellMeasure {
    const chosen = this.state.value.measure;
    if (chosen && this.requestedMeasure(chosen)) return chosen;
    return firstMeasure(this.parts.model.table.columns) ?? { kind: 'objects' };
  }

  /** Measures of images to choose from. */
  get offered(): OfferedMeasures {
    const { classes = [], hasAreas = false } = this.studyColumns.value ?? {};
    return { classes, hasAreas, populations: this.parts.populations.all.value };
  }

  get statistic(): WellStatisticId {
    return this.state.value.statistic ?? 'median';
  }

  /** The matching rows, their order, or the table's columns changed. */
  private dataChanged(change: 'filters' | 'table' | 'sort'): void {
    if (!this.state.peek().open || change === 'sort') return;
    // During reading, rows come in quick succession.
    if (change === 'table') this.requests.whenIdle(() => this.state.peek().open && void this.begin());
    // A filter to wells only selects them: params() leaves it out, so nothing is loaded.
    else if (JSON.stringify(this.params()) !== JSON.stringify(this.shown.peek()?.params)) void this.load();
  }

  /** Populations changed: measures again if the measure is of one. */
  private populationsChanged(): void {
    const { measure } = this.state.peek();
    if (measure && populationOf(measure) !== undefined) void this.load();
  }

  /** Filters the table to wells, or none, in place of other filters of their columns. */
  private filterTable(wells: readonly string[], plates: readonly string[]): void {
    const { params, measured } = this.shown.peek() ?? {};
    if (!params || !measured) return;
    const { filters, model } = this.parts;
    const columns = [params.well, params.plate];
    const otherFilters = model.latestFilters.filter(
      ({ filter, off }) =>
        off ?? (!isOfColumn(filter) || !columns.includes(filter.column) || filter.kind === 'missing'),
    );
    const wellFilters = filtersTo(params, wells, measured.plates.length > 1 ? plates : []);
    filters.set([...otherFilters, ...(wells.length > 0 ? wellFilters : []).map(filter => ({ filter }))]);
  }

  private async measureWells(canceled: AbortSignal): Promise<void> {
    const params = this.params();
    const measure = this.measure();
    let shown: MeasuredPlates | undefined;
    if (params) {
      const plates: Plates['plates'] = [];
      let wells = 0;
      let response: Plates;
      do {
        const page = { start: plates.length, end: plates.length + PLATES_PER_PAGE };
        response = await this.parts.panel.request('tablePlates', { ...params, ...page }, canceled);
        if (canceled.aborted) return;
        plates.push(...response.plates);
        wells += response.plates.reduce((sum, plate) => sum + plate.wells.length, 0);
      } while (response.plates.length > 0 && plates.length < response.total && wells < MAX_WELLS);
      shown = { measured: { ...response, plates }, params, measure };
    }
    this.shown.value = shown;
    this.failure.value = undefined;
  }

  private request(requests: (canceled: AbortSignal) => Promise<void>): Promise<void> {
    return this.requests.run(requests, error => {
      this.shown.value = undefined;
      const mayBeOne = isCoded(error) && error.details.reason?.code === 'several-plates';
      this.failure.value = { words: this.parts.messages.log(error), mayBeOne };
    });
  }

  private change(changes: Partial<PlatesState>): void {
    this.save({ ...this.state.peek(), ...changes });
  }

  /** The request; undefined without a column of wells. */
  private params(): Params | undefined {
    const {
      well: [well] = [],
      plate: [plate] = [],
      condition: [condition] = [],
    } = this.studyColumns.peek() ?? {};
    const measure = this.requestedMeasure(this.measure());
    if (well === undefined || !measure) return undefined;
    const { filters } = this.parts.model.statisticsFilters;
    return {
      filters: filters.filter(filter => !selectsValues(filter, [well, plate])),
      ...{ measure, well },
      ...(plate !== undefined && { plate }),
      ...(condition !== undefined && { condition }),
      ...(this.state.peek().isOnePlate && { isOnePlate: true }),
    };
  }

  private requestedMeasure(chosen: ChosenWellMeasure): WellMeasure | undefined {
    const { model, populations } = this.parts;
    // `measureOf` doesn't know 'objects'. It finds their population as for objects per image.
    const imageMeasure = chosen.kind === 'objects' ? { ...chosen, kind: 'objectsPerImage' as const } : chosen;
    const measure = measureOf(imageMeasure, model.table.columns, populations.all.value);
    if (chosen.kind === 'objects')
      return measure && { kind: 'objects', ...(measure.of && { of: measure.of }) };
    return measure?.kind === 'column' ? { ...measure, statistic: this.statistic } : measure;
  }
}

const NO_TEXTS: ReadonlySet<string> = new Set();

/** Filters to wells of plates, by their texts; without plates, to wells of all. */
function filtersTo({ well, plate }: Params, wells: readonly string[], plates: readonly string[]): Filter[] {
  const plateFilter = plate === undefined || plates.length === 0 ? [] : [{ column: plate, values: plates }];
  return [{ column: well, values: wells }, ...plateFilter].map(({ column, values }) => ({
    ...{ kind: 'values', column },
    values: [...values],
  }));
}

/** Whether a filter selects values of one of these columns. */
function selectsValues(
  filter: Filter,
  columns: readonly (number | undefined)[],
): filter is Extract<Filter, { kind: 'values' | 'range' }> {
  if (!isOfColumn(filter) || !columns.includes(filter.column)) return false;
  if (filter.kind === 'range') return filter.from !== null && filter.from === filter.to;
  return filter.kind === 'values' && filter.exclude !== true && filter.missing !== true;
}
