import { deepEqual } from 'node:assert/strict';
import type { PlotSource } from '../../../../src/drawing/page/plottedTable';
import { CommonParts } from '../../../../src/pages/page/widgets/commonParts';
import { RowNames } from '../../../../src/drawing/page/plotCaches';

const signal = new AbortController().signal;

/** Lines that name the first row of a one-row table; `others`: the columns' earlier texts. */
async function named(columns: Record<string, string>, decimalComma = false, others: string[] = []) {
  const source = {
    table: {
      columns: Object.keys(columns).map((name, index) => ({ name, index, kind: 'text' })),
      decimalComma,
    },
    commonParts: () => CommonParts.of(others),
    cell: (_: number, column: number) => Promise.resolve(Object.values(columns)[column] ?? ''),
  };
  const names = new RowNames(source as unknown as PlotSource);
  return (await names.load(0, signal)).map(({ label, value }) => [label, value]);
}

describe('the name of a row in a plot', () => {
  it('is the ID as the grid shows it, and the image', async () => {
    const expected = [
      ['Object ID', '53'],
      ['Image origin', 'a.tif'],
    ];
    deepEqual(await named({ 'Object ID': '53.0', 'Image origin': 'a.tif' }), expected);
    deepEqual(await named({ 'Object ID': '53,0', 'Image origin': 'a.tif' }, true), expected);
    deepEqual(await named({ 'Object ID': '007' }), [['Object ID', '007']]);
  });

  it('has the folder of the image where others have another one', async () => {
    const image = 'control/image_of_many_cells_1.png';
    const others = [image, image.replace('control', 'treated')];
    deepEqual(await named({ 'Object ID': '53', 'Image origin': image }, false, others), [
      ['Object ID', '53'],
      ['Image origin', 'control/image_of_many_cel…'],
    ]);
    deepEqual(await named({ 'Object ID': '53', 'Image origin': image }), [
      ['Object ID', '53'],
      ['Image origin', '…image_of_many_cells_1.png'],
    ]);
  });

  it('is its number in the file where the table has no IDs', async () => {
    deepEqual(await named({ Name: 'A' }), [
      ['Row 1', undefined],
      ['Name', 'A'],
    ]);
  });
});
