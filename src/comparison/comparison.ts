import type { PlainError } from '../base/errors';
import { reason, type Reason, quoted } from '../base/reasons';
import type { MeanRatios, MatchingScores } from './scores';

/*
 * Two sets of masks of the same images, compared object by object. A is the reference, B is judged.
 * The sets may be masks archives or files of ground truth.
 */

export type ComparedSide = 'a' | 'b';

/** The outcome of an object, as flags. Without `Matched` it has no partner. */
export const enum Outcome {
  Matched = 1,
  /**
   * Of A: split; of B: merged. At least two objects of the other side have half of their area
   * or more in it.
   */
  Parted = 2,
  /** Of B: unmatched in a crowd of the reference, and not counted. */
  Ignored = 4,
  /** Outside of the region that is judged, and not counted. */
  Outside = 8,
}

/** Objects are matched within a class, or all together. */
export type ClassMode = 'each' | 'all';

/** The kind of file that a set of masks comes from. */
export type MasksFormat = 'archive' | 'coco' | 'geojson' | 'rois' | 'labels' | 'folder';

/** An image of one side. */
export interface ComparableImage {
  /** Position on its side, from 0; how messages name it. */
  index: number;
  id: string;
  /** Its name, perhaps with folders before it. */
  path: string;
  width: number;
  height: number;
  objectCount: number;
  /** Its file doesn't tell its size: that of the other side's image is taken. */
  isSizeUnknown?: true;
  /** Regions to be ignored. */
  crowds?: number;
  /** Objects that can't be read. */
  unreadableCount: number;
  /** The reasons for the first unreadable objects. */
  unreadable: { key: string; reason: Reason }[];
  /** Set where the image can't be read at all. */
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

/** Meaning of areas of label images with one label, if any: one object, or one each. */
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

/** Which classes objects were matched within. */
export interface ComparedClasses {
  mode: ClassMode;
  /**
   * The classes that objects were matched within, if any. A class without a partner stands alone:
   * its objects are missed (A) or extra (B).
   */
  pairs: Partial<ClassPair>[];
  /**
   * A side whose objects have no class: they were matched in all classes, although single ones were
   * requested.
   */
  without?: ComparedSide;
}

/** How to compare images. */
export interface CompareRequest {
  pairs: readonly ImagePair[];
  classes: ClassMode;
  /** For matching within classes: a class of A that isn't named has no partner. */
  classPairs: readonly ClassPair[];
  /** Corners x, y in turn of the judged polygon, in pixels of every image; absent for all of it. */
  region?: readonly number[];
}

/** A pair of images that couldn't be compared. */
export interface SkippedPair extends ImagePair {
  reason: Reason;
}

/** Scores of an image. */
export interface ComparedImageScores extends ImagePair {
  /** Objects that are judged. */
  objectsOfA: number;
  objectsOfB: number;
  /** Objects of B that are left out because they are in crowds. */
  ignored: number;
  split: number;
  merged: number;
  scores: MatchingScores;
}

/** Scores of a class; where A's and B's names differ, it was mapped. */
export interface ClassScores {
  /** Undefined for a class that only the other side has. */
  a?: string;
  b?: string;
  scores: MatchingScores;
}

/** All that is said about a comparison at a threshold. */
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

/** Objects of a class of A matched with a class of B; without `b` missed, without `a` not in A. */
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

/** Data saved with the scores of a comparison: its inputs, and the images without a partner. */
export interface ComparisonSubject {
  a: string;
  b: string;
  unpairedA: readonly string[];
  unpairedB: readonly string[];
  /** Of these, likely pairs, and why they aren't certain. */
  doubtful: readonly { a: string; b: string; why: 'other-size' | 'other-file' }[];
}

/** The files that a comparison was saved as. */
export interface SavedComparison {
  files: { path: string; bytes: number }[];
}

/** An anomaly of a file, or the reason why it leaves out an image or an object. */
interface ComparisonNote {
  side: ComparedSide;
  /** The path of the image that it is about; without it the whole file. */
  image?: string;
  /** The unreadable object's name in the file; absent if the image is unreadable. */
  id?: string;
  reason: Reason;
}

/** All notes on a side, file notes first; per image the objects that `unreadable` lists. */
export function* notesOn(
  side: ComparedSide,
  { notes, images }: SideSummary,
): Generator<ComparisonNote, void> {
  for (const note of notes) yield { side, reason: note };
  for (const { path: image, failure, unreadable } of images) {
    if (failure) yield { side, image, reason: failure.details?.reason ?? quoted(failure.message) };
    for (const { key: id, reason: why } of unreadable) yield { side, image, id, reason: why };
  }
}

/** The note on a side whose objects have no class, where it was asked to match within classes. */
export function notesOnClasses({ without }: ComparedClasses): ComparisonNote[] {
  return without
    ? [{ side: without, reason: reason('Its objects have no class, so they are matched whatever the class') }]
    : [];
}

/**
 * The partner class of each class of A by its name: the same name, else the only one that differs
 * in case, spaces and a plural's s only. The rest has no partner, even if one class is left on each
 * side.
 */
export function proposedClassPairs(a: readonly string[], b: readonly string[]): ClassPair[] {
  const pairs: ClassPair[] = [];
  const freeA = new Set(a);
  const freeB = new Set(b);
  const add = (one: string, other: string): void => {
    pairs.push({ a: one, b: other });
    freeA.delete(one);
    freeB.delete(other);
  };
  for (const name of a) if (freeB.has(name)) add(name, name);
  for (const name of [...freeA]) {
    const alike = [...freeB].filter(other => spelling(other) === spelling(name));
    const rivals = [...freeA].filter(other => spelling(other) === spelling(name));
    const [only] = alike;
    if (only !== undefined && alike.length === 1 && rivals.length === 1) add(name, only);
  }
  return pairs;
}

/**
 * The classes to match objects within, on request. A side without classes, as a label image, can't
 * be matched within several, unless somebody named its class.
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
  const known = new Set(b.map(({ name }) => name));
  const used = new Set<string>();
  const pairs = names.a.map((name): Partial<ClassPair> => {
    const partner = partners.get(name);
    if (partner === undefined || !known.has(partner)) return { a: name };
    used.add(partner);
    return { a: name, b: partner };
  });
  const alone = names.b.filter(name => !used.has(name)).map(name => ({ b: name }));
  return { mode, pairs: [...pairs, ...alone] };
}

function namesWithObjects(classes: SideSummary['classes']): string[] {
  return classes.filter(({ count }) => count > 0).map(({ name }) => name);
}

function spelling(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, '')
    .replace(/s$/, '');
}
