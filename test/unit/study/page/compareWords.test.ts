import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import type { TableColumn } from '../../../../src/columns/tableSummary';
import type { ComparedPair } from '../../../../src/study/conditionComparison';
import type { ShownComparison } from '../../../../src/study/page/compareModel';
import { captionBelow, compareCaption, compareWords } from '../../../../src/study/page/compareWords';
import { comparedTable } from './comparedTable';
const columns: TableColumn[] = ['Area', 'Dose', 'Donor', 'Day'].map((name, index) => {
  return { index, name, kind: index === 0 ? 'number' : 'text' };
});

/** A comparison of all pairs of conditions. */
function comparison(conditions: readonly string[], numbers?: number[]): ShownComparison {
  const pairs = conditions.flatMap((one, at) =>
    conditions.slice(at + 1).map((other): ComparedPair => {
      const test = { t: 1, df: 4, p: 0.4, pAdjusted: 0.8, n: 6 };
      return { of: [one, other], effect: 1, ci95: [0, 2], ...test };
    }),
  );
  return {
    measure: { kind: 'column', name: 'Area' },
    ignored: [],
    figure: {},
    params: {
      measure: { kind: 'column', column: 0 },
      condition: 1,
      replicate: [2, 3],
      mean: 'objects',
      paired: false,
      scale: 'difference',
    },
    compared: comparedTable(conditions, {
      test: 'welch-anova',
      pairs,
      family: pairs.length,
      overall: { f: 1, df: [5, 6], p: 0.5 },
      ...(numbers && { numbers }),
    }),
  };
}

