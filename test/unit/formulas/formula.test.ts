import { deepEqual, equal, ok } from 'node:assert/strict';
import { reasonForLog } from '../../../src/base/reasonForLog';
import { checkColumns } from '../../../src/formulas/computedColumns';
import {
  type CheckedFormula,
  checkFormula,
  MAX_NESTING,
  type NamedColumn,
  type Plan,
} from '../../../src/formulas/formula';
import { bracketed, columnsNamed, withRenamedInFormulas } from '../../../src/formulas/formulaTokens';

const COLUMNS: NamedColumn[] = [
  { name: 'Area', kind: 'number' },
  { name: 'B', kind: 'number' },
  { name: 'Class', kind: 'text' },
  { name: 'Large', kind: 'text', computed: { formula: '[Area] > 2', type: 'flag' } },
  { name: 'Broken', kind: 'text', computed: { formula: '[', type: 'text', isInvalid: true } },
  { name: 'a]b', kind: 'number' },
  { name: 'Twice', kind: 'number' },
  { name: 'Twice', kind: 'number' },
];

/** The part that is marked of a formula that isn't valid, and why it isn't. */
function problem(formula: string): [marked: string, why: string] {
  const found = checkFormula(formula, COLUMNS);
  if (!('problem' in found)) return ['', 'valid'];
  const { start, end, reason } = found.problem;
  return [formula.slice(start, end), reasonForLog(reason)];
}

function typeOf(formula: string): string {
  const found = checkFormula(formula, COLUMNS);
  return 'checked' in found ? found.checked.plan.type : reasonForLog(found.problem.reason);
}

/** A formula with all its brackets. */
function tree(formula: string): string {
  const said = (plan: Plan): string => {
    if (plan.kind === 'call') return `(${plan.function.name} ${plan.args.map(said).join(' ')})`;
    return plan.kind === 'column' ? bracketed(COLUMNS[plan.column]?.name ?? '') : JSON.stringify(plan.value);
  };
  const found = checkFormula(formula, COLUMNS);
  return 'checked' in found ? said(found.checked.plan) : reasonForLog(found.problem.reason);
}

function are(of: (formula: string) => unknown, cases: readonly (readonly [string, string])[]): void {
  for (const [formula, expected] of cases) equal(of(formula), expected, formula);
}

