/*
 * The functions of formulas. All values are doubles, so that one kind of array suffices: numbers; 1
 * and 0 for yes and no; positions of texts in a list of texts; NaN if missing.
 */

/** The type of a value; `flag` is yes or no. */
export type FormulaType = 'number' | 'text' | 'flag';

/** Maximum number of different texts of a formula: each takes memory. */
const MAX_TEXTS = 4_000_000;

/** The different texts of a formula's values. A value is the position of its text. */
export class Texts {
  private readonly all: string[] = [];
  private readonly lowered: (string | undefined)[] = [];
  private readonly positions = new Map<string, number>();

  /** `numberText` writes a number as in the table. */
  constructor(readonly numberText: (number: number) => string) {}

  text(position: number): string {
    return this.all[position] ?? '';
  }

  /** A text in lower case. */
  lower(position: number): string {
    return (this.lowered[position] ??= this.text(position).toLowerCase());
  }

  /** The position of a text, which is added if it is new. Throws a RangeError for too many. */
  positionOf(text: string): number {
    let position = this.positions.get(text);
    if (position === undefined) {
      if (this.all.length >= MAX_TEXTS) throw new RangeError(`More than ${MAX_TEXTS} texts`);
      position = this.all.push(text) - 1;
      this.positions.set(text, position);
    }
    return position;
  }
}

/** The text of yes or no in a cell. */
export function flagText(value: number): string {
  return value === 1 ? 'yes' : 'no';
}

/** Computes the results of `count` rows into `out`, from as many values of each argument. */
type Kernel = (out: Float64Array, args: readonly Float64Array[], count: number, texts: Texts) => void;

/** Reasons why a value is missing although its operands aren't. */
export type MissingReason = 'divisionsByZero' | 'logarithms' | 'roots' | 'undefinedResults';

interface FunctionOf<N extends string> {
  readonly name: N;
  /** The syntax that users see; undefined for an operator. */
  readonly syntax?: string;
  readonly least: number;
  readonly most: number;
  /** The type of all arguments; `same`: any type, but one for all. `if` is checked separately. */
  readonly takes: FormulaType | 'same' | 'if';
  /** The type of the result; undefined if it is the type of the second argument. */
  readonly gives?: FormulaType;
  readonly kernel: Kernel;
  /** Why a result is missing although no argument is. */
  readonly reasonOf?: (args: readonly number[]) => MissingReason;
}

/** Each operator has its own loop: loops that call a function are several times slower. */
const arithmeticLoop =
  (operator: '+' | '-' | '*' | '/'): Kernel =>
  (out, [a, b], count) => {
    const [left, right] = [a as Float64Array, b as Float64Array];
    if (operator === '+')
      for (let at = 0; at < count; at++) out[at] = (left[at] as number) + (right[at] as number);
    else if (operator === '-')
      for (let at = 0; at < count; at++) out[at] = (left[at] as number) - (right[at] as number);
    else if (operator === '*')
      for (let at = 0; at < count; at++) out[at] = (left[at] as number) * (right[at] as number);
    else
      for (let at = 0; at < count; at++) {
        const divisor = right[at] as number;
        out[at] = divisor === 0 ? NaN : (left[at] as number) / divisor;
      }
  };

const ofOneValue =
  (of: (a: number) => number): Kernel =>
  (out, [a], count) => {
    const values = a as Float64Array;
    for (let at = 0; at < count; at++) out[at] = of(values[at] as number);
  };

/** Applies a function of two values to the first two arguments, then to its result and the next. */
const ofValuesInTurn =
  (of: (a: number, b: number) => number): Kernel =>
  (out, args, count) => {
    out.set((args[0] as Float64Array).subarray(0, count));
    for (let arg = 1; arg < args.length; arg++) {
      const values = args[arg] as Float64Array;
      for (let at = 0; at < count; at++) out[at] = of(out[at] as number, values[at] as number);
    }
  };

