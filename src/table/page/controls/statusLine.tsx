import { isAdded } from '../../../columns/tableSummary';
import { type ReadonlySignal, useComputed } from '@preact/signals';
import { linkSummary } from '../../../linking/page/linkSummary';
import { percentOf } from '../../../pages/page/pageText';
import { Icon } from '../../../pages/page/widgets/parts';
import { FrameQueue } from '../../../pages/page/widgets/timing';
import type { TableStore } from '../state/tableStore';
import { delimiterName, selectionWords } from './statusWords';
import { openFormat, openLink } from './tablePopovers';

interface StatusProps {
  store: TableStore;
}

/**
 * The line below the grid: how much there is, what is selected, warnings about the file, and how it is linked. Where it is
 * narrow, its parts have short forms.
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
      <Oddities store={store} />
      <Link store={store} />
      <Format store={store} />
    </footer>
  );
}

/** A text in full and in short: the style sheet shows one of them, and screen readers read the full one. */
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

/** How many rows there are, and how many of them match the filters. */
function Rows({ store: { table: model, text } }: StatusProps) {
  const { rowCount, table } = model;
  const of = [rowCount, table.rowCount] as const;
  return (
    <span class="status-item rows">
      {rowCount === table.rowCount ? (
        text.count('rows', table.rowCount)
      ) : (
        <Forms
          long={text.get('rowsOfShare', ...of, percentOf(...of, text))}
          short={text.get('rowsOf', ...of)}
        />
      )}
    </span>
  );
}

function Reading({ store: { reading, text } }: StatusProps) {
  const percent = useComputed(() =>
    reading.share.value === undefined ? undefined : Math.floor(reading.share.value * 100),
  ).value;
  return (
    <span class="status-item" hidden={percent === undefined}>
      <Icon name="loading" spins />
      {percent !== undefined && text.get('readingRows', percent)}
    </span>
  );
}

interface WordsProps {
  of: ReadonlySignal<{ words: string; failed: boolean } | undefined>;
}

/** Words that are cut where they have no room, and whole in a tooltip. */
function Words({ of }: WordsProps) {
  const { words = '', failed = false } = of.value ?? {};
  return (
    <span class={`status-item notice${failed ? ' error' : ''}`} hidden={words === ''}>
      <Icon name={failed ? 'error' : 'check'} />
      <span class="status-words" title={words}>
        {words}
      </span>
    </span>
  );
}

/** Why rows are missing at the end, since the table looks complete without them. */
function Incomplete({ store: { reading, text } }: StatusProps) {
  const notice = useComputed(() => {
    const reason = reading.failure.value;
    return { words: reason === undefined ? '' : text.get('incomplete', reason), failed: true };
  });
  return <Words of={notice} />;
}

/** The result of the last action. */
function LatestNotice({ store: { messages } }: StatusProps) {
  return <Words of={messages.notice} />;
}

function Columns({ store: { table, text } }: StatusProps) {
  return <span class="status-item columns">{text.count('columns', table.table.columns.length)}</span>;
}

/** The size of the selection, and the statistics of selected numbers. */
function Selection({ store: { cells, levels, table, text, rows: focus } }: StatusProps) {
  const { rows, columns, wholeRows, fileRow } = cells.size.value;
  const statistics = levels.areMixed ? undefined : cells.statistics.value;
  const { short, long } = selectionWords(statistics ?? [], table.table.columns, text);
  return (
    <span class="status-item selection" title={long.join('\n')}>
      {rows > 0 && !wholeRows && rows * columns > 1 ? (
        <Forms
          long={text.get('selectedCells', rows, columns)}
          short={text.get('selectedCellsShort', rows, columns)}
        />
      ) : rows > 1 ? (
        <Forms long={text.get('selectedRows', rows)} short={text.get('selectedRowsShort', rows)} />
      ) : (
        rows > 0 &&
        fileRow !== undefined && (
          <button
            type="button"
            class="status-action"
            title={text.get('selectedRowHint')}
            onClick={() => void focus.revealSelected()}
          >
            <Forms
              long={text.get('selectedRow', fileRow + 1)}
              short={text.get('selectedRowShort', fileRow + 1)}
            />
          </button>
        )
      )}
      {short.map((each, at) => (
        <span key={at} class="selection-value">
          {each}
        </span>
      ))}
    </span>
  );
}

