import { throwIfCanceled } from '../../base/errors';
import { reasonForLog } from '../../base/reasonForLog';
import { csvLine } from '../../columns/csv/csvGrammar';
import { OutputFolder } from '../../base/node/outputFolder';
import { safeFileName } from '../../results/node/fileStems';
import { type ComparisonScores, notesOn, notesOnClasses, type SavedComparison } from '../comparison';
import type { ComparisonRequests } from '../comparisonRequests';
import { type MatchingScores, ratioNames } from '../scores';
import { type ComparisonResult, summaryOf } from './maskComparison';
import { nameOf, pairLines } from './pairsTable';

/** Version of the JSON format. */
const VERSION = 1;

type SaveRequest = ComparisonRequests['saveComparison']['params'];

/**
 * Writes a comparison: images, pairs, classes and thresholds as CSV, and everything but the pairs
 * as JSON, with the settings to repeat it. All files are created together, or none. Throws `exists`
 * unless `overwrite`, `not-found` (no folder), `no-space`, `cancelled`.
 */
export async function saveComparison(
  result: ComparisonResult,
  { destination, name, threshold, overwrite, subject }: SaveRequest,
  signal?: AbortSignal,
): Promise<SavedComparison> {
  const scores = result.scores(threshold);
  const stem = safeFileName(name);
  const fileNames = {
    images: `${stem}-images.csv`,
    pairs: `${stem}-pairs.csv`,
    classes: `${stem}-classes.csv`,
    thresholds: `${stem}-thresholds.csv`,
    all: `${stem}.json`,
  };
  const folder = await OutputFolder.open(destination, Object.values(fileNames), overwrite);
  try {
    const write = (file: string, lines: Iterable<string> | AsyncIterable<string>) =>
      folder.write(file, async output => {
        for await (const line of lines) await output.appendText(line);
      });
    await write(fileNames.images, imageLines(result, scores));
    await write(fileNames.pairs, pairLines(result, threshold, signal));
    await write(fileNames.classes, classLines(scores));
    await write(fileNames.thresholds, thresholdLines(result));
    await write(fileNames.all, [`${JSON.stringify(report(result, scores, subject), undefined, 2)}\n`]);
    throwIfCanceled(signal);
    return { files: await folder.commit() };
  } finally {
    await folder.discard();
  }
}

const scoreNames = ['tp', 'fp', 'fn', ...ratioNames] as const;

/** Columns are named as in the manifests of exports. */
const SCORE_COLUMNS = scoreNames.map(columnOf);

function columnOf(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

function scoreCells(scores: MatchingScores): string[] {
  return scoreNames.map(name => cell(scores[name]));
}

/** A missing ratio is empty. */
function cell(value: number | null): string {
  return value === null ? '' : String(value);
}

function* imageLines(result: ComparisonResult, { images }: ComparisonScores): Generator<string, void> {
  const counts = ['objects_a', 'objects_b', 'ignored', 'split', 'merged'];
  yield csvLine(['image_a', 'image_b', ...counts, ...SCORE_COLUMNS]);
  for (const { a, b, objectsOfA, objectsOfB, ignored, split, merged, scores } of images) {
    const numbers = [objectsOfA, objectsOfB, ignored, split, merged].map(String);
    yield csvLine([nameOf(result.a, a), nameOf(result.b, b), ...numbers, ...scoreCells(scores)]);
  }
}

/** Scores by class, or, if classes were matched with any other, the numbers of these matches. */
function* classLines({ byClass, confusions }: ComparisonScores): Generator<string, void> {
  if (byClass.length > 0 || confusions.length === 0) {
    yield csvLine(['class_a', 'class_b', ...SCORE_COLUMNS]);
    for (const { a = '', b = '', scores } of byClass) yield csvLine([a, b, ...scoreCells(scores)]);
    return;
  }
  yield csvLine(['class_a', 'class_b', 'outcome', 'objects']);
  for (const { a, b, count } of confusions) {
    const outcome = a === undefined ? 'only B' : b === undefined ? 'only A' : 'matched';
    yield csvLine([a ?? '', b ?? '', outcome, String(count)]);
  }
}

function* thresholdLines(result: ComparisonResult): Generator<string, void> {
  const means = ratioNames.flatMap(name => [`mean_${columnOf(name)}`, `images_with_${columnOf(name)}`]);
  yield csvLine(['threshold', ...SCORE_COLUMNS, ...means]);
  for (const { threshold, pooled, meanOverImages } of result.curve()) {
    const cells = ratioNames.flatMap(name => [
      cell(meanOverImages[name].mean),
      String(meanOverImages[name].n),
    ]);
    yield csvLine([String(threshold), ...scoreCells(pooled), ...cells]);
  }
}

/** The JSON file, with paths of images, as positions mean nothing without the masks. */
function report(result: ComparisonResult, scores: ComparisonScores, subject: SaveRequest['subject']): object {
  const { region } = result.request;
  const { classes, ...numbers } = scores;
  const pathsOf = ({ a, b }: { a: number; b: number }) => ({
    a: nameOf(result.a, a),
    b: nameOf(result.b, b),
  });
  return {
    version: VERSION,
    a: subject.a,
    b: subject.b,
    matching: {
      classes: classes.mode,
      ...(classes.mode === 'each' && { classPairs: classes.pairs }),
      ...(region && { region }),
    },
    ...numbers,
    images: numbers.images.map(({ a, b, ...image }) => ({ ...pathsOf({ a, b }), ...image })),
    thresholds: result.curve(),
    skipped: result.skipped.map(pair => ({ ...pathsOf(pair), reason: reasonForLog(pair.reason) })),
    unpaired: { a: subject.unpairedA, b: subject.unpairedB },
    ...(subject.doubtful.length > 0 && { doubtful: subject.doubtful }),
    notes: [
      ...notesOnClasses(classes),
      ...notesOn('a', summaryOf(result.a)),
      ...notesOn('b', summaryOf(result.b)),
    ].map(note => ({ ...note, reason: reasonForLog(note.reason) })),
  };
}
