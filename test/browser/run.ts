// Runs the bundled browser tests under mocha, one file at a time, or as many as BROWSER_JOBS of the environment says; each
// suite starts its own VS Code and browser. On two cores two at a time take a tenth less, but each test nearly twice as long.
import Mocha from 'mocha';
import { globSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { findChromium } from '../host/chromium';
import { writeCounts } from '../host/counts';
import { UnavailableError } from '../host/unavailable';
import { ensureVscodeServer } from '../host/vscodeServer';

async function runTests(): Promise<number> {
  const files = globSync('out/browser/**/*.test.js').map(file => resolve(file));
  // With several jobs the longest begin first, or the last one would run alone for long.
  files.sort((one, other) => statSync(other).size - statSync(one).size);
  const jobs = Math.min(Number(process.env['BROWSER_JOBS']) || 1, files.length);
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 120_000,
    reporter: resolve('scripts/countingReporter.cjs'),
    forbidOnly: 'CI' in process.env,
    parallel: jobs > 1,
    jobs,
  });
  for (const file of files) mocha.addFile(file);
  return await new Promise<number>(done => mocha.run(done));
}

// A stop from the terminal ends the process at once; each host then ends its own processes.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
// Mocha passes its own flags on to processes that run files.
process.execArgv.push('--enable-source-maps');
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
