import { deepEqual, equal } from 'node:assert/strict';
import type { Gate, ThresholdOf } from '../../../src/populations/gate';
import { imageDependence } from '../../../src/populations/imageDependence';
import type { Population } from '../../../src/populations/population';

const percentile = (of: ThresholdOf, more: { frozen?: number } = {}): Gate => ({
  ...{ kind: 'percentile', column: 'Area', of, percent: 75, side: 'above' },
  ...more,
});
const statistic = (center: 'mean' | 'median', factor: number): Gate => ({
  ...{ kind: 'statistic', column: 'Area', of: 'image', center, spread: 'sd', factor, side: 'above' },
});
const range: Gate = { kind: 'range', column: 'Area', from: 3 };
const named = (name: string): Gate => ({ kind: 'population', name });

describe('What thresholds of each image do to comparisons', () => {
  it('is that the share above a percentile of its own image is fixed', () => {
    const of = (gate: Gate) => imageDependence([{ name: 'P', gate }], 'p');
    equal(of(percentile('image')), 'fixed');
    equal(of({ kind: 'not', gate: { kind: 'all', gates: [percentile('image')] } }), 'fixed');
    equal(of(statistic('median', 0)), 'fixed', 'half of them are above the median');
    equal(of(statistic('median', 2)), 'thresholds');
    equal(of(statistic('mean', 0)), 'thresholds');
    equal(of({ kind: 'all', gates: [percentile('image'), range] }), 'thresholds');
    for (const gate of [range, percentile('all'), percentile('parent'), percentile('image', { frozen: 3 })])
      equal(of(gate), undefined);
  });

  it('goes on through parents, and through populations that gates name', () => {
    const all: Population[] = [
      { name: 'Bright', gate: percentile('image') },
      { name: 'Same', gate: named('Bright') },
      { name: 'Elsewhere', parent: 'Large', gate: named('Bright') },
      { name: 'Child', parent: 'Bright', gate: range },
      { name: 'Grandchild', parent: 'Child', gate: { kind: 'missing', column: 'Ki67', missing: false } },
      { name: 'Large', gate: range },
      { name: 'Apart', gate: { kind: 'any', gates: [range, { kind: 'not', gate: named('Child') }] } },
      { name: 'Itself', parent: 'Itself', gate: named('Itself') },
    ];
    deepEqual(
      all.map(({ name }) => [name, imageDependence(all, name)]),
      [
        ['Bright', 'fixed'],
        ['Same', 'fixed'],
        // Of another parent.
        ['Elsewhere', 'thresholds'],
        ['Child', 'thresholds'],
        ['Grandchild', 'thresholds'],
        ['Large', undefined],
        ['Apart', 'thresholds'],
        ['Itself', undefined],
      ],
    );
    equal(imageDependence(all, 'Gone'), undefined);
  });
});
