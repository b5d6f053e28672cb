/*
 * One-to-one pairs: the most of them, then those with the largest total weight, then those of the
 * lowest positions. Most objects can be paired with one other alone. The rest falls into components
 * that share no object; each is an assignment problem of a few rows, solved by shortest augmenting
 * paths (Jonker and Volgenant, Computing 38, 1987).
 *
 * A cost has two parts that are compared one after the other: −1 for a pair, so that the number of
 * pairs comes first and stays an exact integer, then −weight.
 */

/** Possible pairs, in any order. */
interface PossiblePairs {
  count: number;
  a: ArrayLike<number>;
  b: ArrayLike<number>;
  /** Greater than 0. */
  weight: ArrayLike<number>;
}

/** Totals that differ by less are the same: as much comes of adding doubles in another order. */
const SAME = 1e-12;

/** Columns and pairs that are looked at between two yields: less than a millisecond. */
const STEP = 16_384;

/**
 * The partner in B of each object of A, −1 for none. Of several best ways the first object of A has
 * a partner, the lowest that any best way gives it; then the second, and so on. It yields between
 * its steps, which are short.
 */
export function* bestPairs(
  possible: PossiblePairs,
  countA: number,
  countB: number,
): Generator<void, Int32Array> {
  const partners = new Int32Array(countA).fill(-1);
  const { count, a, b } = possible;
  const choicesOfA = new Uint32Array(countA);
  const choicesOfB = new Uint32Array(countB);
  for (let n = 0; n < count; n++) {
    const atA = a[n] as number;
    const atB = b[n] as number;
    choicesOfA[atA] = (choicesOfA[atA] as number) + 1;
    choicesOfB[atB] = (choicesOfB[atB] as number) + 1;
  }
  const contested: number[] = [];
  for (let n = 0; n < count; n++) {
    const atA = a[n] as number;
    const atB = b[n] as number;
    if (choicesOfA[atA] === 1 && choicesOfB[atB] === 1) partners[atA] = atB;
    else contested.push(n);
  }
  for (const component of components(contested, possible)) yield* solve(component, partners);
  return partners;
}

/** Objects of both sides connected by possible pairs: rows are of A, columns of B, ascending. */
interface Component {
  rows: number[];
  columns: number[];
  /** The pairs of each row: columns by their place in `columns`, ascending, and weights. */
  pairs: { column: number; weight: number }[][];
}

function* components(contested: readonly number[], { a, b, weight }: PossiblePairs): Generator<Component> {
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
    // Grows while it is walked.
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
    const places = new Map(columns.map((column, at) => [column, at]));
    const pairs = rows.map(row =>
      (pairsOfA.get(row) ?? [])
        .map(pair => ({ column: places.get(b[pair] as number) ?? 0, weight: weight[pair] as number }))
        .sort((one, other) => one.column - other.column),
    );
    yield { rows, columns, pairs };
  }
}

function append(map: Map<number, number[]>, key: number, value: number): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

function* solve(component: Component, partners: Int32Array): Generator<void, void> {
  const assignment = new Assignment(component);
  yield* assignment.solve();
  yield* assignment.lower();
  assignment.columnOf.forEach((column, row) => {
    const partner = component.columns[column];
    if (partner !== undefined) partners[component.rows[row] as number] = partner;
  });
}

/** A cost, or a distance: the number of pairs counts first. */
interface Cost {
  pairs: number;
  weight: number;
}

const NOTHING: Cost = { pairs: 0, weight: 0 };

function isLess(one: Cost, other: Cost): boolean {
  return one.pairs === other.pairs ? one.weight < other.weight : one.pairs < other.pairs;
}

function isZero({ pairs, weight }: Cost): boolean {
  return pairs === 0 && Math.abs(weight) < SAME;
}

function sum(one: Cost, other: Cost, sign = 1): Cost {
  return { pairs: one.pairs + sign * other.pairs, weight: one.weight + sign * other.weight };
}

/**
 * The assignment of a component. Each row has a column, or none, which costs nothing. Prices of
 * rows and columns show that it is the best one: no pair costs less than the prices of its row and
 * column together, and the chosen ones cost as much.
 */
