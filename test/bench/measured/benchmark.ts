// What every benchmark does: it reads its options, works in a folder of its own, and ends with the
// ratios of its rounds, the machine, and a line of JSON.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { describeMachine } from './machine';
import type { Comparison, Spread } from './rounds';

export interface BenchmarkResult {
  /** Comparisons of two sides by what was measured; the other fields are the benchmark's own. */
  readonly measured?: Readonly<Record<string, Comparison>>;
  readonly [field: string]: unknown;
}

/**
 * Runs a benchmark of this name, whose options have these defaults, and prints what `work` gives;
 * the folder is removed at the end.
 */
export async function benchmark<Options extends Readonly<Record<string, number | string>>>(
  name: string,
  defaults: Options,
  work: (options: Options, folder: string) => Promise<BenchmarkResult>,
): Promise<void> {
  const options = givenOptions(name, defaults);
  const folder = await mkdtemp(join(tmpdir(), `bench-${name}-`));
  try {
    // Before the work, whose load it would find otherwise.
    const machine = await describeMachine();
    const { measured = {}, ...own } = await work(options, folder);
    const { processor, cores, loopMs, unzipMBs, load } = machine;
    const unzip = unzipMBs ? `, unzip ${unzipMBs.median.toFixed(0)} MB/s of processor time` : '';
    console.log(
      `${cores} × ${processor}, loop ${loopMs.median.toFixed(0)} ms${unzip}, load ${load.toFixed(1)}`,
    );
    const rows = Object.entries(measured);
    if (rows.length > 0)
      console.log(
        `${'of rounds: minimum, median, maximum'.padEnd(48)}${'processor time'.padEnd(24)}wall time`,
      );
    for (const [what, { cpuRatio, wallRatio, rounds }] of rows)
      console.log(`${`${what}, of ${rounds}`.padEnd(48)}${shown(cpuRatio).padEnd(24)}${shown(wallRatio)}`);
    if (!process.argv.includes('--json')) console.log(own);
    console.log(JSON.stringify({ ...own, measured, machine }, rounded));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What the command line says; what it can't mean is refused in words, before anything is measured. */
export function givenOptions<Options extends Readonly<Record<string, number | string>>>(
  name: string,
  defaults: Options,
): Options {
  try {
    return optionsOf(defaults, process.argv.slice(2));
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(2);
  }
}

/**
 * Options by these arguments; --json only says that nobody reads what stands above the JSON. Throws
 * where one isn't known, or has no whole number where its default is a number.
 */
export function optionsOf<Options extends Readonly<Record<string, number | string>>>(
  defaults: Options,
  parameters: readonly string[],
): Options {
  const names = Object.keys(defaults).map(name => [name, { type: 'string' as const }] as const);
  const options: ParseArgsOptionsConfig = { ...Object.fromEntries(names), json: { type: 'boolean' } };
  const values: Partial<Record<string, unknown>> = parseArgs({ options, args: [...parameters] }).values;
  const given = Object.entries(defaults).map(([name, value]) => {
    const text = values[name];
    if (typeof text !== 'string') return [name, value] as const;
    if (typeof value === 'string') return [name, text] as const;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} takes a whole number from 1, not "${text}"`);
    return [name, Number(text)] as const;
  });
  return Object.fromEntries(given) as Options;
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
