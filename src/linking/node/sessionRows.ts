import type { Disposable } from '../../base/disposable';
import { Emitter, type Event } from '../../base/event';
import { runInSlices } from '../../base/node/slices';
import { PartKey } from '../../base/parts';
import { findRowColumns } from '../../columns/rowColumns';
import type { ImageSize } from '../../images/backgroundImageInfo';
import type { TableColumn } from '../../columns/tableSummary';
import { ImageCatalog, type ImageOfText } from '../../archives/imageCatalog';
import { haveOtherSizes, knownSize } from '../../archives/imageIdentity';
import { type MaskImage, pathOfImage } from '../../archives/masksSummary';
import type { SelectedRows, TableShown } from '../shownRows';

/** A change of the shown rows. `setShown` waits for the promises of listeners. */
interface ShownChange {
  waitUntil(promise: Promise<void>): void;
}

/**
 * Rows of the objects table that table and masks share: those that match its filters, and those
 * selected on the masks.
 */
export class SessionRows implements Disposable {
  private shownRows: TableShown | null = null;
  private selectedRows: SelectedRows | undefined;
  /** Counts reports of the shown rows. */
  private reports = 0;
  private restoring: Promise<void> = Promise.resolve();
  private readonly shownEmitter = new Emitter<ShownChange>();
  private readonly selectedEmitter = new Emitter<SelectedRows>();

  /** The rows that match the table's filters; null for all. */
  get shown(): TableShown | null {
    return this.shownRows;
  }

  /** Fires when other rows are shown, but not when only the order changes. */
  get onDidChangeShown(): Event<ShownChange> {
    return this.shownEmitter.event;
  }

  /** The rows last selected on the masks; the table filters by them. */
  get selected(): SelectedRows | undefined {
    return this.selectedRows;
  }

  get onDidSelect(): Event<SelectedRows> {
    return this.selectedEmitter.event;
  }

  /** The table sets its shown rows. Resolves when all listeners have handled the change. */
  async setShown(shown: TableShown | null): Promise<void> {
    this.reports++;
    const isSame = sameRows(shown, this.shownRows);
    this.shownRows = shown;
    if (isSame) return;
    const listenersWork: Promise<void>[] = [];
    this.shownEmitter.fire({ waitUntil: promise => listenersWork.push(promise) });
    await Promise.all(listenersWork);
  }

  /**
   * Sets the rows that a closed table showed, unless it has reported others since. Rejects with
   * errors of `find`.
   */
  restore(find: () => Promise<TableShown>): Promise<void> {
    const { reports: reportsBefore } = this;
    const restoring = find().then(shown =>
      reportsBefore === this.reports ? this.setShown(shown) : undefined,
    );
    this.restoring = restoring.catch(() => undefined);
    return restoring;
  }

  /** Resolves once rows of an earlier table are set, or can't be. */
  settled(): Promise<void> {
    return this.restoring;
  }

  /** The masks select rows. */
  select(rows: SelectedRows): void {
    this.selectedRows = rows;
    this.selectedEmitter.fire(rows);
  }

  /** Drops the rows, as another table replaces the earlier one. */
  objectsReplaced(): void {
    this.selectedRows = undefined;
    void this.setShown(null);
  }

  /** Drops the rows after a crash of the engine. */
  engineLost(): void {
    this.objectsReplaced();
  }

  dispose(): void {
    this.shownEmitter.dispose();
    this.selectedEmitter.dispose();
  }
}

export const sessionRows = new PartKey<SessionRows>('rows');

function sameRows(a: TableShown | null, b: TableShown | null): boolean {
  if (!a || !b) return a === b;
  const identityOf = ({ view, rowCount, total }: TableShown) =>
    JSON.stringify([view.filters ?? [], view.upTo, rowCount, total]);
  return identityOf(a) === identityOf(b);
}

interface ImageOfRowDependencies {
  /**
   * The images of the open masks; undefined if none are open. Paths are complete once rows are
   * linked.
   */
  images: () => readonly MaskImage[] | undefined;
  linkSettled: () => Promise<void>;
  columns: () => Promise<readonly TableColumn[]>;
  /** The text of a cell, by its row in the file. */
  cell: (row: number, column: number) => Promise<string>;
  onError: (error: unknown) => void;
}

/** Finds the image of a selected row of the aggregate table: the masks show it. */
export class ImageOfRow implements Disposable {
  private readonly emitter = new Emitter<number>();
  private latestRequest = 0;
  /** The images that rows were last matched with. */
  private cachedCatalog: { images: readonly MaskImage[]; catalog: Promise<ImageCatalog> } | undefined;

  constructor(private readonly dependencies: ImageOfRowDependencies) {}

  /** Fires with the index of the selected row's image in the archive. */
  get onDidShow(): Event<number> {
    return this.emitter.event;
  }

  /** Drops the catalog, as linking may have changed the paths of images. */
  linked(): void {
    this.cachedCatalog = undefined;
  }

  /** A row was selected. Rows of groups, and rows with an ambiguous name, have no image. */
  async select(row: number | null): Promise<void> {
    const request = ++this.latestRequest;
    const images = this.dependencies.images();
    if (row === null || !images) return;
    try {
      const columns = await this.dependencies.columns();
      const { image, size } = findRowColumns(columns);
      const column = image === undefined ? undefined : columns[image];
      if (!column) return;
      const text = await this.dependencies.cell(row, column.index);
      if (request !== this.latestRequest) return;
      let match = await this.match(images, text);
      // The link may add folders that make the name unambiguous.
      if (match === 'ambiguous') {
        await this.dependencies.linkSettled();
        match = await this.match(images, text);
      }
      if (typeof match !== 'number') return;
      const matchedImage = images[match];
      const sizeInTable = size && (await this.sizeIn(row, [columns[size.width], columns[size.height]]));
      if (haveOtherSizes(sizeInTable, matchedImage && knownSize(matchedImage))) return;
      if (request === this.latestRequest) this.emitter.fire(match);
    } catch (error) {
      this.dependencies.onError(error);
    }
  }

  /** The size of the image according to its row. */
  private async sizeIn(
    row: number,
    columns: readonly (TableColumn | undefined)[],
  ): Promise<ImageSize | undefined> {
    const sides = columns.flatMap(column => (column ? [this.dependencies.cell(row, column.index)] : []));
    const [width = NaN, height = NaN] = (await Promise.all(sides)).map(Number);
    return knownSize({ width, height });
  }

  private async match(images: readonly MaskImage[], text: string): Promise<ImageOfText> {
    if (this.cachedCatalog?.images !== images) {
      const paths = images.map(image => ({ id: image.id, filename: pathOfImage(image) }));
      this.cachedCatalog = { images, catalog: runInSlices(ImageCatalog.of(paths)) };
    }
    const catalog = await this.cachedCatalog.catalog;
    return (await runInSlices(catalog.decideInSteps([catalog.candidates(text)])))[0] ?? 'none';
  }

  dispose(): void {
    this.latestRequest++;
    this.emitter.dispose();
  }
}

export const imageOfRow = new PartKey<ImageOfRow>('imageOfRow');
