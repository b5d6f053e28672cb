import { strict as assert } from 'node:assert';
import { isCoded } from '../../../src/base/errors';
import type { ImageColumns } from '../../../src/study/imageColumns';
import { applyEdits, editsOfColumns, editsOfMoved, type ImageEdit } from '../../../src/study/imageEdits';

const before: ImageColumns = {
  images: ['a.tif', 'b.tif'],
  columns: [{ name: 'Drug', values: ['x', ''], role: 'condition' }],
  excluded: [{ image: 1, reason: 'Blurred' }],
};

function whyRefused(edits: ImageEdit[]): string | undefined {
  try {
    applyEdits(before, edits, ['Area']);
  } catch (error) {
    assert.ok(isCoded(error, 'bad-request'));
    return error.details.reason?.message ?? 'bad-request';
  }
  return undefined;
}

describe('Edits of the columns of images', () => {
  it('are undone by their inverse', () => {
    const edits: ImageEdit[] = [
      { kind: 'insert', at: 0, column: { name: 'Donor', values: ['d1', 'd2'], role: 'replicate' } },
      { kind: 'values', at: 1, images: [1, 0], values: ['y', ''] },
      { kind: 'describe', at: 1, column: { name: 'Dose', isNumeric: true } },
      { kind: 'exclude', images: [0, 1], reasons: [' Empty ', null] },
      { kind: 'remove', at: 0 },
    ];
    const { columns, inverse } = applyEdits(before, edits);
    assert.deepEqual(columns, {
      images: before.images,
      columns: [{ name: 'Dose', id: 'Drug', values: ['', 'y'], isNumeric: true }],
      excluded: [{ image: 0, reason: 'Empty' }],
    });
    const undone = applyEdits(columns, inverse);
    assert.deepEqual(undone.columns, before);
    assert.deepEqual(applyEdits(undone.columns, undone.inverse).columns, columns);
  });

  it('keep what a column is known by, also where another one gets its former name', () => {
    const known = (edits: ImageEdit[]) =>
      applyEdits(before, edits).columns.columns.map(({ name, id }) => `${name}: ${id ?? 'its name'}`);
    const describe = (name: string): ImageEdit => ({ kind: 'describe', at: 0, column: { name } });
    const insert = (name: string): ImageEdit => ({ kind: 'insert', at: 1, column: { name, values: [] } });
    assert.deepEqual(known([describe('Dose')]), ['Dose: Drug']);
    assert.deepEqual(known([describe('Dose'), describe('Compound')]), ['Compound: Drug']);
    assert.deepEqual(known([describe('Dose'), describe('Drug')]), ['Drug: its name']);
    assert.deepEqual(known([describe('Dose'), insert('Drug')]), ['Dose: Drug', 'Drug: Drug 2']);
    // Undo brings back the same column.
    const renamed = applyEdits(before, [describe('Dose')]).columns;
    const removed = applyEdits(renamed, [{ kind: 'remove', at: 0 }]);
    assert.deepEqual(applyEdits(removed.columns, removed.inverse).columns, renamed);
  });

  it('are refused whole, with what is wrong', () => {
    const values = ['', ''];
    assert.equal(
      whyRefused([{ kind: 'insert', at: 1, column: { name: ' ', values } }]),
      'A column needs a name',
    );
    assert.equal(
      whyRefused([{ kind: 'insert', at: 1, column: { name: 'drug', values } }]),
      'Another column is already called "{0}"',
    );
    assert.equal(
      whyRefused([{ kind: 'insert', at: 1, column: { name: 'area', values } }]),
      'Another column is already called "{0}"',
    );
    assert.equal(
      whyRefused([{ kind: 'describe', at: 0, column: { name: 'Area' } }]),
      'Another column is already called "{0}"',
    );
    const long = 'x'.repeat(1001);
    assert.equal(
      whyRefused([{ kind: 'values', at: 0, images: [0], values: [long] }]),
      'The value of "{0}" has {1} characters',
    );
    assert.equal(
      whyRefused([{ kind: 'exclude', images: [0], reasons: [long] }]),
      'The value of "{0}" has {1} characters',
    );
    for (const edit of [
      { kind: 'values', at: 0, images: [2], values: ['x'] },
      { kind: 'remove', at: 1 },
      { kind: 'insert', at: 2, column: { name: 'X', values } },
      { kind: 'exclude', images: [-1], reasons: ['x'] },
    ] satisfies ImageEdit[])
      assert.equal(whyRefused([edit]), 'bad-request', edit.kind);
  });

  it('give a column that is there more values, and add others', () => {
    const given = [
      { name: 'drug', values: ['', 'z'] },
      { name: 'Site', values: ['1', '2'] },
    ];
    const edits = editsOfColumns(before, given, image => image === 1);
    assert.deepEqual(applyEdits(before, edits).columns.columns, [
      { name: 'Drug', values: ['x', 'z'], role: 'condition' },
      { name: 'Site', values: ['1', '2'] },
    ]);
  });

  it('follow their columns where others came and went meanwhile', () => {
    const values: ImageEdit = { kind: 'values', at: 1, images: [0], values: ['x'] };
    const column = { name: 'Site', values: ['1', '2'] };
    const rename: ImageEdit = { kind: 'describe', at: 0, column: { name: 'Compound' } };
    const moved = (edits: ImageEdit[], now: string[], redescribed?: Set<string>) =>
      editsOfMoved(edits, ['Drug', 'Day'], now, redescribed)?.map(edit =>
        edit.kind === 'exclude' ? -1 : edit.at,
      );
    assert.deepEqual(moved([values], ['Drug', 'Day']), [1]);
    assert.deepEqual(moved([values], ['Day', 'Plate', 'Drug']), [0]);
    assert.equal(moved([values], ['Drug']), undefined);
    // Each goes by what those before have made.
    const more: ImageEdit[] = [
      { kind: 'insert', at: 0, column },
      { ...values, at: 2 },
      { kind: 'remove', at: 1 },
      { ...values, at: 0 },
      { kind: 'insert', at: 2, column: { ...column, name: 'Last' } },
    ];
    assert.deepEqual(moved(more, ['Plate', 'Drug', 'Day']), [1, 3, 2, 1, 3]);
    assert.deepEqual(moved([rename, { ...values, at: 0 }], ['Day', 'Drug']), [1, 1]);
    // Another description would be lost.
    assert.equal(moved([rename], ['Drug', 'Day'], new Set(['Drug'])), undefined);
    assert.deepEqual(moved([{ kind: 'exclude', images: [0], reasons: ['x'] }], []), [-1]);
  });
});
