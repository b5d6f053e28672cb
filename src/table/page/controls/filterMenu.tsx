import { t } from '../../../pages/page/l10n';
import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { isCoded } from '../../../base/errors';
import {
  type ColumnStatisticId,
  type ColumnStatistics,
  fromJsonStatistics,
  listedStatistics,
  columnStatisticNames,
} from '../../../columns/columnStatistics';
import type { ColumnFilter, Filter } from '../../../columns/viewSpec';
import { digitsBetween } from '../../../pages/page/numbers';
import { columnName, formatNumber } from '../../../pages/page/columnName';
import { IconButton } from '../../../pages/page/widgets/parts';
import { openPopover } from '../../../pages/page/widgets/popover';
import { RangeBrush } from '../../../pages/page/widgets/rangeBrush';
import { TypingDebounce } from '../../../pages/page/widgets/timing';
import {
  brushRange,
  columnFilter,
  hasFilter,
  isShown,
  type PageFilter,
  rangeEndText,
  rangeOfBrush,
  type TypedRange,
  typedRangeEnd,
  withColumnFilter,
  withoutColumn,
  withShown,
} from '../filterList';
import { idColumns } from '../grid/gridColumns';
import { binWords } from '../grid/headerCell';
import type { TableStore } from '../state/tableStore';

const WIDTH = 272;
const MATCHES = ['contains', 'equals', 'regex'] as const;
const MATCH_NAMES = {
  contains: t.later({ message: 'contains', comment: 'A text contains another' }),
  equals: t.later('is exactly'),
  regex: t.later('matches the regular expression'),
} as const;
/** A column with more different numbers is continuous: selecting single values is useless. */
const MAX_VALUES = 50;

/** Opens the filters of a column in a popover at its header or chip. Changes apply at once. */
export function openFilterMenu(store: TableStore, column: number, anchor: Element): void {
  const name = columnName(store.table.table.columns, column);
  openPopover({
    anchor,
    label: t('Filter {0}', name),
    className: 'filter-menu',
    view: close => <FilterMenu store={store} column={column} name={name} close={close} />,
    onClosed: () => {
      // The focused element is gone: changing a filter replaces its chip.
      if (document.activeElement === document.body) store.columns.focus(column);
    },
  });
}

interface MenuProps {
  store: TableStore;
  column: number;
  /** Name of the column. */
  name: string;
  close: () => void;
}

/** Inputs of the menu's parts: the column, and a function that changes its filters. */
interface PartProps extends Pick<MenuProps, 'store' | 'column'> {
  change: (kind: ColumnFilter['kind'], filter: Filter | null) => void;
}

function FilterMenu({ store, column, name, close }: MenuProps) {
  const { table: model } = store;
  const { columns } = model.table;
  const { kind, isRounded } = columns[column] ?? {};
  const refusal = useSignal('');
  // In a column of numbers, values are listed once it turns out to have few.
  const listsValues = useSignal(
    kind === 'text' || columnFilter(model.latestFilters, column, 'values') !== undefined,
  );
  /**
   * Applies filters. If the engine refuses them, such as an incomplete regular expression, shows
   * why; the filters stay unchanged.
   */
  const apply = async (filters: readonly PageFilter[]) => {
    try {
      await model.setFilters(filters);
      refusal.value = '';
    } catch (error) {
      if (!isCoded(error, 'cancelled'))
        refusal.value = error instanceof Error ? error.message : String(error);
    }
  };
  const part: PartProps = {
    store,
    column,
    change: (filterKind, filter) =>
      void apply(withColumnFilter(model.latestFilters, column, filterKind, filter)),
  };
  return (
    <>
      <div class="popover-head">
        <h2 class="popover-title" title={name}>
          {name}
        </h2>
        <ColumnActions store={store} column={column} name={name} close={close} />
        <IconButton
          icon="clear-all"
          label={t('Remove the Filters of {0}', name)}
          onClick={() => {
            void apply(withoutColumn(model.latestFilters, column));
            close();
          }}
        />
      </div>
      <OffNote {...part} />
      {store.additions.map(({ columns: added }, at) => (
        <Fragment key={at}>{added?.popover?.(column, close)}</Fragment>
      ))}
      {kind === 'number' ? <RangePart {...part} /> : <TextPart {...part} />}
      <StatisticsPart {...part} listsValues={listsValues} />
      {isRounded && (
        <p class="popover-note">{t('{0} has integers beyond 2⁵³. Plots and statistics round them.', name)}</p>
      )}
      <MissingPart {...part} />
      <div>{listsValues.value && <ValueList {...part} />}</div>
      <p class="filter-refusal" role="alert" hidden={refusal.value === ''}>
        {refusal}
      </p>
    </>
  );
}

