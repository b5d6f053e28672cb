import assert from 'node:assert/strict';
import { columnsOfImage, findRowColumns, joinsImages } from '../../../src/columns/rowColumns';

describe('the columns that name an object', () => {
  const cases: [names: string[], expected: ReturnType<typeof findRowColumns>][] = [
    [['Image origin', 'Object ID', 'Class', 'Area'], { image: 0, id: 1, area: 2 + 1 }],
    [['id', 'object_id', 'image_name', 'Area (µm²)'], { image: 2, id: 1, area: 3 }],
    [['label', 'filename', 'area'], { image: 1, id: 0, area: 2 }],
    [['ImageID', 'ObjectNumber', 'Area of hull', 'Area'], { image: 0, id: 1, area: 3 }],
    [['Centre X', 'Centre Y'], { position: { x: 0, y: 1 } }],
    [['Y center', 'Center X px'], { position: { x: 1, y: 0 } }],
    [['Perimeter', 'Class'], {}],
  ];
  for (const [names, expected] of cases) {
    it(`are found in ${names.join(', ')}`, () => assert.deepEqual(findRowColumns(names), expected));
  }
});

describe('The columns that name an image', () => {
  const named = (...names: string[]) =>
    names.map((name, index) => ({
      index,
      name,
      kind: 'text' as const,
      ...(name === 'Job' && { isLabel: true as const }),
    }));

  it('are the path, in a table of several jobs after the job', () => {
    assert.deepEqual(columnsOfImage(named('Image', 'Area')), [0]);
    assert.deepEqual(columnsOfImage(named('Job', 'Image', 'Area')), [0, 1]);
    assert.deepEqual(columnsOfImage(named('Job', 'Name', 'Area'), 1), [0, 1]);
    assert.deepEqual(columnsOfImage(named('Job', 'Area')), []);
  });

  it('put images of several jobs into one group where rows are grouped by path alone', () => {
    const columns = named('Job', 'Image', 'Class');
    assert.deepEqual(
      [[1], [1, 2], [0, 1], [0], [2]].map(by => joinsImages(by, columns)),
      [true, true, false, false, false],
    );
    assert.equal(joinsImages([0], named('Image', 'Class')), false);
  });
});
