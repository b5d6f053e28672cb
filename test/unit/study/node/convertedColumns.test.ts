import { reason } from '../../../../src/base/reasons';
import { sessionImageColumns } from '../../../../src/study/node/sessionImageColumns';
import { sessionLinks } from '../../../../src/linking/node/sessionLinks';
import * as assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '../../../../src/base/event';
import type { ResultSession } from '../../../../src/session/node/resultSession';
import type { ResultSource } from '../../../../src/session/node/resultSource';
import { saveTableAsProgram } from '../../../../src/table/node/tablePrograms';
import { tiff } from '../../images/tiffFixture';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';
import { FilesOnDisk } from '../../session/node/sessionFixture';
import { ImagesInMemory, openStudied } from './studiedSession';

const signal = new AbortController().signal;

class JobFiles extends FilesOnDisk {
  readonly jobIds = ['job'];
}

describe('A column in µm', () => {
  let folder: string;
  let archive: Awaited<ReturnType<typeof writeArchive>>;
  let source: JobFiles;
  let images: ImagesInMemory;
  let session: ResultSession;
  let pixelSizes: Record<string, number>;
  let sized: Emitter<ResultSource>;
  /** A TIFF of 40 × 20 pixels of 0.5 × 0.25 µm. */
  let background: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'converted-'));
    const objects = join(folder, 'objects.csv');
    const rows = ['c/1.tif,1,5,9', 'c/1.tif,2,6,10', 't/2.tif,1,7,11', 't/3.tif,1,8,12'];
    await writeFile(objects, ['Image origin,Object ID,Area,Perimeter', ...rows, ''].join('\n'));
    const cells = [rectangle(1, 0, 0, 2, 2), rectangle(2, 4, 4, 6, 6)];
    archive = await writeArchive({
      'index.json': index('Cell'),
      'a_objects.json': image('a', 10, 10, cells, 'c/1.tif'),
      'b_objects.json': image('b', 40, 20, cells.slice(0, 1), 't/2.tif'),
      'e_objects.json': image('e', 10, 10, cells.slice(0, 1), 't/3.tif'),
    });
    source = new JobFiles({ objects, masks: archive.path });
    background = join(folder, '2.tif');
    const page = { width: 40, height: 20, samples: new Uint8Array(800).fill(7) };
    const centimeter = 3;
    const tags: [number, 3 | 4 | 5, number[]][] = [
      [282, 5, [20_000, 1]],
      [283, 5, [40_000, 1]],
      [296, 3, [centimeter]],
    ];
    await writeFile(background, tiff([{ ...page, tags }]));
  });

  after(async () => {
    await archive.remove();
    await rm(folder, { recursive: true });
  });

  beforeEach(() => {
    images = new ImagesInMemory();
    pixelSizes = { a: 2 };
    sized = new Emitter();
    open();
  });
  afterEach(() => session.dispose());

  function open(): void {
    const more = { images, pixelSizes, sized, backgroundImages: { b: background } };
    ({ session } = openStudied(source, more));
  }
  const convert = (column: string, to = true) =>
    session.get(sessionImageColumns).convert('objects', { column, convert: to }, signal);
  const table = () => session.tables.open('objects', signal);
  const names = async () => (await table()).columns.map(({ name }) => name);
  /** What a column shows, by its name. */
  const shown = async (name: string) => {
    const column = (await names()).indexOf(name);
    const params = { sort: [], start: 0, end: 9, columns: [column] };
    const { rows } = await session.tables.request('objects', 'tableRows', params, signal);
    return rows.flat();
  };

  it('has the numbers in pixels times the pixel size of each image, and is empty where that is not known', async () => {
    assert.deepEqual(await convert('Area'), { imagesWithout: 1 });
    assert.deepEqual(await names(), ['Image origin', 'Object ID', 'Area', 'Perimeter', 'Area (µm²)']);
    assert.deepEqual(await shown('Area (µm²)'), ['20', '24', '0.875', '']);
    assert.deepEqual(await shown('Area'), ['5', '6', '7', '8']);
  });

  it('has no length where pixels are not square', async () => {
    await convert('Perimeter');
    assert.deepEqual(await shown('Perimeter (µm)'), ['18', '20', '', '']);
  });

  it('is saved with its title and numbers, beside those of the file', async () => {
    await convert('Area');
    const destination = join(folder, 'saved.csv');
    await saveTableAsProgram(
      { session, kind: 'objects', signal },
      { columns: ['Area', 'Area (µm²)'], filters: [], sort: [], destination, overwrite: true },
    );
    const saved = (await readFile(destination, 'utf8')).replace('\ufeff', '').trim().split(/\r?\n/);
    assert.deepEqual(saved, ['Area,Area (µm²)', '5,20', '6,24', '7,0.875', '8,']);
  });

  it('follows pixel sizes that are set later, and removed', async () => {
    await convert('Area');
    Object.assign(pixelSizes, { e: 0.5, b: 1 });
    let changed = new Promise(resolve => session.tables.onDidExtend(resolve));
    sized.fire(source);
    await changed;
    assert.deepEqual(await shown('Area (µm²)'), ['20', '24', '7', '2']);
    delete pixelSizes['a'];
    changed = new Promise(resolve => session.tables.onDidExtend(resolve));
    sized.fire(source);
    await changed;
    assert.deepEqual(await shown('Area (µm²)'), ['', '', '7', '2']);
  });

  it('is there when the result is opened again, and gone once it is taken away', async () => {
    await convert('Area');
    await convert('Perimeter');
    session.dispose();
    // Nothing is measured anew.
    pixelSizes = {};
    open();
    assert.deepEqual((await names()).slice(4), ['Area (µm²)', 'Perimeter (µm)']);
    assert.deepEqual(await shown('Area (µm²)'), ['20', '24', '0.875', '']);
    await convert('Area', false);
    assert.deepEqual((await names()).slice(4), ['Perimeter (µm)']);
    await convert('Perimeter', false);
    assert.equal((await names()).length, 4);
    assert.equal(images.conversions.size, 0);
  });

  it('keeps its name, which formulas use, from columns of images', async () => {
    await convert('Area');
    const column = { name: 'area (µm²)', values: ['1'] };
    const adding = session.get(sessionImageColumns).edit([{ kind: 'insert', at: 0, column }], [], signal);
    await assert.rejects(adding, { code: 'bad-request' });
    assert.deepEqual((await names()).slice(4), ['Area (µm²)']);
  });

  it('is refused where no image has a pixel size', async () => {
    session.dispose();
    pixelSizes = {};
    ({ session } = openStudied(source, { images, pixelSizes, sized }));
    await assert.rejects(convert('Area'), {
      code: 'bad-request',
      details: { reason: reason('Not every image has a pixel size') },
    });
    assert.equal((await names()).length, 4);
  });

  it('leaves the link of rows and objects, which goes by the file, as it was', async () => {
    await session.masks.open(signal);
    await session.get(sessionLinks).settled();
    const before = session.get(sessionLinks).report;
    assert.equal(before?.matched, 4);
    await convert('Area');
    session.dispose();
    open();
    await table();
    await session.masks.open(signal);
    await session.get(sessionLinks).settled();
    assert.deepEqual(session.get(sessionLinks).report, before);
  });
});