/** Actions on a column other than filtering: buttons that show the current state. */
function ColumnActions({ store: { table, columns }, column, name, close }: MenuProps) {
  const key = table.sort.find(sortKey => sortKey.column === column);
  const isPinned = columns.layout.value.pinned.includes(column);
  const direction = (icon: string, words: string, order: 'asc' | 'desc') => {
    const isOn = key !== undefined && key.descending === (order === 'desc');
    return (
      <IconButton
        icon={icon}
        label={words}
        aria-pressed={isOn}
        onClick={() => {
          columns.sort(column, isOn ? null : order);
          close();
        }}
      />
    );
  };
  return (
    <>
      {direction('arrow-up', t('Sort by {0}, ascending', name), 'asc')}
      {direction('arrow-down', t('Sort by {0}, descending', name), 'desc')}
      <IconButton
        icon={isPinned ? 'pinned' : 'pin'}
        label={isPinned ? t('Unpin {0}', name) : t('Pin {0}', name)}
        aria-pressed={isPinned}
        onClick={() => {
          columns.pin(column, !isPinned);
          close();
        }}
      />
      <IconButton
        icon="eye-closed"
        label={t('Hide {0}', name)}
        disabled={!columns.canHide}
        onClick={() => {
          columns.hide(column);
          close();
        }}
      />
    </>
  );
}

/** A note if a filter of the column is turned off: a change turns it on. */
function OffNote({ store: { table }, column }: PartProps) {
  const turnedOff = table.latestFilters.filter(pageFilter => pageFilter.off);
  return (
    <p class="popover-note" hidden={!hasFilter(turnedOff, column)}>
      {t('Turned off. A change turns it on.')}
    </p>
  );
}

/** Loads a value now and whenever the rows change. A later load cancels an earlier one. */
function useLoaded<T>(
  { table, messages }: TableStore,
  load: (signal: AbortSignal) => Promise<T>,
): ReadonlySignal<T | undefined> {
  const loaded = useSignal<T | undefined>(undefined);
  useLayoutEffect(() => {
    let loading = new AbortController();
    const start = () => {
      loading.abort();
      const { signal } = (loading = new AbortController());
      load(signal).then(
        value => signal.aborted || (loaded.value = value),
        (error: unknown) => messages.failed(t.later("Couldn't apply the filter: {0}"), error),
      );
    };
    start();
    const following = table.onDidChange(change => change !== 'sort' && start());
    return () => {
      following.dispose();
      loading.abort();
    };
  }, []);
  return loaded;
}

/** Calls the latest function once the user pauses typing. */
function useTyped(run: () => void): () => void {
  const latest = useRef(run);
  latest.current = run;
  return useMemo(() => new TypingDebounce(() => latest.current()), []).typed;
}

/** The range of a column of numbers. IDs have no histogram: they aren't measurements. */
function RangePart({ store, column, change }: PartProps) {
  const { table: model } = store;
  const isId = idColumns(model.table.columns).has(column);
  const current = useSignal<TypedRange | null>(columnFilter(model.latestFilters, column, 'range') ?? null);
  const from = useSignal(rangeEndText(current.peek()?.from ?? null));
  const to = useSignal(rangeEndText(current.peek()?.to ?? null));
  const isRefused = useSignal({ from: false, to: false });
  const select = (range: TypedRange | null) => {
    current.value = range;
    change('range', range && { kind: 'range', column, ...range });
  };
  const typed = useTyped(() => {
    const comma = model.table.decimalComma;
    const [min, max] = [typedRangeEnd(from.peek(), comma), typedRangeEnd(to.peek(), comma)];
    isRefused.value = { from: min === undefined, to: max === undefined };
    if (min === undefined || max === undefined) return;
    const range = min === null && max === null ? null : { from: min, to: max };
    brush.setRange(range && brushRange(range));
    select(range);
  });
  const brush = useMemo(
    () =>
      new RangeBrush({
        width: WIDTH,
        height: 56,
        read: (value, low, high) => t.significant(value, digitsBetween(low, high)),
        describe: (low, high, count) => binWords(low, high, count),
        ends: {
          low: t({ message: 'From', comment: 'Low end of a range of numbers' }),
          high: t({ message: 'To', comment: 'High end of a range of numbers' }),
        },
        onChange: (brushed, final) => {
          const range = brushed && rangeOfBrush(brushed, current.peek());
          from.value = rangeEndText(range?.from ?? null);
          to.value = rangeEndText(range?.to ?? null);
          if (final) select(range);
        },
      }),
    [],
  );
  const holder = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const range = current.peek();
    brush.setRange(range && brushRange(range));
    holder.current?.append(brush.root);
  }, []);
  const data = useLoaded(store, async signal => ({
    histogram: isId ? undefined : await model.histogram({ column }, signal),
  })).value;
  useLayoutEffect(() => {
    if (data?.histogram) brush.setData(data.histogram);
  }, [data]);
  const input = (label: string, end: 'from' | 'to', value: Signal<string>) => (
    <input
      type="text"
      inputMode="decimal"
      class="input"
      aria-label={label}
      placeholder={label}
      value={value}
      aria-invalid={isRefused.value[end]}
      onInput={({ currentTarget }) => {
        value.value = currentTarget.value;
        typed();
      }}
    />
  );
  return (
    <div class="filter-part">
      <div ref={holder} hidden={data && !data.histogram} />
      <div class="range-inputs">
        {input(t({ message: 'From', comment: 'Low end of a range of numbers' }), 'from', from)}
        <span aria-hidden="true">–</span>
        {input(t({ message: 'To', comment: 'High end of a range of numbers' }), 'to', to)}
      </div>
    </div>
  );
}

