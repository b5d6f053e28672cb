import { readFile, writeFile } from 'node:fs/promises';

/** The outcome of a suite, in tests. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Of the skipped tests, those whose title says what the system lacks. */
  excused?: number;
  /** The failed tests, each with why. */
  failures?: string[];
  /** The tests that failed at first and passed when they were run once more. */
  unsteady?: string[];
}

export const NO_COUNTS: Counts = { passed: 0, failed: 0, skipped: 0 };

export function addCounts(a: Counts, b: Counts): Counts {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    excused: (a.excused ?? 0) + (b.excused ?? 0),
    failures: [...(a.failures ?? []), ...(b.failures ?? [])],
    unsteady: [...(a.unsteady ?? []), ...(b.unsteady ?? [])],
  };
}

/** What countingReporter.cjs wrote; rejects where a run ended before it could. */
export async function readCounts(file: string): Promise<Counts> {
  return JSON.parse(await readFile(file, 'utf8')) as Counts;
}

/** Writes the counts to the file named in IA_COUNTS. */
export async function writeCounts(counts: Counts): Promise<void> {
  const file = process.env['IA_COUNTS'];
  if (file) await writeFile(file, JSON.stringify(counts));
}

/**
 * The outcome of `run`, called a second time where a test fails. What fails twice has failed; what
 * passes the second time counts, and is listed as unsteady: a browser, a server and a whole VS Code
 * now and then fail by themselves.
 */
export async function runTwiceIfFailed(run: (isAgain: boolean) => Promise<Counts>): Promise<Counts> {
  const first = await run(false);
  if (first.failed === 0) return first;
  console.error('\nA test failed. Once more:');
  const second = await run(true);
  return second.failed === 0 ? { ...second, unsteady: first.failures ?? [] } : second;
}
