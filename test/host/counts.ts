import { readFile, writeFile } from 'node:fs/promises';

/** The outcome of a suite, in tests. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** The failed tests, each with why. */
  failures?: string[];
}

export function addCounts(a: Counts, b: Counts): Counts {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...(a.failures ?? []), ...(b.failures ?? [])],
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
