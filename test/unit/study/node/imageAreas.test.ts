import { reason } from '../../../../src/base/reasons';
import { sessionImageColumns } from '../../../../src/study/node/sessionImageColumns';
import { imageStudy } from '../../../../src/session/node/imageStudy';
import * as assert from 'node:assert/strict';
import { deepEqual } from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TableColumn } from '../../../../src/columns/tableSummary';
import type { ResultSession } from '../../../../src/session/node/resultSession';
import { compareAsProgram, saveGroupsAsProgram } from '../../../../src/study/node/conditionPrograms';
import type { ProgramTable } from '../../../../src/session/node/programTable';
import { tablePopulations } from '../../../../src/linking/node/tablePopulations';
import { columnsBehind, type Population } from '../../../../src/populations/population';
import { plainEnglish } from '../../../../src/words/translate';
import { tiff } from '../../images/tiffFixture';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';
import { assertClose } from '../assertClose';
import { FilesOnDisk } from '../../session/node/sessionFixture';
import { ImagesInMemory, openStudied } from './studiedSession';

const PER_AREA = { objectsPerImage: true, per: 'mm2' } as const;
const signal = new AbortController().signal;

class JobFiles extends FilesOnDisk {
  readonly jobIds = ['job'];
}

describe('Objects per mm²', () => {
  let folder: string;
  let archive: Awaited<ReturnType<typeof writeArchive>>;
  let files: { objects: string; masks: string };
  let images: ImagesInMemory;
  let session: ResultSession;
  /** A TIFF of 40 × 20 pixels of 0.5 × 0.25 µm. */
  let background: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'areas-'));
    const rows = ['c/1.tif,1,5,2', 'c/1.tif,2,6,3', 't/2.tif,1,7,4'];
    const objects = join(folder, 'objects.csv');
    await writeFile(objects, ['Image origin,Object ID,Area,Area (µm²)', ...rows].join('\n'));
    const cells = [rectangle(1, 0, 0, 2, 2), rectangle(2, 4, 4, 6, 6)];
    archive = await writeArchive({
      'index.json': index('Cell'),
      'a_objects.json': image('a', 10, 10, cells, 'c/1.tif'),
      'b_objects.json': image('b', 40, 20, cells.slice(0, 1), 't/2.tif'),
      // No row of the table names it.
      'e_objects.json': image('e', 10, 20, [], 'c/3.tif'),
    });
    files = { objects, masks: archive.path };
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
    images.stored = {
      columns: [
        { name: 'Treatment', role: 'condition' },
        { name: 'Donor', role: 'replicate' },
      ],
      values: { 'c/1.tif': ['c', 'd1'], 'c/3.tif': ['c', 'd1'], 't/2.tif': ['t', 'd2'] },
      excluded: {},
    };
  });

  afterEach(() => session.dispose());

  function open(
    more: Parameters<typeof openStudied>[1],
    source: FilesOnDisk = new JobFiles(files),
  ): ProgramTable {
    ({ session } = openStudied(source, { images, ...more }));
    return { session, kind: 'objects', signal };
  }

  const compared = (
    table: ProgramTable,
    measure: Parameters<typeof compareAsProgram>[2]['measure'] = PER_AREA,
  ) =>
    compareAsProgram(plainEnglish, table, {
      measure,
      condition: 'Treatment',
      replicate: undefined,
      reference: undefined,
      paired: false,
      scale: 'difference',
      filters: [],
    });

  async function means(table: ProgramTable): Promise<Record<string, number | null>> {
    const { groups } = await compared(table);
    return Object.fromEntries(groups.map(({ condition, mean }) => [condition, mean]));
  }

  // 2 objects in (10 × 10 + 10 × 20) px of 2 × 2 µm; 1 object in 40 × 20 px of 0.5 × 0.25 µm.
  const EXPECTED = { c: 2 / (300 * 4e-6), t: 1 / (800 * 0.125e-6) };

  it('count by the sizes of pixels that the user and the images say, and images without objects too', async () => {
    const table = open({ pixelSizes: { a: 2, e: 2 }, backgroundImages: { b: background } });
    assertClose(await means(table), EXPECTED, 'means');
    const destination = join(folder, 'groups.csv');
    await saveGroupsAsProgram(plainEnglish, table, {
      by: ['Treatment'],
      measures: [PER_AREA],
      statistics: ['mean'],
      of: 'replicates',
      filters: [],
      destination,
      overwrite: true,
    });
    const [header, ...rows] = (await readFile(destination, 'utf8')).trim().split(/\r?\n/);
    assert.equal(header, 'Treatment,Objects per mm² (Mean)');
    const cells = rows.map(row => row.split(',')).map(([key = '', mean]) => [key, Number(mean)] as const);
    const saved: Record<string, number> = Object.fromEntries(cells);
    assertClose(saved, EXPECTED, 'saved');
  });

  it('count by what the user says rather than by what an image does, from the next comparison on', async () => {
    const pixelSizes: Record<string, number> = { a: 2, e: 2 };
    const table = open({ pixelSizes, backgroundImages: { b: background } });
    await means(table);
    pixelSizes['b'] = 1;
    assertClose(await means(table), { ...EXPECTED, t: 1 / 800e-6 }, 'means');
  });

  it('go by areas that others can use too, which are none where one of them is unknown', async () => {
    const table = open({ pixelSizes: { a: 2, e: 2 }, backgroundImages: { b: background } });
    const study = session.get(imageStudy);
    const { texts = [], areas = [], column } = (await study.areasOf(table.kind, signal)) ?? {};
    deepEqual([column, texts.map(text => text)], [0, ['c/1.tif', 't/2.tif']]);
    assertClose(Object.fromEntries(areas.entries()), { 0: 100 * 4e-6, 1: 800 * 0.125e-6 }, 'areas');
    const { condition, replicate } = await study.rolesOf(table.kind, signal);
    deepEqual([condition, replicate], [[4], [5]]);
    open({ pixelSizes: { a: 2 } });
    deepEqual(await session.get(imageStudy).areasOf(table.kind, signal), undefined);
  });

  it('need a pixel size of every image, and say which one has none', async () => {
    const table = open({ pixelSizes: { a: 2, b: 2 } });
    await assert.rejects(compared(table), {
      code: 'bad-request',
      details: {
        reason: reason("The pixel size of {0} isn't known. Set it in the panel of its masks", 'c/3.tif'),
      },
    });
  });

  it('need none of an excluded image', async () => {
    assert.ok(images.stored);
    images.stored = { ...images.stored, excluded: { 'c/3.tif': 'empty' } };
    assertClose(
      await means(open({ pixelSizes: { a: 2, b: 1 } })),
      { c: 2 / 400e-6, t: 1 / 800e-6 },
      'without the excluded image',
    );
  });

  it('tell whether pixels of images differ, once the masks are open', async () => {
    const pixelSizes: Record<string, number> = { a: 2, e: 2 };
    const table = open({ pixelSizes, backgroundImages: { b: background } });
    assert.equal(await session.get(sessionImageColumns).pixelSizesDiffer('objects', signal), false);
    await means(table);
    assert.equal(await session.get(sessionImageColumns).pixelSizesDiffer('objects', signal), true);
    pixelSizes['b'] = 2;
    assert.equal(await session.get(sessionImageColumns).pixelSizesDiffer('objects', signal), false);
  });

  describe('of images that were uploaded from here', () => {
    const items = ['c/1.tif', 't/2.tif', 'c/3.tif'].map((path, at) => ({ id: `i${at}`, path }));
    const uploaded = (paths: readonly string[]) =>
      Object.fromEntries(paths.map((path, at) => [`i${at}`, pathToFileURL(path).toString()]));
    const withoutMasks = () => new JobFiles({ objects: files.objects }, items);

    it('count by the headers of their files, without masks', async () => {
      const table = open({ uploads: uploaded([background, background, background]) }, withoutMasks());
      const area = 800 * 0.125e-6;
      assertClose(await means(table), { c: 1 / area, t: 1 / area }, 'means');
    });

    it('count by what the user says of them', async () => {
      const uploads = uploaded([background, background, background]);
      const table = open({ uploads, pixelSizes: { i1: 1 } }, withoutMasks());
      assertClose(await means(table), { c: 1 / (800 * 0.125e-6), t: 1 / 800e-6 }, 'means');
    });

    it('need masks where a file does not say how large its pixels are, or is not there any more', async () => {
      const plain = join(folder, 'plain.tif');
      await writeFile(plain, tiff([{ width: 4, height: 2, samples: new Uint8Array(8) }]));
      for (const other of [plain, join(folder, 'gone.tif'), files.objects]) {
        const uploads = uploaded([background, background, other]);
        await assert.rejects(compared(open({ uploads }, withoutMasks())), {
          code: 'bad-request',
          details: { reason: reason('Not every image has a pixel size') },
        });
        session.dispose();
        const pixelSizes = { a: 2, e: 2, b: 1 };
        const found = await means(open({ uploads, pixelSizes }, new JobFiles(files, items)));
        assertClose(found, { ...EXPECTED, t: 1 / 800e-6 }, 'by masks');
        session.dispose();
      }
    });

    /** A file with pixels of 1 µm. */
    async function otherPixels(): Promise<string> {
      const other = join(folder, 'other.tif');
      const page = { width: 4, height: 2, samples: new Uint8Array(8) };
      const tags: [number, 3 | 4 | 5, number[]][] = [
        [282, 5, [10_000, 1]],
        [283, 5, [10_000, 1]],
        [296, 3, [3]],
      ];
      await writeFile(other, tiff([{ ...page, tags }]));
      return other;
    }

    it('warn of measures in pixels where these differ, and name the column in µm', async () => {
      const table = open({ uploads: uploaded([background, await otherPixels()]) }, withoutMasks());
      const warning = {
        kind: 'pixel-sizes-differ',
        column: 'Area',
        micronColumn: 'Area (µm²)',
        message: 'Pixels of the images are of different sizes: “Area” compares only if it isn’t in pixels.',
      };
      const large = { shareOf: { filter: { kind: 'range', column: 'Area', from: 6 } } } as const;
      const numberOfLarge = { objectsPerImage: true, of: large.shareOf.filter } as const;
      for (const measure of ['Area', large, numberOfLarge] as const)
        assert.deepEqual((await compared(table, measure)).warnings, [warning]);
      for (const measure of ['Area (µm²)', { objectsPerImage: true }] as const)
        assert.equal((await compared(table, measure)).warnings, undefined);
      const saved = await saveGroupsAsProgram(plainEnglish, table, {
        by: ['Treatment'],
        measures: ['Area', 'Area (µm²)'],
        statistics: ['mean'],
        of: 'objects',
        filters: [],
        destination: join(folder, 'warned.csv'),
        overwrite: true,
      });
      assert.deepEqual(saved.warnings, [warning]);
    });

    it('warn of populations that parents or gates make by a measure in pixels', async () => {
      const all: Population[] = [
        { name: 'Large', gate: { kind: 'range', column: 'Area', from: 6 } },
        { name: 'Like them', gate: { kind: 'not', gate: { kind: 'population', name: 'large' } } },
        {
          name: 'Part',
          parent: 'Like them',
          gate: { kind: 'missing', column: 'Area (µm²)', missing: false },
        },
        { name: 'Marked', gate: { kind: 'missing', column: 'Area', missing: false } },
      ];
      const populations = {
        columnsBehind: (_kind: string, name: string, columns: readonly TableColumn[]) =>
          columnsBehind(all, name, columns),
      };
      const added = [(each: ResultSession) => void each.add(tablePopulations, populations as never)];
      const table = open({ uploads: uploaded([background, await otherPixels()]), added }, withoutMasks());
      await session.tables.open('objects', signal);
      await session.request('setPopulations', { table: 'objects', populations: all }, signal);
      const warned = async (name: string) =>
        (await compared(table, { shareOf: { filter: { kind: 'population', name } } })).warnings?.map(
          ({ kind }) => kind,
        );
      for (const name of ['Large', 'Like them', 'Part'])
        assert.deepEqual(await warned(name), ['pixel-sizes-differ'], name);
      assert.equal(await warned('Marked'), undefined);
    });

    it('do not warn where pixels are of one size, or that of an excluded image differs alone', async () => {
      const same = open({ uploads: uploaded([background, background]) }, withoutMasks());
      assert.equal((await compared(same, 'Area')).warnings, undefined);
      session.dispose();
      assert.ok(images.stored);
      images.stored = { ...images.stored, excluded: { 't/2.tif': 'Blurred' } };
      const uploads = uploaded([background, background]);
      const table = open({ uploads, pixelSizes: { i1: 1 } }, withoutMasks());
      assert.equal((await compared(table, 'Area')).warnings, undefined);
    });
  });

  it('are of no table without masks', async () => {
    const table = open({}, new FilesOnDisk({ ...files, file: files.objects }));
    assert.equal(session.get(sessionImageColumns).mayHaveAreas, false);
    await assert.rejects(compared({ ...table, kind: 'file' }), {
      details: { reason: reason('Not every image has a pixel size') },
    });
  });
});
