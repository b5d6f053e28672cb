import { deepEqual, equal, match } from 'node:assert/strict';
import { SystemProxies } from '../../../../../src/service/node/proxies';
import { silentLog } from '../../../../../src/base/log';

const ORIGIN = 'https://service.example';

describe("The system's proxies", () => {
  let now: number;
  let lines: string[];
  let origins: string[];
  let answer: () => Promise<string | undefined>;
  let proxies: SystemProxies;

  beforeEach(() => {
    now = 0;
    lines = [];
    origins = [];
    answer = () => Promise.resolve('http://proxy.lab:8080');
    const note = (line: string) => void lines.push(line);
    const log = { ...silentLog, info: note, warn: note };
    proxies = new SystemProxies(
      origin => (origins.push(origin), answer()),
      log,
      () => now,
      20,
    );
  });

  it('are looked up once by many requests at a time, and not again while they count', async () => {
    deepEqual(await Promise.all([proxies.for(ORIGIN), proxies.for(ORIGIN)]), [
      'http://proxy.lab:8080',
      'http://proxy.lab:8080',
    ]);
    now = 29_999;
    equal(await proxies.for(ORIGIN), 'http://proxy.lab:8080');
    deepEqual([origins, proxies.isFresh(ORIGIN)], [[ORIGIN], true]);
  });

  it('are others in another network', async () => {
    await proxies.for(ORIGIN);
    now = 30_000;
    equal(proxies.isFresh(ORIGIN), false);
    answer = () => Promise.resolve(undefined);
    equal(await proxies.for(ORIGIN), undefined);
    equal(origins.length, 2);
  });

  it('are those of before where the system fails to say, or says nothing', async () => {
    await proxies.for(ORIGIN);
    for (const failing of [
      () => Promise.reject(new Error('gone')),
      () => new Promise<undefined>(() => undefined),
    ]) {
      now += 30_000;
      answer = failing;
      equal(await proxies.for(ORIGIN), 'http://proxy.lab:8080');
    }
    answer = () => Promise.reject(new Error('gone'));
    equal(await proxies.for('https://other.example'), undefined);
    match(lines.join('\n'), /could not be found out: Error: gone/);
    match(lines.join('\n'), /no answer within 20 ms/);
  });

  it('are logged without passwords, and only when they change', async () => {
    answer = () => Promise.resolve('http://me:secret@proxy.lab:8080');
    for (; now < 90_000; now += 30_000) await proxies.for(ORIGIN);
    deepEqual(lines, [`The system's proxy is http://proxy.lab:8080 for ${ORIGIN}`]);
  });
});
