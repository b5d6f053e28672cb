import { reason } from '../../../../../src/base/reasons';
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { openSync, closeSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import zlib, { gzipSync } from 'node:zlib';
import { CodedError } from '../../../../../src/base/errors';
import { compressionOf, decompressInto } from '../../../../../src/columns/engine/read/decompressedFile';
import { openTable } from '../../../../../src/columns/engine/read/readTable';
import { TableFile } from '../../../../../src/columns/engine/read/tableFile';

const ROWS = Array.from({ length: 5000 }, (_, row) => `a${row % 7}.tif,${row},${row / 8}`);
const TEXT = `Image,Object ID,Area\n${ROWS.join('\n')}\n`;

describe('A compressed table', () => {
  let folder: string;
  let temporary: string | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'compressed-'));
    temporary = process.env.TMPDIR;
    process.env.TMPDIR = folder;
  });
  afterEach(async () => {
    if (temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporary;
    await rm(folder, { recursive: true });
  });

  const write = async (name: string, bytes: Uint8Array) => {
    const path = join(folder, name);
    await writeFile(path, bytes);
    return path;
  };

  async function textsOf(path: string): Promise<string> {
    const table = await openTable(path);
    try {
      const columns = table.columns.map(({ index }) => index);
      const rows = table.cells(
        Array.from({ length: table.rowCount }, (_, row) => row),
        columns,
        Infinity,
      ).rows;
      const header = table.columns.map(({ name }) => name).join();
      return `${[header, ...rows.map(cells => cells.join())].join('\n')}\n`;
    } finally {
      table.dispose();
    }
  }

  it('opens as the file that it holds, in one part or several, and leaves nothing behind', async () => {
    const half = Math.floor(TEXT.length / 2);
    const parts = [TEXT.slice(0, half), TEXT.slice(half)].map(part => gzipSync(part));
    for (const bytes of [gzipSync(TEXT), Buffer.concat(parts)]) {
      const path = await write('table.csv.gz', bytes);
      equal(await textsOf(path), TEXT);
      deepEqual(await readdir(folder), ['table.csv.gz']);
    }
  });

  it('has tabs where its name says so, and is read in UTF-16', async () => {
    const path = await write('table.tsv.gz', gzipSync('a,b\tc\n1,5\t2\n'));
    const table = await openTable(path);
    equal(table.delimiter, '\t');
    table.dispose();
    const utf16 = await write('wide.csv.gz', gzipSync(Buffer.from(`\ufeff${TEXT}`, 'utf16le')));
    equal(await textsOf(utf16), TEXT);
  });

  it('opens from Zstandard where Node.js has it', async function () {
    if (typeof zlib.zstdCompressSync !== 'function') return this.skip();
    equal(await textsOf(await write('table.csv.zst', zlib.zstdCompressSync(Buffer.from(TEXT)))), TEXT);
  });

  it('is refused by name where it is cut off or damaged', async () => {
    const whole = gzipSync(TEXT);
    const broken = Buffer.from(whole);
    broken[whole.length >> 1] = (broken[whole.length >> 1] ?? 0) ^ 0x55;
    for (const bytes of [whole.subarray(0, whole.length - 9), broken, whole.subarray(0, 5)]) {
      const path = await write('table.csv.gz', bytes);
      await rejects(openTable(path), (error: unknown) => {
        if (!(error instanceof CodedError)) return false;
        deepEqual(
          [error.code, error.details.subject, error.details.reason],
          [
            'damaged-table',
            path,
            reason('The file is cut off or damaged: it can’t be decompressed ({0})', 'gzip'),
          ],
        );
        return true;
      });
      deepEqual(await readdir(folder), ['table.csv.gz']);
    }
  });

  it('is refused where it is a bomb, before the disk is full', async () => {
    const path = await write('bomb.csv.gz', gzipSync(Buffer.alloc(4_000_000, '0')));
    const handle = openSync(path, 'r');
    try {
      const compression = compressionOf(handle);
      if (!compression) throw new Error('no compression found');
      const target = join(folder, 'out');
      const source = { handle, path, size: 4000, compression };
      await rejects(
        decompressInto(target, source, { expansionFrom: 1_000_000 }),
        ({ details }: CodedError) =>
          details.reason?.message ===
          'The file would become more than {0} times as large when it is decompressed',
      );
    } finally {
      closeSync(handle);
    }
  });

  it('stops where it is canceled', async () => {
    const path = await write('table.csv.gz', gzipSync(TEXT));
    const canceling = new AbortController();
    const opening = TableFile.open(path, canceling.signal);
    canceling.abort();
    await rejects(opening, { code: 'cancelled' });
    deepEqual(await readdir(folder), ['table.csv.gz']);
  });
});
