import { CodedError } from '../../base/errors';
import { eachPart, Pacer } from '../../base/node/slices';
import {
  gatherNumbers,
  numbersAt,
  type RowSubset,
  type TableSource,
} from '../../columns/engine/read/tableSource';
import { classColumnOf } from '../../columns/rowColumns';
import { groupedRows, groupKeys } from '../../columns/engine/statistics/groups';
import type { TableView } from '../../columns/engine/tableView';
import { type Filter, isReversed, isOfColumn } from '../../columns/viewSpec';
import { reason } from '../../base/reasons';
import type { EqualSpellings, Measure } from '../conditionRequests';
import { type ImagePart, imageName, type PartImage } from '../replicates';
import { Spellings } from '../spellings';
import { imagesOfJobs, imagesOfStudy, isColumnOfImages, isOfImages, type StudyImages } from './studyImages';

/** The measure, and the filters and columns that rows are counted by. */
export interface PartsSpec {
  filters: readonly Filter[];
  condition: number;
  replicate: readonly number[];
  measure: Measure;
  /** Maximum number of conditions; checked before each image gets a part for each condition. */
  maxConditions?: number;
}

/** The rows of a table counted by image, condition and replicate. */
export interface ImageParts {
  /** Parts with rows, then parts of images without rows. */
  parts: ImagePart[];
  /**
   * The part of each row of the file, by position in `parts`; NO_PART for rows of excluded images.
   */
  partOfRow: Uint32Array;
  /** The measured rows: they match the table's filters and those of the measure. */
  rows: RowSubset;
  /**
   * Number of objects that the measure's filters can't judge, since a value is missing. For
   * populations, objects of their parents count.
   */
  unjudged: number;
  /** Excluded images that the filters don't remove, with the reasons. */
  excluded: { image: string; reason: string }[];
  /** Values of the condition and replicate columns with several spellings. */
  alike: EqualSpellings[];
}

export const NO_PART = 0xffff_ffff;

/** Maximum number of parts without objects: each takes some hundred bytes. */
const MAX_EMPTY_PARTS = 2_000_000;

/**
 * Counts the rows of a table by image, in one pass over each needed column. A filter of images
 * removes images, also one of the measure; a filter of rows keeps images, possibly without objects.
 * Throws `bad-request`, `too-many-objects`, `cancelled`.
 */