describe('The words of a comparison', () => {
  it('are a title and a caption, which together are copied', () => {
    const shown = comparison(['a', 'b', 'c']);
    const { title } = compareWords(shown, columns);
    const below = captionBelow(shown, { paired: false }, columns);
    equal(title, 'Area by Dose');
    equal(compareCaption(shown, { paired: false }, columns), `${title}. ${below}`);
    doesNotMatch(below, /Area by Dose/);
    match(below, /n counts replicates \(Donor, Day\): a: 3, b: 3, c: 3\./);
  });

  it('say of how many paths several jobs have an image in one replicate', () => {
    const shown = comparison(['a', 'b']);
    const caption = (inSeveralJobs?: number) => {
      const compared = { ...shown.compared, ...(inSeveralJobs !== undefined && { inSeveralJobs }) };
      return captionBelow({ ...shown, compared }, { paired: false }, columns);
    };
    match(caption(1), /1 image path is in several jobs, and counts once for each\./);
    match(caption(2), /2 image paths are in several jobs, and count once for each\./);
    doesNotMatch(caption(), /several jobs/);
  });

  it('say which objects of a population count, and what thresholds of each image do', () => {
    const shown = comparison(['a', 'b']);
    const within = { kind: 'column', name: 'Area', population: 'Large' } as const;
    const byImage = { kind: 'thresholds' as const, populations: ['Large'] };
    const ofPopulation = { ...shown, measure: within, compared: { ...shown.compared, byImage } };
    equal(compareWords(ofPopulation, columns).title, 'Area in Large by Dose');
    const caption = captionBelow(ofPopulation, { paired: false, definition: 'Area ≥ 9' }, columns);
    match(caption, /A replicate is the mean over its objects in Large\. .*Large is Area ≥ 9\./);
    match(caption, /Large: thresholds of each image remove differences between images\./);
    const fixed = { ...shown.compared, byImage: { kind: 'fixed' as const, populations: ['Top'] } };
    const share = { ...shown, measure: { kind: 'filter', name: 'Top' } as const, compared: fixed };
    const ofShare = captionBelow(share, { paired: false }, columns);
    match(ofShare, /its objects in Top ÷ those of the parent\./);
    match(ofShare, /Top: the threshold of each image makes this share about the same in all images/);
  });

  it('have the unit of a measure whose name says none', () => {
    const shown = { ...comparison(['a', 'b']), unit: 'px²' };
    equal(compareWords(shown, columns).title, 'Area (px²) by Dose');
    equal(compareWords(shown, columns).measure, 'Area (px²)');
    const range = { ...shown, measure: { kind: 'range', name: 'Area', from: 5, to: null } as const };
    equal(compareWords(range, columns).measure, 'Share of Area ≥ 5 px²');
  });

  it('say which columns are of replicates and which of technical ones, and what counts as one value', () => {
    const shown = comparison(['a', 'b', 'c']);
    const params = { ...shown.params, replicate: [2], technical: [3] };
    const alike = [{ column: 1, value: 'a', others: ['a '] }];
    const below = captionBelow(
      { ...shown, params, compared: { ...shown.compared, alike } },
      { paired: false },
      columns,
    );
    match(below, /n counts replicates \(Donor\): a: 3/);
    match(below, /With technical replicates \(Day\), that is the value of each; a replicate’s is their mean/);
    match(below, /Counted as “a”: “a ”\./);
  });

  it('give no n and no test while it is open what a replicate is', () => {
    const { measure, params } = comparison([]);
    const compared = comparedTable(['a', 'b'], { test: null, areMultiplied: true, reason: 'levels-open' });
    const below = captionBelow({ measure, params, compared, ignored: [], figure: {} }, {}, columns);
    match(below, /Not tested yet: say which of Donor, Day is a replicate/);
    doesNotMatch(below, /n counts|Welch|same donors/);
  });

  it('say which filters apply, what is infinite, and what the bars and intervals are', () => {
    const shown = comparison(['a', 'b', 'c']);
    const filtered = captionBelow(shown, { paired: false, filtered: 'Area: from 40' }, columns);
    match(filtered, /^Only rows that match the filters: Area: from 40\./);
    match(filtered, /Bars: mean and 95 % CI .*intervals are unadjusted\./);
    equal(compareWords(shown, columns).effects, 'Difference (95 % CI, unadjusted)');
    const { compared, params } = shown;
    const ratio: ShownComparison = {
      ...shown,
      params: { ...params, scale: 'ratio', intervals: 'simultaneous', paired: true },
      compared: {
        ...compared,
        test: 'rm-anova',
        overall: { f: 3, df: [1.5, 6], p: 0.04, n: 5, epsilon: 0.75 },
        infinite: 2,
      },
    };
    const below = captionBelow(ratio, { paired: true }, columns);
    match(below, /Bars: geometric mean and 95 % CI/);
    match(
      below,
      /Repeated-measures ANOVA of the 5 replicates .* \(ε = 0\.75\): F\(1\.5, 6\) = 3, p = 0\.04\./,
    );
    match(below, /intervals are simultaneous \(Bonferroni\)\. Tested on logarithms\./);
    match(below, /2 infinite values are in no mean and no test\./);
    doesNotMatch(below, /Only rows that match/);
  });

  it('say how many comparisons are drawn where there are more, once there are any', () => {
    const shown = comparison(['a', 'b', 'c', 'd', 'e', 'f']);
    match(captionBelow(shown, { paired: false }, columns), /The first 12 of 15 comparisons are drawn\./);
    const asked = captionBelow(shown, {}, columns);
    ok(asked.includes('Not tested yet'));
    doesNotMatch(asked, /are drawn/);
    const few = captionBelow(comparison(['a', 'b', 'c']), { paired: false }, columns);
    doesNotMatch(few, /are drawn/);
  });

  it('have units of lengths and areas, on both axes and behind differences', () => {
    const shown = { ...comparison(['a', 'b', 'c']), unit: 'px²' };
    const words = compareWords(shown, columns);
    deepEqual(
      [words.title, words.measure, words.effects, words.effectsInShort, words.defaults.effectsAlone],
      [
        'Area (px²) by Dose',
        'Area (px²)',
        'Difference (px²; 95 % CI, unadjusted)',
        'Difference (95 % CI, unadjusted)',
        'Difference (px²)',
      ],
    );
    match(captionBelow(shown, { paired: false }, columns), /b − a: 1 px² \(95 % CI 0 to 2\)/);
    const named = { ...shown, unit: undefined, measure: { kind: 'column', name: 'Area (µm²)' } as const };
    equal(compareWords(named, columns).defaults.effectsAlone, 'Difference (µm²)');
    // Ratios have none.
    const ratio = { ...shown, params: { ...shown.params, scale: 'ratio' as const } };
    equal(compareWords(ratio, columns).defaults.effectsAlone, 'Ratio');
    doesNotMatch(captionBelow(ratio, { paired: false }, columns), /px²/);
  });

  it('are those of a person for what they were meant for, and for nothing else', () => {
    const words = {
      'title Area by Dose': 'Cells grow',
      'condition a': 'Vehicle',
      'conditions Dose': 'Drug (µM)',
      'measure Perimeter': 'Other',
    };
    const shown = { ...comparison(['a', 'b']), figure: { words } };
    const named = compareWords(shown, columns);
    deepEqual([named.title, named.conditions, named.measure], ['Cells grow', 'Drug (µM)', 'Area']);
    deepEqual([named.condition(0), named.defaults.title], [['Vehicle', 'n = 3'], 'Area by Dose']);
    const caption = compareCaption(shown, { paired: false }, columns);
    match(caption, /^Cells grow\. .*: Vehicle: 3, b: 3\..* b − Vehicle: 1 /);
    const other = { ...shown, measure: { kind: 'column', name: 'Perimeter' } as const };
    deepEqual(
      [compareWords(other, columns).title, compareWords(other, columns).measure],
      ['Perimeter by Dose', 'Other'],
    );
  });

  it('name the axis of conditions, and what replicates are', () => {
    const named = (shown: ShownComparison) => {
      const { conditions, replicates } = compareWords(shown, columns);
      return [conditions, replicates];
    };
    deepEqual(named(comparison(['a', 'b'])), ['Dose', 'Donor · Day']);
    deepEqual(named(comparison(['0', '1', '2'], [0, 1, 2])), ['Dose', 'Donor · Day']);
    const decades = ['0', '1', '10', '100', '1000'];
    deepEqual(named(comparison(decades, decades.map(Number)))[0], 'Dose (logarithmic axis)');
  });
});
