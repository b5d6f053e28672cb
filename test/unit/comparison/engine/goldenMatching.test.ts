import assert from 'node:assert/strict';
import golden from '../../../golden/matching.json';
import { Outcome } from '../../../../src/comparison/comparison';
import { ComparedImage } from '../../../../src/comparison/engine/comparedImage';
import {
  meanRatios,
  type MatchingCounts,
  pooledScores,
  ratioNames,
  scoresOf,
  thresholds,
} from '../../../../src/comparison/scores';
import { objectsOfRuns } from './objects';

interface GoldenImage {
  name: string;
  size: number[];
  a: number[][];
  b: number[][];
  iou: number[][];
  at: ({ threshold: number; tp: number; fp: number; fn: number } & Record<string, number | null>)[];
  split: number[];
  merged: number[];
}

const images = golden.images as unknown as GoldenImage[];

/** As the definition in test/golden/makeMatching.py. */
function assertClose(actual: number | null, expected: number | null, what: string): void {
  if (actual === null || expected === null) assert.equal(actual, expected, what);
  else assert.ok(Math.abs(actual - expected) <= 1e-12, `${what}: ${actual} instead of ${expected}`);
}

async function compared({ size: [height = 0, width = 0], a, b }: GoldenImage): Promise<ComparedImage> {
  return await ComparedImage.of({
    a: objectsOfRuns(a, [height, width]),
    b: objectsOfRuns(b, [height, width]),
  });
}

async function countsAt(
  image: ComparedImage,
  threshold: (typeof thresholds)[number],
): Promise<MatchingCounts> {
  const { counts } = await image.match(threshold, undefined);
  const sum: MatchingCounts = { tp: 0, fp: 0, fn: 0, iouSum: 0 };
  for (const { count, iouSum } of counts.matched) {
    sum.tp += count;
    sum.iouSum += iouSum;
  }
  for (const count of counts.missed.values()) sum.fn += count;
  for (const count of counts.extra.values()) sum.fp += count;
  return sum;
}

function flagged(outcomes: Uint8Array, flag: Outcome): number[] {
  return [...outcomes.keys()].filter(object => ((outcomes[object] ?? 0) & flag) !== 0);
}

describe('matching agrees with its definition', () => {
  for (const image of images) {
    it(`on "${image.name}"`, async () => {
      const own = await compared(image);
      for (let n = 0; n < own.pairs.count; n++) {
        const [a = -1, b = -1] = [own.pairs.a[n], own.pairs.b[n]];
        assertClose(own.iou(n), image.iou[a]?.[b] ?? NaN, `IoU of ${a} and ${b}`);
      }
      const expectedPairs = image.iou.flat().filter(iou => iou > 0).length;
      assert.equal(own.pairs.count, expectedPairs);
      for (const [at, threshold] of thresholds.entries()) {
        const expected = image.at[at];
        assert.ok(expected);
        assert.equal(threshold / 20, expected.threshold);
        const scores = scoresOf(await countsAt(own, threshold));
        const where = `at ${expected.threshold}`;
        assert.deepEqual(
          [scores.tp, scores.fp, scores.fn],
          [expected.tp, expected.fp, expected.fn],
          `counts ${where}`,
        );
        for (const name of ratioNames) assertClose(scores[name], expected[name] ?? null, `${name} ${where}`);
        const { outcomesOfA, outcomesOfB } = await own.match(threshold, undefined);
        assert.deepEqual(flagged(outcomesOfA, Outcome.SplitOrMerged), image.split, `split ${where}`);
        assert.deepEqual(flagged(outcomesOfB, Outcome.SplitOrMerged), image.merged, `merged ${where}`);
      }
    });
  }

  it('over all images, pooled and as means', async () => {
    const all = await Promise.all(images.map(compared));
    for (const [at, threshold] of thresholds.entries()) {
      const scores = (await Promise.all(all.map(image => countsAt(image, threshold)))).map(scoresOf);
      const pooled = pooledScores(scores);
      const means = meanRatios(scores);
      const expected = golden.pooled[at];
      const expectedMeans = golden.meanOverImages[at];
      assert.ok(expected && expectedMeans);
      assert.deepEqual([pooled.tp, pooled.fp, pooled.fn], [expected.tp, expected.fp, expected.fn]);
      for (const name of ratioNames) {
        assertClose(pooled[name], expected[name], `pooled ${name} at ${expected.threshold}`);
        assertClose(means[name].mean, expectedMeans[name].mean, `mean ${name} at ${expected.threshold}`);
        assert.equal(means[name].n, expectedMeans[name].n, `n of ${name} at ${expected.threshold}`);
      }
    }
  });
});
