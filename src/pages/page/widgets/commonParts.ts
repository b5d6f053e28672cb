import { Emitter } from '../../../base/event';

/*
 * What texts of a column have in common, so that one that doesn't fit is cut there and not where it
 * differs from the others: of Plate 3/control/coins_1.png and Plate 3/treated/coins_1.png,
 * "…/control/coi…".
 */

/** A piece of a text, and whether all texts have it. */
interface TextPart {
  text: string;
  isSame: boolean;
}

/** Pieces of texts: words, numbers, and single other characters. Ignores longer texts. */
const PIECES = /\p{L}+|\p{N}+|[^\p{L}\p{N}]/gu;
const MAX_PIECES = 64;
/** Maximum number of compared texts: with each, they have less in common. */
const MAX_TEXTS = 100;
/** Less than this isn't cut, as a "…" would take its place. */
const MIN_CUT = 3;

export class CommonParts {
  private readonly texts: string[][] = [];
  /** Pieces that all texts begin with, end with, and have in this order between. */
  private start: string[] = [];
  private middle: string[] = [];
  private end: string[] = [];
  private latest = '';

  static of(texts: Iterable<string>): CommonParts {
    const parts = new CommonParts();
    for (const text of texts) parts.add(text);
    return parts;
  }

  /** Whether several texts are known that have something in common. */
  get isKnown(): boolean {
    return this.texts.length > 1 && this.start.length + this.middle.length + this.end.length > 0;
  }

  /** Learns a text. Whether the texts now have less in common. */
  add(text: string): boolean {
    if (text === '' || text === this.latest) return false;
    this.latest = text;
    const isFirst = this.texts.length === 0;
    if (!isFirst && !this.isKnown && this.texts.length > 1) return false;
    const pieces = piecesOf(text);
    if (!isFirst && this.fits(pieces)) return false;
    this.texts.push(pieces);
    if (this.texts.length > MAX_TEXTS) this.start = this.middle = this.end = [];
    else this.compare();
    return true;
  }

  /** The parts of a text, also of one that wasn't learned. */
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
    pieces.forEach((piece, at) => {
      const isInMiddle = at >= start.length && at < last;
      const isSame = !isInMiddle || piece === middle[matches];
      if (isInMiddle && isSame) matches++;
      add(piece, isSame);
    });
    return parts;
  }

  /**
   * A text cut to what fits: first what all texts share is cut. If that isn't enough, or they share
   * nothing, the text keeps its start or its end.
   */
  cut(text: string, fits: (text: string) => boolean, keep: 'start' | 'end' = 'start'): string {
    if (fits(text)) return text;
    const parts = this.partsOf(text).map(({ text: part }) => part);
    const same = this.partsOf(text)
      .map((part, at) => ({ ...part, at }))
      .filter(part => part.isSame && part.text.length >= MIN_CUT)
      .sort((a, b) => b.text.length - a.text.length);
    for (const { text: part, at } of same) {
      const side = at === 0 && parts.length > 1 ? 'end' : 'start';
      const cut = (length: number) => {
        parts[at] = shortest(part, length, side);
        return parts.join('');
      };
      const room = mostThat(part.length - 2, count => fits(cut(count)));
      const shown = cut(Math.max(0, room));
      if (room >= 0) return shown;
    }
    // Where it is cut already, one "…" after another says no more.
    const rest = parts.join('');
    const cut = (length: number) => shortest(rest, length, keep).replace(/……+/g, '…');
    return cut(
      Math.max(
        0,
        mostThat(rest.length - 1, count => fits(cut(count))),
      ),
    );
  }

  private fits(pieces: readonly string[]): boolean {
    const { start, middle, end } = this;
    if (pieces.length < start.length + middle.length + end.length || pieces.length > MAX_PIECES) return false;
    if (start.some((piece, at) => piece !== pieces[at])) return false;
    if (end.some((piece, at) => piece !== pieces[pieces.length - end.length + at])) return false;
    let matches = 0;
    for (let at = start.length; at < pieces.length - end.length; at++)
      if (pieces[at] === middle[matches]) matches++;
    return matches >= middle.length;
  }

  private compare(): void {
    const [first = [], ...others] = this.texts;
    const shortest = Math.min(...this.texts.map(({ length }) => length));
    const isTooLong = this.texts.some(({ length }) => length > MAX_PIECES);
    const max = isTooLong ? 0 : shortest;
    let from = 0;
    while (from < max && others.every(pieces => pieces[from] === first[from])) from++;
    let to = 0;
    const isSameEnd = () => others.every(pieces => pieces.at(-1 - to) === first.at(-1 - to));
    while (to < max - from && isSameEnd()) to++;
    this.start = first.slice(0, from);
    this.end = to === 0 ? [] : first.slice(-to);
    const between = (pieces: readonly string[]) => pieces.slice(from, pieces.length - to);
    this.middle = isTooLong ? [] : others.map(between).reduce(longestCommon, between(first));
  }
}

function piecesOf(text: string): string[] {
  return text.match(PIECES) ?? [];
}

/** The longest list of pieces that both have in this order. */
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

/** A text with `length` characters of its start or end, and "…" for the others. */
function shortest(text: string, length: number, keep: 'start' | 'end'): string {
  return keep === 'start' ? `${text.slice(0, length)}…` : `…${length === 0 ? '' : text.slice(-length)}`;
}

/** The largest count up to `max` that is as wanted, where smaller ones are too; −1 for none. */
function mostThat(max: number, isWanted: (count: number) => boolean): number {
  let [low, high] = [-1, max];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isWanted(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What the texts of each column that were seen have in common. */
export class SeenTexts {
  private readonly columns = new Map<number, CommonParts>();
  private readonly changed = new Emitter<number>();

  /** The texts of a column have less in common than was known. */
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
