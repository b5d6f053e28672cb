import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Half of the key that the served workbench encrypts secrets with; the same for the lifetime of a
 * data folder.
 */
export async function mintKey(dataFolder: string): Promise<Buffer> {
  const path = join(dataFolder, 'mint-key');
  await mkdir(dataFolder, { recursive: true });
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(randomBytes(32));
    await file.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return await readFile(path);
}
