// Two builds of ours compared by what a benchmark says of each, run after run in turn.
import { compareRounds, spreadOf, UNKNOWN, type Comparison, type Cost, type Spread } from './rounds';

/** The last line of a benchmark, as JSON has it: what isn't known is null. */
export type RunResult = Readonly<Record<string, unknown>>;

export interface Runs {
  ours: RunResult;
  other: RunResult;
}

export interface FieldComparison {
  ours: Spread;
  other: Spread;
  /** Of each run, ours to the other's. */
  ratio: Spread;
}

export interface BuildComparison {
  /**
   * What both builds measured: the other build is the peer, and each run counts by the median of
   * its rounds.
   */
  measured: Record<string, Comparison>;
  /** The other numbers of both, by their path in the result. */
  fields: Record<string, FieldComparison>;
}

export function compareBuilds(runs: readonly Runs[]): BuildComparison {
  const names = (side: keyof Runs) => runs.map(run => new Set(Object.keys(recordOf(run[side]['measured']))));
  const common = [...(names('ours')[0] ?? [])].filter(name =>
    [...names('ours'), ...names('other')].every(known => known.has(name)),
  );
  const measured = common.map(name => {
    const costOf = (result: RunResult) => ownCost(recordOf(result['measured'])[name]);
    return [name, compareRounds(runs.map(run => ({ ours: costOf(run.ours), peer: costOf(run.other) })))];
  });
  const numbers = runs.map(({ ours, other }) => ({ ours: numbersOf(ours), other: numbersOf(other) }));
  const fields = [...(numbers[0]?.ours.keys() ?? [])].flatMap(path => {
    if (!numbers.every(({ ours, other }) => ours.has(path) && other.has(path))) return [];
    const pairs = numbers.map(({ ours, other }) => [ours.get(path) ?? NaN, other.get(path) ?? NaN] as const);
    const comparison: FieldComparison = {
      ours: spreadOf(pairs.map(([ours]) => ours)),
      other: spreadOf(pairs.map(([, other]) => other)),
      ratio: spreadOf(pairs.map(([ours, other]) => ours / other)),
    };
    return [[path, comparison] as const];
  });
  return {
    measured: Object.fromEntries(measured) as Record<string, Comparison>,
    fields: Object.fromEntries(fields),
  };
}

function ownCost(comparison: unknown): Cost {
  const ours = recordOf(recordOf(comparison)['ours']);
  const median = (name: keyof Cost) => {
    const value = recordOf(ours[name])['median'];
    return typeof value === 'number' ? value : NaN;
  };
  return comparison === undefined ? UNKNOWN : { wallMs: median('wallMs'), cpuMs: median('cpuMs') };
}

/**
 * All numbers of a result but those of the machine and of what was measured in rounds, by their
 * path.
 */
function numbersOf(result: RunResult): Map<string, number> {
  const found = new Map<string, number>();
  const visit = (value: unknown, path: string) => {
    if (typeof value === 'number') found.set(path, value);
    else
      for (const [name, inner] of Object.entries(recordOf(value)))
        if (path !== '' || (name !== 'machine' && name !== 'measured'))
          visit(inner, path === '' ? name : `${path}.${name}`);
  };
  visit(result, '');
  return found;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
