import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { itWith } from '../capabilities';

describe('A command on a machine without the packages', () => {
  let folder: string;

  beforeEach(() => {
    mkdirSync('out', { recursive: true });
    folder = resolve(mkdtempSync('out/bootstrap-'));
    mkdirSync(join(folder, 'scripts'));
    copyFileSync('scripts/bootstrap.mjs', join(folder, 'scripts/bootstrap.mjs'));
    writeFileSync(join(folder, 'package.json'), '{}');
    writeFileSync(
      join(folder, 'package-lock.json'),
      JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }),
    );
    // In place of npm, which would have to reach its registry.
    writeFileSync(
      join(folder, 'npm-cli.js'),
      "require('node:fs').writeFileSync('installed', ''); process.exit(1);",
    );
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const lint = () =>
    spawnSync(process.execPath, [join(folder, 'scripts/bootstrap.mjs'), 'lint'], {
      encoding: 'utf8',
      env: { ...process.env, npm_execpath: join(folder, 'npm-cli.js') },
    });
  const npmRan = () => existsSync(join(folder, 'installed'));

  it('installs them', () => {
    mkdirSync(join(folder, 'node_modules'));
    lint();
    assert.ok(npmRan());
  });

  itWith('folderLinks')('leaves those alone that node_modules links to, and says so', () => {
    const shared = join(folder, 'elsewhere');
    mkdirSync(shared);
    symlinkSync(shared, join(folder, 'node_modules'), 'junction');
    const { status, stdout, stderr } = lint();
    assert.equal(npmRan(), false);
    assert.equal(status, 1);
    assert.equal(stdout, '');
    assert.match(stderr, /^[^.]*package-lock\.json [^.]* node_modules is a link [^.]*\.\n$/);
  });
});
