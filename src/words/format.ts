import type { Translate } from './translate';

/** A timestamp in the reader's language, to the minute. Returns other text unchanged. */
export function formatTimestamp(locale: string, timestamp: string): string {
  const moment = new Date(timestamp);
  if (Number.isNaN(moment.getTime())) return timestamp;
  return moment.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}

/** A size in decimal units (1 kB = 1,000 bytes), to at most three significant digits. */
export function formatBytes(locale: string, bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toLocaleString(locale, { maximumSignificantDigits: 3 })} ${units[unit]}`;
}

/** A duration of at least 1 s: in seconds, in minutes, or in hours and minutes. */
export function formatDuration(t: Translate, seconds: number): string {
  if (seconds < 60) return t('{0} s', Math.max(1, Math.round(seconds)));
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t('{0} min', minutes);
  return t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
}

/** Maximum characters of a text on one line. */
const MAX_LINE = 72;

/** The first clause of a description, or as many of its words as fit on one line. */
export function firstClause(text: string): string {
  const [clause = ''] = text.trim().split(/[.:;\n](?:\s|$)/, 1);
  if (clause.length <= MAX_LINE) return clause;
  const breakIndex = clause.lastIndexOf(' ', MAX_LINE);
  return `${clause.slice(0, breakIndex > 0 ? breakIndex : MAX_LINE)}…`;
}

/**
 * The text after a description's first clause, for a second line; all of it if the clause is cut.
 */
export function afterFirstClause(text: string): string {
  const trimmedText = text.trim();
  const clause = firstClause(trimmedText);
  return trimmedText.startsWith(clause)
    ? trimmedText.slice(clause.length).replace(/^[.:;\s]+/, '')
    : trimmedText;
}

/** A number of objects: "1 object", "1,234 objects". */
export function countObjects(t: Translate, locale: string, count: number): string {
  return count === 1 ? t('1 object') : t('{0} objects', count.toLocaleString(locale));
}
