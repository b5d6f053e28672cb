import { readFile } from 'node:fs/promises';
import { startScanThread } from '../../../src/columns/engine/scanThread';
import { gatherNumbers } from '../../../src/columns/engine/read/tableSource';
import { ExtendedTable } from '../../../src/columns/engine/read/addedColumns';
import { textsInOrder } from '../../../src/columns/engine/statistics/distinctTexts';
import { groupTable } from '../../../src/columns/engine/statistics/groups';
import { histogram } from '../../../src/columns/engine/statistics/histogram';
import { FormulaColumn } from '../../../src/formulas/engine/formulaColumn';
import { checkFormula } from '../../../src/formulas/formula';
import { openTable, startTable } from '../../../src/columns/engine/read/readTable';
import { TableView } from '../../../src/columns/engine/tableView';
import { costOf, medianOf, type Cost } from '../measured/rounds';
import { connectDuckDb, parseWithUdsv } from './peers';

export interface Task {
  who:
    | 'oursGroups'
    | 'duckdbGroups'
    | 'ours'
    | 'oursTwo'
    | 'duckdb'
    | 'udsv'
    | 'oursComputed'
    | 'duckdbComputed'
    | 'oursQuestions'
    | 'duckdbQuestions'
    | 'firstRows';
  path: string;
  peers: string;
  /** The bundle of the second thread. */
  scanner: string;
  columns: number;
}

export interface Outcome {
  /** By name; processor time is that of all threads together. */
  costs: Record<string, Cost>;
  /** Largest resident size, in bytes. */
  peak: number;
}

/** What one contestant takes for one task; runs in a process of its own. */
export async function run(task: Task): Promise<Outcome> {
  const costs = await contestants[task.who](task);
  return { costs, peak: process.resourceUsage().maxRSS * 1024 };
}

