import { CodedError } from '../../base/errors';
import { eachPart, Pacer } from '../../base/node/slices';
import { reason } from '../../base/reasons';
import { gatherNumbers } from '../../columns/engine/read/tableSource';
import type { TableView } from '../../columns/engine/tableView';
import type { Filter } from '../../columns/viewSpec';
import { compareReplicates, namesRecur, type OpenQuestion } from '../conditionComparison';
import {
  type ComparedTable,
  type ComparisonMarks,
  type ComparisonParams,
  type ShownReplicate,
} from '../conditionRequests';
import { areNumbers, type ImageColumn, numberOfValue, orderedValues } from '../imageColumns';
import {
  areMultiplied,
  type ImagePart,
  infiniteOf,
  NO_REPLICATE,
  partValue,
  pathsInSeveralJobs,
  type Replicate,
  type ReplicateMean,
  type Replicates,
  replicatesOf,
  technicalParts,
} from '../replicates';
import { plainValue } from '../spellings';
import { distributionsOf } from './distributions';
import { type ImageParts, imageParts, NO_PART, type PartsSpec, tooManyConditions } from './imageParts';
import { isOfImages, type StudyImages } from './studyImages';

/** Maximum number of conditions. A column with more values doesn't hold conditions. */
const MAX_CONDITIONS = 200;
const MAX_REPLICATES = 10_000;
/** Maximum number of excluded images listed in the result. */
const MAX_EXCLUDED = 1000;

/** The replicates of a table, and its conditions in order. */
export interface StudiedReplicates extends Replicates {
  conditions: string[];
  /** The counts that the replicates were computed from. */
  countedParts: ImageParts;
  /** The image column of the conditions; undefined if they are in a column of rows. */
  imageColumn: ImageColumn | undefined;
}

/**
 * Finds the replicates of a table. Throws `cancelled` or `bad-request`; the latter has a reason if
 * the table or the selected columns are the cause.
 */
export async function studiedReplicates(
  view: TableView,
  images: StudyImages,
  {
    filters,
    measure,
    condition,
    replicate,
    technical = [],
    mean,
  }: PartsSpec & { technical?: readonly number[] | undefined; mean: ReplicateMean },
  signal?: AbortSignal,
): Promise<StudiedReplicates> {
  const roleColumns = [condition, ...replicate, ...technical];
  if (new Set(roleColumns).size < roleColumns.length)
    throw new CodedError('bad-request', 'A column can have only one role in a comparison');
  const spec = {
    filters,
    condition,
    replicate: [...replicate, ...technical],
    measure,
    maxConditions: MAX_CONDITIONS,
  };
  const countedParts = await imageParts(view, images, spec, signal);
  const grouped = replicatesOf(countedParts.parts, { mean, technical: technical.length });
  const { replicates } = grouped;
  const imageColumn = images.columns[images.imageColumnAt(condition) ?? -1];
  const values = [...new Set(replicates.map(({ condition: value }) => value))];
  const order = imageColumn?.order?.flatMap(value => spellingIn(value, values) ?? []);
  const conditions = orderedValues({
    values,
    ...(order && { order }),
    ...(imageColumn?.isNumeric && { isNumeric: true }),
  });
  if (conditions.length > MAX_CONDITIONS) throw tooManyConditions(conditions.length, MAX_CONDITIONS);
  if (replicates.length > MAX_REPLICATES)
    throw new CodedError('bad-request', 'Too many replicates', {
      reason: reason(
        'There are {0} replicates, and at most {1} can be compared',
        replicates.length,
        MAX_REPLICATES,
      ),
    });
  return { ...grouped, conditions, countedParts, imageColumn };
}

/** How a list spells a value, such as `10` for `10.0`; undefined if the list lacks the value. */
function spellingIn(value: string | undefined, values: readonly string[]): string | undefined {
  if (value === undefined || values.includes(value)) return value;
  return values.find(candidate => plainValue(candidate) === plainValue(value));
}

/**
 * Compares a table's conditions, in one pass over each used column. Throws the same errors as
 * studiedReplicates.
 */
