import { deepEqual, equal, throws } from 'node:assert/strict';
import type { TableColumn } from '../../../src/columns/tableSummary';
import type { Gate } from '../../../src/populations/gate';
import type { Population } from '../../../src/populations/population';
import {
  usablePopulations,
  haveThresholds,
  populationFileText,
  populationsOfFile,
  withPopulationsOfFile,
} from '../../../src/populations/populationFile';

const columns: TableColumn[] = ['Image', 'Area', 'Ki67', 'Ki67'].map((name, index) => ({
  index,
  name,
  kind: name === 'Image' ? 'text' : 'number',
}));
const above = (column: string | number, from: number): Gate => ({ kind: 'range', column, from });
const bright: Gate = {
  ...{ kind: 'statistic', column: 'Area', of: 'parent', center: 'mean', spread: 'sd' },
  ...{ factor: 2, side: 'above' },
};
const all: Population[] = [
  { name: 'Cells', color: '#112233', gate: above(1, 5) },
  { name: 'Bright', parent: 'Cells', hidden: true, gate: { kind: 'all', gates: [bright, above('Area', 9)] } },
  {
    name: 'Drawn',
    gate: {
      kind: 'polygon',
      x: 'Area',
      y: 3,
      points: [
        [0, 0],
        [1.5e-7, 0],
        [1, 2],
      ],
    },
  },
];
const text = populationFileText(all, columns, new Map([['Bright', [12.5]]]));
const read = (value: unknown) => populationsOfFile(JSON.stringify(value), 'a.json');
const filed = (...populations: unknown[]) => ({
  format: 'image-analysis-populations',
  version: 1,
  populations,
});

describe('Populations in a file', () => {
  it('are readable, name their columns, and come back as they were', () => {
    equal(text.includes('        [1.5e-7, 0],\n'), true);
    const [cells, ...others] = populationsOfFile(`\uFEFF${text}`, 'a.json');
    deepEqual(cells, { ...all[0], gate: above('Area', 5) });
    deepEqual(others, [{ ...all[1], thresholds: [12.5] }, all[2]]);
  });

  it('are refused where a file has others, is damaged, or means ill', () => {
    const deep = () => {
      let gate: unknown = above('Area', 1);
      for (let depth = 0; depth < 500; depth++) gate = { kind: 'not', gate };
      return filed({ name: 'Deep', gate });
    };
    const refused: [value: unknown, reason: string][] = [
      [{ version: 1, populations: [] }, 'It is no file of populations'],
      [[], 'It is no file of populations'],
      [null, 'It is no file of populations'],
      [filed(...Array.from({ length: 501 }, () => ({}))), 'It is no file of populations'],
      [{ ...filed(), version: 2 }, 'A newer version of the extension has saved it'],
      [filed(all[0], null), 'The population "{0}" isn\'t valid'],
      [filed({ ...all[0], color: 'url(x)' }), 'The population "{0}" isn\'t valid'],
      [filed({ ...all[0], thresholds: ['1'] }), 'The population "{0}" isn\'t valid'],
      [deep(), 'The population "{0}" isn\'t valid'],
      [filed(all[0], { ...all[0], name: 'CELLS' }), 'It has several populations "{0}"'],
      [filed(all[1]), 'The population "{0}", which "{1}" needs, isn\'t in it'],
      [filed({ ...all[0], parent: 'Bright' }, all[1]), 'The population "{0}" is a part of itself'],
    ];
    for (const [value, message] of refused)
      throws(
        () => read(value),
        (error: { code: string; details: { subject: string; reason: { message: string } } }) => {
          deepEqual(
            [error.code, error.details.subject, error.details.reason.message],
            ['bad-request', 'a.json', message],
          );
          return true;
        },
      );
    throws(() => populationsOfFile(text.slice(0, -9), 'a.json'), { code: 'bad-request' });
    const deeper = `${'{"kind":"not","gate":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const nested = JSON.stringify(filed({ name: 'Deep', gate: 0 })).replace('"gate":0', `"gate":${deeper}`);
    throws(() => populationsOfFile(nested, 'a.json'), { code: 'bad-request' });
    const { polluted } = {} as { polluted?: unknown };
    throws(() => populationsOfFile('{"__proto__": {"polluted": 1}}', 'a.json'), { code: 'bad-request' });
    equal(polluted, undefined);
  });

  it('that a table can not have are told with what they lack, and those that need them', () => {
    const saved = populationsOfFile(text, 'a.json');
    const lacks = (some: TableColumn[]) =>
      usablePopulations(saved, some).unusable.map(({ name, problem }) => [name, problem.kind]);
    // Of columns without a name of their own only the position is known, which is another one
    // elsewhere.
    deepEqual(lacks(columns), [['Drawn', 'no-column']]);
    deepEqual(lacks([{ index: 0, name: 'Area', kind: 'text' }]), [
      ['Cells', 'no-numbers'],
      ['Bright', 'needs'],
      ['Drawn', 'no-column'],
    ]);
    deepEqual(
      usablePopulations(saved, columns).usable.map(({ name }) => name),
      ['Cells', 'Bright'],
    );
  });

  it('are added under free names, or replace others, with thresholds that are computed anew or stay', () => {
    const saved = populationsOfFile(text, 'a.json').slice(0, 2);
    equal(haveThresholds(saved), true);
    equal(haveThresholds(saved.slice(0, 1)), false);
    const own: Population[] = [
      { name: 'cells', gate: above('Ki67', 1) },
      { name: 'Cells 2', gate: above('Ki67', 2) },
    ];
    const added = withPopulationsOfFile(own, saved, { isFrozen: true, isReplacing: false });
    deepEqual(
      added.map(({ name, parent }) => [name, parent]),
      [
        ['cells', undefined],
        ['Cells 2', undefined],
        ['Cells 3', undefined],
        ['Bright', 'Cells 3'],
      ],
    );
    deepEqual(added.at(-1)?.gate, { kind: 'all', gates: [{ ...bright, frozen: 12.5 }, above('Area', 9)] });
    const replaced = withPopulationsOfFile(own, saved, { isFrozen: false, isReplacing: true });
    deepEqual(replaced, [{ ...all[0], gate: above('Area', 5) }, all[1]]);
  });
});
