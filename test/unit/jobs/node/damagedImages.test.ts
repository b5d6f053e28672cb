import { deepEqual, equal } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { damagedImages } from '../../../../src/jobs/node/runAgain';
import { diskFacts } from '../../../../src/uploads/node/fileSources';
import { codedReason } from '../../../../src/base/reasons';
import type { UploadRecord } from '../../../../src/uploads/node/uploadRecords';
import { damagedImagesWords } from '../../../../src/words/resultWords';
import { plainEnglish } from '../../../../src/words/translate';
import { InProcessEngine } from '../../session/node/inProcessEngine';

describe('The damaged images of a failed job', () => {
  const signal = new AbortController().signal;
  let folder: string;
  let engines: number;
  const records = new Map<string, UploadRecord>();
  const find = (...ids: string[]) =>
    damagedImages(
      {
        startEngine: () => {
          engines += 1;
          return new InProcessEngine();
        },
      },
      {
        uploadRecords: {
          ofItems: wanted => Promise.resolve(new Map([...records].filter(([id]) => wanted.has(id)))),
        },
      },
      ids.map(id => ({ id })),
      signal,
    );
  const upload = async (id: string, fileName: string, bytes: Buffer) => {
    const path = join(folder, fileName);
    await writeFile(path, bytes);
    const { size, identity } = await diskFacts(path, fileName);
    const uri = pathToFileURL(path).href;
    records.set(id, { uri, fileName, size, identity, uploadedAt: '2026-11-22T13:00:00.000Z' });
    return path;
  };
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
    'base64',
  );

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'damaged-'));
    records.clear();
    engines = 0;
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("are named by the files they were uploaded from; formats that aren't known never are", async () => {
    await upload('sound', 'sound.png', png);
    await upload('cut', 'cut.png', png.subarray(0, 50));
    await upload('other', 'other.xyz', png.subarray(0, 50));
    const found = await find('sound', 'cut', 'other', 'unknown');
    deepEqual(
      found.map(({ item, name }) => [item.id, name]),
      [['cut', 'cut.png']],
    );
    equal(engines, 1);
  });

  it("aren't known where the file was changed since, or is gone", async () => {
    const changed = await upload('changed', 'changed.png', png);
    await writeFile(changed, png.subarray(0, 50));
    await rm(await upload('gone', 'gone.png', png.subarray(0, 50)));
    deepEqual(await find('changed', 'gone'), []);
    equal(engines, 0);
  });

  it('are told in words', () => {
    const cut = { name: 'cut.png', why: codedReason('undecodable', 'The file is damaged or cut off') };
    const words = (...images: { name: string; why: typeof cut.why }[]) =>
      damagedImagesWords(plainEnglish, images);
    equal(words(), '');
    equal(words(cut).startsWith('Its image "cut.png" is damaged: '), true);
    equal(words(cut, { ...cut, name: 'b.tif' }), '2 of its images are damaged, such as "cut.png".');
  });
});
