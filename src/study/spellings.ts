import { numberOfValue } from './imageColumns';

/*
 * Equal values in different spellings: with spaces around them, zero decimals, or decomposed
 * accents, as Macs write file names. Case matters, and so do zeros before a number, as in "007".
 */

/**
 * The common form of all spellings of a value; '' for an empty one. Texts with a comma are kept as
 * they are: it may separate decimals or thousands.
 */
export function plainValue(value: string): string {
  const text = value.normalize('NFC').trim();
  if (/^[+-]?0\d/.test(text) || text.includes(',')) return text;
  const number = numberOfValue(text);
  if (!Number.isFinite(number) || !isExact(text)) return text;
  return String(number === 0 ? 0 : number);
}

/** Whether a double holds the number exactly: longer numbers would equal their neighbors. */
function isExact(text: string): boolean {
  const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');
  return digits.length <= 15;
}

/** The values of a column, with a single spelling for equal values. */
export class Spellings {
  private readonly byPlainValue = new Map<string, Set<string>>();

  add(value: string): void {
    const plain = plainValue(value);
    const sameValue = this.byPlainValue.get(plain);
    if (sameValue) sameValue.add(value);
    else this.byPlainValue.set(plain, new Set([value]));
  }

  /** The plainest spelling of an added value, else the first; null for spaces. */
  of(value: string): string | null {
    const plain = plainValue(value);
    if (plain === '') return null;
    const sameValue = this.byPlainValue.get(plain);
    if (sameValue?.has(plain)) return plain;
    const [first = value] = sameValue ?? [];
    return first;
  }

  /** Values with several spellings. */
  get alike(): { value: string; others: string[] }[] {
    return [...this.byPlainValue].flatMap(([plain, spellings]) => {
      if (plain === '' || spellings.size < 2) return [];
      const value = spellings.has(plain) ? plain : ([...spellings][0] ?? plain);
      return [{ value, others: [...spellings].filter(spelling => spelling !== value) }];
    });
  }
}
