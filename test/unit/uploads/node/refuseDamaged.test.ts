import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { refuseDamaged } from '../../../../src/uploads/node/uploadableFiles';
import { refusedText } from '../../../../src/uploads/node/uploadWords';
import { plainEnglish } from '../../../../src/words/translate';
import { jpeg } from '../../images/jpegFixture';
import { tiff } from '../../images/tiffFixture';
import { InProcessEngine } from '../../linked/node/inProcessEngine';

describe('Images that are damaged', () => {
  const { signal } = new AbortController();
  let root: string;
  let engines: InProcessEngine[];

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'damaged-'));
    engines = [];
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  const startEngine = () => {
    const engine = new InProcessEngine();
    engines.push(engine);
    return engine;
  };
  const write = async (fileName: string, content: Uint8Array, size = content.length) => {
    await writeFile(join(root, fileName), content);
    return { uri: pathToFileURL(join(root, fileName)).href, fileName, folder: '', size };
  };
  const check = async (files: Awaited<ReturnType<typeof write>>[], now = () => 0) => {
    const checked = await refuseDamaged(
      { startEngine, now },
      { files, failed: [], hadFolder: false },
      signal,
    );
    return {
      passed: checked.files.map(({ fileName }) => fileName),
      text: refusedText(plainEnglish, checked.failed, files.length),
    };
  };
  const sound = () => tiff([{ width: 4, height: 4, samples: new Uint8Array(16) }]);

  it('are refused before anything is asked, with the reason', async () => {
    const files = [
      await write('sound.tif', sound()),
      await write('cut.tif', sound().subarray(0, -4)),
      await write('empty.png', new Uint8Array()),
    ];
    const { passed, text } = await check(files);
    deepEqual(passed, ['sound.tif']);
    equal(text, "2 of 3 files can't be analyzed. cut.tif: The file is damaged or cut off.");
  });

  it('are refused by name where it is one', async () => {
    const { passed, text } = await check([await write('empty.png', new Uint8Array())]);
    deepEqual([passed, text], [[], "empty.png can't be analyzed. The file is empty."]);
  });

  it('are not those that are unknown here, elsewhere, or too large to be checked', async () => {
    const image = await jpeg(new Uint8ClampedArray(256), 8, 8);
    const files = [
      await write('other.png', new TextEncoder().encode('another format')),
      await write('slide.czi', new Uint8Array()),
      await write('no end.jpg', image.subarray(0, -2)),
      await write('large.tif', new Uint8Array(), 2 ** 31),
      { ...(await write('virtual.tif', new Uint8Array())), uri: 'memfs:/virtual.tif' },
    ];
    equal((await check(files)).passed.length, files.length);
    const opened = engines.flatMap(({ requests }) => requests).filter(name => name === 'openBackgroundImage');
    equal(opened.length, 2);
  });

  it('are not looked for longer than a person waits', async () => {
    const files = [await write('1.png', new Uint8Array()), await write('2.png', new Uint8Array())];
    let time = 0;
    deepEqual((await check(files, () => (time += 3000))).passed, ['2.png']);
  });

  it('are not looked for where nothing can be checked, and cancel ends the search', async () => {
    await check([await write('slide.czi', new Uint8Array())]);
    equal(engines.length, 0);
    const file = await write('a.tif', sound());
    await rejects(
      refuseDamaged({ startEngine }, { files: [file], failed: [], hadFolder: false }, AbortSignal.abort()),
      { code: 'cancelled' },
    );
  });
});
