import { type Reason, reason } from '../base/reasons';
import type { TableColumn } from '../columns/tableSummary';
import {
  FORMULA_FUNCTIONS,
  type FormulaFunction,
  type FormulaType,
  type FunctionName,
} from './formulaFunctions';
import { type FormulaSpan, type Token, tokensOf } from './formulaTokens';

/*
 * Reads formulas and checks them against the columns of a table. Precedence, loosest first: or,
 * and, not, comparisons, &, + −, × ÷, sign, ^. No formula is evaluated as code: it becomes a tree
 * of limited size and depth, with functions from a fixed list.
 */

/** Maximum number of characters of a formula. */
export const MAX_FORMULA = 10_000;
/** Maximum number of nested parentheses, functions and signs. */
export const MAX_NESTING = 100;
/** Maximum depth of a tree: a sum of many terms is deep even without parentheses. */
const MAX_DEPTH = 1000;

/** A column that formulas may name. */
export type NamedColumn = Pick<TableColumn, 'name' | 'kind' | 'computed'>;

/** The tree of a formula, which is evaluated. */
export type Plan = { type: FormulaType } & (
  | { kind: 'constant'; value: number | string }
  | ColumnPlan
  | { kind: 'call'; function: FormulaFunction; args: readonly Plan[] }
);

interface ColumnPlan {
  kind: 'column';
  /** The type that its values are read as. */
  type: FormulaType;
  /** Its position among the table's columns. */
  column: number;
}

/** A formula that can be evaluated. */
export interface CheckedFormula {
  plan: Plan;
  /** The columns in the plan, each once for every type that it is read as. */
  uses: readonly ColumnPlan[];
  /** Integers in the formula that no double holds exactly, as written. */
  rounded: readonly string[];
}

/** The invalid part of a formula, and the reason. */
export interface FormulaProblem extends FormulaSpan {
  reason: Reason;
}

export type Checked = { checked: CheckedFormula } | { problem: FormulaProblem };

/** Reads a formula, and checks it against the columns of a table. */
export function checkFormula(formula: string, columns: readonly NamedColumn[]): Checked {
  try {
    if (formula.length > MAX_FORMULA)
      fail(reason('The formula has more than {0} characters', MAX_FORMULA), {
        start: MAX_FORMULA,
        end: formula.length,
      });
    const parser = new Parser(formula, columns);
    const plan = parser.parse();
    return { checked: { plan, uses: [...new Set(columnsIn(plan))], rounded: parser.rounded } };
  } catch (error) {
    if (error instanceof InvalidFormula) return { problem: error.problem };
    throw error;
  }
}

function columnsIn(plan: Plan): ColumnPlan[] {
  if (plan.kind === 'column') return [plan];
  return plan.kind === 'call' ? plan.args.flatMap(columnsIn) : [];
}

class InvalidFormula extends Error {
  constructor(readonly problem: FormulaProblem) {
    super(problem.reason.message);
  }
}

function fail(why: Reason, { start, end }: FormulaSpan): never {
  throw new InvalidFormula({ reason: why, start, end });
}

function tooDeep(max: number): Reason {
  return reason('The formula is nested more than {0} levels deep', max);
}

/** The binary operators of each precedence, loosest first. */
const LEVELS: readonly (readonly FunctionName[])[] = [
  ['or'],
  ['and'],
  ['=', '<>', '<', '<=', '>', '>='],
  ['&'],
  ['+', '-'],
  ['*', '/'],
];
/** The precedence of "not": between "and" and comparisons. */
const NOT_LEVEL = 2;

const FLAGS = new Map([
  ['yes', 1],
  ['true', 1],
  ['no', 0],
  ['false', 0],
]);

/** A part of a formula that has been read. */
interface Term extends FormulaSpan {
  plan: Plan;
  depth: number;
}

class Parser {
  /** See CheckedFormula. */
  readonly rounded: string[] = [];
  private readonly tokens: readonly Token[];
  private position = 0;
  private nesting = 0;
  private readonly columnPlans = new Map<string, ColumnPlan>();

  constructor(
    private readonly formula: string,
    private readonly columns: readonly NamedColumn[],
  ) {
    const end = { start: formula.length, end: formula.length };
    this.tokens = [...tokensOf(formula), { kind: 'end', text: '', ...end }];
  }

