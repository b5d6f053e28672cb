import { bracketed } from './columnReferences';
import { FORMULA_FUNCTIONS, type FunctionName } from './formulaFunctions';

/*
 * The syntax of formulas. Precedence, loosest first: or, and, not, comparisons, &, + −, × ÷, sign,
 * ^. Nothing is ever evaluated as code: a formula becomes a tree, of bounded length and depth, that
 * names functions of a fixed list.
 */

/** Characters of a formula. */
export const MAX_FORMULA = 10_000;
/** Brackets and functions within each other. */
export const MAX_NESTING = 100;
/** The depth of a tree: a sum of many terms is deep without a bracket. */
const MAX_DEPTH = 1000;

/** The part of a formula that something is about: UTF-16 units, the end not included. */
export interface FormulaSpan {
  start: number;
  end: number;
}

export type FormulaNode = FormulaSpan &
  (
    | { kind: 'number'; value: number }
    | { kind: 'text'; value: string }
    | { kind: 'flag'; value: boolean }
    | { kind: 'column'; name: string }
    | { kind: 'call'; name: FunctionName; args: FormulaNode[] }
  );

export type FormulaType = 'number' | 'text' | 'flag';

/** Why a formula isn't valid, without the position. Quoted texts are from the formula. */
type FormulaFault =
  | { kind: 'empty' | 'unfinished' | 'unclosed-text' | 'unclosed-name' | 'single-quotes' | 'decimal-comma' }
  | { kind: 'chained' | 'number-too-large' | 'uses-itself' }
  | { kind: 'too-long' | 'too-deep'; most: number }
  | { kind: 'unexpected' | 'unclosed' | 'bare-name'; text: string }
  | { kind: 'unknown-function' | 'unknown-column' | 'several-columns' | 'invalid-column'; name: string }
  | { kind: 'cycle'; names: string[] }
  | { kind: 'argument-count'; syntax: string }
  | { kind: 'argument-type'; name: string; expected: FormulaType; given: FormulaType }
  | { kind: 'types-differ'; name: string; first: FormulaType; second: FormulaType };

export type FormulaProblem = FormulaFault & FormulaSpan;

export type Parsed = { node: FormulaNode } | { problem: FormulaProblem };

/** Reads a formula. */
export function parseFormula(text: string): Parsed {
  return unlessInvalid(() => {
    if (text.length > MAX_FORMULA)
      fail({ kind: 'too-long', most: MAX_FORMULA }, { start: MAX_FORMULA, end: text.length });
    return { node: new Parser(tokensOf(text)).whole() };
  });
}

/** The parsed formula, or the problem with it. */
export function unlessInvalid<T>(read: () => T): T | { problem: FormulaProblem } {
  try {
    return read();
  } catch (error) {
    if (error instanceof Invalid) return { problem: error.problem };
    throw error;
  }
}

class Invalid extends Error {
  constructor(readonly problem: FormulaProblem) {
    super(problem.kind);
  }
}

export function fail(fault: FormulaFault, { start, end }: FormulaSpan): never {
  throw new Invalid({ ...fault, start, end });
}

/** `text`: the content of a text or column; else the token, with the operators of SAME_SIGNS. */
type Token = FormulaSpan & { kind: 'number' | 'text' | 'column' | 'word' | 'sign' | 'end'; text: string };

/** Characters that users paste, and the operators that they mean. */
const SAME_SIGNS = new Map([
  ['×', '*'],
  ['·', '*'],
  ['÷', '/'],
  ['−', '-'],
  ['≤', '<='],
  ['≥', '>='],
  ['≠', '<>'],
  ['!=', '<>'],
  ['==', '='],
]);

