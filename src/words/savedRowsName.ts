import type { ViewSpec } from '../model/viewSpec';
import type { Translate } from './translate';

/** The file name proposed for the rows that a table shows, which says how they differ from those of the table. */
export function savedRowsName(t: Translate, table: string, { filters, sort }: ViewSpec): string {
  if (filters && filters.length > 0) return `${table}-${t('filtered')}.csv`;
  return `${table}-${sort.length > 0 ? t('sorted') : t('copy')}.csv`;
}
