/** Measurements of shape that are summarized over objects, in pixels (docs/measurements.md). */
export const shapeMeasures = ['area', 'perimeter', 'majorAxis', 'minorAxis', 'feretMaximum'] as const;

export type ShapeMeasure = (typeof shapeMeasures)[number];

/** The count of numbers, their mean and standard deviation (n − 1); null without any. */
export interface MeanAndSpread {
  count: number;
  mean: number | null;
  sd: number | null;
}

/** A numeric column of the objects table over the rows of several objects. */
export interface SelectedColumn extends MeanAndSpread {
  name: string;
  /** See TableColumn. */
  isRounded?: true;
}

/** Measurements of the masks of several objects. */
export type ShapeStatistics = Record<ShapeMeasure, MeanAndSpread>;
