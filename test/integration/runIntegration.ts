// Runs the integration suite by runTests of @vscode/test-electron: in the served VS Code, or with
// IA_DESKTOP=1 in a downloaded desktop one; with IA_FULL=1 also in the oldest VS Code the manifest
// allows, with IA_TEST_EDITION=oldest only there.
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { cacheFolder } from '../host/cacheFolder';
import { findChromium } from '../host/chromium';
import { addCounts, type Counts, NO_COUNTS, readCounts, runTwiceIfFailed, writeCounts } from '../host/counts';
import { freePort } from '../host/freePort';
import { proxyScript } from '../host/proxyScript';
import { quietSettings } from '../host/quietSettings';
import { standInExecutable } from '../host/standInExecutable';
import { withSuiteFolder } from '../host/suiteFolder';
import { UnavailableError } from '../host/unavailable';
import { ensureVscodeServer, type EditionName, testedEditions, vscodeVersion } from '../host/vscodeServer';

const desktop = process.env['IA_DESKTOP'] === '1';

/** The program that runTests starts. */
async function executable(edition: EditionName): Promise<string> {
  if (desktop) {
    try {
      return await downloadAndUnzipVSCode({
        version: vscodeVersion(edition),
        cachePath: join(cacheFolder(), 'desktop'),
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UnavailableError(
        `Desktop VS Code could not be downloaded (${reason}): run without IA_DESKTOP to test in the served one.`,
      );
    }
  }
  await ensureVscodeServer(edition);
  await findChromium();
  return await standInExecutable();
}

/** Has Chromium use a proxy script as it would the system's. */
function proxyScriptArgument(port: number): string {
  const script = Buffer.from(proxyScript(port)).toString('base64');
  return `--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64,${script}`;
}

async function runEdition(edition: EditionName): Promise<Counts> {
  const vscodeExecutablePath = await executable(edition);
  console.log(`Integration tests in ${desktop ? 'desktop' : 'served'} VS Code ${vscodeVersion(edition)}`);
  return await withSuiteFolder(`integration-${edition}`, async folder => {
    const counts = join(folder, 'counts.json');
    const workspace = join(folder, 'workspace');
    const user = join(folder, 'host', 'User');
    await mkdir(workspace, { recursive: true });
    await mkdir(user, { recursive: true });
    await writeFile(join(user, 'settings.json'), JSON.stringify(quietSettings));
    const proxyPort = await freePort();
    if (!desktop)
      console.log('A stand-in for the system runs the proxy script: only desktop VS Code asks the system.');
    try {
      await runTests({
        vscodeExecutablePath,
        extensionDevelopmentPath: resolve('.'),
        extensionTestsPath: resolve('out/integration/index.js'),
        launchArgs: [
          workspace,
          `--user-data-dir=${join(folder, 'host')}`,
          ...(desktop ? [proxyScriptArgument(proxyPort)] : []),
        ],
        extensionTestsEnv: {
          IA_COUNTS: counts,
          IA_TEST_EDITION: edition,
          IA_PROXY_PORT: String(proxyPort),
          ...(!desktop && {
            IA_PROXY_SCRIPT: proxyScript(proxyPort),
            // The extension host of a server asks the window.
            IA_TEST_SETTINGS: JSON.stringify({ 'http.useLocalProxyConfiguration': true }),
          }),
          IA_COLOR: process.stdout.isTTY ? '1' : '0',
        },
      });
      return await readCounts(counts);
    } catch (error) {
      const counted = await readCounts(counts).catch(() => undefined);
      if (counted && counted.failed > 0) return counted;
      // It ended early, or badly although no test failed.
      console.error(error instanceof Error ? error.message : error);
      return addCounts(counted ?? NO_COUNTS, { ...NO_COUNTS, failed: 1 });
    }
  });
}

// runTests ends its program on SIGINT alone.
for (const name of ['SIGTERM', 'SIGHUP'] as const) process.on(name, () => process.emit('SIGINT'));

let total = NO_COUNTS;
for (const edition of testedEditions()) {
  try {
    total = addCounts(total, await runTwiceIfFailed(() => runEdition(edition)));
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    console.error(error.message);
    total = addCounts(total, { ...NO_COUNTS, skipped: 1 });
  }
}
await writeCounts(total);
process.exit(total.failed > 0 ? 1 : 0);
