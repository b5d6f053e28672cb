// Runs the bundled browser tests under mocha in this process; each suite starts its own VS Code and browser.
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { findChromium } from '../host/chromium';
import { writeCounts } from '../host/counts';
import { UnavailableError } from '../host/unavailable';
import { ensureVscodeServer } from '../host/vscodeServer';
import { runSuites } from './suiteRun';

// A stop from the terminal ends the process at once; each host then ends its own processes.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
process.setSourceMapsEnabled(true);
try {
  await ensureVscodeServer();
  await findChromium();
  const files = globSync('out/browser/**/*.test.js').sort();
  const counts = await runSuites(
    files.map(file => resolve(file)),
    Boolean(process.env['CI']),
  );
  await writeCounts(counts);
  process.exit(counts.failed > 0 ? 1 : 0);
} catch (error) {
  if (!(error instanceof UnavailableError)) throw error;
  console.error(error.message);
  await writeCounts({ passed: 0, failed: 0, skipped: 1 });
  process.exit(0);
}
