import type { Disposable } from '../../base/disposable';
import { FilteredRows } from '../../columns/engine/filteredRows';
import type { TableHost } from '../../columns/engine/openTables';
import { numbersAt, type TableSource, textPositionsAt } from '../../columns/engine/read/tableSource';
import { TableHandlers } from '../../columns/engine/tableHandlers';
import { comparisonHandlers } from '../../conditions/engine/comparisonHandlers';
import { sheetHandlers } from '../../conditions/engine/sheetFiles';
import { exportHandlers } from '../../export/engine/exportMasks';
import { BackgroundImageHandlers } from '../../masks/engine/backgroundImageHandlers';
import type { Masks } from '../../masks/engine/masks';
import { MasksHandlers, MAX_OBJECTS } from '../../masks/engine/masksHandlers';
import { measureHandlers } from '../../masks/engine/measuredTable';
import type { LargeArchiveLimits } from '../../masks/engine/openMasks';
import { selectedColumns, selectedShapes } from '../../masks/engine/selectionStatistics';
import type { ImagesRead, SelectionRequests } from '../../masks/masksRequests';
import type { ArchiveSummary } from '../../masks/masksSummary';
import type { LinkReport, LinkRequests } from '../../masks/rowLinks';
import type { ComparisonResult } from '../../matching/engine/maskComparison';
import { MatchingHandlers } from '../../matching/engine/matchingHandlers';
import { parquetFormat } from '../../parquet/engine/parquetFormat';
import { type EngineProgress, throttledProgress } from '../../protocol/engineProgress';
import type { Handlers, RequestHandlers } from '../../protocol/rpc';
import type { EngineSide } from '../engineProtocol';
import { listedImages } from './imageLinking';
import { RowLinking } from './rowLinking';

/** The table whose rows are objects. */
const OBJECTS_TABLE = 'objects';

interface ResultEngineOptions extends Partial<Pick<TableHost, 'onGrowth' | 'startScanWorker'>> {
  onMasksStarted?: (summary: ArchiveSummary) => void;
  onImagesRead?: (images: ImagesRead) => void;
  /** For tests with small archives. */
  largeArchive?: LargeArchiveLimits;
}

/** All that is computed for one result: its tables, masks and background images, and which rows and objects belong together. */
export class ResultEngine implements Disposable {
  private readonly tables: TableHandlers;
  private readonly masks: MasksHandlers;
  private readonly backgroundImages: BackgroundImageHandlers;
  private readonly matching: MatchingHandlers;
  private linking: RowLinking | undefined;
  private readonly filteredRows = new FilteredRows(() => this.tables.view(OBJECTS_TABLE));
  readonly handlers: Handlers<EngineSide>;

  constructor(sendProgress: (progress: EngineProgress) => void, options: ResultEngineOptions = {}) {
    const startProgress = throttledProgress(sendProgress);
    const clearLinks = () => (this.linking = undefined);
    this.tables = new TableHandlers({
      startProgress,
      onOpened: table => {
        if (table !== OBJECTS_TABLE) return;
        this.filteredRows.clear();
        clearLinks();
      },
      onChanged: table => {
        if (table === OBJECTS_TABLE) this.filteredRows.clear();
      },
      onGrowth: () => undefined,
      formats: [parquetFormat],
      ...options,
    });
    const { onMasksStarted, onImagesRead, largeArchive } = options;
    this.masks = new MasksHandlers({
      startProgress,
      onOpened: clearLinks,
      onStarted: summary => onMasksStarted?.(summary),
      onImages: images => onImagesRead?.(images),
      rowOf: object => this.linking?.rowOf(object) ?? null,
      largeArchive,
    });
    this.backgroundImages = new BackgroundImageHandlers(startProgress, (image, signal) =>
      this.masks.opened().objects(image, signal),
    );
    this.matching = new MatchingHandlers(startProgress);
    this.handlers = {
      ...this.tables.handlers,
      ...comparisonHandlers(this.tables),
      ...this.masks.handlers,
      ...this.backgroundImages.handlers,
      ...this.linkHandlers,
      ...selectionHandlers({
        masks: () => this.masks.opened(),
        rowsOfImage: image => this.rowsOfImage(image),
        linked: () =>
          this.linking && {
            table: this.tables.view(OBJECTS_TABLE).table,
            idColumn: this.linking.report.idColumn,
          },
      }),
      ...measureHandlers({
        startProgress,
        masks: () => this.masks.opened(),
        backgroundImage: (number, signal) => this.backgroundImages.opened(number, signal),
      }),
      ...sheetHandlers,
      ...exportHandlers(startProgress, () => this.masks.opened()),
      ...this.matching.handlers,
    };
  }

