import Mocha from 'mocha';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { addCounts, type Counts } from '../host/counts';

/** How the suites of a run ended; a suite is a describe that stands in no other. */
type SuiteCounts = ReadonlyMap<string, Counts>;

const none: Counts = { passed: 0, failed: 0, skipped: 0 };

/**
 * Runs suites under mocha in this process. With `secondTry`, suites that fail are run once more in windows of their own,
 * and only what fails again has failed: each starts a VS Code and a browser, which now and then break down by themselves.
 * What a first try failed at stays in what was printed, with its trace, and is named at the end.
 */
export async function runSuites(files: readonly string[], secondTry: boolean): Promise<Counts> {
  const first = await run(files);
  const failed = [...first].flatMap(([title, { failed }]) => (failed > 0 ? [title] : []));
  if (!secondTry || failed.length === 0) return total(first);
  console.error(`\nOnce more, in windows of their own: ${failed.join('; ')}`);
  const second = await run(files, failed);
  for (const title of failed) {
    if (second.get(title)?.failed === 0) console.error(`Passed only when tried again: ${title}`);
  }
  return total(new Map([...first, ...failed.map(title => [title, second.get(title) ?? failure] as const)]));
}

/** A suite of which nothing was heard. */
const failure: Counts = { ...none, failed: 1 };

async function run(files: readonly string[], only?: readonly string[]): Promise<SuiteCounts> {
  const require = createRequire(resolve('package.json'));
  const reporter = require('./scripts/countingReporter.cjs') as Mocha.ReporterConstructor;
  const mocha = new Mocha({ ui: 'bdd', timeout: 120_000, reporter, forbidOnly: 'CI' in process.env });
  if (only) mocha.grep(new RegExp(`^(?:${only.map(escaped).join('|')}) `));
  for (const file of files) mocha.addFile(file);
  const suites = new Map<string, Counts>();
  await new Promise<void>(done => {
    const runner = mocha.run(() => done());
    const count = (of: Mocha.Runnable, more: Partial<Counts>) => {
      const title = suiteOf(of);
      suites.set(title, addCounts(suites.get(title) ?? none, { ...none, ...more }));
    };
    runner.on('pass', test => count(test, { passed: 1 }));
    runner.on('fail', test => count(test, { failed: 1 }));
    runner.on('pending', test => count(test, { skipped: 1 }));
  });
  // Files are run anew only when they are loaded anew.
  mocha.unloadFiles();
  return suites;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function suiteOf(test: Mocha.Runnable): string {
  let suite = test.parent;
  while (suite?.parent && !suite.parent.root) suite = suite.parent;
  return suite?.title ?? '';
}

function total(suites: SuiteCounts): Counts {
  return [...suites.values()].reduce(addCounts, none);
}
