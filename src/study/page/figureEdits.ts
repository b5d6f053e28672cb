/** A user's changes of a figure; absent fields have their defaults. */
export interface FigureEdits {
  /**
   * Texts of titles, axes and conditions by `wordKey` of their defaults: each measure has its own
   * texts.
   */
  words?: Readonly<Record<string, string>> | undefined;
  /** Colors of replicates, #rrggbb, by their names as JSON. */
  colors?: Readonly<Record<string, string>> | undefined;
  /** Conditions from left to right; missing ones follow. */
  order?: readonly string[] | undefined;
  size?: FigureSize | undefined;
}

/** Width of a figure: one or two columns of a journal, or a slide. */
export type FigureSize = 'column' | 'columns' | 'slide';

/** Parts of a figure with a text that users can change. */
export type FigureWord = 'title' | 'measure' | 'conditions' | 'effects' | 'condition' | 'replicates';

/** The key of a text: the part of the figure, with its default text. */
export function wordKey(what: FigureWord, words: string): string {
  return `${what} ${words}`;
}

/**
 * Maximum number of stored texts and colors, including those of earlier measures and conditions.
 */
const MAX_WORDS = 200;

/** A figure with changes; undefined ones restore defaults. Undefined if nothing differs. */
export function withEdits(figure: FigureEdits | undefined, changes: FigureEdits): FigureEdits | undefined {
  const entries = Object.entries({ ...figure, ...changes }).filter(([, value]) => value !== undefined);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** Renames a part of a figure; '' or the default text restores the default. */
export function renaming(
  figure: FigureEdits | undefined,
  { what, own: defaultText, words }: { what: FigureWord; own: string; words: string },
): FigureEdits {
  const text = words.trim();
  const isChanged = text !== '' && text !== defaultText;
  return { words: withEntry(figure?.words, wordKey(what, defaultText), isChanged ? text : undefined) };
}

/** Sets the color of a replicate by its name as JSON; undefined restores the default. */
export function recoloring(
  figure: FigureEdits | undefined,
  key: string,
  color: string | undefined,
): FigureEdits {
  return { colors: withEntry(figure?.colors, key, color) };
}

/**
 * Moves a condition by a number of positions, to the left if negative. Undefined if nothing moves.
 */
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

/** The latest entries with a changed one; undefined if none are left. */
function withEntry(
  entries: Readonly<Record<string, string>> | undefined,
  key: string,
  value: string | undefined,
): Record<string, string> | undefined {
  const otherEntries = Object.entries(entries ?? {}).filter(([entryKey]) => entryKey !== key);
  if (value !== undefined) otherEntries.push([key, value]);
  return otherEntries.length > 0 ? Object.fromEntries(otherEntries.slice(-MAX_WORDS)) : undefined;
}

/** Conditions from left to right: first those in `order`. */
export function orderedConditions(
  groups: readonly { condition: string }[],
  order: readonly string[] = [],
): string[] {
  const conditions = groups.map(({ condition }) => condition);
  const ordered = order.filter(condition => conditions.includes(condition));
  return [...ordered, ...conditions.filter(condition => !ordered.includes(condition))];
}
