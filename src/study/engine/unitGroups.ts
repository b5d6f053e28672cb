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
  type PartImage,
  pathsInSeveralJobs,
  type ReplicateMean,
  replicatesOf,
} from '../replicates';
import { summaryOf } from '../statistics';
import type { UnitStatisticId } from '../../columns/unitStatistics';
import { imageParts } from './imageParts';
import { isColumnOfImages, isOfImages, type StudyImages } from './studyImages';

/** Groups of rows, with statistics over their images or replicates instead of rows. */
interface UnitGroupsSpec {
  filters: readonly Filter[];
  by: readonly number[];
  measures: readonly Measure[];
  statistics: readonly UnitStatisticId[];
  of: 'images' | 'replicates';
  /** The columns of replicates and of technical replicates, if `of` is `replicates`. */
  replicate: readonly number[];
  technical?: readonly number[] | undefined;
  /** See comparisonFields. */
  combined?: boolean | undefined;
  mean: ReplicateMean;
}

interface UnitGroup {
  keys: readonly (string | null)[];
  /** Number of objects that match the filters. */
  rows: number;
  /** All statistics of the first measure, then of the second, and so on. */
  values: (number | null)[];
}

const EVERY_OBJECT: Measure = { kind: 'share', of: [] };

/** The groups in the order of their first rows, and a summary of all. */
interface UnitGroups {
  groups: UnitGroup[];
  all: Pick<UnitGroup, 'rows' | 'values'>;
  /** For each measure, the number of objects that it can't judge, since a value is missing. */
  unjudged: number[];
  /**
   * Whether columns of replicates multiply n, see areMultiplied: SEM and interval are left out
   * then.
   */
  areLevelsOpen: boolean;
  /** Number of image paths that several jobs share. */
  inSeveralJobs: number;
  /** Values with several spellings that count as one. */
  alike: EqualSpellings[];
  /** For each measure, the number of objects with an infinite number, which no mean includes. */
  infinite: number[];
}

/**
 * Groups rows by columns, with statistics over the values of their images or replicates. Images
 * without objects count if their group is known. Throws `bad-request`, `too-many-objects`,
 * `cancelled`.
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
  // Each image counts as empty for other values of the first column. That is right for a property
  // of objects, so such a column comes first.
  const firstIndex = Math.max(
    0,
    by.findIndex(column => !isColumnOfImages(column, images)),
  );
  const firstColumn = by[firstIndex];
  const otherColumns = by.toSpliced(firstIndex, 1);
  if (firstColumn === undefined) throw new CodedError('bad-request', 'Group by at least one column');
  const units = of === 'replicates' ? [...replicate, ...technical] : [];
  const levels = { mean, technical: technical.length };
  if (of === 'replicates' && replicate.length === 0)
    throw new CodedError('bad-request', 'There is no column of replicates');
  const groups = new Map<string, UnitGroup>();
  const all: UnitGroups['all'] = { rows: 0, values: [] };
  const unjudged: number[] = [];
  let areLevelsOpen = false;
  let alike: EqualSpellings[] = [];
  let inSeveralJobs = 0;
  const infinite: number[] = [];
  // The number of rows covers all images and needs no measure.
  const removesImages = (measure: Measure) => measure.of?.some(filter => isOfImages(filter, images)) === true;
  const [firstMeasure] = measures;
  const needsCountPass = !firstMeasure || removesImages(firstMeasure);
  const passes: readonly Measure[] = [...(needsCountPass ? [EVERY_OBJECT] : []), ...measures];
  for (const [at, measure] of passes.entries()) {
    const counts = await imageParts(
      view,
      images,
      { filters, condition: firstColumn, replicate: [...otherColumns, ...units], measure },
      signal,
    );
    const { parts } = counts;
    if (at === 0) {
      ({ alike } = counts);
      inSeveralJobs = pathsInSeveralJobs([parts]);
      if (of === 'replicates' && !combined)
        areLevelsOpen = areMultiplied(
          replicatesOf(
            parts.map(part => ({
              ...part,
              condition: '',
              replicate: part.replicate.slice(otherColumns.length),
            })),
            levels,
          ).replicates,
        );
    }
    const unit = areLevelsOpen ? 'images' : of;
    const byGroup = new Map<string, GroupedPart[]>();
    for (const part of parts) {
      const keys = part.replicate.slice(0, otherColumns.length).toSpliced(firstIndex, 0, part.condition);
      const grouped = { ...part, condition: '', replicate: part.replicate.slice(otherColumns.length), keys };
      const key = JSON.stringify(keys);
      const partsOfGroup = byGroup.get(key);
      if (partsOfGroup) partsOfGroup.push(grouped);
      else byGroup.set(key, [grouped]);
      if (at > 0) continue;
      const group = groups.get(key) ?? { keys, rows: 0, values: [] };
      group.rows += part.objects;
      all.rows += part.objects;
      groups.set(key, group);
    }
    if (needsCountPass && at === 0) continue;
    unjudged.push(counts.unjudged);
    infinite.push(infiniteOf(parts));
    const valuesOf = (partsOfGroup: readonly ImagePart[]) =>
      of === 'images'
        ? partsOfGroup.map(partValue)
        : replicatesOf(partsOfGroup, levels).replicates.map(({ value }) => value);
    const statisticsOfUnits = (partsOfGroup: readonly ImagePart[]) =>
      unitStatistics(
        { values: valuesOf(partsOfGroup), infinite: infiniteOf(partsOfGroup) },
        statistics,
        unit,
      );
    for (const [key, group] of groups) group.values.push(...statisticsOfUnits(byGroup.get(key) ?? []));
    const mergedParts = mergeParts([...byGroup.values()].flat(), measure);
    all.values.push(...statisticsOfUnits(mergedParts));
  }
  return { groups: [...groups.values()], all, unjudged, infinite, areLevelsOpen, inSeveralJobs, alike };
}

/** A part with the keys of its group, which include the condition: `condition` is empty. */
interface GroupedPart extends ImagePart {
  condition: string;
  /** The values of the columns that rows are grouped by. */
  keys: readonly (string | null)[];
}

