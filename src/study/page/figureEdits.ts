/** A user's changes of the figure; absent ones have defaults. */
export interface FigureEdits {
  /**
   * Names of titles, axes and conditions, by `wordKey` of their defaults: words of one measure are
   * never shown with another.
   */
  words?: Readonly<Record<string, string>> | undefined;
  /** Colors of replicates, #rrggbb, by their names as JSON. */
  colors?: Readonly<Record<string, string>> | undefined;
  /** Conditions from left to right; others follow. */
  order?: readonly string[] | undefined;
  size?: FigureSize | undefined;
}

/** A column or two of a journal, or a slide. */
export type FigureSize = 'column' | 'columns' | 'slide';

/** Parts of a figure with words to change. */
export type FigureWord = 'title' | 'measure' | 'conditions' | 'effects' | 'condition' | 'replicates';

export function wordKey(what: FigureWord, words: string): string {
  return `${what} ${words}`;
}

/** Maximum number of stored names and colors, of measures and conditions shown at some time. */
const MAX_WORDS = 200;

/** A figure with changes; undefined ones are defaults. Undefined if all are. */
export function withEdits(figure: FigureEdits | undefined, changes: FigureEdits): FigureEdits | undefined {
  const all = Object.entries({ ...figure, ...changes }).filter(([, value]) => value !== undefined);
  return all.length > 0 ? Object.fromEntries(all) : undefined;
}

/** Calls a part of a figure otherwise; by '' or its own words as it comes. */
export function renaming(
  figure: FigureEdits | undefined,
  { what, own, words }: { what: FigureWord; own: string; words: string },
): FigureEdits {
  const wanted = words.trim();
  const isOther = wanted !== '' && wanted !== own;
  return { words: withEntry(figure?.words, wordKey(what, own), isOther ? wanted : undefined) };
}

/** Gives a replicate, by its name as JSON, a color; undefined for that which it has by itself. */
export function recoloring(
  figure: FigureEdits | undefined,
  key: string,
  color: string | undefined,
): FigureEdits {
  return { colors: withEntry(figure?.colors, key, color) };
}

/** Moves a condition right by places, or left if negative; undefined if it is there already. */
export function moving(
  figure: FigureEdits | undefined,
  groups: readonly { condition: string }[],
  { condition, by }: { condition: string; by: number },
): FigureEdits | undefined {
  const order = orderedConditions(groups, figure?.order);
  const from = order.indexOf(condition);
  const to = Math.max(0, Math.min(order.length - 1, from + by));
  if (from < 0 || from === to) return undefined;
  order.splice(to, 0, ...order.splice(from, 1));
  return { order };
}

/** The latest entries, with another one; undefined without any. */
function withEntry(
  entries: Readonly<Record<string, string>> | undefined,
  key: string,
  value: string | undefined,
): Record<string, string> | undefined {
  const others = Object.entries(entries ?? {}).filter(([each]) => each !== key);
  if (value !== undefined) others.push([key, value]);
  return others.length > 0 ? Object.fromEntries(others.slice(-MAX_WORDS)) : undefined;
}

/** Conditions from left to right: those of an order first. */
export function orderedConditions(
  groups: readonly { condition: string }[],
  order: readonly string[] = [],
): string[] {
  const conditions = groups.map(({ condition }) => condition);
  const known = order.filter(condition => conditions.includes(condition));
  return [...known, ...conditions.filter(condition => !known.includes(condition))];
}
