import { CodedError } from '../../base/errors';
import { type GroupOrder, statisticsOf } from '../../columns/columnStatistics';
import type { TableView } from '../../columns/engine/tableView';
import type { Filter } from '../../columns/viewSpec';
import type { EqualSpellings, Measure } from '../conditionRequests';
import {
  areMultiplied,
  type ImagePart,
  infiniteOf,
  partValue,
  type ReplicateMean,
  replicatesOf,
} from '../replicates';
import { summaryOf } from '../statistics';
import type { UnitStatisticId } from '../../columns/unitStatistics';
import { imageParts } from './imageParts';
import { isOfImages, type StudyImages } from './studyImages';

/** Groups whose statistics are over images or replicates rather than over rows. */
interface UnitGroupsSpec {
  filters: readonly Filter[];
  by: readonly number[];
  measures: readonly Measure[];
  statistics: readonly UnitStatisticId[];
  of: 'images' | 'replicates';
  /** The columns of replicates, and of technical ones; for `replicates`. */
  replicate: readonly number[];
  technical?: readonly number[] | undefined;
  /** See comparisonFields. */
  combined?: boolean | undefined;
  mean: ReplicateMean;
}

interface UnitGroup {
  keys: readonly (string | null)[];
  /** Objects of the group that match the filters. */
  rows: number;
  /** All statistics of the first measure, then of the second, and so on. */
  values: (number | null)[];
}

const EVERY_OBJECT: Measure = { kind: 'share', of: [] };

/** Such groups in the order of their first rows, and all of them as one. */
interface UnitGroups {
  groups: UnitGroup[];
  all: Pick<UnitGroup, 'rows' | 'values'>;
  /** For each measure: objects in no share, since a value is missing. */
  unjudged: number[];
  /** Columns of replicates multiply n, see areMultiplied: then there is no SEM and no interval. */
  areLevelsOpen: boolean;
  /** Values that are written in several ways and count as one. */
  alike: EqualSpellings[];
  /** For each measure: objects whose number is infinite, and in no mean. */
  infinite: number[];
}

/**
 * Groups of rows by columns, with statistics of the values of their images or of their replicates.
 * Images without objects count where it is known in which group they are. Throws `bad-request`,
 * `too-many-objects`, `cancelled`.
 */
export async function unitGroups(
  view: TableView,
  images: StudyImages,
  {
    filters,
    by,
    measures,
    statistics,
    of,
    replicate,
    technical = [],
    combined = false,
    mean,
  }: UnitGroupsSpec,
  signal?: AbortSignal,
): Promise<UnitGroups> {
  // Images count as empty for each value of this one that isn't theirs: it has to be one of objects
  // where there is such a column.
  const place = Math.max(
    0,
    by.findIndex(column => column !== images.pathColumn && images.imageColumnAt(column) === undefined),
  );
  const first = by[place];
  const others = by.toSpliced(place, 1);
  if (first === undefined) throw new CodedError('bad-request', 'Group by at least one column');
  const units = of === 'replicates' ? [...replicate, ...technical] : [];
  const levels = { mean, technical: technical.length };
  if (of === 'replicates' && replicate.length === 0)
    throw new CodedError('bad-request', 'There is no column of replicates');
  const groups = new Map<string, UnitGroup>();
  const all: UnitGroups['all'] = { rows: 0, values: [] };
  const unjudged: number[] = [];
  let areLevelsOpen = false;
  let alike: EqualSpellings[] = [];
  const infinite: number[] = [];
  // The numbers of rows are of all images, and are there without a measure.
  const leavesImagesOut = (measure: Measure) =>
    measure.of?.some(filter => isOfImages(filter, images)) === true;
  const [firstMeasure] = measures;
  const isCountedFirst = !firstMeasure || leavesImagesOut(firstMeasure);
  const passes: readonly Measure[] = [...(isCountedFirst ? [EVERY_OBJECT] : []), ...measures];
  for (const [at, measure] of passes.entries()) {
    const counts = await imageParts(
      view,
      images,
      { filters, condition: first, replicate: [...others, ...units], measure },
      signal,
    );
    const { parts } = counts;
    if (at === 0) {
      ({ alike } = counts);
      if (of === 'replicates' && !combined)
        areLevelsOpen = areMultiplied(
          replicatesOf(
            parts.map(part => ({ ...part, condition: '', replicate: part.replicate.slice(others.length) })),
            levels,
          ).replicates,
        );
    }
    const unit = areLevelsOpen ? 'images' : of;
    const byGroup = new Map<string, GroupedPart[]>();
    for (const part of parts) {
      const keys = part.replicate.slice(0, others.length).toSpliced(place, 0, part.condition);
      const grouped = { ...part, condition: '', replicate: part.replicate.slice(others.length), keys };
      const key = JSON.stringify(keys);
      const own = byGroup.get(key);
      if (own) own.push(grouped);
      else byGroup.set(key, [grouped]);
      if (at > 0) continue;
      const group = groups.get(key) ?? { keys, rows: 0, values: [] };
      group.rows += part.objects;
      all.rows += part.objects;
      groups.set(key, group);
    }
    if (isCountedFirst && at === 0) continue;
    unjudged.push(counts.unjudged);
    infinite.push(infiniteOf(parts));
    const valuesOf = (own: readonly ImagePart[]) =>
      of === 'images' ? own.map(partValue) : replicatesOf(own, levels).replicates.map(({ value }) => value);
    const statisticsOfUnits = (own: readonly ImagePart[]) =>
      unitStatistics({ values: valuesOf(own), infinite: infiniteOf(own) }, statistics, unit);
    for (const [key, group] of groups) group.values.push(...statisticsOfUnits(byGroup.get(key) ?? []));
    const ofAll = wholeParts([...byGroup.values()].flat(), measure);
    all.values.push(...statisticsOfUnits(ofAll));
  }
  return { groups: [...groups.values()], all, unjudged, infinite, areLevelsOpen, alike };
}

