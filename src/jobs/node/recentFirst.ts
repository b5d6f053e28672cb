/** The same entries with those used recently first, in the order of `recent`; the others stay as they are. */
export function recentFirst<T extends { id: string }>(entries: readonly T[], recent: readonly string[]): T[] {
  const byId = new Map(entries.map(entry => [entry.id, entry]));
  const first = recent.flatMap(id => byId.get(id) ?? []);
  const isFirst = new Set(first);
  return [...first, ...entries.filter(entry => !isFirst.has(entry))];
}
