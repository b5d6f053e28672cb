import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LocalCopies } from '../../../../src/session/node/localCopies';
import { ImageFileResult } from '../../../../src/session/node/imageFileResult';
import type { FileUri } from '../../../../src/session/node/resultSource';
import { toDisposable } from '../../../../src/base/disposable';
import { silentLog } from '../../../../src/base/log';
import type { FileChange } from '../../../../src/images/backgroundImageInfo';

const { signal } = new AbortController();
const parseUri = (text: string): FileUri => {
  const { protocol, pathname } = new URL(text);
  const path = decodeURIComponent(pathname);
  const fsPath = protocol === 'file:' ? fileURLToPath(text) : path;
  return { scheme: protocol.slice(0, -1), path, fsPath, toString: () => text };
};

describe('An image file', () => {
  let folder: string;
  let report: (change: FileChange) => void;
  let watched: number;
  let reads: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-analysis-image-file-test-'));
    watched = 0;
    reads = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = (uri: string): ImageFileResult =>
    new ImageFileResult(parseUri(uri), {
      copies: new LocalCopies({
        files: {
          stat: () => Promise.resolve({ size: 3 }),
          readFile: () => Promise.resolve(Buffer.from(`${++reads}`)),
        },
        parseUri,
        log: silentLog,
        parent: folder,
      }),
      watch: (_uri, onChange) => {
        watched++;
        report = onChange;
        return toDisposable(() => watched--);
      },
    });
  const onDisk = (name: string) => pathToFileURL(join(folder, name)).href;

  it('has a path on disk and the name of the file', async () => {
    await writeFile(join(folder, 'a b.tif'), '');
    const image = open(onDisk('a b.tif'));
    equal(image.title, 'a b.tif');
    equal(await image.path('image', undefined, signal), join(folder, 'a b.tif'));
    await rejects(image.path('masks', undefined, signal), { code: 'not-found' });
    image.dispose();
    equal(watched, 0);
  });

  it('is not found once it is gone, and is no folder', async () => {
    await rejects(open(onDisk('gone.tif')).path('image', undefined, signal), {
      code: 'not-found',
      details: { subject: 'gone.tif' },
    });
    await mkdir(join(folder, 'folder.tif'));
    await rejects(open(onDisk('folder.tif')).path('image', undefined, signal), { code: 'not-a-file' });
  });

  it('tells each change once, until it is to be read again', () => {
    const image = open(onDisk('a.tif'));
    const seen: (FileChange | undefined)[] = [];
    image.onDidChange(() => seen.push(image.change));
    report('changed');
    report('changed');
    report('deleted');
    image.forget();
    deepEqual(seen, ['changed', 'deleted', undefined]);
  });

  it('of another file system is copied again once it is to be read again', async () => {
    const image = open('lab:/plate/a.tif');
    const first = await image.path('image', undefined, signal);
    equal(await image.path('image', undefined, signal), first);
    equal(reads, 1);
    image.forget();
    await image.path('image', undefined, signal);
    equal(reads, 2);
    image.dispose();
  });
});
