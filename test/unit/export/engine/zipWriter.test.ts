import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { crc32 } from 'node:zlib';
import { PassThrough, Readable } from 'node:stream';
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';
import { ZipWriter } from '../../../../src/export/engine/zipWriter';

/** A file in memory whose first `start` bytes are zeros that take no memory. */
class MemoryFile extends RandomAccessReader {
  private readonly parts: Uint8Array[] = [];
  private bytes: Buffer | undefined;
  size: number;

  constructor(readonly start = 0) {
    super();
    this.size = start;
  }

  append(bytes: Uint8Array): Promise<void> {
    this.parts.push(new Uint8Array(bytes));
    this.size += bytes.length;
    return Promise.resolve();
  }

  override _readStreamForRange(from: number, to: number): PassThrough {
    const before = Buffer.alloc(Math.max(0, Math.min(to, this.start) - from));
    this.bytes ??= Buffer.concat(this.parts);
    const bytes = this.bytes.subarray(Math.max(0, from - this.start), Math.max(0, to - this.start));
    return Readable.from([before, bytes]).pipe(new PassThrough());
  }
}

async function written(entries: readonly (readonly [string, Uint8Array])[], start = 0): Promise<MemoryFile> {
  const file = new MemoryFile(start);
  const zip = new ZipWriter(file);
  for (const [name, content] of entries) await zip.add(name, content);
  await zip.finish();
  return file;
}

const opened = (file: MemoryFile): Promise<ZipFile> =>
  fromRandomAccessReaderPromise(file, file.size, { autoClose: false, strictFileNames: true });

async function contentOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/** What another library reads. */
async function readBack(file: MemoryFile): Promise<[string, string][]> {
  const zip = await opened(file);
  const entries: [string, string][] = [];
  for await (const entry of zip.eachEntry()) {
    const content = await contentOf(zip, entry);
    assert.equal(entry.crc32, crc32(content));
    entries.push([entry.fileName, content.toString('hex')]);
  }
  return entries;
}

const hex = (entries: readonly (readonly [string, Uint8Array])[]) =>
  entries.map(([name, content]) => [name, Buffer.from(content).toString('hex')]);

describe('A zip written entry by entry', () => {
  it('has every entry, whatever its name and bytes', async () => {
    const entry = fc.tuple(
      fc.uuid().map(id => `Zelle, groß 🧫 ${id}`),
      fc.uint8Array({ maxLength: 3000 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(entry), async entries => {
        assert.deepEqual(await readBack(await written(entries)), hex(entries));
      }),
    );
  });

  it('deflates large entries where that makes them smaller', async () => {
    const plain = new Uint8Array(600_000).fill(7);
    let seed = 1;
    const noise = new Uint8Array(600_000).map(() => (seed = (seed * 48_271) % 2_147_483_647));
    const entries = [['plain', plain] as const, ['noise', noise] as const];
    const file = await written(entries);
    assert.deepEqual(await readBack(file), hex(entries));
    assert.ok(file.size > 600_000 && file.size < 602_000, String(file.size));
  });

  it('states the sizes before the data: Java reads no stored entry that states them after', async () => {
    const zip = await opened(await written([['a', Uint8Array.of(1, 2, 3)]]));
    for await (const entry of zip.eachEntry()) {
      const local = await zip.readLocalFileHeaderPromise(entry);
      assert.equal(local.generalPurposeBitFlag & 8, 0);
      assert.deepEqual([local.compressionMethod, local.compressedSize, local.uncompressedSize], [0, 3, 3]);
      assert.equal(entry.getLastModDate({ timezone: 'UTC' }).toISOString(), '2020-01-01T00:00:00.000Z');
    }
  });

  it('has more entries than 16 bits can count', async () => {
    const content = Uint8Array.of(1);
    const file = await written(Array.from({ length: 70_000 }, (_, at) => [`${at}`, content] as const));
    const zip = await opened(file);
    assert.equal(zip.entryCount, 70_000);
    for await (const entry of zip.eachEntry()) {
      assert.deepEqual([entry.fileName, [...(await contentOf(zip, entry))]], ['0', [1]]);
      break;
    }
  });

  it('has entries beyond 4 GB', async () => {
    const entries = [['a', Uint8Array.of(1, 2)] as const, ['b', new Uint8Array(2000)] as const];
    for (const start of [2 ** 32 - 40, 2 ** 32 - 2, 2 ** 33])
      assert.deepEqual(await readBack(await written(entries, start)), hex(entries));
  });
});
