import { reason } from '../../../../src/base/reasons';
import { deepEqual, equal, rejects } from 'node:assert/strict';
import {
  expandFiles,
  needsReview,
  suggestedFiles,
  type LocalFileSystem,
} from '../../../../src/uploads/node/expandFiles';
import { CodedError } from '../../../../src/base/errors';
import { onMachine } from '../../foreignDisk';
import { failedFiles, mayAnalyze, sendReport } from '../../../../src/uploads/node/sendFiles';

interface Entry {
  isFolder?: boolean;
  isLink?: boolean;
  unreadable?: boolean;
}

/** Files in memory by path; a folder's entries come in the order they were given. */
function fileSystem(entries: Record<string, Entry>): LocalFileSystem {
  return {
    stat: uri => {
      const entry = entries[uri];
      if (!entry || entry.unreadable) return Promise.reject(new Error('ENOENT'));
      return Promise.resolve({ isFolder: entry.isFolder ?? false, size: uri.length });
    },
    list: uri =>
      Promise.resolve(
        Object.entries(entries)
          .filter(([path]) => path.startsWith(`${uri}/`) && !path.slice(uri.length + 1).includes('/'))
          .map(([path, { isFolder = false, isLink = false }]) => ({
            uri: path,
            name: path.slice(uri.length + 1),
            isFolder,
            isLink,
          })),
      ),
  };
}

const selection = (...uris: string[]) =>
  uris.map(uri => ({ uri, name: uri.slice(uri.lastIndexOf('/') + 1) }));

describe('Files selected for upload', () => {
  const system = fileSystem({
    '/plate': { isFolder: true },
    '/plate/10.png': {},
    '/plate/2.png': {},
    '/plate/.hidden.png': {},
    '/plate/Thumbs.db': {},
    '/plate/broken.png': { unreadable: true },
    '/plate/row': { isFolder: true },
    '/plate/row/1.tif': {},
    '/plate/loop': { isFolder: true, isLink: true },
    '/single.png': {},
  });

  it('are told where the privacy settings of macOS deny their folder, as VS Code reports it', async () => {
    const message = "EPERM: operation not permitted, scandir '/Users/a/Desktop'";
    const denied = Object.assign(new Error(message), { code: 'NoPermissions' });
    const { failed } = await onMachine({ platform: 'darwin' }, () =>
      expandFiles({ ...system, list: () => Promise.reject(denied) }, selection('/plate')),
    );
    deepEqual(
      failed.map(({ error }) => error.details.reason?.message),
      [
        "macOS doesn't let VS Code use this folder. Allow it in System Settings > Privacy & Security > Files and Folders",
      ],
    );
  });

  it('are those of a folder in natural order, with their relative paths, without hidden files and linked folders', async () => {
    const { files, failed, hadFolder } = await expandFiles(system, selection('/plate'));
    deepEqual(
      files.map(({ folder, fileName }) => `${folder}/${fileName}`),
      ['plate/2.png', 'plate/10.png', 'plate/row/1.tif'],
    );
    equal(hadFolder, true);
    deepEqual(
      failed.map(({ uri, error }) => [uri, error.code, error.details.subject]),
      [['/plate/broken.png', 'not-a-file', 'broken.png']],
    );
  });

  it('are looked at 16 at once, in order, in a folder as selected by themselves', async () => {
    const paths = Array.from({ length: 100 }, (_, at) => `/many/${at}.png`);
    const many = fileSystem({
      '/many': { isFolder: true },
      ...Object.fromEntries(paths.map(path => [path, {}])),
    });
    let running = 0;
    let most = 0;
    const slow: LocalFileSystem = {
      ...many,
      stat: async uri => {
        most = Math.max(most, (running += 1));
        // The later ones answer first.
        for (let turn = running; turn < 20; turn++) await Promise.resolve();
        running -= 1;
        if (uri === '/many/7.png') throw new Error('EACCES');
        return many.stat(uri);
      },
    };
    for (const selected of [selection('/many'), selection(...paths)]) {
      most = 0;
      const { files, failed } = await expandFiles(slow, selected);
      deepEqual(
        files.map(({ uri }) => uri),
        paths.filter(path => path !== '/many/7.png'),
      );
      deepEqual(
        failed.map(({ uri }) => uri),
        ['/many/7.png'],
      );
      equal(most, 16);
    }
  });

  it('are never what systems leave among files, also where it is selected itself', async () => {
    const left = ['desktop.ini', 'Thumbs.db', 'thumbs.DB', 'Icon\r', '~$Plan.xlsx', '._1.tif', '.DS_Store'];
    const names = [...left, 'Icon', 'desktop.initial.png', '~1.tif'];
    const around = fileSystem({
      '/plate': { isFolder: true },
      ...Object.fromEntries(names.map(name => [`/plate/${name}`, { unreadable: left.includes(name) }])),
      // A folder's name says nothing of what is in it.
      '/plate/~$row': { isFolder: true },
      '/plate/~$row/2.png': {},
    });
    const wanted = ['Icon', 'desktop.initial.png', '~1.tif'];
    const ofFolder = await expandFiles(around, selection('/plate'));
    deepEqual(ofFolder.files.map(({ fileName }) => fileName).sort(), ['2.png', ...wanted]);
    const selected = await expandFiles(around, selection(...names.map(name => `/plate/${name}`)));
    deepEqual(
      selected.files.map(({ fileName }) => fileName),
      wanted,
    );
    deepEqual([ofFolder.failed, selected.failed], [[], []]);
  });

  it('are listed once when a file and its folder are both selected', async () => {
    const { files } = await expandFiles(system, selection('/plate/2.png', '/plate'));
    equal(files.filter(({ fileName }) => fileName === '2.png').length, 1);
  });

  it('continue past one that is missing', async () => {
    const { files, failed, hadFolder } = await expandFiles(system, selection('/gone.png', '/single.png'));
    deepEqual([files.length, failed.length, hadFolder], [1, 1, false]);
  });

  it('can be canceled', async () => {
    await rejects(expandFiles(system, selection('/plate'), AbortSignal.abort()), { code: 'cancelled' });
  });

  it('are limited to 100,000', async () => {
    const many = Object.fromEntries(Array.from({ length: 100_001 }, (_, i) => [`/many/${i}.png`, {}]));
    const entries = Object.keys(many).map(uri => ({
      uri,
      name: uri.slice(6),
      isFolder: false,
      isLink: false,
    }));
    const large = {
      ...fileSystem({ '/many': { isFolder: true }, ...many }),
      list: () => Promise.resolve(entries),
    };
    await rejects(expandFiles(large, selection('/many')), {
      code: 'bad-request',
      details: { reason: reason('The selection has more than {0} files. Select a smaller folder', 100_000) },
    });
  });

  it('include as suggestions those that look like images, or all where none does', () => {
    const file = (fileName: string) => ({ uri: fileName, fileName, folder: '', size: 1 });
    deepEqual(suggestedFiles([file('a.TIF'), file('notes.txt')]), [file('a.TIF')]);
    deepEqual(suggestedFiles([file('a.raw'), file('b')]), [file('a.raw'), file('b')]);
  });
});

