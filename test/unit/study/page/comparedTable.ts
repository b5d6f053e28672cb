import type { ComparedTable } from '../../../../src/study/conditionRequests';

/**
 * What became of a comparison of conditions with three replicates each, without a pair that is
 * tested.
 */
export function comparedTable(
  conditions: readonly string[],
  changes: Partial<ComparedTable> = {},
): ComparedTable {
  return {
    test: 'welch-t',
    groups: conditions.map(condition => ({ condition, n: 3, mean: 1, sd: 1, sem: 1, ci95: [0, 2] })),
    pairs: [],
    family: 0,
    overall: null,
    unpaired: [],
    replicates: [],
    namesRecur: true,
    areMultiplied: false,
    alike: [],
    objects: 9,
    images: 9,
    withoutObjects: 0,
    areAllKnown: true,
    unjudged: 0,
    infinite: 0,
    excluded: [],
    withoutCondition: 0,
    withoutReplicate: 0,
    ...changes,
  };
}
