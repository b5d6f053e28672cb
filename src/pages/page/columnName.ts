import { t } from './l10n';
import type { TableColumn } from '../../columns/tableSummary';

/** A column's name on pages. The file may have no name, or a name without the known unit. */
export function columnName(columns: readonly Pick<TableColumn, 'name' | 'unit'>[], column: number): string {
  const { name, unit } = columns[column] ?? {};
  if (!name) return t('Column {0}', column + 1);
  return unit === undefined ? name : t('{0} ({1})', name, unit);
}

/** From LARGE on and below SMALL, numbers that aren't integers have too many digits to read. */
const LARGE = 1e15;
const SMALL = 1e-4;

/** A number to read: integers in full as long as they are exact, others with six digits. */
export function formatNumber(value: number): string {
  if (Number.isSafeInteger(value) || !Number.isFinite(value)) return t.number(value);
  const magnitude = Math.abs(value);
  if (magnitude >= LARGE || (magnitude < SMALL && value !== 0)) return value.toExponential(5);
  return t.number(value, Math.max(0, 5 - Math.floor(Math.log10(magnitude))));
}

/** A part in percent with at most `digits` decimals. Only nothing is 0, and only all is 100. */
export function percentOf(part: number, whole: number, digits = 1): string {
  const percent = whole > 0 ? (100 * part) / whole : 0;
  const smallest = 10 ** -digits;
  if (part > 0 && percent < smallest / 2) return `<${t.number(smallest, digits)}`;
  if (part < whole && percent >= 100 - smallest / 2) return `>${t.number(100 - smallest, digits)}`;
  return t.number(percent, digits);
}
