// Everything that a change must pass: build, lint, types, and the four suites. Ends in one line "N passed, N failed, N skipped".
//   --only unit|faults|integration|browser [fragments]   one suite, or those of its files whose path contains a fragment
//   --full                                               also the heaviest tests
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';

const minute = 60_000;
/** A stage without `suite` only adds a failure; `after` names a stage that must have passed. */
const stages = [
  { name: 'build', script: 'build.mjs', limit: 2 * minute },
  { name: 'lint', script: 'lint.mjs', limit: 5 * minute },
  { name: 'typecheck', script: 'typecheck.mjs', limit: 5 * minute },
  { name: 'unit', script: 'unit.mjs', limit: 10 * minute, suite: true },
  { name: 'faults', script: 'faults.mjs', limit: 5 * minute, suite: true },
  { name: 'integration', script: 'integration.mjs', limit: 15 * minute, suite: true, after: 'build' },
  { name: 'browser', script: 'browser.mjs', limit: 30 * minute, suite: true, after: 'build' },
];
const suites = stages.filter(stage => stage.suite).map(stage => stage.name);

function parseArguments(args) {
  const only = args.indexOf('--only');
  const options = { full: args.includes('--full'), only: only < 0 ? undefined : args[only + 1] };
  const rest = args.filter(
    (argument, index) => argument !== '--full' && (only < 0 || (index !== only && index !== only + 1)),
  );
  if ((only >= 0 && !suites.includes(options.only)) || (only < 0 && rest.length > 0)) {
    console.error(`Usage: npm test -- [--full] [--only ${suites.join('|')} [path fragments]]`);
    process.exit(2);
  }
  return { ...options, fragments: rest };
}

/** Runs a stage's script and resolves with its exit code; ends it when it exceeds its time limit. */
function run({ script, limit, name }, args, environment) {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [`scripts/${script}`, ...args], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...environment },
    });
    const polite = setTimeout(() => {
      console.error(`${name} takes longer than ${limit / minute} minutes: ended`);
      child.kill('SIGTERM');
    }, limit);
    const forced = setTimeout(() => child.kill('SIGKILL'), limit + 15_000);
    const stop = () => {
      child.once('close', () => process.exit(143));
      child.kill('SIGTERM');
    };
    process.on('SIGTERM', stop);
    child.on('close', code => {
      clearTimeout(polite);
      clearTimeout(forced);
      process.removeListener('SIGTERM', stop);
      resolve(code ?? 1);
    });
  });
}

/** The counts of a suite; one that exited with an error but no failed test counts as one failure. */
function countsOf(file, code) {
  const counts = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { passed: 0, failed: 0, skipped: 0, failures: [] };
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

const options = parseArguments(process.argv.slice(2));
const inCi = Boolean(process.env.CI) && process.env.CI !== 'false';
/** Windows has no permissions and links as POSIX has them: the tests of those are skipped there. */
const mustRunAll = inCi && process.platform !== 'win32';
const selected = options.only
  ? stages.filter(({ name }) => name === options.only || (name === 'build' && options.only === 'integration'))
  : stages;
await rm('out/counts', { recursive: true, force: true });
await mkdir('out/counts', { recursive: true });

const total = { passed: 0, failed: 0, skipped: 0 };
const codes = new Map();
const summary = [];
const failures = [];
const unsteady = [];
const started = Date.now();
for (const stage of selected) {
  if (stage.after && codes.has(stage.after) && codes.get(stage.after) !== 0) {
    summary.push(`  ${stage.name}: not run, as ${stage.after} failed`);
    total.skipped++;
    continue;
  }
  console.log(`\n== ${stage.name}`);
  const since = Date.now();
  const countsFile = `out/counts/${stage.name}.json`;
  const environment = { IA_COUNTS: countsFile, ...(options.full && { IA_FULL: '1' }) };
  const code = await run(stage, stage.suite ? options.fragments : [], environment);
  codes.set(stage.name, code);
  const seconds = `${((Date.now() - since) / 1000).toFixed(1)} s`;
  if (stage.suite) {
    const counts = countsOf(countsFile, code);
    for (const key of Object.keys(total)) total[key] += counts[key];
    failures.push(...(counts.failures ?? []));
    unsteady.push(...(counts.unsteady ?? []));
    summary.push(
      `  ${stage.name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped (${seconds})`,
    );
  } else {
    if (code !== 0) total.failed++;
    summary.push(`  ${stage.name}: ${code === 0 ? 'ok' : 'failed'} (${seconds})`);
  }
}

console.log(`\n== all in ${((Date.now() - started) / 1000).toFixed(0)} s\n${summary.join('\n')}`);
if (unsteady.length > 0)
  console.log(`\nPassed only the second time:\n${unsteady.map(text => `  ${text}`).join('\n')}`);
// Last, as a long log is often cut at its beginning.
if (failures.length > 0) console.log(`\nFailed:\n${failures.map(text => `  ${text}`).join('\n')}\n`);
if (mustRunAll && total.skipped > 0) console.log('A skipped test counts as a failure in CI.');
if (total.passed + total.failed === 0) console.log('No test was run.');
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 || total.passed === 0 || (mustRunAll && total.skipped > 0) ? 1 : 0;
