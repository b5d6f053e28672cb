import { deepEqual, equal, ok } from 'node:assert/strict';
import { type CheckedFormula, checkFormula, type NamedColumn } from '../../../src/formulas/checkedFormula';
import { checkColumns } from '../../../src/formulas/computedColumns';
import { bracketed, columnsNamed, withRenamedInFormulas } from '../../../src/formulas/columnReferences';
import { MAX_NESTING, parseFormula } from '../../../src/formulas/formula';

const COLUMNS: NamedColumn[] = [
  { name: 'Area', type: 'number' },
  { name: 'B', type: 'number' },
  { name: 'Class', type: 'text' },
  { name: 'Large', type: 'flag' },
  { name: 'a]b', type: 'number' },
  { name: 'Twice', type: 'number' },
  { name: 'Twice', type: 'number' },
];

/** The place at which a formula isn't valid, and why: the part marked, then the fault. */
function problem(formula: string): unknown[] {
  const found = checkFormula(formula, COLUMNS);
  if (!('problem' in found)) return ['valid'];
  const { start, end, kind, ...rest } = found.problem;
  return [formula.slice(start, end), kind, ...(Object.values(rest) as unknown[])];
}

function typeOf(formula: string): string {
  const found = checkFormula(formula, COLUMNS);
  return 'checked' in found ? found.checked.type : JSON.stringify(found.problem);
}

/** A formula with all its brackets. */
function tree(formula: string): string {
  const said = (node: Extract<ReturnType<typeof parseFormula>, { node: unknown }>['node']): string => {
    if (node.kind === 'call') return `(${node.name} ${node.args.map(said).join(' ')})`;
    return node.kind === 'column' ? bracketed(node.name) : JSON.stringify(node.value);
  };
  const parsed = parseFormula(formula);
  return 'node' in parsed ? said(parsed.node) : JSON.stringify(parsed.problem);
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
      ['"a" & 1 + 2', '(& "a" (+ 1 2))'],
      ['IF([Large], -1.5e3, +.5)', '(if [Large] -1500 0.5)'],
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
    deepEqual(problem(''), ['', 'empty']);
    deepEqual(problem('1 +'), ['', 'unfinished']);
    deepEqual(problem('(1 + 2'), ['(', 'unclosed', '(']);
    deepEqual(problem('1 2'), ['2', 'unexpected', '2']);
    deepEqual(problem('1 + # 2'), ['#', 'unexpected', '#']);
    deepEqual(problem('1 + 😀'), ['😀', 'unexpected', '😀']);
    deepEqual(problem('[Area'), ['[Area', 'unclosed-name']);
    deepEqual(problem('[Area]]'), ['[Area]]', 'unclosed-name']);
    deepEqual(problem('"abc'), ['"abc', 'unclosed-text']);
    deepEqual(problem("'abc'"), ["'", 'single-quotes']);
    deepEqual(problem('1,5 + 2'), [',', 'decimal-comma']);
    deepEqual(problem('(1,5) + 2'), [',', 'decimal-comma']);
    deepEqual(problem('1 < 2 < 3'), ['<', 'chained']);
    deepEqual(problem('1e999'), ['1e999', 'number-too-large']);
    deepEqual(problem('Area + 1'), ['Area', 'bare-name', 'Area']);
    deepEqual(problem('foo(1)'), ['foo', 'unknown-function', 'foo']);
    deepEqual(problem('negative(1)'), ['negative', 'unknown-function', 'negative']);
    deepEqual(problem('round()'), ['round()', 'argument-count', 'round(number, digits)']);
    deepEqual(problem('1 + sqrt(1, 2)'), ['sqrt(1, 2)', 'argument-count', 'sqrt(number)']);
    deepEqual(problem('1 + [Aera]'), ['[Aera]', 'unknown-column', 'Aera']);
    deepEqual(problem('1 + [Twice]'), ['[Twice]', 'several-columns', 'Twice']);
    deepEqual(problem('1 + [Class]'), ['[Class]', 'argument-type', '+', 'number', 'text']);
    deepEqual(problem('not [Area]'), ['[Area]', 'argument-type', 'not', 'flag', 'number']);
    deepEqual(problem('if([Area], 1, 2)'), ['[Area]', 'argument-type', 'if', 'flag', 'number']);
    deepEqual(problem('[Class] = 1'), ['[Class] = 1', 'types-differ', '=', 'text', 'number']);
    deepEqual(problem('if([Large], 1, "a")'), [
      'if([Large], 1, "a")',
      'types-differ',
      'if',
      'number',
      'text',
    ]);
  });

  it('is of bounded length and depth, and names where it is too deep', () => {
    const deep = `${'('.repeat(MAX_NESTING + 1)}1${')'.repeat(MAX_NESTING + 1)}`;
    deepEqual(problem(deep), ['(', 'too-deep', MAX_NESTING]);
    deepEqual(problem(`${'-'.repeat(200)}1`), ['-', 'too-deep', MAX_NESTING]);
    deepEqual(problem(`${'not '.repeat(200)}yes`), ['not', 'too-deep', MAX_NESTING]);
    deepEqual(problem(`2${'^2'.repeat(200)}`), ['^', 'too-deep', MAX_NESTING]);
    deepEqual(problem(`${'abs('.repeat(200)}1`), ['abs', 'too-deep', MAX_NESTING]);
    const sum = Array.from({ length: 2000 }, () => '1').join('+');
    equal(problem(sum)[1], 'too-deep');
    ok('node' in parseFormula(Array.from({ length: 900 }, () => '[Area]').join('+')));
    deepEqual(problem('1'.repeat(10_001)).slice(1), ['too-long', 10_000]);
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
    ).map(each => ('checked' in each ? each.checked.type : each.problem));

  it('may use each other, in any order', () => {
    deepEqual(check(['Y', '[X] > 2'], ['X', '[Area] * 2'], ['Z', 'if([Y], "a", "b")']), [
      'flag',
      'number',
      'text',
    ]);
  });

  it('are refused where they use themselves, each at the name that leads back', () => {
    deepEqual(check(['X', '1 + [X]']), [{ kind: 'uses-itself', start: 4, end: 7 }]);
    deepEqual(check(['X', '[Y]'], ['Y', '[Area] + [Z]'], ['Z', '[X]'], ['W', '[X] + 1'], ['V', '[B]']), [
      { kind: 'cycle', names: ['X', 'Y', 'Z', 'X'], start: 0, end: 3 },
      { kind: 'cycle', names: ['Y', 'Z', 'X', 'Y'], start: 9, end: 12 },
      { kind: 'cycle', names: ['Z', 'X', 'Y', 'Z'], start: 0, end: 3 },
      { kind: 'invalid-column', name: 'X', start: 0, end: 3 },
      'number',
    ]);
  });
});
