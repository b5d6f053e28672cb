// npm run bench -- parquet [--json] [--rows N] [--columns N] [--rounds N]: Parquet and compressed
// CSV beside our plain CSV, `gzip
// -dc` and native DuckDB. All in turns in this process; medians of the rounds are compared.
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { openTable } from '../../src/columns/engine/read/readTable';
import type { TableSource } from '../../src/columns/engine/read/tableSource';
import { saveView } from '../../src/columns/engine/saveTable';
import { TableView } from '../../src/columns/engine/tableView';
import { parquetFormat } from '../../src/parquet/engine/parquetFormat';
import { ParquetTable } from '../../src/parquet/engine/parquetTable';
import { describeMachine } from './measured/machine';
import { runProgram } from './measured/programs';
import { printResult } from './measured/report';
import { compareRounds, costOf, medianOf, MIN_ROUNDS, type Cost } from './measured/rounds';
import { objectsTable } from './table/makeTables';
import { connectDuckDb, installPeers } from './table/peers';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rows: { type: 'string', default: '1000000' },
    columns: { type: 'string', default: '30' },
    rounds: { type: 'string', default: String(MIN_ROUNDS) },
  },
});
const BUDGET = 4 * 1024 ** 3;
/** Rows that a page shows at first. */
const FIRST_ROWS = Array.from({ length: 100 }, (_, row) => row);

const csv = await objectsTable(Number(values.rows), Number(values.columns));
const gz = `${csv}.gz`;
if (!existsSync(gz)) await pipeline(createReadStream(csv), createGzip(), createWriteStream(gz));
const duck = await connectDuckDb(await installPeers());
const folder = await mkdtemp(join(tmpdir(), 'bench-parquet-'));
const parquet = join(folder, 'table.parquet');
const costs = new Map<string, Cost[]>();
const machine = await describeMachine();

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const { wallMs, cpuMs, value } = await costOf(work);
  note(what, { wallMs, cpuMs });
  return value;
}

function note(what: string, cost: Cost): void {
  costs.set(what, [...(costs.get(what) ?? []), cost]);
}

const allColumns = (table: TableSource) => table.columns.map(({ index }) => index);

async function readWhole(table: TableSource): Promise<void> {
  for (const { index, kind } of table.columns)
    await (kind === 'number' ? table.numbers(index) : table.codes(index));
}

try {
  for (let round = 0; round < Number(values.rounds); round++) {
    const source = await timed('CSV, whole', () => openTable(csv, undefined, undefined, { budget: BUDGET }));
    const columns = allColumns(source);
    const rows = await new TableView(source).rows({ sort: [] });
    await timed('saving as CSV', () =>
      saveView(source, rows, { columns, destination: join(folder, 'saved.csv'), overwrite: true }),
    );
    await timed('saving as Parquet', () =>
      saveView(source, rows, { columns, destination: parquet, overwrite: true, format: parquetFormat }),
    );
    source.dispose();
    const shown = await timed('Parquet, first rows', async () => {
      const table = await ParquetTable.open(parquet, BUDGET);
      table.cells(FIRST_ROWS, allColumns(table), 8000);
      return table;
    });
    shown.dispose();
    const whole = await timed('Parquet, whole', async () => {
      const table = await ParquetTable.open(parquet, BUDGET);
      await readWhole(table);
      return table;
    });
    whole.dispose();
    await timed('DuckDB, whole Parquet', () =>
      duck.run(
        `CREATE OR REPLACE TEMP TABLE t AS SELECT * FROM read_parquet('${parquet.replaceAll('\\', '/')}')`,
      ),
    );
    const gunzip = await runProgram('gzip', ['-dc', gz]).catch(() => undefined);
    if (gunzip) note('gzip -dc', gunzip);
    for (const what of ['.csv.gz, whole', '.csv.gz again'])
      (await timed(what, () => openTable(gz, undefined, undefined, { budget: BUDGET }))).dispose();
  }
  const of = (what: string) => costs.get(what) ?? [];
  const time = (what: string) => medianOf(of(what).map(({ wallMs }) => wallMs));
  const against = (what: string, peer: string) =>
    compareRounds(
      of(what).map((ours, round) => ({ ours, peer: of(peer)[round] ?? { wallMs: NaN, cpuMs: NaN } })),
    );
  for (const what of costs.keys()) console.log(`${what}: ${time(what).toFixed(0)} ms`);
  const megabytes = async (path: string) => ((await stat(path)).size / 1e6).toFixed(1);
  console.log(
    `CSV ${await megabytes(csv)} MB, gzip ${await megabytes(gz)} MB, Parquet ${await megabytes(parquet)} MB`,
  );
  const result = {
    parquetFirstRowsMs: time('Parquet, first rows'),
    parquetWholeRatioToCsv: time('Parquet, whole') / time('CSV, whole'),
    parquetSaveRatioToCsv: time('saving as Parquet') / time('saving as CSV'),
    parquetWholeRatioToDuckDb: time('Parquet, whole') / time('DuckDB, whole Parquet'),
    gzipRatioToGzipAndCsv: time('.csv.gz, whole') / (time('gzip -dc') + time('CSV, whole')),
    gzipAgainRatio: time('.csv.gz again') / time('.csv.gz, whole'),
  };
  printResult(result, {
    machine,
    measured: {
      parquetWholeToCsv: against('Parquet, whole', 'CSV, whole'),
      parquetSaveToCsv: against('saving as Parquet', 'saving as CSV'),
      parquetWholeToDuckDb: against('Parquet, whole', 'DuckDB, whole Parquet'),
      gzipToCsv: against('.csv.gz, whole', 'CSV, whole'),
      gzipAgain: against('.csv.gz again', '.csv.gz, whole'),
    },
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
