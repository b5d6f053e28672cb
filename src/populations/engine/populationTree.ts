import { CodedError } from '../../base/errors';
import { CachedValues } from '../../base/node/joinedWork';
import { reason } from '../../base/reasons';
import type { TableSource } from '../../columns/engine/read/tableSource';
import type { PopulationOfRows } from '../../linking/engine/populationsOfObjects';
import { numericColumns } from '../gate';
import {
  byName,
  neededBy,
  pathsIn,
  type PlacedGate,
  plain,
  type Population,
  populationColors,
  type PopulationInTable,
  type PopulationProblem,
  populationsInTable,
} from '../population';
import { inTreeOrder } from '../populationList';
import { gatedRows, type GateThreshold } from './gateRows';
import { allRows, countRows, noRows, type RowBits } from './rowBits';

/** The rows of a population. */
export interface PopulationRows {
  /** See PopulationTree.keyOf. */
  version: number;
  rows: RowBits;
  /** Rows of the parent where membership is known. */
  judged: RowBits;
  count: number;
  /** Number of the parent's rows. */
  parentCount: number;
  /** Number of the parent's rows where membership is unknown. */
  missing: number;
  thresholds: GateThreshold[];
}

/** A population's rows in a table, or why it has none. */
export interface ResolvedPopulation {
  name: string;
  result: PopulationRows | { problem: PopulationProblem };
}

/** The current populations of a table, resolved in its columns. */
interface PreparedTree {
  definitions: readonly Population[];
  rowCount: number;
  allRows: RowBits;
  /** Changes with the table's values, rows and columns. */
  tableMark: string;
  inTable: readonly PopulationInTable[];
  /** The population that a name stands for: the first of several. */
  find: (name: string) => PopulationInTable | undefined;
  /** See keyNumber. */
  keys: Map<PopulationInTable, number>;
}

/**
 * The populations of a table. Each is computed once for its current gate, parent and the
 * populations that its gate names. A change recomputes only that population and its dependents.
 */
export class PopulationTree {
  /** Number of computations; for tests. */
  computed = 0;
  private all: readonly Population[] = [];
  private prepared: PreparedTree | undefined;
  private readonly rows = new CachedValues<number, PopulationRows>();
  /**
   * A number for each key. Keys contain the numbers of needed populations, since nested keys would
   * become too long.
   */
  private readonly numbers = new Map<string, number>();
  private lastNumber = 0;
  private version = 0;

  constructor(private readonly table: () => TableSource) {}

  get definitions(): readonly Population[] {
    return this.all;
  }

  set(definitions: readonly Population[]): void {
    this.all = definitions;
  }

  /** Call when the values of columns changed: all populations are recomputed. */
  tableChanged(): void {
    this.version++;
  }

  /**
   * All populations in the order of the list, also those with a problem. Drops results that are no
   * longer used. Throws `cancelled`.
   */
  async resolved(signal?: AbortSignal): Promise<ResolvedPopulation[]> {
    const prepared = this.prepare();
    const all: ResolvedPopulation[] = [];
    for (const inTable of prepared.inTable)
      all.push({
        name: inTable.population.name,
        result: await this.resolve(prepared, inTable, signal),
      });
    if (prepared === this.prepared) this.dropUnused(prepared);
    return all;
  }

  /** The populations without a problem, in the order of the tree. Throws `cancelled`. */
  async ofRows(signal?: AbortSignal): Promise<PopulationOfRows[]> {
    const { all } = this;
    if (all.length === 0) return [];
    const resolved = await this.resolved(signal);
    const colors = populationColors(all);
    const pathOf = pathsIn(all);
    return inTreeOrder(all).flatMap(({ population }): PopulationOfRows[] => {
      const listed = all.indexOf(population);
      const { result } = resolved[listed] ?? {};
      if (!result || 'problem' in result) return [];
      const { name, hidden } = population;
      const shown = { path: pathOf(name), listed, color: colors[listed] ?? '', ...(hidden && { hidden }) };
      return [{ ...shown, rows: result.rows }];
    });
  }

