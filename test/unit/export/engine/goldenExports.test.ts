import * as assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPromise } from 'yauzl';
import { makeGoldenExports } from './goldenExports';
import { readLabels } from './readLabels';

const GOLDEN = 'test/golden/export';

/** Entries of a zip with their bytes. */
async function entriesOf(file: string): Promise<[string, string][]> {
  const zip = await openPromise(file, { autoClose: false });
  try {
    const entries: [string, string][] = [];
    for await (const entry of zip.eachEntry()) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Uint8Array);
      entries.push([entry.fileName, Buffer.concat(chunks).toString('hex')]);
    }
    return entries;
  } finally {
    zip.close();
  }
}

/** The content of a file, uncompressed. */
async function contentsOf(file: string): Promise<unknown> {
  if (file.endsWith('.zip')) return await entriesOf(file);
  if (!/\.(png|tif)$/.test(file)) return await readFile(file, 'utf8');
  const { width, height, bits, labels } = await readLabels(file);
  return { width, height, bits, labels: [...Array.from(labels)] };
}

describe('The exports of the golden masks', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'golden-'));
    await makeGoldenExports(folder);
  });

  after(() => rm(folder, { recursive: true, force: true }));

  for (const kind of ['coco', 'geojson', 'imagej-roi', 'labels-tiff', 'labels-png']) {
    it(`are those that the reference tools have read: ${kind}`, async () => {
      const names = (await readdir(join(GOLDEN, kind))).sort();
      assert.ok(names.length > 0);
      assert.deepEqual((await readdir(join(folder, kind))).sort(), names);
      for (const name of names)
        assert.deepEqual(
          await contentsOf(join(folder, kind, name)),
          await contentsOf(join(GOLDEN, kind, name)),
          name,
        );
    });
  }
});