/** Uneven rows, and columns that did not fit the memory. */
function Oddities({ store: { table: model, text } }: StatusProps) {
  const { raggedRows, reduced } = model.table;
  const { count, first } = raggedRows;
  const named = first.map(row => text.number(row + 1)).join(', ');
  const rows = count > first.length ? text.get('raggedMore', named) : named;
  const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  const short = [count > 0 && text.count('ragged', count), reduced && text.get('reduced')].filter(Boolean);
  const long = [
    count > 0 && text.get('raggedHint', rows),
    reduced && text.get('reducedHint', megabytes(reduced.columnBytes), megabytes(reduced.budgetBytes)),
  ].filter(Boolean);
  return (
    <span class="status-item warning" hidden={short.length === 0} title={long.join('\n')}>
      <Icon name="warning" />
      <Forms long={short.join(', ')} short={count > 0 ? text.number(count) : ''} />
    </span>
  );
}

/** That columns are text for their decimal mark; a click reads them as numbers. */
function LateDecimals({ store }: StatusProps) {
  const { table, text } = store;
  const { lateDecimals, delimiter, decimalComma = false, header } = table.table;
  if (!lateDecimals) return null;
  const row = text.number(lateDecimals.row + 1);
  const words = text.get(decimalComma ? 'latePoint' : 'lateComma', row);
  return (
    <button
      type="button"
      class="status-item warning late-decimals"
      title={text.count('lateDecimalsHint', lateDecimals.columns)}
      onClick={() =>
        store.reopen({ delimiter, decimalComma: !decimalComma, header: header ?? { skipped: 0, rows: 1 } })
      }
    >
      <Icon name="warning" />
      <Forms long={words} short={row} />
    </button>
  );
}

/** That the header isn't the first row alone; a click makes it that. */
function HeaderForm({ store }: StatusProps) {
  const { table, text } = store;
  const { header, delimiter, decimalComma = false, columns } = table.table;
  if (!header) return null;
  const [example = ''] = columns.flatMap(column =>
    isAdded(column) || column.name === '' ? [] : [column.name],
  );
  const words =
    header.rows > 1 ? text.get('headerOfRows', header.rows) : text.count('aboveHeader', header.skipped);
  return (
    <button
      type="button"
      class="status-item header-form"
      title={text.get('headerFormHint', columns.at(-1)?.name || example)}
      onClick={() => store.reopen({ delimiter, decimalComma, header: { skipped: 0, rows: 1 } })}
    >
      <Icon name="info" />
      <Forms long={words} short={text.number(header.rows > 1 ? header.rows : header.skipped)} />
    </button>
  );
}

/** How rows and objects are linked; by what may be corrected. */
function Link({ store }: StatusProps) {
  const report = store.link.report.value;
  if (!report) return null;
  const { line, short, warning, details } = linkSummary(report, store.text);
  return (
    <button
      type="button"
      class={warning ? 'status-item link warning' : 'status-item link'}
      title={[line, ...details, store.text.get('linkHint')].join('\n')}
      onClick={({ currentTarget }) => openLink(store, currentTarget, report)}
    >
      <Icon name={warning ? 'warning' : 'link'} />
      <Forms long={line} short={short} />
    </button>
  );
}

/** How the file is written, which may be corrected. */
function Format({ store }: StatusProps) {
  const { table, text } = store;
  const { delimiter, decimalComma, format } = table.table;
  // Another format says itself how it is written.
  if (format !== undefined) return <span class="status-item format">{format}</span>;
  const { long, short } = delimiterName(delimiter, text);
  return (
    <button
      type="button"
      class="status-item format"
      title={text.get('formatHint')}
      onClick={({ currentTarget }) => openFormat(store, currentTarget)}
    >
      <Forms long={decimalComma ? `${long}, ${text.get('decimalComma')}` : long} short={short} />
    </button>
  );
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

/** The class of the line while its parts are measured at full width. */
const MEASURING = 'measuring';

/** Shortens the line until it fits, by adding one class after the other; each shortens or hides a part of it. */
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
