import { deepEqual } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { collectStrings } from '../../../scripts/l10nStrings.mjs';

/** What is collected of a file with this code. */
function collected(code: string) {
  const root = mkdtempSync('out/strings-');
  try {
    mkdirSync(`${root}/src`);
    writeFileSync(`${root}/src/a.ts`, code);
    return collectStrings(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

describe('The strings for translators', () => {
  it('have both forms of what is counted, in texts and in reasons', () => {
    const { bundle, reasons } = collected(`
      t.count(n, '1 row', '{0} rows');
      const names = { all: t.later('{0} rows of all') };
      countedReason(n, '1 image without an ID', '{0} images without an ID');`);
    deepEqual(Object.keys(bundle), [
      '1 image without an ID',
      '1 row',
      '{0} images without an ID',
      '{0} rows',
      '{0} rows of all',
    ]);
    deepEqual(Object.keys(reasons), ['1 image without an ID', '{0} images without an ID']);
  });

  it('have reasons with their codes', () => {
    const { bundle, reasons } = collected(`
      throw refused(reason('The row {0} is too long', row));
      codedReason('key-missing', 'There is no key');`);
    deepEqual(reasons, {
      'The row {0} is too long': '',
      'There is no key': 'key-missing',
    });
    deepEqual(Object.keys(bundle), ['The row {0} is too long', 'There is no key']);
  });

  it('have comments for translators', () => {
    const { bundle } = collected(`t({ message: 'Open', comment: 'Verb: of a file' });`);
    deepEqual(bundle, { 'Open/Verb: of a file': { message: 'Open', comment: ['Verb: of a file'] } });
  });

  it('are literals', () => {
    const { computed } = collected(`t(name);
t.count(n, one, '{0} rows');
codedReason(code, name);`);
    deepEqual(computed, ['src/a.ts:1', 'src/a.ts:2', 'src/a.ts:3']);
  });

  it('fill in what they are given', () => {
    const { unfilled } = collected(`t('{0} of {1}', a);
t('Rows', a);
t('{0} of {1}', ...both);
t.count(n, '1 row of {1}', '{0} rows of {1}', name);
t.count(n, '1 row', '{0} rows of {1}');
reason('The row {0} is too long');`);
    deepEqual(unfilled, [
      'src/a.ts:1 "{0} of {1}" takes 2 arguments, not 1',
      'src/a.ts:2 "Rows" takes 0 arguments, not 1',
      'src/a.ts:5 "{0} rows of {1}" takes 2 arguments, not 1',
      'src/a.ts:6 "The row {0} is too long" takes 1 arguments, not 0',
    ]);
  });
});
