import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Counts } from './counts';

const keptLogs = ['host/server.log', 'host/workbench.log', 'host/data/logs', 'host/logs'];

/**
 * Runs a suite with its own folder (with a short path, because it may contain sockets) and removes
 * it afterwards. When a test failed, the host's logs are saved in out/failures/<name>.
 */
export async function withSuiteFolder(
  name: string,
  run: (folder: string) => Promise<Counts>,
): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), 'ia-'));
  const kept = join('out', 'failures', name);
  await rm(kept, { recursive: true, force: true });
  let failed = true;
  try {
    const counts = await run(folder);
    failed = counts.failed > 0;
    return counts;
  } finally {
    if (failed) {
      await mkdir(kept, { recursive: true });
      for (const log of keptLogs) {
        if (existsSync(join(folder, log))) await cp(join(folder, log), join(kept, log), { recursive: true });
      }
      console.error(`The host's logs are in ${kept}`);
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
