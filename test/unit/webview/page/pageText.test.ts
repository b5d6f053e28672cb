import { equal } from 'node:assert/strict';
import { PageText } from '../../../../src/webview/page/pageText';

describe('the page’s words', () => {
  const text = new PageText<'rows' | 'pair' | 'percent' | 'bare' | 'unheard'>(
    { rows: '{0} rows', rowsOne: '1 row', pair: '{1} before {0}', percent: '{0} %', bare: 'no {number}' },
    'en',
  );

  it('put arguments where the translation wants them', () => {
    equal(text.get('pair', 'b', 'a'), 'a before b');
  });

  it('group numbers but leave texts as they are', () => {
    equal(text.get('rows', 10000), '10,000 rows');
    equal(text.get('rows', '10000'), '10000 rows');
  });

  it('take the singular for one where there is one', () => {
    equal(text.count('rows', 1), '1 row');
    equal(text.count('rows', 2), '2 rows');
    equal(text.count('percent', 1), '1 %');
  });

  it('leave a placeholder without argument, and anything else in braces, alone', () => {
    equal(text.get('pair', 'b'), '{1} before b');
    equal(text.get('bare', 'x'), 'no {number}');
  });

  it('do not read placeholders inside arguments', () => {
    equal(text.get('pair', '{1}', 'a'), 'a before {1}');
  });

  it('show the key of a text that is missing', () => {
    equal(text.get('unheard'), 'unheard');
  });
});
