import { t } from '../../../pages/page/l10n';
import { isOfColumn } from '../../../columns/viewSpec';
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TableColumn } from '../../../columns/tableSummary';
import { columnName } from '../../../pages/page/columnName';
import type { CommonParts } from '../../../pages/page/widgets/commonParts';
import { Button, Icon, IconButton } from '../../../pages/page/widgets/parts';
import { openPopover } from '../../../pages/page/widgets/popover';
import { type PageFilter, rangeEndText } from '../filterList';
import type { TableStore } from '../state/tableStore';
import { openFilterMenu } from './filterMenu';

interface ChipsProps {
  store: TableStore;
}

/** Width of a chip with a short text, with the gap beside it, in pixels. */
const MIN_CHIP = 92;
/** Width of the button that lists all chips, with its gap. */
const MORE = 40;

/**
 * How many chips fit into a width in pixels. If not all do, a button that lists all replaces the
 * first ones. At least one chip stays.
 */
export function chipsThatFit(count: number, room: number): number {
  if (count * MIN_CHIP <= room) return count;
  return Math.min(count, Math.max(1, Math.floor((room - MORE) / MIN_CHIP)));
}

/** Filters in words, as on their chips. */
export function filterListWords(
  { table }: Pick<TableStore, 'table'>,
  filters: readonly PageFilter[],
  isWhole = false,
): string {
  const { columns } = table.table;
  return filters
    .map(pageFilter =>
      filterWords(pageFilter, columns, table.rowCount, column => table.texts.of(column), isWhole),
    )
    .join(' · ');
}

/**
 * The sort order and the filters as chips, each with a button to remove it. A filter can be turned
 * off and stays listed. In a narrow page, texts of chips are cut off, and the first chips are left
 * out: the last ones are the latest changes.
 */
export function FilterChips({ store }: ChipsProps) {
  const { table, levels, filters, rows } = store;
  const listed = levels.otherFilters.value;
  // Read for its updates: after a refused change, checkboxes must show the current state again.
  void filters.refused.value;
  const hasSort = table.sort.length > 0;
  const isEmpty = listed.length === 0 && !hasSort;
  const root = useRef<HTMLDivElement>(null);
  const refocus = root.current && keepFocus(root.current, () => rows.enterGrid());
  useLayoutEffect(() => refocus?.());
  const room = useSignal(Infinity);
  useLayoutEffect(() => {
    const { current: chips } = root;
    const line = chips?.parentElement;
    if (!chips || !line) return undefined;
    const measure = () => (room.value = roomOf(chips, line));
    measure();
    const resized = new ResizeObserver(measure);
    // Other items in the line appear and disappear.
    for (const item of [line, ...line.children, ...chips.querySelectorAll('.link-button')])
      resized.observe(item);
    return () => resized.disconnect();
  }, [listed.length, hasSort]);
  const count = listed.length + (hasSort ? 1 : 0);
  const fitCount = chipsThatFit(count, room.value);
  const shown = listed.slice(Math.max(0, listed.length - fitCount));
  const openAll = (anchor: Element) =>
    openPopover({
      anchor,
      label: t({ message: 'Filters', comment: 'Noun' }),
      className: 'all-chips',
      view: close => <AllChips store={store} close={close} />,
    });
  return (
    <div class="filter-chips" ref={root}>
      <ul class="chip-list" hidden={isEmpty}>
        {fitCount < count && (
          <li class="more-chips">
            <Button
              aria-haspopup="dialog"
              aria-label={`+${count - fitCount}: ${t('Show All {0} Filters and Sorting', count)}`}
              title={t('Show All {0} Filters and Sorting', count)}
              onClick={({ currentTarget }) => openAll(currentTarget)}
            >
              {`+${count - fitCount}`}
            </Button>
          </li>
        )}
        {hasSort && fitCount > listed.length && <SortChip store={store} />}
        {shown.map(pageFilter => (
          <Chip key={JSON.stringify(pageFilter.filter)} store={store} filter={pageFilter} />
        ))}
      </ul>
      <button
        type="button"
        class="link-button"
        hidden={listed.length < 2}
        onClick={() => levels.clearOthers()}
      >
        {t('Clear Filters')}
      </button>
      <span class="no-filters" hidden={!isEmpty}>
        {t('No filters')}
      </span>
    </div>
  );
}