/** The column's statistics. If it has few values, lists them, too. */
function StatisticsPart({ store, column, listsValues }: PartProps & { listsValues: Signal<boolean> }) {
  const { table: model } = store;
  const loaded = useLoaded(store, async signal => {
    const params = { columns: [column], filters: model.statisticsFilters.filters };
    const [columnStatistics] = (await model.request('tableStatistics', params, signal)).statistics;
    const statistics = columnStatistics && fromJsonStatistics(columnStatistics);
    if (statistics && !signal.aborted && (statistics.distinct ?? Infinity) <= MAX_VALUES)
      listsValues.value = true;
    return statistics && { statistics, areNarrower: model.statisticsAreNarrower };
  }).value;
  return (
    <div class="filter-part statistics">
      {loaded && <StatisticsList statistics={loaded.statistics} />}
      {loaded?.areNarrower && <p class="popover-note">{t('Image rows only.')}</p>}
    </div>
  );
}

function TextPart({ store: { table }, column, change }: PartProps) {
  const before = useMemo(() => columnFilter(table.latestFilters, column, 'text'), []);
  const match = useSignal<(typeof MATCHES)[number]>(before?.match ?? 'contains');
  const words = useSignal(before?.text ?? '');
  const isExact = useSignal(before?.caseSensitive === true);
  const changed = () => {
    const filter = { kind: 'text', column, match: match.peek(), text: words.peek() } as const;
    const none = words.peek() === '';
    change('text', none ? null : { ...filter, ...(isExact.peek() && { caseSensitive: true }) });
  };
  const typed = useTyped(changed);
  return (
    <div class="filter-part text-filter">
      <select
        class="input"
        aria-label={t('How to match the text')}
        value={match.value}
        onChange={({ currentTarget }) => {
          match.value = MATCHES.find(option => option === currentTarget.value) ?? 'contains';
          changed();
        }}
      >
        {MATCHES.map(option => (
          <option key={option} value={option}>
            {MATCH_NAMES[option]()}
          </option>
        ))}
      </select>
      <input
        type="text"
        class="input"
        aria-label={t({ message: 'Text', comment: 'Noun: text to filter by' })}
        placeholder={t({ message: 'Text', comment: 'Noun: text to filter by' })}
        value={words.value}
        onInput={({ currentTarget }) => {
          words.value = currentTarget.value;
          typed();
        }}
      />
      <IconButton
        icon="case-sensitive"
        label={t('Match Case')}
        aria-pressed={isExact.value}
        onClick={() => {
          isExact.value = !isExact.value;
          changed();
        }}
      />
    </div>
  );
}

