// Everything that a change must pass: build, lint, types, and the four suites. Ends in seconds by
// stage and seconds of a processor, a line of JSON with the same, and one line "N passed, N failed,
// N skipped".
//   words                                                only what they mean, of all suites and of the preview's scenes
//   --only unit|faults|integration|browser|preview words one suite, or those of its files whose path contains a word
//   --full                                               also the heaviest tests
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { RUN_MS } from './patience.mjs';
import { ProcessorTimes } from './processorTimes.mjs';
import { suitesOfWords } from './selectTests.mjs';
import { measureMachine } from './thisMachine.mjs';

/**
 * In the order in which they begin. One without `suite` only adds a failure; `after` names one that
 * must have passed.
 */
const stages = [
  { name: 'build', script: 'package.mjs' },
  { name: 'lint', script: 'lint.mjs' },
  { name: 'typecheck', script: 'typecheck.mjs' },
  { name: 'unit', script: 'unit.mjs', suite: true },
  { name: 'integration', script: 'integration.mjs', suite: true, after: 'build' },
  { name: 'faults', script: 'faults.mjs', suite: true },
  { name: 'browser', script: 'browser.mjs', suite: true, after: 'build' },
  { name: 'preview', script: 'preview.mjs', suite: true },
];
const suites = stages.filter(stage => stage.suite).map(stage => stage.name);

function giveUp(sentence) {
  console.error(`${sentence}\nUsage: npm test -- [--full] [words] or [--only ${suites.join('|')} [words]]`);
  process.exit(2);
}

/** The stages to run, each with the arguments of its script. */
function selectStages(args) {
  const rest = args.filter(argument => argument !== '--full');
  const at = rest.indexOf('--only');
  const [, only] = at < 0 ? [] : rest.splice(at, 2);
  if (at >= 0 && !suites.includes(only)) giveUp(`There is no suite "${only ?? ''}".`);
  // Read with source maps, and sooner there than the package.
  const quickBuild = { name: 'build', script: 'build.mjs', args: [] };
  const withBuild = list => (list.some(({ name }) => name === 'integration') ? [quickBuild, ...list] : list);
  if (only) return withBuild([{ ...stages.find(({ name }) => name === only), args: rest }]);
  if (rest.length === 0)
    return stages.filter(({ name }) => name !== 'preview').map(stage => ({ ...stage, args: [] }));
  const { found, unknown } = suitesOfWords(rest);
  if (unknown.length > 0)
    giveUp(
      `No test file, room, scene or fault has a name with ${unknown.map(word => `"${word}"`).join(', ')}.`,
    );
  return withBuild(
    stages.filter(({ name }) => found.has(name)).map(stage => ({ ...stage, args: found.get(stage.name) })),
  );
}

/**
 * What runs at the same time is printed one after the other: the first live, the next as soon as
 * that has ended.
 */
class Printer {
  waiting = [];

  /** A printer of one stage's output, which begins with its title. */
  begin(title) {
    const chunks = [`\n== ${title}\n`];
    const entry = {
      write: chunk => (this.waiting[0] === entry ? process.stdout.write(chunk) : chunks.push(chunk)),
      end: () => {
        entry.isEnded = true;
        while (this.waiting[0]?.isEnded) {
          this.waiting.shift();
          this.waiting[0]?.flush();
        }
      },
      flush: () => {
        for (const chunk of chunks.splice(0)) process.stdout.write(chunk);
      },
    };
    this.waiting.push(entry);
    if (this.waiting[0] === entry) entry.flush();
    return entry;
  }
}

const isFull = process.argv.includes('--full');
const children = new Set();
const processorTimes = new ProcessorTimes();
const started = Date.now();

/**
 * Runs a stage's script and resolves with its exit code and seconds of a processor; ends it where
 * the run hangs.
 */
function run({ script, name, args }, environment, output) {
  return new Promise(done => {
    const child = processorTimes.begin(mark =>
      spawn(process.execPath, [`scripts/${script}`, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), ...environment, ...mark },
      }),
    );
    children.add(child);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => output.write(chunk));
    const left = started + (isFull ? 2 : 1) * RUN_MS - Date.now();
    const polite = setTimeout(() => {
      output.write(`${name} is still running when the whole has taken too long: ended\n`);
      child.kill('SIGTERM');
    }, left);
    const forced = setTimeout(() => child.kill('SIGKILL'), left + 60_000);
    child.on('close', code => {
      clearTimeout(polite);
      clearTimeout(forced);
      children.delete(child);
      done({ code: code ?? 1, processor: processorTimes.end(child) });
    });
  });
}

const stop = () => {
  const ended = [...children].map(
    child => new Promise(gone => child.once('close', gone) && child.kill('SIGTERM')),
  );
  void Promise.all(ended).then(() => process.exit(143));
};
// A closed terminal is told to the whole group, and to this process once more: it must not take its
// usual course.
for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, stop);

