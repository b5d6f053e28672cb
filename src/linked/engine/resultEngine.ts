import type { Disposable } from '../../base/disposable';
import type { EngineSide } from '../engineProtocol';
import type { ArchiveSummary } from '../../masks/masksSummary';
import type { ImagesRead } from '../../masks/masksRequests';
import type { LinkRequests } from '../../masks/linkRequests';
import type { Handlers, RequestHandlers } from '../../protocol/rpc';
import type { LargeArchiveLimits } from '../../masks/engine/reading/readLargeArchive';
import { numbersAt } from '../../columns/engine/read/gather';
import { exportHandlers } from '../../export/engine/exportHandlers';
import { measureHandlers } from '../../masks/engine/measureHandlers';
import { selectionHandlers } from './selectionHandlers';
import { MasksHandlers, MAX_OBJECTS } from '../../masks/engine/masksHandlers';
import { BackgroundImageHandlers } from '../../masks/engine/backgroundImageHandlers';
import { throttledProgress, type EngineProgress } from '../../protocol/engineProgress';
import { listedImages } from './imageLinking';
import { RowLinking } from './rowLinking';
import type { TableHost } from '../../columns/engine/openTables';
import { TableHandlers } from '../../columns/engine/tableHandlers';
import { FilteredRows } from '../../columns/engine/filteredRows';

/** The table whose rows are objects. */
const OBJECTS_TABLE = 'objects';

export interface ResultEngineOptions extends Partial<Pick<TableHost, 'onGrowth' | 'startScanWorker'>> {
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
      onGrowth: () => undefined,
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
    this.handlers = {
      ...this.tables.handlers,
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
      ...exportHandlers(startProgress, () => this.masks.opened()),
    };
  }

  dispose(): void {
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

  private get linkHandlers(): RequestHandlers<LinkRequests> {
    return {
      linkRows: async (params, signal) => {
        await this.tables.settled(OBJECTS_TABLE);
        const { table } = this.tables.view(OBJECTS_TABLE);
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
      imagePaths: () => ({ paths: this.linking ? this.masks.opened().pathsOfSameNames() : [] }),
      openImages: () => listedImages(this.linking?.open ?? []),
      rowOfObject: object => ({ row: this.linking?.rowOf(object) ?? null }),
      objectOfRow: ({ row }) => {
        const object = this.linking?.objectOf(row);
        const details = object && this.masks.detailsInMemory(object);
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
      objectValues: async ({ image, column, from = 0 }, signal) => {
        const { table } = this.tables.view(OBJECTS_TABLE);
        const rows = this.rowsOfImage(image);
        const page = rows.subarray(from, from + MAX_OBJECTS);
        const values = await numbersAt(table, column, page, signal);
        return { values: values.buffer, total: rows.length };
      },
    };
  }
}