const contestants: Record<Task['who'], (task: Task) => Promise<Record<string, Cost>>> = {
  ours: async ({ path }) => {
    const open = await costOf(() => openTable(path));
    open.value.dispose();
    return { open: costAlone(open) };
  },
  oursTwo: async ({ path, scanner }) => {
    const open = await costOf(() =>
      openTable(path, undefined, undefined, { startScanWorker: () => startScanThread(scanner) }),
    );
    open.value.dispose();
    return { open: costAlone(open) };
  },
  duckdb: async ({ path, peers }) => {
    const connection = await connectDuckDb(peers);
    const open = await costOf(() =>
      connection.run(`CREATE TABLE t AS SELECT * FROM read_csv('${path.replaceAll("'", "''")}')`),
    );
    return { open: costAlone(open) };
  },
  udsv: async ({ path, peers }) => {
    const open = await costOf(async () => parseWithUdsv(peers, await readFile(path, 'utf8')));
    if (open.value.length === 0) throw new Error('uDSV found no columns');
    return { open: costAlone(open) };
  },
  firstRows: async ({ path }) => {
    const firstRows = await costOf(async () => {
      const { table, finish } = await startTable(path, {});
      const stop = new AbortController();
      await new Promise<void>((resolve, reject) => {
        finish(stop.signal, () => {
          table.cells([0, 1, 2, 3, 4], [0, 1, 2], 1000);
          resolve();
          stop.abort();
        }).then(() => resolve(), reject);
      });
      return table;
    });
    firstRows.value.dispose();
    return { firstRows: costAlone(firstRows) };
  },
  oursQuestions: async ({ path, columns }) => {
    const table = await openTable(path);
    const all = { rows: undefined, count: table.rowCount };
    const costs: Record<string, Cost[]> = {};
    // Each column is a question not asked before; the first ones warm up.
    for (let column = 3; column < columns; column++) {
      const view = new TableView(table);
      const values = await gatherNumbers(table, column, all);
      const middle = values.slice(0, 1000).sort();
      const from = middle[300] ?? 0;
      const to = middle[600] ?? 0;
      const timed = async (name: string, ask: () => Promise<unknown>) => {
        (costs[name] ??= []).push(await costOf(ask));
      };
      await timed('sort', () => view.rows({ sort: [{ column, descending: false }] }));
      await timed('filter', () => view.filteredRows([{ kind: 'range', column, from, to }]));
      await timed('histogram', () => histogram(table, { column, bins: 64 }, all));
    }
    table.dispose();
    return medians(costs);
  },
  // Groups by two columns of images with five statistics of a measure that was not asked about
  // before.
  oursGroups: async ({ path, columns }) => {
    const table = await openTable(path);
    const extended = new ExtendedTable(table);
    const keys = await textsInOrder(table, 0);
    const { condition, donor } = sheetOf(keys);
    const added = [
      { name: 'Condition', values: condition },
      { name: 'Donor', values: donor },
    ];
    extended.set({ keyColumn: 0, keys, columns: added });
    const by = [columns, columns + 1];
    const all = { rows: undefined, count: table.rowCount };
    const statistics = ['count', 'mean', 'sd', 'median', 'max'] as const;
    const costs: Cost[] = [];
    for (let column = 3; column < columns; column++) {
      const cost = await costOf(() => groupTable(extended, { by, measures: [column], statistics }, all));
      costs.push(cost);
      if (cost.value.total !== 24) throw new Error(`${cost.value.total} groups`);
    }
    table.dispose();
    return medians({ groups: costs });
  },
  duckdbGroups: async ({ path, peers, columns }) => {
    const connection = await connectDuckDb(peers);
    await connection.run(`CREATE TABLE t AS SELECT * FROM read_csv('${path.replaceAll("'", "''")}')`);
    await connection.run(
      `CREATE TABLE sheet AS SELECT image, ['control', '-Dox', '+IL2', 'both'][nth % 4 + 1] AS condition,
         'donor ' || (nth // 4) % 6 AS donor
         FROM (SELECT image, row_number() OVER (ORDER BY first) - 1 AS nth
           FROM (SELECT "Image origin" AS image, min(rowid) AS first FROM t GROUP BY 1))`,
    );
    const costs: Cost[] = [];
    for (let column = 3; column < columns; column++) {
      const name = `"Measure ${column - 2}"`;
      const cost = await costOf(async () => {
        const found = await connection.run(
          `SELECT condition, donor, count(${name}), avg(${name}), stddev_samp(${name}), median(${name}), max(${name})
             FROM t JOIN sheet ON t."Image origin" = sheet.image GROUP BY ALL`,
        );
        return found.getRows();
      });
      costs.push(cost);
      if (cost.value.length !== 24) throw new Error(`${cost.value.length} groups`);
    }
    return medians({ groups: costs });
  },
  // A ratio of three measures, of columns that were not computed with before.
  oursComputed: async ({ path, columns }) => {
    const table = await openTable(path);
    const extended = new ExtendedTable(table);
    const costs: Cost[] = [];
    for (let column = 3; column + 2 < columns; column++) {
      const [a, b, c] = [column - 2, column - 1, column].map(number => `[Measure ${number}]`);
      const cost = await costOf(async () => {
        const formula = `(${a} - ${b}) / ${c}`;
        const found = checkFormula(formula, extended.columns);
        if (!('checked' in found)) throw new Error(found.problem.reason.message);
        return new FormulaColumn({ name: 'Ratio', formula, ...found }).numbers(extended);
      });
      costs.push(cost);
      if (cost.value.values[0]?.length !== table.rowCount) throw new Error('Rows are missing');
    }
    table.dispose();
    return medians({ computed: costs });
  },
  duckdbComputed: async ({ path, peers, columns }) => {
    const connection = await connectDuckDb(peers);
    await connection.run(`CREATE TABLE t AS SELECT * FROM read_csv('${path.replaceAll("'", "''")}')`);
    const costs: Cost[] = [];
    for (let column = 3; column + 2 < columns; column++) {
      const [a, b, c] = [column - 2, column - 1, column].map(number => `"Measure ${number}"`);
      const sql = `CREATE OR REPLACE TEMP TABLE r AS SELECT (${a} - ${b}) / ${c} AS ratio FROM t`;
      costs.push(await costOf(() => connection.run(sql)));
    }
    return medians({ computed: costs });
  },
  duckdbQuestions: async ({ path, peers, columns }) => {
    const connection = await connectDuckDb(peers);
    await connection.run(`CREATE TABLE t AS SELECT * FROM read_csv('${path.replaceAll("'", "''")}')`);
    const costs: Record<string, Cost[]> = {};
    for (let column = 3; column < columns; column++) {
      const name = `"Measure ${column - 2}"`;
      const rows = await (
        await connection.run(
          `SELECT quantile_cont(x, 0.3), quantile_cont(x, 0.6) FROM (SELECT ${name} x FROM t LIMIT 1000)`,
        )
      ).getRows();
      const [from, to] = rows[0] as [number, number];
      const timed = async (what: string, sql: string) => {
        (costs[what] ??= []).push(await costOf(() => connection.run(sql)));
      };
      await timed('sort', `CREATE OR REPLACE TEMP TABLE s AS SELECT rowid AS r FROM t ORDER BY ${name}`);
      await timed(
        'filter',
        `CREATE OR REPLACE TEMP TABLE f AS SELECT rowid AS r FROM t WHERE ${name} BETWEEN ${from} AND ${to}`,
      );
      await timed(
        'histogram',
        `CREATE OR REPLACE TEMP TABLE h AS SELECT least(63, floor((x - lo) * 64 / (hi - lo))::INTEGER) AS bin, count(*) AS n
           FROM (SELECT ${name} AS x FROM t), (SELECT min(${name}) AS lo, max(${name}) AS hi FROM t) GROUP BY bin`,
      );
    }
    return medians(costs);
  },
};

/** What is known of the images of a table, by its own names: 4 conditions × 6 donors. */
function sheetOf(images: readonly string[]): { condition: string[]; donor: string[] } {
  return {
    condition: images.map((_, at) => ['control', '-Dox', '+IL2', 'both'][at % 4] ?? ''),
    donor: images.map((_, at) => `donor ${Math.floor(at / 4) % 6}`),
  };
}

function medians(costs: Record<string, Cost[]>): Record<string, Cost> {
  const median = (values: Cost[]): Cost => ({
    wallMs: medianOf(values.map(({ wallMs }) => wallMs)),
    cpuMs: medianOf(values.map(({ cpuMs }) => cpuMs)),
  });
  return Object.fromEntries(Object.entries(costs).map(([name, values]) => [name, median(values)]));
}

/** A cost without what the work gave, which can't be sent to another process. */
function costAlone({ wallMs, cpuMs }: Cost): Cost {
  return { wallMs, cpuMs };
}
