import type { ComputedColumn } from '../columns/computedColumn';

/*
 * What a formula is written of. Columns are in brackets in which ] is doubled, texts in quotes
 * likewise.
 */

/** The part of a formula that something is about: UTF-16 units, the end not included. */
export interface FormulaSpan {
  start: number;
  end: number;
}

export interface Token extends FormulaSpan {
  kind: 'number' | 'text' | 'column' | 'word' | 'sign' | 'other' | 'end';
  /** The content of a text, the name of a column, or an operator for which others may be written. */
  text: string;
  /** Set for a text or a column that is never closed, and reaches to the end. */
  isOpen?: true;
}

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

/** The tokens of a formula, be it valid or not. */
export function tokensOf(formula: string): Token[] {
  return Array.from(formula.matchAll(TOKEN), ({ 0: written, index: start, groups = {} }): Token => {
    const [kind, content = ''] = Object.entries(groups).find(([, part]) => part !== undefined) ?? ['other'];
    const token = { kind: kind as Token['kind'], start, end: start + written.length };
    if (kind !== 'text' && kind !== 'column') return { ...token, text: SAME_SIGNS.get(content) ?? content };
    const close = kind === 'text' ? '"' : ']';
    const isOpen = written.length === content.length + 1;
    return { ...token, text: content.replaceAll(close + close, close), ...(isOpen && { isOpen }) };
  });
}

/** A column as it is named in a formula. */
export function bracketed(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}

/** The places where a formula names columns. */
export function columnTokens(formula: string): Token[] {
  return tokensOf(formula).filter(({ kind, isOpen }) => kind === 'column' && !isOpen);
}

/** The columns that a formula names, each once. */
export function columnsNamed(formula: string): string[] {
  return [...new Set(columnTokens(formula).map(({ text }) => text))];
}

/** Computed columns that use columns which have other names now. */
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
