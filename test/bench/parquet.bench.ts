// npm run bench -- parquet [--json] [--rows N] [--columns N] [--rounds N]: Parquet and compressed
// CSV beside our plain CSV, `gzip
// -dc` and native DuckDB. All in turns in this process; medians of the rounds are compared.
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { openTable } from '../../src/columns/engine/read/readTable';
import type { TableSource } from '../../src/columns/engine/read/tableSource';
import { saveView } from '../../src/columns/engine/saveTable';
import { TableView } from '../../src/columns/engine/tableView';
import { parquetFormat } from '../../src/parquet/engine/parquetFormat';
import { ParquetTable } from '../../src/parquet/engine/parquetTable';
import { benchmark } from './measured/benchmark';
import { runProgram } from './measured/programs';
import { costOf, CostsByName, MIN_ROUNDS } from './measured/rounds';
import { objectsTable } from './table/makeTables';
import { connectDuckDb, installPeers } from './table/peers';

const BUDGET = 4 * 1024 ** 3;
/** Rows that a page shows at first. */
const FIRST_ROWS = Array.from({ length: 100 }, (_, row) => row);

const allColumns = (table: TableSource) => table.columns.map(({ index }) => index);

async function readWhole(table: TableSource): Promise<void> {
  for (const { index, kind } of table.columns)
    await (kind === 'number' ? table.numbers(index) : table.codes(index));
}

const DEFAULTS = { rows: 1_000_000, columns: 30, rounds: MIN_ROUNDS };

await benchmark('parquet', DEFAULTS, async (options, folder) => {
  const csv = await objectsTable(options.rows, options.columns);
  const gz = `${csv}.gz`;
  if (!existsSync(gz)) await pipeline(createReadStream(csv), createGzip(), createWriteStream(gz));
  const duck = await connectDuckDb(await installPeers());
  const parquet = join(folder, 'table.parquet');
  const costs = new CostsByName();
  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const cost = await costOf(work);
    costs.note(what, cost);
    return cost.value;
  };
  for (let round = 0; round < options.rounds; round++) {
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
    if (gunzip) costs.note('gzip -dc', gunzip);
    for (const what of ['.csv.gz, whole', '.csv.gz again'])
      (await timed(what, () => openTable(gz, undefined, undefined, { budget: BUDGET }))).dispose();
  }
  const time = (what: string) => costs.wallMs(what).median;
  for (const what of costs.names) console.log(`${what}: ${time(what).toFixed(0)} ms`);
  const megabytes = async (path: string) => ((await stat(path)).size / 1e6).toFixed(1);
  console.log(
    `CSV ${await megabytes(csv)} MB, gzip ${await megabytes(gz)} MB, Parquet ${await megabytes(parquet)} MB`,
  );
  return {
    parquetFirstRowsMs: time('Parquet, first rows'),
    parquetWholeRatioToCsv: time('Parquet, whole') / time('CSV, whole'),
    parquetSaveRatioToCsv: time('saving as Parquet') / time('saving as CSV'),
    parquetWholeRatioToDuckDb: time('Parquet, whole') / time('DuckDB, whole Parquet'),
    gzipRatioToGzipAndCsv: time('.csv.gz, whole') / (time('gzip -dc') + time('CSV, whole')),
    gzipAgainRatio: time('.csv.gz again') / time('.csv.gz, whole'),
    measured: {
      parquetWholeToCsv: costs.compare('Parquet, whole', 'CSV, whole'),
      parquetSaveToCsv: costs.compare('saving as Parquet', 'saving as CSV'),
      parquetWholeToDuckDb: costs.compare('Parquet, whole', 'DuckDB, whole Parquet'),
      gzipToCsv: costs.compare('.csv.gz, whole', 'CSV, whole'),
      gzipAgain: costs.compare('.csv.gz again', '.csv.gz, whole'),
    },
  };
});
