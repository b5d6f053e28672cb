import { copyFile, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FilesystemStore } from '../../src/sample/node/filesystemStore';
import { sampleImages } from '../../src/sample/node/images/sampleImages';
import { studyImages } from '../../src/sample/node/images/studyImages';
import { writeImages } from '../../src/sample/node/images/writeImages';
import type { Workbench } from './workbench';

/** The folder that a runner has had filled by `drawSampleImages`, once for all its files. */
const drawn = process.env['IA_SAMPLES'];

/**
 * Draws the sample images for all files of a run, into a folder that `IA_SAMPLES` then names: all
 * of them as files, and the data of a sample service that has drawn them.
 */
export async function drawSampleImages(folder: string): Promise<void> {
  const [images, moved, data] = [join(folder, 'images'), join(folder, 'moved'), join(folder, 'data')];
  await writeImages(images, 'single');
  await cp(images, moved, { recursive: true });
  const files = join(data, 'files');
  await mkdir(files, { recursive: true });
  const quiet = { trace() {}, info() {}, warn() {}, error() {} };
  const store = await FilesystemStore.open(join(data, 'items.json'), files, quiet);
  const study = studyImages().map(({ name }) => name);
  // Those that are there aren't drawn again.
  await store.seed(await writeImages(moved, 'single'), study, ['Sample images']);
}

/** Some of the sample images in the workspace, drawn now unless the run has drawn them. */
export async function writeSampleImages(folder: string, names: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of names) {
    const image = sampleImages().find(one => one.name === name);
    if (!image) throw new Error(`There is no sample image "${name}"`);
    if (drawn === undefined) await writeFile(join(folder, name), image.bytes());
    else await copyFile(join(drawn, 'images', name), join(folder, name));
  }
}

/**
 * Lets the sample service of a window that is about to open have its images already, as at its
 * second start. That it draws them at its first is tested in `walkThrough`.
 */
export async function placeSampleImages(workspace: string): Promise<void> {
  if (drawn === undefined) return;
  const storage = join(workspace, '..', 'host', 'data/User/globalStorage/image-analysis.image-analysis');
  await cp(join(drawn, 'data'), join(storage, 'sample/data'), { recursive: true });
}

/** Signs in to the sample service, as a user does. */
export async function signInToSample(workbench: Workbench): Promise<void> {
  await workbench.openContainer('Image Analysis');
  await workbench.tree('Files').welcome('Try the sample service');
  await workbench.readNotification('Signed in to the sample service');
  await workbench.clearNotifications();
}

/** The record that the sample service, started by a window, writes to disk. */
export async function sampleServiceOf(
  dataFolder: string,
): Promise<{ baseUrl: string; apiKey: string; pid: number }> {
  const storage = join(dataFolder, 'data/User/globalStorage/image-analysis.image-analysis');
  const text = await readFile(join(storage, 'sample/data/service.json'), 'utf8');
  return JSON.parse(text) as { baseUrl: string; apiKey: string; pid: number };
}

/**
 * Stops the sample service until the returned function is called: what it is being sent is still
 * under way then, however slow the machine is. Elsewhere than on Windows, which has no such signal.
 */
export async function holdService(dataFolder: string): Promise<() => void> {
  const { pid } = await sampleServiceOf(dataFolder);
  if (process.platform === 'win32') return () => undefined;
  process.kill(pid, 'SIGSTOP');
  let isHeld = true;
  return () => {
    if (isHeld) process.kill(pid, 'SIGCONT');
    isHeld = false;
  };
}

/**
 * Sets the sample service's delay per image, so that a test can see a running job; at most a
 * minute.
 */
export async function slowDown(dataFolder: string, delayMs: number): Promise<void> {
  const { baseUrl, apiKey } = await sampleServiceOf(dataFolder);
  const response = await fetch(`${baseUrl}/sample/settings`, {
    method: 'PUT',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ delayMs }),
  });
  if (!response.ok) throw new Error(`The sample service returned ${response.status}`);
}

/** Names of the files in a folder at the top of the sample service. */
export async function filesOnService(dataFolder: string, folder: string): Promise<string[]> {
  const { baseUrl, apiKey } = await sampleServiceOf(dataFolder);
  const list = async (folderId?: string) => {
    const query = new URLSearchParams({ limit: '1000', ...(folderId && { folderId }) });
    const response = await fetch(`${baseUrl}/api/external/filesystem-items?${query}`, {
      headers: { 'x-api-key': apiKey },
    });
    const { results } = (await response.json()) as { results: { id: string; name: string }[] };
    return results;
  };
  const found = (await list()).find(({ name }) => name === folder);
  if (!found) throw new Error(`The sample service has no folder ${folder}`);
  return (await list(found.id)).map(({ name }) => name).sort();
}

/** Paths below a folder of the files that contain one of the texts. */
export async function filesContaining(
  folder: string,
  texts: readonly (string | RegExp)[],
): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path, 'latin1');
    if (texts.some(text => (typeof text === 'string' ? content.includes(text) : text.test(content))))
      found.push(path);
  }
  return found;
}
