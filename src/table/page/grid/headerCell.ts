import { t } from '../../../pages/page/l10n';
import type { IHeaderParams } from 'ag-grid-community';
import { isCoded } from '../../../base/errors';
import { digitsBetween } from '../../../pages/page/numbers';
import { formatNumber, percentOf } from '../../../pages/page/columnName';
import type { BrushRange } from '../../../pages/page/widgets/columnHistogram';
import type { CommonParts } from '../../../pages/page/widgets/commonParts';
import { element, fill, icon } from '../../../pages/page/widgets/element';
import { RangeBrush } from '../../../pages/page/widgets/rangeBrush';
import { brushRange, columnFilter, hasFilter } from '../filterList';
import type { TableModel } from '../tableModel';
import { PADDING } from './columnLayout';
import { type GridHeader, SortMark } from './gridLook';

/** Milliseconds after a drag of a column in which releasing the mouse isn't a click. */
const AFTER_MOVE = 50;

/** Parameters of a header cell that the grid doesn't provide. */
export interface HeaderDependencies {
  /** Position of the column in the file. */
  fileColumn: number;
  /** The type of the column's cells. */
  kind: 'number' | 'text' | 'id';
  /** Whether cells are image names, whose ends matter most. */
  isPath: boolean;
  /** The common parts of a column's texts. */
  partsOf: (column: number) => CommonParts;
  openFilter: (column: number, anchor: Element) => void;
  /** A click on the header will sort the table, by this column alone or in addition to others. */
  onSorting: (column: number, isMultiSort: boolean) => void;
  onBrush: (column: number, range: BrushRange | null, final: boolean) => void;
  /** A value was clicked in the bar of a text column. */
  onValue: (column: number, value: string) => void;
  /** The header is on the screen: its plot and filter button need updates until it is detached. */
  onAttached: (header: HeaderCell) => void;
  onDetached: (header: HeaderCell) => void;
}

/** The most frequent texts of a column with their counts. `rows`: number of rows counted. */
interface TopValues {
  values: readonly { text: string; count: number }[];
  distinct: number;
  missing: number;
  rows: number;
}

/** Approximate width of a character in pixels. */
const SHARE_CHARACTER = 6.5;
/** Characters shown of a value. */
const MAX_SHOWN = 200;

/**
 * A column's header: name, type, share of missing values, sort mark and filter button. Numbers have
 * a histogram below, where users filter by a range; texts have a bar of the most frequent values;
 * IDs have neither.
 */
export class HeaderCell implements GridHeader {
  readonly brush: RangeBrush | undefined;
  readonly root = element('div', { class: 'header-cell' });
  private readonly name = element('span', { class: 'header-name' });
  private readonly missing = element('span', { class: 'header-missing' });
  private readonly bar = element('div', { class: 'value-bar' });
  private readonly barLabel = element('span', { class: 'value-bar-label' });
  private readonly sort: SortMark;
  private readonly filterButton: HTMLButtonElement;
  private movedAt = -Infinity;
  private readonly moveListener = () => (this.movedAt = performance.now());

  constructor(private readonly params: IHeaderParams & HeaderDependencies) {
    const { fileColumn, kind, displayName } = params;
    this.sort = new SortMark(params.column);
    this.name.textContent = displayName;
    this.filterButton = element(
      'button',
      {
        type: 'button',
        class: 'icon-button header-filter',
        tabindex: -1,
        'aria-label': t('Filter {0}', displayName),
        title: t('Filter {0}', displayName),
      },
      icon('filter'),
    );
    this.filterButton.addEventListener('click', event => {
      event.stopPropagation();
      params.openFilter(fileColumn, this.filterButton);
    });
    const type = typeIcon(kind);
    const line = element(
      'div',
      { class: 'header-line' },
      element('div', { class: 'header-name-box' }, this.name),
      element('div', { class: 'header-meta' }, type, this.missing, this.sort.root, this.filterButton),
    );
    line.addEventListener('click', event => {
      if (performance.now() - this.movedAt < AFTER_MOVE) return;
      params.onSorting(fileColumn, event.shiftKey);
      params.progressSort(event.shiftKey);
    });
    this.root.append(line);
    if (kind === 'number') {
      this.brush = new RangeBrush({
        width: 100,
        height: 18,
        read: (value, low, high) => t.significant(value, digitsBetween(low, high, 3)),
        describe: (low, high, count) =>
          `${binWords(low, high, count)}\n${t('Drag to filter by a range. Click to clear the filter.')}`,
        onChange: (range, final) => params.onBrush(fileColumn, range, final),
      });
      // Otherwise the grid would drag the column.
      for (const eventType of ['mousedown', 'touchstart'])
        this.brush.root.addEventListener(eventType, event => event.stopPropagation());
      this.root.append(this.brush.root);
    }
    if (kind === 'text') this.root.append(this.bar, this.barLabel);
    params.column.addEventListener('movingChanged', this.moveListener);
    params.onAttached(this);
  }

