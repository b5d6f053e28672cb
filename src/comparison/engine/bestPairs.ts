/*
 * One-to-one pairs: as many as possible, then with the largest total weight, then with the lowest
 * positions. Most objects have a single possible partner. The others form components that share no
 * object. Each is an assignment problem of a few rows, solved by shortest augmenting paths (Jonker
 * and Volgenant, Computing 38, 1987).
 *
 * A cost has two parts, compared in order: −1 for a pair, so that the number of pairs comes first
 * and is an exact integer; then −weight.
 */

/** Possible pairs, in any order. */
interface PossiblePairs {
  count: number;
  a: ArrayLike<number>;
  b: ArrayLike<number>;
  /** Greater than 0. */
  weight: ArrayLike<number>;
}

/** Totals that differ by less are equal: the order of adding doubles changes them this much. */
const TOLERANCE = 1e-12;

/** Number of columns and pairs processed between two yields: less than a millisecond. */
const WORK_PER_STEP = 16_384;

/**
 * The partner in B of each object of A, −1 without one. Among equally good solutions, the first
 * object of A gets its lowest possible partner, then the second, and so on. Yields between short
 * steps.
 */
export function* bestPairs(
  possible: PossiblePairs,
  countA: number,
  countB: number,
): Generator<void, Int32Array> {
  const partners = new Int32Array(countA).fill(-1);
  const { count, a, b } = possible;
  const pairCountsOfA = new Uint32Array(countA);
  const pairCountsOfB = new Uint32Array(countB);
  for (let n = 0; n < count; n++) {
    const objectOfA = a[n] as number;
    const objectOfB = b[n] as number;
    pairCountsOfA[objectOfA] = (pairCountsOfA[objectOfA] as number) + 1;
    pairCountsOfB[objectOfB] = (pairCountsOfB[objectOfB] as number) + 1;
  }
  const contested: number[] = [];
  for (let n = 0; n < count; n++) {
    const objectOfA = a[n] as number;
    const objectOfB = b[n] as number;
    if (pairCountsOfA[objectOfA] === 1 && pairCountsOfB[objectOfB] === 1) partners[objectOfA] = objectOfB;
    else contested.push(n);
  }
  for (const component of componentsOf(contested, possible)) yield* solve(component, partners);
  return partners;
}

/** Objects connected by possible pairs: rows are objects of A, columns of B, both ascending. */
interface Component {
  rows: number[];
  columns: number[];
  /** The pairs of each row: the index in `columns`, ascending, and the weight. */
  pairs: { column: number; weight: number }[][];
}

function* componentsOf(contested: readonly number[], { a, b, weight }: PossiblePairs): Generator<Component> {
  const pairsOfA = new Map<number, number[]>();
  const pairsOfB = new Map<number, number[]>();
  for (const pair of contested) {
    append(pairsOfA, a[pair] as number, pair);
    append(pairsOfB, b[pair] as number, pair);
  }
  const seenA = new Set<number>();
  const seenB = new Set<number>();
  for (const first of pairsOfA.keys()) {
    if (seenA.has(first)) continue;
    seenA.add(first);
    const rows = [first];
    const columns: number[] = [];
    // `rows` grows during the loop.
    for (const row of rows) {
      for (const pair of pairsOfA.get(row) ?? []) {
        const column = b[pair] as number;
        if (seenB.has(column)) continue;
        seenB.add(column);
        columns.push(column);
        for (const other of pairsOfB.get(column) ?? []) {
          const next = a[other] as number;
          if (seenA.has(next)) continue;
          seenA.add(next);
          rows.push(next);
        }
      }
    }
    rows.sort((one, other) => one - other);
    columns.sort((one, other) => one - other);
    const indexOfColumn = new Map(columns.map((column, index) => [column, index]));
    const pairs = rows.map(row =>
      (pairsOfA.get(row) ?? [])
        .map(pair => ({ column: indexOfColumn.get(b[pair] as number) ?? 0, weight: weight[pair] as number }))
        .sort((one, other) => one.column - other.column),
    );
    yield { rows, columns, pairs };
  }
}

