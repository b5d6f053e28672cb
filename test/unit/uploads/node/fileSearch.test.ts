import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { AnalysisClient } from '../../../../src/service/node/client';
import { fileFilterWords } from '../../../../src/uploads/node/fileNodes';
import { MAX_MATCHES, searchFiles } from '../../../../src/uploads/node/fileSearch';
import type { FilesystemItem } from '../../../../src/service/wire';
import { CodedError } from '../../../../src/base/errors';
import { plainEnglish } from '../../../../src/words/translate';

const folder = (id: string): FilesystemItem => ({ __t: 'Folder', id, name: `folder ${id}` });
const file = (id: string, name = `${id}.png`): FilesystemItem => ({ __t: 'File', id, name });

/** Folders by ID, '' is the top; pages of 100 entries. */
class Files {
  requests = 0;
  /** Fails the request of this number. */
  failAt = 0;

  constructor(private readonly folders: Record<string, FilesystemItem[]>) {}

  readonly listFilesystemItems: AnalysisClient['listFilesystemItems'] = (query = {}, signal) => {
    this.requests += 1;
    if (signal?.aborted) return Promise.reject(new CodedError('cancelled', 'canceled'));
    if (this.requests === this.failAt) return Promise.reject(new CodedError('service-error', 'broken'));
    const all = this.folders[query.folderId ?? ''] ?? [];
    const start = query.startingAfter ? all.findIndex(({ id }) => id === query.startingAfter) + 1 : 0;
    return Promise.resolve({ results: all.slice(start, start + 100), count: all.length, skipped: 0 });
  };
}

describe('A search for files', () => {
  const many = Array.from({ length: 950 }, (_, index) => file(`p${index}`));
  const search = (files: Files, text: string, signal = new AbortController().signal) =>
    searchFiles(files, text, () => undefined, signal);
  const names = ({ nodes }: Awaited<ReturnType<typeof search>>) => nodes.map(({ path }) => path);

  it('finds what is on later pages and in folders within folders', async () => {
    const files = new Files({ '': [...many, folder('a')], a: [folder('b'), file('1')], b: [file('p949')] });
    const found = await search(files, 'P949');
    deepEqual(names(found), ['p949.png', 'folder a/folder b/p949.png']);
    equal(found.searched, 954);
    equal(found.ended, undefined);
    equal(new Set(found.nodes.map(({ key }) => key)).size, 2);
  });

  it('reads a folder once that is shown in several, or in itself', async () => {
    const files = new Files({
      '': [folder('a'), folder('b')],
      a: [folder('a'), file('1')],
      b: [folder('a')],
    });
    deepEqual(names(await search(files, '1.png')), ['folder a/1.png']);
  });

  it('compares names regardless of case and of how accents are encoded', async () => {
    const files = new Files({ '': [file('1', 'Nervenzelle Mu\u0308nchen.tif'), file('2', 'other.tif')] });
    deepEqual(
      (await search(files, 'MÜNCHEN')).nodes.map(({ id }) => id),
      ['1'],
    );
  });

  it('has what it found so far when it is canceled', async () => {
    const files = new Files({ '': [...many, folder('a')], a: [file('p1')] });
    const canceling = new AbortController();
    const found = await searchFiles(
      files,
      'p1',
      searched => searched >= 300 && canceling.abort(),
      canceling.signal,
    );
    equal(found.ended, 'canceled');
    equal(found.searched, 300);
    equal(found.nodes.length, 111);
    equal(files.requests, 3);
  });

  it('goes on beside a folder that is gone, and fails where nothing can be listed', async () => {
    const files = new Files({ '': [folder('a'), folder('b')], a: [file('1')], b: [file('1')] });
    files.failAt = 3;
    const found = await search(files, '1.png');
    deepEqual([names(found), found.ended], [['folder b/1.png'], 'failed']);
    const broken = new Files({});
    broken.failAt = 1;
    await rejects(search(broken, '1'), { code: 'service-error' });
  });

  it('ends where more match than are of use', async () => {
    const files = new Files({
      '': Array.from({ length: MAX_MATCHES + 150 }, (_, index) => file(`p${index}`)),
    });
    const found = await search(files, 'p');
    deepEqual([found.nodes.length, found.ended], [MAX_MATCHES, 'many']);
  });

  it('is told in words', () => {
    const words = (ended?: 'canceled' | 'failed' | 'many') =>
      fileFilterWords(
        { t: plainEnglish, locale: 'en' },
        { text: 'p1', matches: 2, searched: 1200, ...(ended && { ended }) },
      );
    equal(words(), '2 of 1,200 files and folders match "p1".');
    equal(words('canceled'), '2 of 1,200 files and folders match "p1". The search was canceled.');
  });
});
