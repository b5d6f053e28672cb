import { deepEqual } from 'node:assert/strict';
import type { ObjectDetails } from '../../../../../src/archives/masksSummary';
import { rowAgreement } from '../../../../../src/masks/page/state/objectMeasurements';

describe('a row beside the mask of its object', () => {
  const details: ObjectDetails = {
    image: 0,
    object: 4,
    id: 5,
    className: 'Nucleus',
    bbox: [0, 0, 30, 30],
    area: 551,
    centroid: [10.25, 20.5],
    perimeter: 93.42,
  };
  const agreement = (
    row: Record<string, string>,
    more: { pixelSize?: { x: number; y: number }; areaRatio?: number } = {},
  ) => rowAgreement(Object.keys(row), Object.values(row), { details, ...more });

  it('says the same by ID, class, area, perimeter and position', () => {
    const row = {
      'Object ID': '5.0',
      Class: 'Nucleus',
      Area: '551',
      Perimeter: '93.4',
      'X Position': '10.25',
      'Y Position': '20.5',
    };
    deepEqual(
      agreement(row),
      Object.keys(row).map(() => 'same'),
    );
  });

  it('says the same in µm where the pixel size is known', () => {
    const pixelSize = { x: 0.5, y: 0.5 };
    deepEqual(agreement({ Area: '137.75', Perimeter: '46,71' }, { pixelSize }), ['same', 'same']);
    deepEqual(agreement({ Area: '137.75' }), ['differs']);
  });

  it('contradicts the mask by another class or area', () => {
    deepEqual(agreement({ Class: 'Debris', Area: '560' }), ['differs', 'differs']);
  });

  it('may round areas to its last digit, or be off by a thousandth', () => {
    deepEqual(agreement({ Area: '551.5' }), ['same']);
    deepEqual(agreement({ Area: '552.5' }), ['differs']);
  });

  it('does not contradict it where all areas have the same ratio to those of the masks', () => {
    deepEqual(agreement({ Area: '1102' }, { areaRatio: 2 }), ['other']);
    deepEqual(agreement({ Area: '1200' }, { areaRatio: 2 }), ['differs']);
  });

  it('has perimeters and positions of other definitions beside those of the mask', () => {
    deepEqual(agreement({ Perimeter: '99', 'X Position': '9.75', 'Y Position': '20' }), [
      'other',
      'other',
      'other',
    ]);
  });

  it('says nothing about the mask in empty cells and other columns', () => {
    deepEqual(agreement({ Class: '', Area: 'n/a', 'Feret Diameter Maximum': '22.6' }), [
      'other',
      'other',
      'other',
    ]);
  });
});