  get column(): number {
    return this.params.fileColumn;
  }

  /** Rank on the screen: smaller for headers further left; pinned ones first. */
  get place(): number {
    const { column } = this.params;
    return (column.getLeft() ?? 0) - (column.getPinned() === 'left' ? Number.MAX_SAFE_INTEGER : 0);
  }

  get kind(): HeaderDependencies['kind'] {
    return this.params.kind;
  }

  /** Shows how many values are missing; nothing if none is. */
  setMissing(missing: number, rows: number): void {
    const share = missing > 0 && t('{0}%', percentOf(missing, rows, 0));
    fill(this.missing, ...(share ? [icon('circle-slash'), share] : []));
    this.missing.title = share ? t('{0} of {1} values are missing', missing, rows) : '';
  }

  setValues({ values, distinct, missing, rows }: TopValues): void {
    const { fileColumn, onValue } = this.params;
    this.setMissing(missing, rows);
    const present = rows - missing;
    const percent = (count: number) => t('{0}%', percentOf(count, present));
    const segment = (className: string, count: number, title: string) => {
      const segmentElement = element('span', { class: `value-segment ${className}`, title });
      segmentElement.style.flexGrow = String(count);
      return segmentElement;
    };
    const otherCount = present - values.reduce((sum, { count }) => sum + count, 0);
    fill(
      this.bar,
      ...values.map(({ text: value, count }) => {
        const words = t('{0}: {1} rows ({2})', value.slice(0, MAX_SHOWN), count, percent(count));
        const valueSegment = segment('', count, `${words}\n${t('Click to filter by this value.')}`);
        valueSegment.addEventListener('click', () => onValue(fileColumn, value));
        return valueSegment;
      }),
      otherCount > 0 &&
        segment(
          'others',
          otherCount,
          t('{0} other values ({1})', distinct - values.length, percent(otherCount)),
        ),
    );
    const [top] = values;
    const share = top && t('{0}%', percentOf(top.count, present, 0));
    fill(this.barLabel, ...(top && share ? this.topWords(top, distinct, share) : []));
  }

  /**
   * The most frequent value with its share, which is never cut off; the number of values if all
   * differ.
   */
  private topWords(top: TopValues['values'][number], distinct: number, share: string): (Node | string)[] {
    const { isPath, fileColumn, partsOf } = this.params;
    if (top.count === 1 && distinct > 1) return [t('{0} different values', distinct)];
    const parts = partsOf(fileColumn);
    const room = (this.params.column.getActualWidth() - PADDING) / SHARE_CHARACTER - share.length - 1;
    const fits = (value: string) => value.length <= room;
    const shown = parts.isKnown ? parts.cut(top.text, fits, isPath ? 'end' : 'start') : top.text;
    const name = element('span', { class: 'value-bar-top' }, shown.slice(0, MAX_SHOWN));
    name.classList.toggle('keeps-end', isPath && !parts.isKnown);
    return [name, element('span', { class: 'value-bar-share' }, share)];
  }

  dispose(): void {
    this.sort.dispose();
    this.params.column.removeEventListener('movingChanged', this.moveListener);
    this.params.onDetached(this);
  }

  setFiltered(filtered: boolean): void {
    this.filterButton.classList.toggle('active', filtered);
    fill(this.filterButton, icon(filtered ? 'filter-filled' : 'filter'));
  }
}

function typeIcon(kind: HeaderDependencies['kind']): HTMLElement {
  const [kindIcon, words] =
    kind === 'number'
      ? [icon('symbol-numeric'), t({ message: 'Numbers', comment: 'Type of a column' })]
      : kind === 'text'
        ? [icon('symbol-string'), t({ message: 'Text', comment: 'Type of a column' })]
        : [icon('key'), t('IDs')];
  kindIcon.title = words;
  return kindIcon;
}

/** Number of values in the header of a text column. */
const MAX_VALUES = 4;
/**
 * Milliseconds in which results are collected and shown together, for fewer layouts of the page.
 */
const BATCH_TIME = 100;
/**
 * Maximum of parallel requests: with one, each would wait for a round trip; many would delay rows
 * during scrolling.
 */
const MAX_REQUESTS = 4;

/**
 * Updates the visible headers from left to right, with few parallel requests. Shows several results
 * at once. Requests wait for the rows, which users look at first.
 */
export class HeaderSummaries {
  private readonly headers = new Set<HeaderCell>();
  private readonly stale = new Set<HeaderCell>();
  /** Results that aren't shown yet. */
  private readonly results = new Map<HeaderCell, () => void>();
  private shownAt = 0;
  /** Aborts the requests of the last refresh. */
  private refreshing = new AbortController();
  /** Number of loops that load headers one after another. */
  private loops = 0;
  /** Number of headers being loaded. */
  private loading = 0;
  private hasStarted = false;
  private rowsShown: Promise<void> = Promise.resolve();

