import type { PlainError } from '../base/errors';
import { reason, type Reason, quoted } from '../base/reasons';
import type { MeanRatios, MatchingScores } from './scores';

/*
 * Compares two sets of masks of the same images, object by object. A is the reference for B. The
 * sets are masks archives or files of ground truth.
 */

export type ComparedSide = 'a' | 'b';

/** The outcome of an object, as flags. An object without `Matched` has no partner. */
export const enum Outcome {
  Matched = 1,
  /**
   * For A: split; for B: merged. The object contains at least half of two or more objects of the
   * other side.
   */
  SplitOrMerged = 2,
  /** For B: unmatched in a crowd of the reference, and not counted. */
  Ignored = 4,
  /** Outside the region to compare, and not counted. */
  Outside = 8,
}

/** Whether objects are matched within classes, or regardless of class. */
export type ClassMode = 'each' | 'all';

/** The kind of file that a set of masks comes from. */
export type MasksFormat = 'archive' | 'coco' | 'geojson' | 'rois' | 'labels' | 'folder';

/** An image of one side. */
export interface ComparableImage {
  /** Position on its side; messages use it as the image's name. */
  index: number;
  id: string;
  /** Its name, with folders if known. */
  path: string;
  width: number;
  height: number;
  objectCount: number;
  /** Set if its file doesn't have its size: the other side's size is used. */
  isSizeUnknown?: true;
  /** Number of regions to ignore. */
  crowds?: number;
  /** Number of objects that can't be read. */
  unreadableCount: number;
  /** The reasons for the first unreadable objects. */
  unreadable: { key: string; reason: Reason }[];
  /** Set if the image can't be read at all. */
  failure?: PlainError;
}

/** The content of a file of masks. */
export interface SideSummary {
  format: MasksFormat;
  classes: { name: string; count: number }[];
  images: ComparableImage[];
  /** Anomalies of the file that didn't prevent reading it. */
  notes: Reason[];
}

/**
 * Whether areas with the only label of a label image are one object or separate; undefined if there
 * are none.
 */
export function areasWithOneLabel({
  notes,
}: Pick<SideSummary, 'notes'>): 'together' | 'separate' | undefined {
  if (notes.some(({ code }) => code === 'one-label')) return 'together';
  return notes.some(({ code }) => code === 'areas-separated') ? 'separate' : undefined;
}

/** An image of A and one of B, by their positions. */
export interface ImagePair {
  a: number;
  b: number;
}

/** A class of A and the class of B that its objects are matched with, by their names. */
export interface ClassPair {
  a: string;
  b: string;
}

/** The classes that objects were matched within. */
export interface ComparedClasses {
  mode: ClassMode;
  /**
   * Classes whose objects were matched. A class without a partner is alone in its pair: its objects
   * are only in A or only in B.
   */
  pairs: Partial<ClassPair>[];
  /**
   * Set if the objects of a side have no class: they were matched regardless of class, although
   * matching within classes was requested.
   */
  without?: ComparedSide;
}

/** How to compare images. */
export interface CompareRequest {
  pairs: readonly ImagePair[];
  classes: ClassMode;
  /** For matching within classes: a class of A that isn't listed has no partner. */
  classPairs: readonly ClassPair[];
  /**
   * Corners of the polygon to compare, x and y in turn, in pixels of each image; absent for whole
   * images.
   */
  region?: readonly number[];
}

/** A pair of images that couldn't be compared. */
export interface SkippedPair extends ImagePair {
  reason: Reason;
}

/** Scores of an image. */
export interface ComparedImageScores extends ImagePair {
  /** Number of objects in the compared region. */
  objectsOfA: number;
  objectsOfB: number;
  /** Number of objects of B that aren't counted, as they are in crowds. */
  ignored: number;
  split: number;
  merged: number;
  scores: MatchingScores;
}

/** Scores of a class of A and the class of B that it was matched with. */
export interface ClassScores {
  /** Undefined for a class of only the other side. */
  a?: string;
  b?: string;
  scores: MatchingScores;
}

/** The result of a comparison at a threshold. */
export interface ComparisonScores {
  /** 0.5, 0.55, …, 0.95. */
  threshold: number;
  classes: ComparedClasses;
  pooled: MatchingScores;
  meanOverImages: MeanRatios;
  /** For matching within classes: by class, pooled over images, and the mean over classes. */
  byClass: ClassScores[];
  meanOverClasses: MeanRatios;
  /** For matching across classes: number of objects of a class of A matched with a class of B. */
  confusions: Confusion[];
  split: number;
  merged: number;
  ignored: number;
  images: ComparedImageScores[];
}

