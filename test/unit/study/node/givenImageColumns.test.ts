import { sessionImageColumns } from '../../../../src/study/node/sessionImageColumns';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoded } from '../../../../src/base/errors';
import type { ImageRole } from '../../../../src/study/imageColumns';
import { type ImageColumnsSource, setImageColumns } from '../../../../src/study/node/givenImageColumns';
import type { ResultSession } from '../../../../src/session/node/resultSession';
import { withStored } from '../../../../src/study/storedImages';
import { FilesOnDisk } from '../../session/node/sessionFixture';
import { ImagesInMemory, openStudied } from './studiedSession';

const signal = new AbortController().signal;

describe('Columns that a program gives to images', () => {
  let folder: string;
  let session: ResultSession;
  let images: ImagesInMemory;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'given-columns-'));
    await writeFile(join(folder, 'table.csv'), 'Image,Area\nc/d1.tif,5\nt/d1.tif,6\nt/d2.tif,7\n');
  });
  after(() => rm(folder, { recursive: true }));
  beforeEach(() => {
    images = new ImagesInMemory();
    ({ session } = openStudied(new FilesOnDisk({ file: join(folder, 'table.csv') }), { images }));
  });
  afterEach(() => session.dispose());

  const setAll = (from: ImageColumnsSource, roles: Record<string, ImageRole | null> = {}) =>
    setImageColumns(session, from, roles, signal);

  /** Without what became of single cells. */
  async function set(...given: Parameters<typeof setAll>) {
    const { columns, images: count, joinedBy, unmatched } = await setAll(...given);
    return { columns, images: count, ...(joinedBy && { joinedBy }), unmatched };
  }

  async function sheet(content: string | Buffer): Promise<{ sheet: string }> {
    const path = join(folder, 'sheet.csv');
    await writeFile(path, content);
    return { sheet: path };
  }

  const known = async () => (await session.get(sessionImageColumns).allImages(signal)).columns;

  async function whyRefused(from: ImageColumnsSource, roles?: Record<string, ImageRole>): Promise<string> {
    const stored = images.stored;
    try {
      await set(from, roles);
    } catch (error) {
      assert.ok(isCoded(error));
      assert.equal(images.stored, stored);
      return error.details.reason?.message ?? error.code;
    }
    return '';
  }

  it('come from a pattern', async () => {
    assert.deepEqual(await set({ pattern: '{group}/{d}.tif' }, { d: 'replicate' }), {
      columns: ['group', 'd'],
      images: 3,
      unmatched: [],
    });
    assert.deepEqual(
      (await known()).map(({ name, role, values }) => [name, role, values.join()]),
      [
        ['group', 'condition', 'c,t,t'],
        ['d', 'replicate', 'd1,d1,d2'],
      ],
    );
    assert.deepEqual(images.stored?.patterns, ['{group}/{d}.tif']);
  });

  it('come from a pattern also for images that come later, where a column is called otherwise than its field', async () => {
    await set({ columns: { Group: {} } });
    const { columns } = await set({ pattern: '{group}/{area}.tif' });
    assert.deepEqual(columns, ['group', 'area (image)']);
    const later = withStored(['n/d7.tif'], images.stored).columns;
    assert.deepEqual(
      later.map(({ name, values }) => [name, values[0]]),
      [
        ['Group', 'n'],
        ['area (image)', 'd7'],
      ],
    );
  });

  it('are for all images of a table that is still being read', async () => {
    const count = 4000;
    const note = 'x'.repeat(220);
    const rows = Array.from({ length: 40 * count }, (_, at) => `i${Math.floor(at / 40)}.tif,${at},${note}\n`);
    await writeFile(join(folder, 'large.csv'), `Image,Area,Note\n${rows.join('')}`);
    const donors = Array.from({ length: count }, (_, at) => `i${at},d${at % 3}\n`);
    const from = await sheet(`Name,Donor\n${donors.join('')}`);
    session.dispose();
    // A file of that size is read by two threads. One is held back, and then breaks: the other one
    // reads its part.
    let release: (error: Error) => void = () => undefined;
    const held = new Promise<never>((_, reject) => (release = reject));
    held.catch(() => undefined);
    const engine = { startScanWorker: () => ({ scan: () => held, dispose: () => undefined }) };
    const large = new FilesOnDisk({ file: join(folder, 'large.csv') });
    ({ session } = openStudied(large, { images, engine }));
    assert.equal((await session.tables.open('file', signal)).reading, true);
    const early = await session.get(sessionImageColumns).allImages(signal);
    assert.ok(early.images.length > 0 && early.images.length < count);
    const setting = set(from);
    release(new Error('The thread broke'));
    const found = await setting;
    assert.deepEqual([found.images, found.unmatched], [count, []]);
  });

  it('come from a sheet in any encoding, with what was not joined', async () => {
    const text = 'File\tDose (µM)\tArea\nc/d1.tif\t007\t=1+1\nx.tif\t1\t\n';
    const found = await set(await sheet(Buffer.from(`\ufeff${text}`, 'utf16le')));
    assert.deepEqual(found, {
      columns: ['Dose (µM)', 'Area (image)'],
      images: 1,
      joinedBy: { column: 'File', names: 'images' },
      unmatched: [{ row: 1, text: 'x.tif', why: 'no-image' }, { image: 't/d1.tif' }, { image: 't/d2.tif' }],
    });
    assert.deepEqual(
      (await known()).map(({ values }) => values[0]),
      ['007', '=1+1'],
    );
    const western = await set(await sheet(Buffer.from('Image;Gruppe\nt/d2.tif;M\u00e4use\n', 'latin1')));
    assert.deepEqual(western.columns, ['Gruppe']);
    assert.equal((await known())[2]?.values[2], 'M\u00e4use');
  });

  it('come from a sheet below lines of comments, or from the row that is said to be its header', async () => {
    const omero = await sheet('# header image,s,d\nFile,Drug,Dose\nd1.tif,x,1\nc/d1.tif,a,2\nt/d2.tif,b,3\n');
    const namesOf = async (from: ImageColumnsSource) => {
      const { columns, images: count } = await set(from);
      return [columns, count];
    };
    assert.deepEqual(await namesOf(omero), [['Drug', 'Dose'], 2]);
    assert.deepEqual(await namesOf({ ...omero, header: { skipped: 2, rows: 1 } }), [['x', '1'], 2]);
    assert.deepEqual(await namesOf({ ...omero, header: { skipped: 0, rows: 2 } }), [['s_Drug', 'd_Dose'], 2]);
    const first = { ...omero, header: { skipped: 0, rows: 1 } };
    assert.deepEqual(await namesOf(first), [['s', 'd'], 2]);
    const { unmatched } = await setAll(first);
    assert.deepEqual(unmatched[0], { row: 0, text: 'File', why: 'no-image' });
  });

  it('are told by cell where a sheet changes or empties them, and taken at their word', async () => {
    await set(await sheet('Image,Dose,ExcludedBecause\nc/d1.tif,0,blurred\nt/d1.tif,1,\nt/d2.tif,2,\n'));
    assert.deepEqual((await session.get(sessionImageColumns).allImages(signal)).excluded, [
      { image: 0, reason: 'blurred' },
    ]);
    const second = await sheet('Image,Dose,ExcludedBecause\nc/d1.tif,0,\nt/d1.tif,,\nt/d2.tif,3,\n');
    const { changes, joinedBy } = await setAll(second);
    assert.deepEqual(joinedBy, { column: 'Image', names: 'images' });
    assert.deepEqual(changes, {
      set: 0,
      changed: 1,
      emptied: 2,
      cells: [
        { image: 't/d1.tif', column: 'Dose', from: '1', to: '' },
        { image: 't/d2.tif', column: 'Dose', from: '2', to: '3' },
        { image: 'c/d1.tif', column: 'ExcludedBecause', from: 'blurred', to: '' },
      ],
    });
    assert.deepEqual((await known())[0]?.values, ['0', '', '3']);
    assert.deepEqual((await session.get(sessionImageColumns).allImages(signal)).excluded, []);
    const byHand = await setAll({ columns: { dose: { 'c/d1.tif': '' } } });
    assert.deepEqual([byHand.changes?.emptied, (await known())[0]?.values[0]], [1, '']);
  });

  it('come from values by column and image', async () => {
    const columns = { dose: { 'c/d1.tif': '0', 'x/t/d2.tif': '10', 'd1.tif': '5', 'y.tif': '1' } };
    assert.deepEqual(await set({ columns }), {
      columns: ['dose'],
      images: 2,
      unmatched: [
        { text: 'd1.tif', why: 'several-images' },
        { text: 'y.tif', why: 'no-image' },
        { image: 't/d1.tif' },
      ],
    });
    await set({ columns: { Dose: { 't/d1.tif': '20' } } });
    assert.deepEqual(await known(), [
      { name: 'dose', values: ['0', '20', '10'], role: 'condition', isNumeric: true },
    ]);
  });

  it('are of no image that is named twice with different values', async () => {
    const { images: count, unmatched } = await set({
      columns: {
        dose: { 'c/d1.tif': '1', 'x/c/d1.tif': '2', 't/d2.tif': '3', 'y/t/d2.tif': '3' },
        drug: { 'c/d1.tif': 'a' },
      },
    });
    assert.deepEqual(
      [count, unmatched],
      [
        1,
        [
          // Where all is named twice, nobody knows how images are named.
          ...['c/d1.tif', 'x/c/d1.tif', 't/d2.tif', 'y/t/d2.tif'].map(text => ({
            text,
            why: 'several-images',
          })),
          { image: 't/d1.tif' },
          { image: 't/d2.tif' },
        ],
      ],
    );
    assert.deepEqual(
      (await known()).map(({ values }) => values.join()),
      [',,', 'a,,'],
    );
  });

  it('change their roles alone', async () => {
    await set({ pattern: '{group}/{d}.tif' });
    await set({ columns: {} }, { Group: null, D: 'well' });
    assert.deepEqual(
      (await known()).map(({ role }) => role),
      [undefined, 'well'],
    );
  });

  it('are refused whole, with the reason', async () => {
    assert.equal(await whyRefused({ pattern: '{a}{b}' }), 'Separate "{0}" from the field before it');
    assert.equal(await whyRefused({ pattern: '{a}.png' }), 'The pattern matches no image');
    assert.equal(await whyRefused({ pattern: '{a}.tif' }, { b: 'well' }), 'The images have no column "{0}"');
    assert.equal(
      await whyRefused(await sheet('a,b\n1,2\n')),
      'None of its columns names the images or their wells',
    );
    assert.equal(
      await whyRefused(await sheet(Buffer.from('PK\u0003\u0004 a zip'))),
      'The file is a Zip archive or a spreadsheet. Save its table as CSV first',
    );
    assert.equal(
      await whyRefused({ columns: { x: { 't/d2.tif': 'y'.repeat(2000) } } }),
      'The value of "{0}" has {1} characters',
    );
    assert.deepEqual(await known(), []);
  });

  it('of a table are there when it is opened again', async () => {
    await set({ pattern: '{group}/*' });
    session.dispose();
    ({ session } = openStudied(new FilesOnDisk({ file: join(folder, 'table.csv') }), { images }));
    const { columns } = await session.tables.open('file', signal);
    assert.deepEqual(
      columns.map(({ name }) => name),
      ['Image', 'Area', 'group'],
    );
  });

  it('are written to a sheet that gives the same again, whatever they contain', async () => {
    const paths = ['a/1.tif', 'a/2.tif', 'b/3.tif'];
    const odd = new FilesOnDisk({ file: join(folder, 'odd.csv') });
    const openOdd = () => {
      session.dispose();
      images.stored = undefined;
      ({ session } = openStudied(odd, { images }));
    };
    await writeFile(join(folder, 'odd.csv'), `Image,Area\n${paths.map(path => `${path},1\n`).join('')}`);
    const texts = ['a;b;c', '1\t2', '|', '"', ',,', 'sep=;', '1,5', '\u00b5"', 'a\nb', '-0', '=1+1'];
    for (const [at, text] of texts.entries()) {
      openOdd();
      // In each row as many delimiters as in the header.
      await set({ columns: { [`N${text}`]: Object.fromEntries(paths.map(path => [path, text])) } });
      if (at % 2 === 1) await set({ columns: { M: { 'a/2.tif': '007' } } });
      const before = await session.get(sessionImageColumns).allImages(signal);
      for (const extension of ['csv', 'tsv']) {
        const destination = join(folder, `odd-${at}.${extension}`);
        await session.request(
          'writeSheet',
          { destination, images: before, overwrite: false, mark: true },
          signal,
        );
        openOdd();
        assert.deepEqual((await set({ sheet: destination })).unmatched, [], text);
        assert.deepEqual(await session.get(sessionImageColumns).allImages(signal), before, text);
      }
    }
  });

  it('are written to a sheet that gives the same again', async () => {
    await set({ columns: { Drug: { 'c/d1.tif': '-Dox', 't/d1.tif': '+IL2, "x"' } } });
    await session
      .get(sessionImageColumns)
      .edit([{ kind: 'exclude', images: [2], reasons: ['Blurred'] }], [], signal);
    const before = await session.get(sessionImageColumns).allImages(signal);
    const destination = join(folder, 'saved.tsv');
    const written = await session.request(
      'writeSheet',
      { destination, images: before, overwrite: false, mark: true },
      signal,
    );
    assert.equal(written.rows, 3);
    images.stored = undefined;
    session.dispose();
    ({ session } = openStudied(new FilesOnDisk({ file: join(folder, 'table.csv') }), { images }));
    await set({ sheet: destination });
    assert.deepEqual(await session.get(sessionImageColumns).allImages(signal), before);
    await assert.rejects(
      session.request('writeSheet', { destination, images: before, overwrite: false, mark: true }, signal),
      { code: 'exists' },
    );
  });
});
