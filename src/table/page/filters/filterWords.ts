import type { TableColumn } from '../../../columns/tableSummary';
import { columnName } from '../../../pages/page/columnName';
import type { CommonParts } from '../../../pages/page/widgets/commonParts';
import type { TableText } from '../../../pages/page/pageText';
import type { PageFilter } from './filterList';
import { rangeEndText } from './rangeEnd';

/** Values named in a chip before they are only counted. */
const MAX_NAMED = 2;
const MAX_VALUE_LENGTH = 32;

/** A filter in words, for its chip; `matching` is the number of rows that pass all filters that are on. */
export function filterWords(
  { filter, lasso, off }: PageFilter,
  columns: readonly TableColumn[],
  text: TableText,
  matching: number,
  partsOf: (column: number) => CommonParts,
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
        ...filter.values.map(value => parts.cut(value, fits)),
        ...(filter.missing ? [text.get('missingValue')] : []),
      ];
      const words =
        named.length <= MAX_NAMED ? named.join(', ') : text.count('filterValueCount', named.length);
      return text.get(filter.exclude ? 'filterNotValues' : 'filterValues', name(filter.column), words);
    }
    case 'text': {
      const keys = { contains: 'filterContains', equals: 'filterEquals', regex: 'filterRegex' } as const;
      return text.get(keys[filter.match], name(filter.column), partsOf(filter.column).cut(filter.text, fits));
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
