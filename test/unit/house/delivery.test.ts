import * as assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { thirdPartyNotices } from '../../../scripts/thirdPartyNotices.mjs';

describe('What is built and delivered', () => {
  const folder = '.github/workflows';
  const workflows = readdirSync(folder).map(name => readFileSync(join(folder, name), 'utf8'));

  it('is built by actions of a certain commit, which say their version', () => {
    for (const [, action = ''] of workflows.flatMap(text => [...text.matchAll(/uses:\s*(.*)/g)]))
      assert.match(action, /^[\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('runs no scripts of the packages that it installs', () => {
    const installs = workflows.flatMap(text => text.match(/npm (?:ci|i|install)\b.*/g) ?? []);
    assert.ok(installs.length > 0);
    assert.deepEqual([...new Set(installs)], ['npm ci --ignore-scripts']);
  });

  it('is tested by `npm test` on every system, which fails where a suite could not run', () => {
    const runs = workflows.flatMap(text => [...text.matchAll(/run: (.*)/g)].map(([, run = '']) => run));
    assert.ok(runs.some(run => run.endsWith('npm test -- --only integration')));
    assert.deepEqual(
      runs.filter(run => /scripts\/|&&|\|\|/.test(run)),
      [],
    );
  });

  it('has all folders of parts that bundles load later', () => {
    const folders = [...readFileSync('esbuild.mjs', 'utf8').matchAll(/splitOptions\('(\w+)'/g)];
    const packaged = readFileSync('.vscodeignore', 'utf8').split(/\r?\n/);
    assert.deepEqual(
      folders.map(([, folder = '']) => folder),
      ['extension', 'engine'],
    );
    for (const [, folder = ''] of folders) assert.ok(packaged.includes(`!dist/${folder}/*.js`), folder);
  });

  it('names the libraries inside of WebAssembly', () => {
    const jpeg = thirdPartyNotices(['node_modules/@jsquash/jpeg']);
    assert.match(jpeg, /MozJPEG/);
    assert.match(jpeg, /based in part on the work of the Independent JPEG Group\./);
    const webp = thirdPartyNotices(['node_modules/@jsquash/webp']);
    assert.match(webp, /libwebp/);
    assert.match(webp, /Copyright \(c\) 2010, Google Inc\./);
    assert.match(webp, /Apache License/);
  });
});
