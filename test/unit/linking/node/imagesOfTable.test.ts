import { deepEqual, equal } from 'node:assert/strict';
import { imagesOfTable } from '../../../../src/linking/node/contentsReport';
import type { TableSummary } from '../../../../src/columns/tableSummary';

describe('The images that a table names', () => {
  const table = (names: string[], rowCount: number): TableSummary => ({
    columns: names.map((name, index) => ({ index, name, kind: 'text' })),
    rowCount,
    delimiter: ',',
    raggedRows: { count: 0, first: [] },
  });
  const cells = Array.from({ length: 12_000 }, (_, row) => `${row % 7}.tif`);
  const readRows = ({ start, end, columns }: { start: number; end: number; columns: number[] }) => {
    deepEqual(columns, [1]);
    // Fewer rows than requested may come.
    return Promise.resolve({ rows: cells.slice(start, Math.min(end, start + 4000)).map(text => [text]) });
  };

  it('are those of all rows, each once', async () => {
    const images = await imagesOfTable(table(['Count', 'Image origin'], cells.length), readRows);
    deepEqual(images?.sort(), ['0.tif', '1.tif', '2.tif', '3.tif', '4.tif', '5.tif', '6.tif']);
  });

  it('are none of an empty table', async () => {
    deepEqual(await imagesOfTable(table(['Count', 'Image origin'], 0), readRows), []);
  });

  it("aren't known without an image column, or of a table that is too long or incomplete", async () => {
    equal(await imagesOfTable(table(['Count', 'Area'], 3), readRows), undefined);
    equal(await imagesOfTable(table(['Count', 'Image origin'], 100_001), readRows), undefined);
    const cut = { ...table(['Count', 'Image origin'], 3), failure: { message: 'cut off' } };
    equal(await imagesOfTable(cut, readRows), undefined);
    equal(
      await imagesOfTable(table(['Count', 'Image origin'], 3), () => Promise.resolve({ rows: [] })),
      undefined,
    );
  });
});
