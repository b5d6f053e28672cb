import { t } from '../../../pages/page/l10n';
import { isAdded } from '../../../columns/tableSummary';
import { type ReadonlySignal, useComputed } from '@preact/signals';
import { linkSummary } from '../../../linking/page/linkSummary';
import { percentOf } from '../../../pages/page/columnName';
import { Icon } from '../../../pages/page/widgets/parts';
import { FrameQueue } from '../../../pages/page/widgets/timing';
import type { TableStore } from '../state/tableStore';
import { delimiterName, selectionWords } from './statusWords';
import { openFormat, openLink } from './tablePopovers';

interface StatusProps {
  store: TableStore;
}

/**
 * The status line below the grid: counts, selection, warnings about the file, and links. Long texts
 * have short forms for narrow pages.
 */
export function StatusLine({ store }: StatusProps) {
  return (
    <footer class="status-line" ref={fit}>
      <Rows store={store} />
      <Reading store={store} />
      <Incomplete store={store} />
      <Columns store={store} />
      <Selection store={store} />
      <LatestNotice store={store} />
      <span class="status-gap" />
      <LateDecimals store={store} />
      <HeaderForm store={store} />
      <FileWarnings store={store} />
      <Link store={store} />
      <Format store={store} />
    </footer>
  );
}

/** A text in a long and a short form. CSS shows one; screen readers get the long one. */
function Forms({ long, short }: { long: string; short: string }) {
  return (
    <>
      <span class="status-words long">{long}</span>
      <span class="status-words short" aria-hidden="true">
        {short}
      </span>
    </>
  );
}

/** The number of rows, and how many match the filters. */
function Rows({ store: { table: model } }: StatusProps) {
  const { rowCount, table } = model;
  const counts = [rowCount, table.rowCount] as const;
  return (
    <span class="status-item rows">
      {rowCount === table.rowCount ? (
        t.count(table.rowCount, '1 row', '{0} rows')
      ) : (
        <Forms
          long={t('{0} of {1} rows ({2}%)', ...counts, percentOf(...counts))}
          short={t('{0} of {1} rows', ...counts)}
        />
      )}
    </span>
  );
}

function Reading({ store: { reading } }: StatusProps) {
  const percent = useComputed(() =>
    reading.share.value === undefined ? undefined : Math.floor(reading.share.value * 100),
  ).value;
  return (
    <span class="status-item" hidden={percent === undefined}>
      <Icon name="loading" spins />
      {percent !== undefined && t('Reading… {0}%', percent)}
    </span>
  );
}

interface WordsProps {
  notice: ReadonlySignal<{ words: string; failed: boolean } | undefined>;
}

/** Text that is cut off if it doesn't fit; the tooltip has all of it. */
function Words({ notice }: WordsProps) {
  const { words = '', failed = false } = notice.value ?? {};
  return (
    <span class={`status-item notice${failed ? ' error' : ''}`} hidden={words === ''}>
      <Icon name={failed ? 'error' : 'check'} />
      <span class="status-words" title={words}>
        {words}
      </span>
    </span>
  );
}

/** Warns that rows at the end are missing: the table looks complete without them. */
function Incomplete({ store: { reading } }: StatusProps) {
  const notice = useComputed(() => {
    const reason = reading.failure.value;
    return { words: reason === undefined ? '' : t('Rows are missing. {0}', reason), failed: true };
  });
  return <Words notice={notice} />;
}

/** The result of the last action. */
function LatestNotice({ store: { messages } }: StatusProps) {
  return <Words notice={messages.notice} />;
}

function Columns({ store: { table } }: StatusProps) {
  return (
    <span class="status-item columns">{t.count(table.table.columns.length, '1 column', '{0} columns')}</span>
  );
}

/** The size of the selection, and statistics of selected numbers. */
function Selection({ store: { cells, levels, table, rows: focus } }: StatusProps) {
  const { rows, columns, wholeRows, fileRow } = cells.size.value;
  const statistics = levels.areMixed ? undefined : cells.statistics.value;
  const { short, long } = selectionWords(statistics ?? [], table.table.columns);
  return (
    <span class="status-item selection" title={long.join('\n')}>
      {rows > 0 && !wholeRows && rows * columns > 1 ? (
        <Forms long={t('{0} × {1} cells selected', rows, columns)} short={t('{0} × {1}', rows, columns)} />
      ) : rows > 1 ? (
        <Forms long={t('{0} rows selected', rows)} short={t('{0} selected', rows)} />
      ) : (
        rows > 0 &&
        fileRow !== undefined && (
          <button
            type="button"
            class="status-action"
            title={t('Scroll to the Selected Row')}
            onClick={() => void focus.revealSelected()}
          >
            <Forms long={t('Row {0} selected', fileRow + 1)} short={t('Row {0}', fileRow + 1)} />
          </button>
        )
      )}
      {short.map((value, at) => (
        <span key={at} class="selection-value">
          {value}
        </span>
      ))}
    </span>
  );
}

