// Creates the .vsix of a production build in the project's root.
import { createVSIX } from '@vscode/vsce';
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Builds for production and packs the files that .vscodeignore allows. Returns the package's path and size in bytes.
 */
export async function packageExtension() {
  const build = spawnSync(process.execPath, ['esbuild.mjs', '--production'], { stdio: 'inherit' });
  if (build.status !== 0) throw new Error('The production build failed: see above');
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const path = resolve(`${name}-${version}.vsix`);
  await createPackage({ cwd: process.cwd(), packagePath: path, rewriteRelativeLinks: false });
  return { path, bytes: statSync(path).size };
}

/** Packs a folder as a .vsix, without its npm packages, and without listing the files. */
export async function createPackage(options) {
  await withQuietConsole(() => createVSIX({ dependencies: false, allowMissingRepository: true, ...options }));
}

/** The packer lists every file; only its warnings and errors are of interest. */
async function withQuietConsole(work) {
  const { log } = console;
  console.log = () => {};
  try {
    return await work();
  } finally {
    console.log = log;
  }
}
