/*
 * The functions of formulas. All values are doubles, so that one kind of array suffices: numbers; 1
 * and 0 for yes and no; positions of texts in a list of texts; NaN if missing.
 */

/** The type of a value; `flag` is yes or no. */
export type FormulaType = 'number' | 'text' | 'flag';

/** Different texts of a formula, at most: each takes memory that no file has. */
const MAX_TEXTS = 4_000_000;

/** The different texts of a formula's values: each is compared and joined by its position. */
export class Texts {
  private readonly all: string[] = [];
  private readonly lowered: (string | undefined)[] = [];
  private readonly places = new Map<string, number>();

  /** `written` gives a number as it is written in the table. */
  constructor(readonly written: (number: number) => string) {}

  text(place: number): string {
    return this.all[place] ?? '';
  }

  /** A text in lower case. */
  lower(place: number): string {
    return (this.lowered[place] ??= this.text(place).toLowerCase());
  }

  /** Throws a RangeError for too many. */
  place(text: string): number {
    let place = this.places.get(text);
    if (place === undefined) {
      if (this.all.length >= MAX_TEXTS) throw new RangeError(`More than ${MAX_TEXTS} texts`);
      place = this.all.push(text) - 1;
      this.places.set(text, place);
    }
    return place;
  }
}

/** The text of yes or no in a cell. */
export function flagText(value: number): string {
  return value === 1 ? 'yes' : 'no';
}

/** Results of some rows: `out[0…count)` from as many values per argument. */
type Kernel = (out: Float64Array, args: readonly Float64Array[], count: number, texts: Texts) => void;

/** Reasons why a value is missing although its operands aren't. */
export type MissingReason = 'divisionsByZero' | 'logarithms' | 'roots' | 'undefinedResults';

interface FunctionOf<N extends string> {
  readonly name: N;
  /** For users; undefined for an operator. */
  readonly syntax?: string;
  readonly least: number;
  readonly most: number;
  /** The type of all arguments; 'same' for any one type. Those of `if` are checked separately. */
  readonly takes: FormulaType | 'same' | 'if';
  /** Its type; undefined for the type of its second argument. */
  readonly gives?: FormulaType;
  readonly kernel: Kernel;
  /** Why a result is missing although no value is. */
  readonly reasonOf?: (args: readonly number[]) => MissingReason;
}

/** Each loop is written out: through a function of two numbers they are several times slower. */
const inLoop =
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

const single =
  (of: (a: number) => number): Kernel =>
  (out, [a], count) => {
    const values = a as Float64Array;
    for (let at = 0; at < count; at++) out[at] = of(values[at] as number);
  };

/** A function of two values for two or more of them, from the first to the last. */
const each =
  (of: (a: number, b: number) => number): Kernel =>
  (out, args, count) => {
    out.set((args[0] as Float64Array).subarray(0, count));
    for (let arg = 1; arg < args.length; arg++) {
      const values = args[arg] as Float64Array;
      for (let at = 0; at < count; at++) out[at] = of(out[at] as number, values[at] as number);
    }
  };

/** For pairs of texts; mostly the same pair follows. */
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
const written =
  (of: (value: number, texts: Texts) => string): Kernel =>
  (out, [a], count, texts) => {
    for (let at = 0; at < count; at++) {
      const value = a?.[at] ?? NaN;
      out[at] = value === value ? texts.place(of(value, texts)) : NaN;
    }
  };

