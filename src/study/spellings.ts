import { numberOfValue } from './imageColumns';

/*
 * Equal values in different spellings: with spaces around them, with zero decimals, or with letters
 * and accents apart, as Macs write file names. Case, and zeros before a number, as in "007", are
 * significant.
 */

/**
 * The common form of all spellings of a value; '' for none. A comma may stand before decimals or
 * thousands.
 */
export function plainValue(value: string): string {
  const text = value.normalize('NFC').trim();
  if (/^[+-]?0\d/.test(text) || text.includes(',')) return text;
  const number = numberOfValue(text);
  if (!Number.isFinite(number) || !isExact(text)) return text;
  return String(number === 0 ? 0 : number);
}

/** A number with more digits than a double has equals its neighbors. */
function isExact(text: string): boolean {
  const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');
  return digits.length <= 15;
}

/** The values of a column, of which those that are one and the same have one spelling. */
export class Spellings {
  private readonly known = new Map<string, Set<string>>();

  add(value: string): void {
    const plain = plainValue(value);
    const known = this.known.get(plain);
    if (known) known.add(value);
    else this.known.set(plain, new Set([value]));
  }

  /**
   * The plainest spelling of a value that was added, else the first; null for a value of spaces.
   */
  of(value: string): string | null {
    const plain = plainValue(value);
    if (plain === '') return null;
    const known = this.known.get(plain);
    if (known?.has(plain)) return plain;
    const [first = value] = known ?? [];
    return first;
  }

  /** Values that are written in several ways. */
  get alike(): { value: string; others: string[] }[] {
    return [...this.known].flatMap(([plain, spellings]) => {
      if (plain === '' || spellings.size < 2) return [];
      const value = spellings.has(plain) ? plain : ([...spellings][0] ?? plain);
      return [{ value, others: [...spellings].filter(each => each !== value) }];
    });
  }
}
