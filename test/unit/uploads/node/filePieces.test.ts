import * as assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { readPieces } from '../../../../src/uploads/node/fileReading';

const { signal } = new AbortController();
const MB = 1024 * 1024;

describe('The pieces of a file', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'pieces-'));
    file = path.join(folder, 'a.tif');
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function written(length: number): Promise<Buffer> {
    const content = Buffer.alloc(length);
    for (let at = 0; at < length; at++) content[at] = (at * 31 + (at >> 16)) & 255;
    await writeFile(file, content);
    return content;
  }

  /** The lengths of the pieces and their bytes, copied before the next piece is requested. */
  async function read(size: number): Promise<{ lengths: number[]; bytes: Buffer }> {
    const copies: Buffer[] = [];
    for await (const piece of readPieces(file, size, signal)) copies.push(Buffer.from(piece));
    return { lengths: copies.map(copy => copy.byteLength), bytes: Buffer.concat(copies) };
  }

  for (const [length, lengths] of [
    [0, []],
    [1, [1]],
    [MB, [MB]],
    [MB + 1, [MB, 1]],
    [3 * MB + 5, [MB, MB, MB, 5]],
  ] as const) {
    it(`are ${lengths.length} of ${length} bytes`, async () => {
      const content = await written(length);
      const all = await read(length);
      assert.deepEqual(all.lengths, lengths);
      assert.ok(all.bytes.equals(content));
    });
  }

  it('are those of the size that was announced, of a file that is longer meanwhile', async () => {
    const content = await written(2 * MB);
    const all = await read(MB + 7);
    assert.ok(all.bytes.equals(content.subarray(0, MB + 7)));
  });

  it('end early where the file is shorter than announced', async () => {
    const content = await written(MB + 3);
    const all = await read(5 * MB);
    assert.ok(all.bytes.equals(content));
  });

  it('keep the one before while the next is read, but no longer', async () => {
    await written(3 * MB);
    const buffers = new Set<unknown>();
    for await (const piece of readPieces(file, 3 * MB, signal)) buffers.add(piece.buffer);
    assert.equal(buffers.size, 2);
  });

  it('end with a cancel, and the file is closed', async () => {
    await written(3 * MB);
    const controller = new AbortController();
    const pieces = readPieces(file, 3 * MB, controller.signal);
    await pieces.next();
    controller.abort();
    await assert.rejects(pieces.next(), { code: 'cancelled' });
    assert.equal((await pieces.next()).done, true);
  });

  it('may be left before their end', async () => {
    await written(3 * MB);
    for await (const piece of readPieces(file, 3 * MB, signal)) {
      assert.equal(piece.byteLength, MB);
      break;
    }
  });

  it('reject where the file cannot be opened', async () => {
    await assert.rejects(readPieces(path.join(folder, 'none'), 3, signal).next(), { code: 'ENOENT' });
  });
});
