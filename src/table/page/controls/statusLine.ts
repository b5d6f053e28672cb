import type { SelectionStatistics } from '../../../columns/columnStatistics';
import type { TableColumn, TableSummary } from '../../../columns/tableSummary';
import { linkSummary } from '../../../masks/page/links/linkSummary';
import type { LinkReport } from '../../../masks/rowLinks';
import { columnName, formatNumber, percentOf, type TableText } from '../../../pages/page/pageText';
import { element, fill, icon } from '../../../pages/page/widgets/element';
import { FrameQueue } from '../../../pages/page/widgets/timing';

/** Columns whose selected numbers are summed up on the line. */
const MAX_COLUMNS = 20;

interface StatusLineOptions {
  text: TableText;
  /** How the file is written may be corrected. */
  onFormat: (anchor: Element) => void;
  /** By what rows are linked may be corrected. */
  onLink: (anchor: Element) => void;
}

/** Classes that shorten the line, in this order, where it is too narrow. */
const STEPS = [
  'short-format',
  'short-link',
  'short-warnings',
  'without-columns',
  'short-rows',
  'short-selection',
  'without-format',
  'icon-link',
  'notice-first',
  'squeezed',
] as const;

/**
 * The line below the grid: how much there is, what is selected, warnings about the file, and how it is linked. Where it is
 * narrow, its parts have short forms.
 */
export class StatusLine {
  readonly root = element('footer', { class: 'status-line' });
  private readonly rows = element('span', { class: 'status-item rows' });
  private readonly reading = element('span', { class: 'status-item', hidden: true });
  private readonly incomplete = element('span', { class: 'status-item notice error', hidden: true });
  private readonly columns = element('span', { class: 'status-item columns' });
  private readonly selection = element('span', { class: 'status-item selection' });
  private readonly odd = element('span', { class: 'status-item warning', hidden: true });
  private readonly link = element('button', { type: 'button', class: 'status-item link', hidden: true });
  private readonly format = element('button', { type: 'button', class: 'status-item format' });
  private readonly notice = element('span', { class: 'status-item notice', hidden: true });
  private readonly text: TableText;
  private readonly fit = new StatusFit(this.root, STEPS);

  constructor(options: StatusLineOptions) {
    this.text = options.text;
    this.format.addEventListener('click', () => options.onFormat(this.format));
    this.link.addEventListener('click', () => options.onLink(this.link));
    fill(
      this.root,
      this.rows,
      this.reading,
      this.incomplete,
      this.columns,
      this.selection,
      this.notice,
      element('span', { class: 'status-gap' }),
      this.odd,
      this.link,
      this.format,
    );
  }

  setTable(table: TableSummary, shownRows: number): void {
    const { text } = this;
    const filtered = shownRows !== table.rowCount;
    const share = percentOf(shownRows, table.rowCount, text);
    if (filtered)
      fill(
        this.rows,
        ...forms(
          text.get('rowsOfShare', shownRows, table.rowCount, share),
          text.get('rowsOf', shownRows, table.rowCount),
        ),
      );
    else fill(this.rows, text.count('rows', table.rowCount));
    this.columns.textContent = text.count('columns', table.columns.length);
    this.setOddities(table);
    const { long, short } = delimiterName(table.delimiter, text);
    const words = [long, table.decimalComma && text.get('decimalComma')];
    fill(this.format, ...forms(words.filter(Boolean).join(', '), short));
    this.format.title = text.get('formatHint');
    this.fit.changed();
  }

  /** Share of the file that has been read, 0…1; undefined when all of it has. */
  setReading(share: number | undefined): void {
    this.reading.hidden = share === undefined;
    this.fit.changed();
    if (share === undefined) return;
    fill(
      this.reading,
      icon('loading codicon-modifier-spin'),
      this.text.get('readingRows', Math.floor(share * 100)),
    );
  }

  /** Keeps showing why rows are missing at the end, since the table looks complete without them. Returns the words. */
  setIncomplete(reason: string): string {
    const words = this.text.get('incomplete', reason);
    this.incomplete.hidden = false;
    fill(this.incomplete, icon('error'), element('span', { class: 'status-words', title: words }, words));
    this.fit.changed();
    return words;
  }

  setLink(report: LinkReport): void {
    const { line, short, warning, details } = linkSummary(report, this.text);
    this.link.hidden = false;
    this.link.classList.toggle('warning', warning);
    this.link.title = [line, ...details, this.text.get('linkHint')].join('\n');
    fill(this.link, icon(warning ? 'warning' : 'link'), ...forms(line, short));
    this.fit.changed();
  }

  /** Selected rows and columns; `fileRow` is the only row's number from 0. */
  setSelection(rows: number, columns: number, whole: boolean, fileRow: number | undefined): void {
    // The statistics may be known before the row is.
    const statistics = this.selection.querySelectorAll('.selection-value');
    fill(this.selection, ...this.selectedWords(rows, columns, whole, fileRow), ...statistics);
    this.fit.changed();
  }