/** Width that other items of the line leave for chips, in pixels. */
function roomOf(chips: HTMLElement, line: HTMLElement): number {
  const style = getComputedStyle(line);
  const gap = Number.parseFloat(style.columnGap) || 0;
  let room = line.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
  for (const item of line.children) {
    if (item === chips || !(item instanceof HTMLElement) || item.offsetWidth === 0) continue;
    // An item that grows into free space counts with its minimum width.
    const minWidth = Number.parseFloat(getComputedStyle(item).minWidth);
    room -= gap + (minWidth > 0 ? minWidth : item.offsetWidth);
  }
  const clear = chips.querySelector<HTMLElement>('.link-button:not([hidden])');
  return clear
    ? room - clear.offsetWidth - (Number.parseFloat(getComputedStyle(chips).columnGap) || 0)
    : room;
}

/** All chips, one below the other, with as much text as fits into the page. */
function AllChips({ store, close }: ChipsProps & { close: () => void }) {
  const { table, levels, rows } = store;
  const listed = levels.otherFilters.value;
  const isEmpty = listed.length === 0 && table.sort.length === 0;
  const root = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    if (isEmpty) {
      close();
      rows.enterGrid();
    } else if (!root.current?.contains(document.activeElement))
      root.current?.querySelector<HTMLElement>(CONTROLS)?.focus();
  });
  return (
    <ul class="chip-list" ref={root}>
      {table.sort.length > 0 && <SortChip store={store} />}
      {listed.map(pageFilter => (
        <Chip key={JSON.stringify(pageFilter.filter)} store={store} filter={pageFilter} />
      ))}
    </ul>
  );
}

/** The controls of a chip. */
const CONTROLS = 'button,input';

/**
 * Call it before the chips change, and the returned function after. If the focused control was
 * removed, the focus moves to the chip in its place; without any chip, calls `lost`.
 */
function keepFocus(root: HTMLElement, lost: () => void): (() => void) | undefined {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !root.contains(focused)) return undefined;
  const chips = () => [...root.querySelectorAll('.chip')];
  const chipIndex = chips().findIndex(chip => chip.contains(focused));
  const controlIndex = [...(chips()[chipIndex]?.querySelectorAll(CONTROLS) ?? [])].indexOf(focused);
  return () => {
    if (document.activeElement === focused && !focused.hidden) return;
    const remaining = chips();
    const successors =
      remaining[Math.min(chipIndex, remaining.length - 1)]?.querySelectorAll<HTMLElement>(CONTROLS);
    if (controlIndex < 0 || !successors) lost();
    else successors[Math.min(controlIndex, successors.length - 1)]?.focus();
  };
}

function SortChip({ store: { table, columns } }: ChipsProps) {
  const sortedColumns = table.sort.map(({ column, descending }) =>
    descending
      ? t('{0}, descending', columnName(table.table.columns, column))
      : t('{0}, ascending', columnName(table.table.columns, column)),
  );
  const words = t('Sorted by {0}', sortedColumns.join(' · '));
  return (
    <li class="chip sort-chip">
      <span class="chip-words" title={words}>
        {words}
      </span>
      <IconButton icon="close" label={t('Clear Sorting')} onClick={() => columns.clearSort()} />
    </li>
  );
}

