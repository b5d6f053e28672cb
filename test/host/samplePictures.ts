import { spawn } from 'node:child_process';

/** Has the built sample program write its pictures into a folder; those that are there already stay as they are. */
export async function writeSamplePictures(folder: string): Promise<void> {
  const child = spawn(process.execPath, ['dist/sample.js', 'pictures', '--out', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0)
    throw new Error(`The sample pictures could not be written: the program ended with ${String(code)}`);
}
