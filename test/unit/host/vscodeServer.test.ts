import { deepEqual } from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { leaveOutRegistry } from '../../host/vscodeServer';

describe('A VS Code server whose addons are not built', () => {
  it('finds nothing in the registry, and imports what reads it', async () => {
    const server = await mkdtemp(join(tmpdir(), 'server-'));
    try {
      const file = join(server, 'node_modules', '@vscode', 'windows-registry', 'dist', 'index.js');
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, "exports.GetStringRegKey = require('../build/Release/winregistry.node');\n");
      await leaveOutRegistry(server);
      // As the server does, from a module that isn't CommonJS.
      const { GetStringRegKey, GetDWORDRegKey } = (await import(pathToFileURL(file).href)) as Record<
        string,
        (hive: string, path: string, name: string) => unknown
      >;
      const key = ['HKEY_LOCAL_MACHINE', 'SOFTWARE', 'MachineId'] as const;
      deepEqual([GetStringRegKey?.(...key), GetDWORDRegKey?.(...key)], [undefined, undefined]);
    } finally {
      await rm(server, { recursive: true, force: true });
    }
  });
});