function Chip({ store, filter: pageFilter }: ChipsProps & { filter: PageFilter }) {
  const { table, filters } = store;
  const { filter, lasso, off } = pageFilter;
  void filters.refused.value;
  const partsOf = (column: number) => table.texts.of(column);
  const words = filterWords(pageFilter, table.table.columns, table.rowCount, partsOf);
  return (
    <li class={off ? 'chip off' : 'chip'}>
      <input
        type="checkbox"
        checked={!off}
        aria-label={words}
        title={off ? t('Turn on the filter') : t('Turn off the filter')}
        onChange={({ currentTarget }) => filters.turn(pageFilter, currentTarget.checked)}
      />
      {!isOfColumn(filter) ? (
        <span class="chip-words" title={words}>
          <Icon
            name={lasso ? 'circle-large' : filter.kind === 'population' ? 'type-hierarchy-sub' : 'layers'}
          />
          {words}
        </span>
      ) : (
        <button
          type="button"
          class="chip-words"
          title={words}
          onClick={({ currentTarget }) => openFilterMenu(store, filter.column, currentTarget)}
        >
          {words}
        </button>
      )}
      <IconButton
        icon="close"
        label={t('Remove the filter "{0}"', words)}
        onClick={() => filters.remove(pageFilter)}
      />
    </li>
  );
}

/** Values that a chip names; of more values it shows the number. */
const MAX_NAMED = 2;
const MAX_VALUE_LENGTH = 32;
/** Values that the text of a caption names. */
const MAX_WHOLE = 50;

/**
 * A filter in words, for its chip. `matchCount`: number of rows that match all active filters. With
 * `isWhole`, values and texts aren't shortened.
 */
export function filterWords(
  { filter, lasso, off }: PageFilter,
  columns: readonly TableColumn[],
  matchCount: number,
  partsOf: (column: number) => CommonParts,
  isWhole = false,
): string {
  const name = (column: number) => columnName(columns, column);
  switch (filter.kind) {
    case 'range': {
      const { from, to } = filter;
      if (from !== null && from === to) return t('{0}: {1}', name(filter.column), rangeEndText(from));
      if (from === null) return t('{0}: up to {1}', name(filter.column), rangeEndText(to));
      if (to === null) return t('{0}: from {1}', name(filter.column), rangeEndText(from));
      return t('{0}: {1} to {2}', name(filter.column), rangeEndText(from), rangeEndText(to));
    }
    case 'values': {
      const parts = partsOf(filter.column);
      const names = [
        ...filter.values.map(value => (isWhole ? value : parts.cut(value, isShort))),
        ...(filter.missing ? [t('(missing)')] : []),
      ];
      const words =
        names.length <= (isWhole ? MAX_WHOLE : MAX_NAMED) ? names.join(', ') : t('{0} values', names.length);
      return filter.exclude
        ? t('{0}: not {1}', name(filter.column), words)
        : t('{0}: {1}', name(filter.column), words);
    }
    case 'text': {
      const sentences = {
        contains: t.later('{0} contains "{1}"'),
        equals: t.later('{0} is "{1}"'),
        regex: t.later('{0} matches /{1}/'),
      } as const;
      const shown = isWhole ? filter.text : partsOf(filter.column).cut(filter.text, isShort);
      const words = sentences[filter.match](name(filter.column), shown);
      return filter.exclude ? t('not: {0}', words) : words;
    }
    case 'missing':
      return filter.missing
        ? t('{0} is empty', name(filter.column))
        : t('{0} has a value', name(filter.column));
    case 'population':
      return filter.name;
    case 'rowSet':
      if (off)
        return lasso ? t('Lasso over {0} and {1}', name(lasso.x), name(lasso.y)) : t('Selected on masks');
      return lasso
        ? t.count(
            matchCount,
            'Lasso over {1} and {2}: 1 row',
            'Lasso over {1} and {2}: {0} rows',
            name(lasso.x),
            name(lasso.y),
          )
        : t.count(matchCount, 'Selected on masks: 1 row', 'Selected on masks: {0} rows');
  }
}

function isShort(value: string): boolean {
  return value.length <= MAX_VALUE_LENGTH;
}
