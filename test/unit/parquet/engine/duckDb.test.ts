import { deepEqual, equal } from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDuckDb, type DuckConnection, installPeers } from '../../../bench/table/peers';
import { type ExportedResult, exportTables } from '../../../../src/datasets/node/exportTables';
import { ParquetTable } from '../../../../src/parquet/engine/parquetTable';
import { parquetFiles } from '../../../../src/parquet/parquetFiles';
import { describeWith } from '../../capabilities';
import { ImagesInMemory, openStudied } from '../../study/node/studiedSession';
import { jobOnDisk, openedBy } from '../../datasets/node/datasetFixture';

/** As SQL wants a path on any system. */
const slashed = (path: string) => path.replaceAll('\\', '/');

const JOBS = 20;
const ROWS = 600;

/** Area of an object; undefined where it is missing. */
const areaOf = (job: number, row: number) =>
  row % 11 === 3 ? undefined : ((job * 37 + row * 101) % 9973) / 8;
/** Beyond 2⁵³ in some jobs alone. */
const bigOf = (job: number, row: number) => BigInt(row) + (job % 4 === 0 ? 9_007_199_254_740_993n : 5n);

describeWith('duckDb')('The lines of the guide in DuckDB', () => {
  let folder: string;
  let duck: DuckConnection;
  let glob: string;

  before(async function () {
    this.timeout(600_000);
    duck = await connectDuckDb(await installPeers());
    folder = await mkdtemp(join(tmpdir(), 'duckdb-'));
    const destination = join(folder, 'out');
    await mkdir(destination);
    const results: ExportedResult[] = [];
    for (let job = 0; job < JOBS; job++) {
      const rows = Array.from({ length: ROWS }, (_, row) =>
        [`w${row % 6}.tif`, row + 1, areaOf(job, row) ?? '', bigOf(job, row)].join(),
      );
      results.push(
        await jobOnDisk(folder, `job ${job}`, {
          objects: `Image,Object ID,Area,Big\n${rows.join('\n')}\n`,
        }),
      );
    }
    const { signal } = new AbortController();
    const request = { results, format: parquetFiles, destination, overwrite: false };
    const images = new ImagesInMemory();
    images.stored = {
      columns: [{ name: 'Treatment', role: 'condition' }],
      values: Object.fromEntries(
        Array.from({ length: 6 }, (_, image) => [`w${image}.tif`, [image < 3 ? 'control' : 'drug']]),
      ),
      excluded: {},
    };
    const opened = openedBy(source => openStudied(source, { images }).session);
    await exportTables(opened, request, () => undefined, signal);
    const guide = await readFile('docs/guide/export.md', 'utf8');
    const [, line = ''] = /\| DuckDB +\| `SELECT \* FROM (.*?)` +\|/.exec(guide) ?? [];
    glob = line.replace('D/objects', `${slashed(destination)}/objects`);
  });
  after(async () => {
    if (folder) await rm(folder, { recursive: true });
  });

  const rowsOf = async (sql: string) => (await duck.run(sql)).getRows();

  it('have the types, counts, missing values and integers of all jobs with one glob', async () => {
    deepEqual(
      (await rowsOf(`DESCRIBE SELECT * FROM ${glob}`)).map(([name, type]) => [name, type]),
      [
        ['Image', 'VARCHAR'],
        ['Object ID', 'BIGINT'],
        ['Area', 'DOUBLE'],
        ['Big', 'BIGINT'],
        ['Treatment', 'VARCHAR'],
        ['job_id', 'VARCHAR'],
      ],
    );
    let missing = 0;
    let big = 0n;
    for (let job = 0; job < JOBS; job++)
      for (let row = 0; row < ROWS; row++) {
        if (areaOf(job, row) === undefined) missing++;
        big += bigOf(job, row);
      }
    const [counts] = await rowsOf(
      `SELECT count(*), count(DISTINCT job_id), count(*) - count(Area), CAST(sum(Big) AS VARCHAR) FROM ${glob}`,
    );
    deepEqual(counts, [BigInt(JOBS * ROWS), BigInt(JOBS), BigInt(missing), String(big)]);
  });

  it('have the means of groups', async () => {
    const sums = new Map<string, { sum: number; count: number }>();
    for (let job = 0; job < JOBS; job++)
      for (let row = 0; row < ROWS; row++) {
        const key = `job ${job}, ${row % 6 < 3 ? 'control' : 'drug'}`;
        const group = sums.get(key) ?? { sum: 0, count: 0 };
        sums.set(key, group);
        const area = areaOf(job, row);
        if (area === undefined) continue;
        // Eighths: sums are exact.
        group.sum += area;
        group.count++;
      }
    const found = await rowsOf(
      `SELECT job_id || ', ' || Treatment, avg(Area) FROM ${glob} GROUP BY job_id, Treatment ORDER BY 1`,
    );
    const expected = [...sums].map(([key, { sum, count }]) => [key, sum / count] as const);
    equal(found.length, expected.length);
    for (const [key, mean] of expected) deepEqual(found.find(([name]) => name === key)?.[1], mean);
  });

  it('write files that open here with their texts', async () => {
    const path = join(folder, 'of-duckdb.parquet');
    for (const codec of ['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw'])
      for (const version of ['V1', 'V2']) {
        await duck.run(`COPY (
          SELECT i AS n, CASE WHEN i % 7 = 0 THEN NULL ELSE i / 8 END AS d, 'ä' || (i % 5) AS t,
            9007199254740993 + i AS b, CAST(i / 100 AS DECIMAL(20, 2)) AS dec, i % 2 = 0 AS flag,
            TIMESTAMPTZ '2024-05-06 07:08:09.123456+00' AS zoned, TIMESTAMP '2024-05-06 07:08:09' AS plain,
            DATE '1969-12-31' AS day, [i, NULL] AS list, {'a': i, 'b': 'x"y'} AS struct, MAP {'k': i} AS map
          FROM range(3000) r(i)
        ) TO '${slashed(path)}' (FORMAT parquet, COMPRESSION ${codec}, PARQUET_VERSION ${version}, ROW_GROUP_SIZE 2048)`);
        const table = await ParquetTable.open(path, 1e8);
        const columns = table.columns.map(({ index }) => index);
        const texts = (i: number) => [
          String(i),
          i % 7 === 0 ? '' : String(i / 8),
          `ä${i % 5}`,
          String(9007199254740993n + BigInt(i)),
          (i / 100).toFixed(2),
          String(i % 2 === 0),
          '2024-05-06T07:08:09.123456Z',
          '2024-05-06T07:08:09.000000',
          '1969-12-31',
          `[${i},null]`,
          `{"a":${i},"b":"x\\"y"}`,
          `{"k":${i}}`,
        ];
        const rows = [0, 1, 7, 2047, 2048, 2999];
        deepEqual(table.cells(rows, columns, Infinity).rows, rows.map(texts), `${codec} ${version}`);
        table.dispose();
      }
  });
});
