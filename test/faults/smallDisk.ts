import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type { Disposable } from '../../src/base/disposable';

/**
 * A file system in memory with little space; undefined where none can be mounted, which takes Linux
 * and its root user.
 */
export function mountSmallDisk(bytes: number): (Disposable & { folder: string }) | undefined {
  if (process.platform !== 'linux') return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'image-analysis-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
  if (status !== 0) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  return {
    folder,
    dispose: () => {
      if (spawnSync('umount', [folder]).status === 0) rmSync(folder, { recursive: true });
    },
  };
}