const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /[\p{L}_][\p{L}\p{N}_.]*/uy;
const SIGN = /<=|>=|<>|!=|==|[-+*/^&=<>(),×·÷−≤≥≠]/y;
const SPACE = /\s+/y;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  const add = (kind: Token['kind'], length: number, content: string) => {
    tokens.push({ kind, text: content, start: at, end: at + length });
    at += length;
  };
  while (at < text.length) {
    const space = match(SPACE);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const char = text[at] ?? '';
    if (char === '"' || char === '[') {
      const [close, kind, fault] =
        char === '"'
          ? (['"', 'text', 'unclosed-text'] as const)
          : ([']', 'column', 'unclosed-name'] as const);
      const end = closing(text, at + 1, close);
      if (end < 0) fail({ kind: fault }, { start: at, end: text.length });
      add(kind, end + 1 - at, text.slice(at + 1, end).replaceAll(close + close, close));
      continue;
    }
    if (char === "'" || char === '‘' || char === '’' || char === '“' || char === '”')
      fail({ kind: 'single-quotes' }, { start: at, end: at + 1 });
    const number = match(NUMBER);
    const word = number === undefined ? match(WORD) : undefined;
    const sign = number === undefined && word === undefined ? match(SIGN) : undefined;
    const token = number ?? word ?? sign;
    if (token === undefined) {
      const odd = String.fromCodePoint(text.codePointAt(at) ?? 0);
      fail({ kind: 'unexpected', text: odd }, { start: at, end: at + odd.length });
    }
    const kind = number !== undefined ? 'number' : word !== undefined ? 'word' : 'sign';
    add(kind, token.length, SAME_SIGNS.get(token) ?? token);
  }
  tokens.push({ kind: 'end', text: '', start: text.length, end: text.length });
  return tokens;
}

/** The end of a text or a name, in which the closing character is doubled; −1 without one. */
function closing(text: string, from: number, close: string): number {
  for (let at = text.indexOf(close, from); at >= 0; at = text.indexOf(close, at + 2))
    if (text[at + 1] !== close) return at;
  return -1;
}

/** The precedence of each binary operator, loosest first. */
const LEVELS: readonly ReadonlySet<string>[] = [
  new Set(['or']),
  new Set(['and']),
  new Set(['=', '<>', '<', '<=', '>', '>=']),
  new Set(['&']),
  new Set(['+', '-']),
  new Set(['*', '/']),
];
/** "not" stands between "and" and comparisons. */
const NOT_LEVEL = 2;

