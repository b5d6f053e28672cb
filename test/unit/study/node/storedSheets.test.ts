import { deepEqual } from 'node:assert/strict';
import type { StoredImages } from '../../../../src/study/storedImages';
import { storedSheets } from '../../../../src/study/node/storedSheets';
import type { ResultChoices } from '../../../../src/results/node/resultChoices';

const stored: StoredImages = {
  columns: [{ name: 'Drug', role: 'condition' }],
  values: { 'a.tif': ['-Dox'], 'b, c.tif': ['007'] },
  excluded: { 'b, c.tif': 'Blurred' },
};

const session = {
  account: { id: 'me' },
  runs: {
    values: () =>
      Promise.resolve([
        { name: 'Plate 1', stored },
        { name: 'Emptied', stored: { columns: [], values: {}, excluded: {} } },
      ]),
  },
  jobFacts: { get: (jobId: string) => (jobId === 'named' ? { name: 'Plate 2' } : {}) },
} as unknown as Parameters<typeof storedSheets>[0];

const choicesOf = (images: Record<string, StoredImages>) =>
  ({ values: () => Promise.resolve(images) }) as unknown as ResultChoices;

describe('The sheets of an account that signs out', () => {
  it('are those of its jobs, submitted from here or not, by their names', async () => {
    const choices = choicesOf({ 'job:me:named': stored, 'job:me:7f': stored });
    const text = 'Image,Drug,ExcludedBecause\na.tif,-Dox,\n"b, c.tif",007,Blurred\n';
    deepEqual(await storedSheets(session, choices, true), [
      { name: 'Plate 1', text },
      { name: 'Plate 2', text },
      { name: '7f', text },
    ]);
  });

  it('begin with a byte order mark where they need it and that is wanted', async () => {
    const marked: StoredImages = {
      columns: [{ name: 'Dose (µM)' }],
      values: { 'a.tif': ['1'] },
      excluded: {},
    };
    const choices = choicesOf({ 'job:me:7f': marked });
    const text = 'Image,Dose (µM)\na.tif,1\n';
    deepEqual((await storedSheets(session, choices, true)).at(-1)?.text, `\ufeff${text}`);
    deepEqual((await storedSheets(session, choices, false)).at(-1)?.text, text);
  });
});
