import { Emitter } from '../../../base/event';

/*
 * What the texts of a column have in common. A text that doesn't fit is cut there, not where it
 * differs from the others: of Plate 3/control/coins_1.png and Plate 3/treated/coins_1.png, the
 * first is cut to "…/control/coi…".
 */

/** A piece of a text, and whether all texts have it. */
interface TextPart {
  text: string;
  isSame: boolean;
}

/** Pieces of texts: words, numbers, and single other characters. Longer texts are ignored. */
const PIECES = /\p{L}+|\p{N}+|[^\p{L}\p{N}]/gu;
const MAX_PIECES = 64;
/** Maximum number of compared texts: the more there are, the less they have in common. */
const MAX_TEXTS = 100;
/** Fewer characters aren't cut, as "…" would replace them. */
const MIN_CUT = 3;

export class CommonParts {
  private readonly texts: string[][] = [];
  /**
   * Pieces at the start and at the end of all texts, and pieces in the middle in the same order.
   */
  private start: string[] = [];
  private middle: string[] = [];
  private end: string[] = [];
  private latestText = '';

  static of(texts: Iterable<string>): CommonParts {
    const common = new CommonParts();
    for (const text of texts) common.add(text);
    return common;
  }

  /** Whether several texts were added that have something in common. */
  get isKnown(): boolean {
    return this.texts.length > 1 && this.start.length + this.middle.length + this.end.length > 0;
  }

  /** Adds a text. Returns whether the texts now have less in common. */
  add(text: string): boolean {
    if (text === '' || text === this.latestText) return false;
    this.latestText = text;
    const isFirst = this.texts.length === 0;
    if (!isFirst && !this.isKnown && this.texts.length > 1) return false;
    const pieces = piecesOf(text);
    if (!isFirst && this.fits(pieces)) return false;
    this.texts.push(pieces);
    if (this.texts.length > MAX_TEXTS) this.start = this.middle = this.end = [];
    else this.compare();
    return true;
  }

  /** The parts of a text, which needn't have been added. */
  partsOf(text: string): TextPart[] {
    const pieces = piecesOf(text);
    if (!this.isKnown || !this.fits(pieces)) return [{ text, isSame: false }];
    const parts: TextPart[] = [];
    const add = (piece: string, isSame: boolean) => {
      const last = parts.at(-1);
      if (last?.isSame === isSame) last.text += piece;
      else parts.push({ text: piece, isSame });
    };
    const { start, middle, end } = this;
    const last = pieces.length - end.length;
    let matches = 0;
    pieces.forEach((piece, index) => {
      const isInMiddle = index >= start.length && index < last;
      const isSame = !isInMiddle || piece === middle[matches];
      if (isInMiddle && isSame) matches++;
      add(piece, isSame);
    });
    return parts;
  }

  /**
   * A text shortened until it fits: first where all texts are the same. If that isn't enough, or
   * they have nothing in common, only its start or end stays.
   */
  cut(text: string, fits: (text: string) => boolean, keep: 'start' | 'end' = 'start'): string {
    if (fits(text)) return text;
    const parts = this.partsOf(text).map(({ text: part }) => part);
    const sameParts = this.partsOf(text)
      .map((part, index) => ({ ...part, index }))
      .filter(part => part.isSame && part.text.length >= MIN_CUT)
      .sort((a, b) => b.text.length - a.text.length);
    for (const { text: part, index } of sameParts) {
      const side = index === 0 && parts.length > 1 ? 'end' : 'start';
      const cut = (length: number) => {
        parts[index] = cutTo(part, length, side);
        return parts.join('');
      };
      const visibleLength = largestThat(part.length - 2, count => fits(cut(count)));
      const shortenedText = cut(Math.max(0, visibleLength));
      if (visibleLength >= 0) return shortenedText;
    }
    // The parts may be cut already: several "…" become one.
    const shortened = parts.join('');
    const cut = (length: number) => cutTo(shortened, length, keep).replace(/……+/g, '…');
    return cut(
      Math.max(
        0,
        largestThat(shortened.length - 1, count => fits(cut(count))),
      ),
    );
  }

  private fits(pieces: readonly string[]): boolean {
    const { start, middle, end } = this;
    if (pieces.length < start.length + middle.length + end.length || pieces.length > MAX_PIECES) return false;
    if (start.some((piece, index) => piece !== pieces[index])) return false;
    if (end.some((piece, index) => piece !== pieces[pieces.length - end.length + index])) return false;
    let matches = 0;
    for (let index = start.length; index < pieces.length - end.length; index++)
      if (pieces[index] === middle[matches]) matches++;
    return matches >= middle.length;
  }

  private compare(): void {
    const [first = [], ...otherTexts] = this.texts;
    const shortest = Math.min(...this.texts.map(({ length }) => length));
    const isTooLong = this.texts.some(({ length }) => length > MAX_PIECES);
    const max = isTooLong ? 0 : shortest;
    let startLength = 0;
    while (startLength < max && otherTexts.every(pieces => pieces[startLength] === first[startLength]))
      startLength++;
    let endLength = 0;
    const isSameEnd = () =>
      otherTexts.every(pieces => pieces.at(-1 - endLength) === first.at(-1 - endLength));
    while (endLength < max - startLength && isSameEnd()) endLength++;
    this.start = first.slice(0, startLength);
    this.end = endLength === 0 ? [] : first.slice(-endLength);
    const between = (pieces: readonly string[]) => pieces.slice(startLength, pieces.length - endLength);
    this.middle = isTooLong ? [] : otherTexts.map(between).reduce(longestCommon, between(first));
  }
}

function piecesOf(text: string): string[] {
  return text.match(PIECES) ?? [];
}

/** The longest list of pieces that both texts have in the same order. */
function longestCommon(a: readonly string[], b: readonly string[]): string[] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j]
          ? 1 + (lengths[(i + 1) * width + j + 1] ?? 0)
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
  const common: string[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      common.push(a[i] ?? '');
      i++;
      j++;
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i++;
    else j++;
  }
  return common;
}

/** A text with `length` characters of its start or end, and "…" in place of the others. */
function cutTo(text: string, length: number, keep: 'start' | 'end'): string {
  return keep === 'start' ? `${text.slice(0, length)}…` : `…${length === 0 ? '' : text.slice(-length)}`;
}

/**
 * The largest count up to `max` that fulfills a condition, as do all smaller ones; −1 if none does.
 */
function largestThat(max: number, isFulfilled: (count: number) => boolean): number {
  let [low, high] = [-1, max];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isFulfilled(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The common parts of the texts of each column, as far as texts were seen. */
export class SeenTexts {
  private readonly columns = new Map<number, CommonParts>();
  private readonly changed = new Emitter<number>();

  /** The texts of a column have less in common than before. */
  get onDidChange() {
    return this.changed.event;
  }

  of(column: number): CommonParts {
    const parts = this.columns.get(column) ?? new CommonParts();
    this.columns.set(column, parts);
    return parts;
  }

  learn(column: number, texts: Iterable<string>): void {
    const parts = this.of(column);
    let isChanged = false;
    for (const text of texts) isChanged = parts.add(text) || isChanged;
    if (isChanged) this.changed.fire(column);
  }
}
