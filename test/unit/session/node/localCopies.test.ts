import { reason, quoted } from '../../../../src/base/reasons';
import { deepEqual, equal, notEqual, rejects } from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalCopies } from '../../../../src/session/node/localCopies';
import type { FileUri } from '../../../../src/session/node/resultSource';
import { silentLog } from '../../../../src/base/log';

const { signal } = new AbortController();
const parseUri = (text: string): FileUri => {
  const { protocol, pathname } = new URL(text);
  return { scheme: protocol.slice(0, -1), path: pathname, fsPath: pathname, toString: () => text };
};

describe('Files that are not on a disk', () => {
  let parent: string;
  let copies: LocalCopies;
  let files: Map<string, string>;
  let reads: string[];
  let size: number | undefined;
  let release: () => void;
  let reading: Promise<void> | undefined;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'image-analysis-copies-test-'));
    files = new Map([
      ['lab:/one/a.tif', 'one'],
      ['lab:/two/a.tif', 'two'],
    ]);
    reads = [];
    size = undefined;
    reading = undefined;
    copies = new LocalCopies({
      files: {
        stat: uri => Promise.resolve({ size: size ?? files.get(uri)?.length ?? 0 }),
        readFile: async uri => {
          reads.push(uri);
          await reading;
          const text = files.get(uri);
          if (text === undefined) throw new Error('No such file in the lab');
          return Buffer.from(text);
        },
      },
      parseUri,
      log: silentLog,
      parent,
    });
  });

  afterEach(async () => {
    copies.dispose();
    await rm(parent, { recursive: true, force: true });
  });

  const holdReading = () => {
    reading = new Promise(resolve => (release = resolve));
  };

  it('are copied once, by their URI or its text', async () => {
    const path = await copies.pathOf('lab:/one/a.tif', signal);
    equal(await readFile(path, 'utf8'), 'one');
    equal(await copies.pathOf(parseUri('lab:/one/a.tif'), signal), path);
    deepEqual(reads, ['lab:/one/a.tif']);
  });

  it('of one name, copied at the same time, stay apart', async () => {
    const paths = await Promise.all(
      ['lab:/one/a.tif', 'lab:/two/a.tif'].map(uri => copies.pathOf(uri, signal)),
    );
    notEqual(paths[0], paths[1]);
    deepEqual(await Promise.all(paths.map(path => readFile(path, 'utf8'))), ['one', 'two']);
  });

  it('on a disk are not copied', async () => {
    equal(await copies.pathOf('file:///plate/a.tif', signal), '/plate/a.tif');
    deepEqual(await readdir(parent), []);
  });

  it('are refused where they are too large, or cannot be read; a later attempt may succeed', async () => {
    size = 2 ** 30 + 1;
    await rejects(copies.pathOf('lab:/one/a.tif', signal), {
      code: 'bad-request',
      details: {
        subject: 'a.tif',
        reason: reason("Files over {0} GB aren't copied from another file system", 1),
      },
    });
    size = undefined;
    await rejects(copies.pathOf('lab:/gone.tif', signal), {
      code: 'not-a-file',
      details: { subject: 'gone.tif', reason: quoted('No such file in the lab') },
    });
    equal(await readFile(await copies.pathOf('lab:/one/a.tif', signal), 'utf8'), 'one');
  });

  it('are canceled without waiting for the file system', async () => {
    holdReading();
    const controller = new AbortController();
    const path = copies.pathOf('lab:/one/a.tif', controller.signal);
    controller.abort();
    await rejects(path, { code: 'cancelled' });
    release();
  });

  it('leave nothing when they arrive after the end', async () => {
    holdReading();
    const path = copies.pathOf('lab:/one/a.tif', signal);
    copies.dispose();
    release();
    await rejects(path, { code: 'cancelled' });
    deepEqual(await readdir(parent), []);
  });
});
