import { setLanguage } from '../../../../../src/pages/page/l10n';
import { deepEqual } from 'node:assert/strict';
import type { ObjectDetails } from '../../../../../src/archives/masksSummary';
import { measurementCells } from '../../../../../src/masks/page/state/objectMeasurements';
const details: ObjectDetails = {
  image: 0,
  object: 6,
  id: '9007199254740993',
  className: 'Nucleus',
  bbox: [1, 2, 1300, 44],
  area: 12345,
  centroid: [650.25, 23.5],
  perimeter: 2684.828427,
};

function cellsOf(extra: Partial<Parameters<typeof measurementCells>[0]>): Record<string, string> {
  const [names, values] = measurementCells({ image: 'plate/a.tif', details, means: [], ...extra });
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
}

describe('Measurements for a spreadsheet', () => {
  before(() => setLanguage({}, 'de'));
  after(() => setLanguage({}));

  it('have units in their names and all digits, without the separators of a language', () => {
    deepEqual(cellsOf({}), {
      Image: 'plate/a.tif',
      ID: '9007199254740993',
      Class: 'Nucleus',
      'Area (px²)': '12345',
      'Perimeter (px)': '2684.828427',
      'Centroid x': '650.25',
      'Centroid y': '23.5',
      'Bounding box x1': '1',
      'Bounding box y1': '2',
      'Bounding box x2': '1300',
      'Bounding box y2': '44',
    });
  });

  it('add µm where the pixel size is known; no perimeter where pixels are not square', () => {
    const square = cellsOf({ pixelSize: { x: 0.5, y: 0.5 } });
    deepEqual([square['Area (µm²)'], square['Perimeter (µm)']], ['3086.25', '1342.4142135']);
    const oblong = cellsOf({ pixelSize: { x: 0.5, y: 1 } });
    deepEqual([oblong['Area (µm²)'], oblong['Perimeter (µm)']], ['6172.5', '']);
  });

  it('add score, means by channel, and the row as the table counts it', () => {
    const cells = cellsOf({
      details: { ...details, score: 0.5, row: 0 },
      means: [
        { channel: 'DAPI', mean: 1234.5 },
        { channel: 'GFP', mean: null },
      ],
    });
    deepEqual(
      [cells['Score'], cells['Mean of DAPI'], cells['Mean of GFP'], cells['Table row']],
      ['0.5', '1234.5', '', '1'],
    );
    deepEqual(cellsOf({ means: [{ channel: 'Channel 1', mean: 7 }] })['Mean intensity'], '7');
  });
});
