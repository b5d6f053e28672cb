import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/**
 * Writes the small executable that runs servedVscode under this Node, since runTests can only start
 * a program.
 */
export async function standInExecutable(): Promise<string> {
  const folder = resolve('out', 'programs');
  const script = join(folder, 'host-servedVscode', 'servedVscode.mjs');
  await mkdir(folder, { recursive: true });
  if (process.platform === 'win32') {
    const path = join(folder, 'served-vscode.cmd');
    await writeFile(path, `@"${process.execPath}" "${script}" %*\r\n`);
    return path;
  }
  const path = join(folder, 'served-vscode');
  await writeFile(path, `#!/bin/sh\nexec "${process.execPath}" --enable-source-maps "${script}" "$@"\n`);
  await chmod(path, 0o755);
  return path;
}
