import type { TableColumn } from '../../protocol/tableEngine';
import type { PageText } from '../pageText';
import type { PageFilter } from './filterList';

/** Values named in a chip before they are only counted. */
const MOST_NAMED = 2;
const LONGEST_VALUE = 32;

/** A column's header as the page names it. */
export function columnName(columns: readonly TableColumn[], column: number, text: PageText): string {
  return columns[column]?.name || text.get('unnamedColumn', column + 1);
}

/** A filter in words, for its chip. */
export function filterWords(
  { filter, lasso, rows }: PageFilter,
  columns: readonly TableColumn[],
  text: PageText,
): string {
  const name = (column: number) => columnName(columns, column, text);
  switch (filter.kind) {
    case 'range': {
      const { from, to } = filter;
      if (from === null) return text.get('filterTo', name(filter.column), String(to));
      if (to === null) return text.get('filterFrom', name(filter.column), String(from));
      return text.get('filterRange', name(filter.column), String(from), String(to));
    }
    case 'values': {
      const named = [...filter.values.map(shortened), ...(filter.missing ? [text.get('missingValue')] : [])];
      const words =
        named.length <= MOST_NAMED ? named.join(', ') : text.count('filterValueCount', named.length);
      return text.get(filter.exclude ? 'filterNotValues' : 'filterValues', name(filter.column), words);
    }
    case 'text': {
      const key = { contains: 'filterContains', equals: 'filterEquals', regex: 'filterRegex' }[filter.match];
      return text.get(key, name(filter.column), shortened(filter.text));
    }
    case 'missing':
      return text.get(filter.missing ? 'filterMissing' : 'filterPresent', name(filter.column));
    case 'rowSet':
      return lasso
        ? text.get('filterLasso', name(lasso.x), name(lasso.y), rows ?? 0)
        : text.count('filterPicture', rows ?? 0);
  }
}

function shortened(value: string): string {
  return value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE - 1)}…` : value;
}
