/** Characters of a name that are measured; longer ones are cut anyway. */
const MAX_NAME = 200;

/** Width in pixels of a name in at most `lines` lines, words kept whole, at the breaks that make it narrowest. */
export function narrowestLines(name: string, lines: number, measure: (text: string) => number): number {
  const words = wordsOf(name);
  const widths = words.map(measure);
  const space = words.length > 1 ? measure(' ') : 0;
  /** The narrowest that words from `first` on can be in `left` lines. */
  const narrowest = (first: number, left: number): number => {
    let line = 0;
    let best = Infinity;
    for (let at = first; at < words.length; at++) {
      line += (at > first ? space : 0) + (widths[at] ?? 0);
      if (line >= best) break;
      const isLast = at === words.length - 1;
      if (!isLast && left === 1) continue;
      best = Math.min(best, isLast ? line : Math.max(line, narrowest(at + 1, left - 1)));
    }
    return best;
  };
  return words.length === 0 ? 0 : narrowest(0, lines);
}

/** How many lines a name takes within `width` pixels; a word that is too wide counts as one line. */
export function linesOf(name: string, width: number, measure: (text: string) => number): number {
  const words = wordsOf(name);
  const space = words.length > 1 ? measure(' ') : 0;
  let lines = 1;
  let line = 0;
  for (const word of words) {
    const wide = measure(word);
    const longer = line === 0 ? wide : line + space + wide;
    if (line > 0 && longer > width) lines += 1;
    line = line > 0 && longer > width ? wide : longer;
  }
  return lines;
}

function wordsOf(name: string): string[] {
  return name.slice(0, MAX_NAME).split(' ').filter(Boolean);
}
