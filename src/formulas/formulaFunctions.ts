import { roundedDecimal } from './roundedDecimal';

/*
 * The functions of formulas. All values are doubles, so that one kind of array suffices: numbers; 1
 * and 0 for yes and no; positions of texts in a list of texts; NaN if missing.
 */

/** The texts of a formula that is evaluated, each once. */
export interface TextList {
  text(place: number): string;
  /** The same in lower case. */
  lower(place: number): string;
  place(text: string): number;
}

/**
 * Results of some rows: `out[0…count)` from as many values per argument; `out` may be an argument's
 * array.
 */
type Kernel = (out: Float64Array, args: readonly Float64Array[], count: number, texts: TextList) => void;

/** Reasons why a value is missing although its operands aren't. */
export type MissingReason = 'divisionsByZero' | 'logarithms' | 'roots' | 'undefinedResults';

interface FunctionOf<N extends string> {
  readonly name: N;
  /** For users; undefined for an operator. */
  readonly syntax?: string;
  readonly least: number;
  readonly most: number;
  /** The type of all arguments; 'same' for any one type. Those of `if` are checked separately. */
  readonly takes: 'number' | 'text' | 'flag' | 'same' | 'if';
  /** Its type; undefined for the type of its arguments. */
  readonly gives?: 'number' | 'text' | 'flag';
  readonly kernel: Kernel;
  /** Why a result is missing although no value is. */
  readonly reasonOf?: (args: readonly number[]) => MissingReason;
}

const pair =
  (of: (a: number, b: number) => number): Kernel =>
  (out, [a, b], count) => {
    const [left, right] = [a as Float64Array, b as Float64Array];
    for (let at = 0; at < count; at++) out[at] = of(left[at] as number, right[at] as number);
  };

const single =
  (of: (a: number) => number): Kernel =>
  (out, [a], count) => {
    const values = a as Float64Array;
    for (let at = 0; at < count; at++) out[at] = of(values[at] as number);
  };

/** A function of two values for any number of them, from the first to the last. */
const folded =
  (of: (a: number, b: number) => number): Kernel =>
  (out, args, count) => {
    out.set((args[0] as Float64Array).subarray(0, count));
    for (let arg = 1; arg < args.length; arg++) {
      const values = args[arg] as Float64Array;
      for (let at = 0; at < count; at++) out[at] = of(out[at] as number, values[at] as number);
    }
  };

/** For pairs of texts; mostly the same pair follows. */
const pairOfTexts = (of: (a: number, b: number, texts: TextList) => number): Kernel => {
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

const binary = { least: 2, most: 2 } as const;
const unary = { least: 1, most: 1 } as const;
const arithmetic = { ...binary, takes: 'number', gives: 'number' } as const;
const comparison = { ...binary, takes: 'number', gives: 'flag' } as const;
const equality = { ...binary, takes: 'same', gives: 'flag' } as const;
const logical = { takes: 'flag', gives: 'flag' } as const;
const ofNumber = { ...unary, takes: 'number', gives: 'number' } as const;
const ofNumbers = { ...ofNumber, most: Infinity } as const;
const logarithm = { ...ofNumber, reasonOf: () => 'logarithms' as const } as const;

// Loops of arithmetic are written out: through one function they are several times slower.
const functions = [
  {
    name: '+',
    ...arithmetic,
    kernel: (out, [a, b], count) => {
      const [left, right] = [a as Float64Array, b as Float64Array];
      for (let at = 0; at < count; at++) out[at] = (left[at] as number) + (right[at] as number);
    },
  },
  {
    name: '-',
    ...arithmetic,
    kernel: (out, [a, b], count) => {
      const [left, right] = [a as Float64Array, b as Float64Array];
      for (let at = 0; at < count; at++) out[at] = (left[at] as number) - (right[at] as number);
    },
  },
  {
    name: '*',
    ...arithmetic,
    kernel: (out, [a, b], count) => {
      const [left, right] = [a as Float64Array, b as Float64Array];
      for (let at = 0; at < count; at++) out[at] = (left[at] as number) * (right[at] as number);
    },
  },
  {
    name: '/',
    ...arithmetic,
    kernel: (out, [a, b], count) => {
      const [left, right] = [a as Float64Array, b as Float64Array];
      for (let at = 0; at < count; at++) {
        const divisor = right[at] as number;
        out[at] = divisor === 0 ? NaN : (left[at] as number) / divisor;
      }
    },
    reasonOf: ([, divisor]) => (divisor === 0 ? 'divisionsByZero' : 'undefinedResults'),
  },
  { name: '^', ...arithmetic, kernel: pair((a, b) => power(a, b)) },
  { name: 'negative', ...ofNumber, kernel: single(value => -value) },
  { name: '<', ...comparison, kernel: pair((a, b) => (a < b ? 1 : a >= b ? 0 : NaN)) },
  { name: '<=', ...comparison, kernel: pair((a, b) => (a <= b ? 1 : a > b ? 0 : NaN)) },
  { name: '>', ...comparison, kernel: pair((a, b) => (a > b ? 1 : a <= b ? 0 : NaN)) },
  { name: '>=', ...comparison, kernel: pair((a, b) => (a >= b ? 1 : a < b ? 0 : NaN)) },
  { name: '=', ...equality, kernel: pair((a, b) => (a === b ? 1 : a === a && b === b ? 0 : NaN)) },
  { name: '<>', ...equality, kernel: pair((a, b) => (a === b ? 0 : a === a && b === b ? 1 : NaN)) },
  // Of 1, 0 and NaN.
  { name: 'and', ...binary, ...logical, kernel: pair((a, b) => a * b) },
  { name: 'or', ...binary, ...logical, kernel: pair((a, b) => a + b - a * b) },
  { name: 'not', ...unary, ...logical, kernel: single(a => 1 - a) },
  {
    name: '&',
    ...binary,
    takes: 'text',
    gives: 'text',
    kernel: pairOfTexts((a, b, texts) => texts.place(texts.text(a) + texts.text(b))),
  },
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
  {
    name: 'ln',
    syntax: 'ln(number)',
    ...logarithm,
    kernel: single(value => (value > 0 ? Math.log(value) : NaN)),
  },
  {
    name: 'log10',
    syntax: 'log10(number)',
    ...logarithm,
    kernel: single(value => (value > 0 ? Math.log10(value) : NaN)),
  },
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
  { name: 'min', syntax: 'min(number, number, …)', ...ofNumbers, kernel: folded(Math.min) },
  { name: 'max', syntax: 'max(number, number, …)', ...ofNumbers, kernel: folded(Math.max) },
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
