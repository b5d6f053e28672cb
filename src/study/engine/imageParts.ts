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
import type { ImagePart } from '../replicates';
import { Spellings } from '../spellings';
import { imagesOfStudy, isOfImages, type StudyImages } from './studyImages';

/** The count and the counted rows. */
export interface PartsSpec {
  filters: readonly Filter[];
  condition: number;
  replicate: readonly number[];
  measure: Measure;
  /** Maximum number of conditions; more are refused before each image has a part for each. */
  maxConditions?: number;
}

/** The rows of a table counted by image, condition and replicate. */
export interface ImageParts {
  /** Those of rows, then those of images without any. */
  parts: ImagePart[];
  /**
   * The part of each row of the file, by position in `parts`; NO_PART for rows of left-out images.
   */
  partOfRow: Uint32Array;
  /** The rows that are measured: those that match all filters, and those of the measure. */
  rows: RowSubset;
  /**
   * Objects without a value in a column of the measure's filters, which neither match nor fail; for
   * populations, objects of their parents.
   */
  unjudged: number;
  /** Excluded images that the filters would let through, by position. */
  excluded: number[];
  /** Values of the condition and replicate columns that are written in several ways. */
  alike: EqualSpellings[];
}

export const NO_PART = 0xffff_ffff;

/** Parts of images for values that they may have no object of: each takes some hundred bytes. */
const MAX_EMPTY_PARTS = 2_000_000;

/**
 * Counts the rows of a table by image in one pass over each column that is needed. Filters about
 * images leave images out, also those of a share; those about rows leave images in, perhaps with no
 * object. Throws `bad-request`, `too-many-objects`, `cancelled`.
 */
export async function imageParts(
  view: TableView,
  images: StudyImages,
  { filters: ofTable, condition, replicate, measure, maxConditions = Infinity }: PartsSpec,
  signal?: AbortSignal,
): Promise<ImageParts> {
  const { table } = view;
  const { of: shared = [] } = measure;
  for (const filter of shared) {
    if (filter.kind !== 'range' || !isReversed(filter)) continue;
    const { column, from, to } = filter;
    // Shares of 0 wouldn't say that nothing is in it; of a table's own filter, that no row matches
    // does.
    throw new CodedError('bad-request', 'A range begins above its end', {
      reason: reason(
        'The range of {0} begins above its end ({1} to {2})',
        table.columns[column]?.name ?? '',
        from ?? '',
        to ?? '',
      ),
    });
  }
  // An image that can't have objects of the share has no share of 0.
  const filters = [...ofTable, ...shared.filter(filter => isOfImages(filter, images))];
  const keyColumns = [condition, ...replicate];
  for (const column of keyColumns) view.columnAt(column);
  const aboutImages = filters.filter(filter => isOfImages(filter, images));
  const study = await imagesOfStudy(images, table, aboutImages, signal);
  const excluded = images.excluded.map(({ image }) => image);
  const wouldMatch = await imagesOfStudy({ ...images, excluded: [] }, table, aboutImages, signal);
  const spellings = keyColumns.map(column => spellingsOf(images, column, study));
  const ofRows = { aboutImages, keyColumns, study, spellings };
  const { parts, partOfRow } = await partsOfRows(view, images, ofRows, signal);
  const isOfObjects =
    condition === classColumnOf(table.columns) && images.imageColumnAt(condition) === undefined;
  const known = { keyColumns, study, spellings, isOfObjects, maxConditions };
  for (const part of partsWithoutRows(parts, images, known)) parts.push(part);

  const all = await view.filteredRows(filters, signal);
  await countInto(parts, partOfRow, all, 'objects', signal);
  const rows = shared.length > 0 ? await view.filteredRows([...filters, ...shared], signal) : all;
  let unjudged = 0;
  if (shared.length > 0) {
    const sumUnder = () => parts.reduce((total, { under }) => total + under, 0);
    const asked = await view.filteredRows([...filters, ...ofParents(shared)], signal);
    await countInto(parts, partOfRow, asked, 'under', signal);
    unjudged = sumUnder();
    const judging = await view.filteredRows([...filters, ...judged(shared)], signal);
    await countInto(parts, partOfRow, judging, 'under', signal);
    unjudged -= sumUnder();
  } else for (const part of parts) part.under = part.objects;
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
      await countInto(parts, partOfRow, rows, 'over', signal);
      for (const part of parts) {
        // Rows that name no image are of none.
        if (part.image === null) part.under = 0;
        else part.under = measure.per === 'area' ? (areaOf.get(part.image) ?? 0) : 1;
      }
      break;
    }
    case 'share': {
      const passing = await view.filteredRows([...filters, ...judged(shared), ...shared], signal);
      await countInto(parts, partOfRow, passing, 'over', signal);
    }
  }
  return {
    parts,
    partOfRow,
    rows,
    unjudged,
    excluded: excluded.filter(image => wouldMatch[image] === 1),
    alike: spellings.flatMap((own, at) => own.alike.map(each => ({ column: keyColumns[at] ?? 0, ...each }))),
  };
}

