/*
 * Scores of matched objects. A is the reference. For definitions and sources see
 * docs/measurements.md, "Matching by IoU".
 */

/**
 * The IoU thresholds 0.5, 0.55, …, 0.95, in twentieths: a pair counts if intersection · 20 ≥
 * threshold · union, which is exact.
 */
export const thresholds = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19] as const;

/** A threshold of IoU in twentieths. */
export type Threshold = (typeof thresholds)[number];

/** The threshold of a number such as 0.55; undefined if it isn't one of the ten. */
export function thresholdOf(value: number): Threshold | undefined {
  return thresholds.find(threshold => threshold / 20 === value);
}

/** Numbers of matched and unmatched objects. */
export interface MatchingCounts {
  /** Number of pairs. */
  tp: number;
  /** Objects of B without a partner that aren't ignored. */
  fp: number;
  /** Objects of A without a partner. */
  fn: number;
  /** Sum of the IoU of all pairs. */
  iouSum: number;
}

/** Ratios of counts, 0…1; null for 0 of 0. */
interface MatchingRatios {
  /** tp ÷ objects of B. */
  precision: number | null;
  /** tp ÷ objects of A. */
  recall: number | null;
  /** 2·tp ÷ (2·tp + fp + fn). */
  f1: number | null;
  /** tp ÷ (tp + fp + fn). */
  accuracy: number | null;
  meanMatchedIou: number | null;
  /** Sum of IoU ÷ (tp + fp/2 + fn/2); Kirillov 2019 at 0.5. */
  panopticQuality: number | null;
}

export type MatchingScores = MatchingCounts & MatchingRatios;

export const ratioNames = [
  'precision',
  'recall',
  'f1',
  'accuracy',
  'meanMatchedIou',
  'panopticQuality',
] as const;

/** The mean over images or classes with a value, and their number; null if there are none. */
interface MeanRatio {
  mean: number | null;
  n: number;
}

export type MeanRatios = Record<(typeof ratioNames)[number], MeanRatio>;

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** The ratios of counts, with the counts. */
export function scoresOf({ tp, fp, fn, iouSum }: MatchingCounts): MatchingScores {
  return {
    tp,
    fp,
    fn,
    iouSum,
    precision: ratio(tp, tp + fp),
    recall: ratio(tp, tp + fn),
    f1: ratio(2 * tp, 2 * tp + fp + fn),
    accuracy: ratio(tp, tp + fp + fn),
    meanMatchedIou: ratio(iouSum, tp),
    panopticQuality: ratio(iouSum, tp + fp / 2 + fn / 2),
  };
}

/** The scores of all images or classes as if they were one. */
export function pooledScores(counts: Iterable<MatchingCounts>): MatchingScores {
  const sum: MatchingCounts = { tp: 0, fp: 0, fn: 0, iouSum: 0 };
  for (const { tp, fp, fn, iouSum } of counts) {
    sum.tp += tp;
    sum.fp += fp;
    sum.fn += fn;
    sum.iouSum += iouSum;
  }
  return scoresOf(sum);
}

/** The mean of each ratio over the images or classes that have a value for it. */
export function meanRatios(scores: readonly MatchingRatios[]): MeanRatios {
  const entries = ratioNames.map(name => {
    let sum = 0;
    let n = 0;
    for (const { [name]: value } of scores) {
      if (value === null) continue;
      sum += value;
      n++;
    }
    return [name, { mean: ratio(sum, n), n }] as const;
  });
  return Object.fromEntries(entries) as MeanRatios;
}
