import * as assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  call,
  openPanels,
  pipelineAbout,
  expectError,
  sampleImages,
  signInToSample,
  withFolder,
  type Sent,
} from './contract';

interface ListedJob {
  id: string;
  status: string;
  hasObjects: boolean;
  hasAggregate: boolean;
}

describe("A program that runs a whole job with the contract's commands", () => {
  let images: vscode.Uri[];
  let jobId: string;

  before(async () => {
    await signInToSample();
    images = await sampleImages();
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await call('signOut', {});
  });

  it('sees the pipelines of the account', async () => {
    const { results } = await call<{ results: { id: string; description: string }[] }>('listPipelines', {});
    assert.ok(results.length >= 3);
    assert.ok(results.every(({ id, description }) => id !== '' && description !== ''));
  });

  it('uploads a file into a folder and finds it there', async () => {
    const [image] = images;
    assert.ok(image);
    const sent = await call<Sent>('uploadFiles', image, undefined, {
      destinationFolder: 'from a program/deep',
    });
    assert.deepEqual(sent.failed, []);
    const root = await call<{ results: { id: string; name: string; __t: string }[] }>('listFiles', {});
    const folder = root.results.find(({ name }) => name === 'from a program');
    assert.equal(folder?.__t, 'Folder');
    const below = await call<{ results: { id: string; name: string }[] }>('listFiles', {
      folderId: folder.id,
    });
    const files = await call<{ results: { id: string }[] }>('listFiles', { folderId: below.results[0]?.id });
    assert.deepEqual(
      files.results.map(({ id }) => id),
      sent.uploaded.map(({ id }) => id),
    );
  });

  it('passes URIs as strings, and a folder with its contents', async () => {
    await withFolder(async folder => {
      for (const name of ['a.png', 'b c.png']) {
        await writeFile(join(folder, name), await readFile(images[0]?.fsPath ?? ''));
      }
      await writeFile(join(folder, '.hidden'), 'not sent');
      const sent = await call<Sent>('uploadFiles', { uris: [vscode.Uri.file(folder).toString()] });
      assert.deepEqual(sent.uploaded.map(({ fileName }) => fileName).sort(), ['a.png', 'b c.png']);
      assert.deepEqual(sent.failed, []);
    });
  });

  it('uploads and analyzes images in one call, and waits for the end', async () => {
    const { id: pipelineId } = await pipelineAbout(/bright/i);
    const sent = await call<Sent>('analyzeFiles', images[0], images.slice(0, 2), {
      pipelineId,
      name: 'two images',
    });
    assert.equal(sent.uploaded.length, 2);
    assert.ok(sent.jobId);
    jobId = sent.jobId;
    assert.deepEqual(await call('waitForJob', { jobId }), { status: 'SUCCEEDED', percentageCompleted: 100 });
  });

  it('runs the job again on the same images, also with another pipeline', async () => {
    const { id: pipelineId } = await pipelineAbout(/dark/i);
    const again = await call<{ jobId: string }>('runAgain', { jobId });
    const other = await call<{ jobId: string }>('runAgain', { jobId, pipelineId, name: 'dark' });
    assert.equal(new Set([jobId, again.jobId, other.jobId]).size, 3);
    for (const { jobId: started } of [again, other]) {
      const { status } = await call<{ status: string }>('waitForJob', { jobId: started });
      assert.equal(status, 'SUCCEEDED');
    }
    await expectError('not-found', 'runAgain', { jobId: 'of nobody' });
  });

  it('lists the job with its results, and never with its links', async () => {
    const { results } = await call<{ results: ListedJob[] }>('listJobs', {});
    const job = results.find(({ id }) => id === jobId);
    assert.equal(job?.hasObjects, true);
    assert.equal(job.hasAggregate, true);
    assert.doesNotMatch(JSON.stringify(results), /https?:|signature/i);
  });

  it('saves the tables, and replaces files only where requested', async () => {
    await withFolder(async folder => {
      const destination = vscode.Uri.file(join(folder, 'objects.csv')).toString();
      const saved = await call<{ path: string; bytes: number }>('downloadResults', {
        jobId,
        what: 'objects',
        destination,
      });
      const text = await readFile(saved.path, 'utf8');
      assert.match(text, /^Image origin,Object ID,Class,Area/);
      assert.ok(text.trimEnd().split('\n').length > 10, 'real images hold more than ten objects');
      assert.equal((await stat(saved.path)).size, saved.bytes);

      await writeFile(saved.path, 'mine');
      await expectError('exists', 'downloadResults', { jobId, what: 'objects', destination });
      assert.equal(await readFile(saved.path, 'utf8'), 'mine');
      await call('downloadResults', { jobId, what: 'objects', destination, overwrite: true });
      assert.equal(await readFile(saved.path, 'utf8'), text);

      const aggregate = await call<{ path: string }>('downloadResults', { jobId, what: 'aggregate' });
      assert.match(await readFile(aggregate.path, 'utf8'), /Image/);
      // A desktop VS Code stores what can be downloaded again elsewhere, a served one only there.
      const isInStorage = /[\\/]globalStorage[\\/]/.test(aggregate.path);
      assert.equal(isInStorage, vscode.env.uiKind === vscode.UIKind.Web, aggregate.path);
    });
  });

  it('has no masks until it requests them', async () => {
    await expectError('not-found', 'downloadResults', { jobId, what: 'masks' });
    await expectError('not-found', 'openMasks', { jobId });
    const { status } = await call<{ status: string }>('generateMasks', { jobId });
    assert.equal(typeof status, 'string');
    assert.deepEqual(await call('waitForJob', { jobId, masks: true }), {
      status: 'SUCCEEDED',
      percentageCompleted: 100,
    });
    // Asked again, it gets what is there instead of paying twice.
    assert.deepEqual(await call('generateMasks', { jobId }), { status: 'SUCCEEDED' });
  });

  it('opens both tables and the masks, each returning once the first content is shown', async () => {
    await call('openObjectsTable', { jobId });
    await call('openAggregateTable', { jobId });
    await call('openMasks', { jobId });
    assert.deepEqual(openPanels().sort(), [
      'imageAnalysis.masks',
      'imageAnalysis.table',
      'imageAnalysis.table',
    ]);
  });

  it('opens a table and a masks archive from disk, without an account', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await withFolder(async folder => {
      const table = vscode.Uri.file(join(folder, 'o.csv'));
      const archive = vscode.Uri.file(join(folder, 'm.zip'));
      await call('downloadResults', { jobId, what: 'objects', destination: table.toString() });
      await call('downloadResults', { jobId, what: 'masks', destination: archive.toString() });
      await call('openTableFile', table, {});
      await call('openMasksFile', archive.toString(), {});
      assert.deepEqual(openPanels().sort(), ['imageAnalysis.masks', 'imageAnalysis.table']);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
  });

  it("gets an error for an image that can't be read", async () => {
    await withFolder(async folder => {
      const broken = join(folder, 'broken.png');
      await writeFile(broken, 'not an image');
      const { id: pipelineId } = await pipelineAbout(/bright/i);
      const sent = await call<Sent>('analyzeFiles', vscode.Uri.file(broken), undefined, {
        pipelineId,
        allowDamaged: true,
      });
      assert.ok(sent.jobId);
      const { status } = await call<{ status: string }>('waitForJob', { jobId: sent.jobId });
      assert.equal(status, 'FAILED');
    });
  });

  it('is told of damaged images, which are neither uploaded nor analyzed', async () => {
    const { id: pipelineId } = await pipelineAbout(/bright/i);
    const good = await readFile(images[0]?.fsPath ?? '');
    const random = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 197 + 83) % 256));
    const damaged = {
      'cut.png': good.subarray(0, 700),
      'empty.ome.tiff': '',
      'empty.png': '',
      'empty.svs': '',
      'random.tif': random,
      'random.webp': random,
    };
    await withFolder(async folder => {
      await writeFile(join(folder, 'good.png'), good);
      for (const [name, content] of Object.entries(damaged)) await writeFile(join(folder, name), content);
      const outcome = ({ uploaded, failed }: Sent) => [
        uploaded.map(({ fileName }) => fileName).sort(),
        failed.map(({ uri, code }) => `${uri.split('/').at(-1)} ${code}`).sort(),
      ];
      const refused = Object.keys(damaged).map(name => `${name} damaged-image`);
      const uri = vscode.Uri.file(folder);
      const sent = await call<Sent>('analyzeFiles', uri, undefined, { pipelineId });
      assert.deepEqual(outcome(sent), [['good.png'], refused]);
      assert.equal(sent.jobId, undefined);
      assert.match(sent.failed.find(({ uri: of }) => of.endsWith('random.tif'))?.message ?? '', /TIFF/);
      const partial = await call<Sent>('analyzeFiles', uri, undefined, { pipelineId, allowPartial: true });
      assert.deepEqual(outcome(partial), [['good.png'], refused]);
      assert.equal(
        (await call<{ status: string }>('waitForJob', { jobId: partial.jobId })).status,
        'SUCCEEDED',
      );
      assert.deepEqual(outcome(await call<Sent>('uploadFiles', uri, undefined, {})), [['good.png'], refused]);
      const all = await call<Sent>('uploadFiles', uri, undefined, { allowDamaged: true });
      assert.deepEqual(outcome(all), [[...Object.keys(damaged), 'good.png'].sort(), []]);
    });
  });

  it('submits nothing after a failed upload, unless it allows that', async () => {
    const { id: pipelineId } = await pipelineAbout(/dark/i);
    const missing = vscode.Uri.file('/nowhere/at all.png');
    const [image] = images;
    const sent = await call<Sent>('analyzeFiles', image, [image, missing], { pipelineId });
    assert.equal(sent.jobId, undefined);
    assert.deepEqual(
      sent.failed.map(({ uri, code }) => [uri, code]),
      [[missing.toString(), 'not-a-file']],
    );
    const allowed = await call<Sent>('analyzeFiles', image, [image, missing], {
      pipelineId,
      allowPartial: true,
    });
    assert.ok(allowed.jobId);
    await call('waitForJob', { jobId: allowed.jobId });
  });
});
