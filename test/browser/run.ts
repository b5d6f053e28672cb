// Runs the bundled browser tests under mocha in this process; each suite starts its own VS Code and browser.
import Mocha from 'mocha';
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { findChromium } from '../host/chromium';
import { writeCounts } from '../host/counts';
import { UnavailableError } from '../host/unavailable';
import { ensureVscodeServer } from '../host/vscodeServer';

async function runTests(): Promise<number> {
  const require = createRequire(resolve('package.json'));
  const reporter = require('./scripts/countingReporter.cjs') as Mocha.ReporterConstructor;
  const mocha = new Mocha({ ui: 'bdd', timeout: 120_000, reporter, forbidOnly: 'CI' in process.env });
  for (const file of globSync('out/browser/**/*.test.js').sort()) mocha.addFile(resolve(file));
  return await new Promise<number>(done => mocha.run(done));
}

// A stop from the terminal ends the process at once; each host then ends its own processes.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
process.setSourceMapsEnabled(true);
try {
  await ensureVscodeServer();
  await findChromium();
  process.exit((await runTests()) > 0 ? 1 : 0);
} catch (error) {
  if (!(error instanceof UnavailableError)) throw error;
  console.error(error.message);
  await writeCounts({ passed: 0, failed: 0, skipped: 1 });
  process.exit(0);
}
