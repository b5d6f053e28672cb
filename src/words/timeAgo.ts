/** The units in which a time is told, from the largest, in milliseconds. */
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Longer ago than this, a date says more. Milliseconds. */
const MAX_AGO = 7 * 86_400_000;

/** How long ago something was, in few characters: "now", "5m ago", "yesterday", then its date. Both in milliseconds since 1970. */
export function timeAgo(locale: string, moment: number, now: number): string {
  const ago = now - moment;
  if (ago > MAX_AGO) return new Date(moment).toLocaleDateString(locale, { dateStyle: 'medium' });
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' });
  for (const [unit, length] of UNITS) if (ago >= length) return words.format(-Math.floor(ago / length), unit);
  // A clock that is behind the service's makes nothing of the future.
  return words.format(0, 'second');
}