/** A part of a group; its condition is of no matter. */
interface GroupedPart extends ImagePart {
  condition: string;
  /** The values of the columns that rows are grouped by. */
  keys: readonly (string | null)[];
}

/**
 * Parts of groups as those of all rows: the parts of an image in several groups, such as classes,
 * are one. A replicate in one condition is none in another: those of values that an image has one
 * of stay apart.
 */
function wholeParts(parts: readonly GroupedPart[], measure: Measure): ImagePart[] {
  const columns = [...(parts[0]?.keys.keys() ?? [])];
  const areOfObjects = columns.map(column => {
    const valueOf = new Map<string, string | null>();
    return parts.some(({ image, keys }) => {
      const value = keys[column] ?? null;
      if (image === null) return false;
      const known = valueOf.get(image);
      valueOf.set(image, value);
      return known !== undefined && known !== value;
    });
  });
  const whole = new Map<string, ImagePart>();
  for (const { keys, ...part } of parts) {
    const condition = JSON.stringify(keys.filter((_, column) => !areOfObjects[column]));
    const key = JSON.stringify([condition, part.image, ...part.replicate]);
    const known = whole.get(key);
    if (!known) {
      whole.set(key, { ...part, condition });
      continue;
    }
    known.objects += part.objects;
    known.over += part.over;
    known.infinite = infiniteOf([known, part]);
    // The image, or its area, is the same one.
    if (measure.kind !== 'objectsPerImage') known.under += part.under;
  }
  return [...whole.values()];
}

function unitStatistics(
  { values, infinite }: { values: readonly (number | null)[]; infinite: number },
  statistics: readonly UnitStatisticId[],
  of: UnitGroupsSpec['of'],
): (number | null)[] {
  const known = values.filter(value => value !== null);
  const sorted = Float64Array.from(known).sort();
  const found = statisticsOf({ present: known.length, missing: values.length - known.length, sorted });
  const { sem, ci95 } = of === 'replicates' ? summaryOf(known) : { sem: null, ci95: null };
  return statistics.map(id => {
    if (id === 'sem') return sem;
    if (id === 'ciLow') return ci95?.[0] ?? null;
    if (id === 'ciHigh') return ci95?.[1] ?? null;
    // Of their objects: values of images and replicates are finite.
    return id === 'infinite' ? infinite : found[id];
  });
}

/** Sorts groups: missing values last, equal ones in their former order. */
export function orderedGroups(groups: readonly UnitGroup[], { of, descending }: GroupOrder): UnitGroup[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const sign = descending ? -1 : 1;
  const valueOf = ({ keys, rows, values }: UnitGroup): string | number | null => {
    if (of.kind === 'rows') return rows;
    return (of.kind === 'key' ? keys[of.key] : values[of.value]) ?? null;
  };
  return groups
    .map(group => ({ group, value: valueOf(group) }))
    .sort(({ value: a }, { value: b }) => {
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b)));
    })
    .map(({ group }) => group);
}
