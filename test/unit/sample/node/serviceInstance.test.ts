import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipelines } from '../../../../src/sample/node/analysis/pipelines';
import { sampleImages } from '../../../../src/sample/node/images/sampleImages';
import { startSampleService } from '../../../../src/sample/node/sampleService';
import type { ServiceRecord } from '../../../../src/sample/node/serviceRecord';
import { missing } from '../../capabilities';
import { call, disks, type ReceivedResponse, repeat, ServiceUnderTest, Workshop } from './serviceHarness';

const API = '/api/external';
const JOBS = `${API}/analysis-jobs`;

describe('An instance of the sample service', () => {
  let workshop: Workshop;

  before(async () => {
    workshop = await Workshop.open();
  });

  after(() => workshop.close());

  const recordIn = async (directory: string) =>
    JSON.parse(await readFile(join(directory, 'service.json'), 'utf8')) as ServiceRecord;

  /** The program, its first line, how it ended and what it said of errors. */
  const start = (...args: readonly string[]) => {
    const child = spawn(process.execPath, [workshop.bundle, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const firstLine = new Promise<string>(resolve => {
      let output = '';
      child.stdout.on('data', (piece: Buffer) => {
        output += piece.toString('utf8');
        if (output.includes('\n')) resolve(output);
      });
    });
    return { child, firstLine, ended: once(child, 'exit'), errors: text(child.stderr) };
  };

  /** What a window keeps open as long as it lives. */
  const windowOf = (port: number) =>
    new Promise<Socket>((resolve, reject) => {
      const headers = { Connection: 'Upgrade', Upgrade: 'image-analysis-window' };
      get({ port, host: '127.0.0.1', path: '/sample/window', headers, agent: false })
        .once('upgrade', (_response, socket: Socket) => resolve(socket.on('error', () => undefined).resume()))
        .once('error', reject);
    });

  it('writes its address and key to service.json, for the owner alone', async () => {
    const service = await workshop.start();
    try {
      const record = await recordIn(service.directory);
      assert.equal(record.baseUrl, `http://127.0.0.1:${record.port}`);
      assert.equal(record.pid, process.pid);
      const check = await call(record.port, '/api/external/check', {
        headers: { 'X-API-KEY': record.apiKey },
      });
      assert.deepEqual([check.json['user'], check.json['email']], [record.user, record.email]);
      if (process.platform !== 'win32') {
        assert.equal((await stat(join(service.directory, 'service.json'))).mode & 0o777, 0o600);
      }
    } finally {
      await service.stop();
    }
  });

  describe('when it is started for the first time', () => {
    let service: ServiceUnderTest;
    /** Of requests that were made while it was starting. */
    let responses: { identity: ReceivedResponse; items: ReceivedResponse };

    before(async () => {
      const directory = join(await workshop.folder(), 'new', 'data');
      const starting = workshop.start({ directory });
      // The record is written once the port is open, before the images are drawn.
      const record = await repeat(
        () => recordIn(directory).catch(() => undefined),
        found => found !== undefined,
      );
      const port = record?.port ?? 0;
      const headers = { 'X-API-KEY': record?.apiKey ?? '' };
      const [identity, items] = await Promise.all([
        call(port, '/sample/identity'),
        call(port, '/api/external/filesystem-items', { headers }),
      ]);
      responses = { identity, items };
      service = await starting;
    });

    after(() => service.stop());

    it('delays requests while it draws its images, and reports its identity in the meantime', async () => {
      const { identity, items } = responses;
      assert.equal(identity.json['ready'], false);
      assert.equal(items.status, 200);
      assert.equal(items.json['count'], 1);
      assert.deepEqual((await call(service.port, '/sample/identity')).json, {
        ...identity.json,
        ready: true,
      });
    });

    it('has a folder with the sample images', async () => {
      const folders = await service.list(`${API}/filesystem-items`);
      assert.deepEqual(
        folders.map(item => [item['name'], item['__t']]),
        [['Sample images', 'Folder']],
      );
      const images = await service.list(`${API}/filesystem-items?folderId=${folders[0]?.['id'] ?? ''}`);
      const [study, ...single] = images;
      assert.deepEqual([study?.['name'], study?.['__t']], ['study', 'Folder']);
      assert(single.every(item => item['__t'] === 'File'));
      const names = single.map(({ name }) => name);
      assert.deepEqual(
        names.toSorted(),
        sampleImages()
          .map(({ name }) => name)
          .toSorted(),
      );
      const conditions = await service.list(`${API}/filesystem-items?folderId=${study?.['id'] ?? ''}`);
      assert.deepEqual(
        conditions.map(({ name }) => name),
        ['control', 'treated'],
      );
    });

    it('draws the same images as the program writes into a folder, which leaves those that are there', async () => {
      const { items } = JSON.parse(await readFile(join(service.directory, 'items.json'), 'utf8')) as {
        items: { id: string; name: string; study?: string; __t: string }[];
      };
      const drawn = items.filter(({ study, __t }) => __t === 'File' && study === undefined);
      const fileOf = ({ id }: { id: string }) => join(service.directory, 'files', id);
      const [first, second, other, ...others] = drawn;
      assert(first && second && other);
      const directory = await workshop.folder('images');
      for (const image of others) await copyFile(fileOf(image), join(directory, image.name));
      await writeFile(join(directory, other.name), 'edited by its owner');
      const { firstLine, ended } = start('images', '--out', directory);
      assert.deepEqual(JSON.parse(await firstLine), { written: 2, skipped: drawn.length - 2 });
      assert.deepEqual(await ended, [0, null]);
      assert.equal((await readdir(directory)).length, drawn.length);
      for (const image of [first, second, ...others])
        assert.deepEqual(await readFile(join(directory, image.name)), await readFile(fileOf(image)));
      assert.equal(await readFile(join(directory, other.name), 'utf8'), 'edited by its owner');
    });

    it('has the same port, key, files and jobs after a restart, and adds the images only once', async () => {
      const file = await service.put('kept.png', disks(60, 60, [[30, 30, 10]]), 'kept');
      const id = await service.submit([file]);
      const job = await service.ended(`${JOBS}/${id}`);
      const root = await service.list('/api/external/filesystem-items');
      const { port, key } = service;
      service = await service.restart();
      assert.deepEqual([service.port, service.key], [port, key]);
      assert.deepEqual(await service.list('/api/external/filesystem-items'), root);
      const stored = await service.getJson(`${JOBS}/${id}`);
      assert.deepEqual([stored['status'], stored['createdAt']], ['SUCCEEDED', job['createdAt']]);
      const { pathname, search } = new URL(String(job['objectsDataCSVUrl']));
      assert.equal((await call(service.port, pathname + search)).status, 200, 'a link outlives the restart');
    });
  });

  it('uses another port, and writes it to service.json, when another program uses its own', async () => {
    let service = await workshop.start();
    const { port } = service;
    await service.stop();
    const stranger = createServer((_request, response) => response.end('{"identity":"somebody else"}'));
    stranger.listen(port, '127.0.0.1');
    await once(stranger, 'listening');
    try {
      service = await service.restart();
      assert.notEqual(service.port, port);
      assert.equal((await recordIn(service.directory)).port, service.port);
      assert.equal((await service.call('/api/external/check')).status, 200);
    } finally {
      await service.stop();
      stranger.close();
    }
  });

  it('opens the data folder of an earlier version, whose state has the same keys', async () => {
    const options = { ...(await workshop.options()), directory: await workshop.folder() };
    const { directory } = options;
    const [folder, file, job] = ['a', 'b', 'c'].map(digit => digit.repeat(24)) as [string, string, string];
    const createdAt = '2026-11-01T10:00:00.000Z';
    const secrets = { linkSecret: 's'.repeat(43), dataId: 'd'.repeat(24) };
    const record = {
      baseUrl: '',
      port: 0,
      apiKey: 'k'.repeat(32),
      user: 'e'.repeat(24),
      email: 'a@b.example',
    };
    const disk = {
      id: 1,
      className: 'Object',
      classIndex: 0,
      bbox: [1, 1, 3, 3],
      score: 1,
      rle: { size: [2, 2], counts: '04' },
      measurements: { Area: 4 },
    };
    const state = {
      'service.json': { ...record, pid: 1, private: secrets },
      'items.json': {
        items: [
          { id: folder, __t: 'Folder', name: 'Sample pictures', createdAt },
          { id: file, __t: 'File', name: 'old.png', createdAt, size: 3, parentId: folder },
        ],
        seeded: true,
      },
      'jobs.json': {
        jobs: [
          {
            id: job,
            name: 'old',
            createdAt,
            pipelineId: pipelines.find(({ maskShape }) => maskShape === 'cropped')?.id,
            itemIds: [file],
            status: 'SUCCEEDED',
            percentageCompleted: 100,
            dateRun: createdAt,
          },
        ],
      },
      [`results/${job}/images/${file}.json`]: { width: 4, height: 4, objects: [disk] },
    };
    await mkdir(join(directory, 'results', job, 'images'), { recursive: true });
    await mkdir(join(directory, 'files'));
    await writeFile(join(directory, 'files', file), 'old');
    await writeFile(join(directory, 'results', job, 'objects.csv'), 'Object ID\n1\n');
    await writeFile(join(directory, 'items.json.0123456789ab.aside'), '{');
    for (const [name, value] of Object.entries(state))
      await writeFile(join(directory, name), JSON.stringify(value));
    const service = await ServiceUnderTest.start(options);
    try {
      assert.equal(service.key, record.apiKey);
      const items = await service.list(`/api/external/filesystem-items?folderId=${folder}`);
      assert.deepEqual(items, [{ id: file, name: 'old.png', createdAt, __t: 'File' }]);
      const { status, objectsDataCSVUrl } = await service.getJson(`${JOBS}/${job}`);
      assert.equal(status, 'SUCCEEDED');
      const { pathname, search } = new URL(String(objectsDataCSVUrl));
      assert.equal((await call(service.port, pathname + search)).body.toString('utf8'), 'Object ID\n1\n');
      await service.send(`${JOBS}/${job}/download-masks`, {});
      assert.equal((await service.ended(`${JOBS}/${job}/download-masks`))['status'], 'SUCCEEDED');
      assert.deepEqual(
        (await readdir(directory)).filter(name => name.endsWith('.aside')),
        [],
        'a partial file of a crash is removed',
      );
    } finally {
      await service.stop();
    }
  });

  it('is the only one, however many start at the same time', async () => {
    const options = await workshop.options();
    const starts = await Promise.all(Array.from({ length: 5 }, () => startSampleService(options)));
    const started = starts.flatMap(start => (start.kind === 'started' ? [start] : []));
    try {
      assert.equal(started.length, 1);
      assert.deepEqual(new Set(starts.map(start => start.record.baseUrl)).size, 1);
    } finally {
      for (const service of started) await service.stop();
    }
  });

  it('replaces one that died, and a process that never responds', async () => {
    const options = { ...(await workshop.options()), silentMs: 0 };
    const dead = spawn(process.execPath, ['-e', '']);
    await once(dead, 'exit');
    for (const pid of [dead.pid, process.ppid]) {
      const holder = { pid, instanceId: 'gone', since: Date.now() };
      await writeFile(join(options.directory, 'service.lock'), JSON.stringify(holder));
      const service = await ServiceUnderTest.start(options);
      await service.stop();
    }
    assert.deepEqual(
      (await readdir(options.directory)).filter(name => name.startsWith('service.lock')),
      [],
    );
  });

  it('renames a damaged state file instead of losing it', async () => {
    const log: string[] = [];
    const options = await workshop.options(log);
    await writeFile(join(options.directory, 'jobs.json'), '{"jobs":[{');
    const service = await ServiceUnderTest.start(options);
    try {
      assert.deepEqual(await service.list(JOBS), []);
      assert.equal(await readFile(join(options.directory, 'jobs.json.damaged'), 'utf8'), '{"jobs":[{');
      assert.match(log.join('\n'), /jobs\.json/);
    } finally {
      await service.stop();
    }
  });

  it('removes what a crash left unfinished', async () => {
    let service = await workshop.start();
    const id = await service.put('kept.png', Buffer.from('x'));
    const before = await readdir(join(service.directory, 'files'));
    await service.stop();
    await writeFile(join(service.directory, 'files', 'ffffffffffffffffffffffff'), 'moved, but never listed');
    await writeFile(join(service.directory, 'uploads', 'half.part'), 'half');
    service = await service.restart();
    try {
      assert(before.includes(id));
      assert.deepEqual(await readdir(join(service.directory, 'files')), before);
      assert.deepEqual(await readdir(join(service.directory, 'uploads')), []);
    } finally {
      await service.stop();
    }
  });

  it('ends by itself without requests, but not before its job has ended', async () => {
    let service = await workshop.start();
    const id = await service.submit([await service.put('last.png', disks(60, 60, [[30, 30, 10]]))]);
    await service.ended(`${JOBS}/${id}`);
    await service.stop();
    const state = join(service.directory, 'jobs.json');
    const { jobs } = JSON.parse(await readFile(state, 'utf8')) as { jobs: Record<string, unknown>[] };
    await writeFile(state, JSON.stringify({ jobs: jobs.map(job => ({ ...job, status: 'PENDING' })) }));
    service = await service.restart({ idleMs: 1 });
    await service.service.stopped;
    const after = JSON.parse(await readFile(state, 'utf8')) as { jobs: Record<string, unknown>[] };
    assert.deepEqual(
      after.jobs.map(job => job['status']),
      ['SUCCEEDED'],
    );
    await assert.rejects(service.call('/api/external/check'), { code: 'ECONNREFUSED' });
  });

  it('ends with the last window, and its next start runs the job that was unfinished', async () => {
    let service = await workshop.start({ delayMs: 60_000, withoutWindowsMs: 2000 });
    const window = await windowOf(service.port);
    const id = await service.submit([await service.put('slow.png', disks(60, 60, [[30, 30, 10]]))]);
    await service.until(`${JOBS}/${id}`, ({ status }) => status === 'RUNNING');
    const job = async () => (await service.getJson(`${JOBS}/${id}`))['status'];
    window.destroy();
    await service.service.stopped;
    assert(!(await readdir(service.directory)).includes('service.lock'));
    service = await service.restart({ delayMs: 0, withoutWindowsMs: 60_000 });
    try {
      await service.ended(`${JOBS}/${id}`);
      assert.equal(await job(), 'SUCCEEDED');
    } finally {
      await service.stop();
    }
  });

  it('closes the connections of windows when it ends', async () => {
    const service = await workshop.start({ withoutWindowsMs: 60_000 });
    const window = await windowOf(service.port);
    const closed = once(window, 'close');
    await service.stop();
    await closed;
  });

  describe('in its own process', () => {
    it('prints one ready line without the key, is found by a second start, and ends cleanly on SIGTERM', async () => {
      const directory = await workshop.dataFolder();
      const first = start('serve', '--data', directory, '--delay-ms', '7');
      const line = await first.firstLine;
      const record = await recordIn(directory);
      assert.equal(line, `${JSON.stringify({ ready: true, baseUrl: record.baseUrl })}\n`);
      assert.equal(record.pid, first.child.pid);
      const headers = { 'X-API-KEY': record.apiKey };
      const settings = async () => (await call(record.port, '/sample/settings', { headers })).json;
      assert.deepEqual(await settings(), { delayMs: 7, stays: true });

      const second = start('serve', '--data', directory, '--delay-ms', '3');
      assert.equal(await second.firstLine, line);
      assert.deepEqual(await second.ended, [0, null]);
      assert.deepEqual(await settings(), { delayMs: 3, stays: true });

      await call(record.port, '/api/external/check', { headers: { 'X-API-KEY': 'wrong' } });
      await call(record.port, '/api/external/check', { headers });
      first.child.kill('SIGTERM');
      assert.deepEqual(await first.ended, missing.signals ? [null, 'SIGTERM'] : [0, null]);
      const printed = line + (await first.errors) + (await second.errors);
      assert(!printed.includes(record.apiKey), 'the key was printed');
      assert.equal(await first.errors, '');
      if (!missing.signals) assert(!(await readdir(directory)).includes('service.lock'));
    });

    it('runs one process for two starts at the same moment, and is available again after it was killed', async () => {
      const directory = await workshop.dataFolder();
      const starts = [start('serve', '--data', directory), start('serve', '--data', directory)];
      const lines = await Promise.all(starts.map(({ firstLine }) => firstLine));
      assert.equal(lines[0], lines[1]);
      const { pid } = await recordIn(directory);
      const living = starts.find(({ child }) => child.pid === pid);
      const other = starts.find(({ child }) => child.pid !== pid);
      assert.deepEqual(await other?.ended, [0, null]);
      living?.child.kill('SIGKILL');
      await living?.ended;
      const next = start('serve', '--data', directory);
      assert.equal(await next.firstLine, lines[0], 'the port is kept');
      next.child.kill('SIGTERM');
      await next.ended;
    });

    it('ends with its windows where one started it, and no more once it was started by hand', async () => {
      const directory = await workshop.dataFolder();
      const first = start('serve', '--data', directory, '--without-windows-ms', '60000');
      await first.firstLine;
      const { port, apiKey } = await recordIn(directory);
      const stays = async () =>
        (await call(port, '/sample/settings', { headers: { 'X-API-KEY': apiKey } })).json['stays'];
      assert.equal(await stays(), false);
      for (const [args, expected] of [
        [['--without-windows-ms', '0'], false],
        [[], true],
        [['--without-windows-ms', '0'], true],
      ] as const) {
        const next = start('serve', '--data', directory, ...args);
        assert.deepEqual(await next.ended, [0, null]);
        assert.equal(await stays(), expected);
      }
      first.child.kill('SIGTERM');
      await first.ended;
    });

    it('writes the images of the study in folders by condition', async () => {
      const directory = join(await workshop.folder(), 'study');
      const { firstLine, ended } = start('images', '--out', directory, '--study');
      assert.deepEqual(JSON.parse(await firstLine), { written: 24, skipped: 0 });
      assert.deepEqual(await ended, [0, null]);
      const names = (await readdir(directory)).toSorted();
      assert.deepEqual(names, ['control', 'treated']);
      for (const name of names) assert.equal((await readdir(join(directory, name))).length, 12);
    });

    it('prints its usage when the arguments are wrong', async () => {
      for (const args of [
        [],
        ['serve'],
        ['images'],
        ['serve', '--data', 'x', '--delay-ms', 'soon'],
        ['serve', '--data', 'x', '--without-windows-ms', ''],
        ['--port', '1'],
      ]) {
        const { ended, errors } = start(...args);
        assert.deepEqual(await ended, [2, null], args.join(' '));
        assert.match(await errors, /serve --data DIR/);
      }
    });
  });
});
