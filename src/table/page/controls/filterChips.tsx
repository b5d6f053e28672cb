import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TableColumn } from '../../../columns/tableSummary';
import { columnName, type TableText } from '../../../pages/page/pageText';
import type { CommonParts } from '../../../pages/page/widgets/commonParts';
import { Icon, IconButton } from '../../../pages/page/widgets/parts';
import { type PageFilter, rangeEndText } from '../filterList';
import type { TableStore } from '../state/tableStore';
import { openFilterMenu } from './filterMenu';

interface ChipsProps {
  store: TableStore;
}

/** The sorting and the filters in words, each with a button that removes it; a filter can be turned off and stay listed. */
export function FilterChips({ store }: ChipsProps) {
  const { table, levels, filters, text, rows } = store;
  const listed = levels.otherFilters.value;
  // Where a change was refused, a box has to show again what is in force.
  void filters.refused.value;
  const isEmpty = listed.length === 0 && table.sort.length === 0;
  const root = useRef<HTMLDivElement>(null);
  const refocus = root.current && keepFocus(root.current, () => rows.enterGrid());
  useLayoutEffect(() => refocus?.());
  return (
    <div class="filter-chips" ref={root}>
      <ul class="chip-list" hidden={isEmpty}>
        {table.sort.length > 0 && <SortChip store={store} />}
        {listed.map(each => (
          <Chip key={JSON.stringify(each.filter)} store={store} filter={each} />
        ))}
      </ul>
      <button
        type="button"
        class="link-button"
        hidden={listed.length < 2}
        onClick={() => levels.clearOthers()}
      >
        {text.get('clearFilters')}
      </button>
      <span class="no-filters" hidden={!isEmpty}>
        {text.get('noFilters')}
      </span>
    </div>
  );
}

/** The controls of a chip. */
const CONTROLS = 'button,input';

/**
 * Call before the chips change; returns what is done then. Where the control with the focus is gone, that of the chip in its
 * place gets it, or where there is none, `lost` is called.
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

function SortChip({ store: { table, columns, text } }: ChipsProps) {
  const named = table.sort.map(({ column, descending }) =>
    text.get(descending ? 'descending' : 'ascending', columnName(table.table.columns, column, text)),
  );
  const words = text.get('sortedBy', named.join(' · '));
  return (
    <li class="chip sort-chip">
      <span class="chip-words" title={words}>
        {words}
      </span>
      <IconButton icon="close" label={text.get('clearSort')} onClick={() => columns.clearSort()} />
    </li>
  );
}

function Chip({ store, filter: each }: ChipsProps & { filter: PageFilter }) {
  const { table, filters, text } = store;
  const { filter, lasso, off } = each;
  void filters.refused.value;
  const partsOf = (column: number) => table.texts.of(column);
  const words = filterWords(each, table.table.columns, text, table.rowCount, partsOf);
  return (
    <li class={off ? 'chip off' : 'chip'}>
      <input
        type="checkbox"
        checked={!off}
        aria-label={words}
        title={text.get(off ? 'turnOnFilter' : 'turnOffFilter')}
        onChange={({ currentTarget }) => filters.turn(each, currentTarget.checked)}
      />
      {filter.kind === 'rowSet' ? (
        <span class="chip-words" title={words}>
          <Icon name={lasso ? 'circle-large' : 'layers'} />
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
      <IconButton icon="close" label={text.get('removeFilter', words)} onClick={() => filters.remove(each)} />
    </li>
  );
}

/** Values named in a chip before they are only counted. */
const MAX_NAMED = 2;
const MAX_VALUE_LENGTH = 32;
/** Values that a caption names. */
const MAX_WHOLE = 50;

/**
 * A filter in words, for its chip; `matching` is the number of rows that pass all filters that are on. `isWhole`: with all its values
 * and texts, for where it isn't seen otherwise.
 */
export function filterWords(
  { filter, lasso, off }: PageFilter,
  columns: readonly TableColumn[],
  text: TableText,
  matching: number,
  partsOf: (column: number) => CommonParts,
  isWhole = false,
): string {
  const name = (column: number) => columnName(columns, column, text);
  switch (filter.kind) {
    case 'range': {
      const { from, to } = filter;
      if (from !== null && from === to)
        return text.get('filterValues', name(filter.column), rangeEndText(from));
      if (from === null) return text.get('filterTo', name(filter.column), rangeEndText(to));
      if (to === null) return text.get('filterFrom', name(filter.column), rangeEndText(from));
      return text.get('filterRange', name(filter.column), rangeEndText(from), rangeEndText(to));
    }
    case 'values': {
      const parts = partsOf(filter.column);
      const named = [
        ...filter.values.map(value => (isWhole ? value : parts.cut(value, fits))),
        ...(filter.missing ? [text.get('missingValue')] : []),
      ];
      const words =
        named.length <= (isWhole ? MAX_WHOLE : MAX_NAMED)
          ? named.join(', ')
          : text.count('filterValueCount', named.length);
      return text.get(filter.exclude ? 'filterNotValues' : 'filterValues', name(filter.column), words);
    }
    case 'text': {
      const keys = { contains: 'filterContains', equals: 'filterEquals', regex: 'filterRegex' } as const;
      const shown = isWhole ? filter.text : partsOf(filter.column).cut(filter.text, fits);
      const words = text.get(keys[filter.match], name(filter.column), shown);
      return filter.exclude ? text.get('filterNot', words) : words;
    }
    case 'missing':
      return text.get(filter.missing ? 'filterMissing' : 'filterPresent', name(filter.column));
    case 'rowSet':
      if (off)
        return lasso ? text.get('filterLassoOff', name(lasso.x), name(lasso.y)) : text.get('filterImageOff');
      return lasso
        ? text.count('filterLasso', matching, name(lasso.x), name(lasso.y))
        : text.count('filterImage', matching);
  }
}

function fits(value: string): boolean {
  return value.length <= MAX_VALUE_LENGTH;
}
