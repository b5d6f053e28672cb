import { reason } from '../../../../src/base/reasons';
import { sessionImageColumns } from '../../../../src/study/node/sessionImageColumns';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TableSummary } from '../../../../src/columns/tableSummary';
import type { ImageColumns } from '../../../../src/study/imageColumns';
import { applyEdits, editsOfColumns, type ImageEdit } from '../../../../src/study/imageEdits';
import { isPattern, matchPattern, parsePattern } from '../../../../src/study/imagePattern';
import type { ResultSession } from '../../../../src/session/node/resultSession';
import { FilesOnDisk } from '../../session/node/sessionFixture';
import { ImagesInMemory, openStudied } from './studiedSession';

const signal = new AbortController().signal;

class JobFiles extends FilesOnDisk {
  readonly jobIds = ['job'];
}

describe('The columns of images of a result', () => {
  let folder: string;
  let session: ResultSession;
  let images: ImagesInMemory;
  let source: JobFiles;
  let paths: { objects: string; aggregate: string };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-columns-'));
    paths = { objects: join(folder, 'objects.csv'), aggregate: join(folder, 'aggregate.csv') };
    await writeFile(paths.objects, 'Image,ID,Area\nc/d1_s1.tif,1,5\nt/d1_s1.tif,1,6\nc/d1_s1.tif,2,7\n');
    await writeFile(paths.aggregate, 'Image,Count\n,3\nd2_s1.tif,0\nx/c/d1_s1.tif,2\nx/t/d1_s1.tif,1\n');
    images = new ImagesInMemory();
    open();
  });

  afterEach(async () => {
    session.dispose();
    // Windows waits until the engine has closed its files.
    await rm(folder, { recursive: true, maxRetries: 5 });
  });

  function open(items?: { id: string; path: string }[]): void {
    source = new JobFiles(paths, items);
    ({ session } = openStudied(source, { images }));
  }

  function reopen(): void {
    session.dispose();
    open();
  }

  /** Edits columns in another process, of which nothing is heard. */
  async function editElsewhere(edits: ImageEdit[]): Promise<void> {
    const kept = new ImagesInMemory();
    kept.stored = images.stored;
    const { session: other } = openStudied(new JobFiles(paths), { images: kept });
    await other.get(sessionImageColumns).allImages(signal);
    await other.get(sessionImageColumns).edit(edits, [], signal);
    other.dispose();
    images.stored = kept.stored;
  }

  function editsOf(known: ImageColumns, pattern: string): ImageEdit[] {
    const parsed = parsePattern(pattern);
    assert.ok(isPattern(parsed));
    const { columns, unmatched } = matchPattern(parsed, known.images);
    return editsOfColumns(known, columns, image => !unmatched.includes(image));
  }

  const namesIn = ({ columns }: TableSummary) => columns.map(({ name }) => name);

  async function cells(kind: 'objects' | 'aggregate'): Promise<string[]> {
    const { rows } = await session.tables.request(kind, 'tableRows', { sort: [], start: 0, end: 9 }, signal);
    return rows.map(row => row.join('|'));
  }

  const setFolders = async () => {
    const known = await session.get(sessionImageColumns).allImages(signal);
    await session
      .get(sessionImageColumns)
      .edit(editsOf(known, '{Group}/{Donor}_*'), ['{Group}/{Donor}_*'], signal);
  };

  it('are about all images that anything names, each once, by path also where no table names them', async () => {
    open([
      { id: '1', path: 'other.tif' },
      { id: '2', path: 'c/d1_s1.tif' },
    ]);
    const { images: found } = await session.get(sessionImageColumns).allImages(signal);
    assert.deepEqual(found, ['c/d1_s1.tif', 'd2_s1.tif', 'other.tif', 't/d1_s1.tif']);
  });

  it('are about images in the order of their paths, not in that of the table', async () => {
    const rows = ['t/d10_s1', 't/d2_s1', 'c/d2_s3', 'c/d2_s12'].map(name => `${name}.tif,1,5`);
    await writeFile(paths.objects, ['Image,ID,Area', ...rows].join('\n'));
    open();
    const { images: found } = await session.get(sessionImageColumns).allImages(signal, { of: 'objects' });
    assert.deepEqual(found.slice(0, 4), ['c/d2_s3.tif', 'c/d2_s12.tif', 't/d2_s1.tif', 't/d10_s1.tif']);
  });

  describe('for the aggregate table', () => {
    const ofAggregate = async () =>
      (await session.get(sessionImageColumns).allImages(signal, { of: 'aggregate' })).images;
    const isRead = () => source.requested.includes('objects');

    it('are those that it names; the table of objects is not read', async () => {
      assert.deepEqual(await ofAggregate(), ['d2_s1.tif', 'x/c/d1_s1.tif', 'x/t/d1_s1.tif']);
      assert.equal(isRead(), false);
      await session
        .get(sessionImageColumns)
        .edit(editsOf(session.get(sessionImageColumns).current, '{Group}/{Donor}_*'), [], signal);
      assert.equal((await cells('aggregate'))[3], 'x/t/d1_s1.tif|1|t|d1');
      assert.equal(isRead(), false);
    });

    it('are those that were submitted, by the path that has more folders', async () => {
      open([
        { id: '1', path: 'y/d2_s1.tif' },
        { id: '2', path: 'c/d1_s1.tif' },
        { id: '3', path: 'empty.tif' },
      ]);
      assert.deepEqual(await ofAggregate(), ['empty.tif', 'x/c/d1_s1.tif', 'x/t/d1_s1.tif', 'y/d2_s1.tif']);
      assert.equal(isRead(), false);
    });

    it('are told apart where it names them alike', async () => {
      await writeFile(paths.aggregate, 'Image,Count\nd1_s1.tif,2\nd1_s1.tif,1\n');
      open([
        { id: '1', path: 'c/d1_s1.tif' },
        { id: '2', path: 't/d1_s1.tif' },
      ]);
      assert.deepEqual(await ofAggregate(), ['c/d1_s1.tif', 't/d1_s1.tif']);
    });

    it('are found in a column that no title tells, where they are known otherwise', async () => {
      const rows = ['Group,c,1', 'Image,c/d1_s1.tif,1', 'Image,t/d1_s1.tif,2', 'Image,empty.tif,0'];
      await writeFile(paths.aggregate, ['Level,Name,Count', ...rows].join('\n'));
      const items = ['c/d1_s1.tif', 't/d1_s1.tif', 'empty.tif'].map(path => ({ id: path, path }));
      open(items);
      assert.deepEqual(await ofAggregate(), ['c/d1_s1.tif', 'empty.tif', 't/d1_s1.tif']);
      const edit: ImageEdit[] = [
        { kind: 'insert', at: 0, column: { name: 'Dose', values: ['1', '3', '2'] } },
      ];
      await session.get(sessionImageColumns).edit(edit, [], signal);
      const expected = [
        'Group|c|1|',
        'Image|c/d1_s1.tif|1|1',
        'Image|t/d1_s1.tif|2|2',
        'Image|empty.tif|0|3',
      ];
      assert.deepEqual(await cells('aggregate'), expected);
      assert.equal(isRead(), false);
      session.dispose();
      // Of a job that was not submitted from here, those that something is known of are.
      open();
      await session.tables.open('aggregate', signal);
      assert.deepEqual(await cells('aggregate'), expected);
      await ofAggregate();
      assert.deepEqual([isRead(), session.get(sessionImageColumns).areAllKnown], [true, false]);
      await writeFile(paths.aggregate, ['Level,Name,Count', ...rows, 'Image,n.tif,4'].join('\n'));
      assert.ok(images.stored);
      images.stored = { ...images.stored, patterns: ['{Dose}.tif'] };
      session.dispose();
      open();
      await session.tables.open('aggregate', signal);
      await writeFile(paths.objects, 'Image,ID\nn.tif,1\n');
      await session.tables.open('objects', signal);
      assert.deepEqual(await cells('aggregate'), [...expected, 'Image|n.tif|4|n']);
    });

    it('are those of the table of objects where nothing else names any', async () => {
      await writeFile(paths.aggregate, 'Class,Count\nCell,3\n');
      assert.deepEqual(await ofAggregate(), ['c/d1_s1.tif', 't/d1_s1.tif']);
    });

    it('are more once the table of objects is opened, which may have a column of the same name', async () => {
      await ofAggregate();
      const edit: ImageEdit[] = [
        { kind: 'insert', at: 0, column: { name: 'area', values: ['1', '2', '3'] } },
      ];
      await session.get(sessionImageColumns).edit(edit, [], signal);
      await writeFile(paths.objects, 'Image,ID,Area\nt/d1_s1.tif,1,5\nn.tif,1,6\n');
      const shown: number[] = [];
      session.get(sessionImageColumns).onDidChange(({ columns }) => shown.push(columns.images.length));
      const summary = await session.tables.open('objects', signal);
      assert.deepEqual([namesIn(summary), shown], [['Image', 'ID', 'Area', 'area (image)'], [4]]);
      assert.deepEqual(await cells('objects'), ['t/d1_s1.tif|1|5|3', 'n.tif|1|6|']);
      assert.equal(namesIn(await session.tables.open('aggregate', signal)).at(-1), 'area');
      // Renamed, formulas of objects mean the file's own by this name: they don't follow.
      const rename: ImageEdit[] = [{ kind: 'describe', at: 0, column: { name: 'Size' } }];
      await session.get(sessionImageColumns).edit(rename, [], signal);
      const renamed = (await session.tables.open('objects', signal)).columns.at(-1);
      assert.deepEqual([images.renamed?.size, renamed?.name, renamed?.id], [0, 'Size', 'area']);
    });
  });

  it('are filtered by what each table calls its images', async () => {
    await setFolders();
    const { groups } = await session.tables.request(
      'aggregate',
      'tableUnitGroups',
      {
        filters: [{ kind: 'values', column: 0, values: ['x/c/d1_s1.tif', 'd2_s1.tif'] }],
        by: [0],
        measures: [{ kind: 'column', column: 1 }],
        statistics: ['mean'],
        of: 'images',
        replicate: [],
        mean: 'objects',
        start: 0,
        end: 9,
      },
      signal,
    );
    assert.deepEqual(groups.map(({ values }) => values[0]).sort(), [0, 2]);
  });

  it('are those of one table where the other one can not be read', async () => {
    await writeFile(paths.aggregate, Buffer.from('PK\u0003\u0004 a zip'));
    const { images: found } = await session.get(sessionImageColumns).allImages(signal, { of: 'objects' });
    assert.deepEqual(found, ['c/d1_s1.tif', 't/d1_s1.tif']);
    await assert.rejects(session.get(sessionImageColumns).allImages(signal), { code: 'damaged-table' });
  });

  it('are columns of both tables', async () => {
    await setFolders();
    const added: TableSummary[] = [];
    session.tables.onDidExtend(({ summary }) => added.push(summary));
    assert.deepEqual(namesIn(await session.tables.open('objects', signal)), [
      'Image',
      'ID',
      'Area',
      'Group',
      'Donor',
    ]);
    assert.deepEqual(await cells('objects'), [
      'c/d1_s1.tif|1|5|c|d1',
      't/d1_s1.tif|1|6|t|d1',
      'c/d1_s1.tif|2|7|c|d1',
    ]);
    assert.deepEqual(await cells('aggregate'), [
      '|3||',
      'd2_s1.tif|0||',
      'x/c/d1_s1.tif|2|c|d1',
      'x/t/d1_s1.tif|1|t|d1',
    ]);
    await session
      .get(sessionImageColumns)
      .edit([{ kind: 'values', at: 1, images: [1], values: ['d9'] }], [], signal);
    assert.deepEqual(
      added
        .map(namesIn)
        .map(({ length }) => length)
        .sort(),
      [4, 5],
    );
    assert.equal((await cells('aggregate'))[1], 'd2_s1.tif|0||d9');
  });

  it('are there when the result is opened again, before a table is shown', async () => {
    await setFolders();
    reopen();
    assert.equal(namesIn(await session.tables.open('objects', signal)).at(-1), 'Donor');
    assert.equal((await cells('objects'))[1], 't/d1_s1.tif|1|6|t|d1');
  });

  it('are told by their pattern for images that a job has added meanwhile', async () => {
    await setFolders();
    await writeFile(paths.objects, 'Image,ID,Area\nn/d7_s1.tif,1,5\nc/d1_s1.tif,1,5\n');
    reopen();
    assert.deepEqual(await cells('objects'), ['n/d7_s1.tif|1|5|n|d7', 'c/d1_s1.tif|1|5|c|d1']);
    const { images: found } = await session.get(sessionImageColumns).allImages(signal);
    assert.deepEqual(found.slice(0, 3), ['c/d1_s1.tif', 'd2_s1.tif', 'n/d7_s1.tif']);
  });

  it('stay in a table that is read again in another format', async () => {
    await setFolders();
    const summary = await session.tables.reopen('objects', { delimiter: ',' }, signal);
    assert.equal(namesIn(summary).at(-1), 'Donor');
  });

  it('cost nothing where nothing is known', async () => {
    const summary = await session.tables.open('objects', signal);
    assert.deepEqual(namesIn(summary), ['Image', 'ID', 'Area']);
  });

  it('stay as they were where storing fails', async () => {
    await setFolders();
    const before = await session.get(sessionImageColumns).allImages(signal);
    images.failure = new Error('The disk is full');
    const edit: ImageEdit[] = [{ kind: 'remove', at: 0 }];
    await assert.rejects(session.get(sessionImageColumns).edit(edit, [], signal), /disk is full/);
    assert.equal(await session.get(sessionImageColumns).allImages(signal), before);
    assert.equal(namesIn(await session.tables.open('objects', signal)).length, 5);
  });

  it('changed in another window are taken over, and not overwritten', async () => {
    await setFolders();
    const name = (text: string): ImageEdit[] => [{ kind: 'describe', at: 0, column: { name: text } }];
    await editElsewhere(name('Treatment'));
    const { stored } = images;
    const shown: (string | undefined)[] = [];
    session.get(sessionImageColumns).onDidChange(({ columns }) => shown.push(columns.columns[0]?.name));
    await assert.rejects(session.get(sessionImageColumns).edit(name('Drug'), [], signal), {
      code: 'bad-request',
      details: {
        reason: reason('The columns were changed elsewhere and have been reloaded. Make your change again.'),
      },
    });
    assert.deepEqual([images.stored, shown], [stored, ['Treatment']]);
    assert.equal(namesIn(await session.tables.open('objects', signal)).at(-2), 'Treatment');
    await session.get(sessionImageColumns).edit(name('Drug'), [], signal);
    assert.deepEqual([...(images.renamed ?? [])], [['Treatment', 'Drug']]);
    images.stored = stored;
    assert.equal((await session.get(sessionImageColumns).allImages(signal)).columns[0]?.name, 'Treatment');
    // The window gets the focus.
    await editElsewhere(name('Compound'));
    const told = new Promise<ImageColumns>(done =>
      session.get(sessionImageColumns).onDidChange(({ columns }) => done(columns)),
    );
    session.get(sessionImageColumns).refresh();
    assert.equal((await told).columns[0]?.name, 'Compound');
  });

  it('that have the former name of another one since are not edited in its place', async () => {
    await setFolders();
    const values: ImageEdit = { kind: 'values', at: 0, images: [0], values: ['x'] };
    for (const edit of [values, { kind: 'remove' as const, at: 0 }]) {
      await editElsewhere([
        { kind: 'describe', at: 0, column: { name: 'Treatment' } },
        { kind: 'insert', at: 2, column: { name: 'Group', values: ['1'] } },
      ]);
      const { stored } = images;
      await assert.rejects(session.get(sessionImageColumns).edit([edit], [], signal), {
        code: 'bad-request',
      });
      assert.equal(images.stored, stored);
      // As before, for the next edit.
      await session.get(sessionImageColumns).edit(
        [
          { kind: 'remove', at: 2 },
          { kind: 'describe', at: 0, column: { name: 'Group' } },
        ],
        [],
        signal,
      );
    }
  });

  it('changed in another window are shown without the focus', async () => {
    await setFolders();
    await editElsewhere([{ kind: 'describe', at: 0, column: { name: 'Compound' } }]);
    const told = new Promise<ImageColumns>(done =>
      session.get(sessionImageColumns).onDidChange(({ columns }) => done(columns)),
    );
    images.elsewhere.fire();
    assert.equal((await told).columns[0]?.name, 'Compound');
    assert.equal(namesIn(await session.tables.open('objects', signal)).at(-2), 'Compound');
  });

  it('are at once those that another view of the file has stored', async () => {
    await setFolders();
    const { session: other } = openStudied(new JobFiles(paths), { images });
    await other.tables.open('objects', signal);
    const shown: string[] = [];
    const settled = new Promise<void>(done =>
      other.get(sessionImageColumns).onDidChange(({ columns: { columns, excluded } }) => {
        shown.push(`${columns.map(({ name }) => name).join()} ${excluded.length}`);
        if (excluded.length > 0) done();
      }),
    );
    const column = { name: 'Dose', values: ['1'], role: 'condition' as const };
    await session.get(sessionImageColumns).edit([{ kind: 'insert', at: 0, column }], [], signal);
    await session
      .get(sessionImageColumns)
      .edit([{ kind: 'exclude', images: [0], reasons: ['Blurred'] }], [], signal);
    await settled;
    assert.deepEqual(shown.at(-1), 'Dose,Group,Donor 1');
    assert.equal(namesIn(await other.tables.open('objects', signal)).at(-3), 'Dose');
    other.dispose();
  });

  it('of several jobs are by path, and leave the images of all jobs out, each of which is counted', async () => {
    const other = join(folder, 'other.csv');
    await writeFile(other, 'Image,ID,Area\nc/d1_s1.tif,1,9\nu/d1_s1.tif,1,4\n');
    const parts = [paths.objects, other].map((path, at) => ({
      label: `Job ${at + 1}`,
      path: () => Promise.resolve(path),
    }));
    const joined = Object.assign(new JobFiles({}), { tables: () => ({ jobColumn: 'Job', parts }) });
    const { session: ofJobs } = openStudied(joined, { images: new ImagesInMemory() });
    const all = ofJobs.get(sessionImageColumns);
    const { images: listed } = await all.allImages(signal, { of: 'objects' });
    assert.deepEqual(listed, ['c/d1_s1.tif', 't/d1_s1.tif', 'u/d1_s1.tif']);
    const groups = {
      ...{
        by: [0],
        measures: [{ kind: 'column' as const, column: 3 }],
        statistics: ['count', 'mean'] as const,
      },
      ...{ of: 'images' as const, replicate: [], mean: 'objects' as const, start: 0, end: 9 },
    };
    const request = async () => {
      const params = { ...groups, statistics: [...groups.statistics] };
      const found = await ofJobs.tables.request('objects', 'tableUnitGroups', params, signal);
      return [...found.groups.map(({ keys, values }) => [...keys, ...values]), found.inSeveralJobs];
    };
    assert.deepEqual(await request(), [['Job 1', 2, 6], ['Job 2', 2, 6.5], 1]);
    await all.edit([{ kind: 'exclude', images: [0], reasons: ['Blurred'] }], [], signal);
    assert.equal((await all.counted('objects', signal)).excludedImages, 2);
    assert.deepEqual(await request(), [['Job 1', 1, 6], ['Job 2', 1, 4], undefined]);
    ofJobs.dispose();
  });

  it('changed in another window take edits of other columns along, of images that were excluded there too', async () => {
    await setFolders();
    const column = { name: 'Dose', values: ['1'] };
    const there: ImageEdit[] = [
      { kind: 'insert', at: 0, column },
      { kind: 'exclude', images: [1], reasons: ['Blurred'] },
    ];
    await editElsewhere(there);
    const shown: unknown[] = [];
    session.get(sessionImageColumns).onDidChange(({ by }) => shown.push(by));
    // The donor was the second of two columns.
    const edit: ImageEdit[] = [{ kind: 'values', at: 1, images: [0], values: ['d7'] }];
    await session
      .get(sessionImageColumns)
      .edit(edit, [], signal, { by: 'page', columnNames: ['Group', 'Donor'] });
    const { columns, excluded } = session.get(sessionImageColumns).current;
    assert.deepEqual(
      columns.map(({ name, values }) => `${name} ${values[0]}`),
      ['Dose 1', 'Group c', 'Donor d7'],
    );
    assert.deepEqual(excluded, [{ image: 1, reason: 'Blurred' }]);
    // The page that made it is told too, as it doesn't know the others.
    assert.deepEqual(shown, [undefined]);
  });

  it('are edited by what a page has seen, though others came before it heard of them', async () => {
    await setFolders();
    const seen = ['Group', 'Donor'];
    await session.get(sessionImageColumns).edit([{ kind: 'remove', at: 0 }], [], signal);
    const edit = (at: number): ImageEdit[] => [{ kind: 'values', at, images: [0], values: ['d7'] }];
    await session.get(sessionImageColumns).edit(edit(1), [], signal, { columnNames: seen });
    assert.deepEqual(session.get(sessionImageColumns).current.columns[0]?.values[0], 'd7');
    await assert.rejects(session.get(sessionImageColumns).edit(edit(0), [], signal, { columnNames: seen }), {
      details: {
        reason: reason('The columns were changed elsewhere and have been reloaded. Make your change again.'),
      },
    });
  });

  describe('that are removed, which is undone,', () => {
    const page = {};

    /**
     * As a page does it: the edit that undoes one knows the values of the images that the page
     * listed.
     */
    async function remove(at: number, removal: number): Promise<ImageEdit[]> {
      const edits: ImageEdit[] = [{ kind: 'remove', at, removal }];
      const { inverse } = applyEdits(session.get(sessionImageColumns).current, edits);
      await session.get(sessionImageColumns).edit(edits, [], signal, { by: page });
      return inverse;
    }

    const storedValues = () => Object.entries(images.stored?.values ?? {}).map(each => each.flat().join(' '));

    /** The values of all images, also of those that the next result won't list. */
    async function listFewer(): Promise<void> {
      await setFolders();
      await session
        .get(sessionImageColumns)
        .edit([{ kind: 'values', at: 1, images: [2], values: ['typed'] }], [], signal);
      await writeFile(paths.objects, 'Image,ID,Area\nc/d1_s1.tif,1,5\n');
      await writeFile(paths.aggregate, 'Image,Count\nx/c/d1_s1.tif,2\n');
      reopen();
      assert.deepEqual((await session.get(sessionImageColumns).allImages(signal)).images, ['c/d1_s1.tif']);
    }

    it('have the values of images that are not listed, and tell those of images that come later', async () => {
      await listFewer();
      const before = images.stored;
      const undone = await Promise.all([remove(1, 1), remove(0, 2)]);
      assert.deepEqual(storedValues(), []);
      for (const edits of undone.reverse())
        await session.get(sessionImageColumns).edit(edits, [], signal, { by: page });
      assert.deepEqual(images.stored?.columns, before?.columns);
      assert.deepEqual(storedValues().sort(), ['c/d1_s1.tif c d1', 'd2_s1.tif  ', 't/d1_s1.tif t typed']);
      await writeFile(paths.objects, 'Image,ID,Area\nn/d7_s1.tif,1,5\n');
      reopen();
      assert.deepEqual(await cells('objects'), ['n/d7_s1.tif|1|5|n|d7']);
    });

    it('have the values of images that were listed meanwhile, of which the page is told', async () => {
      await listFewer();
      const undone = await remove(1, 1);
      await writeFile(paths.objects, 'Image,ID,Area\nc/d1_s1.tif,1,5\nt/d1_s1.tif,1,6\nn/d7_s1.tif,1,5\n');
      await session.tables.reopen('objects', { delimiter: ',' }, signal);
      assert.equal(session.get(sessionImageColumns).current.images.length, 3);
      const told: unknown[] = [];
      session.get(sessionImageColumns).onDidChange(({ by }) => told.push(by));
      await session.get(sessionImageColumns).edit(undone, [], signal, { by: page });
      assert.deepEqual(session.get(sessionImageColumns).current.columns[1]?.values, ['d1', 'd7', 'typed']);
      assert.deepEqual(told, [undefined]);
      // What it knows itself it isn't told.
      await session.get(sessionImageColumns).edit(await remove(1, 2), [], signal, { by: page });
      assert.deepEqual(told.slice(1), [page, page]);
    });

    it('have no values of another column of that name, nor of one that another page removed', async () => {
      await listFewer();
      const undone = await remove(1, 1);
      const column = { name: 'Donor', values: ['d9'] };
      await session
        .get(sessionImageColumns)
        .edit([{ kind: 'insert', at: 1, column }], [], signal, { by: page });
      assert.deepEqual(storedValues().sort(), ['c/d1_s1.tif c d9', 'd2_s1.tif  ', 't/d1_s1.tif t ']);
      await remove(1, 2);
      await session.get(sessionImageColumns).edit(undone, [], signal, { by: {} });
      assert.deepEqual(storedValues().sort(), ['c/d1_s1.tif c d1', 'd2_s1.tif  ', 't/d1_s1.tif t ']);
    });
  });

  it('can not be called as one of the table', async () => {
    await session.get(sessionImageColumns).allImages(signal);
    const edit: ImageEdit[] = [{ kind: 'insert', at: 0, column: { name: 'count', values: [] } }];
    await assert.rejects(session.get(sessionImageColumns).edit(edit, [], signal), { code: 'bad-request' });
  });
});
