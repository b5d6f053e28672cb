// Creates the .vsix of a production build in the project's root.
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import yauzl from 'yauzl';
import { readmeOfPackage } from './packageReadme.mjs';

/** What a package may take, in bytes: people download it with every update. */
export const MAX_PACKAGE_BYTES = 2_960_000;

/** Where the package's files are collected. */
const STAGE = 'out/package';

/**
 * Builds for production and packs the files that .vscodeignore allows, with a README of their own.
 * Returns the package's path and size in bytes. Throws where it would be larger than it may be.
 */
export async function packageExtension() {
  const build = spawnSync(process.execPath, ['esbuild.mjs', '--production'], { stdio: 'inherit' });
  if (build.status !== 0) throw new Error('The production build failed: see above');
  const { name, version } = JSON.parse(await readFile('package.json', 'utf8'));
  const path = resolve(`${name}-${version}.vsix`);
  await stageFiles();
  await createPackage({ cwd: STAGE, packagePath: path, rewriteRelativeLinks: false });
  const bytes = (await stat(path)).size;
  if (bytes > MAX_PACKAGE_BYTES)
    throw new Error(`The package has ${bytes} bytes, more than ${MAX_PACKAGE_BYTES}: ${path}`);
  return { path, bytes };
}

/** Packs a folder as a .vsix, without its npm packages, and without listing the files. */
export async function createPackage(options) {
  await withQuietConsole(() => createVSIX({ dependencies: false, allowMissingRepository: true, ...options }));
}

/** What is in a package: kind, number of files and bytes, the largest first. */
export async function contentsOf(path) {
  const zip = await promisify(yauzl.open)(path, { lazyEntries: true });
  const kinds = new Map();
  await new Promise((resolveAll, reject) => {
    zip.on('error', reject).on('end', resolveAll);
    zip.on('entry', ({ fileName, compressedSize }) => {
      const kind = kindOf(fileName);
      const { files, bytes } = kinds.get(kind) ?? { files: 0, bytes: 0 };
      kinds.set(kind, { files: files + 1, bytes: bytes + compressedSize });
      zip.readEntry();
    });
    zip.readEntry();
  });
  return [...kinds].map(([kind, sum]) => ({ kind, ...sum })).sort((a, b) => b.bytes - a.bytes);
}

const kinds = [
  ['pages', /^extension\/dist\/webview\//],
  ['threads and the sample service', /^extension\/dist\/(?:engine|scanner|sample)(?:\.js$|\/)/],
  ['extension host', /^extension\/dist\/.*\.js$/],
  ['images of the walkthrough', /^extension\/media\/walkthrough\//],
  ['icons', /^extension\/media\//],
  ['documents', /\.(?:md|txt)$/],
  ['translations', /\/l10n\/|nls/],
];

function kindOf(path) {
  return kinds.find(([, pattern]) => pattern.test(path))?.[0] ?? 'manifests';
}

async function stageFiles() {
  await rm(STAGE, { recursive: true, force: true });
  for (const file of [...(await listFiles({ packageManager: PackageManager.None })), '.vscodeignore']) {
    await mkdir(dirname(join(STAGE, file)), { recursive: true });
    await copyFile(file, join(STAGE, file));
  }
  await writeFile(join(STAGE, 'README.md'), await readmeOfPackage());
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
