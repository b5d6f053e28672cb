import { doesNotMatch, equal, match } from 'node:assert/strict';
import { compareReplicates, type ComparisonScale } from '../../../../src/study/conditionComparison';
import type { ShownReplicate } from '../../../../src/study/conditionRequests';
import { compareHeadline } from '../../../../src/study/page/compareHeadline';
import type { ShownComparison } from '../../../../src/study/page/compareModel';
import { comparedTable } from './comparedTable';

interface Asked {
  values: Record<string, readonly (number | null)[]>;
  paired?: boolean;
  scale?: ComparisonScale;
  reference?: string;
  measure?: ShownComparison['measure'];
  unit?: string;
  hasReplicates?: boolean;
  intervals?: 'simultaneous';
  figure?: ShownComparison['figure'];
}

/** A comparison of values of replicates d0, d1 and so on, by the arithmetic of the engine. */
function shownOf(asked: Asked): ShownComparison {
  const { values, paired = false, scale = 'difference', reference, hasReplicates = true } = asked;
  const { measure = { kind: 'column', name: 'Area' }, unit, intervals, figure = {} } = asked;
  const conditions = Object.keys(values);
  const replicates = conditions.flatMap(condition =>
    (values[condition] ?? []).map((value, at): ShownReplicate => {
      return { condition, name: [`d${at}`], images: 1, objects: 1, value };
    }),
  );
  const spec = { conditions, hasReplicates, paired, scale, ...(reference !== undefined && { reference }) };
  const compared = compareReplicates(
    replicates.map(each => ({ ...each, parts: [] }) as never),
    { ...spec, ...(intervals && { intervals }) },
  );
  return {
    measure,
    ignored: [],
    figure,
    ...(unit !== undefined && { unit }),
    params: {
      measure: { kind: 'column', column: 0 },
      condition: 1,
      replicate: hasReplicates ? [2] : [],
      mean: 'objects',
      paired,
      scale,
      ...(intervals && { intervals }),
    },
    compared: comparedTable([], { ...compared, unpaired: [], replicates }),
  };
}

const headline = (asked: Asked, asksNames = false) => compareHeadline(shownOf(asked), asksNames);

// Means of 438 and 581.
const areas = { control: [437, 403, 474], treated: [567, 566, 610] };

