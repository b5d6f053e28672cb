import { PartKey, type Parts } from '../../base/parts';
import { untilCanceled } from '../../base/waiting';
import type { DecimalMark } from '../../columns/csv/csvNumber';
import { numberText, saveTexts } from '../../columns/engine/saveTable';
import type { TableHandlers } from '../../columns/engine/tableHandlers';
import type { RequestHandlers } from '../../protocol/rpc';
import type { TableView } from '../../columns/engine/tableView';
import type { ConditionTableRequests, ImageFacts } from '../conditionRequests';
import { type StudyImages, studyImagesOf } from './studyImages';

/** Maximum number of groups in one response. */
const MAX_GROUPS = 2000;

type UnitGroupsParams = Omit<ConditionTableRequests['tableUnitGroups']['params'], 'start' | 'end'>;

/** Metadata of open tables' images. */
class StudiedTables {
  private readonly factsByTable = new Map<string, ImageFacts>();

  constructor(private readonly tables: Pick<TableHandlers, 'view'>) {}

  setImages(table: string, images: ImageFacts): void {
    this.factsByTable.set(table, images);
  }

  of(table: string): { view: TableView; images: StudyImages } {
    const view = this.tables.view(table);
    return { view, images: studyImagesOf(view.table, this.factsByTable.get(table)) };
  }
}

/** The key under which other subjects that measure images get the tables. */
export const studiedTables = new PartKey<StudiedTables>('studiedTables');

/**
 * Handlers of requests about conditions. Some modules load on first use: that takes tens of
 * milliseconds, and few threads need them.
 */
export function conditionHandlers({
  tables,
  parts,
}: {
  tables: TableHandlers;
  parts: Pick<Parts, 'add'>;
}): RequestHandlers<ConditionTableRequests> {
  const studied = parts.add(studiedTables, new StudiedTables(tables));
  const study = (table: string) => studied.of(table);
  const groupsOf = async ({ table, order, filters = [], ...spec }: UnitGroupsParams, signal: AbortSignal) => {
    const { unitGroups, orderedGroups } = await import('./unitGroups');
    const { view, images } = study(table);
    const { cache, rowCount } = view.table;
    const { excluded, areas } = images;
    const measured = view.filtersKey(spec.measures.flatMap(({ of = [] }) => of));
    const factors = [rowCount, excluded, images.images.length, areas];
    const key = JSON.stringify(['units', ...factors, view.filtersKey(filters), measured, spec]);
    const unitGroupsResult = await cache.get(
      {
        key,
        make: sharedSignal => unitGroups(view, images, { ...spec, filters }, sharedSignal),
        bytesOf: result => result.groups.length * 8 * (16 + (result.groups[0]?.values.length ?? 0)),
      },
      signal,
    );
    return {
      ...unitGroupsResult,
      groups: order ? orderedGroups(unitGroupsResult.groups, order) : unitGroupsResult.groups,
    };
  };
  const markOf = (table: string): DecimalMark => (tables.decimalComma(table) ? ',' : '.');
  return {
    studyImages: ({ table, ...images }) => {
      studied.setImages(table, images);
      return {};
    },
    tableUnitGroups: async ({ start, end, ...params }, signal) => {
      const {
        groups: allGroups,
        all,
        unjudged,
        infinite,
        areLevelsOpen,
        inSeveralJobs,
        alike,
      } = await groupsOf(params, signal);
      const { areAllKnown } = study(params.table).images;
      const countsImages = params.measures.some(({ kind }) => kind === 'objectsPerImage');
      const shownGroups = allGroups.slice(start, Math.min(end, start + MAX_GROUPS));
      return {
        groups: shownGroups.map(group => ({ ...group, keys: [...group.keys], row: 0 })),
        total: allGroups.length,
        all,
        unjudged,
        ...(infinite.some(count => count > 0) && { infinite }),
        ...(countsImages && !areAllKnown && { areImagesUnknown: true as const }),
        ...(areLevelsOpen && { areLevelsOpen: true as const }),
        ...(inSeveralJobs > 0 && { inSeveralJobs }),
        ...(alike.length > 0 && { alike }),
      };
    },
    tableUnitGroupsSave: async (
      { header, destination, overwrite, markHeader, withoutCounts, ...params },
      signal,
    ) => {
      await untilCanceled(tables.settled(params.table), signal);
      const { groups: allGroups, infinite, areLevelsOpen, alike } = await groupsOf(params, signal);
      const format = tables.formatNamed(destination);
      const mark = format ? '.' : markOf(params.table);
      const rows = allGroups.map(({ keys, rows: objects, values }) => [
        ...keys.map(key => key ?? ''),
        ...(withoutCounts ? [] : [String(objects)]),
        ...values.map(value => numberText(value, mark)),
      ]);
      const { table } = study(params.table).view;
      const written = await saveTexts(
        table,
        { header, rows, destination, overwrite: overwrite === true, markHeader, format },
        signal,
      );
      return {
        path: written.path,
        bytes: written.bytes,
        groups: rows.length,
        areLevelsOpen,
        alike,
        ...(infinite.some(count => count > 0) && { infinite }),
      };
    },
    tableCompare: async ({ table, ...params }, signal) => {
      const { compareTable } = await import('./compareTable');
      const { view, images } = study(table);
      return compareTable(view, images, params, signal);
    },
    tableCompareSave: async (
      { table, layout, names, destination, overwrite, markHeader, ...params },
      signal,
    ) => {
      await untilCanceled(tables.settled(table), signal);
      const { savedValues } = await import('./savedValues');
      const { view, images } = study(table);
      const { header, rows } = await savedValues(view, images, params, { layout, names }, signal);
      const format = tables.formatNamed(destination);
      const mark = format ? '.' : markOf(table);
      const texts = rows.map(cells =>
        cells.map(cell => (typeof cell === 'string' ? cell : numberText(cell, mark))),
      );
      return saveTexts(
        view.table,
        { header, rows: texts, destination, overwrite: overwrite === true, markHeader, format },
        signal,
      );
    },
  };
}
