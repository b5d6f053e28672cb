import { CodedError } from '../../base/errors';
import { CachedValues } from '../../base/node/joinedWork';
import { reason } from '../../base/reasons';
import type { TableSource } from '../../columns/engine/read/tableSource';
import { numericColumns } from '../gate';
import {
  neededBy,
  plain,
  type Population,
  type PopulationInTable,
  type PopulationProblem,
  populationsInTable,
} from '../population';
import { gatedRows, type GateThreshold } from './gateRows';
import { allRows, countRows, type RowBits } from './rowBits';

/** The rows of a population. */
interface PopulationRows {
  rows: RowBits;
  /** Rows of the parent where membership is known. */
  judged: RowBits;
  count: number;
  /** Rows of its parent. */
  ofParent: number;
  /** Rows where membership is unknown. */
  missing: number;
  thresholds: GateThreshold[];
}

/** A population's rows in a table, or why it has none. */
export interface ResolvedPopulation {
  name: string;
  result: PopulationRows | { problem: PopulationProblem };
}

/** The current populations of a table, resolved in its columns. */
interface Prepared {
  definitions: readonly Population[];
  rowCount: number;
  /** Changes with the table's values, rows and columns. */
  mark: string;
  inTable: readonly PopulationInTable[];
  /** By plain name, see `plain`. */
  byName: ReadonlyMap<string, PopulationInTable>;
  /** By name, see keyNumber. */
  keys: Map<string, number>;
}

/** Populations that one request has computed, or is computing. */
type Memo = Map<PopulationInTable, Promise<ResolvedPopulation['result']>>;

/**
 * The populations of a table. Each is computed once for its current gate, parent and the
 * populations that its gate names. A change recomputes only that population and its dependents.
 */
export class PopulationTree {
  /** Number of computations; for tests. */
  computed = 0;
  private definitions: readonly Population[] = [];
  private prepared: Prepared | undefined;
  private readonly rows = new CachedValues<number, PopulationRows>();
  /**
   * A number for each key. Keys contain the numbers of needed populations, since nested keys would
   * become too long.
   */
  private readonly numbers = new Map<string, number>();
  private lastNumber = 0;
  private version = 0;

  constructor(private readonly table: () => TableSource) {}

  set(definitions: readonly Population[]): void {
    this.definitions = definitions;
  }

  /** Call when the values of columns changed: all populations are recomputed. */
  tableChanged(): void {
    this.version++;
  }

  /**
   * All populations in order, also those with a problem. Drops results that are no longer used.
   * Throws `cancelled`.
   */
  async all(signal?: AbortSignal): Promise<ResolvedPopulation[]> {
    const prepared = this.prepare();
    const all: ResolvedPopulation[] = [];
    const memo: Memo = new Map();
    for (const inTable of prepared.inTable) {
      const result = await this.find(prepared, inTable, memo, signal);
      all.push({ name: inTable.population.name, result });
    }
    if (prepared === this.prepared) this.dropUnused(prepared);
    return all;
  }

  /**
   * The rows of a population. Throws `bad-request` if it is unknown or has a problem, `cancelled`.
   */
  async one(name: string, signal?: AbortSignal): Promise<PopulationRows> {
    const prepared = this.prepare();
    const inTable = prepared.byName.get(plain(name));
    const rows = inTable && (await this.find(prepared, inTable, new Map(), signal));
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
    const inTable = prepared.byName.get(plain(name));
    return inTable && this.keyNumber(prepared, inTable);
  }

  private prepare(): Prepared {
    const { definitions } = this;
    const { columns, rowCount } = this.table();
    const mark = JSON.stringify([this.version, rowCount, columns.map(({ name, kind }) => [name, kind])]);
    if (this.prepared?.definitions === definitions && this.prepared.mark === mark) return this.prepared;
    const inTable = populationsInTable(definitions, [...columns]);
    // The first of several equal names wins.
    const byName = new Map(inTable.toReversed().map(entry => [plain(entry.population.name), entry]));
    return (this.prepared = { definitions, rowCount, mark, inTable, byName, keys: new Map() });
  }

  /** A number for all that a population's rows depend on; undefined if it has a problem. */
  private keyNumber(prepared: Prepared, { population, placement }: PopulationInTable): number | undefined {
    const numbered = prepared.keys.get(population.name);
    if (numbered !== undefined || 'problem' in placement) return numbered;
    const needed = neededBy(population).map(name => {
      const other = prepared.byName.get(plain(name));
      return [plain(name), other && this.keyNumber(prepared, other)];
    });
    const { rowCount } = prepared;
    const { columns } = this.table();
    const kinds = numericColumns(placement.gate).map(column => columns[column]?.isRounded === true);
    const ofTable = [this.version, rowCount, kinds, placement.imageColumns];
    const key = JSON.stringify([ofTable, placement.gate, population.parent === undefined, needed]);
    const number = this.numbers.get(key) ?? ++this.lastNumber;
    this.numbers.set(key, number);
    prepared.keys.set(population.name, number);
    return number;
  }

  /** Computes a population once per request, even if several others need it. */
  private find(
    prepared: Prepared,
    inTable: PopulationInTable,
    memo: Memo,
    signal?: AbortSignal,
  ): Promise<ResolvedPopulation['result']> {
    let rows = memo.get(inTable);
    if (!rows) memo.set(inTable, (rows = this.compute(prepared, inTable, memo, signal)));
    return rows;
  }

  private async compute(
    prepared: Prepared,
    inTable: PopulationInTable,
    memo: Memo,
    signal?: AbortSignal,
  ): Promise<ResolvedPopulation['result']> {
    const { population, placement } = inTable;
    if ('problem' in placement) return placement;
    const needed = new Map<string, PopulationRows>();
    for (const name of neededBy(population)) {
      const other = prepared.byName.get(plain(name));
      const rows = other && (await this.find(prepared, other, memo, signal));
      if (!rows || 'problem' in rows) return { problem: { kind: 'needs', name } };
      needed.set(plain(name), rows);
    }
    const table = this.table();
    const { rowCount } = prepared;
    const make = async (shared: AbortSignal): Promise<PopulationRows> => {
      this.computed++;
      const all = allRows(rowCount);
      const parent = population.parent === undefined ? undefined : needed.get(plain(population.parent));
      const thresholds: GateThreshold[] = [];
      const { inside, judged } = await gatedRows(placement.gate, {
        table,
        rowCount,
        all,
        parent: parent?.rows ?? all,
        imageColumns: placement.imageColumns,
        rowsOf: name => needed.get(plain(name))?.rows ?? new Uint32Array(all.length),
        thresholds,
        signal: shared,
      });
      const ofParent = parent?.count ?? rowCount;
      const missing = ofParent - countRows(judged);
      return { rows: inside, judged, count: countRows(inside), ofParent, missing, thresholds };
    };
    return this.rows.get(this.keyNumber(prepared, inTable) ?? -1, make, signal);
  }

  private dropUnused({ keys }: Prepared): void {
    const used = new Set(keys.values());
    for (const [key, number] of this.numbers) {
      if (used.has(number)) continue;
      this.numbers.delete(key);
      this.rows.delete(number);
    }
  }
}
