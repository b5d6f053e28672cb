import * as assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { FixtureServer, sendJson, type SeenRequest } from '../../../service/node/fixtureServer';
import type { SubmitOrder } from './submitProcess';

/** A window as a process that a test can kill. */
class SubmittingProcess {
  private readonly child: ChildProcess;
  private readonly said: unknown[] = [];

  constructor(script: string, folder: string, origin: string) {
    this.child = fork(script, [folder, origin], { stdio: 'inherit' });
    this.child.on('message', message => this.said.push(message));
  }

  /** Waits until it says a word, or without one what its submit came to. */
  async says(word?: 'ready' | 'looked'): Promise<unknown> {
    for (;;) {
      const found = this.said.find(one => (word === undefined ? typeof one === 'object' : one === word));
      if (found !== undefined) return found;
      await once(this.child, 'message');
    }
  }

  tell(order: SubmitOrder): void {
    this.said.length = 0;
    this.child.send(order);
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }
}

describe('Submits in processes of their own', () => {
  let folder = '';
  let script = '';
  let service: FixtureServer;
  let jobs: { id: string; name: string; status: string }[];
  let masks: { status: string } | undefined;
  let posts: number;
  /** Lists are given once this is settled. */
  let mayList: Promise<unknown>;
  let onPost: (response: ServerResponse, body: object) => void;
  const windows: SubmittingProcess[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'submit-processes-'));
    script = join(folder, 'window.js');
    await build({
      entryPoints: ['test/unit/jobs/node/intents/submitProcess.ts'],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node22',
      logLevel: 'error',
    });
  });

  beforeEach(async () => {
    jobs = [];
    masks = undefined;
    posts = 0;
    mayList = Promise.resolve();
    onPost = (response, body) => sendJson(response, body);
    service = await FixtureServer.start((request, response) => respond(request, response));
    for (let index = 0; index < 3; index++)
      windows.push(new SubmittingProcess(script, join(folder, 'submits'), service.origin));
    await Promise.all(windows.map(window => window.says('ready')));
  });

  afterEach(async () => {
    await Promise.all(windows.splice(0).map(window => window.kill()));
    await service.stop();
    await rm(join(folder, 'submits'), { recursive: true, force: true });
  });

  after(() => rm(folder, { recursive: true, force: true }));

  function respond({ method, path, query, body }: SeenRequest, response: ServerResponse): void {
    const isMasks = path.endsWith('/download-masks');
    if (method === 'POST') {
      posts += 1;
      const { name = '' } = (isMasks ? {} : JSON.parse(body.toString())) as { name?: string };
      const job = { id: `job${posts}`, name, status: 'PENDING' };
      if (isMasks) masks = { status: 'SUBMITTED' };
      else jobs.unshift(job);
      onPost(response, masks ?? job);
      return;
    }
    void mayList.then(() => {
      if (!isMasks) sendJson(response, { results: query.has('startingAfter') ? [] : jobs });
      else if (masks) sendJson(response, masks);
      else sendJson(response, { message: 'none' }, 404);
    });
  }

  /** All windows do the same; none sends its first request before all have looked for others. */
  async function atOnce(order: SubmitOrder): Promise<unknown[]> {
    for (const window of windows) window.tell(order);
    mayList = Promise.all(windows.map(window => window.says('looked')));
    return Promise.all(windows.map(window => window.says()));
  }

  it('are one job at the service', async () => {
    assert.deepEqual(await atOnce({ submit: 'a' }), Array(3).fill({ jobId: 'job1' }));
    assert.equal(posts, 1);
    assert.deepEqual(
      await atOnce({ submit: 'a' }),
      Array(3).fill({ jobId: 'job2' }),
      'later it is a new job',
    );
  });

  it('request masks once', async () => {
    const results = (await atOnce({ masks: 'j' })) as { status: string }[];
    assert.deepEqual(
      results.map(({ status }) => status),
      Array(3).fill('SUBMITTED'),
    );
    assert.equal(posts, 1);
  });

  it('find the job of a process that was killed before its response came', async () => {
    const [first, second] = windows;
    assert.ok(first && second);
    const posted = new Promise<void>(resolve => (onPost = () => resolve()));
    first.tell({ submit: 'a' });
    await posted;
    second.tell({ submit: 'a' });
    await second.says('looked');
    await first.kill();
    assert.deepEqual(await second.says(), { jobId: 'job1' });
    assert.equal(posts, 1);
  });
});
