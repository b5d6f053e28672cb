import { CodedError } from '../../base/errors';
import type { Event } from '../../base/event';
import type { TableHandlers } from '../../columns/engine/tableHandlers';
import { finiteOrNull } from '../../columns/columnStatistics';
import { exactSum } from '../../columns/exactSum';
import { gatherNumbers, type TableSource } from '../../columns/engine/read/tableSource';
import { saveTexts } from '../../columns/engine/saveTable';
import type { PopulationSets } from '../../columns/engine/tableView';
import type { RequestHandlers } from '../../protocol/rpc';
import type { Population } from '../population';
import type { CountedPopulation, PopulationEngineRequests } from '../populationRequests';
import { populationGroups, spread } from './populationGroups';
import { PopulationTree } from './populationTree';
import { rowList, type RowBits, toBytes } from './rowBits';
import { winnersInBins, winnersOf } from './winners';

/** The tables of a thread. */
interface OpenTables {
  readonly tables: TableHandlers;
  /** Absent where tables stay as they are. */
  readonly onDidOpenTable?: Event<string>;
  readonly onDidChangeTable?: Event<string>;
}

/** The populations of the open tables. */
class EnginePopulations {
  private readonly trees = new Map<string, PopulationTree>();
  private readonly definitions = new Map<string, readonly Population[]>();

  constructor(private readonly open: OpenTables) {
    open.tables.setPopulations(name => this.setsOf(name));
    open.onDidOpenTable?.(name => this.trees.get(name)?.tableChanged());
    open.onDidChangeTable?.(name => this.trees.get(name)?.tableChanged());
  }

  treeOf(name: string): PopulationTree {
    let tree = this.trees.get(name);
    if (!tree) this.trees.set(name, (tree = new PopulationTree(() => this.tableOf(name))));
    return tree;
  }

  set(name: string, populations: readonly Population[]): void {
    this.definitions.set(name, populations);
    this.treeOf(name).set(populations);
  }

  of(name: string): readonly Population[] {
    return this.definitions.get(name) ?? [];
  }

  tableOf(name: string): TableSource {
    return this.open.tables.view(name).table;
  }

  private setsOf(name: string): PopulationSets {
    return {
      keyOf: filter => this.treeOf(name).keyOf(filter.name),
      mask: async (filter, count, signal) => {
        const { rows, judged } = await this.treeOf(name).one(filter.name, signal);
        const bits = filter.judged === true ? judged : rows;
        return toBytes(bits, count);
      },
    };
  }
}

/** The handlers of requests about populations. */
export function populationHandlers(open: OpenTables): RequestHandlers<PopulationEngineRequests> {
  const all = new EnginePopulations(open);
  const coloring = (table: string, names: readonly string[]) => ({
    all: all.of(table),
    tree: all.treeOf(table),
    names,
  });
  return {
    populationsOfRows: async ({ table, names, rows }, signal) => ({
      places: (await winnersOf(coloring(table, names), new Uint32Array(rows), signal)).buffer,
    }),
    populationsInBins: async ({ table, names, ...bins }, signal) => ({
      counts: (await winnersInBins(coloring(table, names), open.tables.view(table), bins, signal)).buffer,
    }),
    setPopulations: ({ table, populations }) => {
      all.set(table, populations);
      return {};
    },
    countPopulations: async ({ table: name, populations, mean }, signal) => {
      const table = all.tableOf(name);
      const tree = all.treeOf(name);
      if (populations) all.set(name, populations);
      if (mean !== undefined && table.columns[mean]?.kind !== 'number')
        throw new CodedError('bad-request', `Column ${mean} has no numbers`);
      const { rowCount } = table;
      const counted: CountedPopulation[] = [];
      for (const { name: each, found } of await tree.all(signal)) {
        if ('problem' in found) {
          const none = { count: 0, parentCount: 0, missing: 0, thresholds: [], as: 0 };
          counted.push({ name: each, problem: found.problem, ...none });
          continue;
        }
        const { count, ofParent, missing, thresholds, rows } = found;
        counted.push({
          name: each,
          ...{ count, parentCount: ofParent, missing, as: tree.keyOf(each) ?? 0 },
          thresholds: thresholds.map(({ least, greatest }) => [finiteOrNull(least), finiteOrNull(greatest)]),
          ...(mean !== undefined && { mean: await meanOf(table, mean, rows, signal) }),
        });
      }
      return { rowCount, populations: counted };
    },
    savePopulations: async ({ table: name, ...params }, signal) => {
      await open.tables.settled(name);
      const { header, destination, overwrite = false, markHeader, isSpread = false, ...saved } = params;
      const format = open.tables.formatNamed(destination);
      const decimalMark = open.tables.decimalComma(name) ? ',' : '.';
      const view = open.tables.view(name);
      const rows = await populationGroups(view, all.of(name), { ...saved, decimalMark }, signal);
      const texts = isSpread ? spread(header, rows, saved.by.length) : { header, rows };
      return saveTexts(view.table, { ...texts, destination, overwrite, format, markHeader }, signal);
    },
  };
}

async function meanOf(
  table: TableSource,
  column: number,
  rows: RowBits,
  signal: AbortSignal,
): Promise<number | null> {
  const list = rowList(rows);
  const numbers = await gatherNumbers(table, column, { rows: list, count: list.length }, signal);
  const finite = numbers.filter(Number.isFinite);
  return finite.length > 0 ? finiteOrNull(exactSum(finite) / finite.length) : null;
}
