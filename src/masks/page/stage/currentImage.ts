import { afterPaint } from '../../../pages/page/widgets/timing';
import type { TableFiltered } from '../../masksPage';
import type { ObjectRef, ShownMaskImage } from '../../masksSummary';
import type { SelectionModel, LinkedTable } from '../state/masksStore';
import type { View } from '../tiles/viewTransform';
import type { ImageScene } from './imageScene';

interface CurrentImageOptions {
  images: readonly ShownMaskImage[];
  makeScene: (image: ShownMaskImage) => ImageScene;
  /** Another image is to be shown; what was shown of the one before is gone. */
  onImage: (image: ShownMaskImage, position: number) => void;
  /** It has a scene, which begins to load; one that can't be read has none. */
  onScene: (scene: ImageScene, image: ShownMaskImage, view: View | undefined) => void;
  /** Its objects are known now. */
  onObjects: () => void;
  /** The table's filter was applied to its objects. */
  onFiltered: () => void;
  /** All that comes after the objects may be loaded. */
  onLoaded: (scene: ImageScene) => Promise<void>;
  /** Its objects can't be loaded. */
  onLoadFailure: (error: unknown) => void;
  onFailure: (error: unknown) => void;
}

/** The image shown, one of those of the archive, with everything that is loaded of it. */
export class CurrentImage {
  private at = -1;
  private shown: ImageScene | undefined;

  constructor(private readonly options: CurrentImageOptions) {}

  /** From 0; −1 while there is none. */
  get position(): number {
    return this.at;
  }

  get image(): ShownMaskImage | undefined {
    return this.options.images[this.at];
  }

  get scene(): ImageScene | undefined {
    return this.shown;
  }

  /** The position of an object's image, or −1. */
  positionOf(ref: ObjectRef): number {
    return this.options.images.findIndex(image => image.index === ref.image);
  }

  /** Shows another image, whole or in a view of it. */
  show(position: number, view?: View): void {
    const { images, makeScene, onImage, onScene } = this.options;
    const image = images[position];
    if (!image || position === this.at) return;
    this.at = position;
    this.shown?.dispose();
    this.shown = undefined;
    onImage(image, position);
    if (image.failure) return;
    this.shown = makeScene(image);
    onScene(this.shown, image, view);
    void this.load(this.shown);
  }

  /** More of the images was read: the one shown may have proved unreadable. */
  imagesRead(): void {
    if (!this.shown || !this.image?.failure) return;
    const position = this.at;
    this.at = -1;
    this.show(position);
  }

  /** Shows only objects whose rows the table shows; `sent` has them, if it is for the shown image. */
  async applyFilter(sent?: TableFiltered['shown']): Promise<void> {
    const scene = this.shown;
    if (!scene) return;
    await scene.applyFilter(sent?.image === scene.image.index ? new Uint8Array(sent.objects) : undefined);
    if (scene === this.shown) this.options.onFiltered();
  }

  /** Objects first: they are what the page is for. */
  private async load(scene: ImageScene): Promise<void> {
    const { onObjects, onFiltered, onLoaded, onLoadFailure, onFailure } = this.options;
    try {
      await scene.load();
    } catch (error) {
      if (scene === this.shown) onLoadFailure(error);
      return;
    }
    if (scene !== this.shown) return;
    onObjects();
    const report = (error: unknown) => {
      if (scene === this.shown) onFailure(error);
    };
    // Without the filter all objects show, and all else there is of the image.
    await scene.filtered.catch(report);
    if (scene !== this.shown) return;
    onFiltered();
    await onLoaded(scene).catch(report);
  }
}

interface TableFilterOptions {
  table: LinkedTable;
  selection: SelectionModel;
  current: { applyFilter(sent?: TableFiltered['shown']): Promise<void> };
  thumbnails: { setFiltered(filtered: boolean): void };
  onFailure: (error: unknown) => void;
}

/** The filters of the objects table, as the masks follow them: the image shown first, then those that are only listed. */
export class TableFilter {
  constructor(
    private readonly options: TableFilterOptions,
    private readonly painted = afterPaint,
  ) {}

  /** Whether the table has filters. */
  get isSet(): boolean {
    return this.options.table.filtered.peek() !== null;
  }

  /** Shows in the list what held when the page started. */
  show(): void {
    this.options.thumbnails.setFiltered(this.isSet);
  }

  /** The table's filters have changed. */
  set(filtered: TableFiltered | null): Promise<void> {
    return this.apply(filtered, filtered?.shown);
  }

  /** Which rows are whose has changed, and with it which objects the same filters let through. */
  linksChanged(): Promise<void> {
    return this.apply(this.options.table.filtered.peek());
  }

  private async apply(filtered: TableFiltered | null, sent?: TableFiltered['shown']): Promise<void> {
    const { table, selection, current, thumbnails, onFailure } = this.options;
    table.filter(filtered);
    if (!filtered) selection.forget();
    try {
      await current.applyFilter(sent);
    } catch (error) {
      onFailure(error);
    }
    // The image shown does not wait for those that are only listed.
    await this.painted();
    if (table.filtered.peek() === filtered) thumbnails.setFiltered(filtered !== null);
  }
}
