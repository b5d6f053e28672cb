import type { Disposable } from '../../../base/disposable';
import { Emitter, type Event } from '../../../base/event';
import { imageMatcher, type NamedImage } from '../../../formats/masks/imageMatching';
import { findRowColumns } from '../../../formats/masks/rowColumns';
import type { TableColumn } from '../../../model/tableSummary';

export interface ImageOfRowParts {
  /** The images of the open masks; undefined while none are open. */
  images: () => readonly NamedImage[] | undefined;
  columns: () => Promise<readonly TableColumn[]>;
  /** The text of a cell, by its row in the file. */
  cell: (row: number, column: number) => Promise<string>;
  onError: (error: unknown) => void;
}

/** Which image of the masks a row of the aggregate table is about: the masks follow the rows that a person goes to. */
export class ImageOfRow implements Disposable {
  private readonly emitter = new Emitter<number>();
  private latest = 0;
  /** The images that a row was matched with last. */
  private matching: { images: readonly NamedImage[]; match: ReturnType<typeof imageMatcher> } | undefined;

  constructor(private readonly parts: ImageOfRowParts) {}

  /** The row of an image was selected; its position in the archive. */
  get onDidShow(): Event<number> {
    return this.emitter.event;
  }

  /** A row was selected. Rows of groups, and those whose image isn't certain, are about none. */
  async select(row: number | null): Promise<void> {
    const request = ++this.latest;
    const images = this.parts.images();
    if (row === null || !images) return;
    try {
      const columns = await this.parts.columns();
      const { image } = findRowColumns(columns.map(({ name }) => name));
      const column = image === undefined ? undefined : columns[image];
      if (!column) return;
      const text = await this.parts.cell(row, column.index);
      if (request !== this.latest) return;
      if (this.matching?.images !== images) this.matching = { images, match: imageMatcher(images) };
      const [found] = this.matching.match([text]);
      if (typeof found === 'number') this.emitter.fire(found);
    } catch (error) {
      this.parts.onError(error);
    }
  }

  dispose(): void {
    this.latest++;
    this.emitter.dispose();
  }
}
