import type { NamedColumn } from '../checkedFormula';
import { bracketed } from '../columnReferences';
import type { FormulaType } from '../formula';
import { FORMULA_FUNCTIONS } from '../formulaFunctions';

/** The possible completions of a formula at the caret. */
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

/** Completions listed at once. */
const MAX_LISTED = 50;
const WORDS = ['and', 'or', 'not', 'yes', 'no'];

/**
 * Completions of the name in brackets or the word before the caret, prefix matches first. None
 * within a text, and without a prefix, unless `isAsked`.
 */
export function completionsAt(
  formula: string,
  caret: number,
  columns: readonly NamedColumn[],
  isAsked = false,
): Completion[] {
  const place = placeAt(formula, caret);
  if (!place || (place.typed === '' && !place.isName && !isAsked)) return [];
  const { start, typed, isName } = place;
  const wanted = typed.toLowerCase();
  const end = caret + (isName ? restOfName(formula, caret) : 0);
  const ofColumns = columns
    .filter(({ isInvalid }) => !isInvalid)
    .map(({ name, type }): Completion => {
      const insert = bracketed(name);
      return { insert, start, end, caret: start + insert.length, label: name, type };
    });
  const ofFunctions = isName
    ? []
    : FORMULA_FUNCTIONS.flatMap(({ name, syntax }): Completion[] => {
        if (syntax === undefined) return [];
        const insert = `${name}()`;
        return [{ insert, start, end, caret: start + insert.length - 1, label: syntax }];
      });
  const ofWords = isName
    ? []
    : WORDS.map(word => ({ insert: word, start, end, caret: start + word.length, label: word }));
  const all: Completion[] = [...ofFunctions, ...ofColumns, ...ofWords];
  // The text in parentheses isn't a name.
  const nameOf = ({ label, type }: Completion) =>
    (type === undefined ? (label.split('(')[0] ?? '') : label).toLowerCase();
  const ofPrefix = all.filter(completion => nameOf(completion).startsWith(wanted));
  const ofPart = all.filter(completion => nameOf(completion).includes(wanted));
  const matches = [...new Set([...ofPrefix, ...ofPart])];
  // A complete name needs no list.
  const isWritten = matches.length === 1 && matches[0]?.insert === formula.slice(start, end);
  return isWritten ? [] : matches.slice(0, MAX_LISTED);
}

/** The name or word that ends at the caret: its typed part, and its start. */
function placeAt(
  formula: string,
  caret: number,
): { start: number; typed: string; isName: boolean } | undefined {
  let open: { at: number; sign: string } | undefined;
  for (let at = 0; at < caret; at++) {
    const char = formula[at];
    if (open) {
      if (char !== (open.sign === '[' ? ']' : '"')) continue;
      if (formula[at + 1] === char && at + 1 < caret) at++;
      else open = undefined;
    } else if (char === '"' || char === '[') open = { at, sign: char };
  }
  if (open?.sign === '"') return undefined;
  if (open) {
    const typed = formula.slice(open.at + 1, caret).replaceAll(']]', ']');
    return { start: open.at, typed, isName: true };
  }
  const typed = /[\p{L}_][\p{L}\p{N}_]*$/u.exec(formula.slice(0, caret))?.[0] ?? '';
  return { start: caret - typed.length, typed, isName: false };
}

/**
 * The length of a name's rest after the caret, with its bracket; 0 if another one begins before it
 * ends.
 */
function restOfName(formula: string, caret: number): number {
  return /^[^[\]\n"]*\]/.exec(formula.slice(caret))?.[0].length ?? 0;
}
