import assert from 'node:assert/strict';
import type { ImageResult, ObjectResult } from '../../../../../src/sample/node/analysis/analyzeImage';
import { aggregateCsv, objectsCsv } from '../../../../../src/sample/node/analysis/reports';

function object(
  id: number,
  className: string,
  area: number,
  extra: Record<string, number> = {},
): ObjectResult {
  return {
    id,
    className,
    classIndex: 0,
    bbox: [0, 0, 1, 1],
    rle: { size: [1, 1], counts: '01' },
    measurements: {
      Area: area,
      Perimeter: 10,
      'Length of Major Axis': 1 / 3,
      'Length of Minor Axis': 3,
      'Feret Diameter Maximum': 6,
      'X Position': 7.5,
      'Y Position': 8.5,
      'Mean Intensity': 100,
      ...extra,
    },
  };
}

function image(origin: string, objects: ObjectResult[]) {
  const result: ImageResult = { width: 10, height: 10, objects };
  return { origin, imageId: 'i1', result };
}

function rows(csv: string): string[][] {
  assert.ok(csv.endsWith('\r\n'));
  return csv
    .slice(0, -2)
    .split('\r\n')
    .map(line => line.split(','));
}

function cell(table: string[][], row: number, column: string): string | undefined {
  const index = table[0]?.indexOf(column) ?? -1;
  assert.notEqual(index, -1, `a column ${column}`);
  return table[row]?.[index];
}

describe('The reports of the sample service', () => {
  it('list every object with the columns of the service', () => {
    const table = rows(
      objectsCsv([image('plate/a.png', [object(1, 'Cell', 50), object(2, 'Cell', 60)]), image('b.png', [])]),
    );
    assert.equal(
      table[0]?.join(),
      'Image origin,Object ID,Class,Area,Perimeter,Length of Major Axis,Length of Minor Axis,Feret Diameter Maximum,' +
        'X Position,Y Position,Mean Intensity',
    );
    assert.deepEqual(table[1], [
      'plate/a.png',
      '1',
      'Cell',
      '50',
      '10',
      '0.333333',
      '3',
      '6',
      '7.5',
      '8.5',
      '100',
    ]);
    assert.equal(table.length, 3);
  });

  it('have columns for channels where any image has several, empty for the others', () => {
    const color = object(1, 'Cell', 5, { 'Mean Intensity Channel 1': 9 });
    const table = rows(objectsCsv([image('gray.png', [object(1, 'Cell', 5)]), image('color.png', [color])]));
    assert.equal(cell(table, 1, 'Mean Intensity Channel 1'), '');
    assert.equal(cell(table, 2, 'Mean Intensity Channel 1'), '9');
  });

  it('quote text that would break a line', () => {
    const csv = objectsCsv([image('a, "b"\n.png', [object(1, 'Cell', 5)])]);
    assert.ok(csv.includes('\r\n"a, ""b""\n.png",1,Cell,'));
  });

  it('summarize groups and images separately, including images without objects', () => {
    const table = rows(
      aggregateCsv(
        [
          image('plate/a.png', [object(1, 'Small', 10), object(2, 'Large', 40), object(3, 'Small', 16)]),
          image('plate/b.png', []),
          image('c.png', [object(1, 'Small', 12)]),
        ],
        'Whole job',
      ),
    );
    assert.deepEqual(
      table.slice(1).map(row => row.slice(0, 4)),
      [
        ['Group', 'plate', '2', '3'],
        ['Group', 'Whole job', '1', '1'],
        ['Image', 'plate/a.png', '1', '3'],
        ['Image', 'plate/b.png', '1', '0'],
        ['Image', 'c.png', '1', '1'],
      ],
    );
    assert.equal(cell(table, 1, 'Number of Small'), '2');
    assert.equal(cell(table, 1, 'Number of Large'), '1');
    assert.equal(cell(table, 1, 'Mean Area'), '22');
    assert.equal(cell(table, 1, 'Median Area'), '16');
    // Deviations −12, −6, 18: √(504 / 2).
    assert.equal(cell(table, 1, 'SD Area'), '15.874508');
    assert.equal(cell(table, 4, 'Mean Area'), '', 'nothing to say of no object');
    assert.equal(cell(table, 5, 'SD Area'), '', 'no deviation of one object');
  });

  it('use the mean of the middle two as the median of an even number', () => {
    const table = rows(
      aggregateCsv(
        [image('a.png', [object(1, 'C', 1), object(2, 'C', 4), object(3, 'C', 8), object(4, 'C', 90)])],
        'g',
      ),
    );
    assert.equal(cell(table, 1, 'Median Area'), '6');
  });
});
