// npm run bench -- NAME --against PACKAGE [--runs N] [its own arguments]: runs a benchmark with
// this build and with another one in turn, and compares what both say. PACKAGE is a folder of the
// other build's sources, or its .vsix where the benchmark runs in a workbench. What a bundle has
// inside can't be called, so that the others need sources; these are read with this build's
// packages and measured by this build's benchmark.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { compareBuilds, type RunResult, type Runs } from './measured/builds';
import { benchmark, shown } from './measured/benchmark';
import { MIN_ROUNDS } from './measured/rounds';

/** What the last line of one run says. */
async function run(parameters: string[], environment: Record<string, string>): Promise<RunResult> {
  const child = spawn(process.execPath, ['scripts/bench.mjs', ...parameters, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const [printed, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  if (code !== 0) throw new Error(`${printed}\nThe benchmark ended with ${code}`);
  return JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '') as RunResult;
}

const DEFAULTS = {
  runs: MIN_ROUNDS,
  /** By which the other build is named to a benchmark (scripts/bench.mjs); JSON. */
  environment: '{}',
  /** The benchmark and its own arguments; JSON. */
  parameters: '[]',
};

await benchmark('against', DEFAULTS, async options => {
  const other = JSON.parse(options.environment) as Record<string, string>;
  const parameters = JSON.parse(options.parameters) as string[];
  const runs: Runs[] = [];
  for (let at = 0; at < options.runs; at++) {
    // Every other time in the opposite order, so that none always finds what the other left.
    const first = await run(parameters, at % 2 === 0 ? {} : other);
    const second = await run(parameters, at % 2 === 0 ? other : {});
    runs.push(at % 2 === 0 ? { ours: first, other: second } : { ours: second, other: first });
    console.log(`Run ${at + 1} of ${options.runs} of both builds`);
  }
  const { measured, fields } = compareBuilds(runs);
  console.log('This build to the other one');
  for (const [path, { ours, other: theirs, ratio }] of Object.entries(fields))
    console.log(
      `${path.padEnd(48)}${shown(ratio).padEnd(24)}medians ${ours.median.toPrecision(4)}, ${theirs.median.toPrecision(4)}`,
    );
  return { runs: runs.length, fields, measured };
});
