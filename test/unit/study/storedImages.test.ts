import { strict as assert } from 'node:assert';
import { finish } from '../../../src/base/steps';
import type { ImageColumns } from '../../../src/study/imageColumns';
import type { ImageEdit } from '../../../src/study/imageEdits';
import {
  imagesKind,
  namesAfter,
  sameStored,
  storedOf,
  type StoredImages,
  withRenamed,
  withStored,
} from '../../../src/study/storedImages';

const storedNow = (...of: Parameters<typeof storedOf>) => finish(storedOf(...of));

const known: ImageColumns = {
  images: ['exp/a/d1_s1.tif', 'exp/a/d2_s1.tif'],
  columns: [
    { name: 'Donor', values: ['d1', 'd2'], role: 'replicate' },
    { name: 'Note', values: ['', '007'] },
  ],
  excluded: [{ image: 1, reason: 'Blurred' }],
};

describe('Stored columns of images', () => {
  it('have technical replicates again', () => {
    const columns = {
      images: ['d1_r1.tif', 'd1_r2.tif'],
      columns: [
        { name: 'Donor', values: ['d1', 'd1'], role: 'replicate' as const },
        { name: 'Rep', values: ['r1', 'r2'], role: 'technicalReplicate' as const },
      ],
      excluded: [],
    };
    const stored = imagesKind.valid(JSON.parse(JSON.stringify(storedNow(columns, undefined))));
    assert.deepEqual(withStored(columns.images, stored), columns);
  });

  it('are those that were stored, as JSON too', () => {
    const stored = imagesKind.valid(JSON.parse(JSON.stringify(storedNow(known, undefined))));
    assert.deepEqual(withStored(known.images, stored), known);
  });

  it('keep what they are known by, which is nothing else in stores of earlier versions', () => {
    const renamed = { ...known, columns: [{ name: 'Patient', id: 'Donor', values: ['d1', 'd2'] }] };
    const stored = imagesKind.valid(JSON.parse(JSON.stringify(storedNow(renamed, undefined))));
    assert.deepEqual(withStored(known.images, stored), renamed);
    const another = { ...known, columns: [{ name: 'Patient', values: ['d1', 'd2'] }] };
    assert.ok(!sameStored(stored, storedNow(another, undefined)));
    assert.equal(imagesKind.valid({ ...stored, columns: [{ name: 'Patient', id: 5 }] }), undefined);
  });

  it('are found for images that are named with more folders or fewer', () => {
    const stored = storedNow(known, undefined);
    const named = withStored(['a/d2_s1.tif', '/data/exp/a/d1_s1.tif', 'b/d1_s1.tif'], stored);
    assert.deepEqual(named.columns[0]?.values, ['d2', 'd1', '']);
    assert.deepEqual(named.excluded, [{ image: 0, reason: 'Blurred' }]);
  });

  it('belong to none of several images that may be meant', () => {
    const stored = storedNow({ ...known, images: ['a/x.tif', 'b/x.tif'] }, undefined);
    assert.deepEqual(withStored(['x.tif'], stored).columns[0]?.values, ['']);
  });

  it('are told by a pattern for images that come later, and not for those that were emptied', () => {
    const emptied = { ...known, columns: [{ name: 'Donor', values: ['', 'd2'] }] };
    const stored = storedNow(emptied, undefined, ['{Donor}_*']);
    const later = withStored([...known.images, 'exp/a/d3_s1.tif'], stored);
    assert.deepEqual(later.columns[0]?.values, ['', 'd2', 'd3']);
  });

  it('stay for images that are not listed now', () => {
    const first = storedNow(known, undefined);
    const part = { images: ['new.tif'], columns: [{ name: 'Note', values: ['x'] }], excluded: [] };
    const stored = storedNow(part, first);
    assert.deepEqual(stored?.values, {
      'exp/a/d1_s1.tif': [''],
      'exp/a/d2_s1.tif': ['007'],
      'new.tif': ['x'],
    });
    assert.deepEqual(stored?.excluded, { 'exp/a/d2_s1.tif': 'Blurred' });
    const without = storedNow({ ...part, columns: [] }, first);
    assert.deepEqual(without?.excluded, { 'exp/a/d2_s1.tif': 'Blurred' });
  });

  it('follow a renamed column, also for images that are not listed now or come later', () => {
    const first = storedNow(known, undefined, ['{donor}_*', '{Note}/x_{site}.tif']);
    assert.ok(first);
    const describe = (at: number, name: string) => ({ kind: 'describe' as const, at, column: { name } });
    const after = (...edits: ImageEdit[]) => withRenamed(first, namesAfter(first.columns, edits));
    const renamed = after(
      { kind: 'insert', at: 0, column: { name: 'New', values: [] } },
      describe(1, 'Patient'),
      describe(2, 'Site'),
    );
    assert.deepEqual(renamed.patterns, ['{Patient}_*', '{Site}/x_*.tif']);
    const columns = [
      { name: 'New', values: ['n'] },
      { name: 'Patient', values: ['d1'] },
      { name: 'Site', values: ['1'] },
    ];
    const stored = storedNow({ images: ['exp/a/d1_s1.tif'], columns, excluded: [] }, renamed);
    assert.deepEqual(stored?.values['exp/a/d2_s1.tif'], ['', 'd2', '007']);
    const later = withStored(['exp/b/d3_s1.tif'], stored);
    assert.deepEqual(
      later.columns.map(({ values }) => values[0]),
      ['', 'd3', ''],
    );
    assert.deepEqual(after(describe(0, '{odd}/')).patterns?.[0], '*_*');
  });

  it('are told by the pattern that was applied last, also where that was applied before', () => {
    const images = ['a_b.tif'];
    const apply = (before: StoredImages | undefined, pattern: string, value: string) =>
      storedNow({ images, columns: [{ name: 'Donor', values: [value] }], excluded: [] }, before, [pattern]);
    const [first, second] = ['{Donor}_*', '*_{Donor}'];
    const again = apply(apply(apply(undefined, first, 'a'), second, 'b'), first, 'a');
    assert.deepEqual(withStored(['c_d.tif'], again).columns[0]?.values, ['c']);
  });

  it('are the same as others where all of their values, columns and exclusions are', () => {
    const first = storedNow(known, undefined, ['{Donor}_*']);
    assert.ok(first);
    const copy = JSON.parse(JSON.stringify(first)) as StoredImages;
    assert.ok(sameStored(first, copy));
    const [path = ''] = Object.keys(first.values);
    const others: StoredImages[] = [
      { ...copy, values: { ...copy.values, [path]: ['other'] } },
      { ...copy, values: { ...copy.values, 'more.tif': [] } },
      { ...copy, columns: [...copy.columns, { name: 'Other' }] },
      { ...copy, excluded: {} },
      { ...copy, patterns: [] },
    ];
    for (const other of others) assert.ok(!sameStored(first, other), JSON.stringify(other));
    // Nothing is stored in two ways.
    const nothing: StoredImages = { columns: [], values: {}, excluded: {} };
    assert.ok(sameStored(undefined, nothing) && sameStored(nothing, { ...nothing, patterns: ['x'] }));
    assert.ok(!sameStored(undefined, first) && !sameStored(first, nothing));
  });

  it('belong to an image once, however it was named when they were stored', () => {
    const first = storedNow(known, undefined);
    const listed = withStored(['d1_s1.tif', 'd2_s1.tif'], first);
    const columns = listed.columns.map(column => ({ ...column, values: ['x', 'y'] }));
    const stored = storedNow({ ...listed, columns, excluded: [] }, first);
    const again = withStored(known.images, stored);
    assert.deepEqual([again.columns[0]?.values, again.excluded], [['x', 'y'], []]);
  });

  it('are none where nothing is known, or the file is damaged', () => {
    assert.equal(storedNow({ ...known, columns: [], excluded: [] }, undefined), undefined);
    for (const value of [null, 'x', {}, { columns: [{}] }, { columns: [{ name: 'a' }, { name: 'a' }] }])
      assert.equal(imagesKind.valid(value), undefined);
    assert.deepEqual(imagesKind.valid({ columns: [], values: { a: ['x'], b: 1 }, excluded: { a: 1 } }), {
      columns: [],
      values: { a: ['x'] },
      excluded: {},
    });
  });
});
