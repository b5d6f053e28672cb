import { pathParts } from '../../base/pathParts';
import { CodedError } from '../../base/errors';
import { eachPart, Pacer } from '../../base/node/slices';
import { codedReason, type Reason } from '../../base/reasons';
import { jsonNumber, type JsonNumber } from '../../columns/columnStatistics';
import { groupStatistics } from '../../columns/engine/statistics/groups';
import type { TableView } from '../../columns/engine/tableView';
import type { Filter } from '../../columns/viewSpec';
import type { Measure } from '../../study/conditionRequests';
import { type ImageParts, imageParts, NO_PART } from '../../study/engine/imageParts';
import type { StudyImages } from '../../study/engine/studyImages';
import { orderedValues } from '../../study/imageColumns';
import {
  imageName,
  type ImagePart,
  infiniteOf,
  type PartImage,
  pathsInSeveralJobs,
  quotientOf,
} from '../../study/replicates';
import type { PlateRequests, WellMeasure } from '../plateRequests';
import { type LeftOut, NO_CONDITION, type Plates, type PlateWells, SEVERAL_CONDITIONS } from '../plates';
import { compareWells, parseWell, type WellPlace, wellName } from '../wells';

export type PlatesSpec = Omit<PlateRequests['tablePlates']['params'], 'start' | 'end'>;

/** Maximum of left-out texts and of left-out images that are named. */
const MAX_NAMED = 100;

/** A well with the parts of its images. */
interface Well {
  plate: string | null;
  place: WellPlace;
  parts: ImagePart[];
}

/**
 * The wells of all plates. Values are over the objects of each well that match the filters; images
 * without objects count if their well is known. Throws `bad-request`, `too-many-objects`,
 * `cancelled`.
 */
export async function platesOf(
  view: TableView,
  images: StudyImages,
  { filters = [], measure, well, plate, condition, isOnePlate = false }: PlatesSpec,
  signal?: AbortSignal,
): Promise<Plates> {
  const { pathColumn } = images;
  const keys = [
    well,
    ...(plate === undefined ? [] : [plate]),
    ...(condition === undefined ? [] : [condition]),
  ];
  // By image, so that no image gets a well that only its rows could name.
  const spec = { filters, condition: pathColumn ?? well, replicate: keys, measure: countedBy(measure) };
  const counted = await imageParts(view, images, spec, signal);
  const { wells, leftOut } = wellsOf(counted.parts, { hasPlate: plate !== undefined });
  if (plate === undefined && !isOnePlate) refuseSeveralPlates(wells);
  const values = await valuesOf(view, counted, wells, { measure, filters }, signal);
  const conditionOf = (part: ImagePart) => (condition === undefined ? null : (part.replicate.at(-1) ?? null));
  const parts = wells.flatMap(({ parts: wellParts }) => wellParts);
  const spellingsOf = (column: number | undefined, value: string | null) => {
    const match = counted.alike.find(spelling => spelling.column === column && spelling.value === value);
    return value === null ? [] : [value, ...(match?.others ?? [])];
  };
  const conditionColumn = images.columns[images.imageColumnAt(condition ?? -1) ?? -1];
  const conditions = orderedValues({
    ...{ order: conditionColumn?.order, isNumeric: conditionColumn?.isNumeric },
    values: parts.flatMap(part => conditionOf(part) ?? []),
  });
  const positions = new Map(conditions.map((name, position) => [name, position]));
  const byPlate = new Map<string | null, PlateWells>();
  for (const [index, { plate: name, place, parts: wellParts }] of wells.entries()) {
    const plateWells = byPlate.get(name) ?? emptyPlate(name, spellingsOf(plate, name));
    byPlate.set(name, plateWells);
    const [firstCondition, otherCondition] = new Set(wellParts.flatMap(part => conditionOf(part) ?? []));
    plateWells.wells.push(wellName(place));
    plateWells.texts.push([
      ...new Set(wellParts.flatMap(part => spellingsOf(well, part.replicate[0] ?? null))),
    ]);
    plateWells.values.push(values.byWell[index] ?? null);
    plateWells.images.push(new Set(wellParts.flatMap(part => part.image ?? [])).size);
    plateWells.objects.push(objectsOf(wellParts));
    plateWells.conditions.push(
      otherCondition === undefined
        ? (positions.get(firstCondition ?? '') ?? NO_CONDITION)
        : SEVERAL_CONDITIONS,
    );
  }
  const plates = orderedPlates(byPlate, images, plate);
  return {
    plates,
    total: plates.length,
    conditions,
    leftOut,
    hasImages: pathColumn !== undefined,
    areAllKnown: images.areAllKnown,
    infinite: values.infinite,
    unjudged: measure.of ? counted.unjudged : 0,
    inSeveralJobs: pathsInSeveralJobs(wells.map(({ parts: wellParts }) => wellParts)),
  };
}