/** Applies a function to pairs of texts; the latest result is cached, as pairs often repeat. */
const pairOfTexts = (of: (a: number, b: number, texts: Texts) => number): Kernel => {
  return (out, [a, b], count, texts) => {
    const [left, right] = [a as Float64Array, b as Float64Array];
    let latest: [a: number, b: number, result: number] = [NaN, NaN, NaN];
    for (let at = 0; at < count; at++) {
      const [x, y] = [left[at] as number, right[at] as number];
      if (x !== latest[0] || y !== latest[1]) latest = [x, y, x !== x || y !== y ? NaN : of(x, y, texts)];
      out[at] = latest[2];
    }
  };
};

/** Writes values as texts. */
const asTexts =
  (of: (value: number, texts: Texts) => string): Kernel =>
  (out, [a], count, texts) => {
    for (let at = 0; at < count; at++) {
      const value = a?.[at] ?? NaN;
      out[at] = value === value ? texts.positionOf(of(value, texts)) : NaN;
    }
  };

const joined = (a: number, b: number, texts: Texts) => texts.positionOf(texts.text(a) + texts.text(b));
const ofPositive = (of: (value: number) => number) => (value: number) => (value > 0 ? of(value) : NaN);

const binary = { least: 2, most: 2 } as const;
const unary = { least: 1, most: 1 } as const;
const arithmetic = { ...binary, takes: 'number', gives: 'number' } as const;
const comparison = { ...binary, takes: 'number', gives: 'flag' } as const;
const equality = { ...binary, takes: 'same', gives: 'flag' } as const;
const logical = { takes: 'flag', gives: 'flag' } as const;
const ofNumber = { ...unary, takes: 'number', gives: 'number' } as const;
const ofNumbers = { ...ofNumber, most: Infinity } as const;
const asText = { ...unary, gives: 'text' } as const;
const logarithm = { ...ofNumber, reasonOf: () => 'logarithms' as const } as const;

const functions = [
  { name: '+', ...arithmetic, kernel: arithmeticLoop('+') },
  { name: '-', ...arithmetic, kernel: arithmeticLoop('-') },
  { name: '*', ...arithmetic, kernel: arithmeticLoop('*') },
  {
    name: '/',
    ...arithmetic,
    kernel: arithmeticLoop('/'),
    reasonOf: ([, divisor]) => (divisor === 0 ? 'divisionsByZero' : 'undefinedResults'),
  },
  { name: '^', ...arithmetic, kernel: ofValuesInTurn((a, b) => power(a, b)) },
  { name: 'negative', ...ofNumber, kernel: ofOneValue(value => -value) },
  { name: '<', ...comparison, kernel: ofValuesInTurn((a, b) => (a < b ? 1 : a >= b ? 0 : NaN)) },
  { name: '<=', ...comparison, kernel: ofValuesInTurn((a, b) => (a <= b ? 1 : a > b ? 0 : NaN)) },
  { name: '>', ...comparison, kernel: ofValuesInTurn((a, b) => (a > b ? 1 : a <= b ? 0 : NaN)) },
  { name: '>=', ...comparison, kernel: ofValuesInTurn((a, b) => (a >= b ? 1 : a < b ? 0 : NaN)) },
  { name: '=', ...equality, kernel: ofValuesInTurn((a, b) => (a === b ? 1 : a === a && b === b ? 0 : NaN)) },
  { name: '<>', ...equality, kernel: ofValuesInTurn((a, b) => (a === b ? 0 : a === a && b === b ? 1 : NaN)) },
  // The operands are 1, 0 or NaN.
  { name: 'and', ...binary, ...logical, kernel: ofValuesInTurn((a, b) => a * b) },
  { name: 'or', ...binary, ...logical, kernel: ofValuesInTurn((a, b) => a + b - a * b) },
  { name: 'not', ...unary, ...logical, kernel: ofOneValue(a => 1 - a) },
  { name: '&', ...binary, takes: 'text', gives: 'text', kernel: pairOfTexts(joined) },
  {
    name: 'writtenNumber',
    ...asText,
    takes: 'number',
    kernel: asTexts((value, texts) => texts.numberText(value)),
  },
  { name: 'writtenFlag', ...asText, takes: 'flag', kernel: asTexts(flagText) },
  {
    name: 'if',
    syntax: 'if(condition, then, else)',
    least: 2,
    most: 3,
    takes: 'if',
    kernel: (out, [condition, then, otherwise], count) => {
      for (let at = 0; at < count; at++) {
        const chosen = condition?.[at];
        out[at] = (chosen === 1 ? then?.[at] : chosen === 0 ? otherwise?.[at] : NaN) ?? NaN;
      }
    },
  },
  { name: 'abs', syntax: 'abs(number)', ...ofNumber, kernel: ofOneValue(Math.abs) },
  {
    name: 'sqrt',
    syntax: 'sqrt(number)',
    ...ofNumber,
    kernel: ofOneValue(Math.sqrt),
    reasonOf: () => 'roots',
  },
  { name: 'exp', syntax: 'exp(number)', ...ofNumber, kernel: ofOneValue(Math.exp) },
  { name: 'ln', syntax: 'ln(number)', ...logarithm, kernel: ofOneValue(ofPositive(Math.log)) },
  { name: 'log10', syntax: 'log10(number)', ...logarithm, kernel: ofOneValue(ofPositive(Math.log10)) },
  {
    name: 'round',
    syntax: 'round(number, digits)',
    ...ofNumber,
    most: 2,
    kernel: (out, [values, digits], count) => {
      for (let at = 0; at < count; at++)
        out[at] = roundedDecimal(values?.[at] ?? NaN, digits ? (digits[at] ?? NaN) : 0);
    },
  },
  { name: 'min', syntax: 'min(number, number, …)', ...ofNumbers, kernel: ofValuesInTurn(Math.min) },
  { name: 'max', syntax: 'max(number, number, …)', ...ofNumbers, kernel: ofValuesInTurn(Math.max) },
  {
    name: 'contains',
    syntax: 'contains(text, part)',
    ...binary,
    takes: 'text',
    gives: 'flag',
    // Case doesn't matter, as in filters of texts.
    kernel: pairOfTexts((a, b, texts) => (texts.lower(a).includes(texts.lower(b)) ? 1 : 0)),
  },
] as const satisfies readonly FunctionOf<string>[];

