import { execFile } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** Writes the sample pictures into the workspace, and leaves only those asked for. */
export async function writeSamplePictures(folder: string, keep: readonly string[]): Promise<void> {
  const script = resolve('dist/sample.js');
  await promisify(execFile)(process.execPath, [script, 'pictures', '--out', folder]);
  for (const name of await readdir(folder)) if (!keep.includes(name)) await rm(join(folder, name));
}

/** What the sample service that a window started says of itself on disk. */
export async function sampleServiceOf(dataFolder: string): Promise<{ baseUrl: string; apiKey: string }> {
  const storage = join(dataFolder, 'data/User/globalStorage/image-analysis.image-analysis');
  const text = await readFile(join(storage, 'sample/data/service.json'), 'utf8');
  return JSON.parse(text) as { baseUrl: string; apiKey: string };
}

/** Makes the sample service take its time over each picture, so that a person can look at a running job. */
export async function slowDown(dataFolder: string, delayMs: number): Promise<void> {
  const { baseUrl, apiKey } = await sampleServiceOf(dataFolder);
  const response = await fetch(`${baseUrl}/sample/settings`, {
    method: 'PUT',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ delayMs }),
  });
  if (!response.ok) throw new Error(`The sample service answered ${response.status}`);
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
