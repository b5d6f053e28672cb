import assert from 'node:assert/strict';
import { call, Workshop, type ServiceUnderTest } from './serviceHarness';

const API = '/api/external';
const UNKNOWN = '0123456789abcdef01234567';

describe('The endpoints of the sample service', () => {
  let workshop: Workshop;
  let service: ServiceUnderTest;

  before(async () => {
    workshop = await Workshop.open();
    service = await workshop.start();
  });

  after(async () => {
    await service.stop();
    await workshop.close();
  });

  const isAnswered = async (path: string, status: number, reason: RegExp) => {
    const answer = await service.call(path);
    assert.equal(answer.status, status);
    assert.match(String(answer.json['message']), reason);
  };

  const folder = async (name: string) => {
    const items = await service.list(`${API}/filesystem-items?limit=100`);
    return items.find(item => item['name'] === name)?.['id'] ?? '';
  };

  it('return the owner of a valid key', async () => {
    const check = await service.getJson(`${API}/check`);
    assert.deepEqual(Object.keys(check).sort(), ['email', 'messsage', 'user']);
    assert.match(String(check['user']), /^[0-9a-f]{24}$/);
    assert.match(String(check['email']), /^\S+@\S+$/);
    assert.match(String(check['messsage']), /valid/);
  });

  it('reject every path of the API without the key or with a wrong one', async () => {
    const paths = [
      '/check',
      '/filesystem-items',
      '/pipelines',
      '/analysis-jobs',
      `/analysis-jobs/${UNKNOWN}`,
      '/nowhere',
    ];
    for (const path of paths) {
      for (const key of [undefined, '', 'wrong', `${service.key}x`]) {
        const withKey = key === undefined ? {} : { headers: { 'X-API-KEY': key } };
        const answer = await call(service.port, `${API}${path}`, withKey);
        assert.equal(answer.status, 401, path);
        assert.equal(typeof answer.json['message'], 'string');
      }
    }
    for (const path of [
      '/filesystem-items/upload-file',
      '/analysis-jobs',
      `/analysis-jobs/${UNKNOWN}/download-masks`,
    ]) {
      assert.equal(
        (await call(service.port, `${API}${path}`, { method: 'POST', body: '{}' })).status,
        401,
        path,
      );
    }
    assert.equal((await call(service.port, '/sample/settings')).status, 401);
  });

  it('reject requests for another host name, also with the key', async () => {
    for (const host of ['attacker.example', `attacker.example:${service.port}`, '127.0.0.1', '127.0.0.1:1']) {
      const answer = await service.call(`${API}/check`, { headers: { Host: host } });
      assert.equal(answer.status, 421, host);
    }
    const headers = { Host: `localhost:${service.port}` };
    assert.equal((await service.call(`${API}/check`, { headers })).status, 200);
  });

  it('return 404 for unknown paths and 405 with the allowed methods for other methods', async () => {
    assert.equal((await service.call(`${API}/nowhere`)).status, 404);
    assert.equal((await service.call('/')).status, 404);
    assert.equal((await service.call(`${API}/check/`)).status, 404);
    const answer = await service.call(`${API}/analysis-jobs`, { method: 'DELETE' });
    assert.equal(answer.status, 405);
    assert.deepEqual(answer.headers['allow']?.split(', ').sort(), ['GET', 'POST']);
    assert.equal((await service.call(`${API}/%E0%A4%A`)).status, 400);
  });

  it('list folders first, then files, each by name, in consecutive pages', async () => {
    const names = ['b10.png', 'b2.png', 'a.png'];
    for (const name of names) await service.put(name, Buffer.from('x'), 'paged');
    await service.put('x.png', Buffer.from('x'), 'paged/z folder');
    const folderId = await folder('paged');
    const seen: string[] = [];
    for (let startingAfter = ''; ;) {
      const path = `${API}/filesystem-items?folderId=${folderId}&limit=3&startingAfter=${startingAfter}`;
      const { results, count } = await service.getJson(path);
      const page = results as Record<string, string>[];
      assert.equal(count, page.length);
      if (page.length === 0) break;
      seen.push(...page.map(item => item['name'] ?? ''));
      startingAfter = page.at(-1)?.['id'] ?? '';
    }
    assert.deepEqual(seen, ['z folder', 'a.png', 'b2.png', 'b10.png']);
  });

  it('return 20 entries by default, and never more than 100', async () => {
    for (let number = 0; number < 105; number++) await service.put(`${number}.png`, Buffer.from('x'), 'many');
    const path = `${API}/filesystem-items?folderId=${await folder('many')}`;
    assert.equal((await service.list(path)).length, 20);
    assert.equal((await service.list(`${path}&limit=100`)).length, 100);
    assert.equal((await service.list(`${path}&limit=5000`)).length, 100);
  });

  it('reject invalid limits, cursors and folders', async () => {
    for (const limit of ['0', '-1', '1.5', 'ten']) {
      await isAnswered(`${API}/pipelines?limit=${limit}`, 400, /limit/);
    }
    await isAnswered(`${API}/pipelines?startingAfter=${UNKNOWN}`, 400, /startingAfter/);
    await isAnswered(`${API}/filesystem-items?folderId=${UNKNOWN}`, 404, /No folder/);
    const file = await service.put('a file.png', Buffer.from('x'));
    await isAnswered(`${API}/filesystem-items?folderId=${file}`, 404, /No folder/);
  });

  it('list pipelines newest first with their descriptions, in pages', async () => {
    const all = await service.list(`${API}/pipelines`);
    assert(all.length >= 3);
    for (const pipeline of all) {
      assert.deepEqual(Object.keys(pipeline).sort(), ['createdAt', 'description', 'id']);
      assert.match(pipeline['id'] ?? '', /^[0-9a-f]{24}$/);
      assert.match(pipeline['createdAt'] ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    const dates = all.map(pipeline => pipeline['createdAt']);
    assert.deepEqual(dates, dates.toSorted().reverse());
    const next = await service.list(`${API}/pipelines?limit=1&startingAfter=${all[0]?.['id'] ?? ''}`);
    assert.deepEqual(next, [all[1]]);
  });

  it("reject a submit that can't be analyzed", async () => {
    const pipelineId = (await service.list(`${API}/pipelines`))[0]?.['id'];
    const file = await service.put('submit.png', Buffer.from('x'));
    const refused: [unknown, RegExp][] = [
      [{ filesystemIds: [file] }, /pipelineId/],
      [{ pipelineId: UNKNOWN, filesystemIds: [file] }, /pipelineId/],
      [{ pipelineId }, /filesystemIds/],
      [{ pipelineId, filesystemIds: [] }, /filesystemIds/],
      [{ pipelineId, filesystemIds: file }, /filesystemIds/],
      [{ pipelineId, filesystemIds: [file, UNKNOWN] }, new RegExp(UNKNOWN)],
      [{ pipelineId, filesystemIds: [1] }, /filesystemIds/],
      [{ pipelineId, filesystemIds: [file], name: 7 }, /name/],
      [[], /JSON object/],
    ];
    for (const [body, reason] of refused) {
      const answer = await service.send(`${API}/analysis-jobs`, body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.match(String(answer.json['message']), reason);
    }
    const broken = await service.call(`${API}/analysis-jobs`, { method: 'POST', body: '{"pipelineId":' });
    assert.equal(broken.status, 400);
    const huge = await service.call(`${API}/analysis-jobs`, {
      method: 'POST',
      body: Buffer.alloc(9 * 1024 * 1024),
    });
    assert.equal(huge.status, 413);
    assert.deepEqual(await service.list(`${API}/analysis-jobs`), []);
  });

  it('return 404 for unknown jobs', async () => {
    await isAnswered(`${API}/analysis-jobs/${UNKNOWN}`, 404, /No analysis job/);
    await isAnswered(`${API}/analysis-jobs/${UNKNOWN}/download-masks`, 404, /No analysis job/);
    const posted = await service.call(`${API}/analysis-jobs/${UNKNOWN}/download-masks`, { method: 'POST' });
    assert.equal(posted.status, 404);
  });

  it('change the time per image on request', async () => {
    const set = await service.send('/sample/settings', { delayMs: 25 }, 'PUT');
    assert.deepEqual(set.json, { delayMs: 25, stays: true });
    assert.deepEqual(await service.getJson('/sample/settings'), { delayMs: 25, stays: true });
    for (const delayMs of [-1, 1.5, '5', 1e9, undefined]) {
      assert.equal((await service.send('/sample/settings', { delayMs }, 'PUT')).status, 400);
    }
    assert.equal((await service.send('/sample/settings', { delayMs: 1, stays: false }, 'PUT')).status, 400);
    assert.deepEqual(await service.getJson('/sample/settings'), { delayMs: 25, stays: true });
  });
});
