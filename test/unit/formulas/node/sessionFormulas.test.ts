import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ComputedColumn } from '../../../../src/columns/computedColumn';
import type { TableColumn } from '../../../../src/columns/tableSummary';
import { addFormulas, formulasKind, sessionFormulas } from '../../../../src/formulas/node/sessionFormulas';
import { ResultChoices } from '../../../../src/results/node/resultChoices';
import { TableLists } from '../../../../src/results/node/tableLists';
import { programFormulas } from '../../../../src/session/node/programTable';
import { type ResultSource, choiceOwnerOf } from '../../../../src/session/node/resultSource';
import type { ResultSession } from '../../../../src/session/node/resultSession';
import { saveTableAsProgram } from '../../../../src/table/node/tablePrograms';
import { MemoryState } from '../../jobs/node/memoryState';
import { FilesOnDisk, openSession } from '../../session/node/sessionFixture';

const signal = new AbortController().signal;

const computedOf = (columns: readonly TableColumn[]): ComputedColumn[] =>
  columns.flatMap(({ name, computed }) => (computed ? [{ name, formula: computed.formula }] : []));

describe('The computed columns of a result', () => {
  let folder: string;
  let state: MemoryState;
  let choices: ResultChoices;
  let source: ResultSource;
  let session: ResultSession;
  /** What the page that changes them knows. */
  let stored: ComputedColumn[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'formulas-'));
    const objects = join(folder, 'objects.csv');
    await writeFile(objects, 'Image origin,Object ID,Area,Zero\nc/1.tif,1,5,0\nt/2.tif,2,6,2\n');
    state = new MemoryState();
    stored = [];
    choices = new ResultChoices(() => Promise.resolve(state));
    source = new FilesOnDisk({ objects });
    open();
  });
  afterEach(async () => {
    session.dispose();
    await rm(folder, { recursive: true });
  });

  function open(): void {
    ({ session } = openSession(source));
    addFormulas(session, choices);
  }
  const lists = () => new TableLists(choices, formulasKind, choiceOwnerOf(source));
  const set = async (...formulas: [name: string, formula: string][]) => {
    const changed = formulas.map(([name, formula]) => ({ name, formula }));
    await session.get(sessionFormulas).change('objects', stored, changed, signal);
    stored = changed;
  };
  const columns = async () => (await session.tables.open('objects', signal)).columns;
  const names = async () => (await columns()).slice(4).map(({ name }) => name);
  const shown = async (name: string) => {
    const column = (await columns()).findIndex(each => each.name === name);
    const params = { sort: [], start: 0, end: 9, columns: [column] };
    return (await session.tables.request('objects', 'tableRows', params, signal)).rows.flat();
  };

  it('are there when the result is opened again, and gone once they are removed', async () => {
    await set(['Half', '[Area] / 2'], ['Is large', '[Half] > 2.7']);
    session.dispose();
    open();
    deepEqual(await names(), ['Half', 'Is large']);
    deepEqual(await shown('Is large'), ['no', 'yes']);
    await set();
    session.dispose();
    open();
    deepEqual(await names(), []);
  });

  it('are refused, and nothing is changed, where a name is taken or a formula is not valid', async () => {
    await set(['Half', '[Area] / 2']);
    const refused = (message: RegExp) => ({ code: 'bad-request', message, details: { subject: 'computed' } });
    await rejects(set(['Half', '[Area]'], ['Area', '1']), refused(/already is a column "Area"/));
    await rejects(set(['A', '1'], ['A', '2']), refused(/already is a column "A"/));
    await rejects(
      set(['Half', '[Area] / 2'], ['X', '[Aera] * 2']),
      refused(/"X" at character 1: There is no column "Aera"/),
    );
    await rejects(set(['Half', '[Half] / 2']), refused(/"Half" at character 1: The column would use itself/));
    deepEqual(await shown('Half'), ['2.5', '3']);
    deepEqual(await names(), ['Half']);
  });

  it('use columns of images, and follow these where they are renamed', async () => {
    const know = async (name: string) => {
      const images = { keyColumn: 0, keys: ['c/1.tif', 't/2.tif'], columns: [{ name, values: ['2', '4'] }] };
      const summary = await session.request('extendTable', { table: 'objects', ...images }, signal);
      session.tables.extended('objects', summary);
    };
    await columns();
    await know('Dose');
    await set(['Per dose', '[Area] / [Dose]']);
    deepEqual(await names(), ['Dose', 'Per dose']);
    deepEqual(await shown('Per dose'), ['2.5', '1.5']);
    choices.columnsRenamed(choiceOwnerOf(source), new Map([['Dose', 'Dose (µM)']]));
    await know('Dose (µM)');
    deepEqual(await names(), ['Dose (µM)', 'Per dose']);
    deepEqual((await columns()).at(-1)?.computed?.formula, '[Area] / [Dose (µM)]');
    deepEqual(await shown('Per dose'), ['2.5', '1.5']);
  });

  it('follow columns of images that are renamed while a change is stored', async () => {
    // No disk tells of changes: nothing else has formulas loaded again.
    Object.assign(state, { watch: undefined });
    const perDose = { name: 'Per dose', formula: '[Area] / [Dose]' };
    const after = { name: 'Per dose', formula: '[Area] / [Dose (µM)]' };
    await lists().change('objects', [], [perDose]);
    await columns();
    const half = { name: 'Half', formula: '[Area] / 2' };
    const changing = session.get(sessionFormulas).change('objects', [perDose], [perDose, half], signal);
    // The change is on its way to the disk.
    const write = state.write.bind(state);
    state.write = async (key, value) => {
      if (key === 'formulas' && !JSON.stringify(value).includes('µM'))
        choices.columnsRenamed(choiceOwnerOf(source), new Map([['Dose', 'Dose (µM)']]));
      await write(key, value);
    };
    const followed = new Promise<void>(done =>
      session.tables.onDidExtend(({ summary }) => {
        if (computedOf(summary.columns)[0]?.formula === after.formula) done();
      }),
    );
    await changing;
    await followed;
    deepEqual(computedOf(await columns()), [after, half]);
    deepEqual(await lists().read('objects'), [after, half]);
  });

  it('are stored once where columns of images are renamed, also of tables that are not open', async () => {
    const twice = { name: 'Twice', formula: '2 * [Dose]' };
    await lists().change('aggregate', [], [twice]);
    const other = openSession(source).session;
    addFormulas(other, choices);
    try {
      await columns();
      await other.tables.open('objects', signal);
      const rename = async (from: string, to: string) => {
        const before = state.writes;
        choices.columnsRenamed(choiceOwnerOf(source), new Map([[from, to]]));
        await session.get(sessionFormulas).refresh();
        await other.get(sessionFormulas).refresh();
        return state.writes - before;
      };
      equal(await rename('Dose', 'Dose (µM)'), 1);
      deepEqual(await lists().read('aggregate'), [{ ...twice, formula: '2 * [Dose (µM)]' }]);
      // No formula uses it.
      equal(await rename('Donor', 'Patient'), 0);
    } finally {
      other.dispose();
    }
  });

  it('follow another window, and leave what it has stored meanwhile', async () => {
    const other = openSession(source).session;
    addFormulas(other, new ResultChoices(() => Promise.resolve(state)));
    try {
      await columns();
      await other.tables.open('objects', signal);
      const half = { name: 'Half', formula: '[Area] / 2' };
      await other.get(sessionFormulas).change('objects', [], [half], signal);
      // This window's page hasn't heard of it.
      await set(['Double', '[Area] * 2']);
      deepEqual(await names(), ['Double', 'Half']);
      await other.get(sessionFormulas).refresh();
      deepEqual(
        (await other.tables.open('objects', signal)).columns.slice(4).map(({ name }) => name),
        ['Double', 'Half'],
      );
      await other.get(sessionFormulas).change('objects', [half], [], signal);
      await session.get(sessionFormulas).refresh();
      deepEqual(await names(), ['Double']);
    } finally {
      other.dispose();
    }
  });

  it('stay where this version can not read them', async () => {
    const later = { name: 'Later', formula: { version: 2 } };
    const [key] = [choiceOwnerOf(source).key];
    await state.write('formulas', { [key]: { images: { objects: [later], aggregate: [later] } } });
    deepEqual(await names(), []);
    await set(['Half', '[Area] / 2']);
    deepEqual(await names(), ['Half']);
    deepEqual(await state.read('formulas'), {
      [key]: { images: { objects: [...stored, later], aggregate: [later] } },
    });
  });

  it('are offered to the table of another result', async () => {
    await set(['Half', '[Area] / 2']);
    const another = openSession({ ...source, key: 'another' }).session;
    addFormulas(another, choices);
    deepEqual(await another.get(sessionFormulas).last('objects'), [{ name: 'Half', formula: '[Area] / 2' }]);
    another.dispose();
    deepEqual(await session.get(sessionFormulas).last('objects'), []);
  });

  it('of a program are saved with the table, counted, and not stored', async () => {
    const computed = [
      { name: 'Ratio', formula: '[Area] / [Zero]' },
      { name: 'Label', formula: '[Object ID] & "/" & [Ratio]' },
    ];
    const reports = await session.get(programFormulas).compute('objects', computed, signal);
    deepEqual(reports, [
      { name: 'Ratio', type: 'number', rows: 2, missing: 1, divisionsByZero: 1 },
      { name: 'Label', type: 'text', rows: 2, missing: 1 },
    ]);
    const destination = join(folder, 'saved.csv');
    const saved = {
      columns: ['Object ID', 'Ratio', 'Label'],
      filters: [],
      sort: [],
      destination,
      overwrite: true,
    };
    await saveTableAsProgram({ session, kind: 'objects', signal }, saved);
    equal(
      (await readFile(destination, 'utf8')).trim().replaceAll('\r', ''),
      'Object ID,Ratio,Label\n1,,\n2,3,2/3',
    );
    session.dispose();
    open();
    deepEqual(await names(), []);
  });
});
