import assert from 'node:assert/strict';
import { findRowColumns } from '../../../src/columns/rowColumns';

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
