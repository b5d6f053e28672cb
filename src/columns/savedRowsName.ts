import type { ViewSpec } from './viewSpec';
import type { Translate } from '../words/translate';

/**
 * The file name proposed for the rows that a table shows, which says how they differ from those of the table. A table `measured`
 * from masks is in no file yet.
 */
export function savedRowsName(
  t: Translate,
  result: string,
  { filters, sort }: ViewSpec,
  measured = false,
): string {
  const table = measured ? `${result}-${t('measured')}` : result;
  if (filters && filters.length > 0) return `${table}-${t('filtered')}.csv`;
  if (measured && sort.length === 0) return `${table}.csv`;
  return `${table}-${sort.length > 0 ? t('sorted') : t('copy')}.csv`;
}

/** The file name proposed for groups of the rows of a result. */
export function savedGroupsName(t: Translate, result: string): string {
  return `${result}-${t('groups')}.csv`;
}
