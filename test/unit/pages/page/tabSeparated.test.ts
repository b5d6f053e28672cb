import { equal } from 'node:assert/strict';
import { tabSeparated } from '../../../../src/columns/csv/csvGrammar';

describe('copied rows', () => {
  it('are cells between tabs and lines between breaks', () => {
    equal(
      tabSeparated([
        ['a', 'b'],
        ['1.50', ''],
      ]),
      'a\tb\n1.50\t\n',
    );
  });

  it('quote a cell with a tab, a line break or a quote', () => {
    equal(tabSeparated([['a\tb', 'c\nd', 'e "f"', 'g\rh']]), '"a\tb"\t"c\nd"\t"e ""f"""\t"g\rh"\n');
  });

  it('leave commas and spaces alone', () => {
    equal(tabSeparated([['a, b', ' c ']]), 'a, b\t c \n');
  });
});