describe('A formula', () => {
  it('binds as people read it', () => {
    are(tree, [
      ['1 + 2 * 3', '(+ 1 (* 2 3))'],
      ['1 - 2 - 3', '(- (- 1 2) 3)'],
      ['([Area] - [B]) / [Area]', '(/ (- [Area] [B]) [Area])'],
      ['-[B]^2', '(negative (^ [B] 2))'],
      ['2^-1^2', '(^ 2 (negative (^ 1 2)))'],
      ['not [Area] > 1 and [B] = 2 or [Large]', '(or (and (not (> [Area] 1)) (= [B] 2)) [Large])'],
      ['"a" & 1 + 2', '(& "a" (writtenNumber (+ 1 2)))'],
      ['[Area] & [Large]', '(& [Area] [Large])'],
      ['IF([Large], -1.5e3, +.5)', '(if [Large] (negative 1500) 0.5)'],
    ]);
  });

  it('has names with brackets in them, texts with quotes, and signs that people paste', () => {
    are(tree, [
      ['[a]]b] × 2 ÷ 3 − 1', '(- (/ (* [a]]b] 2) 3) 1)'],
      ['"say ""yes""" = [Class]', '(= "say \\"yes\\"" [Class])'],
      ['1 ≠ 2', '(<> 1 2)'],
      ['1 != 2', '(<> 1 2)'],
      ['1 == 2', '(= 1 2)'],
      ['1 ≤ 2', '(<= 1 2)'],
    ]);
  });

  it('is of a type that follows from its parts', () => {
    are(typeOf, [
      ['[Area] * 2', 'number'],
      ['[Area] > 2 and not [Large]', 'flag'],
      ['if([Large], [Class], "small")', 'text'],
      ['[Area] & " px"', 'text'],
      ['contains([Class], "pos")', 'flag'],
      ['if([Large], 1)', 'number'],
      ['min([Area], [B], 3)', 'number'],
      ['[Large] = yes', 'flag'],
    ]);
  });

  it('that is not valid is marked where it is not', () => {
    const cases: [formula: string, marked: string, why: string][] = [
      ['', '', 'Enter a formula, such as [Area] / 2'],
      ['1 +', '', 'The formula ends where a value is missing'],
      ['(1 + 2', '(', "The parenthesis isn't closed: add )"],
      ['1 2', '2', '"2" isn\'t expected here'],
      ['1 + # 2', '#', '"#" isn\'t expected here'],
      ['1 + 😀', '😀', '"😀" isn\'t expected here'],
      ['1 × ÷ 2', '÷', '"÷" isn\'t expected here'],
      ['[Area', '[Area', "The name isn't closed: add ]. Write ] in a name as ]]"],
      ['[Area]]', '[Area]]', "The name isn't closed: add ]. Write ] in a name as ]]"],
      ['"abc', '"abc', 'The text isn\'t closed: add "'],
      ["'abc'", "'", 'Write texts in straight double quotes: "text"'],
      ['1,5 + 2', ',', 'Write decimals with a point: commas separate arguments'],
      ['(1,5) + 2', ',', 'Write decimals with a point: commas separate arguments'],
      ['1 < 2 < 3', '<', 'Compare two values at a time, and join comparisons by "and"'],
      ['1e999', '1e999', 'The number is too large'],
      ['Area + 1', 'Area', '"Area" isn\'t a function with arguments. Write columns in brackets: [Area]'],
      ['foo(1)', 'foo', 'There is no function "foo"'],
      ['negative(1)', 'negative', 'There is no function "negative"'],
      ['round()', 'round()', 'The function is written round(number, digits)'],
      ['1 + sqrt(1, 2)', 'sqrt(1, 2)', 'The function is written sqrt(number)'],
      ['1 + [Aera]', '[Aera]', 'There is no column "Aera"'],
      ['1 + [Twice]', '[Twice]', 'Several columns are called "Twice"'],
      ['1 + [Broken]', '[Broken]', 'The formula of column "Broken" isn\'t valid'],
      ['1 + [Class]', '[Class]', '"+" takes a number, and this is a text'],
      ['1 + [Large]', '[Large]', '"+" takes a number, and this is yes or no'],
      ['-[Class]', '[Class]', '"-" takes a number, and this is a text'],
      ['not [Area]', '[Area]', '"not" takes yes or no, and this is a number'],
      ['not [Class]', '[Class]', '"not" takes yes or no, and this is a text'],
      ['if([Area], 1, 2)', '[Area]', '"if" takes yes or no, and this is a number'],
      ['[Class] = 1', '[Class] = 1', '"=" takes two values of one type, and these are a number and a text'],
      [
        'if([Large], 1, "a")',
        'if([Large], 1, "a")',
        '"if" takes two values of one type, and these are a number and a text',
      ],
      [
        '[Large] = [Class]',
        '[Large] = [Class]',
        '"=" takes two values of one type, and these are a text, and yes or no',
      ],
      [
        '[Large] = 1',
        '[Large] = 1',
        '"=" takes two values of one type, and these are a number, and yes or no',
      ],
      // The first problem counts.
      ['[Aera] +', '[Aera]', 'There is no column "Aera"'],
    ];
    for (const [formula, ...expected] of cases) deepEqual(problem(formula), expected, formula);
  });

  it('is of bounded length and depth, and names where it is too deep', () => {
    const deep = `${'('.repeat(MAX_NESTING + 1)}1${')'.repeat(MAX_NESTING + 1)}`;
    const tooDeep = (most: number) => `The formula is nested more than ${most} levels deep`;
    deepEqual(problem(deep), ['(', tooDeep(MAX_NESTING)]);
    deepEqual(problem(`${'-'.repeat(200)}1`), ['-', tooDeep(MAX_NESTING)]);
    deepEqual(problem(`${'not '.repeat(200)}yes`), ['not', tooDeep(MAX_NESTING)]);
    deepEqual(problem(`2${'^2'.repeat(200)}`), ['^', tooDeep(MAX_NESTING)]);
    deepEqual(problem(`${'abs('.repeat(200)}1`), ['abs', tooDeep(MAX_NESTING)]);
    equal(problem(Array.from({ length: 2000 }, () => '1').join('+'))[1], tooDeep(1000));
    equal(typeOf(Array.from({ length: 900 }, () => '[Area]').join('+')), 'number');
    deepEqual(problem('1'.repeat(10_001)), ['1', 'The formula has more than 10000 characters']);
  });

  it('never hangs or throws, whatever it is made of', () => {
    const parts = [
      '[Area]',
      '[',
      ']',
      '"',
      '1',
      '.',
      ',',
      '(',
      ')',
      '-',
      'not',
      'if(',
      'and',
      '^',
      '&',
      '<',
      '=',
      ' ',
    ];
    let seed = 1;
    const next = () => (seed = (seed * 48271) % 2147483647);
    for (let round = 0; round < 3000; round++) {
      const formula = Array.from({ length: next() % 12 }, () => parts[next() % parts.length]).join('');
      const found = checkFormula(formula, COLUMNS);
      if ('problem' in found) {
        const { start, end } = found.problem;
        ok(start >= 0 && end >= start && end <= formula.length, formula);
      }
    }
  });

  it('names its columns, and follows those that are renamed', () => {
    deepEqual(columnsNamed('[Area] + [a]]b] * [Area]'), ['Area', 'a]b']);
    const names = new Map([
      ['Area', 'Größe [µm]'],
      ['a]b', 'c'],
    ]);
    const renamed = (formula: string) => withRenamedInFormulas([{ name: '', formula }], names)[0]?.formula;
    equal(renamed('[Area]+"[Area]" & [a]]b]'), '[Größe [µm]]]+"[Area]" & [c]');
    equal(renamed('[Area'), '[Area');
    equal(renamed('[a]]b] = "[Area] '), '[c] = "[Area] ');
    // Two that swap names.
    const swapped = new Map([
      ['A', 'B'],
      ['B', 'A'],
    ]);
    deepEqual(withRenamedInFormulas([{ name: '', formula: '[A] / [B]' }], swapped), [
      { name: '', formula: '[B] / [A]' },
    ]);
  });

  it('says which of its numbers doubles round', () => {
    const roundedIn = (formula: string) =>
      (checkFormula(formula, COLUMNS) as { checked: CheckedFormula }).checked.rounded;
    deepEqual(roundedIn('[Area] = 9007199254740993'), ['9007199254740993']);
    deepEqual(roundedIn('[Area] < 9007199254740992 or [Area] > 1e20 or [Area] = 0.1'), []);
  });
});