function append(map: Map<number, number[]>, key: number, value: number): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

function* solve(component: Component, partners: Int32Array): Generator<void, void> {
  const assignment = new Assignment(component);
  yield* assignment.solve();
  yield* assignment.preferLowColumns();
  assignment.columnOf.forEach((column, row) => {
    const partner = component.columns[column];
    if (partner !== undefined) partners[component.rows[row] as number] = partner;
  });
}

/** A cost or a distance; the number of pairs is compared first. */
interface Cost {
  pairs: number;
  weight: number;
}

const ZERO_COST: Cost = { pairs: 0, weight: 0 };

function isLess(a: Cost, b: Cost): boolean {
  return a.pairs === b.pairs ? a.weight < b.weight : a.pairs < b.pairs;
}

function isZero({ pairs, weight }: Cost): boolean {
  return pairs === 0 && Math.abs(weight) < TOLERANCE;
}

function sum(a: Cost, b: Cost, sign = 1): Cost {
  return { pairs: a.pairs + sign * b.pairs, weight: a.weight + sign * b.weight };
}

/**
 * The assignment of a component. Each row has a column, or none, which costs nothing. Prices of
 * rows and columns prove that the assignment is optimal: no pair costs less than the sum of the
 * prices of its row and column, and chosen pairs cost exactly that.
 */
class Assignment {
  /** The column of each row, −1 without one. */
  readonly columnOf: Int32Array;
  private readonly rowOf: Int32Array;
  private readonly rowPrices: Cost[];
  private readonly columnPrices: Cost[];
  private cachedPairsOfColumns: { row: number; weight: number }[][] | undefined;

  constructor(private readonly component: Component) {
    const { rows, columns } = component;
    this.columnOf = new Int32Array(rows.length).fill(-1);
    this.rowOf = new Int32Array(columns.length).fill(-1);
    this.rowPrices = rows.map(() => ZERO_COST);
    this.columnPrices = columns.map(() => ZERO_COST);
  }

  *solve(): Generator<void, void> {
    for (let row = 0; row < this.columnOf.length; row++) {
      yield* this.addRow(row);
      yield;
    }
  }

  /**
   * Finds the cheapest column for a row, or none; other rows may change columns. Each step finishes
   * one column, so there are at most as many steps as columns.
   */
  private *addRow(newRow: number): Generator<void, void> {
    const distances = new Map<number, Cost>();
    const previousRow = new Map<number, number>();
    const finished: number[] = [];
    const finishedSet = new Set<number>();
    let work = 0;
    const openColumns: number[] = [];
    /** The reached rows with their distances. */
    const reached: { row: number; distance: Cost }[] = [];
    /** The cheapest path so far that leaves a row without a column. */
    let cheapestWithout = { row: -1, distance: ZERO_COST };
    let column = -1;
    for (let row = newRow, distance = ZERO_COST; ;) {
      reached.push({ row, distance });
      const price = this.rowPrices[row] ?? ZERO_COST;
      const distanceToNone = sum(distance, price, -1);
      if (cheapestWithout.row < 0 || isLess(distanceToNone, cheapestWithout.distance))
        cheapestWithout = { row, distance: distanceToNone };
      const pairs = this.component.pairs[row] ?? [];
      for (const { column, weight } of pairs) {
        // By rounding, a path back to the column may seem shorter: it would be a circle.
        if (finishedSet.has(column)) continue;
        const cost = sum(
          { pairs: -1, weight: -weight },
          sum(price, this.columnPrices[column] ?? ZERO_COST),
          -1,
        );
        const length = sum(distance, cost);
        const earlier = distances.get(column);
        if (earlier && !isLess(length, earlier)) continue;
        if (!earlier) openColumns.push(column);
        distances.set(column, length);
        previousRow.set(column, row);
      }
      work += pairs.length + openColumns.length;
      if (work >= WORK_PER_STEP) {
        work = 0;
        yield;
      }
      const nearest = this.takeNearest(openColumns, distances);
      const nearestDistance = nearest === undefined ? undefined : distances.get(nearest);
      if (
        nearest === undefined ||
        nearestDistance === undefined ||
        isLess(cheapestWithout.distance, nearestDistance)
      ) {
        this.adjustPrices(reached, finished, distances, cheapestWithout.distance);
        column = this.columnOf[cheapestWithout.row] as number;
        this.columnOf[cheapestWithout.row] = -1;
        break;
      }
      if (this.rowOf[nearest] === -1) {
        this.adjustPrices(reached, finished, distances, nearestDistance);
        column = nearest;
        break;
      }
      finished.push(nearest);
      finishedSet.add(nearest);
      row = this.rowOf[nearest] as number;
      distance = nearestDistance;
    }
    while (column >= 0) {
      const row = previousRow.get(column) as number;
      const columnBefore = this.columnOf[row] as number;
      this.columnOf[row] = column;
      this.rowOf[column] = row;
      column = row === newRow ? -1 : columnBefore;
    }
  }