  parse(): Plan {
    if (this.isAtEnd) fail(reason('Enter a formula, such as {0}', '[Area] / 2'), this.next);
    const { plan } = this.binary(0);
    if (!this.isAtEnd) this.unexpected();
    return plan;
  }

  private get isAtEnd(): boolean {
    return this.next.kind === 'end';
  }

  private get next(): Token {
    return this.tokens[this.position] as Token;
  }

  /** Reads the next token if it is this sign or word. */
  private take(text: string): Token | undefined {
    return isWord(this.next, text) ? this.tokens[this.position++] : undefined;
  }

  private binary(level: number): Term {
    const not = level === NOT_LEVEL && this.take('not');
    if (not) return this.prefixed('not', not, () => this.binary(level));
    const operators = LEVELS[level];
    if (!operators) return this.signed();
    let left = this.binary(level + 1);
    for (let count = 0; ; count++) {
      const { next } = this;
      const name = operators.find(operator => isWord(next, operator));
      if (!name) return left;
      if (level === NOT_LEVEL && count > 0)
        fail(reason('Compare two values at a time, and join comparisons by "and"'), next);
      this.position++;
      const right = this.binary(level + 1);
      left = this.call(name, [left, right], { start: left.start, end: right.end });
    }
  }

  private signed(): Term {
    const minus = this.take('-');
    if (minus) return this.prefixed('negative', minus, () => this.signed());
    const plus = this.take('+');
    if (plus) return this.nested(plus, () => this.signed());
    const base = this.value();
    const power = this.take('^');
    if (!power) return base;
    const exponent = this.nested(power, () => this.signed());
    return this.call('^', [base, exponent], { start: base.start, end: exponent.end });
  }

  private prefixed(name: FunctionName, operator: Token, read: () => Term): Term {
    const operand = this.nested(operator, read);
    return this.call(name, [operand], { start: operator.start, end: operand.end });
  }

  private value(): Term {
    const token = this.next;
    const { kind, text, isOpen } = token;
    this.position++;
    switch (kind) {
      case 'number': {
        const value = Number(text);
        if (!Number.isFinite(value)) fail(reason('The number is too large'), token);
        if (/^\d+$/.test(text) && BigInt(text) !== BigInt(value)) this.rounded.push(text);
        return leaf({ kind: 'constant', type: 'number', value }, token);
      }
      case 'text':
        if (isOpen) fail(reason('The text isn\'t closed: add "'), token);
        return leaf({ kind: 'constant', type: 'text', value: text }, token);
      case 'column':
        if (isOpen) fail(reason("The name isn't closed: add ]. Write ] in a name as ]]"), token);
        return leaf(this.column(token), token);
      case 'word':
        return this.word(token);
      default:
        if (isWord(token, '(')) {
          const inner = this.nested(token, () => this.binary(0));
          this.close(token);
          return inner;
        }
        this.position--;
        return this.unexpected();
    }
  }

  private word(token: Token): Term {
    const name = token.text.toLowerCase();
    const open = this.take('(');
    if (!open) {
      const value = FLAGS.get(name);
      if (value !== undefined) return leaf({ kind: 'constant', type: 'flag', value }, token);
      const notCalled = reason(
        '"{0}" isn\'t a function with arguments. Write columns in brackets: [{0}]',
        token.text,
      );
      return fail(notCalled, token);
    }
    const definition = FORMULA_FUNCTIONS.find(item => item.syntax !== undefined && item.name === name);
    if (!definition) return fail(reason('There is no function "{0}"', token.text), token);
    const args: Term[] = [];
    if (!this.take(')'))
      this.nested(token, () => {
        do args.push(this.binary(0));
        while (this.take(','));
        this.close(open);
      });
    const span = { start: token.start, end: this.tokens[this.position - 1]?.end ?? token.end };
    const { least, most, syntax = '' } = definition;
    if (args.length < least || args.length > most) fail(reason('The function is written {0}', syntax), span);
    return this.call(definition.name, args, span);
  }

  private column(token: Token): ColumnPlan {
    const name = token.text;
    const [match, another] = this.columns.filter(column => column.name === name);
    if (!match) return fail(reason('There is no column "{0}"', name), token);
    if (another) return fail(reason('Several columns are called "{0}"', name), token);
    const { kind, computed } = match;
    if (computed?.isInvalid) return fail(reason('The formula of column "{0}" isn\'t valid', name), token);
    return this.columnAs(computed?.type ?? kind, this.columns.indexOf(match));
  }

