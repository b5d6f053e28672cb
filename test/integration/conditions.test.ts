import * as assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { call, expectError, withFolder } from './contract';

const ROWS = [
  ['c/d1_s1.tif', 1],
  ['c/d1_s2.tif', 3],
  ['c/d2_s1.tif', 4],
  ['c/d3_s1.tif', 6],
  ['t/d1_s1.tif', 5],
  ['t/d2_s1.tif', 7],
  ['t/d3_s1.tif', 9],
] as const;

describe('A program that compares conditions', () => {
  it('says by a pattern which image is which, compares replicates, and saves their groups', async () => {
    await withFolder(async folder => {
      const table = join(folder, 'objects.csv');
      const rows = ROWS.map(([image, area], at) => `${image},${at + 1},${area}`);
      await writeFile(table, ['Image origin,Object ID,Area', ...rows].join('\n'));
      const uri = vscode.Uri.file(table).toString();
      await expectError('bad-request', 'compareConditions', { uri, measure: 'Area', condition: 'condition' });
      assert.deepEqual(await call('setImageColumns', { uri, pattern: '{condition}/{donor}_*.tif' }), {
        columns: ['condition', 'donor'],
        images: ROWS.length,
        unmatched: [],
      });
      const { test, groups, difference, statistic, df } = await call<{
        test: string;
        groups: { condition: string; n: number; mean: number; sd: number }[];
        difference: number;
        statistic: number;
        df: number;
      }>('compareConditions', {
        uri,
        measure: 'Area',
        condition: 'condition',
        reference: 'c',
        paired: false,
      });
      assert.equal(test, 'welch-t');
      // Donor 1 of the controls is the mean over its two objects.
      assert.deepEqual(
        groups.map(({ condition, n, mean, sd }) => [condition, n, mean, sd]),
        [
          ['c', 3, 4, 2],
          ['t', 3, 7, 2],
        ],
      );
      assert.equal(difference, 3);
      assert.ok(Math.abs(statistic - 3 / Math.sqrt(8 / 3)) < 1e-9);
      assert.ok(Math.abs(df - 4) < 1e-9);
      const groupsFile = join(folder, 'groups.csv');
      const options = {
        ...{ uri, by: ['condition'], measures: ['Area'], statistics: ['count', 'mean'], of: 'replicates' },
        destination: vscode.Uri.file(groupsFile).toString(),
      };
      const { groups: saved } = await call<{ groups: number }>('saveGroups', options);
      assert.equal(saved, 2);
      assert.deepEqual((await readFile(groupsFile, 'utf8')).trim().split(/\r?\n/).slice(1).sort(), [
        'c,3,4',
        't,3,7',
      ]);
      await expectError('exists', 'saveGroups', options);
    });
  });

  it('says how a file is read where its form cannot tell, and gets no CSV under the name of another format', async () => {
    await withFolder(async folder => {
      const table = join(folder, 'late.csv');
      const areas = Array.from({ length: 500 }, (_, at) => (at < 400 ? `${at}` : `${at},5`));
      const lines = ['Plate 7;of Monday', 'Image;Area', ...areas.map(area => `a.tif;${area}`)];
      await writeFile(table, lines.join('\n'));
      const uri = vscode.Uri.file(table).toString();
      const saved = (name: string) => vscode.Uri.file(join(folder, name)).toString();
      const groups = {
        ...{ uri, by: ['Image'], measures: ['Area'], statistics: ['mean'], of: 'objects' },
        destination: saved('groups.csv'),
      };
      await expectError('bad-request', 'saveGroups', groups);
      await expectError('bad-request', 'saveGroups', { ...groups, header: 1 });
      await expectError('bad-request', 'saveGroups', { ...groups, header: [0, 2], decimal: ',' });
      await call('saveGroups', { ...groups, header: 1, decimal: ',' });
      const mean = areas.reduce((sum, area) => sum + Number(area.replace(',', '.')), 0) / areas.length;
      const [, row] = (await readFile(join(folder, 'groups.csv'), 'utf8')).trim().split('\n');
      assert.equal(row?.split(';').at(-1), String(mean).replace('.', ','));
      for (const name of ['rows.feather', 'rows.xlsx', 'rows.zip'])
        await expectError('bad-request', 'saveTable', { uri, destination: saved(name) });
    });
  });

  it('saves Parquet by its ending, opens it, and exports tables as one dataset', async () => {
    await withFolder(async folder => {
      const file = (name: string) => vscode.Uri.file(join(folder, name)).toString();
      const rows = ROWS.map(([image, area], at) => `${image},${at + 1},${area}`);
      await writeFile(join(folder, 'objects.csv'), ['Image,Object ID,Area', ...rows].join('\n'));
      const uri = file('objects.csv');
      assert.equal(
        (await call<{ rows: number }>('saveTable', { uri, destination: file('rows.parquet') })).rows,
        ROWS.length,
      );
      // What was saved is read as what it was.
      await call('saveTable', { uri: file('rows.parquet'), destination: file('again.csv') });
      assert.deepEqual((await readFile(join(folder, 'again.csv'), 'utf8')).trim().split('\n').slice(1), rows);
      const ratio = { name: 'Ratio', formula: '[Area] / ([Object ID] - 1)' };
      const ofRatio = { uri, columns: ['Object ID', 'Ratio'], destination: file('ratio.csv') };
      const { computed } = await call<{ computed: object[] }>('saveTable', { ...ofRatio, computed: [ratio] });
      const counts = { rows: ROWS.length, missing: 1, divisionsByZero: 1 };
      assert.deepEqual(computed, [{ name: 'Ratio', type: 'number', ...counts }]);
      const [head, first, second] = (await readFile(join(folder, 'ratio.csv'), 'utf8')).split('\n');
      assert.deepEqual([head, first, second], ['Object ID,Ratio', '1,', `2,${ROWS[1]?.[1]}`]);
      await expectError('bad-request', 'saveTable', { ...ofRatio, overwrite: true });
      const misspelled = { ...ratio, formula: '[Aera]' };
      await expectError('bad-request', 'saveTable', { ...ofRatio, overwrite: true, computed: [misspelled] });
      const groups = { by: ['Object ID'], measures: ['Area'], statistics: ['mean'], of: 'objects' };
      await call('saveGroups', { uri, ...groups, destination: file('groups.parquet') });
      await call('openTableFile', vscode.Uri.file(join(folder, 'groups.parquet')), {});
      const exported = { uris: [uri, file('rows.parquet')], format: 'parquet', destination: file('') };
      const { files, asText, failed } = await call<{
        files: { table: string; jobId: string; rows: number }[];
        asText: unknown[];
        failed: unknown[];
      }>('exportTables', exported);
      assert.deepEqual(
        files.map(({ table, jobId, rows: count }) => [table, jobId, count]),
        [
          ['objects', 'objects', ROWS.length],
          ['objects', 'rows', ROWS.length],
        ],
      );
      assert.deepEqual([asText, failed], [[], []]);
      await expectError('exists', 'exportTables', exported);
      await expectError('bad-request', 'exportTables', { format: 'parquet', destination: file('') });
      await expectError('bad-request', 'exportTables', { ...exported, format: 'feather' });
    });
  });
});
