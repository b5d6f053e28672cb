import { equal } from 'node:assert/strict';
import { freeName } from '../../../../src/results/node/saveFile';

describe('The name proposed for a file', () => {
  const taken =
    (...names: string[]) =>
    (name: string) =>
      Promise.resolve(names.includes(name));

  it('is as it is where no file has it', async () => {
    equal(await freeName('nuclei_masks.png', taken('nuclei.png')), 'nuclei_masks.png');
  });

  it('has the first free number before its extension otherwise', async () => {
    equal(await freeName('a.b.csv', taken('a.b.csv', 'a.b-2.csv', 'a.b-4.csv')), 'a.b-3.csv');
    equal(await freeName('masks', taken('masks')), 'masks-2');
  });

  it('is one of a file at last, rather than searched without end', async () => {
    equal(await freeName('a.png', () => Promise.resolve(true)), 'a.png');
  });
});