/**
 * Merges the parts of groups into those of all rows. An image's parts in several groups, such as
 * classes, become one. Columns that have one value per image stay separate: equal names of
 * replicates in two conditions aren't the same replicate.
 */
function mergeParts(parts: readonly GroupedPart[], measure: Measure): ImagePart[] {
  const columns = [...(parts[0]?.keys.keys() ?? [])];
  const hasSeveralPerImage = columns.map(column => {
    const valueOf = new Map<PartImage, string | null>();
    return parts.some(({ image, keys }) => {
      const value = keys[column] ?? null;
      if (image === null) return false;
      const earlier = valueOf.get(image);
      valueOf.set(image, value);
      return earlier !== undefined && earlier !== value;
    });
  });
  const merged = new Map<string, ImagePart>();
  for (const { keys, ...part } of parts) {
    const condition = JSON.stringify(keys.filter((_, column) => !hasSeveralPerImage[column]));
    const key = JSON.stringify([condition, part.image, ...part.replicate]);
    const target = merged.get(key);
    if (!target) {
      merged.set(key, { ...part, condition });
      continue;
    }
    target.objects += part.objects;
    target.numerator += part.numerator;
    target.infinite = infiniteOf([target, part]);
    // Both parts have the same image, or area: it counts once.
    if (measure.kind !== 'objectsPerImage') target.denominator += part.denominator;
  }
  return [...merged.values()];
}

function unitStatistics(
  { values, infinite }: { values: readonly (number | null)[]; infinite: number },
  statistics: readonly UnitStatisticId[],
  of: UnitGroupsSpec['of'],
): (number | null)[] {
  const present = values.filter(value => value !== null);
  const sorted = Float64Array.from(present).sort();
  const statistic = statisticsOf({
    present: present.length,
    missing: values.length - present.length,
    sorted,
  });
  const { sem, ci95 } = of === 'replicates' ? summaryOf(present) : { sem: null, ci95: null };
  return statistics.map(id => {
    if (id === 'sem') return sem;
    if (id === 'ciLow') return ci95?.[0] ?? null;
    if (id === 'ciHigh') return ci95?.[1] ?? null;
    // The count is of objects, since values of images and replicates are finite.
    return id === 'infinite' ? infinite : statistic[id];
  });
}

/** Sorts groups: missing values come last, equal values keep their order. */
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