export type FunctionName = (typeof functions)[number]['name'];
export type FormulaFunction = FunctionOf<FunctionName>;

/** All functions and operators. */
export const FORMULA_FUNCTIONS: readonly FormulaFunction[] = functions;

/** Squares are as exact as products. A missing base gives NaN, although NaN ** 0 is 1. */
function power(base: number, exponent: number): number {
  if (base !== base) return NaN;
  return exponent === 2 ? base * base : base ** exponent;
}

/** All doubles from this one on are integers. */
const MIN_WHOLE_DOUBLE = 2 ** 52;

/**
 * A number rounded to some digits after the point, or before it for negative `digits`: rounds its
 * shortest decimal text, half away from zero. So 2.675 becomes 2.68, although its double is a
 * little less. NaN unless `digits` is a whole number.
 */
function roundedDecimal(value: number, digits: number): number {
  if (!Number.isInteger(digits)) return NaN;
  if (!Number.isFinite(value) || value === 0) return value;
  const size = Math.abs(value);
  const rounded = digits === 0 ? roundedWhole(size) : roundedText(size, digits);
  return value < 0 ? -rounded : rounded;
}

/** Rounds to a whole number. Halves are exact doubles, so no text is needed. */
function roundedWhole(size: number): number {
  if (size >= MIN_WHOLE_DOUBLE) return size;
  const whole = Math.trunc(size);
  return size - whole >= 0.5 ? whole + 1 : whole;
}

function roundedText(size: number, digits: number): number {
  // "d.ddde±x" has the shortest digits.
  const [mantissa = '', exponent = '0'] = size.toExponential().split('e');
  const allDigits = mantissa.replace('.', '');
  // The number of digits that remain.
  const count = 1 + Number(exponent) + digits;
  if (count >= allDigits.length) return size;
  if (count < 0) return 0;
  const isUp = allDigits.charCodeAt(count) >= '5'.charCodeAt(0);
  const head = BigInt(allDigits.slice(0, count) || '0') + (isUp ? 1n : 0n);
  return Number(`${head}e${-digits}`);
}
