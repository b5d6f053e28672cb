import { deepEqual } from 'node:assert/strict';
import { compareRun } from '../../../../src/jobs/node/accountRuns';

describe('What came out of a job', () => {
  const items = [
    { id: '1', name: 'a.tif' },
    { id: '2', name: 'b.tif' },
    { id: '3', name: 'c.tif' },
  ];
  /** The outcome, and after how many steps it was known. */
  const compareInSteps = (...run: Parameters<typeof compareRun>) => {
    const comparing = compareRun(...run);
    for (let steps = 0; ; steps++) {
      const { done, value } = comparing.next();
      if (done) return { steps, outcome: value };
    }
  };
  const compare = (...run: Parameters<typeof compareRun>) => compareInSteps(...run).outcome;
  const archived = (...names: string[]) => names.map((filename, index) => ({ id: `x${index}`, filename }));

  it('is missing for an image that neither the aggregate table nor the archive names', () => {
    const results = { aggregate: ['mine/a.tif', 'mine/a.tif'], archive: archived('b.tif') };
    deepEqual(compare(items, results), { compared: true, withoutResult: ['3'] });
  });

  it('is there for an image that one of them names', () => {
    const both = ['a.tif', 'b.tif', 'c.tif'];
    const nothing = { compared: true, withoutResult: [] };
    deepEqual(compare(items, { aggregate: both, archive: [] }), nothing);
    deepEqual(compare(items, { aggregate: [], archive: archived(...both) }), nothing);
    deepEqual(compare(items, { aggregate: ['1', '2', '3'], archive: [] }), nothing, 'by their IDs');
  });

  it("can't be told where items were folders", () => {
    const folder = [...items, { id: '4', name: 'plate', isFolder: true as const }];
    deepEqual(compare(folder, { aggregate: ['a.tif'], archive: [] }), { compared: false, why: 'folders' });
  });

  it("can't be told where names are unknown, the same, or ambiguous", () => {
    const unclear = { compared: false, why: 'names' };
    const results = { aggregate: ['a.tif'], archive: archived('b.tif') };
    deepEqual(compare([...items, { id: '4' }], results), unclear);
    deepEqual(compare([...items, { id: '4', name: 'a.tif' }], results), unclear);
    const paths = [
      { id: '1', name: 'x/a.tif' },
      { id: '2', name: 'y/a.tif' },
    ];
    deepEqual(compare(paths, { aggregate: ['a.tif'], archive: [] }), unclear);
  });

  it("can't be told where the results name images in another way", () => {
    const unclear = { compared: false, why: 'names' };
    const renamed = archived('a.tif', 'image_0002.png');
    deepEqual(compare(items, { aggregate: [], archive: renamed }), unclear);
    deepEqual(compare(items, { aggregate: ['a.tif'], archive: renamed }), unclear);
    deepEqual(compare(items, { aggregate: ['Image 1', 'Image 2'], archive: [] }), unclear);
    deepEqual(compare(items, { aggregate: [], archive: archived('') }), unclear);
  });

  it('is there for all images though the results name further ones', () => {
    const results = { aggregate: ['a.tif', 'b.tif', 'c.tif', 'All'], archive: archived('overview.png') };
    deepEqual(compare(items, results), { compared: true, withoutResult: [] });
  });

  it('is missing where the table has further rows, such as a sum, and where there is no result at all', () => {
    const results = { aggregate: ['a.tif', 'All'], archive: archived('b.tif', '') };
    deepEqual(compare(items, results), { compared: true, withoutResult: ['3'] });
    const none = { compared: true, withoutResult: ['1', '2', '3'] };
    deepEqual(compare(items, { aggregate: [], archive: [] }), none);
  });

  it('compares accents however they are encoded', () => {
    const accents = [{ id: '1', name: 'Zürich.tif'.normalize('NFC') }];
    const results = { aggregate: ['Zürich.tif'.normalize('NFD')], archive: [] };
    deepEqual(compare(accents, results), { compared: true, withoutResult: [] });
  });

  it('is compared in a step for each name, of however many images', () => {
    const results = { aggregate: ['a.tif', 'a.tif', 'b.tif'], archive: archived('a.tif', 'b.tif', 'c.tif') };
    // Two more are to decide what the names of both lists mean.
    deepEqual(compareInSteps(items, results), {
      steps: 8 + 2,
      outcome: { compared: true, withoutResult: [] },
    });
  });

  it('is compared with no name where those of the items repeat', () => {
    const twins = items.map(({ id }) => ({ id, name: 'a.tif' }));
    const { steps } = compareInSteps(twins, { aggregate: ['a.tif', 'b.tif'], archive: archived('a.tif') });
    deepEqual(steps, twins.length);
  });
});
