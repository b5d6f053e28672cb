// npm run bench -- table [--json] [--rows N] [--columns N] [--rounds N]: our tables beside native DuckDB and uDSV. Each
// contestant runs in a process of its own, in turn; medians of the rounds are compared.
import { fork } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { cacheFolder } from '../host/cacheFolder';
import { median, run, type Outcome, type Task } from './table/contestants';
import { digitsTable, objectsTable } from './table/makeTables';
import { installPeers } from './table/peers';

const CHILD = 'IA_BENCH_TABLE_CHILD';

if (process.env[CHILD] === undefined) await compare();
else {
  const outcome = await run(JSON.parse(process.env[CHILD]) as Task);
  process.send?.(outcome, () => process.exit(0));
}

function inChild(task: Task): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [], {
      env: { ...process.env, [CHILD]: JSON.stringify(task) },
      execArgv: ['--max-old-space-size=8192'],
    });
    let outcome: Outcome | undefined;
    child.on('message', message => (outcome = message as Outcome));
    child.on('exit', code => {
      if (outcome) resolve(outcome);
      else reject(new Error(`${task.who} ended with code ${code}`));
    });
  });
}

async function compare(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      rows: { type: 'string', default: '1000000' },
      columns: { type: 'string', default: '30' },
      rounds: { type: 'string', default: '3' },
    },
  });
  const rows = Number(values.rows);
  const columns = Number(values.columns);
  const rounds = Number(values.rounds);
  const peers = await installPeers();
  const scanner = join(cacheFolder(), 'bench-tables', 'scanner.cjs');
  await mkdir(join(cacheFolder(), 'bench-tables'), { recursive: true });
  await build({
    entryPoints: ['src/columns/engine/scanner.ts'],
    outfile: scanner,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    loader: { '.wasm': 'binary' },
    logLevel: 'error',
  });
  const objects = await objectsTable(rows, columns);
  const digits = await digitsTable(rows, 10);
  const results = new Map<string, Outcome[]>();
  const measure = async (label: string, who: Task['who'], path: string) => {
    const outcome = await inChild({ who, path, peers, scanner, columns });
    results.set(label, [...(results.get(label) ?? []), outcome]);
  };
  for (let round = 0; round < rounds; round++) {
    await measure('duckdb', 'duckdb', objects);
    await measure('ours', 'ours', objects);
    await measure('oursTwo', 'oursTwo', objects);
    await measure('duckdbDigits', 'duckdb', digits);
    await measure('oursDigits', 'ours', digits);
    await measure('firstRows', 'firstRows', objects);
  }
  // A string holds at most about 512 MB.
  if (rows * columns <= 60_000_000) await measure('udsv', 'udsv', objects);
  await measure('questions', 'oursQuestions', objects);
  await measure('duckdbQuestions', 'duckdbQuestions', objects);
  for (let round = 0; round < rounds; round++) {
    await measure('groups', 'oursGroups', objects);
    await measure('duckdbGroups', 'duckdbGroups', objects);
  }
  const time = (label: string, name = 'open') =>
    median((results.get(label) ?? []).map(({ times }) => times[name] ?? NaN));
  const cpu = (label: string) => median((results.get(label) ?? []).map(each => each.cpu));
  const peak = (label: string) => median((results.get(label) ?? []).map(each => each.peak));
  const say = (what: string, ours: string, theirs: string) =>
    console.log(`${what.padEnd(34)}${ours.padStart(12)}${theirs.padStart(12)}`);
  const ms = (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
  const mb = (value: number) => `${(value / 1024 / 1024).toFixed(0)} MB`;
  say(`${rows} rows × ${columns} columns`, 'ours', 'DuckDB');
  say('open, one thread', ms(time('ours')), ms(time('duckdb')));
  say('open, two threads', ms(time('oursTwo')), ms(time('duckdb')));
  say('open 17 digits × 10 columns', ms(time('oursDigits')), ms(time('duckdbDigits')));
  say('open, processor time', ms(cpu('ours')), ms(cpu('duckdb')));
  say('17 digits, processor time', ms(cpu('oursDigits')), ms(cpu('duckdbDigits')));
  say('peak memory', mb(peak('ours')), mb(peak('duckdb')));
  say('peak memory, two threads', mb(peak('oursTwo')), mb(peak('duckdb')));
  say('first rows', ms(time('firstRows', 'firstRows')), '');
  for (const name of ['sort', 'filter', 'histogram'])
    say(name, ms(time('questions', name)), ms(time('duckdbQuestions', name)));
  say('groups by image columns', ms(time('groups', 'groups')), ms(time('duckdbGroups', 'groups')));
  if (results.has('udsv')) say('open, uDSV', ms(time('udsv')), mb(peak('udsv')));
  if (!values.json) return;
  const ratio = (ours: number, theirs: number) => Number((ours / theirs).toFixed(3));
  console.log(
    JSON.stringify({
      openRatioToDuckdb: ratio(time('ours'), time('duckdb')),
      open2RatioToDuckdb: ratio(time('oursTwo'), time('duckdb')),
      digits17RatioToDuckdb: ratio(time('oursDigits'), time('duckdbDigits')),
      rssRatioToDuckdb: ratio(peak('ours'), peak('duckdb')),
      firstRowsMs: Number(time('firstRows', 'firstRows').toFixed(1)),
      sortRatio: ratio(time('questions', 'sort'), time('duckdbQuestions', 'sort')),
      filterRatio: ratio(time('questions', 'filter'), time('duckdbQuestions', 'filter')),
      histogramRatio: ratio(time('questions', 'histogram'), time('duckdbQuestions', 'histogram')),
      groupsByImageColumnsToDuckdb: ratio(time('groups', 'groups'), time('duckdbGroups', 'groups')),
      ...(results.has('udsv') && { openRatioToUdsv: ratio(time('ours'), time('udsv')) }),
    }),
  );
}
