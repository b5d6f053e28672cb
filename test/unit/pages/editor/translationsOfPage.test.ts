import { deepEqual } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { translationsOfPage } from '../../../../src/pages/editor/translationsOfPage';
import { setLanguage, t } from '../../../../src/pages/page/l10n';

describe('The translations of a page', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp('out/page-');
    const keys = ['1 row', '{0} rows', 'Save', 'Save/Verb', 'toString'];
    await writeFile(join(root, 'table.l10n.json'), JSON.stringify(keys));
  });
  afterEach(async () => {
    setLanguage({});
    await rm(root, { recursive: true });
  });

  const german = { '{0} rows': '{0} Zeilen', 'Save/Verb': 'Speichern', '{0} masks': '{0} Masken' };

  it('are those of its messages that the bundle has', async () => {
    deepEqual(await translationsOfPage(german, root, 'table'), {
      '{0} rows': '{0} Zeilen',
      'Save/Verb': 'Speichern',
    });
  });

  it('are what the page shows, which is in English where there is none', async () => {
    setLanguage(await translationsOfPage(german, root, 'table'), 'de');
    deepEqual(
      [t.count(1200, '1 row', '{0} rows'), t.count(1, '1 row', '{0} rows')],
      ['1.200 Zeilen', '1 row'],
    );
    deepEqual([t({ message: 'Save', comment: 'Verb' }), t('Save')], ['Speichern', 'Save']);
  });

  it('are none in English, and no file is read', async () => {
    deepEqual(await translationsOfPage(undefined, join(root, 'missing'), 'table'), {});
  });
});