interface KnownParts {
  keyColumns: readonly number[];
  study: Uint8Array;
  /** Per key column. */
  spellings: readonly Spellings[];
  /** Whether the condition is known to be one of objects, such as their class. */
  isOfObjects: boolean;
  maxConditions: number;
}

interface RowParts extends Pick<KnownParts, 'keyColumns' | 'study' | 'spellings'> {
  aboutImages: readonly Filter[];
}

/** The spelling of an image column's values; unknown for a column of rows. */
function spellingsOf(images: StudyImages, column: number, study: Uint8Array): Spellings {
  const spellings = new Spellings();
  images.columns[images.imageColumnAt(column) ?? -1]?.values.forEach((value, image) => {
    if (value !== '' && study[image] === 1) spellings.add(value);
  });
  return spellings;
}

/** A part for each image, condition and replicate that rows have, and where each row belongs. */
async function partsOfRows(
  view: TableView,
  images: StudyImages,
  { aboutImages, keyColumns, study, spellings }: RowParts,
  signal?: AbortSignal,
): Promise<{ parts: ImagePart[]; partOfRow: Uint32Array }> {
  const { table } = view;
  const subset = await view.filteredRows(aboutImages, signal);
  const { pathColumn } = images;
  const isImageColumn = (column: number) => images.imageColumnAt(column) !== undefined;
  // The value of an image column follows from the image: its rows need no look at it.
  const rowColumns = keyColumns.filter(column => column === pathColumn || !isImageColumn(column));
  const by = [...new Set([...(pathColumn === undefined ? [] : [pathColumn]), ...rowColumns])];
  const partOfRow = new Uint32Array(table.rowCount).fill(NO_PART);
  if (by.length === 0) return { parts: [], partOfRow };
  const grouped = await groupedRows(table, by, subset, signal);
  const groups = Uint32Array.from({ length: grouped.total }, (_, at) => at);
  const keys = groupKeys(table, by, grouped, groups);
  for (const [place, column] of by.entries())
    if (table.columns[column]?.kind === 'number')
      await spellAlike(table, column, place, grouped, keys, signal);
  const found = Array.from(groups, group => {
    const own = keys[group] ?? [];
    const valueOf = (column: number) => own[by.indexOf(column)] ?? null;
    const text = pathColumn === undefined ? null : valueOf(pathColumn);
    const position = text === null ? undefined : images.positionOf(text);
    const image = position === undefined ? text : (images.images[position] ?? text);
    if (position !== undefined && study[position] === 0) return undefined;
    const values = keyColumns.map(column =>
      isImageColumn(column) ? imageValue(images, column, position) : valueOf(column),
    );
    values.forEach((value, at) => {
      if (value !== null && keyColumns[at] !== pathColumn) spellings[at]?.add(value);
    });
    return { image, values };
  });
  const parts: ImagePart[] = [];
  const places = new Map<string, number>();
  const partOfGroup = found.map(group => {
    if (!group) return NO_PART;
    const { image, values } = group;
    const [condition = null, ...replicate] = values.map((value, at) =>
      spelled(value, keyColumns[at] === pathColumn ? undefined : spellings[at]),
    );
    const key = JSON.stringify([image, condition, ...replicate]);
    const place = places.get(key);
    if (place !== undefined) return place;
    places.set(key, parts.length);
    return parts.push({ image, condition, replicate, objects: 0, over: 0, under: 0 }) - 1;
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
 * Gives equal numbers, such as 1.0 and 1, the first one's spelling: otherwise groups by several
 * columns would be separate.
 */
async function spellAlike(
  table: TableSource,
  column: number,
  place: number,
  { firstRows }: { firstRows: Uint32Array },
  keys: readonly (string | null)[][],
  signal?: AbortSignal,
): Promise<void> {
  const numbers = await numbersAt(table, column, Int32Array.from(firstRows), signal);
  const spelled = new Map<number, string | null>();
  keys.forEach((own, group) => {
    const value = numbers[group] ?? NaN;
    const first = spelled.get(value);
    if (first === undefined) spelled.set(value, own[place] ?? null);
    else own[place] = first;
  });
}

/**
 * Parts of images without objects, whose condition and replicate are known without rows. Where a
 * condition is one of objects rather than of images, such as a class, an image has a part for each
 * condition: it may have no object of it.
 */
function partsWithoutRows(
  parts: readonly ImagePart[],
  images: StudyImages,
  { keyColumns, study, spellings, isOfObjects: isClass, maxConditions }: KnownParts,
): ImagePart[] {
  const [condition, ...replicate] = keyColumns;
  if (images.pathColumn === undefined || condition === undefined) return [];
  const empty = { objects: 0, over: 0, under: 0 };
  const isKnown = (column: number) =>
    column === images.pathColumn || images.imageColumnAt(column) !== undefined;
  const seen = new Set(parts.map(({ image }) => image));
  const unseen = replicate.every(isKnown)
    ? [...images.images.keys()].filter(at => study[at] === 1 && !seen.has(images.images[at] ?? ''))
    : [];
  const valuesOf = (columns: readonly number[], at: number) =>
    columns.map(column =>
      column === images.pathColumn
        ? (images.images[at] ?? null)
        : spelled(imageValue(images, column, at), spellings[keyColumns.indexOf(column)]),
    );
  if (isKnown(condition))
    return unseen.map(at => {
      const [own = null, ...others] = valuesOf([condition, ...replicate], at);
      return { image: images.images[at] ?? '', condition: own, replicate: others, ...empty };
    });
  const conditions = new Set(parts.map(part => part.condition).filter(value => value !== null));
  const byImage = new Map<string | null, ImagePart[]>();
  for (const part of parts) {
    const own = byImage.get(part.image);
    if (own) own.push(part);
    else byImage.set(part.image, [part]);
  }
  const conditionsOf = (own: readonly ImagePart[]) => new Set(own.flatMap(part => part.condition ?? [])).size;
  const isOfObjects = isClass || [...byImage.values()].some(own => conditionsOf(own) > 1);
  if (!isOfObjects) return [];
  if (conditions.size > maxConditions) throw tooManyConditions(conditions.size, maxConditions);
  const keyOf = (value: string | null, names: ImagePart['replicate']) => JSON.stringify([value, ...names]);
  const ofImages = Array.from(byImage, ([image, own]) => ({
    image,
    replicates: [...new Map(own.map(part => [keyOf(null, part.replicate), part.replicate])).values()],
    there: new Set(own.map(part => keyOf(part.condition, part.replicate))),
  }));
  const count = ofImages.reduce((sum, { replicates }) => sum + replicates.length, unseen.length);
  if (count * conditions.size > MAX_EMPTY_PARTS)
    throw new CodedError('too-many-objects', `More than ${MAX_EMPTY_PARTS} parts of images`, {
      reason: reason('There are more than {0} groups', MAX_EMPTY_PARTS),
    });
  const without = unseen.flatMap(at =>
    Array.from(conditions, value => ({
      image: images.images[at] ?? '',
      condition: value,
      replicate: valuesOf(replicate, at),
      ...empty,
    })),
  );
  const among = ofImages.flatMap(({ image, replicates, there }) =>
    replicates.flatMap(names =>
      [...conditions]
        .filter(value => !there.has(keyOf(value, names)))
        .map(value => ({ image, condition: value, replicate: names, ...empty })),
    ),
  );
  return [...among, ...without];
}

/** Why there is no comparison of so many. */
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
 * Filters for objects with a value in every column of some filters, except those that ask for
 * missing ones; for populations, objects of their parents with known membership.
 */
function judged(filters: readonly Filter[]): Filter[] {
  const columns = filters.flatMap(filter => {
    const asksForMissing = filter.kind === 'missing' || (filter.kind === 'values' && filter.missing === true);
    return !isOfColumn(filter) || asksForMissing ? [] : [filter.column];
  });
  const known = [...new Set(columns)].map((column): Filter => ({ kind: 'missing', column, missing: false }));
  const inParents = filters.flatMap((filter): Filter[] =>
    filter.kind === 'population' ? [{ ...filter, judged: true }] : [],
  );
  return [...known, ...inParents];
}

/**
 * Filters that leave the objects of which some filters are asked: of populations, their parents.
 */
function ofParents(filters: readonly Filter[]): Filter[] {
  return filters.flatMap((filter): Filter[] =>
    filter.kind === 'population' ? [{ ...filter, ofParent: true }] : [],
  );
}

async function countInto(
  parts: readonly ImagePart[],
  partOfRow: Uint32Array,
  { rows, count }: RowSubset,
  what: 'objects' | 'over' | 'under',
  signal?: AbortSignal,
): Promise<void> {
  const counts = new Float64Array(parts.length + 1);
  const none = parts.length;
  await eachPart(count, new Pacer(signal), (start, end) => {
    for (let at = start; at < end; at++) {
      const part = partOfRow[rows ? (rows[at] as number) : at] as number;
      const place = part === NO_PART ? none : part;
      counts[place] = (counts[place] as number) + 1;
    }
  });
  parts.forEach((part, at) => (part[what] = counts[at] ?? 0));
}

/**
 * Sums finite numbers of rows into `over`, with rounding errors (Neumaier), and counts them into
 * `under`; infinite ones are counted apart.
 */
async function sumInto(
  parts: readonly ImagePart[],
  partOfRow: Uint32Array,
  { rows, count }: RowSubset,
  numbers: Float64Array,
  signal?: AbortSignal,
): Promise<void> {
  const sums = new Float64Array(parts.length);
  const lost = new Float64Array(parts.length);
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
      lost[part] =
        (lost[part] as number) + (Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum);
      sums[part] = next;
      sizes[part] = (sizes[part] as number) + Math.abs(value);
      counts[part] = (counts[part] as number) + 1;
    }
  });
  parts.forEach((part, at) => {
    part.over = (sums[at] ?? 0) + (lost[at] ?? 0);
    part.under = counts[at] ?? 0;
    part.size = sizes[at] ?? 0;
    part.infinite = infinite[at] ?? 0;
  });
}
