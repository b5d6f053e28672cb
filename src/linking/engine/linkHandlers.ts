import { MAX_OBJECTS } from '../../archives/engine/masksHandlers';
import { selectedColumns, selectedShapes } from '../../archives/engine/selectionStatistics';
import type { SelectionRequests } from '../../archives/masksRequests';
import { imagePathsOf } from '../../archives/masksSummary';
import { PartKey } from '../../base/parts';
import { FilteredRows } from '../../columns/engine/filteredRows';
import { numbersAt, type TableSource, textPositionsAt } from '../../columns/engine/read/tableSource';
import type { RequestHandlers } from '../../protocol/rpc';
import type { OpenInEngine } from '../../session/engine/openInEngine';
import type { LinkReport, LinkRequests } from '../rowLinks';
import { listedImages } from './imageLinking';
import { coloredObjects, type FindPopulations, membersOf } from './populationsOfObjects';
import { RowLinking } from './rowLinking';

/** The table whose rows are objects. */
const OBJECTS_TABLE = 'objects';

/** Maximum number of objects whose populations are in one message: 2 MB. */
const MAX_PLACES = 1_000_000;

/** Links rows of a table to objects other than those of the open masks. Throws `cancelled`. */
export type LinkToOthers = (table: TableSource, signal: AbortSignal) => Promise<RowLinking>;

/** Links between rows and objects, in the thread of a result. */
class EngineLinks {
  private linking: RowLinking | undefined;
  private readonly filteredRows = new FilteredRows(() => this.open.tables.view(OBJECTS_TABLE));
  /** Creates links between rows and objects of other masks than the open ones, if there are any. */
  linkToOtherMasks: () => LinkToOthers | undefined = () => undefined;
  /** The populations of the objects table; empty if no part provides them. */
  populations: FindPopulations = () => Promise.resolve([]);

  constructor(private readonly open: OpenInEngine) {
    const clearLinks = () => (this.linking = undefined);
    open.rowOf = object => this.linking?.rowOf(object) ?? null;
    open.onDidOpenMasks(clearLinks);
    open.onDidOpenTable(table => {
      if (table !== OBJECTS_TABLE) return;
      this.filteredRows.clear();
      clearLinks();
    });
    open.onDidChangeTable(table => {
      if (table === OBJECTS_TABLE) this.filteredRows.clear();
    });
  }

  get handlers(): RequestHandlers<LinkRequests & SelectionRequests> {
    const { tables, masks } = this.open;
    return {
      linkRows: async (params, signal) => {
        await tables.settled(OBJECTS_TABLE);
        const { table } = tables.view(OBJECTS_TABLE);
        const linkToOthers = this.linkToOtherMasks();
        if (linkToOthers) return this.linkToOthers(table, linkToOthers, signal);
        const opened = masks.opened();
        const linking = await RowLinking.create(table, opened, params, signal);
        // The masks or the table may have been reopened in the meantime.
        if (masks.isOpen(opened) && this.isOpen(table)) {
          this.linking = linking;
          opened.setPaths(linking.paths, linking.evidence);
        }
        return linking.report;
      },
      imageOrigin: ({ image }) => ({ origin: this.linking?.paths.get(image) ?? null }),
      imagePaths: () => ({
        paths: this.linking && !this.linkToOtherMasks() ? imagePathsOf(masks.opened().summary.images) : [],
      }),
      openImages: () => listedImages(this.linking?.open ?? []),
      rowOfObject: object => ({ row: this.linking?.rowOf(object) ?? null }),
      objectOfRow: ({ row }) => {
        const object = this.linking?.objectOf(row);
        const details = object && !this.linkToOtherMasks() && masks.detailsInMemory(object);
        return { object: object ? { ...object, ...(details && { details }) } : null };
      },
      objectsInView: async ({ image, view }, signal) => {
        const shown = await this.filteredRows.areInView(this.rowsOfImage(image), view, signal);
        return { shown: shown.buffer };
      },
      rowsOfObjects: ({ image, objects }) => ({
        rows: Uint32Array.from(this.rowsOf(image, objects)).buffer,
      }),
      objectValues: async ({ image, column, from = 0, categories }, signal) => {
        const { table } = tables.view(OBJECTS_TABLE);
        const rows = this.rowsOfImage(image);
        const page = rows.subarray(from, from + MAX_OBJECTS);
        const values = await (categories
          ? textPositionsAt(table, column, page, categories, signal)
          : numbersAt(table, column, page, signal));
        return { values: values.buffer, total: rows.length };
      },
      objectPopulations: async ({ image, from = 0 }, signal) => {
        const populationsWithRows = await this.populations(signal);
        const rows = this.rowsOfImage(image);
        const { populations, places } = await coloredObjects(populationsWithRows, rows, signal);
        const page =
          from === 0 && places.length <= MAX_PLACES ? places : places.slice(from, from + MAX_PLACES);
        return { populations, places: page.buffer, total: rows.length };
      },
      populationsOfRow: async ({ row }, signal) => {
        const populationsWithRows = await this.populations(signal);
        const populationsOfRow = populationsWithRows.filter(
          ({ rows }) => (((rows[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1,
        );
        return { populations: populationsOfRow.map(({ rows: _, ...population }) => population) };
      },
      populationMembers: async ({ image }, signal) => {
        const populationsWithRows = await this.populations(signal);
        const rows = this.rowsOfImage(image);
        return {
          populations: populationsWithRows.map(({ rows: members, ...population }) => ({
            ...population,
            members: membersOf(members, rows).buffer,
          })),
        };
      },
      shapesOfSelection: ({ selection }, signal) => selectedShapes(masks.opened(), selection, signal),
      columnsOfSelection: async ({ selection }, signal) => {
        const { linking } = this;
        const rows = Int32Array.from(
          linking ? selection.flatMap(({ image, objects }) => this.rowsOf(image, objects)) : [],
        );
        if (!linking || rows.length === 0) return { rows: 0, columns: [] };
        const { table } = tables.view(OBJECTS_TABLE);
        return {
          rows: rows.length,
          columns: await selectedColumns(table, rows, linking.report.idColumn, signal),
        };
      },
    };
  }

  private async linkToOthers(
    table: TableSource,
    link: LinkToOthers,
    signal: AbortSignal,
  ): Promise<LinkReport> {
    const linking = await link(table, signal);
    if (this.isOpen(table)) this.linking = linking;
    return linking.report;
  }

  private isOpen(table: TableSource): boolean {
    return this.open.tables.view(OBJECTS_TABLE).table === table;
  }

  /** The rows that are linked to the objects of an image; −1 without a row. */
  private rowsOfImage(image: number): Int32Array {
    return (
      this.linking?.rowsOfImage(image) ??
      new Int32Array(this.open.masks.opened().summary.images[image]?.objectCount ?? 0).fill(-1)
    );
  }

  /** The rows that are linked to the given objects of an image. */
  private rowsOf(image: number, objects: readonly number[]): number[] {
    const rows = this.rowsOfImage(image);
    return objects.map(object => rows[object] ?? -1).filter(row => row >= 0);
  }
}

export const engineLinks = new PartKey<EngineLinks>('links');

/** The handlers of requests about rows and objects. */
export function linkHandlers(open: OpenInEngine): RequestHandlers<LinkRequests & SelectionRequests> {
  return open.parts.add(engineLinks, new EngineLinks(open)).handlers;
}
