import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { quietSettings } from './quietSettings';

/** The desktop VS Code's command, where it is on the PATH and there is a display. */
export function findDesktopCode(): string | undefined {
  const display = process.platform !== 'linux' || process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'];
  if (!display) return undefined;
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map(folder => join(folder, name)).find(path => existsSync(path));
}

/**
 * Opens the folder in a desktop VS Code with its own profile folders, the .vsix installed; resolves
 * when it is closed.
 */
export async function runDesktopCode(
  code: string,
  options: { vsix: string; folder: string; dataFolder: string; environment: Record<string, string> },
): Promise<number> {
  const user = join(options.dataFolder, 'User');
  await mkdir(user, { recursive: true });
  const settings = join(user, 'settings.json');
  if (!existsSync(settings)) await writeFile(settings, `${JSON.stringify(quietSettings, undefined, 2)}\n`);
  const shell = process.platform === 'win32';
  const quote = (text: string) => (shell ? `"${text}"` : text);
  const own = [
    '--user-data-dir',
    options.dataFolder,
    '--extensions-dir',
    join(options.dataFolder, 'extensions'),
  ];
  const env = { ...process.env, ...options.environment };
  const install = [...own, '--install-extension', options.vsix, '--force'];
  const installed = spawnSync(quote(code), install.map(quote), {
    env,
    shell,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (installed.status !== 0) throw new Error(`${options.vsix} could not be installed into desktop VS Code`);
  const args = [...own, '--disable-workspace-trust', '--new-window', '--wait', options.folder];
  const child = spawn(quote(code), args.map(quote), { env, shell, stdio: 'inherit' });
  return await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', exitCode => resolve(exitCode ?? 0));
  });
}