  /**
   * The rows of a population. Throws `bad-request` if it is unknown or has a problem, `cancelled`.
   */
  async rowsOf(name: string, signal?: AbortSignal): Promise<PopulationRows> {
    const prepared = this.prepare();
    const inTable = prepared.find(name);
    const rows = inTable && (await this.resolve(prepared, inTable, signal));
    if (rows && !('problem' in rows)) return rows;
    throw new CodedError(
      'bad-request',
      `There is no population "${name}", or the table lacks what it needs`,
      {
        subject: name,
        reason: reason('There is no population "{0}", or the table lacks what it needs', name),
      },
    );
  }

  /** The version of a population's rows: changes whenever the rows may differ. */
  keyOf(name: string): number | undefined {
    const prepared = this.prepare();
    const inTable = prepared.find(name);
    return inTable && this.keyNumber(prepared, inTable);
  }

  private prepare(): PreparedTree {
    const { all: definitions } = this;
    const { columns, rowCount } = this.table();
    const tableMark = JSON.stringify([this.version, rowCount, columns.map(({ name, kind }) => [name, kind])]);
    if (this.prepared?.definitions === definitions && this.prepared.tableMark === tableMark)
      return this.prepared;
    const inTable = populationsInTable(definitions, [...columns]);
    const named = byName(inTable.map(entry => ({ name: entry.population.name, entry })));
    const find = (name: string) => named(name)?.entry;
    const all = this.prepared?.rowCount === rowCount ? this.prepared.allRows : allRows(rowCount);
    return (this.prepared = {
      definitions,
      rowCount,
      allRows: all,
      tableMark,
      inTable,
      find,
      keys: new Map(),
    });
  }

  /** A number for all that a population's rows depend on; undefined if it has a problem. */
  private keyNumber(prepared: PreparedTree, inTable: PopulationInTable): number | undefined {
    const { population, placement } = inTable;
    const cached = prepared.keys.get(inTable);
    if (cached !== undefined || 'problem' in placement) return cached;
    const needed = neededBy(population).map(name => {
      const other = prepared.find(name);
      return [plain(name), other && this.keyNumber(prepared, other)];
    });
    const { rowCount } = prepared;
    const { columns } = this.table();
    const kinds = numericColumns(placement.gate).map(column => columns[column]?.isRounded === true);
    const tableKey = [this.version, rowCount, kinds, placement.imageColumns];
    const key = JSON.stringify([tableKey, placement.gate, population.parent === undefined, needed]);
    const number = this.numbers.get(key) ?? ++this.lastNumber;
    this.numbers.set(key, number);
    prepared.keys.set(inTable, number);
    return number;
  }

  /** A population's rows: from the cache, else computed. */
  private async resolve(
    prepared: PreparedTree,
    inTable: PopulationInTable,
    signal?: AbortSignal,
  ): Promise<ResolvedPopulation['result']> {
    const { population, placement } = inTable;
    if ('problem' in placement) return placement;
    const version = this.keyNumber(prepared, inTable) ?? -1;
    const make = async (shared: AbortSignal) => ({
      version,
      ...(await this.compute(prepared, population, placement, shared)),
    });
    return this.rows.get(version, make, signal);
  }

  private async compute(
    prepared: PreparedTree,
    population: Population,
    { gate, imageColumns }: PlacedGate,
    signal: AbortSignal,
  ): Promise<Omit<PopulationRows, 'version'>> {
    const needed = new Map<string, PopulationRows>();
    for (const name of neededBy(population)) {
      const other = prepared.find(name);
      const rows = other && (await this.resolve(prepared, other, signal));
      // A population that needs one with a problem isn't computed.
      if (rows && !('problem' in rows)) needed.set(plain(name), rows);
    }
    this.computed++;
    const { rowCount, allRows: all } = prepared;
    const parent = population.parent === undefined ? undefined : needed.get(plain(population.parent));
    const thresholds: GateThreshold[] = [];
    const { inside, judged } = await gatedRows(gate, {
      table: this.table(),
      rowCount,
      all,
      parent: parent?.rows ?? all,
      imageColumns,
      rowsOf: name => needed.get(plain(name))?.rows ?? noRows(rowCount),
      thresholds,
      signal,
    });
    const parentCount = parent?.count ?? rowCount;
    const missing = parentCount - countRows(judged);
    return { rows: inside, judged, count: countRows(inside), parentCount, missing, thresholds };
  }

  private dropUnused({ keys }: PreparedTree): void {
    const used = new Set(keys.values());
    for (const [key, number] of this.numbers) {
      if (used.has(number)) continue;
      this.numbers.delete(key);
      this.rows.delete(number);
    }
  }
}