  constructor(
    private readonly model: TableModel,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  attach(header: HeaderCell): void {
    this.headers.add(header);
    this.showFilter(header);
    this.stale.add(header);
    this.run();
  }

  /** The first rows are on the screen: starts to load. */
  start(): void {
    this.hasStarted = true;
    this.run();
  }

  detach(header: HeaderCell): void {
    this.headers.delete(header);
    this.stale.delete(header);
    this.results.delete(header);
  }

  /** The matching rows changed: loads all headers again once the rows are shown. */
  refresh(rowsShown: Promise<void>): void {
    this.rowsShown = rowsShown;
    this.refreshing.abort();
    this.results.clear();
    this.refreshing = new AbortController();
    for (const header of this.headers) {
      this.showFilter(header);
      this.stale.add(header);
    }
    this.run();
  }

  private showFilter(header: HeaderCell): void {
    const { activeFilters: filters } = this.model;
    header.setFiltered(hasFilter(filters, header.column));
    const range = columnFilter(filters, header.column, 'range');
    header.brush?.setRange(range ? brushRange(range) : null);
  }

  private run(): void {
    if (!this.hasStarted) return;
    if (this.loops === 0) this.shownAt = performance.now();
    while (this.loops < MAX_REQUESTS) void this.loadStale();
  }

  private async loadStale(): Promise<void> {
    this.loops++;
    for (;;) {
      await this.latestRowsShown();
      const header = this.leftmostStale();
      if (!header) break;
      this.stale.delete(header);
      const { signal } = this.refreshing;
      this.loading++;
      try {
        const show = await this.load(header, signal);
        if (!signal.aborted && this.headers.has(header)) this.results.set(header, show);
      } catch (error) {
        if (!isCoded(error, 'cancelled')) this.onFailure(error);
      }
      this.loading--;
      const isLast = this.stale.size === 0 && this.loading === 0;
      if (isLast || performance.now() - this.shownAt > BATCH_TIME) this.showAll();
    }
    this.loops--;
  }

  private leftmostStale(): HeaderCell | undefined {
    let leftmost: HeaderCell | undefined;
    for (const header of this.stale) if (!leftmost || header.place < leftmost.place) leftmost = header;
    return leftmost;
  }

  /** Waits for the rows, including those of filters set meanwhile. */
  private async latestRowsShown(): Promise<void> {
    for (;;) {
      const { rowsShown } = this;
      await rowsShown;
      if (rowsShown === this.rowsShown) return;
    }
  }

  private showAll(): void {
    this.shownAt = performance.now();
    for (const show of this.results.values()) show();
    this.results.clear();
  }

  /** Loads a header's data; returns a function that shows it. */
  private async load(header: HeaderCell, signal: AbortSignal): Promise<() => void> {
    const { model } = this;
    if (header.kind === 'text') {
      const { filters } = model.statisticsFilters;
      const params = { column: header.column, limit: MAX_VALUES, filters };
      const { values, distinct, missing } = await model.request('tableDistinct', params, signal);
      const rows = await this.rowsOf(filters, signal);
      model.texts.learn(
        header.column,
        values.map(({ text }) => text),
      );
      return () => header.setValues({ values, distinct, missing, rows });
    }
    if (header.kind === 'id' && model.table.columns[header.column]?.kind === 'text') {
      const params = { columns: [header.column], filters: model.statisticsFilters.filters };
      const { statistics } = await model.request('tableStatistics', params, signal);
      const { count = 0, missing = 0 } = statistics[0] ?? {};
      return () => header.setMissing(Number(missing), Number(count) + Number(missing));
    }
    const { data, missing, rows } = await model.numbers(header.column, signal);
    return () => {
      if (data) header.brush?.setData(data);
      header.brush?.root.classList.toggle('empty', !data);
      header.setMissing(missing, rows);
    };
  }

  private async rowsOf(
    filters: TableModel['statisticsFilters']['filters'],
    signal: AbortSignal,
  ): Promise<number> {
    if (!this.model.statisticsAreNarrower) return this.model.rowCount;
    return (await this.model.request('tableView', { filters }, signal)).rowCount;
  }
}

/** A bin of a column's histogram in words: its ends and its number of rows. */
export function binWords(low: number, high: number, count: number): string {
  if (low === high) return t.count(count, '{1}: 1 row', '{1}: {0} rows', formatNumber(low));
  const digits = digitsBetween(low, high);
  return t.count(
    count,
    '{1} to {2}: 1 row',
    '{1} to {2}: {0} rows',
    t.significant(low, digits),
    t.significant(high, digits),
  );
}
