import * as assert from 'node:assert/strict';
import { sentences } from '../../words/reasonText';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isCoded } from '../../../../src/base/errors';
import { exportFormatNames, type ExportFormat } from '../../../../src/export/engine/exportFormats';
import { exportMasks } from '../../../../src/export/engine/exportMasks';
import type { ExportReport, ExportRequest } from '../../../../src/export/exportRequest';
import { openMasks } from '../../../../src/archives/engine/openMasks';
import type { Masks } from '../../../../src/archives/engine/masks';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';
import { fullFrameRuns } from '../../../../src/archives/objectMask';
import { decodeCounts } from '../../../../src/archives/runLengthEncoding';
import { readLabels } from './readLabels';

describe('Exporting masks', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'export-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  /**
   * Two overlapping nuclei and a cell in one image, a cell in another of the same name elsewhere.
   */
  const twoImages = () => ({
    'index.json': index('Nucleus', 'Cell'),
    'one_objects.json': image(
      'one',
      20,
      12,
      [
        rectangle(0, 0, 0, 6, 6, 'Nucleus'),
        rectangle(1, 4, 4, 8, 8, 'Nucleus'),
        rectangle(7, 3, 3, 20, 12, 'Cell'),
        { ...rectangle(9, 0, 0, 2, 2, 'Cell'), rle: { size: [2, 2], counts: 'N1' } },
        { ...rectangle(11, 0, 0, 2, 2, 'Cell'), rle: { size: [2, 2], counts: [4] } },
      ],
      'plate 1/well.tif',
    ),
    'two_objects.json': image('two', 9, 9, [rectangle(1, 0, 0, 9, 9, 'Cell')], 'plate 2/well.tif'),
  });

  async function withMasks<T>(
    entries: Record<string, unknown>,
    work: (masks: Masks) => Promise<T>,
  ): Promise<T> {
    const archive = await writeArchive(entries);
    const masks = await openMasks(archive.path);
    try {
      return await work(masks);
    } finally {
      masks.dispose();
      await archive.remove();
    }
  }

  const exported = (
    request: Omit<ExportRequest, 'destination' | 'name'>,
    entries: Record<string, unknown> = twoImages(),
    signal?: AbortSignal,
  ): Promise<ExportReport> =>
    withMasks(entries, masks =>
      exportMasks(masks, { ...request, destination: folder, name: 'Job 1' }, signal),
    );

  const names = async () => (await readdir(folder)).sort();
  const json = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(join(folder, name), 'utf8'));

  it('writes populations only where they are chosen: in place of classes, or listed', async () => {
    const population = (path: string, bits: number, more = {}) => ({
      path: path.split('/'),
      listed: 0,
      color: '#102030',
      members: Uint8Array.of(bits).buffer,
      ...more,
    });
    // Objects 0, 1 and 2 can be read.
    const populations = [
      {
        image: 0,
        populations: [
          population('Cells', 0b011),
          population('Cells/Ki67: high', 0b001),
          population('Late', 0b111, { hidden: true }),
        ],
      },
    ];
    interface Feature {
      properties: { classification?: { name: string; color: number[] }; metadata: Record<string, string> };
    }
    const features = async () => {
      const { features: all } = (await json('plate 1_well.geojson')) as { features: Feature[] };
      return all.map(({ properties: { classification, metadata } }) => [
        classification?.name,
        metadata['Class'],
      ]);
    };
    const images = [0];
    await exported({ format: 'geojson', images });
    assert.deepEqual(await features(), [
      ['Nucleus', undefined],
      ['Nucleus', undefined],
      ['Cell', undefined],
    ]);
    await exported({ format: 'geojson', images, populations, overwrite: true });
    assert.deepEqual(await features(), [
      ['Cells: Ki67- high', 'Nucleus'],
      ['Cells', 'Nucleus'],
      [undefined, 'Cell'],
    ]);
    const { features: all } = (await json('plate 1_well.geojson')) as { features: Feature[] };
    assert.deepEqual(all[0]?.properties.classification?.color, [0x10, 0x20, 0x30]);
    await exported({ format: 'coco', images });
    const annotations = async () =>
      ((await json('Job 1_coco.json')) as { annotations: { populations?: string[] }[] }).annotations.map(
        each => each.populations,
      );
    assert.deepEqual(await annotations(), [undefined, undefined, undefined]);
    await exported({ format: 'coco', images, populations, overwrite: true });
    assert.deepEqual(await annotations(), [
      ['Cells', 'Cells/Ki67: high', 'Late'],
      ['Cells', 'Late'],
      ['Late'],
    ]);
  });

  it('names images of one name by their folders, in all formats', async () => {
    const entries = {
      'index.json': index('Cell'),
      'x_objects.json': image('x', 9, 9, [rectangle(1, 0, 0, 4, 4)], 'img_1.png'),
      'y_objects.json': image('y', 9, 9, [rectangle(1, 0, 0, 4, 4)], 'img_1.png'),
    };
    const paths = new Map([
      [0, 'Screening/control/img_1.png'],
      [1, 'Screening/treated/img_1.png'],
    ]);
    const written = async (format: ExportFormat) => {
      const destination = await mkdtemp(join(folder, 'format-'));
      await withMasks(entries, masks => {
        masks.setPaths(paths);
        return exportMasks(masks, { format, destination, name: 'Job 1' });
      });
      const files = (await readdir(destination)).sort();
      const texts = files.filter(name => /\.(csv|json|geojson)$/.test(name));
      const text = await Promise.all(texts.map(name => readFile(join(destination, name), 'utf8')));
      for (const path of paths.values()) assert.ok(text.join('').includes(path), `${format}: ${path}`);
      return files;
    };
    // COCO has one file for all images.
    const ends: Record<ExportFormat, string | undefined> = {
      coco: undefined,
      geojson: '.geojson',
      'imagej-roi': '_RoiSet.zip',
      'labels-tiff': '_labels.tif',
      'labels-png': '_labels.png',
    };
    for (const format of exportFormatNames) {
      const end = ends[format];
      const expected = end === undefined ? [] : [`control_img_1${end}`, `treated_img_1${end}`];
      const files = await written(format);
      assert.deepEqual(
        files.filter(name => name.includes('img_1')),
        expected,
      );
    }
  });

  it('lists objects that cannot be exported with the reason, and exports the rest', async () => {
    const report = await exported({ format: 'coco' });
    assert.equal(report.objects, 4);
    assert.deepEqual(
      report.unreadable.map(({ image: id, id: object }) => [id, object]),
      [
        ['one', '9'],
        ['one', '11'],
      ],
    );
    assert.equal(report.unreadableCount, 2);
    assert.ok(report.unreadable.every(({ reason }) => sentences([reason]) !== ''));
    assert.deepEqual(
      report.files.map(({ path }) => path),
      [join(folder, 'Job 1_coco.json')],
    );
    assert.equal(report.files[0]?.bytes, (await readFile(join(folder, 'Job 1_coco.json'))).byteLength);
  });

  it('writes all digits of IDs that doubles round', async () => {
    const id = '18446744073709551615';
    const cell = JSON.stringify(rectangle(5, 0, 0, 5, 5)).replace('"id":5', `"id":${id}`);
    const entries = {
      'a_objects.json': `{"id":"a","filename":"a.tif","width":9,"height":9,"objects":{"${id}":${cell}}}`,
    };
    await exported({ format: 'coco' }, entries);
    assert.match(
      await readFile(join(folder, 'Job 1_coco.json'), 'utf8'),
      new RegExp(`"object_id":${id}}\\]`),
    );
    const { files } = await exported({ format: 'labels-tiff' }, entries);
    const texts = await Promise.all(files.map(({ path }) => readFile(path, 'utf8')));
    assert.equal(texts.filter(text => text.includes(`,a,1,${id},Cell,`)).length, 1);
  });

  it('numbers annotations from 1, whatever the IDs of the objects are', async () => {
    await exported({ format: 'coco' });
    const { annotations, images, categories } = (await json('Job 1_coco.json')) as {
      annotations: { id: number; image_id: number; category_id: number; object_id: number }[];
      images: { id: number; source_id: string }[];
      categories: { id: number; name: string }[];
    };
    assert.deepEqual(
      annotations.map(({ id }) => id),
      [1, 2, 3, 4],
    );
    assert.deepEqual(
      annotations.map(({ object_id }) => object_id),
      [0, 1, 7, 1],
    );
    const classes = new Map(categories.map(({ id, name }) => [id, name]));
    assert.deepEqual(
      annotations.map(({ category_id }) => classes.get(category_id)),
      ['Nucleus', 'Nucleus', 'Cell', 'Cell'],
    );
    const sources = new Map(images.map(({ id, source_id }) => [id, source_id]));
    assert.deepEqual(
      annotations.map(({ image_id }) => sources.get(image_id)),
      ['one', 'one', 'one', 'two'],
    );
  });

  it('writes scores as they are in the archive', async () => {
    const scored = { ...rectangle(1, 0, 0, 2, 2), model_score: 0.95 };
    await exported({ format: 'coco' }, { 'a_objects.json': image('a', 9, 9, [scored], 'a.tif') });
    const { annotations } = (await json('Job 1_coco.json')) as { annotations: { score: number }[] };
    assert.equal(annotations[0]?.score, 0.95);
  });

  it('re-encodes cropped masks for the whole image', async () => {
    await withMasks(twoImages(), async masks => {
      await exportMasks(masks, { format: 'coco', destination: folder, name: 'x' });
      const { annotations } = (await json('x_coco.json')) as {
        annotations: { segmentation: { size: [number, number]; counts: string } }[];
      };
      let at = 0;
      for (const { index: number, width, height } of masks.summary.images) {
        for await (const { mask } of masks.eachObject(number)) {
          if (mask.width === 0) continue;
          const { size, counts } = annotations[at++]?.segmentation ?? assert.fail();
          assert.deepEqual(size, [height, width]);
          assert.deepEqual(decodeCounts(counts, height, width), fullFrameRuns(mask, width, height));
        }
      }
    });
  });

  it('rejects an image that is too large for COCO before anything is written', async () => {
    const large = { 'a_objects.json': image('a', 100_000, 100_000, [rectangle(1, 0, 0, 2, 2)]) };
    await assert.rejects(exported({ format: 'coco' }, large), error => isCoded(error, 'bad-request'));
    assert.deepEqual(await names(), []);
    await exported({ format: 'geojson' }, large);
    assert.deepEqual(await names(), ['a.geojson']);
  });

  it('puts the smaller object on top, counts covered pixels, and never uses 0 as a label', async () => {
    const report = await exported({ format: 'labels-tiff', images: ['one'] });
    assert.deepEqual(await names(), ['Job 1_labels.tif.csv', 'plate 1_well_labels.tif']);
    const labels = await readLabels(join(folder, 'plate 1_well_labels.tif'));
    assert.equal(labels.bits, 16);
    // The object 0 has the label 8, the next after the largest.
    assert.equal(labels.at(0, 0), 8);
    assert.equal(labels.at(5, 5), 1);
    assert.equal(labels.at(3, 3), 8);
    assert.equal(labels.at(7, 3), 7);
    assert.equal(labels.at(19, 0), 0);
    const [, ...rows] = (await readFile(join(folder, 'Job 1_labels.tif.csv'), 'utf8')).trim().split('\r\n');
    assert.deepEqual(rows, [
      'plate 1_well_labels.tif,one,8,0,Nucleus,36,4,plate 1/well.tif',
      'plate 1_well_labels.tif,one,1,1,Nucleus,16,0,plate 1/well.tif',
      // Its 3 × 3 under the one nucleus, 4 × 4 under the other, which share 2 × 2.
      'plate 1_well_labels.tif,one,7,7,Cell,153,21,plate 1/well.tif',
    ]);
    assert.equal(report.overlapped, 25);
  });

  it('writes one label image for each class on request: only objects of one class cover each other', async () => {
    const report = await exported({ format: 'labels-png', perClass: true });
    assert.deepEqual(await names(), [
      'Job 1_class_labels.png.csv',
      'manifest.csv',
      'plate 1_well_Cell_labels.png',
      'plate 1_well_Nucleus_labels.png',
      'plate 2_well_Cell_labels.png',
    ]);
    assert.equal(report.overlapped, 4);
    assert.equal(report.objects, 4);
    const labels = await readLabels(join(folder, 'plate 1_well_Cell_labels.png'));
    assert.equal(labels.at(5, 5), 7);
    assert.equal(labels.at(0, 0), 0);
  });

  it('writes no label image of a class whose objects are all left out', async () => {
    const shown = [{ image: 0, shown: Uint8Array.of(0, 0, 1, 0).buffer }];
    const report = await exported({ format: 'labels-tiff', perClass: true, shown, images: ['one'] });
    assert.deepEqual(await names(), ['Job 1_class_labels.tif.csv', 'plate 1_well_Cell_labels.tif']);
    assert.equal(report.objects, 1);
  });

  it('gives every label image a unique name, whatever the names of images and classes', async () => {
    const classes = [
      rectangle(1, 0, 0, 2, 2, 'b_c'),
      rectangle(2, 0, 0, 2, 2, 'c'),
      rectangle(3, 0, 0, 2, 2, '../B:c'),
    ];
    const images = ['a', 'a_b'].map(id => [`${id}_objects.json`, image(id, 4, 4, classes)] as const);
    await exported({ format: 'labels-png', perClass: true }, Object.fromEntries(images));
    assert.equal((await names()).length, 8);
    assert.ok((await names()).includes('a_b_c_labels-2.png'));
  });

  it('uses 32 bits where an ID needs them in TIFF, and another label in PNG', async () => {
    const far = {
      'a_objects.json': image('a', 4, 4, [rectangle(70_000, 0, 0, 2, 2), rectangle(3, 2, 2, 4, 4)]),
    };
    await exported({ format: 'labels-tiff' }, far);
    const tiff = await readLabels(join(folder, 'a_labels.tif'));
    assert.deepEqual([tiff.bits, tiff.at(0, 0), tiff.at(3, 3)], [32, 70_000, 3]);
    await exported({ format: 'labels-png', overwrite: true }, far);
    const png = await readLabels(join(folder, 'a_labels.png'));
    assert.deepEqual([png.bits, png.at(0, 0), png.at(3, 3)], [16, 4, 3]);
  });

  it('exports the named images and classes', async () => {
    const report = await exported({ format: 'geojson', images: ['plate 1/well.tif'], classes: ['Cell'] });
    assert.equal(report.objects, 1);
    assert.deepEqual(await names(), ['plate 1_well.geojson']);
    for (const request of [{ images: ['three'] }, { classes: ['Vessel'] }]) {
      await assert.rejects(exported({ format: 'geojson', ...request }), error => isCoded(error, 'not-found'));
    }
  });

  it('exports one of two images with the same ID and file name by its position', async () => {
    const same = (x: number) => image('a', 9, 9, [rectangle(x, x, 0, x + 1, 1)], 'a.tif');
    const archive = { 'a_objects.json': same(1), 'again/a_objects.json': same(2) };
    const report = await exported({ format: 'geojson', images: [1] }, archive);
    assert.equal(report.objects, 1);
    assert.deepEqual(await names(), ['a-2.geojson']);
    const { features } = (await json('a-2.geojson')) as { features: { properties: { name: string } }[] };
    assert.deepEqual(
      features.map(({ properties }) => properties.name),
      ['2'],
    );
    await exported({ format: 'geojson', images: ['a'], overwrite: true }, archive);
    assert.deepEqual(await names(), ['a-2.geojson', 'a.geojson', 'manifest.csv']);
    for (const none of [2, -1, '1'])
      await assert.rejects(exported({ format: 'geojson', images: [none] }, archive), error =>
        isCoded(error, 'not-found'),
      );
  });

  it('names selected objects in the names of files and in a manifest, in every format', async () => {
    const shown = [{ image: 0, shown: Uint8Array.of(0, 1, 0, 1).buffer }];
    const formats: [string, string][] = [
      ['geojson', 'plate 1_well-selected.geojson'],
      ['imagej-roi', 'plate 1_well-selected_RoiSet.zip'],
      ['labels-tiff', 'plate 1_well-selected_labels.tif'],
      ['labels-png', 'plate 1_well-selected_labels.png'],
    ];
    for (const [format, file] of formats) {
      const report = await exported({ format, shown, images: [0], part: 'selected', overwrite: true });
      assert.equal(report.objects, 1, format);
      assert.ok((await names()).includes(file), format);
      assert.equal(
        await readFile(join(folder, 'manifest-selected.csv'), 'utf8'),
        `file,image,image_path,width,height,objects,selection\r\n${file},one,plate 1/well.tif,20,12,1,selected\r\n`,
      );
    }
  });

  it('leaves out objects that are not shown', async () => {
    const shown = [{ image: 0, shown: Uint8Array.of(0, 1, 0, 1).buffer }];
    const report = await exported({ format: 'geojson', shown, images: ['one'] });
    assert.equal(report.objects, 1);
    const { features } = (await json('plate 1_well.geojson')) as {
      features: { properties: { name: string } }[];
    };
    assert.deepEqual(
      features.map(({ properties }) => properties.name),
      ['1'],
    );
  });

  it('writes the requested colors of classes, and the palette’s for others', async () => {
    await exported({ format: 'geojson', images: ['one'], colors: { Cell: '#102030', Nucleus: 'red' } });
    const { features } = (await json('plate 1_well.geojson')) as {
      features: { properties: { classification: { name: string; color: number[] } } }[];
    };
    const colors = new Map(
      features.map(({ properties }) => [properties.classification.name, properties.classification.color]),
    );
    assert.deepEqual(colors.get('Cell'), [0x10, 0x20, 0x30]);
    assert.deepEqual(colors.get('Nucleus'), [230, 159, 0]);
  });

  it('gives an object the same UUID each time', async () => {
    const ids = async () => {
      await exported({ format: 'geojson', overwrite: true });
      const { features } = (await json('plate 1_well.geojson')) as { features: { id: string }[] };
      return features.map(({ id }) => id);
    };
    const first = await ids();
    assert.equal(new Set(first).size, 3);
    for (const id of first)
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(await ids(), first);
  });

  it('replaces no file unless overwrite is set, and names the existing file', async () => {
    await writeFile(join(folder, 'plate 2_well.geojson'), 'mine');
    await assert.rejects(
      exported({ format: 'geojson' }),
      error => isCoded(error, 'exists') && error.details.subject === 'plate 2_well.geojson',
    );
    assert.deepEqual(await names(), ['plate 2_well.geojson']);
    await exported({ format: 'geojson', overwrite: true });
    assert.deepEqual(await names(), ['manifest.csv', 'plate 1_well.geojson', 'plate 2_well.geojson']);
    assert.notEqual(await readFile(join(folder, 'plate 2_well.geojson'), 'utf8'), 'mine');
  });

  it('says which image each file is about: in its name, the report, the manifest and the objects', async () => {
    const report = await exported({ format: 'geojson' });
    assert.deepEqual(
      report.files.map(({ path, image: id, imagePath, objects }) => [basename(path), id, imagePath, objects]),
      [
        ['plate 1_well.geojson', 'one', 'plate 1/well.tif', 3],
        ['plate 2_well.geojson', 'two', 'plate 2/well.tif', 1],
        ['manifest.csv', undefined, undefined, undefined],
      ],
    );
    assert.equal(report.objects, 4);
    assert.equal(
      await readFile(join(folder, 'manifest.csv'), 'utf8'),
      'file,image,image_path,width,height,objects,selection\r\n' +
        'plate 1_well.geojson,one,plate 1/well.tif,20,12,3,all\r\n' +
        'plate 2_well.geojson,two,plate 2/well.tif,9,9,1,all\r\n',
    );
    const { features } = (await json('plate 2_well.geojson')) as {
      features: { properties: { metadata: unknown } }[];
    };
    assert.deepEqual(features[0]?.properties.metadata, { 'Image path': 'plate 2/well.tif' });
  });

  it('leaves an existing manifest as it is unless overwrite is set, and writes none for one file', async () => {
    await exported({ format: 'imagej-roi', images: ['one'] });
    assert.deepEqual(await names(), ['plate 1_well_RoiSet.zip']);
    await writeFile(join(folder, 'manifest.csv'), 'mine');
    const { files } = await exported({ format: 'geojson' });
    assert.equal(files.length, 2);
    assert.equal(await readFile(join(folder, 'manifest.csv'), 'utf8'), 'mine');
    await exported({ format: 'geojson', overwrite: true });
    assert.notEqual(await readFile(join(folder, 'manifest.csv'), 'utf8'), 'mine');
  });

  it('rejects a folder that does not exist', async () => {
    await withMasks(twoImages(), async masks => {
      const destination = join(folder, 'nowhere');
      await assert.rejects(exportMasks(masks, { format: 'coco', destination, name: 'x' }), error =>
        isCoded(error, 'not-found'),
      );
    });
  });

  for (const format of ['labels-tiff', 'labels-png'] as const) {
    it(`can be canceled in the middle of a large image: ${format}`, async () => {
      const controller = new AbortController();
      const shares: number[] = [];
      const large = image('a', 2000, 2000, [rectangle(1, 0, 0, 2000, 2000)]);
      await withMasks({ 'a_objects.json': large }, async masks => {
        const work = exportMasks(
          masks,
          { format, destination: folder, name: 'x' },
          controller.signal,
          (done, total) => {
            shares.push(done / total);
            if (done > 0) controller.abort();
          },
        );
        await assert.rejects(work, error => isCoded(error, 'cancelled'));
      });
      assert.ok((shares.at(-1) ?? 1) < 0.5, shares.join());
    });
  }

  for (const format of ['coco', 'geojson', 'imagej-roi', 'labels-tiff', 'labels-png'] as const) {
    it(`leaves no files when it is canceled: ${format}`, async () => {
      const controller = new AbortController();
      await withMasks(twoImages(), async masks => {
        const work = exportMasks(
          masks,
          { format, destination: folder, name: 'x' },
          controller.signal,
          done => {
            if (done > 0) controller.abort();
          },
        );
        await assert.rejects(work, error => isCoded(error, 'cancelled'));
      });
      assert.deepEqual(await names(), []);
    });

    it(`reports its progress to the end: ${format}`, async () => {
      const told: number[] = [];
      await withMasks(twoImages(), masks =>
        exportMasks(masks, { format, destination: folder, name: 'x' }, undefined, (done, total) => {
          told.push(done / total);
        }),
      );
      assert.equal(told[0], 0);
      assert.equal(told.at(-1), 1);
      assert.deepEqual(
        told,
        [...told].sort((a, b) => a - b),
      );
    });
  }

  it('counts all objects that cannot be exported, and lists the first 5,000', async () => {
    const bad = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`${at}`, 0]));
    const empty = Array.from({ length: 5000 }, (_, at) => ({
      ...rectangle(at + 1, 0, 0, 1, 1),
      rle: { size: [1, 1], counts: [1] },
    }));
    const report = await exported(
      { format: 'coco' },
      {
        'a_objects.json': { ...image('a', 10, 10, []), objects: bad },
        'b_objects.json': image('b', 10, 10, empty),
      },
    );
    assert.equal(report.unreadableCount, 6500);
    assert.equal(report.unreadable.length, 5000);
    assert.ok(Buffer.byteLength(JSON.stringify(report)) < 2 ** 20);
  });

  it('reports an image that could not be read, and exports the others', async () => {
    const report = await exported({ format: 'coco' }, { ...twoImages(), 'bad_objects.json': '{' });
    assert.equal(report.objects, 4);
    assert.ok(report.unreadable.some(({ image: id, id: object }) => id === 'bad' && object === ''));
  });
});
