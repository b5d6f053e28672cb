// What `npm start` runs once the extension is packaged: a VS Code with it, sample images as the
// workspace and the sample service signed in. Runs until it is stopped.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from './cacheFolder';
import { findDesktopCode, runDesktopCode } from './desktopCode';
import { freePort } from './freePort';
import { mintKey } from './mintKey';
import { writeSampleImages } from './sampleImages';
import { SecretsProxy } from './secretsProxy';
import { folderAddress, installExtension, ServedHost } from './servedHost';
import { UnavailableError } from './unavailable';
import { ensureVscodeServer } from './vscodeServer';

/**
 * The extension signs in to the sample service by itself when this is set and there is no account.
 */
const environment = { IMAGE_ANALYSIS_START_SAMPLE: '1' };

async function startDesktop(code: string, vsix: string, folder: string, base: string): Promise<void> {
  console.log(`Opening ${folder} in desktop VS Code; close its window to end.`);
  const dataFolder = join(base, 'desktop');
  process.exit(await runDesktopCode(code, { vsix, folder, dataFolder, environment }));
}

/**
 * What a signal does. One that ends the whole group arrives twice, as bootstrap.mjs passes it on:
 * it must never take its usual course, which would leave the server running.
 */
let end: () => void = () => process.exit(1);
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => end());

async function startServed(vsix: string, folder: string, base: string): Promise<void> {
  const dataFolder = join(base, 'served');
  await claim(dataFolder);
  await ensureVscodeServer();
  await installExtension(vsix, dataFolder);
  const token = randomBytes(24).toString('hex');
  const connectionTokenFile = join(dataFolder, 'connection-token');
  await writeSecret(connectionTokenFile, token);
  const host = await ServedHost.start({ dataFolder, environment, connectionTokenFile, keepSettings: true });
  const port = await rememberedPort(dataFolder);
  const proxy = new SecretsProxy({ port, serverPort: host.port, mintKey: await mintKey(dataFolder), token });
  await proxy.listen();
  const address = folderAddress(`http://127.0.0.1:${port}`, folder, { tkn: token });
  console.log(
    `VS Code ${host.server.version} with Image Analysis is ready. Open this address in a browser on this machine:`,
  );
  console.log(`\n  ${address}\n`);
  console.log('It stays until you stop it (Ctrl+C).');
  const reason = await Promise.race([
    new Promise<undefined>(resolve => (end = () => resolve(undefined))),
    host.ended.then(code => `The server ended with ${String(code)}`),
  ]);
  await proxy.close();
  await host.stop();
  if (reason !== undefined) console.error(reason);
  process.exit(reason === undefined ? 0 : 1);
}

/** Only one process can use the data folder; a second one says so and ends. */
async function claim(dataFolder: string): Promise<void> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const file = join(dataFolder, 'start.pid');
  const holder = existsSync(file) ? Number(await readFile(file, 'utf8')) : 0;
  if (holder > 0 && isAlive(holder)) {
    throw new UnavailableError(
      `It is running already, as process ${holder}: use that one, or stop it first.`,
    );
  }
  await writeFile(file, String(process.pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * The browser stores secrets and layout by address, so the port stays the same while it is free.
 */
async function rememberedPort(dataFolder: string): Promise<number> {
  const file = join(dataFolder, 'port');
  const last = existsSync(file) ? Number(await readFile(file, 'utf8')) : 0;
  const port = await freePort(Number.isInteger(last) && last > 0 && last < 65536 ? last : 0);
  await writeFile(file, String(port));
  return port;
}

async function writeSecret(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  // The mode above applies only to a new file.
  await chmod(path, 0o600);
}

try {
  const vsix = process.env['IA_VSIX'];
  if (!vsix) throw new Error('IA_VSIX must name the packaged extension');
  const base = join(cacheFolder(), 'start');
  const folder = join(base, 'images');
  await mkdir(folder, { recursive: true });
  await writeSampleImages(folder);
  const code = process.argv.includes('--served') ? undefined : findDesktopCode();
  if (code) await startDesktop(code, vsix, folder, base);
  else await startServed(vsix, folder, base);
} catch (error) {
  console.error(error instanceof UnavailableError ? error.message : error);
  process.exit(1);
}
