import assert from 'node:assert/strict';
import { comparedClasses, proposedClassPairs } from '../../../src/comparison/comparison';

describe('proposedClassPairs', () => {
  it('takes the same names first', () => {
    assert.deepEqual(proposedClassPairs(['Cell', 'cell'], ['cell', 'Cell']), [
      { a: 'Cell', b: 'Cell' },
      { a: 'cell', b: 'cell' },
    ]);
  });

  it('proposes names that are spelled alike, and nothing for one that is left alone on each side', () => {
    assert.deepEqual(
      proposedClassPairs(['Nuclei', 'Mitotic cell', 'Tumor'], ['mitotic_cells', 'tumor', 'Kerne']),
      [
        { a: 'Mitotic cell', b: 'mitotic_cells' },
        { a: 'Tumor', b: 'tumor' },
      ],
    );
  });

  it('proposes nothing where several are alike or left', () => {
    assert.deepEqual(proposedClassPairs(['cell', 'CELL', 'a'], ['Cell', 'b', 'c']), []);
  });
});

describe('comparedClasses', () => {
  const classes = (...names: string[]) => names.map(name => ({ name, count: 1 }));
  const each = (...classPairs: { a: string; b: string }[]) => ({ classes: 'each' as const, classPairs });

  it('lists pairs of classes, and those that stand alone', () => {
    assert.deepEqual(
      comparedClasses(
        each({ a: 'Nucleus', b: 'Nucleus' }, { a: 'Mitotic', b: 'gone' }),
        [...classes('Nucleus', 'Mitotic'), { name: 'Unused', count: 0 }],
        classes('Nucleus', 'Debris'),
      ),
      { mode: 'each', pairs: [{ a: 'Nucleus', b: 'Nucleus' }, { a: 'Mitotic' }, { b: 'Debris' }] },
    );
  });

  it('matches all together where a side has no classes, unless somebody said which its objects are', () => {
    const several = classes('Nucleus', 'Mitotic');
    const labels = classes('');
    assert.deepEqual(comparedClasses(each(), labels, several), { mode: 'all', pairs: [], without: 'a' });
    assert.deepEqual(comparedClasses(each(), several, labels), { mode: 'all', pairs: [], without: 'b' });
    assert.deepEqual(comparedClasses(each({ a: '', b: 'Mitotic' }), labels, several), {
      mode: 'each',
      pairs: [{ a: '', b: 'Mitotic' }, { b: 'Nucleus' }],
    });
    assert.deepEqual(comparedClasses(each({ a: '', b: '' }), labels, labels), {
      mode: 'each',
      pairs: [{ a: '', b: '' }],
    });
  });

  it('has classes that stand alone where a side has no objects', () => {
    assert.deepEqual(comparedClasses(each(), [], classes('Cell')), { mode: 'each', pairs: [{ b: 'Cell' }] });
  });
});
