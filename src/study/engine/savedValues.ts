import type { TableView } from '../../columns/engine/tableView';
import type { ComparisonParams, SavedNames } from '../conditionRequests';
import { partValue } from '../replicates';
import { objectCountOf, type StudiedReplicates, studiedReplicates } from './compareTable';
import type { StudyImages } from './studyImages';

type Cell = string | number | null;

/** A comparison's inputs as a table for other tools, see tableCompareSave. */
export async function savedValues(
  view: TableView,
  images: StudyImages,
  params: ComparisonParams,
  { layout, names }: { layout: 'long' | 'wide'; names: SavedNames },
  signal?: AbortSignal,
): Promise<{ header: string[]; rows: Cell[][] }> {
  const { filters = [], measure, condition, replicate, technical, mean, paired = false } = params;
  const spec = { filters, measure, condition, replicate, technical, mean };
  const studied = await studiedReplicates(view, images, spec, signal);
  if (layout === 'wide') return wideValues(studied, names, paired);
  const { jobColumn } = images;
  const isJobAmongLevels =
    jobColumn !== undefined && [condition, ...replicate, ...(technical ?? [])].includes(jobColumn);
  const jobHeader =
    jobColumn === undefined || isJobAmongLevels ? [] : [view.table.columns[jobColumn]?.name ?? ''];
  return longValues(studied, { ...names, jobHeader }, measure);
}

/**
 * A row for each image; several, if it has objects of several conditions or replicates. `jobHeader`
 * is empty if the rows need no job.
 */
function longValues(
  { conditions, replicates }: StudiedReplicates,
  names: SavedNames & { jobHeader: readonly string[] },
  measure: ComparisonParams['measure'],
) {
  const levels = [names.condition, ...names.replicates, ...names.technical];
  const header = [...levels, ...names.jobHeader, names.image, names.objects, names.value];
  const rows = conditions.flatMap(condition =>
    replicates
      .filter(replicate => replicate.condition === condition)
      .flatMap(({ parts }) =>
        parts.map((part): Cell[] => [
          condition,
          ...part.replicate,
          ...names.jobHeader.map(() => part.image?.job ?? ''),
          part.image?.path ?? '',
          objectCountOf(part, measure),
          partValue(part),
        ]),
      ),
  );
  return { header, rows };
}

function wideValues({ conditions, replicates }: StudiedReplicates, names: SavedNames, paired: boolean) {
  const replicatesByCondition = conditions.map(condition =>
    replicates.filter(replicate => replicate.condition === condition),
  );
  if (!paired) {
    const length = Math.max(
      0,
      ...replicatesByCondition.map(conditionReplicates => conditionReplicates.length),
    );
    const rows = Array.from({ length }, (_, at) =>
      replicatesByCondition.map((conditionReplicates): Cell => conditionReplicates[at]?.value ?? null),
    );
    return { header: [...conditions], rows };
  }
  const nameByKey = new Map(replicates.map(({ name }) => [JSON.stringify(name), name]));
  const rows = [...nameByKey].map(([key, name]): Cell[] => [
    ...name,
    ...replicatesByCondition.map(
      conditionReplicates =>
        conditionReplicates.find(replicate => JSON.stringify(replicate.name) === key)?.value ?? null,
    ),
  ]);
  return { header: [...names.replicates, ...conditions], rows };
}