/**
 * Objects of a class of A matched with a class of B; without `b` only in A, without `a` only in B.
 */
export interface Confusion {
  a?: string;
  b?: string;
  count: number;
}

/** The scores at one of the ten thresholds, without images. */
export interface CurvePoint {
  threshold: number;
  pooled: MatchingScores;
  meanOverImages: MeanRatios;
}

/** Facts saved with the scores of a comparison: its inputs, and images without a partner. */
export interface ComparisonSubject {
  a: string;
  b: string;
  unpairedA: readonly string[];
  unpairedB: readonly string[];
  /** Likely pairs among these, and why they aren't certain. */
  doubtful: readonly { a: string; b: string; why: 'other-size' | 'other-file' }[];
}

/** The files that a comparison was saved as. */
export interface SavedComparison {
  files: { path: string; bytes: number }[];
}

/** An anomaly of a file, or why an image or an object was left out. */
interface ComparisonNote {
  side: ComparedSide;
  /** The path of the image; absent if the note is about the whole file. */
  image?: string;
  /** The unreadable object's name in the file; absent if the image is unreadable. */
  id?: string;
  reason: Reason;
}

/** All notes on a side: those on the file, then those on images and listed unreadable objects. */
export function* notesOn(
  side: ComparedSide,
  { notes, images }: SideSummary,
): Generator<ComparisonNote, void> {
  for (const note of notes) yield { side, reason: note };
  for (const { path: image, failure, unreadable } of images) {
    if (failure) yield { side, image, reason: failure.details?.reason ?? quoted(failure.message) };
    for (const { key: id, reason: cause } of unreadable) yield { side, image, id, reason: cause };
  }
}

/** The note on a side without classes, if matching within classes was requested. */
export function notesOnClasses({ without }: ComparedClasses): ComparisonNote[] {
  return without
    ? [{ side: without, reason: reason('Its objects have no class, so they are matched whatever the class') }]
    : [];
}

/**
 * Pairs classes by name: equal names, else names that differ only in case, spaces and a plural s,
 * if they are unambiguous. Other classes have no partner, even if a single class is left on each
 * side.
 */
export function proposedClassPairs(a: readonly string[], b: readonly string[]): ClassPair[] {
  const pairs: ClassPair[] = [];
  const freeA = new Set(a);
  const freeB = new Set(b);
  const add = (nameOfA: string, nameOfB: string): void => {
    pairs.push({ a: nameOfA, b: nameOfB });
    freeA.delete(nameOfA);
    freeB.delete(nameOfB);
  };
  for (const name of a) if (freeB.has(name)) add(name, name);
  for (const name of [...freeA]) {
    const matches = [...freeB].filter(other => normalizedName(other) === normalizedName(name));
    const rivals = [...freeA].filter(other => normalizedName(other) === normalizedName(name));
    const [match] = matches;
    if (match !== undefined && matches.length === 1 && rivals.length === 1) add(name, match);
  }
  return pairs;
}

/**
 * The classes to match objects within. A side without classes, such as a label image, can only be
 * matched within one class that the user selected.
 */
export function comparedClasses(
  { classes: mode, classPairs }: Pick<CompareRequest, 'classes' | 'classPairs'>,
  a: SideSummary['classes'],
  b: SideSummary['classes'],
): ComparedClasses {
  if (mode === 'all') return { mode, pairs: [] };
  const names = { a: namesWithObjects(a), b: namesWithObjects(b) };
  const without = (['a', 'b'] as const).find(
    side =>
      names[side].length > 0 &&
      names[side].every(name => name === '') &&
      !classPairs.some(pair => pair[side] === ''),
  );
  if (without) return { mode: 'all', pairs: [], without };
  const partners = new Map(classPairs.map(pair => [pair.a, pair.b]));
  const namesOfB = new Set(b.map(({ name }) => name));
  const matchedNamesOfB = new Set<string>();
  const pairs = names.a.map((name): Partial<ClassPair> => {
    const partner = partners.get(name);
    if (partner === undefined || !namesOfB.has(partner)) return { a: name };
    matchedNamesOfB.add(partner);
    return { a: name, b: partner };
  });
  const unpairedOfB = names.b.filter(name => !matchedNamesOfB.has(name)).map(name => ({ b: name }));
  return { mode, pairs: [...pairs, ...unpairedOfB] };
}

function namesWithObjects(classes: SideSummary['classes']): string[] {
  return classes.filter(({ count }) => count > 0).map(({ name }) => name);
}

function normalizedName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, '')
    .replace(/s$/, '');
}