describe('The answer above the plot of a comparison', () => {
  it('says how much larger or smaller, with its unit, its percent, its interval and its test', () => {
    // Differences of 130, 163 and 136: mean 143, SEM 10.149, and t(2, 0.975) is 4.3027.
    equal(
      headline({ values: areas, paired: true, unit: 'px²' }),
      'Area is 143 px² (33 %) larger in treated (95 % CI 99 to 187; paired t test, n = 3, p = 0.005).',
    );
    equal(
      headline({ values: areas, paired: true, unit: 'px²', reference: 'treated' }),
      'Area is 143 px² (25 %) smaller in control (95 % CI 99 to 187; paired t test, n = 3, p = 0.005).',
    );
    const unpaired = headline({ values: areas, measure: { kind: 'column', name: 'Area (µm²)' } });
    match(
      unpaired,
      /^Area is 143 µm² \(33 %\) larger in treated \(95 % CI .*; Welch’s t test, n = 3 and 3, p = 0\.0\d+\)\.$/,
    );
  });

  it('calls what is no length and no area higher or lower, and shares different by points', () => {
    const intensity = { kind: 'column', name: 'Mean Intensity' } as const;
    match(
      headline({ values: areas, measure: intensity }),
      /^Mean Intensity is 143 \(33 %\) higher in treated/,
    );
    const shares = { control: [0.1, 0.12, 0.11], treated: [0.3, 0.33, 0.31] };
    const share = { kind: 'class', value: 'Mitotic' } as const;
    match(
      headline({ values: shares, measure: share }),
      /^Share of Mitotic is 20\.33 percentage points higher in treated \(95 % CI 17\.\d to 23\.\d;/,
    );
    match(
      headline({ values: areas, measure: { kind: 'objectsPerImage' } }),
      /^The number of objects per image is 143 \(33 %\) higher/,
    );
  });

  it('claims nothing that the interval doesn’t leave out', () => {
    const near = { control: [437, 403, 474], treated: [445, 380, 510] };
    match(
      headline({ values: near, unit: 'px²' }),
      /^Area doesn’t clearly differ: treated − control is 7 px² \(95 % CI −[\d.]+ to [\d.]+; Welch’s t test, n = 3 and 3, p = 0\.\d+\)\.$/,
    );
    match(
      headline({ values: near, scale: 'ratio' }),
      /^Area doesn’t clearly differ: treated is [\d.]+ times control/,
    );
    for (const words of [headline({ values: near }), headline({ values: near, paired: true })])
      doesNotMatch(words, /larger|smaller/);
  });

  it('has an interval that reads as it is, also where it ends close to no difference', () => {
    // Rounded like its other end, the lower one might read as 0.
    const close = { control: [0, 0, 0], treated: [1.9, 3, 4.07] };
    const words = headline({ values: close, paired: true });
    const [, low = ''] = /95 % CI (\S+) to/.exec(words) ?? [];
    match(words, /larger/);
    equal(Number(low) > 0, true, words);
  });

  it('has no percent where values may be below 0, and of pairs that of their own reference', () => {
    const below = { control: [-10, -12, -11], treated: [30, 33, 31] };
    match(headline({ values: below }), /^Area is 42\.33 larger/);
    // The fourth control has no partner; the mean of the other three is 438.
    const more = { control: [437, 403, 474, 4000], treated: [567, 566, 610, null] };
    match(headline({ values: more, paired: true }), /^Area is 143 \(33 %\) larger in treated .*n = 3,/);
  });

  it('gives ratios and odds in their own words', () => {
    match(
      headline({ values: areas, scale: 'ratio' }),
      /^Area in treated is 1\.3\d+ times that in control \(95 % CI 1\.\d+ to 1\.\d+; Welch’s t test of logarithms, n = 3 and 3, p = /,
    );
    const shares = { control: [0.1, 0.12, 0.11], treated: [0.3, 0.33, 0.31] };
    match(
      headline({ values: shares, scale: 'logit', measure: { kind: 'class', value: 'Mitotic' } }),
      /^Share of Mitotic: the odds in treated are 3\.\d+ times those in control .* of logits/,
    );
  });

  it('says what is missing where nothing was tested, with what is known all the same', () => {
    equal(
      headline({ values: { control: [1, 2], treated: [3, 4, 5] }, unit: 'px²' }),
      'Not tested: fewer than 3 replicates in a condition. Area, mean: control 1.5 px² (n = 2), treated 4 px² (n = 3).',
    );
    match(
      headline({ values: { control: [1, 2], treated: [3, 4] }, paired: true }),
      /^Not tested: fewer than 3 pairs of replicates\./,
    );
    match(
      headline({ values: { control: [1], treated: [3] }, hasReplicates: false }),
      /^Not tested: no column identifies replicates\. .* Area, mean: control 1, treated 3\.$/,
    );
    match(
      headline({ values: { control: [1, 2, 3] } }),
      /^Nothing to compare: control is the only condition\./,
    );
    match(
      headline({ values: { a: [5, 5, 5], b: [5, 5, 5] } }),
      /^Not tested: the values of replicates vary by no more/,
    );
    match(
      headline({ values: { a: [0, 5, 6], b: [5, 6, 7] }, scale: 'ratio' }),
      /^Not tested: a ratio needs values above 0\./,
    );
  });

  it('answers nothing while a person has something to say first', () => {
    match(
      headline({ values: areas, unit: 'px²' }, true),
      /^Not tested yet: say whether .* Area, mean: control 438 px² \(n = 3\), treated 581 px² \(n = 3\)\.$/,
    );
    const shown = shownOf({ values: areas });
    const open = { ...shown, compared: comparedTable(['a', 'b'], { test: null, reason: 'levels-open' }) };
    equal(compareHeadline(open, false), 'Not tested yet: say what a replicate is.');
  });

  const doses = {
    '0': [100, 104, 96, 101],
    '1': [101, 99, 103, 97],
    '5': [140, 146, 139, 143],
    '10': [60, 64, 61, 58],
  };

  it('lists of several conditions which differ from the reference, and which don’t clearly', () => {
    const words = headline({ values: doses, reference: '0' });
    match(words, /^Area is larger in 5 than in 0\. Area is smaller in 10 than in 0\./);
    match(words, /Area in 1 doesn’t clearly differ from that in 0\./);
    match(words, /Over all conditions: Welch’s ANOVA, p < 0\.0001\.$/);
    const few = headline({ values: { ...doses, '20': [300, 301] }, reference: '0' });
    match(few, /1 of 4 comparisons aren’t tested\./);
    match(few, /No test over all conditions: fewer than 3 replicates/);
  });

  it('of all pairs tells the conditions above others, and how many comparisons are clear', () => {
    const words = headline({ values: doses });
    match(words, /Area is larger in 5 than in 0, 1, 10\./);
    match(words, /Area is larger in 0 than in 10\. Area is larger in 1 than in 10\./);
    match(words, /5 of 6 comparisons are clear\./);
    const same = { a: [1, 2, 3], b: [1.1, 2.2, 2.9], c: [0.9, 2.1, 3.1] };
    match(
      headline({ values: same }),
      /^Area doesn’t clearly differ between conditions\. Over all conditions: Welch’s ANOVA, p = /,
    );
  });

  it('claims of several only what adjusted p and the interval shown both say', () => {
    for (let seed = 1; seed <= 60; seed++) {
      // Values that are about as far apart as they vary, so that outcomes differ.
      const values = Object.fromEntries(
        ['a', 'b', 'c'].map((name, at) => [
          name,
          [1, 2, 3, 4].map(
            donor => 10 + at * 1.2 + Math.sin(seed * 12.9898 + donor * 78.233 + at * 37.7) * 2,
          ),
        ]),
      );
      const asked: Asked = { values, reference: 'a', ...(seed % 2 === 0 && { intervals: 'simultaneous' }) };
      const { pairs } = shownOf(asked).compared;
      const words = headline(asked);
      for (const { of, pAdjusted, ci95 } of pairs) {
        const isTold = new RegExp(`(larger|smaller) in [^.]*\\b${of[1]}\\b[^.]* than in a`).test(words);
        const isClear = (pAdjusted ?? 1) < 0.05 && ci95 !== null && ci95[0] * ci95[1] > 0;
        equal(isTold, isClear, `${seed}: ${words}`);
      }
    }
  });

  it('calls conditions as the figure does', () => {
    const figure = { words: { 'condition treated': '10 µM', 'condition control': 'Vehicle' } };
    match(headline({ values: areas, figure }), / larger in 10 µM /);
    const near = { control: [437, 403, 474], treated: [445, 380, 510] };
    match(headline({ values: near, figure }), /10 µM − Vehicle is/);
  });
});
