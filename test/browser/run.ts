// Runs the bundled browser tests, each file under a mocha of its own, one after the other or as many at a time as
// BROWSER_JOBS of the environment says; each suite starts its own VS Code and browser. On two cores two at a time take a
// tenth less, but each test nearly twice as long.
//
// A file with a failed test is run once more, and only then traced, as that costs a third of the time.
import { spawn } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { findChromium } from '../host/chromium';
import { addCounts, type Counts, NO_COUNTS, readCounts, runTwiceIfFailed, writeCounts } from '../host/counts';
import { UnavailableError } from '../host/unavailable';
import { ensureVscodeServer } from '../host/vscodeServer';

const countsFolder = join('out', 'counts', 'browser');

/** The outcome of a file's tests. Its output is printed as it comes, unless others run at the same time. */
async function runFile(
  file: string,
  { isTraced, isAlone }: { isTraced: boolean; isAlone: boolean },
): Promise<Counts> {
  const counts = join(countsFolder, `${basename(file, '.test.js')}${isTraced ? '-again' : ''}.json`);
  const args = ['--enable-source-maps', 'node_modules/mocha/bin/mocha.js', '--timeout', '120000', '--exit'];
  args.push('--require', './scripts/mocha/exitOnSignals.cjs');
  if ('CI' in process.env) args.push('--forbid-only');
  const child = spawn(process.execPath, [...args, '--reporter', 'scripts/mocha/countingReporter.cjs', file], {
    stdio: ['ignore', isAlone ? 'inherit' : 'pipe', isAlone ? 'inherit' : 'pipe'],
    env: { ...process.env, IA_COUNTS: counts, ...(isTraced && { IA_TRACE: '1' }) },
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => output.push(chunk));
  const stop = () => child.kill('SIGTERM');
  process.once('exit', stop);
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  process.removeListener('exit', stop);
  process.stdout.write(Buffer.concat(output));
  return await readCounts(counts).catch(() => ({
    ...NO_COUNTS,
    failed: 1,
    failures: [`${basename(file)} ended before its tests did`],
  }));
}

/** Runs files in their order, `jobs` at a time. */
async function runFiles(files: string[], jobs: number): Promise<Counts> {
  let total = NO_COUNTS;
  const isAlone = jobs === 1;
  const runNext = async (): Promise<void> => {
    for (let file = files.shift(); file !== undefined; file = files.shift()) {
      const counts = await runTwiceIfFailed(isAgain => runFile(file, { isTraced: isAgain, isAlone }));
      total = addCounts(total, counts);
    }
  };
  await Promise.all(Array.from({ length: jobs }, runNext));
  return total;
}

// A stop from the terminal ends the process at once, and by that its child.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
try {
  await ensureVscodeServer();
  await findChromium();
  await mkdir(countsFolder, { recursive: true });
  const files = globSync('out/browser/**/*.test.js');
  // With several at a time the longest begin, or the last one would run alone for long.
  files.sort((one, other) => statSync(other).size - statSync(one).size);
  const counts = await runFiles(files, Math.min(Number(process.env['BROWSER_JOBS']) || 1, files.length));
  await writeCounts(counts);
  process.exitCode = counts.failed > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof UnavailableError)) throw error;
  console.error(error.message);
  await writeCounts({ ...NO_COUNTS, skipped: 1 });
}
