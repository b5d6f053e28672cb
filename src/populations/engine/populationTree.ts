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

/** A population that was looked for in a table. */
export interface ResolvedPopulation {
  name: string;
  found: PopulationRows | { problem: PopulationProblem };
}

/** Current populations of a table, and the inputs of their rows. */
interface Prepared {
  definitions: readonly Population[];
  rowCount: number;
  mark: string;
  inTable: readonly PopulationInTable[];
  /** By plain names. */
  byName: ReadonlyMap<string, PopulationInTable>;
  /** Numbers of keys, see keyNumber. */
  keys: Map<string, number>;
}

type Memo = Map<PopulationInTable, Promise<ResolvedPopulation['found']>>;

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
   * A number per key: keys contain those of needed populations, and nested keys would grow without
   * end.
   */
  private readonly numbers = new Map<string, number>();
  private lastNumber = 0;
  private version = 0;

  constructor(private readonly table: () => TableSource) {}

  set(definitions: readonly Population[]): void {
    this.definitions = definitions;
  }

  /** Columns have other values. */
  tableChanged(): void {
    this.version++;
  }

  /**
   * All of them in order, also those with a problem. Drops earlier results of others. Throws
   * `cancelled`.
   */
  async all(signal?: AbortSignal): Promise<ResolvedPopulation[]> {
    const prepared = this.prepare();
    const found: ResolvedPopulation[] = [];
    const memo: Memo = new Map();
    for (const each of prepared.inTable)
      found.push({ name: each.of.name, found: await this.find(prepared, each, memo, signal) });
    if (prepared === this.prepared) this.dropOthers(prepared);
    return found;
  }

  /**
   * The rows of one. Throws `bad-request` if it is unknown, or the table lacks columns;
   * `cancelled`.
   */
  async one(name: string, signal?: AbortSignal): Promise<PopulationRows> {
    const prepared = this.prepare();
    const own = prepared.byName.get(plain(name));
    const found = own && (await this.find(prepared, own, new Map(), signal));
    if (found && !('problem' in found)) return found;
    throw new CodedError(
      'bad-request',
      `There is no population "${name}", or the table lacks what it needs`,
      {
        subject: name,
        reason: reason('There is no population "{0}", or the table lacks what it needs', name),
      },
    );
  }

  /** Tells the rows that a population has now from others that it had before. */
  keyOf(name: string): number | undefined {
    const prepared = this.prepare();
    const own = prepared.byName.get(plain(name));
    return own && this.keyNumber(prepared, own);
  }

  private prepare(): Prepared {
    const { definitions } = this;
    const { columns, rowCount } = this.table();
    const mark = JSON.stringify([this.version, rowCount, columns.map(({ name, kind }) => [name, kind])]);
    if (this.prepared?.definitions === definitions && this.prepared.mark === mark) return this.prepared;
    const inTable = populationsInTable(definitions, [...columns]);
    const byName = new Map<string, PopulationInTable>();
    for (const each of inTable) if (!byName.has(plain(each.of.name))) byName.set(plain(each.of.name), each);
    return (this.prepared = { definitions, rowCount, mark, inTable, byName, keys: new Map() });
  }

  private keyNumber(prepared: Prepared, { of, found }: PopulationInTable): number | undefined {
    const known = prepared.keys.get(of.name);
    if (known !== undefined || 'problem' in found) return known;
    const needed = neededBy(of).map(name => {
      const other = prepared.byName.get(plain(name));
      return [plain(name), other && this.keyNumber(prepared, other)];
    });
    const { rowCount } = prepared;
    const { columns } = this.table();
    const kinds = numericColumns(found.gate).map(column => columns[column]?.isRounded === true);
    const ofTable = [this.version, rowCount, kinds, found.imageColumn];
    const key = JSON.stringify([ofTable, found.gate, of.parent === undefined, needed]);
    const number = this.numbers.get(key) ?? ++this.lastNumber;
    this.numbers.set(key, number);
    prepared.keys.set(of.name, number);
    return number;
  }

  /** Each once, however many need it. */
  private find(
    prepared: Prepared,
    own: PopulationInTable,
    memo: Memo,
    signal?: AbortSignal,
  ): Promise<ResolvedPopulation['found']> {
    let finding = memo.get(own);
    if (!finding) memo.set(own, (finding = this.compute(prepared, own, memo, signal)));
    return finding;
  }

  private async compute(
    prepared: Prepared,
    own: PopulationInTable,
    memo: Memo,
    signal?: AbortSignal,
  ): Promise<ResolvedPopulation['found']> {
    const { of, found } = own;
    if ('problem' in found) return found;
    const needed = new Map<string, PopulationRows>();
    for (const name of neededBy(of)) {
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
      const parent = of.parent === undefined ? undefined : needed.get(plain(of.parent));
      const thresholds: GateThreshold[] = [];
      const { is, known } = await gatedRows(found.gate, {
        table,
        rowCount,
        all,
        parent: parent?.rows ?? all,
        imageColumn: found.imageColumn,
        rowsOf: name => needed.get(plain(name))?.rows ?? new Uint32Array(all.length),
        thresholds,
        signal: shared,
      });
      const ofParent = parent?.count ?? rowCount;
      const missing = ofParent - countRows(known);
      return { rows: is, judged: known, count: countRows(is), ofParent, missing, thresholds };
    };
    return this.rows.get(this.keyNumber(prepared, own) ?? -1, make, signal);
  }

  private dropOthers({ keys }: Prepared): void {
    const used = new Set(keys.values());
    for (const [key, number] of this.numbers) {
      if (used.has(number)) continue;
      this.numbers.delete(key);
      this.rows.delete(number);
    }
  }
}