class Assignment {
  /** −1 for none. */
  readonly columnOf: Int32Array;
  private readonly rowOf: Int32Array;
  private readonly rowPrices: Cost[];
  private readonly columnPrices: Cost[];
  private byColumn: { row: number; weight: number }[][] | undefined;

  constructor(private readonly component: Component) {
    const { rows, columns } = component;
    this.columnOf = new Int32Array(rows.length).fill(-1);
    this.rowOf = new Int32Array(columns.length).fill(-1);
    this.rowPrices = rows.map(() => NOTHING);
    this.columnPrices = columns.map(() => NOTHING);
  }

  *solve(): Generator<void, void> {
    for (let row = 0; row < this.columnOf.length; row++) {
      yield* this.addRow(row);
      yield;
    }
  }

  /**
   * Finds the cheapest column for a row, or none; other rows may change theirs. Each step settles
   * one column, so there are no more steps than columns.
   */
  private *addRow(first: number): Generator<void, void> {
    const distances = new Map<number, Cost>();
    const cameFrom = new Map<number, number>();
    const done: number[] = [];
    const isDone = new Set<number>();
    let work = 0;
    const open: number[] = [];
    /** The rows that were reached, with their distances. */
    const reached: { row: number; distance: Cost }[] = [];
    /** The end of the cheapest way so far at which a row has no column. */
    let without = { row: -1, distance: NOTHING };
    let last = -1;
    for (let row = first, distance = NOTHING; ;) {
      reached.push({ row, distance });
      const price = this.rowPrices[row] ?? NOTHING;
      const toNone = sum(distance, price, -1);
      if (without.row < 0 || isLess(toNone, without.distance)) without = { row, distance: toNone };
      const pairs = this.component.pairs[row] ?? [];
      for (const { column, weight } of pairs) {
        // Rounding can make the way back to it seem shorter: then the way would be a circle.
        if (isDone.has(column)) continue;
        const cost = sum(
          { pairs: -1, weight: -weight },
          sum(price, this.columnPrices[column] ?? NOTHING),
          -1,
        );
        const length = sum(distance, cost);
        const known = distances.get(column);
        if (known && !isLess(length, known)) continue;
        if (!known) open.push(column);
        distances.set(column, length);
        cameFrom.set(column, row);
      }
      work += pairs.length + open.length;
      if (work >= STEP) {
        work = 0;
        yield;
      }
      const nearest = this.takeNearest(open, distances);
      const reach = nearest === undefined ? undefined : distances.get(nearest);
      if (nearest === undefined || reach === undefined || isLess(without.distance, reach)) {
        this.raisePrices(reached, done, distances, without.distance);
        last = this.columnOf[without.row] as number;
        this.columnOf[without.row] = -1;
        break;
      }
      if (this.rowOf[nearest] === -1) {
        this.raisePrices(reached, done, distances, reach);
        last = nearest;
        break;
      }
      done.push(nearest);
      isDone.add(nearest);
      row = this.rowOf[nearest] as number;
      distance = reach;
    }
    while (last >= 0) {
      const row = cameFrom.get(last) as number;
      const before = this.columnOf[row] as number;
      this.columnOf[row] = last;
      this.rowOf[last] = row;
      last = row === first ? -1 : before;
    }
  }

  private takeNearest(open: number[], distances: ReadonlyMap<number, Cost>): number | undefined {
    let best = -1;
    let least = NOTHING;
    open.forEach((column, at) => {
      const distance = distances.get(column) ?? NOTHING;
      // At equal distance, a free column ends the search.
      const isNearer = isLess(distance, least) || (this.rowOf[column] === -1 && !isLess(least, distance));
      if (best >= 0 && !isNearer) return;
      best = at;
      least = distance;
    });
    return best < 0 ? undefined : open.splice(best, 1)[0];
  }

  private raisePrices(
    reached: readonly { row: number; distance: Cost }[],
    done: readonly number[],
    distances: ReadonlyMap<number, Cost>,
    length: Cost,
  ): void {
    for (const { row, distance } of reached)
      this.rowPrices[row] = sum(this.rowPrices[row] ?? NOTHING, sum(length, distance, -1));
    for (const column of done) {
      const rest = sum(length, distances.get(column) ?? NOTHING, -1);
      this.columnPrices[column] = sum(this.columnPrices[column] ?? NOTHING, rest, -1);
    }
  }