export async function compareTable(
  view: TableView,
  images: StudyImages,
  params: ComparisonParams,
  signal?: AbortSignal,
): Promise<ComparedTable & { marks?: ComparisonMarks }> {
  const {
    filters = [],
    measure,
    condition,
    replicate,
    technical,
    combined = false,
    mean,
    reference,
    paired,
    scale,
    intervals,
    plot,
  } = params;
  if (scale === 'logit' && measure.kind !== 'share')
    throw new CodedError('bad-request', 'Only shares have odds');
  const spec = { filters, measure, condition, replicate, technical, mean };
  const studied = await studiedReplicates(view, images, spec, signal);
  const { replicates, conditions, withoutCondition, withoutReplicate, imageColumn, countedParts } = studied;
  const isNumeric = imageColumn ? imageColumn.isNumeric === true : areNumbers(conditions);
  const studyParts = replicates.flatMap(({ parts }) => parts);
  const hasImages = images.pathColumn !== undefined;
  const imageCount = (parts: readonly ImagePart[]) => new Set(parts.map(({ image }) => image)).size;
  const facts = {
    namesRecur: replicate.length > 0 && namesRecur(replicates),
    areMultiplied: areMultiplied(replicates),
  };
  // If an image has objects of several conditions, it has several parts, whose shares may differ.
  const areWhole = hasImages && imageCount(studyParts) === studyParts.length;
  const inSeveralJobs = pathsInSeveralJobs(
    replicates.flatMap(({ parts }) => technicalParts(parts, technical?.length ?? 0)),
  );
  const byImage = byImageOf(view, images, { measure, filters, areWhole });
  const { unpaired, ...comparison } = compareReplicates(replicates, {
    conditions,
    hasReplicates: replicate.length > 0,
    reference: spellingIn(reference ?? imageColumn?.reference, conditions),
    paired: paired === true,
    open: openQuestion(facts, { combined, paired }),
    scale,
    ...(intervals && { intervals }),
  });
  return {
    ...comparison,
    unpaired: unpaired.map(unpairedReplicate => shownReplicate(unpairedReplicate, measure)),
    replicates: replicates.map(comparedReplicate => shownReplicate(comparedReplicate, measure)),
    ...facts,
    alike: countedParts.alike,
    ...(isNumeric && { numbers: conditions.map(numberOfValue) }),
    objects: objectsOf(studyParts),
    images: hasImages ? imageCount(studyParts) : null,
    withoutObjects: hasImages ? imageCount(studyParts.filter(({ objects }) => objects === 0)) : null,
    areAllKnown: images.areAllKnown,
    unjudged: countedParts.unjudged,
    ...(byImage && { byImage }),
    ...(inSeveralJobs > 0 && { inSeveralJobs }),
    infinite: infiniteOf(studyParts),
    excluded: countedParts.excluded.slice(0, MAX_EXCLUDED),
    withoutCondition: hasImages ? imageCount(withoutCondition) : objectsOf(withoutCondition),
    withoutReplicate: hasImages ? imageCount(withoutReplicate) : objectsOf(withoutReplicate),
    ...(plot && { marks: await marksOf(view, countedParts, { replicates, conditions, measure }, signal) }),
  };
}

/**
 * The populations of a comparison that have thresholds per image, and their effect: `fixed` if the
 * compared share is the same in every image, such as that of the objects above the image's median.
 */
function byImageOf(
  view: TableView,
  images: StudyImages,
  {
    measure,
    filters,
    areWhole,
  }: { measure: ComparisonParams['measure']; filters: readonly Filter[]; areWhole: boolean },
): ComparedTable['byImage'] {
  const populationNames = (usedFilters: readonly Filter[]) =>
    usedFilters.flatMap(filter => (filter.kind === 'population' ? [filter.name] : []));
  const { of = [] } = measure;
  const populations = [...new Set([...populationNames(of), ...populationNames(filters)])].filter(name =>
    view.populationByImage(name),
  );
  if (populations.length === 0) return undefined;
  const [firstName, ...otherNames] = populationNames(of);
  // The share is fixed among all objects of an image; among some of its objects it varies.
  const isFixed =
    areWhole &&
    measure.kind === 'share' &&
    otherNames.length === 0 &&
    of.length === 1 &&
    firstName !== undefined &&
    view.populationByImage(firstName) === 'fixed' &&
    filters.every(filter => isOfImages(filter, images));
  return { kind: isFixed ? 'fixed' : 'thresholds', populations };
}

