import type { Machine } from './machine';
import type { Comparison, Spread } from './rounds';

/** What a benchmark prints at its end; fields beside these are its own. */
interface Measured {
  machine: Machine;
  /** By what was measured. */
  measured: Record<string, Comparison>;
}

/**
 * Prints ratios, and a result, which is JSON on the last line too: numbers that aren't known are
 * null there.
 */
export function printResult(own: Record<string, unknown>, { machine, measured }: Measured): void {
  const { processor, cores, loopMs, unzipMBs, load } = machine;
  const unzip = unzipMBs ? `, unzip ${unzipMBs.median.toFixed(0)} MB/s of processor time` : '';
  console.log(
    `${cores} × ${processor}, loop ${loopMs.median.toFixed(0)} ms${unzip}, load ${load.toFixed(1)}`,
  );
  const rows = Object.entries(measured);
  if (rows.length > 0)
    console.log(`${'of rounds: minimum, median, maximum'.padEnd(48)}${'processor time'.padEnd(24)}wall time`);
  for (const [what, { cpuRatio, wallRatio, rounds }] of rows)
    console.log(`${`${what}, of ${rounds}`.padEnd(48)}${shown(cpuRatio).padEnd(24)}${shown(wallRatio)}`);
  const result = { ...own, measured, machine };
  if (!process.argv.includes('--json')) console.log(own);
  console.log(JSON.stringify(result, rounded));
}

export function shown({ min, median, max }: Spread): string {
  if (Number.isNaN(median)) return 'not known';
  const digits = (value: number) => (value < 0.1 ? value.toPrecision(2) : value.toFixed(value < 100 ? 2 : 0));
  return [min, median, max].map(digits).join('  ');
}

/** Five digits are more than any of these has. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}
