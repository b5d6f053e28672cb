import * as assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { call, pipelineAbout, expectError, sampleImages, signInToSample, type Sent } from './contract';

describe('Accounts', () => {
  afterEach(async () => {
    await call('signOut', {}).catch(() => undefined);
  });

  it('reject everything but files on disk while signed out', async () => {
    await expectError('signed-out', 'listFiles', {});
    await expectError('signed-out', 'submitJob', { pipelineId: 'p', filesystemIds: ['f'] });
    await expectError('signed-out', 'waitForJob', { jobId: 'j' });
    await expectError('signed-out', 'openMasks', { jobId: 'j' });
    await expectError('signed-out', 'signOut', {});
  });

  it('return the owner of a key that the service accepts', async () => {
    const { baseUrl, apiKey } = await signInToSample();
    const signedIn = await call<{ user: string; email: string; baseUrl: string }>('signIn', {
      baseUrl: `${baseUrl}/`,
      apiKey,
    });
    assert.equal(signedIn.baseUrl, baseUrl);
    assert.match(signedIn.email, /@/);
    assert.notEqual(signedIn.user, '');
    assert.doesNotMatch(JSON.stringify(signedIn), new RegExp(apiKey));
  });

  it('reject a key that the service does not know, and store nothing of it', async () => {
    const { baseUrl } = await signInToSample();
    await call('signOut', {});
    const error = await expectError('invalid-key', 'signIn', { baseUrl, apiKey: 'wrong-key-4711' });
    assert.doesNotMatch(`${error.message} ${JSON.stringify(error)}`, /wrong-key-4711/);
    await expectError('signed-out', 'listJobs', {});
  });

  it('reject an address that would send the key unencrypted', async () => {
    await expectError('bad-request', 'signIn', { baseUrl: 'http://analysis.example.org', apiKey: 'k' });
    await expectError('bad-request', 'signIn', { baseUrl: 'ftp://analysis.example.org', apiKey: 'k' });
  });

  it("report that the address can't be reached", async () => {
    await expectError('network', 'signIn', { baseUrl: 'http://127.0.0.1:1', apiKey: 'k' });
  });

  it('are forgotten at sign-out', async () => {
    await signInToSample();
    await call('listFiles', {});
    await call('signOut', {});
    await expectError('signed-out', 'listFiles', {});
  });

  it('keep working after the sample service was killed under a running job', async () => {
    const { baseUrl, apiKey } = await call<{ baseUrl: string; apiKey: string }>('startSampleService', {
      delayMs: 2000,
    });
    // By hand, too: it stays the account of a service that has to be started.
    await call('signIn', { baseUrl, apiKey });
    const [image] = await sampleImages();
    const { id: pipelineId } = await pipelineAbout(/bright/i);
    const { jobId } = await call<Sent>('analyzeFiles', image, undefined, { pipelineId });
    assert.ok(jobId && image);
    const record = join(dirname(dirname(image.fsPath)), 'data', 'service.json');
    const { pid } = JSON.parse(await readFile(record, 'utf8')) as { pid: number };
    process.kill(pid, 'SIGKILL');
    const { results } = await call<{ results: { id: string }[] }>('listJobs', {});
    assert.ok(results.some(({ id }) => id === jobId));
    assert.equal((await signInToSample()).baseUrl, baseUrl);
    assert.deepEqual(await call('waitForJob', { jobId }), { status: 'SUCCEEDED', percentageCompleted: 100 });
  });

  it('keep working when the sample service is started twice', async () => {
    const first = await signInToSample();
    const second = await signInToSample();
    assert.deepEqual(second, first);
  });
});

describe('Invalid arguments', () => {
  before(signInToSample);
  after(() => call('signOut', {}));

  it('are rejected by name, before anything is sent', async () => {
    assert.match(
      (await expectError('bad-request', 'submitJob', { filesystemIds: ['x'] })).message,
      /pipelineId/,
    );
    assert.match(
      (await expectError('bad-request', 'submitJob', { pipelineId: 'x', filesystemIds: [] })).message,
      /filesystemIds/,
    );
    assert.match((await expectError('bad-request', 'waitForJob', {})).message, /jobId/);
    assert.match(
      (await expectError('bad-request', 'downloadResults', { jobId: 'x', what: 'all' })).message,
      /what/,
    );
    assert.match(
      (await expectError('bad-request', 'uploadFiles', { uris: ['/no/scheme.png'] })).message,
      /uris/,
    );
  });

  it('get not-found where they name what the service does not know', async () => {
    await expectError('not-found', 'waitForJob', { jobId: '000000000000000000000000' });
    await expectError('not-found', 'downloadResults', { jobId: '000000000000000000000000', what: 'objects' });
    await expectError('not-found', 'openObjectsTable', { jobId: '../..' });
  });

  it('get not-a-file where they name a file that does not exist', async () => {
    await expectError('not-a-file', 'openTableFile', 'file:///nowhere/table.csv', {});
  });
});