export async function imageParts(
  view: TableView,
  imagesOfPaths: StudyImages,
  { filters: tableFilters, condition, replicate, measure, maxConditions = Infinity }: PartsSpec,
  signal?: AbortSignal,
): Promise<ImageParts> {
  const { table } = view;
  const images = await imagesOfJobs(imagesOfPaths, table, signal);
  const { of: measureFilters = [] } = measure;
  for (const filter of measureFilters) {
    if (filter.kind !== 'range' || !isReversed(filter)) continue;
    const { column, from, to } = filter;
    // Every share would be 0, for no visible reason. With such a filter of the table, the user sees
    // that no row matches.
    throw new CodedError('bad-request', 'A range begins above its end', {
      reason: reason(
        'The range of {0} begins above its end ({1} to {2})',
        table.columns[column]?.name ?? '',
        from ?? '',
        to ?? '',
      ),
    });
  }
  // An image that a filter of the share removes has no share, rather than a share of 0.
  const filters = [...tableFilters, ...measureFilters.filter(filter => isOfImages(filter, images))];
  const keyColumns = [condition, ...replicate];
  for (const column of keyColumns) view.columnAt(column);
  const imageFilters = filters.filter(filter => isOfImages(filter, images));
  const isIncluded = await imagesOfStudy(images, table, imageFilters, signal);
  const isMatching = await imagesOfStudy({ ...images, excluded: [] }, table, imageFilters, signal);
  const spellings = keyColumns.map(column => spellingsOf(images, column, isIncluded));
  const partImages = new PartImages();
  const rowSpec = { imageFilters, keyColumns, isIncluded, spellings, partImages };
  const { parts, partOfRow } = await partsOfRows(view, images, rowSpec, signal);
  const isOfObjects =
    condition === classColumnOf(table.columns) && images.imageColumnAt(condition) === undefined;
  const partSpec = { keyColumns, isIncluded, spellings, partImages, isOfObjects, maxConditions };
  for (const part of partsWithoutRows(parts, images, partSpec)) parts.push(part);

  const matching = await view.filteredRows(filters, signal);
  await countInto(parts, partOfRow, matching, 'objects', signal);
  const rows =
    measureFilters.length > 0 ? await view.filteredRows([...filters, ...measureFilters], signal) : matching;
  let unjudged = 0;
  if (measureFilters.length > 0) {
    const sumDenominators = () => parts.reduce((total, { denominator }) => total + denominator, 0);
    const inParents = await view.filteredRows([...filters, ...parentFilters(measureFilters)], signal);
    await countInto(parts, partOfRow, inParents, 'denominator', signal);
    unjudged = sumDenominators();
    const judgedRows = await view.filteredRows([...filters, ...judgedFilters(measureFilters)], signal);
    await countInto(parts, partOfRow, judgedRows, 'denominator', signal);
    unjudged -= sumDenominators();
  } else for (const part of parts) part.denominator = part.objects;
  switch (measure.kind) {
    case 'column':
      view.columnAt(measure.column);
      if (table.columns[measure.column]?.kind !== 'number')
        throw new CodedError('bad-request', `Column ${measure.column} has no numbers`);
      await sumInto(parts, partOfRow, rows, await gatherNumbers(table, measure.column, rows, signal), signal);
      break;
    case 'objectsPerImage': {
      if (images.pathColumn === undefined)
        throw new CodedError('bad-request', 'No column of the table names images', {
          reason: reason('No column of the table names images'),
        });
      if (measure.per === 'area' && !images.areas)
        throw new CodedError('bad-request', 'Not every image has a pixel size', {
          reason: reason('Not every image has a pixel size'),
        });
      const areaOf = new Map(images.images.map((path, at) => [path, images.areas?.[at] ?? 0]));
      await countInto(parts, partOfRow, rows, 'numerator', signal);
      for (const part of parts) {
        // Rows without an image count for no image.
        if (part.image === null) part.denominator = 0;
        else part.denominator = measure.per === 'area' ? (areaOf.get(part.image.path) ?? 0) : 1;
      }
      break;
    }
    case 'share': {
      const matchingRows = await view.filteredRows(
        [...filters, ...judgedFilters(measureFilters), ...measureFilters],
        signal,
      );
      await countInto(parts, partOfRow, matchingRows, 'numerator', signal);
    }
  }
  return {
    parts,
    partOfRow,
    rows,
    unjudged,
    excluded: images.excluded
      .filter(({ image }) => isMatching[image] === 1)
      .map(({ image, reason: why }) => ({ image: imageName(partImage(images, image)), reason: why })),
    alike: spellings.flatMap((columnSpellings, at) =>
      columnSpellings.alike.map(equal => ({ column: keyColumns[at] ?? 0, ...equal })),
    ),
  };
}

interface PartSpec {
  keyColumns: readonly number[];
  /** For each image, 1 if it is included, see imagesOfStudy. */
  isIncluded: Uint8Array;
  /** One for each key column. */
  spellings: readonly Spellings[];
  partImages: PartImages;
  /** Whether the condition is a property of objects, such as their class. */
  isOfObjects: boolean;
  maxConditions: number;
}

interface RowPartSpec extends Pick<PartSpec, 'keyColumns' | 'isIncluded' | 'spellings' | 'partImages'> {
  imageFilters: readonly Filter[];
}

/** The images of parts. Each has a single instance, so that images can be compared by identity. */
class PartImages {
  private readonly images = new Map<string, PartImage>();

  of(image: PartImage): PartImage {
    const key = JSON.stringify([image.job, image.path]);
    const instance = this.images.get(key) ?? image;
    this.images.set(key, instance);
    return instance;
  }
}

function partImage({ images, jobs }: StudyImages, position: number): PartImage {
  const job = jobs?.[position];
  return { path: images[position] ?? '', ...(job !== undefined && { job }) };
}

