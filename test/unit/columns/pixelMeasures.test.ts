import * as assert from 'node:assert/strict';
import {
  isLengthOrArea,
  mayBeInPixels,
  micronColumnOf,
  micronName,
  pixelUnit,
  splitUnit,
  unitOfColumn,
  withPixelUnits,
} from '../../../src/columns/pixelMeasures';

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

  it('is a length or an area in any unit, and larger rather than higher', () => {
    for (const name of ['Area', 'Area (µm²)', 'Max Feret Diameter', 'perimeter_um'])
      assert.equal(isLengthOrArea(name), true, name);
    for (const name of ['Mean Intensity', 'Axis Ratio', 'Class'])
      assert.equal(isLengthOrArea(name), false, name);
  });

  it('has a unit where its table is known to have one, and none where areas of masks say otherwise', () => {
    const service = { isOfService: true };
    assert.equal(unitOfColumn('Area', service), 'px²');
    assert.equal(unitOfColumn('Length of Major Axis', service), 'px');
    for (const name of ['Area (µm²)', 'Mean Intensity', 'Area of Nucleus', 'Area_um2'])
      assert.equal(unitOfColumn(name, service), undefined, name);
    const linked = (ratio: number, isOfService = false) => ({ isOfService, area: { name: 'Area', ratio } });
    assert.equal(unitOfColumn('Area', { isOfService: false }), undefined);
    assert.equal(unitOfColumn('Area', linked(1)), 'px²');
    assert.equal(unitOfColumn('Perimeter', linked(1)), undefined);
    // In µm², or in a unit that differs from image to image.
    for (const ratio of [0.0625, NaN])
      for (const isOfService of [false, true])
        assert.equal(unitOfColumn('Area', linked(ratio, isOfService)), undefined);
  });

  it('has its unit in parentheses behind its name', () => {
    assert.deepEqual(splitUnit('Area (µm²)'), { name: 'Area', unit: 'µm²' });
    assert.deepEqual(splitUnit('Max Feret [px]'), { name: 'Max Feret', unit: 'px' });
    for (const name of ['Area', 'Area (nucleus)', 'Area (image)', '(µm)'])
      assert.deepEqual(splitUnit(name), { name });
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

describe('The unit of a measure', () => {
  it('is that of an area or of a length in pixels, where its name may mean one', () => {
    for (const name of ['Area', 'Nucleus_Area', 'Size (px²)', 'Filled area px2'])
      assert.equal(pixelUnit(name), 'px²', name);
    for (const name of ['Perimeter', 'Length of Major Axis', 'Size (px)'])
      assert.equal(pixelUnit(name), 'px', name);
    for (const name of ['Area (µm²)', 'Axis Ratio', 'Class', 'X Position'])
      assert.equal(pixelUnit(name), undefined, name);
  });

  it('is none of what is made of lengths and areas in another way', () => {
    const names = [
      'Area variance',
      'Perimeter / Area',
      'log Area',
      'Area per Cell',
      'Normalized Area',
      'Area^2',
      'Area Index',
    ];
    for (const name of names) assert.equal(pixelUnit(name), undefined, name);
  });

  it('is written behind the name of what was converted, in place of pixels', () => {
    const converted = {
      Area: 'Area (µm²)',
      'Area (px²)': 'Area (µm²)',
      area_px2: 'area (µm²)',
      'Perimeter [px]': 'Perimeter (µm)',
      'Major axis (px)': 'Major axis (µm)',
    };
    for (const [name, expected] of Object.entries(converted)) assert.equal(micronName(name), expected);
  });

  it('is added to columns of numbers whose names say none, and to no others', () => {
    const columns = ['Area', 'Area (px²)', 'Perimeter', 'Mean Intensity'].map((name, index) => ({
      index,
      name,
      kind: 'number' as const,
    }));
    const text = { index: 4, name: 'Length', kind: 'text' as const };
    const converted = { index: 5, name: 'Area (µm²)', kind: 'number' as const, converted: { of: 0 } };
    const units = withPixelUnits([...columns, text, converted]).map(({ unit }) => unit);
    assert.deepEqual(units, ['px²', undefined, 'px', undefined, undefined, undefined]);
  });
});
