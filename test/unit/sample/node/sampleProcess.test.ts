import { quoted } from '../../../../src/base/reasons';
import * as assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../../../src/base/log';
import { isRunning } from '../../../../src/base/node/thisProcess';
import { SampleProcess } from '../../../../src/sample/node/sampleProcess';

/**
 * A program that starts like the sample service: one instance per folder, found by later starts. It
 * writes down its starts and delays.
 */
const program = `
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const { createServer, get } = require('node:http');
const { join } = require('node:path');
if (process.argv[2] !== 'serve') { console.error('no room\\nat all'); process.exit(3); }
const folder = process.argv[process.argv.indexOf('--data') + 1];
appendFileSync(join(folder, 'starts'), 's');
writeFileSync(join(folder, 'arguments'), process.argv.slice(2).join(' '));
const ready = baseUrl => process.stdout.write(JSON.stringify({ ready: true, baseUrl }) + '\\n');
let known;
try { known = JSON.parse(readFileSync(join(folder, 'service.json'), 'utf8')); } catch {}
if (known) get(known.baseUrl + '/sample/identity', answer => {
  let text = '';
  answer.on('data', part => (text += part));
  answer.on('end', () => (text.includes('"me"') ? ready(known.baseUrl) : serve(0)));
}).on('error', () => serve(Number(new URL(known.baseUrl).port)));
else serve(0);
function serve(port) {
  const server = createServer((request, response) => {
    if (request.url === '/stop') { server.close(); response.end(() => process.exit(0)); return; }
    let body = '';
    request.on('data', part => (body += part));
    request.on('end', () => {
      if (request.method === 'PUT') appendFileSync(join(folder, 'delays'), body + request.headers['x-api-key']);
      response.end(JSON.stringify({ identity: 'me' }));
    });
  });
  server.on('upgrade', (request, socket) => {
    const note = text => appendFileSync(join(folder, 'windows'), text);
    note([request.method, request.url, request.headers.upgrade, request.headers['x-api-key'], ''].join(' '));
    socket.on('error', () => undefined).on('end', () => socket.destroy()).on('close', () => note('closed ')).resume();
    socket.write('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\n\\r\\n');
  });
  server.listen(port, '127.0.0.1', () => {
    const baseUrl = 'http://127.0.0.1:' + server.address().port;
    writeFileSync(join(folder, 'service.json'), JSON.stringify({ baseUrl, apiKey: 'k', pid: process.pid }));
    ready(baseUrl);
  });
  setTimeout(() => process.exit(0), 60_000);
}
`;

