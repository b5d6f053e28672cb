import * as v from 'valibot';
import type { ObjectFacts } from '../archives/masksSummary';
import { request, type RequestsOf } from '../protocol/declarations';
import { buffer, finite, index, nothing, tileFields } from '../protocol/schemas';
import type {
  ComparedSide,
  CompareRequest,
  ComparisonScores,
  ComparisonSubject,
  CurvePoint,
  SavedComparison,
  SideSummary,
  SkippedPair,
} from './comparison';

const side = v.picklist(['a', 'b']);

/** Requests of the page of a comparison; the panel passes them on to the engine. */
export const comparisonPageRequests = {
  /** The scores at all ten thresholds. */
  comparisonCurve: request(nothing).resolvesTo<{ points: CurvePoint[] }>(),

  /** The scores at a threshold, in total and for each image. Overlaps aren't measured again. */
  comparisonScores: request(v.object({ threshold: finite })).resolvesTo<ComparisonScores>(),

  /**
   * Outcomes of the objects of one side of a compared image (its position in
   * ComparisonScores.images): flags of `Outcome` as uint8, and partners on the other side as int32,
   * −1 for none. A message has the objects from `from` (default 0); the next request starts at
   * `from` + `count`, until `isLast`.
   */
  comparedObjects: request(
    v.object({ side, image: index, threshold: finite, from: v.optional(index) }),
  ).resolvesTo<{
    outcomes: ArrayBuffer;
    partners: ArrayBuffer;
    from: number;
    count: number;
    isLast: boolean;
  }>(),

  /**
   * A label tile of a side's image, as labelTile of the masks page; `hidden` has the same meaning.
   */
  comparedTile: request(
    v.object({ side, image: index, ...tileFields, hidden: v.optional(buffer) }),
  ).resolvesTo<{
    labels: ArrayBuffer;
    inRuns: boolean;
  }>(),

  /** Objects of a side's image that cover a pixel, smallest first. */
  comparedObjectsAt: request(v.object({ side, image: index, x: finite, y: finite })).resolvesTo<{
    objects: number[];
  }>(),

  /** Facts about an object of a side. */
  comparedFacts: request(v.object({ side, image: index, object: index })).resolvesTo<ObjectFacts>(),

  /**
   * Intersection over union of objects of A and B in a compared image (its position in
   * ComparisonScores.images).
   */
  comparedIou: request(v.object({ image: index, a: index, b: index })).resolvesTo<{ iou: number }>(),
};

/** Requests about comparisons that an engine thread handles. */
export type ComparisonRequests = RequestsOf<typeof comparisonPageRequests> & {
  /**
   * Reads the masks of a side from a file, or a folder of label images; progress events name it
   * 'compared'.
   */
  openCompared: {
    params: { side: ComparedSide; path: string; mayBeEmpty?: boolean; separatesAreas?: boolean };
    result: SideSummary;
  };
  /**
   * Compares images; progress events name it 'comparison'. Pairs that can't be compared are
   * skipped, with the reason.
   */
  compareImages: { params: CompareRequest; result: { compared: number; skipped: SkippedPair[] } };
  /**
   * Writes the table of pairs at a threshold as CSV, with a row per pair and per object without
   * partner.
   */
  writePairsTable: { params: { path: string; threshold: number }; result: { rows: number } };
  /**
   * Writes a comparison into an existing folder. All files appear at the end, or none. Throws
   * `exists`.
   */
  saveComparison: {
    params: {
      destination: string;
      /** Prefix of the files' names. */
      name: string;
      threshold: number;
      overwrite: boolean;
      subject: ComparisonSubject;
    };
    result: SavedComparison;
  };
  /** Resolves once no save is running and canceled saves have removed their files. */
  comparisonSettled: { params: Record<string, never>; result: Record<string, never> };
};

declare module '../protocol/engineRequests' {
  interface EngineRequests extends ComparisonRequests {}
}