function objectsOf(parts: readonly ImagePart[]): number {
  return parts.reduce((sum, { objects }) => sum + objects, 0);
}

function emptyPlate(name: string | null, names: string[]): PlateWells {
  return { name, names, wells: [], texts: [], values: [], images: [], objects: [], conditions: [] };
}

function orderedPlates(
  byPlate: ReadonlyMap<string | null, PlateWells>,
  images: StudyImages,
  plate: number | undefined,
): PlateWells[] {
  const column = images.columns[images.imageColumnAt(plate ?? -1) ?? -1];
  const names = [...byPlate.keys()].filter(name => name !== null);
  const order = orderedValues({ ...column, values: names });
  const unnamed = byPlate.get(null);
  return [...order.flatMap(name => byPlate.get(name) ?? []), ...(unnamed ? [unnamed] : [])];
}

/** Statistics of a column need all numbers; other measures only need counts by image. */
function countedBy(measure: WellMeasure): Measure {
  if (measure.kind === 'share') return measure;
  const { kind, of = [] } = measure;
  return kind === 'objectsPerImage' ? { kind, per: measure.per, of } : { kind: 'share', of };
}

/** Joins the parts of images into wells, sorted row by row. */
function wellsOf(
  parts: readonly ImagePart[],
  { hasPlate }: { hasPlate: boolean },
): { wells: Well[]; leftOut: LeftOut } {
  const wells = new Map<string, Well>();
  const wellsOfImage = new Map<string, Set<string>>();
  const unplaced = { well: new LeftOutImages(), plate: new LeftOutImages() };
  const notWells = new Map<string, LeftOutImages>();
  for (const part of parts) {
    const [text = null, named = null] = part.replicate;
    const plate = hasPlate ? named : null;
    const place = text === null ? undefined : parseWell(text);
    if (text === null) unplaced.well.add(part);
    else if (!place) {
      const leftOut = notWells.get(text) ?? new LeftOutImages();
      notWells.set(text, leftOut);
      leftOut.add(part);
    } else if (hasPlate && plate === null) unplaced.plate.add(part);
    else {
      const name = wellName(place);
      const key = JSON.stringify([plate, name]);
      const well = wells.get(key) ?? { plate, place, parts: [] };
      wells.set(key, well);
      well.parts.push(part);
      if (part.image === null) continue;
      const image = JSON.stringify([plate, part.image]);
      wellsOfImage.set(image, (wellsOfImage.get(image) ?? new Set()).add(name));
    }
  }
  const inSeveralWells = new Map([...wellsOfImage].filter(([, names]) => names.size > 1));
  const isInSeveralWells = (plate: string | null, { image }: ImagePart) =>
    image !== null && inSeveralWells.has(JSON.stringify([plate, image]));
  const usedWells = [...wells.values()].flatMap(({ parts: wellParts, ...well }): Well[] => {
    const countedParts = wellParts.filter(part => !isInSeveralWells(well.plate, part));
    return countedParts.length > 0 ? [{ ...well, parts: countedParts }] : [];
  });
  return {
    wells: usedWells.sort((a, b) => compareWells(a.place, b.place)),
    leftOut: {
      withoutWell: unplaced.well.count,
      withoutPlate: unplaced.plate.count,
      notWells: [...notWells].slice(0, MAX_NAMED).map(([text, { count }]) => ({ text, images: count })),
      severalWells: [...inSeveralWells].slice(0, MAX_NAMED).map(([key, names]) => {
        const [, image] = JSON.parse(key) as [string | null, PartImage];
        return { image: imageName(image), wells: [...names] };
      }),
    },
  };
}

