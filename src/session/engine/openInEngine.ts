import { BackgroundImageHandlers } from '../../archives/engine/backgroundImageHandlers';
import { MasksHandlers } from '../../archives/engine/masksHandlers';
import { measureHandlers } from '../../archives/engine/measuredTable';
import type { LargeArchiveLimits } from '../../archives/engine/openMasks';
import type { ImagesRead, MasksRequests, MeasureRequests } from '../../archives/masksRequests';
import type { ArchiveSummary, ObjectRef } from '../../archives/masksSummary';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { Parts } from '../../base/parts';
import type { TableHost } from '../../columns/engine/openTables';
import { TableHandlers } from '../../columns/engine/tableHandlers';
import type { TableRequests } from '../../columns/tableRequests';
import type { BackgroundImageRequests } from '../../images/backgroundImageInfo';
import { type EngineProgress, type StartProgress, throttledProgress } from '../../protocol/engineProgress';
import type { RequestHandlers } from '../../protocol/rpc';

export interface OpenInEngineOptions extends Partial<
  Pick<TableHost, 'onGrowth' | 'startScanWorker' | 'formats'>
> {
  onMasksStarted?: (summary: ArchiveSummary) => void;
  onImagesRead?: (images: ImagesRead) => void;
  /** For tests with small archives. */
  largeArchive?: LargeArchiveLimits;
}

type BuiltInRequests = TableRequests & MasksRequests & BackgroundImageRequests & MeasureRequests;

/** The open tables, masks, background images and subjects' parts of a result's engine thread. */
export class OpenInEngine implements Disposable {
  /** Objects that subjects provide to each other in the thread. */
  readonly parts = new Parts();
  readonly startProgress: StartProgress;
  readonly tables: TableHandlers;
  readonly masks: MasksHandlers;
  readonly handlers: RequestHandlers<BuiltInRequests>;
  /** Finds the row that is linked to an object; null if rows aren't linked. */
  rowOf: (object: ObjectRef) => number | null = () => null;
  private readonly backgroundImages: BackgroundImageHandlers;
  private readonly store = new DisposableStore();
  private readonly tableOpened = this.store.add(new Emitter<string>());
  private readonly tableChanged = this.store.add(new Emitter<string>());
  private readonly masksOpened = this.store.add(new Emitter<void>());

  /** Fires with a table's name when it was opened or reopened and completely read. */
  readonly onDidOpenTable = this.tableOpened.event;
  /** Fires with a table's name when values of its computed columns change. */
  readonly onDidChangeTable = this.tableChanged.event;
  /** Fires when masks were opened, reopened or closed. */
  readonly onDidOpenMasks = this.masksOpened.event;

  constructor(sendProgress: (progress: EngineProgress) => void, options: OpenInEngineOptions = {}) {
    this.startProgress = throttledProgress(sendProgress);
    const { startProgress } = this;
    const { onMasksStarted, onImagesRead, largeArchive, ...tableOptions } = options;
    this.tables = new TableHandlers({
      startProgress,
      onOpened: table => this.tableOpened.fire(table),
      onChanged: table => this.tableChanged.fire(table),
      onGrowth: () => undefined,
      ...tableOptions,
    });
    this.masks = new MasksHandlers({
      startProgress,
      onOpened: () => this.masksOpened.fire(),
      onStarted: summary => onMasksStarted?.(summary),
      onImages: images => onImagesRead?.(images),
      rowOf: object => this.rowOf(object),
      largeArchive,
    });
    this.backgroundImages = new BackgroundImageHandlers(startProgress, (image, signal) =>
      this.masks.opened().objects(image, signal),
    );
    this.handlers = {
      ...this.tables.handlers,
      ...this.masks.handlers,
      ...this.backgroundImages.handlers,
      ...measureHandlers({
        startProgress,
        masks: () => this.masks.opened(),
        backgroundImage: (number, signal) => this.backgroundImages.opened(number, signal),
      }),
    };
  }

  dispose(): void {
    this.parts.dispose();
    this.store.dispose();
    this.backgroundImages.dispose();
    this.masks.dispose();
    this.tables.dispose();
  }
}
