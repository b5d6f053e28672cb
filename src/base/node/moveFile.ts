import { createReadStream } from 'node:fs';
import * as nodeFileSystem from 'node:fs/promises';
import { linkTarget, type MoveOptions, moveToName, writeAtomicFile } from './atomicFile';
import { systemCode } from './diskErrors';

// Not in atomicFile.ts, which is compiled when VS Code starts.

/** Renames a file on the same volume. Throws `cancelled`, and errors of the file system. */
export async function moveFile(from: string, to: string, options: MoveOptions = {}): Promise<void> {
  const { replace = true, fileSystem = nodeFileSystem } = options;
  const target = replace ? await linkTarget(to, fileSystem) : to;
  try {
    await moveToName(from, target, options);
  } catch (error) {
    // The link leads to another volume.
    if (systemCode(error) !== 'EXDEV' || target === to) throw error;
    await writeAtomicFile(target, handle => handle.writeFile(createReadStream(from)), options);
    await fileSystem.rm(from, { force: true }).catch(() => undefined);
  }
}
