import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileWindow } from '../../../../../src/archives/node/archiveContents';

const bytes = Buffer.from(Uint32Array.from({ length: 200_000 }, (_, at) => at * 2_654_435_761).buffer);

describe('a window on a file', () => {
  let folder = '';
  let file: FileWindow;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'window-'));
    await writeFile(join(folder, 'file'), bytes);
    file = await FileWindow.open(join(folder, 'file'));
  });

  after(async () => {
    await file.close();
    await rm(folder, { recursive: true, force: true });
  });

  const wanted = [
    [0, 30],
    [30, 5000],
    [262_100, 100],
    [262_144, 1],
    [799_000, 1000],
    [799_990, 30],
    [100, 500_000],
    [0, 800_000],
    [400_000, 800_000],
    [800_000, 10],
    [900_000, 10],
    [12, 0],
  ] as const;

  it('returns the bytes of the file, one part after the other', async () => {
    assert.equal(file.size, bytes.length);
    for (const [position, length] of wanted)
      assert.deepEqual(await file.read(position, length), bytes.subarray(position, position + length));
  });

  it('serves several reads at the same time', async () => {
    const parts = await Promise.all(wanted.map(([position, length]) => file.read(position, length)));
    parts.forEach((part, at) => {
      const [position = 0, length = 0] = wanted[at] ?? [];
      assert.deepEqual(part, bytes.subarray(position, position + length));
    });
  });

  it('returns them piece by piece', async () => {
    const chunks: Buffer[] = [];
    // The next piece is read into the same memory.
    for await (const chunk of file.pieces(10, 700_000)) chunks.push(Buffer.from(chunk));
    assert.ok(Buffer.concat(chunks).equals(bytes.subarray(10, 700_000)));
    assert.ok(chunks.length > 1);
  });

  it('ends at the end of the file', async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of file.pieces(500_000, 900_000)) chunks.push(Buffer.from(chunk));
    assert.ok(Buffer.concat(chunks).equals(bytes.subarray(500_000)));
  });

  it("can't be opened on a missing file", async () => {
    await assert.rejects(FileWindow.open(join(folder, 'other')), { code: 'ENOENT' });
  });
});
