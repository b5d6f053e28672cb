// npm run bench -- table [--json] [--rows N] [--columns N] [--rounds N]: our tables beside native
// DuckDB and uDSV. Each contestant runs in a process of its own, in turn; medians of the rounds are
// compared.
import { fork } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '../host/cacheFolder';
import { benchmark } from './measured/benchmark';
import { bundleOurs } from './measured/ours';
import { CostsByName, inOrderOf, medianOf, MIN_ROUNDS } from './measured/rounds';
import { run, type Outcome, type Task } from './table/contestants';
import { digitsTable, objectsTable } from './table/makeTables';
import { installPeers } from './table/peers';

const CHILD = 'IA_BENCH_TABLE_CHILD';

const DEFAULTS = { rows: 1_000_000, columns: 30, rounds: MIN_ROUNDS };

if (process.env[CHILD] === undefined) await benchmark('table', DEFAULTS, compare);
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

async function compare({ rows, columns, rounds }: typeof DEFAULTS) {
  const peers = await installPeers();
  const tables = join(cacheFolder(), 'bench-tables');
  await mkdir(tables, { recursive: true });
  const scanner = await bundleOurs(tables, 'src/columns/engine/scanner.ts');
  const objects = await objectsTable(rows, columns);
  const digits = await digitsTable(rows, 10);
  const costs = new CostsByName();
  const peaks = new Map<string, number[]>();
  const nameOf = (label: string, what: string) => `${label}, ${what}`;
  const measure = async (label: string, who: Task['who'], path: string) => {
    const outcome = await inChild({ who, path, peers, scanner, columns });
    for (const [what, cost] of Object.entries(outcome.costs)) costs.note(nameOf(label, what), cost);
    peaks.set(label, [...(peaks.get(label) ?? []), outcome.peak]);
  };
  const contest = [
    ['duckdb', 'duckdb', objects],
    ['ours', 'ours', objects],
    ['oursTwo', 'oursTwo', objects],
    ['duckdbDigits', 'duckdb', digits],
    ['oursDigits', 'ours', digits],
    ['firstRows', 'firstRows', objects],
    ['questions', 'oursQuestions', objects],
    ['duckdbQuestions', 'duckdbQuestions', objects],
    ['computed', 'oursComputed', objects],
    ['duckdbComputed', 'duckdbComputed', objects],
    ['groups', 'oursGroups', objects],
    ['duckdbGroups', 'duckdbGroups', objects],
  ] as const;
  for (let round = 0; round < rounds; round++)
    for (const [label, who, path] of inOrderOf(round, contest)) await measure(label, who, path);
  // A string holds at most about 512 MB.
  if (rows * columns <= 60_000_000) await measure('udsv', 'udsv', objects);
  const time = (label: string, what = 'open') => costs.wallMs(nameOf(label, what)).median;
  const cpu = (label: string, what = 'open') => costs.cpuMs(nameOf(label, what)).median;
  const peak = (label: string) => medianOf(peaks.get(label) ?? []);
  const against = (label: string, peer: string, what = 'open') =>
    costs.compare(nameOf(label, what), nameOf(peer, what));
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
  say('computed column', ms(time('computed', 'computed')), ms(time('duckdbComputed', 'computed')));
  const hasUdsv = peaks.has('udsv');
  if (hasUdsv) say('open, uDSV', ms(time('udsv')), mb(peak('udsv')));
  const ratio = (ours: number, theirs: number) => Number((ours / theirs).toFixed(3));
  return {
    openRatioToDuckdb: ratio(time('ours'), time('duckdb')),
    open2RatioToDuckdb: ratio(time('oursTwo'), time('duckdb')),
    digits17RatioToDuckdb: ratio(time('oursDigits'), time('duckdbDigits')),
    rssRatioToDuckdb: ratio(peak('ours'), peak('duckdb')),
    firstRowsMs: Number(time('firstRows', 'firstRows').toFixed(1)),
    sortRatio: ratio(time('questions', 'sort'), time('duckdbQuestions', 'sort')),
    filterRatio: ratio(time('questions', 'filter'), time('duckdbQuestions', 'filter')),
    histogramRatio: ratio(time('questions', 'histogram'), time('duckdbQuestions', 'histogram')),
    groupsByImageColumnsToDuckdb: ratio(time('groups', 'groups'), time('duckdbGroups', 'groups')),
    computedToDuckdb: ratio(time('computed', 'computed'), time('duckdbComputed', 'computed')),
    ...(hasUdsv && { openRatioToUdsv: ratio(time('ours'), time('udsv')) }),
    measured: {
      open: against('ours', 'duckdb'),
      openTwoThreads: against('oursTwo', 'duckdb'),
      open17Digits: against('oursDigits', 'duckdbDigits'),
      sort: against('questions', 'duckdbQuestions', 'sort'),
      filter: against('questions', 'duckdbQuestions', 'filter'),
      histogram: against('questions', 'duckdbQuestions', 'histogram'),
      computed: against('computed', 'duckdbComputed', 'computed'),
      groupsByImageColumns: against('groups', 'duckdbGroups', 'groups'),
    },
  };
}
