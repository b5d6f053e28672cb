import * as assert from 'node:assert/strict';
import { access, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as vscode from 'vscode';
import { PARTIAL_FILE_NAME } from '../../src/base/node/atomicFile';
import { itWith } from '../unit/capabilities';
import { call, openPanels, expectError, withFolder, type Sent } from './contract';
import { aggregateCsv, ForeignService, objectsCsv } from './foreignService';

const PIPELINE = 'p 6';

describe('An independent implementation of the service', () => {
  let service: ForeignService;
  const signIn = () =>
    call<{ user: string; email: string; baseUrl: string }>('signIn', {
      baseUrl: service.baseUrl,
      apiKey: service.key,
    });
  /** Submits a job on one item and waits for its end. */
  const finishedJob = async (name?: string) => {
    const { jobId } = await call<{ jobId: string }>('submitJob', {
      pipelineId: PIPELINE,
      filesystemIds: ['1'],
      ...(name && { name }),
    });
    await call('waitForJob', { jobId });
    return jobId;
  };

  before(async () => {
    await vscode.workspace
      .getConfiguration('imageAnalysis')
      .update('jobs.pollingInterval', 1, vscode.ConfigurationTarget.Workspace);
  });

  after(async () => {
    await vscode.workspace
      .getConfiguration('imageAnalysis')
      .update('jobs.pollingInterval', undefined, vscode.ConfigurationTarget.Workspace);
  });

  beforeEach(async () => {
    service = await ForeignService.start();
    await signIn();
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await call('signOut', { account: service.baseUrl }).catch(() => undefined);
    await service.stop();
    assert.deepEqual(service.forbiddenHeaders, []);
    assert.deepEqual([...new Set(service.requests.map(({ key }) => key?.slice(0, 7)))], ['foreign']);
  });

  it('identifies the user without the email', async () => {
    assert.deepEqual(await signIn(), { user: 'lab-7', email: '', baseUrl: service.baseUrl, active: true });
  });

  /** Uploads a folder as it is; what the service has then, in which folder each. */
  const uploadFolder = async (folder: string) => {
    const sent = await call<Sent>('uploadFiles', vscode.Uri.file(folder), undefined, {
      destinationFolder: ' lab // plates/',
      allowDamaged: true,
    });
    const folders = new Map(
      service.received.map(({ fileName, destinationFolder }) => [fileName, destinationFolder]),
    );
    return { ...sent, folders, base: `lab/plates/${basename(folder)}` };
  };

  it('accepts every file that any disk can hold, under its own name', async () => {
    await withFolder(async folder => {
      const names = ['empty.png', 'a %22.png', 'größe 图 🔬.tif', "o'clock;=.jpg"];
      await writeFile(join(folder, 'empty.png'), '');
      for (const name of names.slice(1)) await writeFile(join(folder, name), `bytes of ${name}`);
      const { uploaded, failed, folders, base } = await uploadFolder(folder);
      assert.deepEqual(failed, []);
      assert.deepEqual(folders, new Map(names.map(name => [name, base])));
      for (const { fileName, bytes } of service.received)
        assert.equal(bytes.toString(), fileName === 'empty.png' ? '' : `bytes of ${fileName}`);
      const ids = ['1', '2', '3', '4'];
      assert.deepEqual(uploaded.map(({ id }) => id).sort(), ids);
      const listed = await call<{ results: { id: string }[] }>('listFiles', {});
      assert.deepEqual(
        listed.results.map(({ id }) => id),
        ids,
      );
      assert.equal((await call<{ results: object[] }>('listFiles', { limit: 3 })).results.length, 3);
      assert.deepEqual(await call('listFiles', { limit: 0 }), { results: [] });
    });
  });

  itWith('quotedNames')('accepts a file whose name has quotes', async () => {
    await withFolder(async folder => {
      await writeFile(join(folder, 'a "b" %22.png'), 'quoted');
      const { failed, folders, base } = await uploadFolder(folder);
      assert.deepEqual(failed, []);
      assert.deepEqual(folders, new Map([['a "b" %22.png', base]]));
      assert.equal(service.received[0]?.bytes.toString(), 'quoted');
    });
  });

  itWith('symbolicLinks')('accepts files that links lead to, each once', async () => {
    await withFolder(async folder => {
      await writeFile(join(folder, 'real.png'), 'bytes');
      await mkdir(join(folder, 'deep'));
      await symlink(join(folder, 'real.png'), join(folder, 'deep', 'linked.png'));
      await symlink(folder, join(folder, 'deep', 'round and round'));
      await symlink(join(folder, 'gone'), join(folder, 'deep', 'broken.png'));
      const { failed, folders, base } = await uploadFolder(folder);
      assert.deepEqual(
        failed.map(({ uri, code }) => [decodeURIComponent(uri).split('/').at(-1), code]),
        [['broken.png', 'not-a-file']],
      );
      assert.deepEqual(
        folders,
        new Map([
          ['real.png', base],
          ['linked.png', `${base}/deep`],
        ]),
      );
      assert.deepEqual(
        service.received.map(({ bytes }) => bytes.toString()),
        ['bytes', 'bytes'],
      );
    });
  });

  it("accepts files of a virtual workspace, even when one of its folders can't be read", async () => {
    const files = new Map([
      ['/plate/a.png', 'first'],
      ['/plate/well/b.png', 'second'],
      ['/plate/z.png', 'third'],
    ]);
    const folders: Record<string, [string, vscode.FileType][]> = {
      '/plate': [
        ['a.png', vscode.FileType.File],
        ['locked', vscode.FileType.Directory],
        ['well', vscode.FileType.Directory],
        ['z.png', vscode.FileType.File],
      ],
      '/plate/well': [['b.png', vscode.FileType.File]],
    };
    const bytes = (uri: vscode.Uri) => new TextEncoder().encode(files.get(uri.path));
    const refuse = (uri: vscode.Uri) => {
      throw vscode.FileSystemError.NoPermissions(uri);
    };
    const provider: vscode.FileSystemProvider = {
      onDidChangeFile: () => ({ dispose: () => undefined }),
      watch: () => ({ dispose: () => undefined }),
      stat: uri => ({
        type: files.has(uri.path) ? vscode.FileType.File : vscode.FileType.Directory,
        ctime: 0,
        mtime: 0,
        size: files.has(uri.path) ? bytes(uri).byteLength : 0,
      }),
      readDirectory: uri => folders[uri.path] ?? refuse(uri),
      readFile: bytes,
      createDirectory: refuse,
      writeFile: refuse,
      delete: refuse,
      rename: refuse,
    };
    const registered = vscode.workspace.registerFileSystemProvider('virtual-plate', provider);
    try {
      const sent = await call<Sent>('uploadFiles', 'virtual-plate:/plate', undefined, {
        allowDamaged: true,
      });
      assert.deepEqual(
        sent.failed.map(({ uri, code }) => [uri, code]),
        [['virtual-plate:/plate/locked', 'not-a-file']],
      );
      assert.deepEqual(
        service.received
          .map(one => [one.destinationFolder, one.fileName, one.bytes.toString()].join(' '))
          .sort(),
        ['plate a.png first', 'plate z.png third', 'plate/well b.png second'],
      );
    } finally {
      registered.dispose();
    }
  });

  it('has its pipelines listed to the end, whatever its pages contain', async () => {
    const { results } = await call<{ results: { id: string }[] }>('listPipelines', {});
    assert.deepEqual(
      results.map(({ id }) => id),
      ['p 0', 'p 1', 'p 2', 'p 3', 'p 4', 'p 5', 'p 6'],
    );
  });

  it('runs a job to tables and masks, each paid for once', async () => {
    await withFolder(async folder => {
      const image = join(folder, 'a.png');
      await writeFile(image, 'not looked at');
      const { jobId } = await call<Sent>('analyzeFiles', vscode.Uri.file(image), undefined, {
        pipelineId: PIPELINE,
        name: 'plate "3" ü',
        allowDamaged: true,
      });
      assert.ok(jobId);
      assert.deepEqual(service.submitted, [
        { pipelineId: PIPELINE, filesystemIds: ['1'], name: 'plate "3" ü' },
      ]);
      await expectError('not-found', 'downloadResults', { jobId, what: 'objects' });
      assert.deepEqual(await call('waitForJob', { jobId }), {
        status: 'SUCCEEDED',
        percentageCompleted: 100,
      });
      service.linkRejections = 1;
      const saved = await call<{ path: string }>('downloadResults', {
        jobId,
        what: 'objects',
        destination: vscode.Uri.file(join(folder, 'o.csv')).toString(),
      });
      assert.equal(await readFile(saved.path, 'utf8'), objectsCsv);
      await call('openObjectsTable', { jobId });
      await call('openAggregateTable', { jobId });

      await expectError('not-found', 'downloadResults', { jobId, what: 'masks' });
      await expectError('not-found', 'waitForJob', { jobId, masks: true });
      await expectError('not-found', 'openMasks', { jobId });
      await call('generateMasks', { jobId });
      await call('generateMasks', { jobId });
      assert.deepEqual(await call('waitForJob', { jobId, masks: true }), {
        status: 'SUCCEEDED',
        percentageCompleted: 100,
      });
      await call('generateMasks', { jobId });
      await call('openMasks', { jobId });
      assert.deepEqual(openPanels().sort(), [
        'imageAnalysis.masks',
        'imageAnalysis.table',
        'imageAnalysis.table',
      ]);
      assert.equal(service.count('POST', /download-masks$/), 1);
      assert.equal(service.count('POST', /analysis-jobs$/), 1);
    });
  });

  it('causes an error and no partial file when it rejects a new link as well', async () => {
    await withFolder(async folder => {
      const jobId = await finishedJob();
      service.linkRejections = 2;
      const destination = vscode.Uri.file(join(folder, 'o.csv')).toString();
      const error = await expectError('link-expired', 'downloadResults', {
        jobId,
        what: 'objects',
        destination,
      });
      assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /secret-|signature/);
      assert.equal(service.linkRejections, 0);
      await expectError('exists', 'downloadResults', {
        jobId,
        what: 'objects',
        destination: vscode.Uri.file(folder).toString(),
      });
      await expectError('not-a-file', 'downloadResults', {
        jobId,
        what: 'objects',
        destination: vscode.Uri.file(folder).toString(),
        overwrite: true,
      });
      assert.deepEqual(await readdir(folder), []);
    });
  });

  it('gets no requests for jobs that ended before, although its list has no links', async () => {
    const lists = () => service.count('GET', /analysis-jobs(\?|$)/);
    const before = lists();
    await vscode.commands.executeCommand('imageAnalysis.jobs.focus');
    await call('refresh', {});
    while (lists() === before) await nextTurn();
    // A poll of an old job would be sent before this job has ended.
    await finishedJob();
    assert.deepEqual(
      service.requests.filter(({ url }) => /\/old-/.test(url)),
      [],
    );
    // Their results are available all the same.
    const { results } = await call<{ results: { id: string; hasObjects: boolean }[] }>('listJobs', {});
    assert.equal(results.find(({ id }) => id === 'old-1')?.hasObjects, true);
    await call('openObjectsTable', { jobId: 'old-1' });
  });

  it('gets the job on what was uploaded to it, also where another account is active by then', async () => {
    const { baseUrl } = await startInactiveSample();
    service.onUpload = () => useAsPerson(baseUrl);
    try {
      await withFolder(async folder => {
        const image = join(folder, 'a.png');
        await writeFile(image, 'bytes');
        const { jobId } = await call<Sent>('analyzeFiles', vscode.Uri.file(image), undefined, {
          pipelineId: PIPELINE,
          allowDamaged: true,
        });
        assert.ok(service.jobs.has(jobId ?? ''));
        assert.deepEqual(service.submitted, [{ pipelineId: PIPELINE, filesystemIds: ['1'] }]);
      });
    } finally {
      await call('signOut', {});
    }
  });

  it('never gets a second submit after a lost response', async () => {
    service.losesSubmitResponse = true;
    const error = (await expectError('ambiguous-submit', 'submitJob', {
      pipelineId: PIPELINE,
      filesystemIds: ['1'],
    })) as Error & { details?: { candidates?: string[] } };
    assert.equal(error.details?.candidates?.length, 1);
    assert.equal(service.count('POST', /analysis-jobs$/), 1);
  });

  it('has its failures reported with codes that a program can distinguish', async () => {
    const responses: [string, number, Record<string, string>, string][] = [
      ['service-error', 500, {}, '<html>oops</html>'],
      // No longer: what is requested next waits for it.
      ['rate-limited', 429, { 'retry-after': '1' }, ''],
      ['unexpected-response', 200, { 'content-type': 'text/html' }, '<html>log in</html>'],
      ['unexpected-response', 302, { location: 'http://elsewhere.invalid/' }, ''],
      ['unexpected-response', 200, {}, '{"results": 3}'],
      ['bad-request', 422, {}, '{"message": "limit?"}'],
    ];
    for (const [code, status, headers, body] of responses) {
      service.respondToPipelines = response => response.writeHead(status, headers).end(body);
      await expectError(code, 'listPipelines', {});
    }
    await expectError('not-found', 'waitForJob', { jobId: 'nobody' });
    await expectError('bad-request', 'listPipelines', { limit: -1 });
    await expectError('bad-request', 'listPipelines', { limit: 1.5 });
  });

  it('has its jobs followed again once a refused key is renewed', async () => {
    const { jobId } = await call<{ jobId: string }>('submitJob', {
      pipelineId: PIPELINE,
      filesystemIds: ['1'],
    });
    const job = service.jobs.get(jobId);
    assert.ok(job);
    job.paused = true;
    const waiting = expectError('invalid-key', 'waitForJob', { jobId });
    service.key = 'foreign-key-0816';
    await waiting;
    const error = await expectError('invalid-key', 'listJobs', {});
    assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /foreign-key/);
    delete job.paused;
    await signIn();
    assert.deepEqual(await call('waitForJob', { jobId }), { status: 'SUCCEEDED', percentageCompleted: 100 });
  });

  it('stays the one in use, whatever other account a program signs in to', async () => {
    const { baseUrl, apiKey } = await startInactiveSample();
    const sample = { baseUrl, apiKey };
    try {
      for (const activate of [undefined, true]) {
        // VS Code shows no dialogs under tests, which counts as declined.
        const options = activate === undefined ? {} : { activate };
        await expectError('not-active', 'startSampleService', { delayMs: 0, ...options });
        await expectError('not-active', 'signIn', { ...sample, ...options });
        await expectError('not-active', 'switchAccount', { account: sample.baseUrl, ...options });
      }
      const { user, active } = await call<{ user: string; active: boolean }>('signIn', {
        ...sample,
        activate: false,
      });
      assert.equal(active, false);
      assert.deepEqual(await call('switchAccount', { account: user, activate: false }), { active: false });
      assert.deepEqual(await call('switchAccount', { account: 'lab-7', activate: true }), { active: true });
      const { results } = await call<{ results: { id: string }[] }>('listPipelines', {});
      assert.ok(results.some(({ id }) => id === PIPELINE));
    } finally {
      await call('signOut', { account: sample.baseUrl });
    }
  });

  it('is forgotten at sign-out, also while its job runs and its result is downloaded', async () => {
    const done = await finishedJob('secret plans');
    const { path } = await call<{ path: string }>('downloadResults', { jobId: done, what: 'aggregate' });
    assert.equal(await readFile(path, 'utf8'), aggregateCsv);
    const account = dirname(dirname(path));
    for (const [file, text] of await textsIn(account)) {
      assert.doesNotMatch(text, /foreign-key|secret-\d|signature/, file);
    }
    const { jobId } = await call<{ jobId: string }>('submitJob', {
      pipelineId: PIPELINE,
      filesystemIds: ['2'],
    });
    const paused = service.jobs.get(jobId);
    assert.ok(paused);
    paused.paused = true;
    const finish = new Promise<() => void>(resolve => (service.onDownload = resolve));
    const waiting = expectError('cancelled', 'waitForJob', { jobId });
    const downloading = expectError('cancelled', 'downloadResults', { jobId: done, what: 'objects' });
    const finishDownload = await finish;
    await call('signOut', {});
    finishDownload();
    await Promise.all([waiting, downloading]);
    await assert.rejects(access(account), { code: 'ENOENT' });
    await expectError('signed-out', 'waitForJob', { jobId });
  });

  it('never sees the key of another account', async () => {
    const sample = await startInactiveSample();
    await finishedJob();
    await call('signOut', { account: service.baseUrl });
    await expectError('signed-out', 'listPipelines', {});
    assert.deepEqual(await call('switchAccount', { account: sample.baseUrl }), { active: true });
    await call('listPipelines', {});
    assert.ok(service.requests.every(({ key }) => key !== sample.apiKey));
    await call('signOut', {});
    await expectError('signed-out', 'listFiles', {});
  });
});

/** Signs in to the sample service, which isn't used. */
async function startInactiveSample(): Promise<{ baseUrl: string; apiKey: string }> {
  const options = { delayMs: 0, activate: false };
  const { active, ...sample } = await call<{ baseUrl: string; apiKey: string; active: boolean }>(
    'startSampleService',
    options,
  );
  assert.equal(active, false);
  return sample;
}

/** Has a person use an account, with the button of the notification that a program's call shows. */
async function useAsPerson(account: string): Promise<void> {
  await expectError('not-active', 'switchAccount', { account });
  await vscode.commands.executeCommand('notification.acceptPrimaryAction');
  const isActive = () => call<{ active: boolean }>('switchAccount', { account, activate: false });
  while (!(await isActive()).active) await nextTurn();
}

/**
 * Every file below a folder as text, once none is being written: records of a job may follow its
 * end.
 */
async function textsIn(folder: string): Promise<[file: string, text: string][]> {
  const list = () => readdir(folder, { recursive: true, withFileTypes: true });
  let entries = await list();
  while (entries.some(({ name }) => PARTIAL_FILE_NAME.test(name))) entries = await list();
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  return Promise.all(files.map(async file => [file, await readFile(file, 'utf8')]));
}
