import * as assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  call,
  pipelineAbout,
  expectError,
  sampleImages,
  signInToSample,
  withFolder,
  type Sent,
} from './contract';

interface ExportReport {
  files: { path: string; bytes: number }[];
  objects: number;
  unreadable: { image: string; id: string; reason: string }[];
  overlapped: number;
}

describe('A program that exports masks', () => {
  let jobId: string;

  before(async () => {
    await signInToSample();
    const [image] = await sampleImages();
    const { id: pipelineId } = await pipelineAbout(/dark/i);
    const sent = await call<Sent>('analyzeFiles', image, undefined, { pipelineId, name: 'To be exported' });
    assert.ok(sent.jobId);
    jobId = sent.jobId;
    await call('waitForJob', { jobId });
  });

  after(() => call('signOut', {}));

  const exported = (folder: string, options: Record<string, unknown>) =>
    call<ExportReport>('exportMasks', { jobId, destination: vscode.Uri.file(folder).toString(), ...options });

  it('is rejected before masks are generated: export never starts paid processing', async () => {
    await withFolder(async folder => {
      const destination = vscode.Uri.file(folder).toString();
      await expectError('not-found', 'exportMasks', { jobId, format: 'coco', destination });
      assert.deepEqual(await readdir(folder), []);
    });
    await call('generateMasks', { jobId });
    await call('waitForJob', { jobId, masks: true });
  });

  for (const [format, ending] of [
    ['coco', /^To be exported_coco\.json$/],
    ['geojson', /\.geojson$/],
    ['imagej-roi', /_RoiSet\.zip$/],
    ['labels-tiff', /_labels\.tif(\.csv)?$/],
    ['labels-png', /_labels\.png(\.csv)?$/],
  ] as const) {
    it(`gets ${format} files in the folder it named, and a list of what they contain`, async () => {
      await withFolder(async folder => {
        const report = await exported(folder, { format });
        assert.ok(report.objects > 0);
        assert.deepEqual(report.unreadable, []);
        assert.equal(typeof report.overlapped, 'number');
        const names = await readdir(folder);
        assert.deepEqual(
          report.files.map(({ path }) => path).sort(),
          names.map(name => join(folder, name)).sort(),
        );
        for (const { path, bytes } of report.files) {
          assert.match(path.slice(folder.length + 1), ending);
          assert.equal((await stat(path)).size, bytes);
        }
      });
    });
  }

  it('gets as many annotations as objects, from the archive on disk too', async () => {
    await withFolder(async folder => {
      const archive = vscode.Uri.file(join(folder, 'masks of a job.zip'));
      await call('downloadResults', { jobId, what: 'masks', destination: archive.toString() });
      const destination = vscode.Uri.file(folder).toString();
      const report = await call<ExportReport>('exportMasks', {
        uri: archive.toString(),
        format: 'coco',
        destination,
      });
      const [file] = report.files;
      assert.equal(file?.path, join(folder, 'masks of a job_coco.json'));
      const { annotations } = JSON.parse(await readFile(file.path, 'utf8')) as { annotations: unknown[] };
      assert.equal(annotations.length, report.objects);
    });
  });

  it('replaces files only where requested', async () => {
    await withFolder(async folder => {
      const file = join(folder, 'To be exported_coco.json');
      await writeFile(file, 'mine');
      const destination = vscode.Uri.file(folder).toString();
      await expectError('exists', 'exportMasks', { jobId, format: 'coco', destination });
      assert.equal(await readFile(file, 'utf8'), 'mine');
      assert.deepEqual(await readdir(folder), ['To be exported_coco.json']);
      await exported(folder, { format: 'coco', overwrite: true });
      assert.notEqual(await readFile(file, 'utf8'), 'mine');
    });
  });

  it('exports what is shown while the masks are open', async () => {
    await call('openMasks', { jobId });
    await withFolder(async folder => {
      const all = await exported(folder, { format: 'geojson' });
      const shown = await exported(folder, { format: 'geojson', objects: 'shown', overwrite: true });
      // Nothing is hidden at first.
      assert.equal(shown.objects, all.objects);
    });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('gets an error that names the invalid argument', async () => {
    await withFolder(async folder => {
      const destination = vscode.Uri.file(folder).toString();
      const about = async (name: string, options: Record<string, unknown>) =>
        assert.match((await expectError('bad-request', 'exportMasks', options)).message, new RegExp(name));
      await about('format', { jobId, destination, format: 'xml' });
      await about('objects', { jobId, destination, format: 'coco', objects: 'some' });
      await about('destination', { jobId, format: 'coco' });
      await about('destination', { jobId, format: 'coco', destination: 'untitled:x' });
      await about('jobId', { destination, format: 'coco' });
      await about('images', { jobId, destination, format: 'coco', images: 'one' });
      await expectError('not-found', 'exportMasks', {
        jobId,
        destination,
        format: 'coco',
        images: ['none such'],
      });
      await expectError('not-found', 'exportMasks', {
        jobId,
        destination,
        format: 'coco',
        classes: ['none such'],
      });
      await expectError('not-found', 'exportMasks', {
        jobId,
        destination: `${destination}/nowhere`,
        format: 'coco',
      });
      await expectError('not-a-file', 'exportMasks', {
        uri: 'file:///nowhere/m.zip',
        destination,
        format: 'coco',
      });
      assert.deepEqual(await readdir(folder), []);
    });
  });
});
