import assert from 'node:assert/strict';
import { proposedClassPairs } from '../../../src/matching/comparison';

describe('proposedClassPairs', () => {
  it('takes the same names first', () => {
    assert.deepEqual(proposedClassPairs(['Cell', 'cell'], ['cell', 'Cell']), [
      { a: 'Cell', b: 'Cell' },
      { a: 'cell', b: 'cell' },
    ]);
  });

  it('proposes names that are spelled alike, and those that are left alone', () => {
    assert.deepEqual(
      proposedClassPairs(['Nuclei', 'Mitotic cell', 'Tumor'], ['mitotic_cells', 'tumor', 'Kerne']),
      [
        { a: 'Mitotic cell', b: 'mitotic_cells' },
        { a: 'Tumor', b: 'tumor' },
        { a: 'Nuclei', b: 'Kerne' },
      ],
    );
  });

  it('proposes nothing where several are alike or left', () => {
    assert.deepEqual(proposedClassPairs(['cell', 'CELL', 'a'], ['Cell', 'b', 'c']), []);
  });
});