/**
 * The question that the user must answer first. Which names are equal depends on the columns of
 * replicates, so the question about these columns comes before the one about names.
 */
function openQuestion(
  facts: Pick<ComparedTable, 'areMultiplied' | 'namesRecur'>,
  { combined, paired }: { combined: boolean; paired: boolean | undefined },
): OpenQuestion | undefined {
  if (facts.areMultiplied && !combined) return 'levels-open';
  return facts.namesRecur && paired === undefined ? 'names-open' : undefined;
}

function shownReplicate(
  { condition, name, images, technical, value, infinite = 0, parts }: Replicate,
  measure: ComparisonParams['measure'],
): ShownReplicate {
  const objects = parts.reduce((sum, part) => sum + objectCountOf(part, measure), 0);
  const counts = { images, objects, ...(technical !== undefined && { technical }) };
  return { condition, name: [...name], ...counts, value, ...(infinite > 0 && { infinite }) };
}

/** Number of objects behind a value: for a mean in a population, those in it with a number. */
export function objectCountOf(
  { objects, denominator }: Pick<ImagePart, 'objects' | 'denominator'>,
  measure: ComparisonParams['measure'],
): number {
  return measure.kind === 'column' && measure.of ? denominator : objects;
}

function objectsOf(parts: readonly ImagePart[]): number {
  return parts.reduce((sum, { objects }) => sum + objects, 0);
}

interface ShownStudy {
  replicates: readonly Replicate[];
  conditions: readonly string[];
  measure: ComparisonParams['measure'];
}

/** The data that is drawn behind the means of replicates. */
async function marksOf(
  view: TableView,
  { parts, partOfRow, rows: subset }: ImageParts,
  { replicates, conditions, measure }: ShownStudy,
  signal?: AbortSignal,
): Promise<ComparisonMarks> {
  const conditionOfPart = new Int32Array(parts.length).fill(-1);
  const replicateOfPart = new Uint32Array(parts.length).fill(NO_REPLICATE);
  const positionOfPart = new Map(parts.map((part, at) => [part, at]));
  replicates.forEach((replicate, replicateIndex) => {
    const conditionIndex = conditions.indexOf(replicate.condition);
    for (const part of replicate.parts) {
      const at = positionOfPart.get(part) ?? -1;
      conditionOfPart[at] = conditionIndex;
      replicateOfPart[at] = replicateIndex;
    }
  });
  const areObjects = measure.kind === 'column';
  const values = areObjects
    ? await gatherNumbers(view.table, measure.column, subset, signal)
    : Float64Array.from(parts, part => partValue(part) ?? NaN);
  const rowOfValue = (at: number) => (subset.rows ? (subset.rows[at] as number) : at);
  const partOfValue = (at: number) => (areObjects ? (partOfRow[rowOfValue(at)] as number) : at);
  const groupOf = new Int32Array(values.length);
  await eachPart(values.length, new Pacer(signal), (start, end) => {
    for (let at = start; at < end; at++) {
      const part = partOfValue(at);
      groupOf[at] = part === NO_PART ? -1 : (conditionOfPart[part] as number);
    }
  });
  const { points, ...distributions } = await distributionsOf(values, groupOf, conditions.length, signal);
  return {
    ...distributions,
    of: areObjects ? 'objects' : 'images',
    values: Float64Array.from(points, at => values[at] as number).buffer,
    conditions: Uint32Array.from(points, at => groupOf[at] as number).buffer,
    replicates: Uint32Array.from(points, at => replicateOfPart[partOfValue(at)] as number).buffer,
    rows: (areObjects ? Uint32Array.from(points, rowOfValue) : new Uint32Array(0)).buffer,
  };
}
