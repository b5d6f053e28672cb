import { deepEqual } from 'node:assert/strict';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { useEngineThreads } from '../../session/node/engineThreads';

describe('Parquet in an engine thread as it is delivered', () => {
  const threads = useEngineThreads();
  const { signal } = new AbortController();

  it('is read and written by what the thread loads when it needs it', async () => {
    const bytes = parquetWriteBuffer({ columnData: [{ name: 'Area', data: [1.5, null], type: 'DOUBLE' }] });
    const path = await threads.file('table.parquet', new Uint8Array(bytes));
    const { endpoint } = threads.current;
    const options = { memory: 64 };
    await endpoint.request('openTable', { table: 'file', path, options }, signal);
    const destination = `${path.replace(/\.parquet$/, '')}-saved.parquet`;
    await endpoint.request('tableSave', { table: 'file', sort: [], destination }, signal);
    await endpoint.request('openTable', { table: 'saved', path: destination, options }, signal);
    const rows = { table: 'saved', sort: [], start: 0, end: 2 };
    deepEqual((await endpoint.request('tableRows', rows, signal)).rows, [['1.5'], ['']]);
  });
});