/** The spellings of an image column's values; empty for a column of rows. */
function spellingsOf(images: StudyImages, column: number, isIncluded: Uint8Array): Spellings {
  const spellings = new Spellings();
  images.columns[images.imageColumnAt(column) ?? -1]?.values.forEach((value, image) => {
    if (value !== '' && isIncluded[image] === 1) spellings.add(value);
  });
  return spellings;
}

/** The parts with rows: one for each image, condition and replicate; and the part of each row. */
async function partsOfRows(
  view: TableView,
  images: StudyImages,
  { imageFilters, keyColumns, isIncluded, spellings, partImages }: RowPartSpec,
  signal?: AbortSignal,
): Promise<{ parts: ImagePart[]; partOfRow: Uint32Array }> {
  const { table } = view;
  const subset = await view.filteredRows(imageFilters, signal);
  const { pathColumn, jobColumn } = images;
  const isNameColumn = (column: number | undefined) => column === pathColumn || column === jobColumn;
  const isImageColumn = (column: number) => images.imageColumnAt(column) !== undefined;
  // The image determines the value of an image column: rows needn't be read for it.
  const rowColumns = keyColumns.filter(column => isNameColumn(column) || !isImageColumn(column));
  const nameColumns = [pathColumn, jobColumn].filter(column => column !== undefined);
  const groupColumns = [...new Set([...nameColumns, ...rowColumns])];
  const partOfRow = new Uint32Array(table.rowCount).fill(NO_PART);
  if (groupColumns.length === 0) return { parts: [], partOfRow };
  const grouped = await groupedRows(table, groupColumns, subset, signal);
  const groups = Uint32Array.from({ length: grouped.total }, (_, at) => at);
  const keys = groupKeys(table, groupColumns, grouped, groups);
  for (const [place, column] of groupColumns.entries())
    if (table.columns[column]?.kind === 'number')
      await unifySpellings(table, column, place, grouped, keys, signal);
  const valuesOfGroup = Array.from(groups, group => {
    const groupValues = keys[group] ?? [];
    const valueOf = (column: number) => groupValues[groupColumns.indexOf(column)] ?? null;
    const text = pathColumn === undefined ? null : valueOf(pathColumn);
    const job = jobColumn === undefined ? null : valueOf(jobColumn);
    const position = text === null ? undefined : images.positionOf(text, job);
    if (position !== undefined && isIncluded[position] === 0) return undefined;
    const unlisted = text === null ? null : { path: text, ...(job !== null && { job }) };
    const image = position === undefined ? unlisted : partImage(images, position);
    const values = keyColumns.map(column =>
      isImageColumn(column) ? imageValue(images, column, position) : valueOf(column),
    );
    values.forEach((value, at) => {
      if (value !== null && !isNameColumn(keyColumns[at])) spellings[at]?.add(value);
    });
    return { image: image && partImages.of(image), values };
  });
  const parts: ImagePart[] = [];
  const partPositions = new Map<string, number>();
  const partOfGroup = valuesOfGroup.map(group => {
    if (!group) return NO_PART;
    const { image, values } = group;
    const [condition = null, ...replicate] = values.map((value, at) =>
      spelled(value, isNameColumn(keyColumns[at]) ? undefined : spellings[at]),
    );
    const key = JSON.stringify([image, condition, ...replicate]);
    const place = partPositions.get(key);
    if (place !== undefined) return place;
    partPositions.set(key, parts.length);
    return parts.push({ image, condition, replicate, objects: 0, numerator: 0, denominator: 0 }) - 1;
  });
  const { rows, count } = subset;
  await eachPart(count, new Pacer(signal), (start, end) => {
    for (let at = start; at < end; at++)
      partOfRow[rows ? (rows[at] as number) : at] = partOfGroup[grouped.ids[at] as number] as number;
  });
  return { parts, partOfRow };
}

function spelled(value: string | null, spellings: Spellings | undefined): string | null {
  return value === null || !spellings ? value : spellings.of(value);
}

/**
 * Gives equal numbers, such as 1.0 and 1, the spelling of the first one: they would be separate
 * groups otherwise.
 */