/** Warns of uneven rows, and of columns that don't fit into memory. */
function FileWarnings({ store: { table: model } }: StatusProps) {
  const { raggedRows, reduced } = model.table;
  const { count, first } = raggedRows;
  const rowNumbers = first.map(row => t.number(row + 1)).join(', ');
  const rows = count > first.length ? t('{0} and more', rowNumbers) : rowNumbers;
  const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  const short = [
    count > 0 && t.count(count, '1 row with extra or missing cells', '{0} rows with extra or missing cells'),
    reduced && t('read on demand'),
  ].filter(Boolean);
  const long = [
    count > 0 &&
      t('These rows have more or fewer cells than the header. They are shown unchanged: {0}', rows),
    reduced &&
      t(
        'The columns need {0} MB and the setting "table.memory" allows {1} MB. They are read from the file when needed, which is slower.',
        megabytes(reduced.columnBytes),
        megabytes(reduced.budgetBytes),
      ),
  ].filter(Boolean);
  return (
    <span class="status-item warning" hidden={short.length === 0} title={long.join('\n')}>
      <Icon name="warning" />
      <Forms long={short.join(', ')} short={count > 0 ? t.number(count) : ''} />
    </span>
  );
}

/** Warns that columns are text because of their decimal mark; a click reads them as numbers. */
function LateDecimals({ store }: StatusProps) {
  const { table } = store;
  const { lateDecimals, delimiter, decimalComma = false, header } = table.table;
  if (!lateDecimals) return null;
  const row = t.number(lateDecimals.row + 1);
  const words = decimalComma
    ? t('Decimal point from row {0} on', row)
    : t('Decimal comma from row {0} on', row);
  return (
    <button
      type="button"
      class="status-item warning late-decimals"
      title={t.count(
        lateDecimals.columns,
        '1 column was read as text for that. Click to read it as numbers.',
        '{0} columns were read as text for that. Click to read them as numbers.',
      )}
      onClick={() =>
        store.reopen({ delimiter, decimalComma: !decimalComma, header: header ?? { skipped: 0, rows: 1 } })
      }
    >
      <Icon name="warning" />
      <Forms long={words} short={row} />
    </button>
  );
}

/** Notes a header that isn't just the first row. A click makes the first row the header. */
function HeaderForm({ store }: StatusProps) {
  const { table } = store;
  const { header, delimiter, decimalComma = false, columns } = table.table;
  if (!header) return null;
  const [example = ''] = columns.flatMap(column =>
    isAdded(column) || column.name === '' ? [] : [column.name],
  );
  const words =
    header.rows > 1
      ? t('Header of {0} rows', header.rows)
      : t.count(header.skipped, '1 row above the header left out', '{0} rows above the header left out');
  return (
    <button
      type="button"
      class="status-item header-form"
      title={t(
        'Columns are called as in "{0}". Click to use the first row as the header.',
        columns.at(-1)?.name || example,
      )}
      onClick={() => store.reopen({ delimiter, decimalComma, header: { skipped: 0, rows: 1 } })}
    >
      <Icon name="info" />
      <Forms long={words} short={t.number(header.rows > 1 ? header.rows : header.skipped)} />
    </button>
  );
}

/** How rows and objects are linked. A click opens the linking columns, to correct them. */
function Link({ store }: StatusProps) {
  const report = store.link.report.value;
  if (!report) return null;
  const { line, short, warning, details } = linkSummary(report);
  return (
    <button
      type="button"
      class={warning ? 'status-item link warning' : 'status-item link'}
      title={[line, ...details, t('Click to select the columns.')].join('\n')}
      onClick={({ currentTarget }) => openLink(store, currentTarget, report)}
    >
      <Icon name={warning ? 'warning' : 'link'} />
      <Forms long={line} short={short} />
    </button>
  );
}

/** The file's format. A click opens it, to correct it. */
function Format({ store }: StatusProps) {
  const { table } = store;
  const { delimiter, decimalComma, format } = table.table;
  // Formats other than delimited text can't be changed.
  if (format !== undefined) return <span class="status-item format">{format}</span>;
  const { long, short } = delimiterName(delimiter);
  return (
    <button
      type="button"
      class="status-item format"
      title={t('File format (click to change)')}
      onClick={({ currentTarget }) => openFormat(store, currentTarget)}
    >
      <Forms long={decimalComma ? `${long}, ${t('decimal comma')}` : long} short={short} />
    </button>
  );
}

/** Classes that shorten the line, tried in this order. */
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

/** Class of the line while it is measured at full width. */
const MEASURING = 'measuring';

/**
 * Shortens the line until it fits: adds classes one by one, each of which shortens or hides a part.
 */
function fit(line: HTMLElement | null): void {
  if (!line) return;
  const apply = () => {
    line.classList.add(MEASURING);
    line.classList.remove(...STEPS);
    for (const step of STEPS) {
      if (line.scrollWidth <= line.clientWidth) break;
      line.classList.add(step);
    }
    line.classList.remove(MEASURING);
  };
  const queue = new FrameQueue(apply);
  const changed = new MutationObserver(() => queue.schedule());
  changed.observe(line, { childList: true, subtree: true, characterData: true, attributeFilter: ['hidden'] });
  new ResizeObserver(apply).observe(line);
}
