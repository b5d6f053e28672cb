import * as assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoded } from '../../../src/base/errors';
import { silentLog } from '../../../src/base/log';
import type { LinkReport } from '../../../src/protocol/linkEngine';
import { MasksExporter, type ExportChoice, type ShownResult } from '../../../src/ui/masksExporter';
import { image, index, rectangle, writeArchive } from '../results/masks/archives';
import { InProcessEngine } from './panels/inProcessEngine';

describe('Exporting masks in a thread of their own', () => {
  let archive: { path: string; remove: () => Promise<void> };
  let folder: string;
  let engines: InProcessEngine[];
  let session: ShownResult | undefined;

  beforeEach(async () => {
    engines = [];
    session = undefined;
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

  const exporter = () =>
    new MasksExporter({
      startEngine: () => {
        const engine = new InProcessEngine();
        engines.push(engine);
        return engine;
      },
      sessionOf: () => session,
      log: silentLog,
    });

  const source = () => ({
    key: 'k',
    title: 'My masks.zip',
    restore: undefined,
    path: () => Promise.resolve(archive.path),
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

  const objectsIn = async () => {
    const text = await readFile(join(folder, 'My masks_coco.json'), 'utf8');
    return (JSON.parse(text) as { annotations: { object_id: number }[] }).annotations.map(
      one => one.object_id,
    );
  };

  /** A session whose panels show what is given; the filter lets the objects with a 1 through. */
  function showing(hiddenClasses: number[], filter?: number[], link?: Partial<LinkReport>): ShownResult {
    return {
      hiddenClasses,
      classColours: {},
      shown: filter ? { view: { sort: [], filters: [] }, rowCount: 1, total: 3 } : null,
      link: link as LinkReport | undefined,
      openMasks: () => Promise.resolve({ classes: [], images: [], notes: [] }),
      linkSettled: () => Promise.resolve(),
      askMasks: (method: string) => {
        assert.equal(method, 'shownObjects');
        return Promise.resolve({ shown: Uint8Array.from(filter ?? []).buffer });
      },
    };
  }

  it('names files about the whole result after it', async () => {
    const { files } = await exported({});
    assert.deepEqual(
      files.map(({ path }) => path),
      [join(folder, 'My masks_coco.json')],
    );
    assert.deepEqual(await objectsIn(), [1, 2, 3]);
  });

  it('leaves out what the panels hide, when it is to', async () => {
    session = showing([0], [1, 0, 1], {});
    await exported({ objects: 'shown' });
    assert.deepEqual(await objectsIn(), [3]);
    await exported({ objects: 'all', overwrite: true });
    assert.deepEqual(await objectsIn(), [1, 2, 3]);
    session = showing([1]);
    await exported({ objects: 'shown', overwrite: true });
    assert.deepEqual(await objectsIn(), [1]);
  });

  it('asks what is shown of the image at the chosen position alone, whatever else has its name', async () => {
    await archive.remove();
    const a = image('a', 9, 9, [rectangle(1, 0, 0, 2, 2, 'Cell'), rectangle(2, 2, 2, 5, 5, 'Cell')]);
    archive = await writeArchive({ 'a_objects.json': a, 'again/a_objects.json': a });
    const asked: unknown[] = [];
    const shown = showing([], [0, 1], {});
    session = {
      ...shown,
      askMasks: (method, params, signal) => {
        asked.push(params);
        return shown.askMasks(method, params, signal);
      },
    };
    const { objects } = await exported({ objects: 'shown', images: [1] });
    assert.deepEqual(asked, [{ image: 1, view: { sort: [], filters: [] } }]);
    assert.equal(objects, 1);
  });

  it('takes no notice of a filter of rows that belong to no object', async () => {
    session = showing([], [0, 0, 0]);
    await exported({ objects: 'shown' });
    assert.deepEqual(await objectsIn(), [1, 2, 3]);
  });

  it('shows everything where no panel is open', async () => {
    await exported({ objects: 'shown' });
    assert.deepEqual(await objectsIn(), [1, 2, 3]);
  });

  it('leaves no trace when it is cancelled, although the thread ends at once', async () => {
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
