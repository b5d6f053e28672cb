import { deepEqual } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addFormulas, formulasKind, sessionFormulas } from '../../../../src/formulas/node/sessionFormulas';
import { ResultChoices } from '../../../../src/results/node/resultChoices';
import { TableLists } from '../../../../src/results/node/tableLists';
import type { ResultSession } from '../../../../src/session/node/resultSession';
import { choiceOwnerOf } from '../../../../src/session/node/resultSource';
import type { ImageEdit } from '../../../../src/study/imageEdits';
import { sessionImageColumns } from '../../../../src/study/node/sessionImageColumns';
import { StoredImageColumns } from '../../../../src/study/node/storedImageColumns';
import { MemoryState } from '../../jobs/node/memoryState';
import { FilesOnDisk } from '../../session/node/sessionFixture';
import { openStudied } from '../../study/node/studiedSession';

const signal = new AbortController().signal;

class JobFiles extends FilesOnDisk {
  readonly jobIds = ['job'];
}

describe('Formulas with columns of images', () => {
  let folder: string;
  let state: MemoryState;
  let source: JobFiles;
  const windows: ResultSession[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'formulas-'));
    const objects = join(folder, 'objects.csv');
    await writeFile(objects, 'Image origin,Object ID,Area\nc/1.tif,1,5\nt/2.tif,2,6\n');
    state = new MemoryState();
    source = new JobFiles({ objects });
  });
  afterEach(async () => {
    for (const window of windows.splice(0)) window.dispose();
    await rm(folder, { recursive: true });
  });

  /** The result in a window of its own; all windows share what is stored. */
  function openWindow(): ResultSession {
    const choices = new ResultChoices(() => Promise.resolve(state));
    const images = new StoredImageColumns(choices).of(source);
    const added = [(each: ResultSession) => addFormulas(each, choices)];
    const { session } = openStudied(source, { images, added });
    windows.push(session);
    return session;
  }

  it('follow these where another window renames them, also of a table that is not open there', async () => {
    const [here, other] = [openWindow(), openWindow()];
    const stored = new TableLists(
      new ResultChoices(() => Promise.resolve(state)),
      formulasKind,
      choiceOwnerOf(source),
    );
    const columns = async () => (await here.tables.open('objects', signal)).columns;
    const shown = async (name: string) => {
      const column = (await columns()).findIndex(each => each.name === name);
      const params = { sort: [], start: 0, end: 9, columns: [column] };
      return (await here.tables.request('objects', 'tableRows', params, signal)).rows.flat();
    };
    const perDose = { name: 'Per dose', formula: '[Area] / [Dose]' };
    const dose: ImageEdit = {
      kind: 'insert',
      at: 0,
      column: { name: 'Dose', values: ['2', '4'], role: 'condition' },
    };
    await other.get(sessionImageColumns).allImages(signal);
    await other.get(sessionImageColumns).edit([dose], [], signal);
    await columns();
    await here.get(sessionFormulas).change('objects', [], [perDose], signal);
    await stored.change('aggregate', [], [{ name: 'Twice', formula: '2 * [Dose]' }]);
    deepEqual(await shown('Per dose'), ['2.5', '1.5']);

    const followed = new Promise<void>(done =>
      here.tables.onDidExtend(({ summary }) => {
        const computed = summary.columns.find(each => each.computed)?.computed;
        if (computed?.formula === '[Area] / [Dose (µM)]' && !computed.isInvalid) done();
      }),
    );
    const rename: ImageEdit = { kind: 'describe', at: 0, column: { name: 'Dose (µM)' } };
    await other.get(sessionImageColumns).edit([rename], [], signal);
    await followed;
    deepEqual(
      (await columns()).slice(3).map(({ name }) => name),
      ['Dose (µM)', 'Per dose'],
    );
    deepEqual(await shown('Per dose'), ['2.5', '1.5']);
    // This window's page adds another column before it has heard of it.
    const half = { name: 'Half', formula: '[Area] / 2' };
    await here.get(sessionFormulas).change('objects', [perDose], [perDose, half], signal);
    deepEqual(await stored.read('objects'), [{ ...perDose, formula: '[Area] / [Dose (µM)]' }, half]);
    deepEqual(await stored.read('aggregate'), [{ name: 'Twice', formula: '2 * [Dose (µM)]' }]);
  });

  it('are empty where another window removes one and adds another, and compute from no other', async () => {
    const [here, other] = [openWindow(), openWindow()];
    const insert = (name: string, values: string[]): ImageEdit => ({
      kind: 'insert',
      at: 0,
      column: { name, values },
    });
    const columns = async () => (await here.tables.open('objects', signal)).columns;
    await other.get(sessionImageColumns).allImages(signal);
    await other.get(sessionImageColumns).edit([insert('Dose', ['2', '4'])], [], signal);
    await columns();
    const perDose = { name: 'Per dose', formula: '[Area] / [Dose]' };
    await here.get(sessionFormulas).change('objects', [], [perDose], signal);
    const followed = new Promise<void>(done =>
      here.tables.onDidExtend(({ summary }) => {
        if (summary.columns.some(({ name }) => name === 'Time')) done();
      }),
    );
    await other
      .get(sessionImageColumns)
      .edit([{ kind: 'remove', at: 0 }, insert('Time', ['1', '2'])], [], signal);
    await followed;
    const [time, computed] = (await columns()).slice(3);
    deepEqual([time?.name, time?.id], ['Time', undefined]);
    deepEqual(computed?.computed, { formula: '[Area] / [Dose]', type: 'text', isInvalid: true });
    // Renamed, it is known by its first name in every table.
    const rename: ImageEdit = { kind: 'describe', at: 0, column: { name: 'Hours' } };
    await other.get(sessionImageColumns).edit([rename], [], signal);
    const inOther = (await other.tables.open('objects', signal)).columns[3];
    deepEqual([inOther?.name, inOther?.id], ['Hours', 'Time']);
  });
});