describe('Computed columns', () => {
  const check = (...formulas: [string, string][]) =>
    checkColumns(
      formulas.map(([name, formula]) => ({ name, formula })),
      COLUMNS,
    ).map(each => {
      if ('checked' in each) return each.checked.plan.type;
      const { start, end, reason } = each.problem;
      return [each.formula.slice(start, end), reasonForLog(reason)];
    });

  it('may use each other, in any order', () => {
    deepEqual(check(['Y', '[X] > 2'], ['X', '[Area] * 2'], ['Z', 'if([Y], "a", "b")']), [
      'flag',
      'number',
      'text',
    ]);
  });

  it('are refused where they use themselves, each at the name that leads back', () => {
    deepEqual(check(['X', '1 + [X]']), [['[X]', 'The column would use itself']]);
    const cycle = (...names: string[]) => `The columns would use each other: ${names.join(' → ')}`;
    deepEqual(check(['X', '[Y]'], ['Y', '[Area] + [Z]'], ['Z', '[X]'], ['W', '[X] + 1'], ['V', '[B]']), [
      ['[Y]', cycle('[X]', '[Y]', '[Z]', '[X]')],
      ['[Z]', cycle('[Y]', '[Z]', '[X]', '[Y]')],
      ['[X]', cycle('[Z]', '[X]', '[Y]', '[Z]')],
      ['[X]', 'The formula of column "X" isn\'t valid'],
      'number',
    ]);
  });
});
