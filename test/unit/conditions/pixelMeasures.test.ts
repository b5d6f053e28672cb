import * as assert from 'node:assert/strict';
import { mayBeInPixels, micronColumnOf } from '../../../src/conditions/pixelMeasures';

describe('A measure', () => {
  it('may be in pixels where it is a length or an area without another unit', () => {
    const names = ['Area', 'Cell_Area', 'cellArea', 'Perimeter', 'Feret Diameter Maximum', 'Size (px)'];
    for (const name of names) assert.equal(mayBeInPixels(name), true, name);
    const others = [
      'Area (µm²)',
      'Area_um2',
      'Length mm',
      'Axis Ratio',
      'Area fraction',
      'Mean Intensity',
      'Class',
    ];
    for (const name of others) assert.equal(mayBeInPixels(name), false, name);
  });

  it('is in µm in the column of the same name with that unit', () => {
    const names = ['Area', 'Area (µm²)', 'perimeter_um', 'Nucleus Area um^2', 'Max Feret'];
    const columns = names.map((name, index) => ({ index, name, kind: 'number' as const }));
    assert.equal(micronColumnOf('Area', columns), 'Area (µm²)');
    assert.equal(micronColumnOf('Area (px)', columns), 'Area (µm²)');
    assert.equal(micronColumnOf('Perimeter', columns), 'perimeter_um');
    assert.equal(micronColumnOf('Nucleus Area', columns), 'Nucleus Area um^2');
    assert.equal(micronColumnOf('Max Feret', columns), undefined);
  });
});