async function unifySpellings(
  table: TableSource,
  column: number,
  place: number,
  { firstRows }: { firstRows: Uint32Array },
  keys: readonly (string | null)[][],
  signal?: AbortSignal,
): Promise<void> {
  const numbers = await numbersAt(table, column, Int32Array.from(firstRows), signal);
  const spellingOf = new Map<number, string | null>();
  keys.forEach((groupValues, group) => {
    const value = numbers[group] ?? NaN;
    const first = spellingOf.get(value);
    if (first === undefined) spellingOf.set(value, groupValues[place] ?? null);
    else groupValues[place] = first;
  });
}

/**
 * Parts of images without objects, if their condition and replicate are known without rows. A
 * condition may be a property of objects, such as a class: then each image gets a part for each
 * condition, as it may have no objects of it.
 */
function partsWithoutRows(
  parts: readonly ImagePart[],
  images: StudyImages,
  { keyColumns, isIncluded, spellings, partImages, isOfObjects: isClassColumn, maxConditions }: PartSpec,
): ImagePart[] {
  const [condition, ...replicate] = keyColumns;
  if (images.pathColumn === undefined || condition === undefined) return [];
  const empty = { objects: 0, numerator: 0, denominator: 0 };
  const isKnown = (column: number) => isColumnOfImages(column, images);
  const imageAt = (at: number) => partImages.of(partImage(images, at));
  const imagesWithRows = new Set(parts.map(({ image }) => image));
  const imagesWithoutRows = replicate.every(isKnown)
    ? [...images.images.keys()].filter(at => isIncluded[at] === 1 && !imagesWithRows.has(imageAt(at)))
    : [];
  const valuesOf = (columns: readonly number[], at: number) =>
    columns.map(column =>
      column === images.pathColumn
        ? (images.images[at] ?? null)
        : column === images.jobColumn
          ? (images.jobs?.[at] ?? null)
          : spelled(imageValue(images, column, at), spellings[keyColumns.indexOf(column)]),
    );
  if (isKnown(condition))
    return imagesWithoutRows.map(at => {
      const [conditionValue = null, ...replicateValues] = valuesOf([condition, ...replicate], at);
      return {
        image: imageAt(at),
        condition: conditionValue,
        replicate: replicateValues,
        ...empty,
      };
    });
  const conditions = new Set(parts.map(part => part.condition).filter(value => value !== null));
  const byImage = new Map<PartImage | null, ImagePart[]>();
  for (const part of parts) {
    const partsOfImage = byImage.get(part.image);
    if (partsOfImage) partsOfImage.push(part);
    else byImage.set(part.image, [part]);
  }
  const conditionsOf = (partsOfImage: readonly ImagePart[]) =>
    new Set(partsOfImage.flatMap(part => part.condition ?? [])).size;
  const isOfObjects =
    isClassColumn || [...byImage.values()].some(partsOfImage => conditionsOf(partsOfImage) > 1);
  if (!isOfObjects) return [];
  if (conditions.size > maxConditions) throw tooManyConditions(conditions.size, maxConditions);
  const keyOf = (value: string | null, names: ImagePart['replicate']) => JSON.stringify([value, ...names]);
  const ofImages = Array.from(byImage, ([image, partsOfImage]) => ({
    image,
    replicates: [
      ...new Map(partsOfImage.map(part => [keyOf(null, part.replicate), part.replicate])).values(),
    ],
    existing: new Set(partsOfImage.map(part => keyOf(part.condition, part.replicate))),
  }));
  const count = ofImages.reduce((sum, { replicates }) => sum + replicates.length, imagesWithoutRows.length);
  if (count * conditions.size > MAX_EMPTY_PARTS)
    throw new CodedError('too-many-objects', `More than ${MAX_EMPTY_PARTS} parts of images`, {
      reason: reason('There are more than {0} groups', MAX_EMPTY_PARTS),
    });
  const partsWithoutImageRows = imagesWithoutRows.flatMap(at =>
    Array.from(conditions, value => ({
      image: imageAt(at),
      condition: value,
      replicate: valuesOf(replicate, at),
      ...empty,
    })),
  );
  const missingParts = ofImages.flatMap(({ image, replicates, existing }) =>
    replicates.flatMap(names =>
      [...conditions]
        .filter(value => !existing.has(keyOf(value, names)))
        .map(value => ({ image, condition: value, replicate: names, ...empty })),
    ),
  );
  return [...missingParts, ...partsWithoutImageRows];
}

