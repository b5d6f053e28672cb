import * as assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { call, pipelineAbout, refuses, samplePictures, signInToSample, type Sent } from './contract';

describe('Accounts', () => {
  afterEach(async () => {
    await call('signOut', {}).catch(() => undefined);
  });

  it('refuse everything but files on disk while nobody is signed in', async () => {
    await refuses('signed-out', 'listFiles', {});
    await refuses('signed-out', 'submitJob', { pipelineId: 'p', filesystemIds: ['f'] });
    await refuses('signed-out', 'waitForJob', { jobId: 'j' });
    await refuses('signed-out', 'openMasks', { jobId: 'j' });
    await refuses('signed-out', 'signOut', {});
  });

  it('tell who owns a key that the service accepts', async () => {
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

  it('refuse a key that the service does not know, and keep nothing of it', async () => {
    const { baseUrl } = await signInToSample();
    await call('signOut', {});
    const error = await refuses('invalid-key', 'signIn', { baseUrl, apiKey: 'wrong-key-4711' });
    assert.doesNotMatch(`${error.message} ${JSON.stringify(error)}`, /wrong-key-4711/);
    await refuses('signed-out', 'listJobs', {});
  });

  it('refuse an address that would show the key to the network', async () => {
    await refuses('bad-request', 'signIn', { baseUrl: 'http://analysis.example.org', apiKey: 'k' });
    await refuses('bad-request', 'signIn', { baseUrl: 'ftp://analysis.example.org', apiKey: 'k' });
  });

  it('say so when nobody answers at the address', async () => {
    await refuses('network', 'signIn', { baseUrl: 'http://127.0.0.1:1', apiKey: 'k' });
  });

  it('forget the account on sign-out', async () => {
    await signInToSample();
    await call('listFiles', {});
    await call('signOut', {});
    await refuses('signed-out', 'listFiles', {});
  });

  it('go on after the sample service was killed under a running job', async () => {
    const { baseUrl, apiKey } = await call<{ baseUrl: string; apiKey: string }>('startSampleService', {
      delayMs: 2000,
    });
    // By hand, too: it stays the account of a service that has to be started.
    await call('signIn', { baseUrl, apiKey });
    const [picture] = await samplePictures();
    const { id: pipelineId } = await pipelineAbout(/bright/i);
    const { jobId } = await call<Sent>('analyzeFiles', picture, undefined, { pipelineId });
    assert.ok(jobId && picture);
    const record = join(dirname(dirname(picture.fsPath)), 'data', 'service.json');
    const { pid } = JSON.parse(await readFile(record, 'utf8')) as { pid: number };
    process.kill(pid, 'SIGKILL');
    const { results } = await call<{ results: { id: string }[] }>('listJobs', {});
    assert.ok(results.some(({ id }) => id === jobId));
    assert.equal((await signInToSample()).baseUrl, baseUrl);
    assert.deepEqual(await call('waitForJob', { jobId }), { status: 'SUCCEEDED', percentageCompleted: 100 });
  });

  it('survive the sample service being started twice', async () => {
    const first = await signInToSample();
    const second = await signInToSample();
    assert.deepEqual(second, first);
  });
});

describe('Arguments that cannot be meant', () => {
  before(signInToSample);
  after(() => call('signOut', {}));

  it('are refused by name, before anything is sent', async () => {
    assert.match((await refuses('bad-request', 'submitJob', { filesystemIds: ['x'] })).message, /pipelineId/);
    assert.match(
      (await refuses('bad-request', 'submitJob', { pipelineId: 'x', filesystemIds: [] })).message,
      /filesystemIds/,
    );
    assert.match((await refuses('bad-request', 'waitForJob', {})).message, /jobId/);
    assert.match(
      (await refuses('bad-request', 'downloadResults', { jobId: 'x', what: 'all' })).message,
      /what/,
    );
    assert.match((await refuses('bad-request', 'uploadFiles', { uris: ['/no/scheme.png'] })).message, /uris/);
  });

  it('are reported as not found where the service does not know them', async () => {
    await refuses('not-found', 'waitForJob', { jobId: '000000000000000000000000' });
    await refuses('not-found', 'downloadResults', { jobId: '000000000000000000000000', what: 'objects' });
    await refuses('not-found', 'openObjectsTable', { jobId: '../..' });
  });

  it('name a file that is not there', async () => {
    await refuses('not-a-file', 'openTableFile', 'file:///nowhere/table.csv', {});
  });
});
