import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TableView } from './views/tableView';
import { useWorkbench } from './useWorkbench';

const rows = (count: number) => Array.from({ length: count }, (_, row) => `${row}\n`).join('');

describe('The editor in another language', () => {
  const suite = useWorkbench({
    theme: 'light',
    language: {
      id: 'de',
      translations: {
        '1 row': 'eine Zeile',
        '{0} rows': '{0} Zeilen',
        'Export/Verb': 'Ausgeben',
      },
    },
    prepare: async folder => {
      await writeFile(join(folder, 'many.csv'), `Area\n${rows(1234)}`);
      await writeFile(join(folder, 'one.csv'), `Area\n${rows(1)}`);
    },
  });

  const open = async (file: string) => {
    await suite.workbench.explorerMenu([file], 'Open Table');
    return new TableView(await suite.workbench.panel(file));
  };

  it('shows the translations on the page of a table, and English where there is none', async () => {
    const table = await open('many.csv');
    await table.showsRows('1.234 Zeilen');
    await table.frame.getByText('1 column', { exact: true }).waitFor();
    await table.button('Ausgeben').waitFor();
    assert.equal(await table.frame.locator('html').getAttribute('lang'), 'de');
  });

  it('counts one in its own words', async () => {
    await (await open('one.csv')).showsRows('eine Zeile');
  });
});