const joined = (a: number, b: number, texts: Texts) => texts.place(texts.text(a) + texts.text(b));
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
  { name: '+', ...arithmetic, kernel: inLoop('+') },
  { name: '-', ...arithmetic, kernel: inLoop('-') },
  { name: '*', ...arithmetic, kernel: inLoop('*') },
  {
    name: '/',
    ...arithmetic,
    kernel: inLoop('/'),
    reasonOf: ([, divisor]) => (divisor === 0 ? 'divisionsByZero' : 'undefinedResults'),
  },
  { name: '^', ...arithmetic, kernel: each((a, b) => power(a, b)) },
  { name: 'negative', ...ofNumber, kernel: single(value => -value) },
  { name: '<', ...comparison, kernel: each((a, b) => (a < b ? 1 : a >= b ? 0 : NaN)) },
  { name: '<=', ...comparison, kernel: each((a, b) => (a <= b ? 1 : a > b ? 0 : NaN)) },
  { name: '>', ...comparison, kernel: each((a, b) => (a > b ? 1 : a <= b ? 0 : NaN)) },
  { name: '>=', ...comparison, kernel: each((a, b) => (a >= b ? 1 : a < b ? 0 : NaN)) },
  { name: '=', ...equality, kernel: each((a, b) => (a === b ? 1 : a === a && b === b ? 0 : NaN)) },
  { name: '<>', ...equality, kernel: each((a, b) => (a === b ? 0 : a === a && b === b ? 1 : NaN)) },
  // Of 1, 0 and NaN.
  { name: 'and', ...binary, ...logical, kernel: each((a, b) => a * b) },
  { name: 'or', ...binary, ...logical, kernel: each((a, b) => a + b - a * b) },
  { name: 'not', ...unary, ...logical, kernel: single(a => 1 - a) },
  { name: '&', ...binary, takes: 'text', gives: 'text', kernel: pairOfTexts(joined) },
  {
    name: 'writtenNumber',
    ...asText,
    takes: 'number',
    kernel: written((value, texts) => texts.written(value)),
  },
  { name: 'writtenFlag', ...asText, takes: 'flag', kernel: written(flagText) },
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
  { name: 'abs', syntax: 'abs(number)', ...ofNumber, kernel: single(Math.abs) },
  { name: 'sqrt', syntax: 'sqrt(number)', ...ofNumber, kernel: single(Math.sqrt), reasonOf: () => 'roots' },
  { name: 'exp', syntax: 'exp(number)', ...ofNumber, kernel: single(Math.exp) },
  { name: 'ln', syntax: 'ln(number)', ...logarithm, kernel: single(ofPositive(Math.log)) },
  { name: 'log10', syntax: 'log10(number)', ...logarithm, kernel: single(ofPositive(Math.log10)) },
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
  { name: 'min', syntax: 'min(number, number, …)', ...ofNumbers, kernel: each(Math.min) },
  { name: 'max', syntax: 'max(number, number, …)', ...ofNumbers, kernel: each(Math.max) },
  {
    name: 'contains',
    syntax: 'contains(text, part)',
    ...binary,
    takes: 'text',
    gives: 'flag',
    // As filters of texts: capital letters don't matter.
    kernel: pairOfTexts((a, b, texts) => (texts.lower(a).includes(texts.lower(b)) ? 1 : 0)),
  },
] as const satisfies readonly FunctionOf<string>[];

export type FunctionName = (typeof functions)[number]['name'];
export type FormulaFunction = FunctionOf<FunctionName>;

/** All functions and operators. */
export const FORMULA_FUNCTIONS: readonly FormulaFunction[] = functions;

/** Squares are as exact as products; a missing operand gives missing, although NaN ^ 0 is 1. */
function power(base: number, exponent: number): number {
  if (base !== base) return NaN;
  return exponent === 2 ? base * base : base ** exponent;
}

/** Doubles from here on are integers. */
const FIRST_INTEGERS = 2 ** 52;

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

/** A half is exact, so no text is needed. */
function roundedWhole(size: number): number {
  if (size >= FIRST_INTEGERS) return size;
  const whole = Math.trunc(size);
  return size - whole >= 0.5 ? whole + 1 : whole;
}

function roundedText(size: number, digits: number): number {
  // "d.ddde±x" has the shortest digits.
  const [mantissa = '', exponent = '0'] = size.toExponential().split('e');
  const all = mantissa.replace('.', '');
  // Digits before the place that is rounded to.
  const count = 1 + Number(exponent) + digits;
  if (count >= all.length) return size;
  if (count < 0) return 0;
  const isUp = all.charCodeAt(count) >= '5'.charCodeAt(0);
  const head = BigInt(all.slice(0, count) || '0') + (isUp ? 1n : 0n);
  return Number(`${head}e${-digits}`);
}
