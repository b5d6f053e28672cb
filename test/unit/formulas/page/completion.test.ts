import { deepEqual, equal } from 'node:assert/strict';
import type { NamedColumn } from '../../../../src/formulas/formula';
import { completionsAt } from '../../../../src/formulas/page/completion';

const COLUMNS: NamedColumn[] = [
  { name: 'Area', kind: 'number' },
  { name: 'Mean area', kind: 'number' },
  { name: 'a]b', kind: 'number' },
  { name: 'Broken', kind: 'text', computed: { formula: '[', type: 'text', isInvalid: true } },
];

/** What is listed where "|" stands. */
function listed(formula: string, isAsked = false): string[] {
  const caret = formula.indexOf('|');
  return completionsAt(formula.replace('|', ''), caret, COLUMNS, isAsked).map(({ label }) => label);
}

/** The formula and its caret once the first is accepted. */
function accepted(formula: string): string {
  const caret = formula.indexOf('|');
  const text = formula.replace('|', '');
  const [first] = completionsAt(text, caret, COLUMNS);
  if (!first) return formula;
  const whole = text.slice(0, first.start) + first.insert + text.slice(first.end);
  return `${whole.slice(0, first.caret)}|${whole.slice(first.caret)}`;
}

describe('The completion of a formula', () => {
  it('lists columns within brackets, those that begin with what is typed first', () => {
    deepEqual(listed('1 + [|'), ['Area', 'Mean area', 'a]b']);
    deepEqual(listed('1 + [are|'), ['Area', 'Mean area']);
    deepEqual(listed('[a]]|'), ['a]b']);
    deepEqual(listed('[Area]|'), []);
  });

  it('lists functions, columns and words outside of brackets, and nothing within a text', () => {
    deepEqual(listed('1 + sq|'), ['sqrt(number)']);
    deepEqual(listed('1 + area|'), ['Area', 'Mean area']);
    deepEqual(listed('no|'), ['not', 'no']);
    deepEqual(listed('"are|'), []);
    deepEqual(listed('|'), []);
    equal(listed('|', true).length > 10, true);
  });

  it('writes the whole name, or the function with the caret where its arguments go', () => {
    equal(accepted('1 + [are|'), '1 + [Area]|');
    equal(accepted('[are|] * 2'), '[Area]| * 2');
    equal(accepted('[me|a] * [Area]'), '[Mean area]| * [Area]');
    equal(accepted('[a]]|'), '[a]]b]|');
    equal(accepted('sq|'), 'sqrt(|)');
    equal(accepted('[are| + [Area]'), '[Area]| + [Area]');
  });
});
