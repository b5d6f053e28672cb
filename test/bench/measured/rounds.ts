// Rounds of two sides in turn, and what they say. A ratio of wall times changes by half with the
// machine and with what else it does; that of processor times, which stands beside it, by a few
// parts in a hundred.

/**
 * What one side took in one round. Milliseconds; that of the processor is NaN where the system
 * doesn't tell.
 */
export interface Cost {
  wallMs: number;
  /** User and system time of all threads. */
  cpuMs: number;
}

export const UNKNOWN: Cost = { wallMs: NaN, cpuMs: NaN };

export interface Spread {
  min: number;
  median: number;
  max: number;
}

export interface Round {
  ours: Cost;
  peer: Cost;
}

/** What rounds say: each side, and the ratios of ours to the peer's, each of them of one round. */
export interface Comparison {
  rounds: number;
  ours: Record<keyof Cost, Spread>;
  peer: Record<keyof Cost, Spread>;
  wallRatio: Spread;
  cpuRatio: Spread;
}

/** As many rounds as a spread needs to say anything. */
export const MIN_ROUNDS = 5;

/**
 * Of an even number of values the mean of the two in the middle; NaN of none, or where one is NaN.
 */
export function medianOf(values: readonly number[]): number {
  if (values.some(Number.isNaN)) return NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const [below = NaN, above = NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (below + above) / 2;
}

/**
 * NaN of no values, or where one is NaN: a spread of a part of the rounds would look like one of
 * all.
 */
export function spreadOf(values: readonly number[]): Spread {
  const median = medianOf(values);
  if (Number.isNaN(median)) return { min: NaN, median: NaN, max: NaN };
  return { min: Math.min(...values), median, max: Math.max(...values) };
}

/** Ratios are those of each round, as its sides met the same neighbors, and not of the medians. */
export function compareRounds(rounds: readonly Round[]): Comparison {
  const side = (name: keyof Round) => ({
    wallMs: spreadOf(rounds.map(round => round[name].wallMs)),
    cpuMs: spreadOf(rounds.map(round => round[name].cpuMs)),
  });
  const ratio = (name: keyof Cost) => spreadOf(rounds.map(({ ours, peer }) => ours[name] / peer[name]));
  return {
    rounds: rounds.length,
    ours: side('ours'),
    peer: side('peer'),
    wallRatio: ratio('wallMs'),
    cpuRatio: ratio('cpuMs'),
  };
}

/**
 * Runs both sides in turn; every other round begins with the other, so that none always finds what
 * the other left.
 */
export async function inTurn<Ours extends Cost, Peer extends Cost>(
  rounds: number,
  ours: (round: number) => Ours | Promise<Ours>,
  peer: (round: number) => Peer | Promise<Peer>,
): Promise<{ ours: Ours; peer: Peer }[]> {
  const all: { ours: Ours; peer: Peer }[] = [];
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0 ? await ours(round) : undefined;
    const theirs = await peer(round);
    all.push({ ours: first ?? (await ours(round)), peer: theirs });
  }
  return all;
}

/** What each of several sides took, round after round. */
export class CostsByName {
  private readonly all = new Map<string, Cost[]>();

  note(name: string, { wallMs, cpuMs }: Cost): void {
    this.all.set(name, [...this.of(name), { wallMs, cpuMs }]);
  }

  of(name: string): readonly Cost[] {
    return this.all.get(name) ?? [];
  }

  get names(): Iterable<string> {
    return this.all.keys();
  }

  wallMs(name: string): Spread {
    return spreadOf(this.of(name).map(({ wallMs }) => wallMs));
  }

  cpuMs(name: string): Spread {
    return spreadOf(this.of(name).map(({ cpuMs }) => cpuMs));
  }

  compare(name: string, peer: string): Comparison {
    return compareRounds(
      this.of(name).map((ours, round) => ({ ours, peer: this.of(peer)[round] ?? UNKNOWN })),
    );
  }
}

/** Values of all rounds by what was measured, where there is no other side. */
export class Samples {
  private readonly all = new Map<string, number[]>();

  note(name: string, value: number): void {
    this.all.set(name, [...(this.all.get(name) ?? []), value]);
  }

  of(name: string): readonly number[] {
    return this.all.get(name) ?? [];
  }

  get spreads(): Record<string, Spread> {
    return Object.fromEntries([...this.all].map(([name, values]) => [name, spreadOf(values)]));
  }
}

/** In every other round the opposite order, so that none always finds what the other left. */
export function inOrderOf<T>(round: number, sides: readonly T[]): readonly T[] {
  return round % 2 === 0 ? sides : sides.toReversed();
}

/** What work in this process takes, in all of its threads. */
export async function costOf<T>(work: () => T | Promise<T>): Promise<Cost & { value: T }> {
  const before = process.cpuUsage();
  const start = performance.now();
  const value = await work();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { wallMs, cpuMs: (user + system) / 1000, value };
}
