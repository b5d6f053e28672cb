// Replaces the desktop program under runTests of @vscode/test-electron: reads its command-line
// flags, and applies them to a served VS Code shown by a headless Chromium. Ends with the exit code
// of the tests.
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { format } from 'node:util';
import { WAIT_MS } from '../../scripts/patience.mjs';
import { answerAsSystem } from './proxyScript';
import { serveMintKey } from './serveMintKey';
import { launchChromium } from './chromium';
import { mintKey } from './mintKey';
import { addressed, folderAddress, ServedHost } from './servedHost';
import type { EditionName } from './vscodeServer';

/** Begins the lines of the tests' report; everything else that the window logs goes to a file. */
const testLine = '[test] ';

interface Request {
  extensionDevelopmentPath: string;
  extensionTestsPath: string;
  dataFolder: string;
  folder: string;
  settings: Record<string, unknown>;
}

async function readRequest(args: string[]): Promise<Request> {
  const flag = (name: string) => args.find(arg => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const required = (name: string) => {
    const value = flag(name);
    if (value === undefined) throw new Error(`--${name}= is missing`);
    return resolve(value);
  };
  const dataFolder = resolve(flag('user-data-dir') ?? (await mkdtemp(join(tmpdir(), 'served-vscode-'))));
  const folder = resolve(args.find(arg => !arg.startsWith('-')) ?? join(dataFolder, 'empty'));
  await mkdir(folder, { recursive: true });
  return {
    extensionDevelopmentPath: required('extensionDevelopmentPath'),
    extensionTestsPath: required('extensionTestsPath'),
    dataFolder,
    folder,
    settings: JSON.parse(process.env['IA_TEST_SETTINGS'] ?? '{}') as Record<string, unknown>,
  };
}

async function run(request: Request): Promise<number> {
  const host = await ServedHost.start({
    dataFolder: request.dataFolder,
    settings: request.settings,
    machineSettings: request.settings,
    edition: process.env['IA_TEST_EDITION'] as EditionName | undefined,
    allowDevelopment: true,
    isForTests: true,
    environment: { IA_TEST_LINE: testLine },
  });
  const log = createWriteStream(join(request.dataFolder, 'workbench.log'));
  try {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(WAIT_MS);
      await serveMintKey(page, await mintKey(request.dataFolder));
      const script = process.env['IA_PROXY_SCRIPT'];
      if (script) await answerAsSystem(page, script);
      const ended = new Promise<number>((resolve, reject) => {
        page.on('crash', () => reject(new Error('The workbench page crashed')));
        browser.on('disconnected', () => reject(new Error('The browser ended before the tests')));
        void host.ended.then(code =>
          reject(new Error(`The server ended with ${String(code)} before the tests`)),
        );
        void page.exposeFunction('codeAutomationExit', resolve);
      });
      await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
        const line = format(...args);
        if (line.startsWith(testLine)) console.log(line.slice(testLine.length));
        else log.write(`[${type}] ${line}\n`);
      });
      const remote = (path: string) => `vscode-remote://127.0.0.1:${host.port}${addressed(path)}`;
      const payload = [
        ['extensionDevelopmentPath', remote(request.extensionDevelopmentPath)],
        ['extensionTestsPath', remote(request.extensionTestsPath)],
        ['skipWelcome', 'true'],
      ];
      const opened = page.goto(
        folderAddress(host.origin, request.folder, { payload: JSON.stringify(payload) }),
      );
      const [code] = await Promise.all([ended, opened]);
      return code;
    } finally {
      await browser.close();
    }
  } finally {
    await host.stop();
  }
}

// Stopping a run in the terminal must stop the server too.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => process.exit(130));

try {
  process.exit(await run(await readRequest(process.argv.slice(2))));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}
