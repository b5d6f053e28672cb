import { equal } from 'node:assert/strict';
import { setLanguage, t } from '../../../../src/pages/page/l10n';

describe('The words of a page', () => {
  afterEach(() => setLanguage({}));

  it('are English until there is a translation', () => {
    equal(t('{0} of {1} rows', 3, 12), '3 of 12 rows');
    setLanguage({ '{0} of {1} rows': '{1} Zeilen, davon {0}' }, 'de');
    equal(t('{0} of {1} rows', 3, 12_000), '12.000 Zeilen, davon 3');
    equal(t('Rows'), 'Rows');
  });

  it('have a form for one and one for many', () => {
    setLanguage({}, 'en');
    const saved = (count: number) => t.count(count, '1 row saved as {1}', '{0} rows saved as {1}', 'a.csv');
    equal(saved(1), '1 row saved as a.csv');
    equal(saved(0), '0 rows saved as a.csv');
    equal(saved(1234), '1,234 rows saved as a.csv');
  });

  it('that are the same in English are told apart by their comments', () => {
    setLanguage({ 'Open/Verb': 'Öffnen', 'Open/Adjective, of a file': 'Offen' });
    equal(t({ message: 'Open', comment: 'Verb' }), 'Öffnen');
    equal(t({ message: 'Open', comment: ['Adjective, of a file'] }), 'Offen');
    equal(t({ message: 'Open', comment: 'Another' }), 'Open');
  });

  it('of a list of constants are translated where they are shown', () => {
    const all = t.later('All {0} rows');
    setLanguage({ 'All {0} rows': 'Alle {0} Zeilen' });
    equal(all(3), 'Alle 3 Zeilen');
  });

  it('take what an argument holds as it is', () => {
    equal(t('Remove {0} and {1}', '{1}', '$& {0}'), 'Remove {1} and $& {0}');
  });

  it('are not looked up beside the translations', () => {
    equal(t('constructor'), 'constructor');
  });
});