function MissingPart({ store: { table }, column, change }: PartProps) {
  const before = useMemo(() => columnFilter(table.latestFilters, column, 'missing'), []);
  const options = [
    ['', t({ message: 'Any', comment: 'Rows with or without a value' })],
    ['present', t('Has a value')],
    ['missing', t('Is empty')],
  ] as const;
  const selected = before ? (before.missing ? 'missing' : 'present') : '';
  return (
    <div class="filter-part">
      <select
        class="input"
        aria-label={t('Missing values')}
        onChange={({ currentTarget: { value } }) =>
          change('missing', value === '' ? null : { kind: 'missing', column, missing: value === 'missing' })
        }
      >
        {options.map(([value, words]) => (
          <option key={value} value={value} selected={value === selected}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Values listed at once; users search for others. */
const MAX_LISTED = 200;
/** Characters shown of a value. */
const MAX_SHOWN = 1000;

type ValuesFilter = Extract<Filter, { kind: 'values' }>;

/** A value in the list, with its number of rows if known. Undefined for missing cells. */
interface ListedValue {
  value: string | undefined;
  count?: number;
}

/** The values of a column with their counts: rows with a selected value match. */
function ValueList({ store, column, change }: PartProps) {
  const { table: model, messages } = store;
  const none: ValuesFilter = { kind: 'values', column, values: [] };
  const filter = useSignal(columnFilter(model.latestFilters, column, 'values') ?? none);
  const listed = useSignal<{ values: ListedValue[]; note: string } | undefined>(undefined);
  const search = useRef('');
  const listing = useRef(new AbortController());
  const list = async () => {
    listing.current.abort();
    const { signal } = (listing.current = new AbortController());
    const searchText = search.current;
    try {
      // Counts are of the rows that match all other filters: the rows that selecting a value would
      // show.
      const filters = model.spec.filters?.filter(
        other => !(other.kind === 'values' && other.column === column),
      );
      const params = { column, limit: MAX_LISTED, filters, ...(searchText !== '' && { search: searchText }) };
      const { values, distinct, missing } = await model.request('tableDistinct', params, signal);
      const listedTexts = new Set(values.map(value => value.text));
      const unlisted = searchText === '' ? filter.peek().values.filter(value => !listedTexts.has(value)) : [];
      const isCut = distinct > values.length;
      listed.value = {
        values: [
          ...unlisted.map(value => ({ value })),
          ...values.map(({ text: value, count }) => ({ value, count })),
          ...(missing > 0 && searchText === '' ? [{ value: undefined, count: missing }] : []),
        ],
        note:
          values.length === 0
            ? t('No matching values')
            : isCut
              ? t('The {0} most frequent of {1} values. Search to find others.', values.length, distinct)
              : '',
      };
    } catch (error) {
      messages.failed(t.later("Couldn't apply the filter: {0}"), error);
    }
  };
  useLayoutEffect(() => {
    void list();
    return () => listing.current.abort();
  }, []);
  const typed = useTyped(() => void list());
  return (
    <div class="filter-part">
      <input
        type="search"
        class="input"
        placeholder={t('Search values')}
        aria-label={t('Search values')}
        onInput={({ currentTarget }) => {
          search.current = currentTarget.value;
          typed();
        }}
      />
      <div class="value-list" role="group" aria-label={t('Values')}>
        {listed.value?.values.map(({ value, count }) => {
          const label = (value ?? t('(missing)')).slice(0, MAX_SHOWN);
          return (
            <label key={value === undefined ? 'missing' : `=${value}`} class="value-row" title={label}>
              <input
                type="checkbox"
                checked={isShown(filter.value, value)}
                onChange={({ currentTarget }) => {
                  const changed = withShown(filter.peek(), value, currentTarget.checked);
                  filter.value = changed ?? { ...filter.peek(), values: [], missing: false };
                  change('values', changed);
                }}
              />
              <span class="value-text">{label}</span>
              {count !== undefined && <span class="value-count">{t.number(count)}</span>}
            </label>
          );
        })}
      </div>
      <p class="value-note" role="status">
        {listed.value?.note}
      </p>
    </div>
  );
}

/** Significant digits if they suffice to distinguish numbers. */
const DIGITS = 4;

/** A column's statistics as a list of terms. Unknown ones are left out. */
function StatisticsList({ statistics }: { statistics: ColumnStatistics }) {
  const { min, max } = statistics;
  const rangeDigits = min !== null && max !== null ? digitsBetween(min, max) : DIGITS;
  const words = (id: ColumnStatisticId, value: number) =>
    t.significant(value, id === 'sd' ? DIGITS : rangeDigits);
  return (
    <dl
      class="statistics-list"
      title={t(
        'Of the rows shown, missing values excluded. Infinite values are in no mean and no SD. SD with n − 1; quartiles by linear interpolation.',
      )}
    >
      {listedStatistics.map(id => {
        const value = statistics[id];
        if (value === null || (id === 'infinite' && value === 0)) return null;
        const shown = formatNumber(value);
        return (
          <div key={id}>
            <dt>{columnStatisticNames[id](t)}</dt>
            <dd title={shown}>{Number.isInteger(value) ? shown : words(id, value)}</dd>
          </div>
        );
      })}
    </dl>
  );
}
