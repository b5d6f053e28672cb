import Mocha from 'mocha';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { format } from 'node:util';
import { TEST_MS } from '../../scripts/patience.mjs';

/**
 * Loaded by the extension host under extensionTestsPath: runs every bundled test beside it; rejects
 * if one fails.
 */
export async function run(): Promise<void> {
  // The bundle lies in out/integration; its source map makes stack traces name the sources.
  process.setSourceMapsEnabled(true);
  const root = dirname(dirname(__dirname));
  const reporter = createRequire(__filename)(
    join(root, 'scripts', 'mocha', 'countingReporter.cjs'),
  ) as Mocha.ReporterConstructor;
  // A served window logs much; its stand-in shows only the lines that begin as it said.
  const prefix = process.env['IA_TEST_LINE'] ?? '';
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => {
    for (const line of format(...args).split('\n')) console.log(prefix + line);
  };
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: TEST_MS,
    reporter,
    color: process.env['IA_COLOR'] === '1',
    forbidOnly: 'CI' in process.env,
  });
  for (const file of readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).sort()) {
    if (file.endsWith('.test.js')) mocha.addFile(join(__dirname, file));
  }
  const failures = await new Promise<number>(resolve => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} integration tests failed`);
}
