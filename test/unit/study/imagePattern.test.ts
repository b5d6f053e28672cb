import { strict as assert } from 'node:assert';
import { imageColumnName } from '../../../src/columns/imageColumnName';
import { roleOfName, orderedValues, whyNoRole } from '../../../src/study/imageColumns';
import {
  fieldsOf,
  isPattern,
  matchPattern,
  parsePattern,
  proposeColumns,
  proposedComparison,
  wellOf,
  wellOfPath,
} from '../../../src/study/imagePattern';

function pattern(text: string) {
  const parsed = parsePattern(text);
  assert.ok(isPattern(parsed), JSON.stringify(parsed));
  return parsed;
}

function why(text: string): string {
  const parsed = parsePattern(text);
  assert.ok(!isPattern(parsed), text);
  return parsed.message ?? parsed.message;
}

describe('The role of a column', () => {
  it('is told by a word of its name', () => {
    const roles = {
      Condition: 'condition',
      'Treatment (24 h)': 'condition',
      genotype: 'condition',
      dose_uM: 'condition',
      donorId: 'replicate',
      'Mouse 2': 'replicate',
      rep1: 'replicate',
      Batch: 'replicate',
      Plate: 'plate',
      'well ID': 'well',
      Site: undefined,
      Representation: undefined,
      Today: undefined,
    };
    for (const [name, role] of Object.entries(roles)) assert.equal(roleOfName(name), role, name);
  });

  it('is refused to a column of thousands of values', () => {
    const column = { name: 'Condition', values: Array.from({ length: 10_000 }, (_, at) => String(at)) };
    assert.deepEqual(whyNoRole(column, 'condition')?.args, ['Condition', 10_000, 200]);
    assert.equal(whyNoRole({ ...column, values: ['a', 'b', ''] }, 'condition'), undefined);
  });
});

describe('The values of a column', () => {
  it('are in the order of a person, then by number or as people count', () => {
    assert.deepEqual(orderedValues({ values: ['d10', 'd2', '', 'd2', 'd1'] }), ['d1', 'd2', 'd10']);
    assert.deepEqual(orderedValues({ values: ['10', '0,5', '2', '-1'] }), ['-1', '0,5', '2', '10']);
    assert.deepEqual(orderedValues({ values: ['a', 'c', 'b'], order: ['c', 'x', 'c'] }), ['c', 'a', 'b']);
  });
});

describe('The name of a new column', () => {
  it('differs from those of the table', () => {
    assert.equal(imageColumnName('Dose', ['Area']), 'Dose');
    assert.equal(imageColumnName('area', ['Area']), 'area (image)');
    assert.equal(imageColumnName('Area', ['area', 'AREA (image)']), 'Area (image 2)');
  });
});

describe('A pattern', () => {
  it('takes values from folders and names', () => {
    const parsed = pattern('{condition}/{donor}_{site}.tif');
    assert.deepEqual(fieldsOf(parsed, 'control/donor2_s1.tif'), ['control', 'donor2', 's1']);
    assert.deepEqual(fieldsOf(parsed, 'D:\\data\\treated\\donor1_s2.tif'), ['treated', 'donor1', 's2']);
    assert.equal(fieldsOf(parsed, 'donor2_s1.tif'), undefined);
    assert.equal(fieldsOf(parsed, 'control/donor2_s1.png'), undefined);
    assert.equal(fieldsOf(parsed, 'control/_s1.tif'), undefined);
  });

  it('is compared with a name without its extension where it has none', () => {
    assert.deepEqual(fieldsOf(pattern('{a}_{b}'), 'x_y_z.ome.tif'), ['x', 'y_z']);
    assert.deepEqual(fieldsOf(pattern('*_{b}'), 'x_y.tif'), ['y']);
  });

  it('keeps the end of a name fixed', () => {
    assert.deepEqual(fieldsOf(pattern('{a}.tif'), 'x.tif.tif'), ['x.tif']);
    assert.equal(fieldsOf(pattern('a{b}a.tif'), 'aa.tif'), undefined);
    assert.deepEqual(fieldsOf(pattern('{plate}/r*c{c}f*.tif'), 'p1/r01c02f03.tif'), ['p1', '02']);
  });

  it('takes a name of thousands of parts in no time', () => {
    const parsed = pattern(`${Array.from({ length: 30 }, (_, at) => `{f${at}}`).join('_')}_end.tif`);
    assert.equal(fieldsOf(parsed, `${'a_'.repeat(5000)}.tif`), undefined);
  });

  it('is refused with what is wrong', () => {
    assert.equal(why('*.tif'), 'The pattern has no field in braces');
    assert.equal(why('{a}{b}.tif'), 'Separate "{0}" from the field before it');
    assert.equal(why('{a_b.tif'), 'A brace is unmatched. Write a field as {0}');
    assert.equal(why('{ }.tif'), 'A field has no name');
    assert.equal(why('{a}_{A}.tif'), 'The field "{0}" occurs twice');
  });

  it('lists the images that it leaves without values', () => {
    const found = matchPattern(pattern('{Dose}_{Donor}.tif'), ['0,5_d1.tif', 'other.tif', '10_d1.tif']);
    assert.deepEqual(found.unmatched, [1]);
    assert.deepEqual(found.columns, [
      { name: 'Dose', values: ['0,5', '', '10'], role: 'condition', isNumeric: true },
      { name: 'Donor', values: ['d1', '', 'd1'], role: 'replicate' },
    ]);
  });
});

