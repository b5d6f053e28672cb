/** What cells are searched for. */
export interface CellSearch {
  text: string;
  caseSensitive?: boolean;
  /** The whole cell is the text, rather than a part of it. */
  wholeCell?: boolean;
}

/** The test of a search; that of nothing matches nothing. */
export function cellMatcher({ text, caseSensitive, wholeCell }: CellSearch): (cell: string) => boolean {
  const plain = (words: string) => (caseSensitive ? words : words.toLowerCase());
  const wanted = plain(text);
  if (wanted === '') return () => false;
  return wholeCell ? cell => plain(cell) === wanted : cell => plain(cell).includes(wanted);
}
