import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { area, decodeCounts } from '../../../../src/archives/runLengthEncoding';
import { RowLinking } from '../../../../src/linking/engine/rowLinking';
import { openMasks } from '../../../../src/archives/engine/openMasks';
import { openTable } from '../../../../src/columns/engine/read/readTable';
import { call, disks, Workshop, type ServiceUnderTest } from './serviceHarness';

const JOBS = '/api/external/analysis-jobs';
const FOREVER = 60_000;

interface MaskRecord {
  bbox: [number, number, number, number];
  id: number;
  rle: { size: [number, number]; counts: string };
  pred_class: string;
  derived_objects: Record<string, unknown>;
}

interface MaskEntry {
  filename: string;
  id: string;
  width: number;
  height: number;
  objects: Record<string, MaskRecord>;
}

const twoDisks = disks(120, 90, [
  [30, 40, 12],
  [85, 50, 15],
]);
const oneDisk = disks(80, 100, [[40, 30, 10]]);

describe('Jobs of the sample service', () => {
  let workshop: Workshop;
  let service: ServiceUnderTest;
  /** Milliseconds the service's clock is ahead. */
  let ahead = 0;

  before(async () => {
    workshop = await Workshop.open();
    service = await workshop.start({ now: () => Date.now() + ahead });
  });

  after(async () => {
    await service.stop();
    await workshop.close();
  });

  const follow = (url: unknown, headers: Record<string, string> = {}, port = service.port) => {
    const { pathname, search } = new URL(String(url));
    return call(port, `${pathname}${search}`, { headers });
  };
  const succeeded = async (ids: string[], pipelineId?: string, name?: string) => {
    const id = await service.submit(ids, pipelineId, name);
    const job = await service.ended(`${JOBS}/${id}`);
    assert.equal(job['status'], 'SUCCEEDED', String(job['message']));
    return { id, job };
  };
  const pipelineOf = async (words: RegExp) => {
    const pipelines = await service.list('/api/external/pipelines');
    return pipelines.find(({ description }) => words.test(description ?? ''))?.['id'];
  };

  it('are pending once submitted, with their name and time', async () => {
    const file = await service.put('pending.png', oneDisk);
    const pipelineId = (await service.list('/api/external/pipelines'))[0]?.['id'];
    const { json } = await service.send(JOBS, { pipelineId, filesystemIds: [file], name: 'My first job' });
    const { id, createdAt, ...rest } = json;
    assert.match(String(id), /^[0-9a-f]{24}$/);
    assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(rest, { percentageCompleted: 0, status: 'PENDING', name: 'My first job' });
    const job = await service.ended(`${JOBS}/${String(id)}`);
    assert.equal(job['status'], 'SUCCEEDED');
    assert.equal(job['percentageCompleted'], 100);
    assert.equal(job['name'], 'My first job');
  });

  it('report every object and every image, with folders expanded', async () => {
    await service.put('two.png', twoDisks, 'plate/row 1');
    await service.put('one.png', oneDisk, 'plate');
    await service.put('none.png', disks(50, 50, []), 'plate');
    const root = await service.list('/api/external/filesystem-items?limit=100');
    const plate = root.find(item => item['name'] === 'plate')?.['id'] ?? '';
    const { job } = await succeeded([plate, plate], await pipelineOf(/^Bright objects on/));
    const objects = await follow(job['objectsDataCSVUrl']);
    assert.equal(objects.status, 200);
    assert.match(String(objects.headers['content-type']), /^text\/csv/);
    assert.equal(Number(objects.headers['content-length']), objects.body.length);
    const rows = objects.body.toString('utf8').trim().split(/\r?\n/);
    assert.match(rows[0] ?? '', /Image origin/);
    const origins = rows.slice(1).map(row => /plate\/[^",]*/.exec(row)?.[0]);
    assert.deepEqual(origins.toSorted(), ['plate/one.png', 'plate/row 1/two.png', 'plate/row 1/two.png']);
    const aggregate = await follow(job['aggregateDataCSVUrl']);
    assert.equal(aggregate.status, 200);
    for (const name of ['one.png', 'two.png', 'none.png'])
      assert.match(aggregate.body.toString('utf8'), new RegExp(name));
  });

  it('are listed newest first, in pages', async () => {
    const file = await service.put('paged.png', oneDisk);
    const first = await service.submit([file], undefined, 'older');
    const second = await service.submit([file], undefined, 'newer');
    await service.ended(`${JOBS}/${second}`);
    const newest = await service.list(`${JOBS}?limit=2`);
    assert.deepEqual(
      newest.map(job => job['id']),
      [second, first],
    );
    assert.deepEqual(newest[0], {
      ...newest[0],
      name: 'newer',
      status: 'SUCCEEDED',
      percentageCompleted: 100,
    });
    const next = await service.list(`${JOBS}?limit=1&startingAfter=${second}`);
    assert.deepEqual(
      next.map(job => job['id']),
      [first],
    );
  });

  it('run one at a time with their progress, and run again after a restart', async () => {
    let slow = await workshop.start({ delayMs: FOREVER });
    try {
      const files = [await slow.put('1.png', oneDisk), await slow.put('2.png', twoDisks)];
      const first = await slow.submit(files);
      const second = await slow.submit(files);
      const running = await slow.until(`${JOBS}/${first}`, job => Number(job['percentageCompleted']) > 0);
      assert.deepEqual([running['status'], running['percentageCompleted']], ['RUNNING', 25]);
      assert.equal((await slow.getJson(`${JOBS}/${second}`))['status'], 'PENDING');
      const masks = await slow.call(`${JOBS}/${first}/download-masks`, { method: 'POST' });
      assert.equal(masks.status, 400);
      assert.match(String(masks.json['message']), /RUNNING/);
      slow = await slow.restart({ delayMs: 0 });
      for (const id of [first, second]) {
        assert.equal((await slow.ended(`${JOBS}/${id}`))['status'], 'SUCCEEDED');
      }
    } finally {
      await slow.stop();
    }
  });

  it('go on at once where the delay for each image is taken back', async () => {
    const slow = await workshop.start({ delayMs: 60 * FOREVER });
    try {
      const job = `${JOBS}/${await slow.submit([await slow.put('1.png', oneDisk)])}`;
      await slow.until(job, ({ percentageCompleted }) => Number(percentageCompleted) > 0);
      assert.equal((await slow.send('/sample/settings', { delayMs: 0 }, 'PUT')).status, 200);
      assert.equal((await slow.ended(job))['status'], 'SUCCEEDED');
    } finally {
      await slow.stop();
    }
  });

  it('fail with an unreadable image, naming the file and the reason', async () => {
    const good = await service.put('good.png', oneDisk, 'mixed');
    const bad = await service.put('bad.png', Buffer.from('this is no image'), 'mixed');
    const id = await service.submit([good, bad]);
    const job = await service.ended(`${JOBS}/${id}`);
    assert.equal(job['status'], 'FAILED');
    assert.match(String(job['message']), /^mixed\/bad\.png: .{5,}/);
    assert.equal(job['objectsDataCSVUrl'], undefined);
    const masks = await service.call(`${JOBS}/${id}/download-masks`, { method: 'POST' });
    assert.equal(masks.status, 400);
    assert(!(await readdir(join(service.directory, 'results'))).includes(id), 'partial results are gone');
  });

  it('fail when their analysis crashes, without stopping the next', async () => {
    const threadFile = join(await workshop.folder('crashing'), 'thread.js');
    const onMessage = `message => { if (message.params.fileName === 'crash.png') process.exit(3); }`;
    const script = `require('node:worker_threads').parentPort.on('message', ${onMessage}); require(${JSON.stringify(workshop.bundle)});`;
    await writeFile(threadFile, script);
    const shaky = await workshop.start({ threadFile });
    try {
      const crashing = await shaky.submit([await shaky.put('crash.png', oneDisk)]);
      const next = await shaky.submit([await shaky.put('fine.png', oneDisk)]);
      const failed = await shaky.ended(`${JOBS}/${crashing}`);
      assert.equal(failed['status'], 'FAILED');
      assert.match(String(failed['message']), /^crash\.png: .*exit code 3/);
      assert.equal((await shaky.ended(`${JOBS}/${next}`))['status'], 'SUCCEEDED');
    } finally {
      await shaky.stop();
    }
  });

  it('have masks generated only on request, once, and keep them over a restart', async () => {
    const file = await service.put('masks once.png', twoDisks);
    const { id } = await succeeded([file]);
    const path = `${JOBS}/${id}/download-masks`;
    assert.equal((await service.call(path)).status, 404);
    assert.deepEqual(await service.getJson(path, { method: 'POST' }), {
      percentageCompleted: 0,
      status: 'SUBMITTED',
    });
    const done = await service.ended(path);
    assert.deepEqual(Object.keys(done).sort(), ['masksZipUrl', 'percentageCompleted', 'status']);
    assert.deepEqual([done['status'], done['percentageCompleted']], ['SUCCEEDED', 100]);
    const again = await service.getJson(path, { method: 'POST' });
    assert.equal(again['status'], 'SUCCEEDED');
    const before = await follow(again['masksZipUrl']);
    service = await service.restart();
    const stored = await service.getJson(path);
    assert.deepEqual((await follow(stored['masksZipUrl'])).body, before.body);
  });

  it('have images of one name in two folders, by their names in the masks and with their folders in the table', async () => {
    const radii = { control: [8, 9, 11, 12, 7, 10], treated: [7, 10, 13, 8, 11, 9] };
    const centers = { control: [22, 60, 98, 25, 62, 97], treated: [25, 58, 95, 22, 60, 99] };
    for (const folder of ['control', 'treated'] as const) {
      const cells = radii[folder].map((radius, at): [number, number, number] => [
        centers[folder][at] ?? 0,
        at < 3 ? 22 + (at % 2) : 66 - (at % 2),
        radius,
      ]);
      await service.put('img_1.png', disks(120, 90, cells), `study/${folder}`);
    }
    const root = await service.list('/api/external/filesystem-items?limit=100');
    const study = root.find(item => item['name'] === 'study')?.['id'] ?? '';
    const { id, job } = await succeeded([study], await pipelineOf(/^Bright objects on/));
    const masks = `${JOBS}/${id}/download-masks`;
    await service.getJson(masks, { method: 'POST' });
    const zip = await follow((await service.ended(masks))['masksZipUrl']);
    const names = [...(await unzip(zip.body))].flatMap(([entry, text]) =>
      entry.endsWith('_objects.json') ? [(JSON.parse(text) as MaskEntry).filename] : [],
    );
    assert.deepEqual(names, ['img_1.png', 'img_1.png']);
    const objects = await follow(job['objectsDataCSVUrl']);
    // As an archive that doesn't name the items, and a table: all rows are linked.
    const folder = await workshop.folder();
    const [archive, table] = [join(folder, 'masks.zip'), join(folder, 'objects.csv')];
    await writeFile(archive, zip.body);
    await writeFile(table, objects.body);
    const opened = await openMasks(archive);
    const { signal } = new AbortController();
    const rows = await openTable(table);
    const { report, paths } = await RowLinking.create(rows, opened, {}, signal);
    rows.dispose();
    opened.dispose();
    assert.deepEqual([report.matched, report.rowsWithoutObject, report.objectsWithoutRow], [12, 0, 0]);
    assert.deepEqual([...paths.values()].sort(), ['study/control/img_1.png', 'study/treated/img_1.png']);
  });

  const shapes = [
    [
      'cropped',
      /^Bright objects on/,
      disks(120, 90, [
        [30, 40, 12],
        [85, 50, 15],
      ]),
    ],
    ['full-frame', /^Dark objects/, inverted(120, 90)],
  ] as const;
  for (const [shape, words, image] of shapes) {
    it(`have a masks archive as documented, with ${shape} masks that match the table`, async () => {
      const file = await service.put(`${shape}.png`, image, 'masks');
      const empty = await service.put('empty.png', disks(64, 48, []), 'masks');
      const { id, job } = await succeeded([file, empty], await pipelineOf(words));
      const path = `${JOBS}/${id}/download-masks`;
      await service.getJson(path, { method: 'POST' });
      const zip = await follow((await service.ended(path))['masksZipUrl']);
      assert.equal(zip.headers['content-type'], 'application/zip');
      assert.equal(Number(zip.headers['content-length']), zip.body.length);
      const entries = await unzip(zip.body);
      assert.deepEqual(
        [...entries.keys()].toSorted(),
        [`${empty}_objects.json`, `${file}_objects.json`, 'index.json'].toSorted(),
      );

      const index = JSON.parse(entries.get('index.json') ?? '') as Record<string, unknown>;
      assert.deepEqual(Object.keys(index).sort(), ['classData', 'dateRun', 'resultId']);
      assert.match(
        String(index['resultId']),
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      assert.match(String(index['dateRun']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      const classes = index['classData'] as Record<string, { name: string; type: string }>;
      for (const [name, data] of Object.entries(classes)) assert.deepEqual(data, { name, type: 'Instance' });

      const none = JSON.parse(entries.get(`${empty}_objects.json`) ?? '') as MaskEntry;
      assert.deepEqual(none, { filename: 'empty.png', id: empty, height: 48, width: 64, objects: {} });

      const entry = JSON.parse(entries.get(`${file}_objects.json`) ?? '') as MaskEntry;
      const { filename, id: imageId, width, height } = entry;
      assert.deepEqual(
        { filename, imageId, width, height },
        { filename: `${shape}.png`, imageId: file, width: 120, height: 90 },
      );
      const records = Object.entries(entry.objects);
      assert.equal(records.length, 2);
      const areas = records.map(([key, record]) => {
        const [x1, y1, x2, y2] = record.bbox;
        assert.equal(String(record.id), key);
        assert(record.pred_class in classes);
        assert.deepEqual(record.derived_objects, {});
        assert.deepEqual(record.rle.size, shape === 'cropped' ? [y2 - y1, x2 - x1] : [height, width]);
        const text = Buffer.from(record.rle.counts, 'base64').toString('latin1');
        return area(decodeCounts(text, ...record.rle.size));
      });
      assert.deepEqual(areas.toSorted(), (await columnOf(job['objectsDataCSVUrl'], 'Area')).toSorted());
    });
  }

  const columnOf = async (url: unknown, name: string) => {
    const [header, ...rows] = (await follow(url)).body.toString('utf8').trim().split(/\r?\n/);
    const column = header?.split(',').indexOf(name) ?? -1;
    return rows.map(row => Number(row.split(',')[column]));
  };

  it('have result links that work without the key only, unchanged only, and for 15 minutes only', async () => {
    const { id, job } = await succeeded([await service.put('links.png', oneDisk)]);
    const url = String(job['objectsDataCSVUrl']);
    assert.equal((await follow(url)).status, 200);

    const withKey = await follow(url, { 'X-API-KEY': service.key });
    assert.equal(withKey.status, 400);
    assert.match(String(withKey.json['message']), /X-API-KEY/);

    const { status, json } = await follow(
      url.replace(/signature=./, found => `signature=${found.endsWith('A') ? 'B' : 'A'}`),
    );
    assert.equal(status, 403);
    assert.match(String(json['message']), /signature/);
    const forged = [
      url.replace('objects.csv', 'aggregate.csv'),
      url.replace(/expires=\d/, 'expires=9'),
      url.replace(/signature=.*/, 'signature='),
      url.replace(/\?.*/, ''),
      url.replace('objects.csv', '..%2F..%2F..%2Fservice.json'),
      url.replace(id, '../..'),
    ];
    for (const other of forged)
      assert([403, 404].includes((await follow(other)).status), 'a changed link works');

    ahead = 15 * 60 * 1000 + 1;
    try {
      const expired = await follow(url);
      assert.equal(expired.status, 403);
      assert.match(String(expired.json['message']), /expired/);
      const fresh = await service.getJson(`${JOBS}/${id}`);
      assert.equal((await follow(fresh['objectsDataCSVUrl'])).status, 200);
    } finally {
      ahead = 0;
    }
  });
});

/** Dark disks on bright ground. */
function inverted(width: number, height: number): Buffer {
  const centers = [
    [30, 40, 12],
    [85, 50, 15],
  ] as const;
  return disks(width, height, centers, { ground: 210, inside: 40 });
}

async function unzip(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const entries = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry));
    entries.set(entry.fileName, content.toString('utf8'));
  }
  return entries;
}