/** Counts images, or rows if no column names images. */
class LeftOutImages {
  private readonly images = new Set<PartImage>();
  private rows = 0;

  add({ image, objects }: ImagePart): void {
    if (image === null) this.rows += objects;
    else this.images.add(image);
  }

  get count(): number {
    return this.images.size || this.rows;
  }
}

/** Throws if images of one well have the same name in several folders or jobs, as of several plates. */
function refuseSeveralPlates(wells: readonly Well[]): void {
  for (const { place, parts } of wells) {
    const imageOf = new Map<string, PartImage>();
    for (const image of new Set(parts.flatMap(part => part.image ?? []))) {
      const name = pathParts(image.path).at(-1) ?? '';
      const other = imageOf.get(name);
      imageOf.set(name, image);
      if (!other) continue;
      const [folder, otherFolder] = [folderOf(image), folderOf(other)];
      if (folder === otherFolder && image.job === other.job) continue;
      if (folder !== otherFolder)
        throw severalPlates(
          codedReason(
            'several-plates',
            'Well {0} is in several folders, “{1}” and “{2}”, as of several plates. Give images a column with the role of plates',
            ...[wellName(place), otherFolder, folder],
          ),
        );
      throw severalPlates(
        codedReason(
          'several-plates',
          'Well {0} is in several jobs, “{1}” and “{2}”, as of several plates. Open the table of one job for its plate',
          ...[wellName(place), other.job ?? '', image.job ?? ''],
        ),
      );
    }
  }
}

function folderOf({ path }: PartImage): string {
  return pathParts(path).slice(0, -1).join('/');
}

function severalPlates(why: Reason): CodedError {
  return new CodedError('bad-request', 'Wells are of several plates', { reason: why });
}

/** The value of each well, and how many objects have an infinite number. */
async function valuesOf(
  view: TableView,
  { partOfRow, rows, parts }: ImageParts,
  wells: readonly Well[],
  { measure, filters }: { measure: WellMeasure; filters: readonly Filter[] },
  signal?: AbortSignal,
): Promise<{ byWell: JsonNumber[]; infinite: number }> {
  if (measure.kind === 'objects') {
    const objectCount = ({ parts: wellParts }: Well) =>
      measure.of ? wellParts.reduce((sum, { numerator }) => sum + numerator, 0) : objectsOf(wellParts);
    return { byWell: wells.map(objectCount), infinite: 0 };
  }
  if (measure.kind !== 'column')
    return { byWell: wells.map(well => quotientOf(well.parts)), infinite: infiniteOf(parts) };
  const { column, statistic, of = [] } = measure;
  const measuredRows = of.length > 0 ? await view.filteredRows([...filters, ...of], signal) : rows;
  view.columnAt(column);
  if (view.table.columns[column]?.kind !== 'number')
    throw new CodedError('bad-request', `Column ${column} has no numbers`);
  const noWell = wells.length;
  const wellOfPart = new Map<ImagePart, number>();
  wells.forEach((well, index) => well.parts.forEach(part => wellOfPart.set(part, index)));
  const wellIndexes = Uint32Array.from(parts, part => wellOfPart.get(part) ?? noWell);
  const ids = new Uint32Array(measuredRows.count);
  const counts = new Uint32Array(wells.length + 1);
  await eachPart(measuredRows.count, new Pacer(signal), (start, end) => {
    for (let index = start; index < end; index++) {
      const part = partOfRow[measuredRows.rows ? (measuredRows.rows[index] as number) : index] as number;
      const well = part === NO_PART ? noWell : (wellIndexes[part] as number);
      ids[index] = well;
      counts[well] = (counts[well] as number) + 1;
    }
  });
  const spec = { measures: [column], statistics: [statistic, 'infinite'] as const };
  const { values } = await groupStatistics(view.table, { ids, counts }, spec, measuredRows, signal);
  const [wellValues = [], infinite = []] = values;
  return {
    byWell: wells.map((_, index) => jsonNumber(wellValues[index])),
    infinite: wells.reduce((sum, _, index) => sum + (infinite[index] ?? 0), 0),
  };
}
