import { equal, ok } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import zlib from 'node:zlib';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { isCoded } from '../../../../src/base/errors';
import { ParquetTable } from '../../../../src/parquet/engine/parquetTable';

/** Files of each of three kinds; 21,000 in all in the full run. */
const FILES = process.env['IA_FULL'] ? 7000 : 200;
const MAX_BYTES = 512 * 1024 * 1024;

/** Pseudo-random numbers below 2³², always the same (xorshift). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

describe('Parquet files with changed bytes', () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'mutated-'))));
  after(() => rm(folder, { recursive: true }));

  const values = Array.from({ length: 400 }, (_, at) => (at % 9 === 4 ? null : (at * 31) % 97));
  const words = values.map(value => (value === null ? null : `word ${value}`));
  const kinds: Record<string, [ColumnSource[], Partial<Parameters<typeof parquetWriteBuffer>[0]>]> = {
    'plain and dictionary': [
      [
        { name: 'a', data: values, type: 'DOUBLE' },
        { name: 'b', data: words, type: 'STRING', encoding: 'RLE_DICTIONARY' },
        { name: 'c', data: values.map(value => value === 5), type: 'BOOLEAN' },
      ],
      { pageSize: 600 },
    ],
    'deltas, not compressed': [
      [
        { name: 'a', data: values, type: 'INT32', encoding: 'DELTA_BINARY_PACKED' },
        { name: 'b', data: words, type: 'STRING', encoding: 'DELTA_BYTE_ARRAY' },
        {
          name: 'c',
          data: values.map(value => value && BigInt(value) ** 9n),
          type: 'INT64',
          encoding: 'DELTA_BINARY_PACKED',
        },
      ],
      { codec: 'UNCOMPRESSED' },
    ],
    'lists in gzip': [
      [{ name: 'list', data: values.map(value => (value === null ? null : [value, null, value / 2])) }],
      {
        schema: [
          { name: 'root', num_children: 1 },
          { name: 'list', repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
          { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
          { name: 'element', repetition_type: 'OPTIONAL', type: 'DOUBLE' },
        ],
        codec: 'GZIP',
        compressors: { GZIP: bytes => zlib.gzipSync(bytes) },
      },
    ],
  };

  for (const [kind, [columnData, options]] of Object.entries(kinds))
    it(`are read or refused (21,000 in the full run): ${kind}`, async function () {
      this.timeout(600_000);
      const whole = new Uint8Array(parquetWriteBuffer({ columnData, ...options }));
      const next = numbersFrom(kind.length * 7919);
      const path = join(folder, 'mutated.parquet');
      let refused = 0;
      // The process has what other tests left, too.
      const before = memory();
      let highest = 0;
      for (let file = 0; file < FILES; file++) {
        const bytes = whole.slice(0, next() % 10 === 0 ? next() % whole.length : whole.length);
        // Half of the changes are in the footer.
        const from = file % 2 === 0 ? 0 : Math.floor(whole.length * 0.6);
        for (let change = next() % 4; change >= 0; change--) {
          const at = from + (next() % Math.max(1, bytes.length - from));
          bytes[at] = next() % 3 === 0 ? 0xff : next() & 0xff;
        }
        await writeFile(path, bytes);
        try {
          const table = await ParquetTable.open(path, 64 * 1024 * 1024);
          try {
            for (const { index } of table.columns) {
              table.cells([0, table.rowCount - 1, 7], [index], 1000);
              await table.numbers(index);
              await table.codes(index);
            }
          } finally {
            table.dispose();
          }
        } catch (error) {
          ok(isCoded(error), `${kind}, file ${file}: ${String(error)}`);
          refused++;
        }
        highest = Math.max(highest, memory() - before);
      }
      ok(refused > FILES / 10, `${refused} of ${FILES} are refused`);
      equal(highest < MAX_BYTES, true, `${highest} bytes`);
    });
});

/** Bytes that this process uses. */
function memory(): number {
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}