/**
 * The counts of a suite; one that exited with an error but no failed test counts as one failure.
 */
function countsOf(file, code) {
  const counts = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { passed: 0, failed: 0, skipped: 0, failures: [] };
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

const selected = selectStages(process.argv.slice(2));
const inCi = Boolean(process.env.CI) && process.env.CI !== 'false';
// Of this run alone: another may be under way in the same clone.
const countsFolder = `out/counts-${process.pid}`;
await mkdir(countsFolder, { recursive: true });

const total = { passed: 0, failed: 0, skipped: 0 };
/** Skipped tests whose title says what the system lacks. */
let excused = 0;
const codes = new Map();
const seconds = {};
/** Of a processor; of stages of which they are known. */
const processorSeconds = {};
const summary = new Map();
const failures = [];
const unsteady = [];
const printer = new Printer();
const secondsSince = since => Number(((Date.now() - since) / 1000).toFixed(1));

/** Seconds, and those of a processor where they are known. */
function timesOf(elapsed, processor) {
  return `${elapsed.toFixed(1)} s${processor === undefined ? '' : `, ${processor.toFixed(1)} s of a processor`}`;
}

async function runStage(stage) {
  const output = printer.begin(stage.name);
  const since = Date.now();
  const countsFile = join(countsFolder, `${stage.name}.json`);
  const environment = {
    IA_COUNTS: countsFile,
    BROWSER_JOBS: process.env.BROWSER_JOBS ?? String(machine.files),
    ...(isFull && { IA_FULL: '1' }),
  };
  // One package for all that need it.
  if (codes.get('build') === 0 && selected.some(({ script }) => script === 'package.mjs')) {
    const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
    environment.IA_VSIX = process.env.IA_VSIX ?? resolve(`${name}-${version}.vsix`);
  }
  const { code, processor } = await run(stage, environment, output);
  output.end();
  codes.set(stage.name, code);
  seconds[stage.name] = secondsSince(since);
  if (processor !== undefined) processorSeconds[stage.name] = Number(processor.toFixed(1));
  const took = `(${timesOf(seconds[stage.name], processor)})`;
  if (stage.suite) {
    const counts = countsOf(countsFile, code);
    for (const key of Object.keys(total)) total[key] += counts[key];
    excused += counts.excused ?? 0;
    failures.push(...(counts.failures ?? []));
    unsteady.push(...(counts.unsteady ?? []));
    const { passed, failed, skipped } = counts;
    summary.set(stage.name, `${passed} passed, ${failed} failed, ${skipped} skipped ${took}`);
  } else {
    if (code !== 0) total.failed++;
    summary.set(stage.name, `${code === 0 ? 'ok' : 'failed'} ${took}`);
  }
}

const machine = measureMachine();
console.log(
  `A fixed loop took ${machine.milliseconds} ms: ${machine.stages} stages and ${machine.files} browser files at a time`,
);
const running = new Map();
const queue = [...selected];
while (queue.length > 0 || running.size > 0) {
  const isWaiting = ({ after }) => [...running.keys(), ...queue].some(({ name }) => name === after);
  const stage = running.size < machine.stages ? queue.find(each => !isWaiting(each)) : undefined;
  if (stage === undefined) {
    await Promise.race(running.values());
    continue;
  }
  queue.splice(queue.indexOf(stage), 1);
  if (codes.has(stage.after) && codes.get(stage.after) !== 0) {
    summary.set(stage.name, `not run, as ${stage.after} failed`);
    total.skipped++;
    continue;
  }
  running.set(
    stage,
    runStage(stage).finally(() => running.delete(stage)),
  );
}
await rm(countsFolder, { recursive: true, force: true });

const lines = selected.map(({ name }) => `  ${name}: ${summary.get(name)}`);
const known = Object.values(processorSeconds);
const processorTotal =
  known.length === 0 ? undefined : Number(known.reduce((sum, each) => sum + each, 0).toFixed(1));
console.log(`\n== all in ${timesOf(secondsSince(started), processorTotal)}\n${lines.join('\n')}`);
if (unsteady.length > 0)
  console.log(`\nPassed only the second time:\n${unsteady.map(text => `  ${text}`).join('\n')}`);
// Last, as a long log is often cut at its beginning.
if (failures.length > 0) console.log(`\nFailed:\n${failures.map(text => `  ${text}`).join('\n')}\n`);
const isSkipFailure = inCi && total.skipped > excused;
if (isSkipFailure) console.log('A test that is skipped without a reason counts as a failure in CI.');
if (total.passed + total.failed === 0) console.log('No test was run.');
console.log(
  JSON.stringify({
    ...total,
    unsteady,
    seconds: { total: secondsSince(started), ...seconds },
    ...(known.length > 0 && { processorSeconds: { total: processorTotal, ...processorSeconds } }),
  }),
);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 || total.passed === 0 || isSkipFailure ? 1 : 0;
