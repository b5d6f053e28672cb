import { deepEqual } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StateFiles } from '../../../../src/accounts/node/stateFiles';
import { ResultChoices } from '../../../../src/results/node/resultChoices';
import type { StoredImages } from '../../../../src/study/storedImages';
import { StoredImageColumns } from '../../../../src/study/node/storedImageColumns';
import { FileResult, type FileUri, type ResultSource } from '../../../../src/session/node/resultSource';

const stored: StoredImages = { columns: [{ name: 'Dose' }], values: { 'a.tif': ['1'] }, excluded: {} };
const uri: FileUri = {
  scheme: 'file',
  path: '/plate/objects.csv',
  fsPath: '/plate/objects.csv',
  toString: () => 'file:///plate/objects.csv',
};

/** Choices in memory. `renamed`: told columns that were renamed. */
function makeKept(renamed: unknown[] = []): StoredImageColumns {
  const byKey = new Map<string, unknown>();
  return new StoredImageColumns({
    value: (kind, { key }) => Promise.resolve(kind.valid(byKey.get(key))),
    setValue: (_, { key }, images) => {
      byKey.set(key, images);
      return Promise.resolve();
    },
    changeValue: (_, { key }, edit) => {
      byKey.set(key, edit(byKey.get(key)));
      return Promise.resolve();
    },
    watchValue: () => Promise.resolve(undefined),
    columnsRenamed: ({ key }, names) => {
      renamed.push([key, [...names]]);
    },
  });
}

describe('What is known of the images of a file', () => {
  it('is the same in its panel and in its editor, which hear of each other but of no other file', async () => {
    const kept = makeKept();
    const panel = kept.of(new FileResult(uri, 'file'));
    const editor = kept.of(new FileResult(uri, 'file', 'editor:'));
    const masks = kept.of(new FileResult(uri, 'masks'));
    const told: string[] = [];
    const listening = editor.onDidWrite(() => told.push('editor'));
    panel.onDidWrite(() => told.push('panel'));
    masks.onDidWrite(() => told.push('masks'));
    await panel.write(stored);
    deepEqual([await editor.read(), await masks.read()], [stored, undefined]);
    deepEqual(told, ['editor', 'panel']);
    listening.dispose();
    await editor.write(undefined);
    deepEqual([await panel.read(), told], [undefined, ['editor', 'panel', 'panel']]);
  });

  it('renames columns for all that is stored of the file by name', async () => {
    const renamed: unknown[] = [];
    const editor = makeKept(renamed).of(new FileResult(uri, 'file', 'editor:'));
    await editor.write(stored, new Map([['Drug', 'Dose']]));
    deepEqual(renamed, [[`file:${uri.toString()}`, [['Drug', 'Dose']]]]);
  });

  it('is told once it is in the record of a job', async () => {
    const kept = makeKept();
    let inRecord: unknown;
    const job: ResultSource = {
      key: 'job:ada:1',
      title: 'Plate',
      restore: null,
      path: () => Promise.reject(new Error('Nothing is read')),
      value: ({ valid }) => Promise.resolve(valid(inRecord)),
      setValue: (_kind, images) => {
        inRecord = images;
        return Promise.resolve(true);
      },
    };
    const seen: unknown[] = [];
    kept.of(job).onDidWrite(() => seen.push(inRecord));
    await kept.of(job).write(stored);
    await kept.of(job).write(undefined);
    deepEqual(seen, [stored, { columns: [], values: {}, excluded: {} }]);
  });

  it('is told to another window once it is stored, whether or not that has the focus', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kept-images-'));
    const source = new FileResult(uri, 'file');
    const windows = [1, 2].map(() => {
      const state = new StateFiles(folder);
      return new StoredImageColumns(new ResultChoices(() => Promise.resolve(state))).of(source);
    });
    const [here, other] = windows;
    let tell: () => void = () => undefined;
    const told = new Promise<void>(resolve => (tell = resolve));
    const watching = await other?.watch?.(tell);
    try {
      await here?.write(stored);
      await told;
      deepEqual(await other?.read(), stored);
    } finally {
      watching?.dispose();
      await rm(folder, { recursive: true });
    }
  });

  it('keep the converted columns of each of its tables, until there are none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kept-images-'));
    const state = new StateFiles(folder);
    const open = () =>
      new StoredImageColumns(new ResultChoices(() => Promise.resolve(state))).of(new FileResult(uri, 'file'));
    const converted = { columns: ['Area'], sizes: { 'a.tif': ['0.25', '0.5'] } };
    try {
      await open().setConversion?.('objects', converted);
      await open().setConversion?.('file', { ...converted, columns: ['Perimeter'] });
      deepEqual(await open().conversion?.('objects'), converted);
      await open().setConversion?.('objects', undefined);
      deepEqual(await open().conversion?.('objects'), undefined);
      deepEqual((await open().conversion?.('file'))?.columns, ['Perimeter']);
      // Somebody edited the file.
      await state.write('conversions', { [`file:${uri.toString()}`]: { images: { file: { columns: 3 } } } });
      deepEqual(await open().conversion?.('file'), undefined);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
