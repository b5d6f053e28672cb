import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { whenReleased } from '../../src/base/node/diskErrors';

const partialPrefix = '.partial-';
const abandonedAfterMs = 2 * 60 * 60 * 1000;

/** Where hosts and browsers are cached between runs and clones. */
export function cacheFolder(): string {
  const named = process.env['IMAGE_ANALYSIS_CACHE'];
  return named ? resolve(named) : join(homedir(), '.cache', 'image-analysis-vscode');
}

/**
 * Returns the cached folder `name`, filling it first where it is missing. It is filled under
 * another name and then renamed, so that an interrupted install never counts as complete, and two
 * at once do no harm.
 */
export async function installOnce(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const cache = cacheFolder();
  const target = join(cache, name);
  if (existsSync(target)) return target;
  await mkdir(cache, { recursive: true });
  await removeAbandoned(cache);
  const partial = await mkdtemp(join(cache, `${partialPrefix}${name}-`));
  try {
    await fill(partial);
    // On Windows a virus scanner may still read what has just been written.
    await whenReleased(() => rename(partial, target)).catch((error: unknown) => {
      // Another run was faster.
      if (!existsSync(target)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true, maxRetries: 5 });
  }
  return target;
}

async function removeAbandoned(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith(partialPrefix)) continue;
    const path = join(cache, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(path, { recursive: true, force: true });
  }
}
