import { FORMULA_FUNCTIONS, type FormulaType } from '../formulaFunctions';
import type { NamedColumn } from '../formula';
import { bracketed, tokensOf } from '../formulaTokens';

/** A possible completion of a formula at the caret. */
export interface Completion {
  /** The text that replaces [start, end). */
  insert: string;
  start: number;
  end: number;
  /** The caret's position in the formula afterwards. */
  caret: number;
  /** A column's name, or a function, as in a formula. */
  label: string;
  /** The type of a column; undefined for a function or a word. */
  type?: FormulaType;
}

/** Maximum number of listed completions. */
const MAX_LISTED = 50;
const WORDS = ['and', 'or', 'not', 'yes', 'no'];

/**
 * Completions of the name in brackets or the word before the caret, prefix matches first. None
 * within a text. Without such a name or word, only if the user requested completions.
 */
export function completionsAt(
  formula: string,
  caret: number,
  columns: readonly NamedColumn[],
  isExplicit = false,
): Completion[] {
  const before = tokensOf(formula.slice(0, caret)).at(-1);
  const isName = before?.kind === 'column' && before.isOpen === true;
  if (before?.kind === 'text' && before.isOpen) return [];
  const isWord = before?.kind === 'word' && before.end === caret;
  if (!isName && !isWord && !isExplicit) return [];
  const { start, text } = isName || isWord ? before : { start: caret, text: '' };
  const typedText = text.toLowerCase();
  // The rest of a name and its bracket, unless another one begins before it ends.
  const restLength = isName ? /^[^[\]\n"]*\]/.exec(formula.slice(caret))?.[0].length : 0;
  const end = caret + (restLength ?? 0);
  const complete = (insert: string, label: string, caretOffset = 0) => {
    return { insert, label, start, end, caret: start + insert.length - caretOffset };
  };
  const columnItems = columns
    .filter(({ computed }) => !computed?.isInvalid)
    .map(({ name, kind, computed }) => ({
      ...complete(bracketed(name), name),
      name,
      type: computed?.type ?? kind,
    }));
  const wordItems = WORDS.map(name => ({ ...complete(name, name), name }));
  // The caret goes between the parentheses.
  const functionItems = FORMULA_FUNCTIONS.flatMap(({ name, syntax }) =>
    syntax === undefined ? [] : [{ ...complete(`${name}()`, syntax, 1), name }],
  );
  const all = isName ? columnItems : [...functionItems, ...columnItems, ...wordItems];
  const withText = all.filter(({ name }) => name.toLowerCase().includes(typedText));
  const isPrefixed = ({ name }: { name: string }) => name.toLowerCase().startsWith(typedText);
  const matches = [...withText.filter(isPrefixed), ...withText.filter(match => !isPrefixed(match))];
  // A complete name needs no list.
  const isComplete = matches.length === 1 && matches[0]?.insert === formula.slice(start, end);
  return isComplete ? [] : matches.slice(0, MAX_LISTED);
}