describe('Columns proposed for images', () => {
  const study = ['control', 'treated'].flatMap(folder =>
    ['donor1', 'donor2'].flatMap(donor => ['s1', 's2'].map(site => `exp/${folder}/${donor}_${site}.tif`)),
  );

  it('are what differs between folders and names', () => {
    const proposed = proposeColumns(study);
    assert.equal(proposed?.pattern, '{Condition}/{Donor}_{Site}.tif');
    assert.deepEqual(
      proposed.columns.map(({ name, role, reference, values }) => [name, role, reference, values[3]]),
      [
        ['Condition', 'condition', 'control', 'control'],
        ['Donor', 'replicate', undefined, 'donor2'],
        ['Site', undefined, undefined, 's2'],
      ],
    );
    assert.deepEqual(proposed.unmatched, []);
  });

  it('are told by the form that most names have, and say which have another', () => {
    const proposed = proposeColumns([...study, 'exp/notes/overview.tif']);
    assert.equal(proposed?.pattern, '{Condition}/{Donor}_{Site}.tif');
    assert.deepEqual(proposed.unmatched, [8]);
  });

  it('have names of their own', () => {
    const images = ['a/x_1_2.tif', 'b/y_2_1.png'].flatMap(path => [path, path.replace('x', 'z')]);
    assert.equal(proposeColumns(images, ['folder'])?.pattern, '{Folder 2}/{Part}_{Number}_{Number 2}.*');
  });

  it('call folders that are conditions so, but not as another column', () => {
    const [first] = proposeColumns(study, ['condition'])?.columns ?? [];
    assert.deepEqual([first?.name, first?.role], ['Condition (image)', 'condition']);
    const plain = study.map(path => path.replace('control', 'left').replace('treated', 'right'));
    const [folder] = proposeColumns(plain)?.columns ?? [];
    assert.deepEqual([folder?.name, folder?.role], ['Folder', undefined]);
  });

  it('give a comparison: the reference first, and folders where no name tells a condition', () => {
    const comparisonOf = (images: readonly string[]) => {
      const columns = proposeColumns(images);
      const found = columns && proposedComparison(columns);
      return found && [found.proposed.pattern, found.conditions, found.replicate, found.replicates];
    };
    const pattern = '{Condition}/{Donor}_{Site}.tif';
    const donors = [['Donor'], ['donor1', 'donor2']] as const;
    const zebra = study.map(path => path.replace('treated', 'a'));
    assert.deepEqual(comparisonOf(zebra), [pattern, ['control', 'a'], ...donors]);
    const plain = study.map(path => path.replace('control', 'left').replace('treated', 'right'));
    assert.deepEqual(comparisonOf(plain), [pattern, ['left', 'right'], ...donors]);
    // A folder for each image is none.
    assert.equal(comparisonOf(['a/x.tif', 'b/x.tif', 'c/x.tif']), undefined);
    assert.equal(comparisonOf(['s1.tif', 's2.tif']), undefined);
    assert.deepEqual(comparisonOf(['ctrl_1.tif', 'drug_1.tif', 'ctrl_2.tif', 'drug_2.tif']), [
      '{Condition}_{Number}.tif',
      ['ctrl', 'drug'],
      [],
      [],
    ]);
  });

  it('find wells', () => {
    assert.equal(proposeColumns(['P1_A01.tif', 'P1_B12.tif'])?.pattern, 'P1_{Well}.tif');
  });

  it('are none where nothing differs', () => {
    assert.equal(proposeColumns(['a/b.tif']), undefined);
    assert.equal(proposeColumns([]), undefined);
    assert.equal(proposeColumns(['a/b.tif', 'a/b.tif']), undefined);
  });
});

describe('A well', () => {
  it('is one however it is written', () => {
    assert.equal(wellOf(' a01'), 'A1');
    assert.equal(wellOf('AF48'), 'AF48');
    for (const text of ['A0', 'A49', 'AA', '1A', 'ZZ1']) assert.equal(wellOf(text), undefined, text);
    assert.equal(wellOfPath('plate/x_B03_s1.tif'), 'B3');
    assert.equal(wellOfPath('A1_B1.tif'), undefined);
    assert.equal(wellOfPath('Images/r02c03f01p01-ch1sk1fk1fl1.tiff'), 'B3');
    assert.equal(wellOfPath('r32c48.tif'), 'AF48');
    for (const other of ['r00c03.tif', 'r33c03.tif', 'r02c49.tif', 'r2c3x.tif', 'car02c03.tif'])
      assert.equal(wellOfPath(other), undefined);
  });
});
