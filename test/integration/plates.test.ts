import * as assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { call, expectError, withFolder } from './contract';

describe('A program that saves a plate', () => {
  it('gets the wells by the names of images, with Z′ of each positive control', async () => {
    await withFolder(async folder => {
      const table = join(folder, 'objects.csv');
      const areas = { DMSO: [10, 11, 12], drug: [1, 2, 3], other: [7] };
      const rows = Object.entries(areas).flatMap(([condition, own], column) =>
        own.map((area, row) => `${condition}/${'ABC'[row]}0${column + 1}.tif,${area}`),
      );
      await writeFile(table, ['Image,Area', ...rows].join('\n'));
      const uri = vscode.Uri.file(table).toString();
      const destination = vscode.Uri.file(join(folder, 'wells.csv')).toString();
      const options = { uri, measure: 'Area', statistic: 'mean', negative: 'DMSO', positive: ['drug', 'C3'] };
      await expectError('bad-request', 'savePlate', { ...options, destination });
      await call('setImageColumns', { uri, pattern: '{condition}/{well}.tif' });
      await expectError('bad-request', 'savePlate', { ...options, positive: 'drugs', destination });
      const { bytes, ...saved } = await call<{ bytes: number; plates: object[] }>('savePlate', {
        ...options,
        destination,
      });
      assert.deepEqual(saved, {
        path: join(folder, 'wells.csv'),
        wells: 7,
        plates: [
          {
            plate: null,
            positive: 'drug',
            zPrime: 1 - 6 / 9,
            robustZPrime: 1 - (6 * 1.4826) / 9,
            ssmd: -9 / Math.sqrt(2),
          },
        ],
      });
      const text = await readFile(join(folder, 'wells.csv'), 'utf8');
      assert.equal(Buffer.byteLength(text), bytes);
      assert.deepEqual(text.trim().split('\n').slice(0, 3), [
        'Well,Condition,Control,Images,Objects,Area (Mean)',
        'A1,DMSO,negative,1,1,10',
        'A2,drug,positive,1,1,1',
      ]);
      await expectError('exists', 'savePlate', { ...options, destination });
      const twice = { name: 'Twice', formula: '2 * [Area]' };
      const { computed } = await call<{ computed: object[] }>('savePlate', {
        ...options,
        measure: 'Twice',
        computed: [twice],
        destination: vscode.Uri.file(join(folder, 'twice.csv')).toString(),
      });
      assert.deepEqual(computed, [{ name: 'Twice', type: 'number', rows: 7, missing: 0 }]);
      const [, first] = (await readFile(join(folder, 'twice.csv'), 'utf8')).split('\n');
      assert.equal(first, 'A1,DMSO,negative,1,1,20');
    });
  });
});