  /** Removes the column at the least distance from `openColumns`, and returns it. */
  private takeNearest(openColumns: number[], distances: ReadonlyMap<number, Cost>): number | undefined {
    let bestIndex = -1;
    let minDistance = ZERO_COST;
    openColumns.forEach((column, index) => {
      const distance = distances.get(column) ?? ZERO_COST;
      // At equal distance, a free column ends the search.
      const isNearer =
        isLess(distance, minDistance) || (this.rowOf[column] === -1 && !isLess(minDistance, distance));
      if (bestIndex >= 0 && !isNearer) return;
      bestIndex = index;
      minDistance = distance;
    });
    return bestIndex < 0 ? undefined : openColumns.splice(bestIndex, 1)[0];
  }

  /** Changes prices so that all pairs on a path of this length cost exactly their prices. */
  private adjustPrices(
    reached: readonly { row: number; distance: Cost }[],
    finished: readonly number[],
    distances: ReadonlyMap<number, Cost>,
    length: Cost,
  ): void {
    for (const { row, distance } of reached)
      this.rowPrices[row] = sum(this.rowPrices[row] ?? ZERO_COST, sum(length, distance, -1));
    for (const column of finished) {
      const difference = sum(length, distances.get(column) ?? ZERO_COST, -1);
      this.columnPrices[column] = sum(this.columnPrices[column] ?? ZERO_COST, difference, -1);
    }
  }

  /**
   * Among the best assignments, takes the one with the lowest columns: exchanges pairs for others
   * that cost exactly their prices.
   */
  *preferLowColumns(): Generator<void, void> {
    const isSettled = new Uint8Array(this.columnOf.length);
    for (const [row, pairs] of this.component.pairs.entries()) {
      for (const { column, weight } of pairs) {
        if (column === this.columnOf[row]) break;
        if (!this.isTight(row, column, weight)) continue;
        if (this.exchange(row, column, isSettled)) break;
        yield;
      }
      isSettled[row] = 1;
      yield;
    }
  }

  /** Whether a pair costs exactly the sum of the prices of its row and column. */
  private isTight(row: number, column: number, weight: number): boolean {
    const prices = sum(this.rowPrices[row] ?? ZERO_COST, this.columnPrices[column] ?? ZERO_COST);
    return isZero(sum({ pairs: -1, weight: -weight }, prices, -1));
  }

