// Runs the bundled browser tests, each file under a mocha of its own, as many at a time as
// BROWSER_JOBS of the environment says, which scripts/test.mjs sets: each suite starts its own VS
// Code and browser, and waits for them a fifth of its time.
//
// With IA_FULL=1 those with a VS Code run once more, in the oldest one that the manifest allows;
// with IA_TEST_EDITION=oldest only there.
//
// A file with a failed test is run once more, and only then traced, as that costs a third of the
// time.
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { printFileTimes } from '../../scripts/fileTimes.mjs';
import { TEST_MS } from '../../scripts/patience.mjs';
import { ProcessorTimes } from '../../scripts/processorTimes.mjs';
import { findChromium } from '../host/chromium';
import { addCounts, type Counts, NO_COUNTS, readCounts, runTwiceIfFailed, writeCounts } from '../host/counts';
import { installExtension } from '../host/servedHost';
import { UnavailableError } from '../host/unavailable';
import { writePageScripts } from './preview/pageScripts';
import { drawSampleImages } from './sampleFiles';
import { ensureVscodeServer, type EditionName, testedEditions, vscodeVersion } from '../host/vscodeServer';

const countsFolder = join(dirname(process.env['IA_COUNTS'] ?? 'out/counts/browser.json'), 'browser');

/** With IA_TIMES set, the processor time of each file is counted, and printed at the end. */
const processorTimes = process.env['IA_TIMES'] ? new ProcessorTimes('IA_FILE_MARK') : undefined;
const fileTimes: { name: string; seconds: number }[] = [];

/** How a file's tests are run. */
interface Way {
  edition: EditionName;
  /** Extensions of a data folder into which the package is installed. */
  installed: string | undefined;
  isTraced: boolean;
  isAlone: boolean;
}

/**
 * The outcome of a file's tests. Its output is printed as it comes, unless others run at the same
 * time.
 */
async function runFile(file: string, { edition, installed, isTraced, isAlone }: Way): Promise<Counts> {
  const name = [basename(file, '.test.js'), edition, ...(isTraced ? ['again'] : [])].join('-');
  const counts = join(countsFolder, `${name}.json`);
  const args = [
    '--enable-source-maps',
    'node_modules/mocha/bin/mocha.js',
    '--timeout',
    String(TEST_MS),
    '--exit',
  ];
  args.push('--require', './scripts/mocha/exitOnSignals.cjs');
  if ('CI' in process.env) args.push('--forbid-only');
  const start = (mark: NodeJS.ProcessEnv) =>
    spawn(process.execPath, [...args, '--reporter', 'scripts/mocha/countingReporter.cjs', file], {
      stdio: ['ignore', isAlone ? 'inherit' : 'pipe', isAlone ? 'inherit' : 'pipe'],
      env: {
        ...process.env,
        ...mark,
        IA_COUNTS: counts,
        IA_TEST_EDITION: edition,
        ...(installed !== undefined && { IA_INSTALLED: installed }),
        ...(edition === 'oldest' && { IA_FULL: '' }),
        ...(isTraced && { IA_TRACE: '1' }),
      },
    });
  const child = processorTimes ? processorTimes.begin(start) : start({});
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => output.push(chunk));
  const stop = () => child.kill('SIGTERM');
  process.once('exit', stop);
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  process.removeListener('exit', stop);
  const seconds = processorTimes?.end(child);
  if (seconds !== undefined) fileTimes.push({ name, seconds });
  process.stdout.write(Buffer.concat(output));
  return await readCounts(counts).catch(() => ({
    ...NO_COUNTS,
    failed: 1,
    failures: [`${basename(file)} ended before its tests did`],
  }));
}

/**
 * Runs files in their order, as many at a time as there are jobs. The package is installed once, as
 * a user would, and each window begins with a copy of what that leaves. Pages without a VS Code are
 * bundled once, too, and sample images drawn.
 */
async function runFiles(files: readonly string[], edition: EditionName): Promise<Counts> {
  const vsix = process.env['IA_VSIX'];
  const folder = await mkdtemp(join(tmpdir(), 'ia-installed-'));
  const [host, pages, samples] = [join(folder, 'host'), join(folder, 'pages'), join(folder, 'samples')];
  try {
    const isInstalled = vsix !== undefined && files.some(isInVscode);
    if (isInstalled) await installExtension(vsix, host, edition);
    if (files.some(file => sourceOf(file).includes('SampleImages('))) {
      await drawSampleImages(samples);
      process.env['IA_SAMPLES'] = samples;
    }
    if (!files.every(isInVscode)) {
      await writePageScripts(pages);
      process.env['IA_PAGES'] = pages;
    }
    return await runInstalled(files, edition, isInstalled ? join(host, 'extensions') : undefined);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function runInstalled(
  files: readonly string[],
  edition: EditionName,
  installed?: string,
): Promise<Counts> {
  const jobs = Math.min(Number(process.env['BROWSER_JOBS']) || 1, files.length);
  const queue = [...files];
  let total = NO_COUNTS;
  const runNext = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const name = file;
      const counts = await runTwiceIfFailed(isAgain =>
        runFile(name, { edition, installed, isTraced: isAgain, isAlone: jobs === 1 }),
      );
      total = addCounts(total, counts);
    }
  };
  await Promise.all(Array.from({ length: jobs }, runNext));
  return total;
}

/** The source of a bundled file. */
function sourceOf(file: string): string {
  return readFileSync(file.replace(/^out/, 'test').replace(/js$/, 'ts'), 'utf8');
}

/**
 * About how long the tests of a file take: most by far where they have a VS Code, and in several
 * themes.
 */
function weightOf(file: string): number {
  const source = sourceOf(file);
  return source.length * (isInVscode(file) ? 100 : 1) * (source.includes('inThemes(') ? 2 : 1);
}

function isInVscode(file: string): boolean {
  return sourceOf(file).includes('useWorkbench(');
}

// A stop from the terminal ends the process at once, and by that its child.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => process.exit(130));
try {
  await ensureVscodeServer();
  await findChromium();
  await mkdir(countsFolder, { recursive: true });
  // The longest begin, or the last one would run alone for long.
  const files = globSync('out/browser/**/*.test.js').sort((one, other) => weightOf(other) - weightOf(one));
  let counts = NO_COUNTS;
  for (const edition of testedEditions())
    counts = addCounts(
      counts,
      edition === 'oldest' ? await runInOldest(files.filter(isInVscode)) : await runFiles(files, edition),
    );
  if (fileTimes.length > 0) printFileTimes(fileTimes);
  await writeCounts(counts);
  process.exitCode = counts.failed > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof UnavailableError)) throw error;
  console.error(error.message);
  await writeCounts({ ...NO_COUNTS, skipped: 1 });
}

/**
 * The same in the oldest VS Code that the manifest allows; one skipped test where it can't be
 * downloaded.
 */
async function runInOldest(files: readonly string[]): Promise<Counts> {
  try {
    await ensureVscodeServer('oldest');
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    console.error(error.message);
    return { ...NO_COUNTS, skipped: 1 };
  }
  console.log(`\nBrowser tests in VS Code ${vscodeVersion('oldest')}`);
  return await runFiles(files, 'oldest');
}