class Parser {
  private at = 0;
  private nesting = 0;
  private readonly depths = new WeakMap<FormulaNode, number>();

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): FormulaNode {
    if (this.next.kind === 'end') fail({ kind: 'empty' }, this.next);
    const node = this.binary(0);
    const { next } = this;
    if (next.kind === 'end') return node;
    if (next.text === ',' && this.isDecimalComma) fail({ kind: 'decimal-comma' }, next);
    return fail({ kind: 'unexpected', text: this.written(next) }, next);
  }

  private get next(): Token {
    return this.tokens[this.at] as Token;
  }

  /** Takes the next token where it is this sign or word. */
  private take(text: string): Token | undefined {
    const { next } = this;
    const isSame = next.kind === 'sign' ? next.text === text : next.kind === 'word' && isWord(next, text);
    return isSame ? this.tokens[this.at++] : undefined;
  }

  private binary(level: number): FormulaNode {
    if (level === NOT_LEVEL) {
      const not = this.take('not');
      if (not) return this.call('not', not, [this.within(not, () => this.binary(NOT_LEVEL))]);
    }
    const operators = LEVELS[level];
    if (!operators) return this.signed();
    let left = this.binary(level + 1);
    for (let count = 0; ; count++) {
      const { next } = this;
      const name = next.kind === 'word' ? next.text.toLowerCase() : next.text;
      if ((next.kind !== 'sign' && next.kind !== 'word') || !operators.has(name)) return left;
      if (level === NOT_LEVEL && count > 0) fail({ kind: 'chained' }, next);
      this.at++;
      const right = this.binary(level + 1);
      left = this.call(name as FunctionName, { start: left.start, end: right.end }, [left, right]);
    }
  }

  private signed(): FormulaNode {
    const minus = this.take('-');
    if (minus) {
      const of = this.within(minus, () => this.signed());
      // A number as it is written.
      if (of.kind === 'number') return { ...of, value: -of.value, start: minus.start };
      return this.call('negative', { start: minus.start, end: of.end }, [of]);
    }
    const plus = this.take('+');
    if (plus) return this.within(plus, () => this.signed());
    const base = this.value();
    const power = this.take('^');
    if (!power) return base;
    const exponent = this.within(power, () => this.signed());
    return this.call('^', { start: base.start, end: exponent.end }, [base, exponent]);
  }

  private value(): FormulaNode {
    const { next } = this;
    const { kind, text, start, end } = next;
    this.at++;
    switch (kind) {
      case 'number': {
        const value = Number(text);
        if (!Number.isFinite(value)) fail({ kind: 'number-too-large' }, next);
        return { kind, value, start, end };
      }
      case 'text':
        return { kind, value: text, start, end };
      case 'column':
        return { kind, name: text, start, end };
      case 'word':
        return this.word(next);
      case 'end':
        this.at--;
        return fail({ kind: 'unfinished' }, next);
      case 'sign': {
        if (text !== '(') {
          this.at--;
          return fail({ kind: 'unexpected', text: this.written(next) }, next);
        }
        const node = this.within(next, () => this.binary(0));
        this.close(next);
        return node;
      }
    }
  }

  private word(token: Token): FormulaNode {
    const { text, start, end } = token;
    const name = text.toLowerCase();
    const isCall = this.next.kind === 'sign' && this.next.text === '(';
    if (!isCall) {
      if (name === 'yes' || name === 'true') return { kind: 'flag', value: true, start, end };
      if (name === 'no' || name === 'false') return { kind: 'flag', value: false, start, end };
      return fail({ kind: 'bare-name', text }, token);
    }
    const definition = FORMULA_FUNCTIONS.find(item => item.syntax !== undefined && item.name === name);
    if (!definition) return fail({ kind: 'unknown-function', name: text }, token);
    const open = this.next;
    this.at++;
    const args: FormulaNode[] = [];
    if (!this.take(')'))
      this.within(token, () => {
        do args.push(this.binary(0));
        while (this.take(','));
        this.close(open);
      });
    const { least, most } = definition;
    const span = { start, end: this.tokens[this.at - 1]?.end ?? end };
    if (args.length < least || args.length > most)
      fail({ kind: 'argument-count', syntax: definition.syntax ?? '' }, span);
    return this.call(definition.name, span, args);
  }

  private close(open: Token): void {
    if (this.take(')')) return;
    const { next } = this;
    if (next.kind === 'end') fail({ kind: 'unclosed', text: '(' }, open);
    if (next.text === ',' && this.isDecimalComma) fail({ kind: 'decimal-comma' }, next);
    fail({ kind: 'unexpected', text: this.written(next) }, next);
  }

  /** Whether digits stand on both sides of the next token, without a space. */
  private get isDecimalComma(): boolean {
    const [before, comma, after] = this.tokens.slice(this.at - 1, this.at + 2);
    const isJoined = before?.end === comma?.start && comma?.end === after?.start;
    return isJoined && before?.kind === 'number' && after?.kind === 'number';
  }

  private within<T>(token: Token, read: () => T): T {
    if (++this.nesting > MAX_NESTING) fail({ kind: 'too-deep', most: MAX_NESTING }, token);
    const result = read();
    this.nesting--;
    return result;
  }

  private call(name: FunctionName, { start, end }: FormulaSpan, args: FormulaNode[]): FormulaNode {
    const node: FormulaNode = { kind: 'call', name, args, start, end };
    const depth = 1 + args.reduce((most, arg) => Math.max(most, this.depths.get(arg) ?? 1), 0);
    if (depth > MAX_DEPTH) fail({ kind: 'too-deep', most: MAX_DEPTH }, node);
    this.depths.set(node, depth);
    return node;
  }

  private written({ kind, text }: Token): string {
    return kind === 'column' ? bracketed(text) : kind === 'text' ? `"${text.replaceAll('"', '""')}"` : text;
  }
}

function isWord({ text }: Token, word: string): boolean {
  return text.toLowerCase() === word;
}
