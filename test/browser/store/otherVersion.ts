import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleTests } from '../../../scripts/bundleTests.mjs';
import { createPackage } from '../../../scripts/packageExtension.mjs';
import manifest from '../../../package.json';

/** `earlier` leaves what a file says, in a file beside it `later` says what it finds. */
const versions = { earlier: '0.0.1', later: '999.0.0' };

/**
 * Packs a stand-in for another version of the extension, in a folder; the package's path. `store`
 * is the file.
 */
export async function packOtherVersion(
  folder: string,
  which: keyof typeof versions,
  store: string,
): Promise<string> {
  const code = `out/programs/${which}-version`;
  await bundleTests({
    entryPoints: ['test/browser/store/otherVersionExtension.ts'],
    outbase: 'test/browser/store',
    outdir: code,
    format: 'cjs',
  });
  const cwd = join(folder, which);
  await mkdir(cwd);
  const { name, publisher, engines, contributes } = manifest;
  const [container] = contributes.viewsContainers.activitybar;
  const [view] = contributes.views.imageAnalysis;
  const other = {
    ...{ name, publisher, engines, version: versions[which] },
    main: './extension.js',
    activationEvents: [
      'onStartupFinished',
      'onWebviewPanel:imageAnalysis.table',
      'onWebviewPanel:imageAnalysis.masks',
    ],
    extensionKind: ['workspace'],
    files: ['*'],
    contributes: {
      viewsContainers: { activitybar: [{ ...container, title: 'Image Analysis', icon: 'icon.svg' }] },
      views: { imageAnalysis: [{ id: view?.id, name: 'Files' }] },
    },
  };
  await writeFile(join(cwd, 'store.txt'), store);
  await writeFile(join(cwd, 'package.json'), JSON.stringify(other));
  await writeFile(join(cwd, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(cwd, 'extension.js'), await readFile(join(code, 'otherVersionExtension.js')));
  const packagePath = `${cwd}.vsix`;
  await createPackage({ cwd, packagePath, skipLicense: true });
  return packagePath;
}

/** Waits until a stand-in has written a file. */
export async function written(file: string, wait: () => Promise<void>): Promise<string> {
  while (!existsSync(file)) await wait();
  return readFile(file, 'utf8');
}