describe('An upload that partly failed', () => {
  const sent = {
    uploaded: [{ uri: 'a', id: '1', fileName: 'a' }],
    failed: [{ uri: 'b', error: new CodedError('network', 'down') }],
  };

  it('can be retried with the files that failed', () => {
    const file = (uri: string) => ({ uri, fileName: uri, folder: '', size: 1 });
    deepEqual(failedFiles([file('a'), file('b')], sent), [file('b')]);
  });

  it('is analyzed for a program only where that allows it, and never without files', () => {
    equal(mayAnalyze(sendReport(sent), false), false);
    equal(mayAnalyze(sendReport(sent), true), true);
    equal(mayAnalyze({ ...sendReport(sent), failed: [] }, false), true);
    equal(mayAnalyze({ ...sendReport(sent), uploaded: [] }, true), false);
  });
});

describe('A folder to analyze', () => {
  const review = async (names: string[], ...selected: string[]) => {
    const entries = Object.fromEntries(
      names.map(name => [`/plate/${name}`, { isFolder: /(^|\/)sub$/.test(name) }]),
    );
    const system = fileSystem({ '/plate': { isFolder: true }, ...entries });
    return needsReview(await expandFiles(system, selection(...(selected.length ? selected : ['/plate']))));
  };

  it('is reviewed only where it has more than images', async () => {
    equal(await review(['a.png', 'b.tif']), false);
    equal(await review(['a.png', 'notes.txt']), true);
    equal(await review(['a.png', 'sub', 'sub/b.png']), true);
    // Folders of conditions, with images alone.
    equal(await review(['sub', 'sub/a.png', 'sub/b.png']), false);
    equal(await review(['sub', 'sub/a.png', 'sub/notes.txt']), true);
    equal(await review(['sub', 'sub/sub', 'sub/sub/a.png']), true);
    equal(await review(['notes.txt'], '/plate/notes.txt'), false);
  });
});
