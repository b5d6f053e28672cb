import * as assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  call,
  type ComparisonReport,
  expectError,
  pipelineAbout,
  sampleImages,
  signInToSample,
  withFolder,
  type Sent,
} from './contract';

interface SavedComparison extends ComparisonReport {
  files: { path: string; bytes: number }[];
}

describe('A program that compares masks', () => {
  let jobId: string;

  before(async () => {
    await signInToSample();
    const [image] = await sampleImages();
    const { id: pipelineId } = await pipelineAbout(/dark/i);
    const sent = await call<Sent>('analyzeFiles', image, undefined, { pipelineId, name: 'To be compared' });
    assert.ok(sent.jobId);
    jobId = sent.jobId;
    await call('waitForJob', { jobId });
    await call('generateMasks', { jobId });
    await call('waitForJob', { jobId, masks: true });
  });

  after(() => call('signOut', {}));

  it('finds every object of a job in its own export, and saves that', async () => {
    await withFolder(async folder => {
      const destination = vscode.Uri.file(folder).toString();
      const { objects, files: exported } = await call<{ objects: number; files: { path: string }[] }>(
        'exportMasks',
        { jobId, format: 'coco', destination },
      );
      const truth = vscode.Uri.file(exported[0]?.path ?? '').toString();
      const options = { a: { uri: truth }, b: { jobId }, threshold: 0.95, classes: 'each' };
      const { files, ...figures } = await call<SavedComparison>('compareMasks', { ...options, destination });
      assert.deepEqual(figures, {
        images: 1,
        classes: 'each',
        classPairs: [{ a: 'Bright object', b: 'Bright object' }],
        unpaired: [],
        skipped: [],
        unreadable: { a: 0, b: 0 },
        notes: [],
        pairs: objects,
        onlyA: 0,
        onlyB: 0,
        precision: 1,
        recall: 1,
        f1: 1,
        panopticQuality: 1,
      });
      assert.equal(files.length, 5);
      for (const { path, bytes } of files) assert.equal((await stat(path)).size, bytes);
      const names = await readdir(folder);
      await expectError('exists', 'compareMasks', { ...options, destination });
      assert.deepEqual(await readdir(folder), names);
      await call('compareMasks', { ...options, destination, overwrite: true });
    });
  });

  it('is told what is wrong with its options', async () => {
    const b = { jobId };
    for (const [name, options] of [
      ['a', { b }],
      ['a', { a: { jobId, uri: 'file:///masks.zip' }, b }],
      ['threshold', { a: b, b, threshold: 0.51 }],
      ['classes', { a: b, b, classes: 'some' }],
    ] as const)
      assert.match(
        (await expectError('bad-request', 'compareMasks', options)).message,
        new RegExp(`"${name}"`),
      );
    await withFolder(async folder => {
      const missing = vscode.Uri.file(join(folder, 'missing.json')).toString();
      await expectError('not-a-file', 'compareMasks', { a: { uri: missing }, b });
    });
  });
});
