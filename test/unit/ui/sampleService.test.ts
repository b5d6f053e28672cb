import * as assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../../src/base/log';
import { SampleService } from '../../../src/ui/sampleService';

/**
 * A program that behaves as the sample service does towards those who start it: one instance a folder, found by later
 * starts; it notes its number, its starts and the delays it was told.
 */
const program = `
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const { createServer, get } = require('node:http');
const { join } = require('node:path');
if (process.argv[2] !== 'serve') { console.error('no room\\nat all'); process.exit(3); }
const folder = process.argv[process.argv.indexOf('--data') + 1];
appendFileSync(join(folder, 'starts'), 's');
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
  server.listen(port, '127.0.0.1', () => {
    const baseUrl = 'http://127.0.0.1:' + server.address().port;
    writeFileSync(join(folder, 'service.json'), JSON.stringify({ baseUrl, apiKey: 'k' }));
    ready(baseUrl);
  });
  setTimeout(() => process.exit(0), 60_000);
}
`;

describe('The sample service, as a window sees it', () => {
  let folder: string;
  let service: SampleService;
  const window = () => new SampleService(join(folder, 'program.js'), folder, silentLog);
  const starts = async () => (await readFile(join(folder, 'starts'), 'utf8')).length;
  const stop = async () => {
    const { baseUrl } = await service.ensureRunning();
    await new Promise<void>(resolve => {
      const asked = get(`${baseUrl}/stop`, { agent: false });
      asked.once('error', () => undefined).once('close', resolve);
      asked.once('response', response => response.resume());
    });
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-analysis-sample-'));
    await writeFile(join(folder, 'program.js'), program);
    service = window();
  });

  afterEach(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is started once, however many ask for it at a time', async () => {
    const [one, two] = await Promise.all([service.ensureRunning(), service.ensureRunning()]);
    assert.deepEqual(one, two);
    await service.ensureRunning();
    assert.equal(await starts(), 1);
  });

  it('is found by other windows, also by those whose start ends at once', async () => {
    const { baseUrl } = await service.ensureRunning();
    for (let other = 0; other < 5; other++) {
      assert.equal((await window().ensureRunning()).baseUrl, baseUrl);
    }
  });

  it('hears a delay that was asked for while it was starting', async () => {
    await Promise.all([service.ensureRunning(), service.ensureRunning({ delayMs: 7 })]);
    assert.equal(await readFile(join(folder, 'delays'), 'utf8'), '{"delayMs":7}k');
  });

  it('is missed by those who ask for it all the time, and started again on its port', async () => {
    const before = await service.ensureRunning();
    await stop();
    const clock = Date.now;
    try {
      let now = clock();
      Date.now = () => now;
      // Each question comes long before the trust in the last answer would have ended.
      for (let asked = 0; asked < 4; asked++) {
        now += 400;
        await service.ensureRunning();
      }
    } finally {
      Date.now = clock;
    }
    assert.equal(await starts(), 2);
    assert.deepEqual(await service.ensureRunning(), before);
  });

  it('keeps its key from a stranger who took its port', async () => {
    const { baseUrl } = await service.ensureRunning();
    await stop();
    const heard: string[] = [];
    const stranger = createServer((request, response) => {
      heard.push(String(request.headers['x-api-key']));
      response.end('{"identity":"somebody else"}');
    });
    await new Promise<void>(resolve => stranger.listen(Number(new URL(baseUrl).port), '127.0.0.1', resolve));
    const clock = Date.now;
    try {
      Date.now = () => clock() + 10_000;
      const moved = await service.ensureRunning({ delayMs: 1 });
      assert.notEqual(moved.baseUrl, baseUrl);
    } finally {
      Date.now = clock;
      await new Promise(resolve => stranger.close(resolve));
    }
    assert.ok(heard.length > 0 && !heard.includes('k'));
  });

  it('says in its own words why the pictures could not be written', async () => {
    await assert.rejects(service.writePictures(folder), error => {
      assert.equal((error as { code?: unknown }).code, 'service-error');
      assert.equal((error as { details?: { reason?: string } }).details?.reason, 'no room');
      return true;
    });
    await service.ensureRunning();
  });
});
