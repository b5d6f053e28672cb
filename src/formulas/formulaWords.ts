import type { Translate } from '../words/translate';
import { bracketed } from './columnReferences';
import type { FormulaProblem, FormulaType } from './formula';
import type { MissingReason } from './formulaFunctions';
import type { FormulaReport } from './formulaRequests';

/** Why a formula isn't valid, in a sentence. */
export function problemWords(t: Translate, problem: FormulaProblem): string {
  switch (problem.kind) {
    case 'empty':
      return t('Enter a formula, such as {0}.', '[Area] / 2');
    case 'unfinished':
      return t('The formula ends where a value is missing.');
    case 'unclosed-text':
      return t('The text isn\'t closed: add ".');
    case 'unclosed-name':
      return t("The name isn't closed: add ]. Write ] in a name as ]].");
    case 'single-quotes':
      return t('Write texts in straight double quotes: "text".');
    case 'decimal-comma':
      return t('Write decimals with a point: commas separate arguments.');
    case 'chained':
      return t('Compare two values at a time, and join comparisons by "and".');
    case 'number-too-large':
      return t('The number is too large.');
    case 'uses-itself':
      return t('The column would use itself.');
    case 'cycle':
      return t('The columns would use each other: {0}.', problem.names.map(bracketed).join(' → '));
    case 'too-long':
      return t('The formula has more than {0} characters.', problem.most);
    case 'too-deep':
      return t('The formula is nested more than {0} levels deep.', problem.most);
    case 'unexpected':
      return t('"{0}" isn\'t expected here.', problem.text);
    case 'unclosed':
      return t("The parenthesis isn't closed: add ).");
    case 'bare-name':
      return t(
        '"{0}" isn\'t a function with arguments. Write columns in brackets: {1}.',
        problem.text,
        bracketed(problem.text),
      );
    case 'unknown-function':
      return t('There is no function "{0}".', problem.name);
    case 'unknown-column':
      return t('There is no column "{0}".', problem.name);
    case 'several-columns':
      return t('Several columns are called "{0}".', problem.name);
    case 'invalid-column':
      return t('The formula of column "{0}" isn\'t valid.', problem.name);
    case 'argument-count':
      return t('The function is written {0}.', problem.syntax);
    case 'argument-type':
      return t(
        '"{0}" takes {1}, and this is {2}.',
        problem.name,
        typeWords(t, problem.expected),
        typeWords(t, problem.given),
      );
    case 'types-differ':
      return t(
        '"{0}" takes two values of one type, and these are {1} and {2}.',
        problem.name,
        typeWords(t, problem.first),
        typeWords(t, problem.second),
      );
  }
}

/** The type of a value, as a noun. */
function typeWords(t: Translate, type: FormulaType): string {
  if (type === 'number') return t('a number');
  return type === 'text' ? t('a text') : t('yes or no');
}

/** Notes about the values of a computed column, in sentences. */
export function reportWords(
  t: Translate,
  { rows, missing, infinite, large, rounded, ...reasons }: FormulaReport,
): string[] {
  const words: Readonly<Record<MissingReason, (count: number) => string>> = {
    divisionsByZero: count => t('divisions by 0: {0}', count),
    logarithms: count => t('logarithms of 0 or less: {0}', count),
    roots: count => t('roots of negative numbers: {0}', count),
    undefinedResults: count => t('undefined results: {0}', count),
  };
  const counted = Object.entries(reasons) as [MissingReason, number][];
  const operands = missing - counted.reduce((sum, [, count]) => sum + count, 0);
  const why = counted.map(([reason, count]) => words[reason](count));
  if (operands > 0) why.push(t('missing values: {0}', operands));
  return [
    ...(missing > 0 ? [t('Empty in {0} of {1} rows ({2}).', missing, rows, why.join('; '))] : []),
    ...(infinite ? [t('Infinite in {0} rows.', infinite)] : []),
    ...(large ? [t('Integers beyond 2⁵³ may be rounded: {0} rows.', large)] : []),
    ...(rounded ? [t('Computed with rounded integers beyond 2⁵³: {0}.', rounded.join(', '))] : []),
  ];
}
