import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, sep as nativeSeparator } from 'node:path';
import { WAIT_MS } from '../../scripts/patience.mjs';
import { freePort } from './freePort';
import { killTreeNow, markVariable, stopTree } from './processTree';
import { quietMachineSettings, quietSettings } from './quietSettings';
import { ensureVscodeServer, type EditionName, neededExtensions, type VscodeServer } from './vscodeServer';

export interface ServedHostOptions {
  /** Everything the host writes goes here; two hosts never share one. Created if missing. */
  dataFolder: string;
  edition?: EditionName | undefined;
  /** User settings on top of the quiet ones. */
  settings?: Record<string, unknown>;
  /** Settings of machine scope, which the served workbench ignores among the user's. */
  machineSettings?: Record<string, unknown>;
  /** Added to the environment of the server, and so of the extension host. */
  environment?: Record<string, string> | undefined;
  /**
   * File that holds the token every request must carry; without one anybody on the machine has
   * access: tests only.
   */
  connectionTokenFile?: string;
  /**
   * Shows the prompt for workspace trust, as VS Code does by default; tests otherwise trust every
   * folder.
   */
  workspaceTrust?: boolean | undefined;
  /**
   * Folder of an unpacked extension, or module, may be given in the address; needed for
   * extensionTestsPath.
   */
  allowDevelopment?: boolean;
  /** Only those built-in extensions that tests need, unless the heaviest tests are run, too. */
  isForTests?: boolean;
  /** Preserves existing settings, which the user may have changed. */
  keepSettings?: boolean;
}

const readyLine = 'Extension host agent listening';

/** A VS Code server with its own port and data folder. */
export class ServedHost {
  private constructor(
    readonly port: number,
    readonly server: VscodeServer,
    private readonly child: ChildProcess,
    private readonly mark: string,
    private readonly onProcessExit: () => void,
  ) {}

  /**
   * Starts a server and resolves when it listens. Throws UnavailableError where none is available.
   */
  static async start(options: ServedHostOptions): Promise<ServedHost> {
    const server = await ensureVscodeServer(options.edition);
    const port = await freePort();
    await writeSettings(options);
    const mark = randomUUID();
    const args = serverArguments(options, port);
    if (options.isForTests && process.env['IA_FULL'] !== '1')
      args.push('--builtin-extensions-dir', await neededExtensions(options.edition));
    const child = spawn(server.node, [server.main, ...args], {
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...cleanEnvironment(), ...options.environment, [markVariable]: mark },
    });
    const onProcessExit = () => killTreeNow(child, mark);
    process.once('exit', onProcessExit);
    const host = new ServedHost(port, server, child, mark, onProcessExit);
    try {
      await host.listening(join(options.dataFolder, 'server.log'));
      return host;
    } catch (error) {
      await host.stop();
      throw error;
    }
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The server's exit code, whether it ended by itself or was stopped. */
  get ended(): Promise<number | null> {
    return new Promise(resolve => this.child.once('exit', resolve));
  }

  /** Ends the server and every process it started, the extension's own included. */
  async stop(): Promise<void> {
    await stopTree(this.child, this.mark);
    process.removeListener('exit', this.onProcessExit);
  }

  private async listening(logFile: string): Promise<void> {
    const log = createWriteStream(logFile, { flags: 'a' });
    this.child.stderr?.pipe(log, { end: false });
    let heard = '';
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`The VS Code server did not listen within ${WAIT_MS / 1000} s: see ${logFile}`));
      }, WAIT_MS);
      const settle = (finish: () => void) => {
        clearTimeout(timer);
        finish();
      };
      this.child.stdout?.on('data', (chunk: Buffer) => {
        log.write(chunk);
        heard = (heard + chunk.toString()).slice(-4000);
        if (heard.includes(readyLine)) settle(resolve);
      });
      this.child.once('error', error => settle(() => reject(error)));
      this.child.once('exit', code => {
        settle(() => reject(new Error(`The VS Code server ended with ${String(code)}: see ${logFile}`)));
      });
    });
  }
}

/** The address that opens a folder, with further parameters of the window. */
export function folderAddress(origin: string, folder: string, more: Record<string, string> = {}): string {
  const address = new URL(origin);
  address.search = new URLSearchParams({ ...more, folder: addressed(folder) })
    .toString()
    .replaceAll('%2F', '/');
  return address.href;
}

/** An absolute path as addresses have it, which begin with a slash on Windows too: /c:/images. */
export function addressed(path: string, { sep } = { sep: nativeSeparator }): string {
  return sep === '/' ? path : path.replaceAll(sep, '/').replace(/^(?=[a-z]:)/i, '/');
}

/** Installs a .vsix into the extensions of a data folder, as a user would. */
export async function installExtension(
  vsix: string,
  dataFolder: string,
  edition?: EditionName,
): Promise<void> {
  const server = await ensureVscodeServer(edition);
  await mkdir(dataFolder, { recursive: true });
  const folders = ['--server-data-dir', dataFolder, '--extensions-dir', join(dataFolder, 'extensions')];
  const child = spawn(server.node, [server.main, '--install-extension', vsix, '--force', ...folders], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: cleanEnvironment(),
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0 || !/successfully installed/.test(said)) {
    // A crash of the server prints its own minified source.
    const readable = said.split('\n').filter(line => line.length < 500);
    throw new Error(`${vsix} could not be installed:\n${readable.join('\n')}`);
  }
}

/** The folder of the extension that `installExtension` has installed. */
export async function installedFolder(dataFolder: string): Promise<string> {
  const extensions = join(dataFolder, 'extensions');
  const name = (await readdir(extensions)).find(name => name.includes('image-analysis'));
  if (name === undefined) throw new Error(`No extension is installed in ${extensions}`);
  return join(extensions, name);
}

/** Variables of an enclosing VS Code would make the server behave as its child. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_)/.test(name)),
  );
}

function serverArguments(options: ServedHostOptions, port: number): string[] {
  const args = ['--host', '127.0.0.1', '--port', String(port)];
  args.push(
    '--server-data-dir',
    options.dataFolder,
    '--extensions-dir',
    join(options.dataFolder, 'extensions'),
  );
  args.push('--accept-server-license-terms', '--disable-telemetry');
  // On one machine it only takes processor time; a desktop's windows don't compress their messages
  // either.
  args.push('--disable-websocket-compression');
  if (options.connectionTokenFile) args.push('--connection-token-file', options.connectionTokenFile);
  else args.push('--without-connection-token');
  if (!options.workspaceTrust) args.push('--disable-workspace-trust');
  if (options.allowDevelopment) args.push('--enable-smoke-test-driver');
  return args;
}

async function writeSettings(options: ServedHostOptions): Promise<void> {
  const data = join(options.dataFolder, 'data');
  await mkdir(join(options.dataFolder, 'extensions'), { recursive: true });
  await writeJson(join(data, 'User'), { ...quietSettings, ...options.settings }, options.keepSettings);
  await writeJson(
    join(data, 'Machine'),
    { ...quietMachineSettings, ...options.machineSettings },
    options.keepSettings,
  );
}

async function writeJson(folder: string, value: Record<string, unknown>, keep = false): Promise<void> {
  const path = join(folder, 'settings.json');
  if (keep && existsSync(path)) return;
  await mkdir(folder, { recursive: true });
  await writeFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
