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

/** Width of a chip with short text, and the gap beside it, in pixels. */
const MIN_CHIP = 92;
/** The button that lists all chips, with its gap. */
const MORE = 40;

/**
 * Number of chips that fit, by width in pixels: the first ones give way to a button that lists all.
 * At least one stays.
 */
export function chipsThatFit(count: number, room: number): number {
  if (count * MIN_CHIP <= room) return count;
  return Math.min(count, Math.max(1, Math.floor((room - MORE) / MIN_CHIP)));
}

/** Filters in words, as their chips say them. */
export function filterListWords(
  { table }: Pick<TableStore, 'table'>,
  filters: readonly PageFilter[],
  isWhole = false,
): string {
  const { columns } = table.table;
  return filters
    .map(each => filterWords(each, columns, table.rowCount, column => table.texts.of(column), isWhole))
    .join(' · ');
}

/**
 * The sort order and the filters, each with a button to remove it; a filter can be turned off and
 * stay listed. Narrow chips cut text, never buttons. The last chips stay: they are the latest
 * changes.
 */
export function FilterChips({ store }: ChipsProps) {
  const { table, levels, filters, rows } = store;
  const listed = levels.otherFilters.value;
  // If a change was refused, a checkbox must show the current state again.
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
    // Other items on the line come and go.
    for (const each of [line, ...line.children, ...chips.querySelectorAll('.link-button')])
      resized.observe(each);
    return () => resized.disconnect();
  }, [listed.length, hasSort]);
  const count = listed.length + (hasSort ? 1 : 0);
  const fits = chipsThatFit(count, room.value);
  const shown = listed.slice(Math.max(0, listed.length - fits));
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
        {fits < count && (
          <li class="more-chips">
            <Button
              aria-haspopup="dialog"
              aria-label={`+${count - fits}: ${t('Show All {0} Filters and Sorting', count)}`}
              title={t('Show All {0} Filters and Sorting', count)}
              onClick={({ currentTarget }) => openAll(currentTarget)}
            >
              {`+${count - fits}`}
            </Button>
          </li>
        )}
        {hasSort && fits > listed.length && <SortChip store={store} />}
        {shown.map(each => (
          <Chip key={JSON.stringify(each.filter)} store={store} filter={each} />
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

/** Pixels of the line that other items leave for chips. */
function roomOf(chips: HTMLElement, line: HTMLElement): number {
  const style = getComputedStyle(line);
  const gap = Number.parseFloat(style.columnGap) || 0;
  let room = line.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
  for (const each of line.children) {
    if (each === chips || !(each instanceof HTMLElement) || each.offsetWidth === 0) continue;
    // An item that grows into free room counts with its minimum width.
    const least = Number.parseFloat(getComputedStyle(each).minWidth);
    room -= gap + (least > 0 ? least : each.offsetWidth);
  }
  const clear = chips.querySelector<HTMLElement>('.link-button:not([hidden])');
  return clear
    ? room - clear.offsetWidth - (Number.parseFloat(getComputedStyle(chips).columnGap) || 0)
    : room;
}

/** All chips, one below the other, with all their words that fit into the page. */
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
      {listed.map(each => (
        <Chip key={JSON.stringify(each.filter)} store={store} filter={each} />
      ))}
    </ul>
  );
}

/** The controls of a chip. */
const CONTROLS = 'button,input';

/**
 * Call before the chips change; returns a function to call afterwards. If the control with the
 * focus is gone, the chip in its place gets it; without any, calls `lost`.
 */
function keepFocus(root: HTMLElement, lost: () => void): (() => void) | undefined {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !root.contains(focused)) return undefined;
  const chips = () => [...root.querySelectorAll('.chip')];
  const at = chips().findIndex(chip => chip.contains(focused));
  const control = [...(chips()[at]?.querySelectorAll(CONTROLS) ?? [])].indexOf(focused);
  return () => {
    if (document.activeElement === focused && !focused.hidden) return;
    const left = chips();
    const successors = left[Math.min(at, left.length - 1)]?.querySelectorAll<HTMLElement>(CONTROLS);
    if (control < 0 || !successors) lost();
    else successors[Math.min(control, successors.length - 1)]?.focus();
  };
}

function SortChip({ store: { table, columns } }: ChipsProps) {
  const named = table.sort.map(({ column, descending }) =>
    descending
      ? t('{0}, descending', columnName(table.table.columns, column))
      : t('{0}, ascending', columnName(table.table.columns, column)),
  );
  const words = t('Sorted by {0}', named.join(' · '));
  return (
    <li class="chip sort-chip">
      <span class="chip-words" title={words}>
        {words}
      </span>
      <IconButton icon="close" label={t('Clear Sorting')} onClick={() => columns.clearSort()} />
    </li>
  );
}

function Chip({ store, filter: each }: ChipsProps & { filter: PageFilter }) {
  const { table, filters } = store;
  const { filter, lasso, off } = each;
  void filters.refused.value;
  const partsOf = (column: number) => table.texts.of(column);
  const words = filterWords(each, table.table.columns, table.rowCount, partsOf);
  return (
    <li class={off ? 'chip off' : 'chip'}>
      <input
        type="checkbox"
        checked={!off}
        aria-label={words}
        title={off ? t('Turn on the filter') : t('Turn off the filter')}
        onChange={({ currentTarget }) => filters.turn(each, currentTarget.checked)}
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
        onClick={() => filters.remove(each)}
      />
    </li>
  );
}

/** Maximum number of values that a chip names; more are counted. */
const MAX_NAMED = 2;
const MAX_VALUE_LENGTH = 32;
/** Values that a caption names. */
const MAX_WHOLE = 50;

/**
 * A filter in words, for its chip; `matching` is the number of rows that pass all filters that are
 * on. `isWhole`: with all its values and texts, for where it isn't seen otherwise.
 */
export function filterWords(
  { filter, lasso, off }: PageFilter,
  columns: readonly TableColumn[],
  matching: number,
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
      const named = [
        ...filter.values.map(value => (isWhole ? value : parts.cut(value, fits))),
        ...(filter.missing ? [t('(missing)')] : []),
      ];
      const words =
        named.length <= (isWhole ? MAX_WHOLE : MAX_NAMED) ? named.join(', ') : t('{0} values', named.length);
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
      const shown = isWhole ? filter.text : partsOf(filter.column).cut(filter.text, fits);
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
            matching,
            'Lasso over {1} and {2}: 1 row',
            'Lasso over {1} and {2}: {0} rows',
            name(lasso.x),
            name(lasso.y),
          )
        : t.count(matching, 'Selected on masks: 1 row', 'Selected on masks: {0} rows');
  }
}

function fits(value: string): boolean {
  return value.length <= MAX_VALUE_LENGTH;
}
