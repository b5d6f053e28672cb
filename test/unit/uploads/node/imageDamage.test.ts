import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { refuseDamaged } from '../../../../src/uploads/node/imageDamage';
import { damagedText, refusedText } from '../../../../src/uploads/node/uploadWords';
import { plainEnglish } from '../../../../src/words/translate';
import { jpeg } from '../../images/jpegFixture';
import { tiff } from '../../images/tiffFixture';
import { InProcessEngine } from '../../session/node/inProcessEngine';

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
      codes: new Set(checked.failed.map(({ error }) => error.code)),
      text: refusedText(plainEnglish, checked.failed, files.length),
      uploadText: damagedText(plainEnglish, checked.failed, files.length),
    };
  };
  const sound = () => tiff([{ width: 4, height: 4, samples: new Uint8Array(16) }]);

  it('are refused before anything is asked, with the reason', async () => {
    const files = [
      await write('sound.tif', sound()),
      await write('cut.tif', sound().subarray(0, -4)),
      await write('empty.png', new Uint8Array()),
    ];
    const { passed, text, codes, uploadText } = await check(files);
    deepEqual(passed, ['sound.tif']);
    deepEqual([...codes], ['damaged-image']);
    equal(uploadText, '2 of 3 files are damaged. cut.tif: The file is damaged or cut off.');
    equal(text, "2 of 3 files can't be analyzed. cut.tif: The file is damaged or cut off.");
  });

  it('are those that open as well, of which a part can be decoded', async () => {
    const lists: [number, 3 | 4, number[]][] = [
      [278, 4, [2]],
      [273, 4, [8, 1e6]],
      [279, 4, [16, 16]],
    ];
    const page = { width: 4, height: 4, samples: new Uint16Array(16), tags: lists };
    const { passed, text } = await check([await write('half.tif', tiff([page]))]);
    deepEqual(passed, []);
    equal(text, "half.tif can't be analyzed. The file is damaged or cut off.");
  });

  it('are refused by name where it is one', async () => {
    const { passed, text } = await check([await write('empty.png', new Uint8Array())]);
    deepEqual([passed, text], [[], "empty.png can't be analyzed. The file is empty."]);
  });

  it('are those that begin otherwise than files of their ending do', async () => {
    const random = Uint8Array.from({ length: 5000 }, (_, at) => (at * 197 + 83) % 256);
    const endings =
      'png jpg JPEG tif TIFF ome.tiff svs ndpi scn bif qptiff btf webp czi bmp gif lif nd2 svslide'.split(
        ' ',
      );
    for (const ending of endings) {
      for (const content of [random, new Uint8Array(), Uint8Array.of(0x49)]) {
        const { passed, text } = await check([await write(`slide.${ending}`, content)]);
        deepEqual(passed, [], ending);
        const why = content.length === 0 ? /The file is empty/ : /doesn't begin as \w+ files do/;
        equal(why.test(text), true, text);
      }
    }
  });

  it('are not those that begin as files of their ending do', async () => {
    const begins: [string, string | Uint8Array][] = [
      ['classic.svs', 'II*\0'],
      ['big.ndpi', 'II+\0'],
      ['big endian.bif', 'MM\0*'],
      ['leica.scn', 'MM\0+'],
      ['a.webp', 'RIFF\x10\0\0\0WEBPVP8 '],
      ['a.czi', 'ZISRAWFILE\0\0'],
      ['a.bmp', 'BM'],
      ['a.gif', 'GIF89a'],
      ['a.lif', 'p\0\0\0'],
      ['new.nd2', Uint8Array.of(0xda, 0xce, 0xbe, 0x0a)],
      ['old.nd2', '\0\0\0\x0cjP  \r\n'],
      ['a.svslide', 'SQLite format 3\0'],
    ];
    const files = [];
    for (const [name, begin] of begins) files.push(await write(name, Buffer.from(begin as string, 'latin1')));
    deepEqual(
      (await check(files)).passed,
      begins.map(([name]) => name),
    );
    equal(engines.length, 0);
  });

  it('are said to be of another format where they are', async () => {
    const { text } = await check([await write('export.png', sound())]);
    equal(text, "export.png can't be analyzed. The content is TIFF, but the name says PNG; rename the file.");
  });

  it('are empty files whatever their ending', async () => {
    const files = [await write('slide.vms', new Uint8Array()), await write('slide.vmu', Uint8Array.of(1))];
    deepEqual((await check(files)).passed, ['slide.vmu']);
  });

  it('are looked for in other file systems by their first bytes, where the file is not large', async () => {
    const contents: Record<string, Uint8Array> = {
      'memfs:/empty.tif': new Uint8Array(),
      'memfs:/a%20b.tif': Buffer.from('no image'),
      'memfs:/sound.tif': sound(),
      'memfs:/large.tif': Buffer.from('no image'),
    };
    const read: string[] = [];
    const virtual = {
      readFile: (uri: string) => {
        read.push(uri);
        return contents[uri] ? Promise.resolve(contents[uri]) : Promise.reject(new Error('gone'));
      },
    };
    const file = (uri: string, size: number) => ({ uri, fileName: uri.slice(7), folder: '', size });
    const files = [...Object.keys(contents), 'memfs:/gone.tif'].map(uri =>
      file(uri, uri.includes('large') ? 2 ** 27 : 0),
    );
    const checked = await refuseDamaged(
      { startEngine, virtual },
      { files, failed: [], hadFolder: false },
      signal,
    );
    deepEqual(
      checked.files.map(({ fileName }) => fileName),
      ['sound.tif', 'large.tif', 'gone.tif'],
    );
    equal(read.length, 4);
  });

  it('are not those that are unknown here, elsewhere, or gone', async () => {
    const image = await jpeg(new Uint8ClampedArray(256), 8, 8);
    const files = [
      await write('other.xyz', new TextEncoder().encode('another format')),
      await write('no end.jpg', image.subarray(0, -2)),
      { ...(await write('virtual.tif', new Uint8Array())), uri: 'memfs:/virtual.tif' },
      { ...(await write('gone.tif', new Uint8Array())), uri: pathToFileURL(join(root, 'nowhere.tif')).href },
    ];
    equal((await check(files)).passed.length, files.length);
  });

  it('are not those that are cut off but too large to be decoded', async () => {
    const cut = sound().subarray(0, -4);
    deepEqual((await check([await write('large.tif', cut, 2 ** 31)])).passed, ['large.tif']);
    equal(engines.length, 0);
  });

  it('are not looked for longer than a person waits', async () => {
    const cut = sound().subarray(0, -4);
    const files = [
      await write('1.tif', cut),
      await write('2.tif', cut),
      await write('3.tif', new Uint8Array()),
    ];
    let time = 0;
    deepEqual((await check(files, () => (time += 3000))).passed, ['2.tif']);
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
