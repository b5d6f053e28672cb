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

/** Other rows of the table are shown. A listener that needs time makes `setShown` wait for it. */
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
  /** Number of reports of shown rows, by the table or for it. */
  private settings = 0;
  private restoring: Promise<void> = Promise.resolve();
  private readonly shownEmitter = new Emitter<ShownChange>();
  private readonly selectedEmitter = new Emitter<SelectedRows>();

  /** Which rows the table's filters let through; null for all. */
  get shown(): TableShown | null {
    return this.shownRows;
  }

  /** Other rows are shown, not only in another order. */
  get onDidChangeShown(): Event<ShownChange> {
    return this.shownEmitter.event;
  }

  /** Rows last selected on the masks; the table makes a filter of them. */
  get selected(): SelectedRows | undefined {
    return this.selectedRows;
  }

  get onDidSelect(): Event<SelectedRows> {
    return this.selectedEmitter.event;
  }

  /** Set by the table. Resolves when all listeners have handled the change. */
  async setShown(shown: TableShown | null): Promise<void> {
    this.settings++;
    const isSame = sameRows(shown, this.shownRows);
    this.shownRows = shown;
    if (isSame) return;
    const handled: Promise<void>[] = [];
    this.shownEmitter.fire({ waitUntil: promise => handled.push(promise) });
    await Promise.all(handled);
  }

  /**
   * Sets the rows that the table showed before it was gone, unless it reported others since. Throws
   * as `find` does.
   */
  restore(find: () => Promise<TableShown>): Promise<void> {
    const { settings } = this;
    const restored = find().then(shown => (settings === this.settings ? this.setShown(shown) : undefined));
    this.restoring = restored.catch(() => undefined);
    return restored;
  }

  /** Resolves once the rows that the table showed before are set, or won't be. */
  settled(): Promise<void> {
    return this.restoring;
  }

  /** Set by the masks. */
  select(rows: SelectedRows): void {
    this.selectedRows = rows;
    this.selectedEmitter.fire(rows);
  }

  /** The table is another one from now on. */
  objectsReplaced(): void {
    this.selectedRows = undefined;
    void this.setShown(null);
  }

  /** The table has to be opened again. */
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
  const of = ({ view, rowCount, total }: TableShown) =>
    JSON.stringify([view.filters ?? [], view.upTo, rowCount, total]);
  return of(a) === of(b);
}

interface ImageOfRowDependencies {
  /**
   * The images of the open masks; undefined without any. Their paths are known once rows are
   * linked.
   */
  images: () => readonly MaskImage[] | undefined;
  linkSettled: () => Promise<void>;
  columns: () => Promise<readonly TableColumn[]>;
  /** The text of a cell, by its row in the file. */
  cell: (row: number, column: number) => Promise<string>;
  onError: (error: unknown) => void;
}

/** The image of a row of the aggregate table: the masks follow the rows that a user visits. */
export class ImageOfRow implements Disposable {
  private readonly emitter = new Emitter<number>();
  private latest = 0;
  /** The images that a row was matched with last. */
  private matching: { images: readonly MaskImage[]; catalog: Promise<ImageCatalog> } | undefined;

  constructor(private readonly parts: ImageOfRowDependencies) {}

  /** The row of an image was selected; its position in the archive. */
  get onDidShow(): Event<number> {
    return this.emitter.event;
  }

  /** Rows and objects were linked: images may have other paths. */
  linked(): void {
    this.matching = undefined;
  }

  /** A row was selected. Rows of groups, and rows of ambiguous images, have no image. */
  async select(row: number | null): Promise<void> {
    const request = ++this.latest;
    const images = this.parts.images();
    if (row === null || !images) return;
    try {
      const columns = await this.parts.columns();
      const { image, size } = findRowColumns(columns);
      const column = image === undefined ? undefined : columns[image];
      if (!column) return;
      const text = await this.parts.cell(row, column.index);
      if (request !== this.latest) return;
      let found = await this.match(images, text);
      // Ambiguous names may become clear with the folders that the link finds.
      if (found === 'ambiguous') {
        await this.parts.linkSettled();
        found = await this.match(images, text);
      }
      if (typeof found !== 'number') return;
      const shown = images[found];
      const said = size && (await this.sizeIn(row, [columns[size.width], columns[size.height]]));
      if (haveOtherSizes(said, shown && knownSize(shown))) return;
      if (request === this.latest) this.emitter.fire(found);
    } catch (error) {
      this.parts.onError(error);
    }
  }

  /** The size of its image in a row. */
  private async sizeIn(
    row: number,
    columns: readonly (TableColumn | undefined)[],
  ): Promise<ImageSize | undefined> {
    const sides = columns.flatMap(column => (column ? [this.parts.cell(row, column.index)] : []));
    const [width = NaN, height = NaN] = (await Promise.all(sides)).map(Number);
    return knownSize({ width, height });
  }

  private async match(images: readonly MaskImage[], text: string): Promise<ImageOfText> {
    if (this.matching?.images !== images) {
      const paths = images.map(image => ({ id: image.id, filename: pathOfImage(image) }));
      this.matching = { images, catalog: runInSlices(ImageCatalog.of(paths)) };
    }
    const catalog = await this.matching.catalog;
    return (await runInSlices(catalog.decideInSteps([catalog.candidates(text)])))[0] ?? 'none';
  }

  dispose(): void {
    this.latest++;
    this.emitter.dispose();
  }
}

export const imageOfRow = new PartKey<ImageOfRow>('imageOfRow');