/** The error for too many conditions to compare. */
export function tooManyConditions(count: number, max: number): CodedError {
  return new CodedError('bad-request', 'Too many conditions', {
    reason: reason('There are {0} conditions, and at most {1} can be compared', count, max),
  });
}

function imageValue(images: StudyImages, column: number, position: number | undefined): string | null {
  const values = images.columns[images.imageColumnAt(column) ?? -1]?.values;
  return (position !== undefined && values?.[position]) || null;
}

/**
 * Filters for the objects that other filters can judge: those with a value in each of their
 * columns, unless a filter is for missing values. For populations, objects of the parent with known
 * membership.
 */
function judgedFilters(filters: readonly Filter[]): Filter[] {
  const columns = filters.flatMap(filter => {
    const isForMissing = filter.kind === 'missing' || (filter.kind === 'values' && filter.missing === true);
    return !isOfColumn(filter) || isForMissing ? [] : [filter.column];
  });
  const withValues = [...new Set(columns)].map((column): Filter => ({
    kind: 'missing',
    column,
    missing: false,
  }));
  const inParents = filters.flatMap((filter): Filter[] =>
    filter.kind === 'population' ? [{ ...filter, judged: true }] : [],
  );
  return [...withValues, ...inParents];
}

/** For population filters, filters for the objects of their parents. */
function parentFilters(filters: readonly Filter[]): Filter[] {
  return filters.flatMap((filter): Filter[] =>
    filter.kind === 'population' ? [{ ...filter, ofParent: true }] : [],
  );
}

async function countInto(
  parts: readonly ImagePart[],
  partOfRow: Uint32Array,
  { rows, count }: RowSubset,
  field: 'objects' | 'numerator' | 'denominator',
  signal?: AbortSignal,
): Promise<void> {
  const counts = new Float64Array(parts.length + 1);
  // Rows without a part are counted after all parts.
  const none = parts.length;
  await eachPart(count, new Pacer(signal), (start, end) => {
    for (let at = start; at < end; at++) {
      const part = partOfRow[rows ? (rows[at] as number) : at] as number;
      const countIndex = part === NO_PART ? none : part;
      counts[countIndex] = (counts[countIndex] as number) + 1;
    }
  });
  parts.forEach((part, at) => (part[field] = counts[at] ?? 0));
}

/**
 * Sums the finite numbers of rows into `numerator`, corrected for rounding errors (Neumaier), and
 * counts them in `denominator`. Infinite numbers are counted separately.
 */
async function sumInto(
  parts: readonly ImagePart[],
  partOfRow: Uint32Array,
  { rows, count }: RowSubset,
  numbers: Float64Array,
  signal?: AbortSignal,
): Promise<void> {
  const sums = new Float64Array(parts.length);
  const corrections = new Float64Array(parts.length);
  const counts = new Float64Array(parts.length);
  const sizes = new Float64Array(parts.length);
  const infinite = new Float64Array(parts.length);
  await eachPart(count, new Pacer(signal), (start, end) => {
    for (let at = start; at < end; at++) {
      const part = partOfRow[rows ? (rows[at] as number) : at] as number;
      const value = numbers[at] as number;
      if (part === NO_PART) continue;
      if (!Number.isFinite(value)) {
        if (value === value) infinite[part] = (infinite[part] as number) + 1;
        continue;
      }
      const sum = sums[part] as number;
      const next = sum + value;
      corrections[part] =
        (corrections[part] as number) +
        (Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum);
      sums[part] = next;
      sizes[part] = (sizes[part] as number) + Math.abs(value);
      counts[part] = (counts[part] as number) + 1;
    }
  });
  parts.forEach((part, at) => {
    part.numerator = (sums[at] ?? 0) + (corrections[at] ?? 0);
    part.denominator = counts[at] ?? 0;
    part.size = sizes[at] ?? 0;
    part.infinite = infinite[at] ?? 0;
  });
}
