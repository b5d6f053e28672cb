import { spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * Has the built sample program write its images into a folder, and those of its study below it;
 * existing files are not changed.
 */
export async function writeSampleImages(folder: string): Promise<void> {
  await Promise.all([write(folder), write(join(folder, 'study'), '--study')]);
}

async function write(folder: string, ...options: string[]): Promise<void> {
  const child = spawn(process.execPath, ['dist/sample.js', 'images', '--out', folder, ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0)
    throw new Error(`The sample images could not be written: the program ended with ${String(code)}`);
}
