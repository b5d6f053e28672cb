import type { ComputedColumn } from '../columns/computedColumn';

/*
 * Splits formulas into tokens. A column is in brackets, and a ] in its name is doubled. A text
 * is in quotes, and a quote in it is doubled.
 */

/** A part of a formula, in UTF-16 units; `end` is exclusive. */
export interface FormulaSpan {
  start: number;
  end: number;
}

export interface Token extends FormulaSpan {
  kind: 'number' | 'text' | 'column' | 'word' | 'sign' | 'other' | 'end';
  /** The content of a text, the name of a column, or an operator in its standard form. */
  text: string;
  /** Set for a text or a column that isn't closed: it reaches to the end of the formula. */
  isOpen?: true;
}

/** Other forms of operators, which users may paste, with their standard forms. */
const STANDARD_SIGNS = new Map([
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

const TOKEN = new RegExp(
  [
    /"(?<text>[^"]*(?:""[^"]*)*)"?/,
    /\[(?<column>[^\]]*(?:\]\][^\]]*)*)\]?/,
    /(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/,
    /(?<word>[\p{L}_][\p{L}\p{N}_.]*)/u,
    /(?<sign><=|>=|<>|!=|==|[-+*/^&=<>(),×·÷−≤≥≠])/,
    /(?<other>\S)/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);

/** The tokens of a formula, which may be invalid. */
export function tokensOf(formula: string): Token[] {
  return Array.from(formula.matchAll(TOKEN), ({ 0: written, index: start, groups = {} }): Token => {
    const [kind, content = ''] = Object.entries(groups).find(([, part]) => part !== undefined) ?? ['other'];
    const token = { kind: kind as Token['kind'], start, end: start + written.length };
    if (kind !== 'text' && kind !== 'column')
      return { ...token, text: STANDARD_SIGNS.get(content) ?? content };
    const close = kind === 'text' ? '"' : ']';
    const isOpen = written.length === content.length + 1;
    return { ...token, text: content.replaceAll(close + close, close), ...(isOpen && { isOpen }) };
  });
}

/** The name of a column in the form that formulas use. */
export function bracketed(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}

/** The tokens of a formula that name columns. */
export function columnTokens(formula: string): Token[] {
  return tokensOf(formula).filter(({ kind, isOpen }) => kind === 'column' && !isOpen);
}

/** The distinct names of columns in a formula. */
export function columnsNamed(formula: string): string[] {
  return [...new Set(columnTokens(formula).map(({ text }) => text))];
}

/** Computed columns with the new names of renamed columns in their formulas. */
export function withRenamedInFormulas(
  computed: readonly ComputedColumn[],
  names: ReadonlyMap<string, string>,
): ComputedColumn[] {
  const renamed = (formula: string) =>
    columnTokens(formula).reduceRight((changed, { text, start, end }) => {
      return changed.slice(0, start) + bracketed(names.get(text) ?? text) + changed.slice(end);
    }, formula);
  return computed.map(({ name, formula }) => ({ name, formula: renamed(formula) }));
}