  /** Shows the statistics of the selected numbers after the size of the selection. Returns them in words for screen readers. */
  setStatistics(
    statistics: readonly SelectionStatistics[] | undefined,
    columns: readonly TableColumn[],
  ): string {
    for (const old of [...this.selection.querySelectorAll('.selection-value')]) old.remove();
    this.selection.title = '';
    this.fit.changed();
    if (!statistics || statistics.length === 0) return '';
    const { short, long } = selectionWords(statistics.slice(0, MAX_COLUMNS), columns, this.text);
    this.selection.append(...short.map(each => element('span', { class: 'selection-value' }, each)));
    this.selection.title = long.join('\n');
    return short.join(', ');
  }

  /** Shows the result of the last action until the next one. */
  setNotice(words: string, failed = false): void {
    this.notice.hidden = words === '';
    this.notice.classList.toggle('error', failed);
    fill(
      this.notice,
      icon(failed ? 'error' : 'check'),
      element('span', { class: 'status-words', title: words }, words),
    );
    this.fit.changed();
  }

  private selectedWords(rows: number, columns: number, whole: boolean, fileRow: number | undefined): Node[] {
    const { text } = this;
    if (rows === 0) return [];
    if (!whole && rows * columns > 1)
      return forms(text.get('selectedCells', rows, columns), text.get('selectedCellsShort', rows, columns));
    if (rows > 1) return forms(text.get('selectedRows', rows), text.get('selectedRowsShort', rows));
    if (fileRow === undefined) return [];
    return forms(text.get('selectedRow', fileRow + 1), text.get('selectedRowShort', fileRow + 1));
  }

  /** Uneven rows, and columns that did not fit the memory. */
  private setOddities(table: TableSummary): void {
    const { text } = this;
    const { count, first } = table.raggedRows;
    const named = first.map(row => text.number(row + 1)).join(', ');
    const rows = count > first.length ? text.get('raggedMore', named) : named;
    const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
    const short = [count > 0 && text.count('ragged', count), table.reduced && text.get('reduced')].filter(
      Boolean,
    );
    const long = [
      count > 0 && text.get('raggedHint', rows),
      table.reduced &&
        text.get('reducedHint', megabytes(table.reduced.columnBytes), megabytes(table.reduced.budgetBytes)),
    ].filter(Boolean);
    this.odd.hidden = short.length === 0;
    this.odd.title = long.join('\n');
    fill(this.odd, icon('warning'), ...forms(short.join(', '), count > 0 ? text.number(count) : ''));
  }
}

/** A text in full and in short: the style sheet shows one of them, and screen readers read the full one. */
function forms(long: string, short: string): HTMLElement[] {
  return [
    element('span', { class: 'status-words long' }, long),
    element('span', { class: 'status-words short', 'aria-hidden': 'true' }, short),
  ];
}

/** The class of the line while its parts are measured at full width. */
const MEASURING = 'measuring';

/** Shortens a line until it fits, by adding one class after the other; each shortens or hides a part of it. */
class StatusFit {
  private readonly queue = new FrameQueue(() => this.apply());

  constructor(
    private readonly root: HTMLElement,
    private readonly steps: readonly string[],
  ) {
    new ResizeObserver(() => this.apply()).observe(root);
  }

  /** A part of the line has changed. */
  changed(): void {
    this.queue.schedule();
  }

  private apply(): void {
    const { root, steps } = this;
    root.classList.add(MEASURING);
    root.classList.remove(...steps);
    for (const step of steps) {
      if (root.scrollWidth <= root.clientWidth) break;
      root.classList.add(step);
    }
    root.classList.remove(MEASURING);
  }
}

/**
 * Statistics of selected numbers in words, on the status line and in its tooltip, which also says where integers are rounded.
 * Columns are different measures: each has its own.
 */
export function selectionWords(
  statistics: readonly SelectionStatistics[],
  columns: readonly TableColumn[],
  text: TableText,
): { short: string[]; long: string[] } {
  const lists = statistics.map(each => {
    const named: [string, number | null][] = [
      [text.get('selectionNumbers'), each.numbers],
      [text.get('selectionSum'), each.sum],
      [text.get('selectionMean'), each.mean],
      [text.get('selectionMin'), each.min],
      [text.get('selectionMax'), each.max],
    ];
    return named.flatMap(([name, value]) => (value === null ? [] : [`${name} ${formatNumber(value, text)}`]));
  });
  const rounded = statistics
    .filter(({ column }) => columns[column]?.isRounded)
    .map(({ column }) => text.get('roundedNumbers', columnName(columns, column, text)));
  const [only] = lists;
  if (only && lists.length === 1) return { short: only, long: [...only, ...rounded] };
  const ofColumn = (at: number, words: readonly string[]) =>
    `${columnName(columns, statistics[at]?.column ?? 0, text)}: ${words.join(', ')}`;
  return {
    short: lists.map((words, at) => ofColumn(at, words.slice(1, 3))),
    long: [...lists.map((words, at) => ofColumn(at, words)), ...rounded],
  };
}

/** Delimiters with a name of their own; others are shown as they are. */
const NAMES: ReadonlyMap<string, 'comma' | 'semicolon' | 'tab' | 'pipe'> = new Map([
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'pipe'],
]);

/** How a table's cells are separated, in words and in one word. */
export function delimiterName(delimiter: string, text: TableText): { long: string; short: string } {
  const name = NAMES.get(delimiter);
  return name === undefined
    ? { long: text.get('separatedBy', delimiter), short: `"${delimiter}"` }
    : { long: text.get(name), short: text.get(`${name}Short`) };
}