  dispose(): void {
    this.matching.dispose();
    this.backgroundImages.dispose();
    this.masks.dispose();
    this.tables.dispose();
  }

  private rowsOfImage(image: number): Int32Array {
    return (
      this.linking?.rowsOfImage(image) ??
      new Int32Array(this.masks.opened().summary.images[image]?.objectCount ?? 0).fill(-1)
    );
  }

  private async linkPairs(
    table: TableSource,
    compared: ComparisonResult,
    signal: AbortSignal,
  ): Promise<LinkReport> {
    const linking = await RowLinking.ofPairs(table, compared, signal);
    if (this.tables.view(OBJECTS_TABLE).table === table) this.linking = linking;
    return linking.report;
  }

  private get linkHandlers(): RequestHandlers<LinkRequests> {
    return {
      linkRows: async (params, signal) => {
        await this.tables.settled(OBJECTS_TABLE);
        const { table } = this.tables.view(OBJECTS_TABLE);
        const { compared } = this.matching;
        if (compared) return this.linkPairs(table, compared, signal);
        const masks = this.masks.opened();
        const linking = await RowLinking.create(table, masks, params, signal);
        // Either may have been reopened in the meantime.
        const current = this.masks.isOpen(masks) && this.tables.view(OBJECTS_TABLE).table === table;
        if (current) {
          this.linking = linking;
          masks.setPaths(linking.paths);
        }
        return linking.report;
      },
      imageOrigin: ({ image }) => ({ origin: this.linking?.paths.get(image) ?? null }),
      imagePaths: () => ({
        paths: this.linking && !this.matching.compared ? this.masks.opened().pathsOfSameNames() : [],
      }),
      openImages: () => listedImages(this.linking?.open ?? []),
      rowOfObject: object => ({ row: this.linking?.rowOf(object) ?? null }),
      objectOfRow: ({ row }) => {
        const object = this.linking?.objectOf(row);
        const details = object && !this.matching.compared && this.masks.detailsInMemory(object);
        return { object: object ? { ...object, ...(details && { details }) } : null };
      },
      objectsInView: async ({ image, view }, signal) => {
        const shown = await this.filteredRows.areInView(this.rowsOfImage(image), view, signal);
        return { shown: shown.buffer };
      },
      rowsOfObjects: ({ image, objects }) => {
        const rows = this.rowsOfImage(image);
        return {
          rows: Uint32Array.from(objects.map(object => rows[object] ?? -1).filter(row => row >= 0)).buffer,
        };
      },
      objectValues: async ({ image, column, from = 0, categories }, signal) => {
        const { table } = this.tables.view(OBJECTS_TABLE);
        const rows = this.rowsOfImage(image);
        const page = rows.subarray(from, from + MAX_OBJECTS);
        const values = await (categories
          ? textPositionsAt(table, column, page, categories, signal)
          : numbersAt(table, column, page, signal));
        return { values: values.buffer, total: rows.length };
      },
    };
  }
}

interface SelectionHandlersParts {
  /** The open masks. Throws `bad-request` when none are open. */
  masks: () => Masks;
  /** Rows of the objects table that are linked to the objects of an image, −1 for none. */
  rowsOfImage: (image: number) => Int32Array;
  /** The objects table whose rows are linked, and its column of IDs; undefined while none are. */
  linked: () => { table: TableSource; idColumn: string | undefined } | undefined;
}

/** The handlers of requests about several selected objects. */
function selectionHandlers({
  masks,
  rowsOfImage,
  linked,
}: SelectionHandlersParts): RequestHandlers<SelectionRequests> {
  return {
    shapesOfSelection: ({ selection }, signal) => selectedShapes(masks(), selection, signal),
    columnsOfSelection: async ({ selection }, signal) => {
      const link = linked();
      if (!link) return { rows: 0, columns: [] };
      const rows = Int32Array.from(
        selection
          .flatMap(({ image, objects }) => {
            const ofImage = rowsOfImage(image);
            return objects.map(object => ofImage[object] ?? -1);
          })
          .filter(row => row >= 0),
      );
      if (rows.length === 0) return { rows: 0, columns: [] };
      return {
        rows: rows.length,
        columns: await selectedColumns(link.table, rows, link.idColumn, signal),
      };
    },
  };
}
