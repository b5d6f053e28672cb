import { deepEqual } from 'node:assert/strict';
import { ContentsReport } from '../../../../src/linking/node/contentsReport';
import type { ArchiveSummary } from '../../../../src/archives/masksSummary';
import type { TableKind } from '../../../../src/service/resultParts';
import type { TableSummary } from '../../../../src/columns/tableSummary';

const { signal } = new AbortController();
const settled = () => new Promise(resolve => setImmediate(resolve));

/** A report of tables with three rows, and what the source was told. */
function contentsReport(table: Partial<TableSummary> = {}) {
  const told: unknown[] = [];
  const opened: TableKind[] = [];
  const columns = [{ name: 'Image' }, { name: 'Count' }];
  const report = new ContentsReport({
    source: {
      objectsCounted: objects => told.push(objects),
      imagesRead: ({ aggregate, archive }) => told.push([aggregate, archive]),
    },
    tables: {
      open: kind => {
        opened.push(kind);
        return Promise.resolve({ columns, rowCount: 3, ...table } as TableSummary);
      },
      whenRead: () => Promise.resolve(),
    },
    linkSettled: () => Promise.resolve(),
    request: () => Promise.resolve({ rows: [['a.tif'], ['b.tif'], ['a.tif']] } as never),
    signal,
    log: { info: (what, error) => told.push(`${what}: ${String(error)}`) },
  });
  return { report, told, opened };
}

describe('The source of a result', () => {
  it('is told how many objects there are, once all rows are read', async () => {
    const { report, told } = contentsReport();
    report.objectsOpened();
    await settled();
    deepEqual(told, [3]);
  });

  it('is told nothing of a table that could not be read to its end', async () => {
    const { report, told } = contentsReport({ failure: { message: 'damaged' } });
    report.objectsOpened();
    await settled();
    deepEqual(told, []);
  });

  it('is told the images that the aggregate table and the masks name, once both are open', async () => {
    const { report, told, opened } = contentsReport();
    const images = [
      { id: 'a', filename: 'a.tif', path: 'run/a.tif' },
      { id: 'b', filename: 'b.tif' },
    ] as unknown as ArchiveSummary['images'];
    report.masksOpened({ classes: [], notes: [], images });
    await settled();
    deepEqual(opened, []);
    report.aggregateOpened();
    await settled();
    deepEqual(told, [
      [
        ['a.tif', 'b.tif'],
        [
          { id: 'a', filename: 'run/a.tif' },
          { id: 'b', filename: 'b.tif' },
        ],
      ],
    ]);
  });
});
