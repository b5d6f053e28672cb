import { t } from './l10n';
import type { TableColumn } from '../../columns/tableSummary';

/** A column's header on pages. Files may leave it empty, or without the unit that is known. */
export function columnName(columns: readonly Pick<TableColumn, 'name' | 'unit'>[], column: number): string {
  const { name, unit } = columns[column] ?? {};
  if (!name) return t('Column {0}', column + 1);
  return unit === undefined ? name : t('{0} ({1})', name, unit);
}

/** Beyond this, digits of numbers that aren't whole are too many to read. */
const LARGE = 1e15;
const SMALL = 1e-4;

/** A number for reading: integers whole while all digits are known, others to six digits. */
export function formatNumber(value: number): string {
  if (Number.isSafeInteger(value) || !Number.isFinite(value)) return t.number(value);
  const magnitude = Math.abs(value);
  if (magnitude >= LARGE || (magnitude < SMALL && value !== 0)) return value.toExponential(5);
  return t.number(value, Math.max(0, 5 - Math.floor(Math.log10(magnitude))));
}

/** A part in percent, unsigned, `digits` decimals at most. Only none is 0, only all is 100. */
export function percentOf(part: number, whole: number, digits = 1): string {
  const percent = whole > 0 ? (100 * part) / whole : 0;
  const least = 10 ** -digits;
  if (part > 0 && percent < least / 2) return `<${t.number(least, digits)}`;
  if (part < whole && percent >= 100 - least / 2) return `>${t.number(100 - least, digits)}`;
  return t.number(percent, digits);
}