  /**
   * Gives a row another column at no cost, if unsettled rows can use the rest. The exchange must
   * reach the row's old column, a free column, or a row that may stay without one. In the last
   * two cases, the old column needs another use.
   */
  private exchange(row: number, column: number, isSettled: Uint8Array): boolean {
    const oldColumn = this.columnOf[row] as number;
    /** The row that would take each visited column. */
    const takers = new Map<number, number>([[column, row]]);
    const queue = [column];
    /** Where the exchange ends: at a free column, or at a row that stays without a column. */
    let end: { column: number; rowWithout: number } | undefined;
    for (const visited of queue) {
      const owner = this.rowOf[visited] as number;
      if (owner < 0) end ??= { column: visited, rowWithout: -1 };
      if (owner < 0 || isSettled[owner]) continue;
      if (isZero(this.rowPrices[owner] ?? ZERO_COST)) end ??= { column: visited, rowWithout: owner };
      for (const { column: next, weight } of this.component.pairs[owner] ?? []) {
        if (takers.has(next) || !this.isTight(owner, next, weight)) continue;
        takers.set(next, owner);
        if (next === oldColumn) {
          this.shift(row, next, takers);
          return true;
        }
        queue.push(next);
      }
    }
    if (!end) return false;
    // Both paths are separate: otherwise one would lead to the other.
    const uses = oldColumn < 0 ? [] : this.otherUses(oldColumn, row, isSettled);
    if (!uses) return false;
    if (end.rowWithout >= 0) this.columnOf[end.rowWithout] = -1;
    this.shift(row, end.column, takers);
    for (const use of uses) this.take(use.row, use.column);
    return true;
  }

  /** Assigns the columns from `last` back to `row`, each to its taker. */
  private shift(row: number, last: number, takers: ReadonlyMap<number, number>): void {
    for (let column = last; ;) {
      const taker = takers.get(column) as number;
      const columnBefore = this.columnOf[taker] as number;
      this.take(taker, column);
      if (taker === row) return;
      column = columnBefore;
    }
  }

  private take(row: number, column: number): void {
    const columnBefore = this.columnOf[row] as number;
    if (columnBefore >= 0 && this.rowOf[columnBefore] === row) this.rowOf[columnBefore] = -1;
    this.columnOf[row] = column;
    this.rowOf[column] = row;
  }

  /**
   * The changes that use a column that becomes free, in order. They end with a row that had no
   * column, or leave a column that may stay free. Undefined if there is no way.
   */
  private otherUses(
    freeColumn: number,
    formerRow: number,
    isSettled: Uint8Array,
  ): { row: number; column: number }[] | undefined {
    /** What a row would take instead of each column. */
    const replacements = new Map<number, { row: number; column: number } | undefined>([
      [freeColumn, undefined],
    ]);
    const pathTo = (column: number): { row: number; column: number }[] => {
      const uses: { row: number; column: number }[] = [];
      for (let use = replacements.get(column); use; use = replacements.get(use.column)) uses.push(use);
      return uses.reverse();
    };
    const queue = [freeColumn];
    for (const column of queue) {
      if (isZero(this.columnPrices[column] ?? ZERO_COST)) return pathTo(column);
      for (const { row, weight } of this.pairsOfColumn(column)) {
        if (row === formerRow || isSettled[row] || !this.isTight(row, column, weight)) continue;
        const currentColumn = this.columnOf[row] as number;
        if (currentColumn === column) continue;
        if (currentColumn < 0) return [...pathTo(column), { row, column }];
        if (replacements.has(currentColumn)) continue;
        replacements.set(currentColumn, { row, column });
        queue.push(currentColumn);
      }
    }
    return undefined;
  }

  private pairsOfColumn(column: number): readonly { row: number; weight: number }[] {
    if (!this.cachedPairsOfColumns) {
      const byColumn: { row: number; weight: number }[][] = this.component.columns.map(() => []);
      this.component.pairs.forEach((pairs, row) => {
        for (const pair of pairs) byColumn[pair.column]?.push({ row, weight: pair.weight });
      });
      this.cachedPairsOfColumns = byColumn;
    }
    return this.cachedPairsOfColumns[column] ?? [];
  }
}