  private columnAs(type: FormulaType, column: number): ColumnPlan {
    const key = `${column} ${type}`;
    const plan = this.columnPlans.get(key) ?? { kind: 'column', type, column };
    this.columnPlans.set(key, plan);
    return plan;
  }

  private call(name: FunctionName, args: readonly Term[], { start, end }: FormulaSpan): Term {
    const definition = FORMULA_FUNCTIONS.find(item => item.name === name) as FormulaFunction;
    const depth = 1 + Math.max(...args.map(arg => arg.depth));
    if (depth > MAX_DEPTH) fail(tooDeep(MAX_DEPTH), { start, end });
    const { takes } = definition;
    const plans = args.map(({ plan }) => (takes === 'text' ? this.asText(plan) : plan));
    const [first, second, third] = plans;
    const requireSameType = (one: Plan | undefined, other: Plan | undefined) => {
      if (one && other && one.type !== other.type)
        fail(typesDiffer(name, one.type, other.type), { start, end });
    };
    if (takes === 'if') requireSameType(second, third);
    else if (takes === 'same') requireSameType(first, second);
    for (const [at, { plan, ...span }] of args.entries()) {
      const expected = takes === 'number' || takes === 'flag' ? takes : takes === 'if' && at === 0 && 'flag';
      if (expected && plan.type !== expected) fail(wrongType(name, expected, plan.type), span);
    }
    const type = definition.gives ?? second?.type ?? 'number';
    return { plan: { kind: 'call', type, function: definition, args: plans }, depth, start, end };
  }

  /** Converts a plan to text. A column becomes the exact text of its cells. */
  private asText(plan: Plan): Plan {
    if (plan.kind === 'column') return this.columnAs('text', plan.column);
    if (plan.type === 'text') return plan;
    const name = plan.type === 'number' ? 'writtenNumber' : 'writtenFlag';
    const written = FORMULA_FUNCTIONS.find(item => item.name === name) as FormulaFunction;
    return { kind: 'call', type: 'text', function: written, args: [plan] };
  }

  private close(open: Token): void {
    if (this.take(')')) return;
    if (this.isAtEnd) fail(reason("The parenthesis isn't closed: add )"), open);
    this.unexpected();
  }

  private unexpected(): never {
    const { next } = this;
    const { kind, start, end } = next;
    const [before, , after] = this.tokens.slice(this.position - 1, this.position + 2);
    const isBetweenDigits = before?.kind === 'number' && after?.kind === 'number';
    if (kind === 'end') fail(reason('The formula ends where a value is missing'), next);
    if (isWord(next, ',') && isBetweenDigits && before.end === start && after.start === end)
      fail(reason('Write decimals with a point: commas separate arguments'), next);
    if (kind === 'other' && /['‘’“”]/.test(next.text))
      fail(reason('Write texts in straight double quotes: "text"'), next);
    fail(reason('"{0}" isn\'t expected here', this.formula.slice(start, end)), next);
  }

  private nested<T>(token: Token, read: () => T): T {
    if (++this.nesting > MAX_NESTING) fail(tooDeep(MAX_NESTING), token);
    const result = read();
    this.nesting--;
    return result;
  }
}

function leaf(plan: Plan, { start, end }: Token): Term {
  return { plan, depth: 1, start, end };
}

/** Whether a token is this sign, or this word in any case. */
function isWord({ kind, text }: Token, word: string): boolean {
  return (kind === 'sign' || kind === 'word') && text.toLowerCase() === word;
}

function wrongType(name: FunctionName, expected: 'number' | 'flag', given: FormulaType): Reason {
  const written = name === 'negative' ? '-' : name;
  if (expected === 'number')
    return given === 'text'
      ? reason('"{0}" takes a number, and this is a text', written)
      : reason('"{0}" takes a number, and this is yes or no', written);
  return given === 'text'
    ? reason('"{0}" takes yes or no, and this is a text', written)
    : reason('"{0}" takes yes or no, and this is a number', written);
}

function typesDiffer(name: FunctionName, ...types: FormulaType[]): Reason {
  if (!types.includes('text'))
    return reason('"{0}" takes two values of one type, and these are a number, and yes or no', name);
  return types.includes('number')
    ? reason('"{0}" takes two values of one type, and these are a number and a text', name)
    : reason('"{0}" takes two values of one type, and these are a text, and yes or no', name);
}
