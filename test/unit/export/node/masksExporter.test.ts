import type { LinkReport } from '../../../../src/linking/rowLinks';
import * as assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoded } from '../../../../src/base/errors';
import { silentLog } from '../../../../src/base/log';
import {
  type ExportedPopulations,
  MasksExporter,
  type ExportChoice,
} from '../../../../src/export/node/masksExporter';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';
import type { ImageValues } from '../../../../src/linking/node/imageValues';
import { LinksInMemory } from '../../session/node/sessionFixture';
import { InProcessEngine } from '../../session/node/inProcessEngine';

type ShownResult = NonNullable<ReturnType<ConstructorParameters<typeof MasksExporter>[0]['sessionOf']>>;

describe('Exporting masks in its own thread', () => {
  let archive: { path: string; remove: () => Promise<void> };
  let folder: string;
  let engines: InProcessEngine[];
  let session: ShownResult | undefined;
  /** Has the session of a table that was left with a filter begin, and end. */
  let left: (() => { dispose: () => void }) | undefined;

  beforeEach(async () => {
    engines = [];
    session = undefined;
    left = undefined;
    populations = undefined;
    folder = await mkdtemp(join(tmpdir(), 'exporter-'));
    archive = await writeArchive({
      'index.json': index('Nucleus', 'Cell'),
      'a_objects.json': image('a', 9, 9, [
        rectangle(1, 0, 0, 2, 2, 'Nucleus'),
        rectangle(2, 2, 2, 5, 5, 'Cell'),
        rectangle(3, 5, 5, 9, 9, 'Cell'),
      ]),
    });
  });

  afterEach(async () => {
    await archive.remove();
    await rm(folder, { recursive: true, force: true });
  });

  /** What is known of images, by their paths in the archive. */
  let known: Awaited<ReturnType<ImageValues['columnsOf']>> = [];

  let populations: ExportedPopulations | undefined;

  const exporter = () =>
    new MasksExporter({
      startEngine: () => {
        const engine = new InProcessEngine();
        engines.push(engine);
        return engine;
      },
      sessionOf: () => session,
      holdFiltered: () => left?.(),
      linksOf: () => new LinksInMemory(),
      imageValues: { columnsOf: () => Promise.resolve(known) },
      populations,
      tableMemory: () => 64,
      log: silentLog,
    });

  const source = () => ({
    key: 'k',
    title: 'My masks.zip',
    restore: undefined,
    path: () => Promise.resolve(archive.path),
  });

  it('says in the manifest and of each object what is known of its image', async () => {
    const two = await writeArchive({
      'index.json': index('Cell'),
      'x_objects.json': image('x', 9, 9, [rectangle(1, 0, 0, 2, 2, 'Cell')], 'a.png'),
      'y_objects.json': image('y', 9, 9, [rectangle(1, 0, 0, 2, 2, 'Cell')], 'b.png'),
    });
    known = [
      { name: 'Drug', values: ['-Dox', ''] },
      { name: 'objects', values: ['007', '=1+1'] },
    ];
    const { signal } = new AbortController();
    const opened = await exporter().open(
      { ...source(), path: () => Promise.resolve(two.path) },
      () => undefined,
      signal,
    );
    try {
      const choice = { format: 'geojson', destination: folder, objects: 'all' } as const;
      await opened.export(choice, () => undefined, signal);
      const manifest = await readFile(join(folder, 'manifest.csv'), 'utf8');
      const [header, first, second] = manifest.split(/\r?\n/);
      assert.ok(header?.endsWith(',objects,selection,Drug,objects (image)'), header);
      assert.ok(first?.endsWith(',1,all,-Dox,007'), first);
      assert.ok(second?.endsWith(',1,all,,=1+1'), second);
      const { features } = JSON.parse(await readFile(join(folder, 'b.geojson'), 'utf8')) as {
        features: { properties: { metadata: object } }[];
      };
      assert.deepEqual(features[0]?.properties.metadata, { objects: '=1+1', 'Image path': 'b.png' });
    } finally {
      known = [];
      opened.dispose();
      await two.remove();
    }
  });

  it('names files by folders where images have one name, as the table says which is which', async () => {
    /** Left and top of the objects of an image: others in each. */
    const places = (count: number) =>
      Array.from({ length: count }, (_, at): [number, number] => [
        (at * at * 31 + count * 97) % 280,
        (at * 83 + count * count * 41) % 280,
      ]);
    const squares = (count: number) =>
      places(count).map(([x, y], at) => rectangle(at + 1, x, y, x + 2, y + 2, 'Cell'));
    const same = await writeArchive({
      'index.json': index('Cell'),
      'x_objects.json': image('x', 300, 300, squares(4), 'img_1.png'),
      'y_objects.json': image('y', 300, 300, squares(5), 'img_1.png'),
    });
    const table = join(folder, 'objects.csv');
    const rows = (path: string, count: number) =>
      places(count)
        .map(([x, y], at) => `${path}/img_1.png,${at + 1},${x + 1},${y + 1}\n`)
        .join('');
    const header = 'Image origin,Object ID,X Position,Y Position';
    await writeFile(table, `${header}\n${rows('run/control', 5)}${rows('run/treated', 4)}`);
    const out = join(folder, 'out');
    await mkdir(out);
    try {
      const job = {
        ...source(),
        path: (what: string) => Promise.resolve(what === 'objects' ? table : same.path),
      };
      const masks = await exporter().open(job, () => undefined, new AbortController().signal);
      const choice: ExportChoice = { format: 'geojson', destination: out, objects: 'all' };
      const { files } = await masks.export(choice, () => undefined, new AbortController().signal);
      masks.dispose();
      assert.deepEqual((await readdir(out)).sort(), [
        'control_img_1.geojson',
        'manifest.csv',
        'treated_img_1.geojson',
      ]);
      assert.deepEqual(
        files.flatMap(({ image: id, imagePath }) => (id === undefined ? [] : [[id, imagePath]])).sort(),
        [
          ['x', 'run/treated/img_1.png'],
          ['y', 'run/control/img_1.png'],
        ],
      );
      assert.match(
        await readFile(join(out, 'manifest.csv'), 'utf8'),
        /control_img_1\.geojson,y,run\/control\/img_1\.png/,
      );
    } finally {
      await same.remove();
    }
  });

  it('reads a damaged archive once more from a new download, and no images from an empty one', async () => {
    const whole = await readFile(archive.path);
    const cached = join(folder, 'cached.zip');
    const downloads = [whole.subarray(0, 100), whole];
    const job = {
      ...source(),
      accountId: 'me',
      path: async () => {
        const next = downloads.shift();
        if (next) await writeFile(cached, next);
        return cached;
      },
      discard: () => Promise.resolve(true),
    };
    const { signal } = new AbortController();
    const masks = await exporter().open(job, () => undefined, signal);
    assert.equal(masks.summary.images.length, 1);
    masks.dispose();
    downloads.push(Buffer.alloc(0));
    const none = await exporter().open(job, () => undefined, signal);
    const choice = { format: 'coco' as const, destination: join(folder, 'out'), objects: 'all' as const };
    await mkdir(choice.destination);
    const { files } = await none.export(choice, () => undefined, signal);
    const coco = JSON.parse(await readFile(files[0]?.path ?? '', 'utf8')) as { images: unknown[] };
    assert.deepEqual(coco.images, []);
    none.dispose();
  });

  async function exported(choice: Partial<ExportChoice>, signal = new AbortController().signal) {
    const masks = await exporter().open(source(), () => undefined, signal);
    try {
      const whole = { format: 'coco' as const, destination: folder, objects: 'all' as const, ...choice };
      return await masks.export(whole, () => undefined, signal);
    } finally {
      masks.dispose();
    }
  }

  const objectsIn = async (file = 'My masks_coco.json') => {
    const text = await readFile(join(folder, file), 'utf8');
    return (JSON.parse(text) as { annotations: { object_id: number }[] }).annotations.map(
      one => one.object_id,
    );
  };

  /** A session whose panels show what is given; the filter lets the objects with a 1 through. */
  function showing(hiddenClasses: number[], filter?: number[], link?: Partial<LinkReport>): ShownResult {
    return {
      hiddenClasses,
      imagePaths: [],
      classColors: {},
      rows: {
        shown: filter ? { view: { sort: [], filters: [] }, rowCount: 1, total: 3 } : null,
        settled: () => Promise.resolve(),
      },
      links: { report: link as LinkReport | undefined, settled: () => Promise.resolve() },
      masks: {
        open: () => Promise.resolve({ classes: [], images: [], notes: [] }),
        request: (method: string) => {
          assert.equal(method, 'objectsInView');
          return Promise.resolve({ shown: Uint8Array.from(filter ?? []).buffer } as never);
        },
      },
    };
  }

  it('has the populations of the objects that it exports where they are chosen, the format can have them, and there are any', async () => {
    const { signal } = new AbortController();
    const choice = { destination: folder, objects: 'all', populations: true } as const;
    const masks = await exporter().open(source(), () => undefined, signal);
    const run = (more: Pick<ExportChoice, 'format' | 'images' | 'selected'>) =>
      masks.export({ ...choice, ...more }, () => undefined, signal);
    const isRefused = (error: unknown) =>
      isCoded(error, 'bad-request') && error.details.subject === 'populations';
    await assert.rejects(run({ format: 'geojson' }), isRefused);
    assert.equal(await masks.havePopulations(), false);
    masks.dispose();

    const asked: (readonly number[])[] = [];
    populations = {
      areIn: () => Promise.resolve(true),
      members: (_, images) => {
        asked.push(images);
        const cells = { path: ['Cells'], listed: 0, color: '#102030', members: Uint8Array.of(0b101).buffer };
        return Promise.resolve([{ image: 0, populations: [cells] }]);
      },
    };
    const again = await exporter().open(source(), () => undefined, signal);
    for (const format of ['labels-tiff', 'labels-png', 'imagej-roi'] as const)
      await assert.rejects(
        again.export({ ...choice, format }, () => undefined, signal),
        isRefused,
      );
    assert.equal(await again.havePopulations(), true);
    asked.length = 0;
    await again.export({ ...choice, format: 'coco' }, () => undefined, signal);
    const { annotations } = JSON.parse(await readFile(join(folder, 'My masks_coco.json'), 'utf8')) as {
      annotations: { populations: string[] }[];
    };
    assert.deepEqual(
      annotations.map(each => each.populations),
      [['Cells'], [], ['Cells']],
    );
    const selected = [{ image: 0, objects: [1] }];
    await again.export({ ...choice, format: 'geojson', selected }, () => undefined, signal);
    assert.deepEqual(asked, [[0], [0]]);
    again.dispose();
  });

  it('names files about the whole result after it', async () => {
    const { files } = await exported({});
    assert.deepEqual(
      files.map(({ path }) => path),
      [join(folder, 'My masks_coco.json')],
    );
    assert.deepEqual(await objectsIn(), [1, 2, 3]);
  });

  it('leaves out what the panels hide, where requested', async () => {
    session = showing([0], [1, 0, 1], {});
    await exported({ objects: 'shown' });
    assert.deepEqual(await objectsIn(), [3]);
    await exported({ objects: 'all', overwrite: true });
    assert.deepEqual(await objectsIn(), [1, 2, 3]);
    session = showing([1]);
    await exported({ objects: 'shown', overwrite: true });
    assert.deepEqual(await objectsIn(), [1]);
  });

  it('counts all objects and those that the panels show, as they are exported', async () => {
    const counted = async (choice: Pick<ExportChoice, 'images' | 'classes'>) => {
      const { signal } = new AbortController();
      const masks = await exporter().open(source(), () => undefined, signal);
      try {
        return await masks.countObjects(choice, signal);
      } finally {
        masks.dispose();
      }
    };
    const panels = [
      undefined,
      showing([0], [1, 0, 1], {}),
      showing([1]),
      showing([], [1, 0, 0], {}),
      showing([], [1, 0, 0]),
    ];
    const choices = [{}, { classes: ['Cell'] }, { images: [0], classes: ['Nucleus'] }];
    for (session of panels) {
      for (const choice of choices) {
        const exports = [];
        for (const objects of ['all', 'shown'] as const)
          exports.push((await exported({ ...choice, objects, overwrite: true })).objects);
        const { all, visible } = await counted(choice);
        assert.deepEqual([all, visible], exports);
      }
    }
  });

  it('follows the filter that the table was left with where no panel is open, until it is disposed of', async () => {
    left = () => {
      session = showing([], [1, 0, 0], {});
      return { dispose: () => (session = undefined) };
    };
    const { signal } = new AbortController();
    const masks = await exporter().open(source(), () => undefined, signal);
    assert.equal(masks.hidesSome, true);
    assert.deepEqual(await masks.countObjects({}, signal), { all: 3, visible: 1 });
    await masks.export({ format: 'coco', destination: folder, objects: 'shown' }, () => undefined, signal);
    assert.deepEqual(await objectsIn(), [1]);
    masks.dispose();
    assert.equal(session, undefined);
    const damaged = { ...source(), path: () => Promise.resolve(join(folder, 'none.zip')) };
    await assert.rejects(exporter().open(damaged, () => undefined, signal));
    assert.equal(session, undefined);
  });

  it('exports selected objects alone, whatever the panels hide, beside an export of all', async () => {
    await exported({});
    session = showing([0], [1, 0, 0], {});
    const { files, objects } = await exported({ selected: [{ image: 0, objects: [0, 2] }] });
    assert.equal(objects, 2);
    assert.deepEqual(
      files.map(({ path }) => path),
      [join(folder, 'My masks-selected_coco.json')],
    );
    assert.deepEqual(await objectsIn('My masks-selected_coco.json'), [1, 3]);
    assert.deepEqual(await objectsIn(), [1, 2, 3]);
  });

  it("rejects a format that doesn't exist", async () => {
    // @ts-expect-error A choice names a format of exportFormats: the person's menu and a program's call are checked
    // alike.
    const choice: ExportChoice = { format: 'svg', destination: folder, objects: 'all' };
    await assert.rejects(exported(choice), error => isCoded(error, 'bad-request'));
    // @ts-expect-error A choice has no fields but those of ExportRequest.
    const misspelled: Partial<ExportChoice> = { overwrites: true };
    assert.deepEqual((await exported(misspelled)).objects, 3);
  });

  it('requests what is shown only of the image at the selected position, not of others with its name', async () => {
    await archive.remove();
    const a = image('a', 9, 9, [rectangle(1, 0, 0, 2, 2, 'Cell'), rectangle(2, 2, 2, 5, 5, 'Cell')]);
    archive = await writeArchive({ 'a_objects.json': a, 'again/a_objects.json': a });
    const requested: unknown[] = [];
    const shown = showing([], [0, 1], {});
    session = {
      ...shown,
      masks: {
        ...shown.masks,
        request: (method, params, signal) => {
          requested.push(params);
          return shown.masks.request(method, params, signal);
        },
      },
    };
    const { objects } = await exported({ objects: 'shown', images: [1] });
    assert.deepEqual(requested, [{ image: 1, view: { sort: [], filters: [] } }]);
    assert.equal(objects, 1);
  });

  it('ignores a filter of rows that belong to no object', async () => {
    session = showing([], [0, 0, 0]);
    await exported({ objects: 'shown' });
    assert.deepEqual(await objectsIn(), [1, 2, 3]);
  });

  it('exports everything where the filters are cleared while rows are still being linked', async () => {
    const panels = showing([], [0, 0, 1], {});
    let { shown } = panels.rows;
    session = {
      ...panels,
      rows: {
        ...panels.rows,
        get shown() {
          return shown;
        },
      },
      links: {
        ...panels.links,
        settled: () => {
          shown = null;
          return Promise.resolve();
        },
      },
    };
    await exported({ objects: 'shown' });
    assert.deepEqual(await objectsIn(), [1, 2, 3]);
  });

  it('waits for the filters that the table had before a reload, instead of exporting all', async () => {
    const panels = showing([], [0, 0, 1], {});
    const { shown } = panels.rows;
    let restored: () => void = () => undefined;
    const restoring = new Promise<void>(resolve => (restored = resolve));
    let isRestored = false;
    session = {
      ...panels,
      rows: {
        get shown() {
          return isRestored ? shown : null;
        },
        settled: () => restoring,
      },
    };
    const { signal } = new AbortController();
    const opening = exporter().open(source(), () => undefined, signal);
    await new Promise(resolve => setImmediate(resolve));
    isRestored = true;
    restored();
    const masks = await opening;
    assert.equal(masks.hidesSome, true);
    assert.deepEqual(await masks.countObjects({}, signal), { all: 3, visible: 1 });
    masks.dispose();
  });

  it('exports everything where no panel is open', async () => {
    await exported({ objects: 'shown' });
    assert.deepEqual(await objectsIn(), [1, 2, 3]);
  });

  it('leaves no trace when it is canceled, although the thread ends at once', async () => {
    const controller = new AbortController();
    const masks = await exporter().open(source(), () => undefined, controller.signal);
    const work = masks.export(
      { format: 'labels-png', destination: folder, objects: 'all' },
      phase => {
        if (phase === 'exporting') controller.abort();
      },
      controller.signal,
    );
    await assert.rejects(work, error => isCoded(error, 'cancelled'));
    masks.dispose();
    assert.deepEqual(await readdir(folder), []);
    assert.ok(engines[0]?.requests.includes('exportSettled'));
  });
});