  /**
   * Of the best assignments, takes the one with the lowest columns: exchanges a chosen pair along
   * pairs that cost no more than their prices.
   */
  *lower(): Generator<void, void> {
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

  private isTight(row: number, column: number, weight: number): boolean {
    const prices = sum(this.rowPrices[row] ?? NOTHING, this.columnPrices[column] ?? NOTHING);
    return isZero(sum({ pairs: -1, weight: -weight }, prices, -1));
  }

  /**
   * Gives a row another column, at no cost, if the unsettled rows can use the rest. Exchangeable
   * pairs lead back to the column that the row gives up, or to a free column or a row that may have
   * none; then the column given up must find another use.
   */
  private exchange(row: number, column: number, isSettled: Uint8Array): boolean {
    const given = this.columnOf[row] as number;
    /** The row that would take each column that was seen. */
    const takers = new Map<number, number>([[column, row]]);
    const queue = [column];
    let end: { column: number; without: number } | undefined;
    for (const seen of queue) {
      const owner = this.rowOf[seen] as number;
      if (owner < 0) end ??= { column: seen, without: -1 };
      if (owner < 0 || isSettled[owner]) continue;
      if (isZero(this.rowPrices[owner] ?? NOTHING)) end ??= { column: seen, without: owner };
      for (const { column: next, weight } of this.component.pairs[owner] ?? []) {
        if (takers.has(next) || !this.isTight(owner, next, weight)) continue;
        takers.set(next, owner);
        if (next === given) {
          this.shift(row, next, takers);
          return true;
        }
        queue.push(next);
      }
    }
    if (!end) return false;
    // Nothing on the one way is on the other, or one would lead to the other.
    const uses = given < 0 ? [] : this.otherUses(given, row, isSettled);
    if (!uses) return false;
    if (end.without >= 0) this.columnOf[end.without] = -1;
    this.shift(row, end.column, takers);
    for (const use of uses) this.take(use.row, use.column);
    return true;
  }

  /** Gives each column on the way back from `last` to its taker, which is `row` in the end. */
  private shift(row: number, last: number, takers: ReadonlyMap<number, number>): void {
    for (let column = last; ;) {
      const taker = takers.get(column) as number;
      const before = this.columnOf[taker] as number;
      this.take(taker, column);
      if (taker === row) return;
      column = before;
    }
  }

  private take(row: number, column: number): void {
    const before = this.columnOf[row] as number;
    if (before >= 0 && this.rowOf[before] === row) this.rowOf[before] = -1;
    this.columnOf[row] = column;
    this.rowOf[column] = row;
  }

  /**
   * The rows and their columns once `given` is free, in order: until a row takes it that had none,
   * or a column is left that may be free. Undefined without a way.
   */
  private otherUses(
    given: number,
    giver: number,
    isSettled: Uint8Array,
  ): { row: number; column: number }[] | undefined {
    /** The column that would be taken instead of each. */
    const instead = new Map<number, { row: number; column: number } | undefined>([[given, undefined]]);
    const wayTo = (column: number): { row: number; column: number }[] => {
      const uses: { row: number; column: number }[] = [];
      for (let use = instead.get(column); use; use = instead.get(use.column)) uses.push(use);
      return uses.reverse();
    };
    const queue = [given];
    for (const column of queue) {
      if (isZero(this.columnPrices[column] ?? NOTHING)) return wayTo(column);
      for (const { row, weight } of this.pairsOfColumn(column)) {
        if (row === giver || isSettled[row] || !this.isTight(row, column, weight)) continue;
        const own = this.columnOf[row] as number;
        if (own === column) continue;
        if (own < 0) return [...wayTo(column), { row, column }];
        if (instead.has(own)) continue;
        instead.set(own, { row, column });
        queue.push(own);
      }
    }
    return undefined;
  }

  private pairsOfColumn(column: number): readonly { row: number; weight: number }[] {
    if (!this.byColumn) {
      const byColumn: { row: number; weight: number }[][] = this.component.columns.map(() => []);
      this.component.pairs.forEach((pairs, row) => {
        for (const pair of pairs) byColumn[pair.column]?.push({ row, weight: pair.weight });
      });
      this.byColumn = byColumn;
    }
    return this.byColumn[column] ?? [];
  }
}
