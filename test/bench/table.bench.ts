// npm run bench -- table [--json] [--rows N] [--columns N] [--rounds N]: our tables beside native
// DuckDB and uDSV. Each contestant runs in a process of its own, in turn; medians of the rounds are
// compared.
import { fork } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cacheFolder } from '../host/cacheFolder';
import { describeMachine } from './measured/machine';
import { bundleOurs } from './measured/ours';
import { printResult } from './measured/report';
import { compareRounds, medianOf, MIN_ROUNDS, type Cost } from './measured/rounds';
import { run, type Outcome, type Task } from './table/contestants';
import { digitsTable, objectsTable } from './table/makeTables';
import { installPeers } from './table/peers';

const CHILD = 'IA_BENCH_TABLE_CHILD';
const UNKNOWN: Cost = { wallMs: NaN, cpuMs: NaN };

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
      rounds: { type: 'string', default: String(MIN_ROUNDS) },
    },
  });
  const rows = Number(values.rows);
  const columns = Number(values.columns);
  const rounds = Number(values.rounds);
  const peers = await installPeers();
  const tables = join(cacheFolder(), 'bench-tables');
  await mkdir(tables, { recursive: true });
  const scanner = await bundleOurs(tables, 'src/columns/engine/scanner.ts');
  const machine = await describeMachine();
  const objects = await objectsTable(rows, columns);
  const digits = await digitsTable(rows, 10);
  const results = new Map<string, Outcome[]>();
  const measure = async (label: string, who: Task['who'], path: string) => {
    const outcome = await inChild({ who, path, peers, scanner, columns });
    results.set(label, [...(results.get(label) ?? []), outcome]);
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
  // Every other round in the opposite order, so that none always finds what the other left.
  for (let round = 0; round < rounds; round++)
    for (const [label, who, path] of round % 2 === 0 ? contest : contest.toReversed())
      await measure(label, who, path);
  // A string holds at most about 512 MB.
  if (rows * columns <= 60_000_000) await measure('udsv', 'udsv', objects);
  const costs = (label: string, name: string) =>
    (results.get(label) ?? []).map(each => each.costs[name] ?? UNKNOWN);
  const time = (label: string, name = 'open') => medianOf(costs(label, name).map(({ wallMs }) => wallMs));
  const cpu = (label: string) => medianOf(costs(label, 'open').map(({ cpuMs }) => cpuMs));
  const peak = (label: string) => medianOf((results.get(label) ?? []).map(each => each.peak));
  const against = (label: string, peer: string, name = 'open') => {
    const theirs = costs(peer, name);
    return compareRounds(costs(label, name).map((ours, round) => ({ ours, peer: theirs[round] ?? UNKNOWN })));
  };
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
  if (results.has('udsv')) say('open, uDSV', ms(time('udsv')), mb(peak('udsv')));
  const ratio = (ours: number, theirs: number) => Number((ours / theirs).toFixed(3));
  printResult(
    {
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
      ...(results.has('udsv') && { openRatioToUdsv: ratio(time('ours'), time('udsv')) }),
    },
    {
      machine,
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
    },
  );
}