describe('The sample service process', () => {
  let folder: string;
  let service: SampleProcess;
  let windows: SampleProcess[];
  const window = () => {
    const opened = new SampleProcess(join(folder, 'program.js'), folder, silentLog);
    windows.push(opened);
    return opened;
  };
  const starts = async () => (await readFile(join(folder, 'starts'), 'utf8')).length;
  const stop = async () => {
    const { baseUrl } = await service.ensureRunning();
    await new Promise<void>(resolve => {
      const stopping = get(`${baseUrl}/stop`, { agent: false });
      stopping.once('error', () => undefined).once('close', resolve);
      stopping.once('response', response => response.resume());
    });
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-analysis-sample-'));
    await writeFile(join(folder, 'program.js'), program);
    windows = [];
    service = window();
  });

  afterEach(async () => {
    await stop();
    for (const each of windows) each.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it('is started once, however many concurrent calls need it', async () => {
    const [one, two] = await Promise.all([service.ensureRunning(), service.ensureRunning()]);
    assert.deepEqual(one, two);
    await service.ensureRunning();
    assert.equal(await starts(), 1);
  });

  it('is shared by other windows, also where their start ends at once', async () => {
    const { baseUrl } = await service.ensureRunning();
    for (let other = 0; other < 5; other++) {
      assert.equal((await window().ensureRunning()).baseUrl, baseUrl);
    }
  });

  it('gets a delay that was set while it was starting', async () => {
    await Promise.all([service.ensureRunning(), service.ensureRunning({ delayMs: 7 })]);
    assert.equal(await readFile(join(folder, 'delays'), 'utf8'), '{"delayMs":7}k');
  });

  it('is started again on its port after it ended, also under frequent calls', async () => {
    const before = await service.ensureRunning();
    await stop();
    const clock = Date.now;
    try {
      let now = clock();
      Date.now = () => now;
      // Each call comes long before the last identity read would have expired.
      for (let calls = 0; calls < 4; calls++) {
        now += 400;
        await service.ensureRunning();
      }
    } finally {
      Date.now = clock;
    }
    assert.equal(await starts(), 2);
    assert.deepEqual(await service.ensureRunning(), before);
  });

  it('is started again at once after it was killed', async () => {
    const before = await service.ensureRunning();
    const stored = JSON.parse(await readFile(join(folder, 'service.json'), 'utf8')) as { pid: number };
    process.kill(stored.pid, 'SIGKILL');
    while (isRunning(stored.pid)) await new Promise(resolve => setImmediate(resolve));
    const clock = Date.now;
    try {
      // The last identity read has not expired.
      const now = clock();
      Date.now = () => now;
      assert.deepEqual(await service.ensureRunning(), before);
    } finally {
      Date.now = clock;
    }
    assert.equal(await starts(), 2);
  });

  it('sends its key to no other program on its port', async () => {
    const { baseUrl } = await service.ensureRunning();
    await stop();
    const receivedKeys: string[] = [];
    const other = createServer((request, response) => {
      receivedKeys.push(String(request.headers['x-api-key']));
      response.end('{"identity":"somebody else"}');
    });
    await new Promise<void>(resolve => other.listen(Number(new URL(baseUrl).port), '127.0.0.1', resolve));
    const clock = Date.now;
    try {
      Date.now = () => clock() + 10_000;
      const moved = await service.ensureRunning({ delayMs: 1 });
      assert.notEqual(moved.baseUrl, baseUrl);
    } finally {
      Date.now = clock;
      await new Promise(resolve => other.close(resolve));
    }
    assert.ok(receivedKeys.length > 0 && !receivedKeys.includes('k'));
  });

  const OPENED = 'GET /sample/window image-analysis-window  ';
  const connections = () => readFile(join(folder, 'windows'), 'utf8').catch(() => '');
  const connectionsBecome = async (expected: string) => {
    while ((await connections()) !== expected) await new Promise(resolve => setImmediate(resolve));
  };

  it('has one connection of each window that uses it, for as long as that lives, and ends within 15 s without any', async () => {
    await Promise.all([service.ensureRunning(), service.ensureRunning()]);
    await service.ensureRunning();
    assert.equal(await connections(), OPENED);
    const second = window();
    await second.ensureRunning();
    assert.equal(await connections(), OPENED + OPENED);
    second.dispose();
    await connectionsBecome(`${OPENED}${OPENED}closed `);
    const { 1: time } = /^serve --data .* --without-windows-ms (\d+)$/.exec(
      await readFile(join(folder, 'arguments'), 'utf8'),
    ) ?? [''];
    // A window takes some seconds to reload.
    assert.ok(Number(time) >= 10_000 && Number(time) <= 13_000, time);
  });

  it('is kept by a window that was reloaded, which starts none and sends no key', async () => {
    await service.keepRunning();
    await assert.rejects(starts(), { code: 'ENOENT' });
    await service.ensureRunning();
    const reloaded = window();
    await reloaded.keepRunning();
    await reloaded.keepRunning();
    assert.equal(await connections(), OPENED + OPENED);
    assert.equal(await starts(), 1);
    await stop();
    await window().keepRunning();
    assert.equal(await starts(), 1);
  });

  it('gets another connection of a window after it was killed', async () => {
    await service.ensureRunning();
    const stored = JSON.parse(await readFile(join(folder, 'service.json'), 'utf8')) as { pid: number };
    process.kill(stored.pid, 'SIGKILL');
    while (isRunning(stored.pid)) await new Promise(resolve => setImmediate(resolve));
    await service.ensureRunning();
    assert.equal(await connections(), OPENED + OPENED);
  });

  it('is used by a window that can have no connection, as that of an earlier version', async () => {
    await writeFile(join(folder, 'program.js'), program.replace("server.on('upgrade'", "server.on('none'"));
    await service.ensureRunning();
    await service.ensureRunning();
    assert.equal(await starts(), 1);
    assert.equal(await connections(), '');
  });

  it('is quoted on why the images could not be written', async () => {
    await assert.rejects(service.writeImages(folder, 'single'), error => {
      assert.equal((error as { code?: unknown }).code, 'service-error');
      assert.deepEqual((error as { details?: { reason?: object } }).details?.reason, quoted('no room'));
      return true;
    });
    await service.ensureRunning();
  });
});
