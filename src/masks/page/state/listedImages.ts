import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { pathParts } from '../../../base/pathParts';
import type { MasksStart } from '../../masksPage';
import {
  distinctNames,
  type MaskImage,
  type MasksSummary,
  pathOfImage,
  type ShownMaskImage,
} from '../../../archives/masksSummary';
import type { ImageModel } from './imageModel';

export const imageSorts = ['archive', 'name', 'mostObjects', 'fewestObjects'] as const;

/**
 * The order of the list of images: as in the archive, by folder and name, or by number of objects.
 */
export type ImageSort = (typeof imageSorts)[number];

/**
 * Positions, in list order, of images whose path contains the filter, ignoring case. Sorted by
 * count, unreadable images come last, as their count is unknown.
 */
export function imageOrder(images: readonly MaskImage[], sort: ImageSort, filter: string): number[] {
  const filterText = filter.trim().toLowerCase();
  const positions = [...images.keys()].filter(position =>
    pathOf(images[position]).toLowerCase().includes(filterText),
  );
  // Numeric: 2 before 10, as in the Explorer.
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const countOf = (position: number) => images[position]?.objectCount ?? 0;
  const isUnreadable = (position: number) => (images[position]?.failure ? 1 : 0);
  switch (sort) {
    case 'archive':
      // The archive sorts by file name alone: images of one name are sorted by path.
      return positions.sort((a, b) =>
        images[a]?.filename === images[b]?.filename
          ? compare(pathOf(images[a]), pathOf(images[b])) || a - b
          : a - b,
      );
    case 'name':
      return inFolders(images, positions, compare);
    case 'mostObjects':
      return positions.sort((a, b) => isUnreadable(a) - isUnreadable(b) || countOf(b) - countOf(a));
    case 'fewestObjects':
      return positions.sort((a, b) => isUnreadable(a) - isUnreadable(b) || countOf(a) - countOf(b));
  }
}

function pathOf(image: MaskImage | undefined): string {
  return image ? pathOfImage(image) : '';
}

/** Positions by folder, then by name. Images of unknown folders come last. */
function inFolders(
  images: readonly MaskImage[],
  positions: readonly number[],
  compare: (a: string, b: string) => number,
): number[] {
  const imagesInFolders = positions.map(position => ({ position, ...locationOf(images[position]) }));
  return imagesInFolders
    .sort(
      (a, b) =>
        (a.folder === b.folder ? 0 : compareFolders(a.folder, b.folder, compare)) ||
        compare(a.name, b.name) ||
        a.position - b.position,
    )
    .map(({ position }) => position);
}

function compareFolders(a: string, b: string, compare: (a: string, b: string) => number): number {
  if (a === '' || b === '') return a === '' ? 1 : -1;
  // Folders that differ in case alone are different folders, and their images mustn't mix.
  return compare(a, b) || (a < b ? -1 : 1);
}

/** The folder of an image, empty if unknown, and its name in the folder. */
function locationOf(image: MaskImage | undefined): { folder: string; name: string } {
  const path = pathOf(image);
  const parts = pathParts(path);
  return { folder: parts.slice(0, -1).join('/'), name: parts.at(-1) ?? path };
}

/** Height of a row of the list, and of the heading of a folder, in pixels. */
export const ROW_HEIGHT = 60;
export const HEADING_HEIGHT = 28;

/** A row of the list of images. */
export interface ListRow {
  /** The image's position in the archive. */
  position: number;
  /** The image's name in its folder. */
  name: string;
  /**
   * The folders that distinguish the image from others of its name; empty in a list grouped by
   * folders.
   */
  within: string;
  /** The image's folder, if the list is grouped by folders; empty if unknown. */
  folder?: string;
  /** Whether the row is the first of its folder, with a heading above it. */
  isFirst: boolean;
  /** Pixels from the top of the list to the row, or to the heading above it. */
  top: number;
}

/**
 * The rows of the list. Sorted by name, they are grouped by folder if there are several folders
 * with a few images each. `nameOf`: a name after the fewest folders that distinguish it. Name and
 * folders have a line each: one line would be cut off.
 */
export function listRows(
  images: readonly MaskImage[],
  order: readonly number[],
  sort: ImageSort,
  nameOf: (image: MaskImage) => string,
): ListRow[] {
  const locations = order.map(position => locationOf(images[position]));
  const folders = sort === 'name' ? [...new Set(locations.map(({ folder }) => folder))] : [];
  const shortNames = distinctNames(folders);
  const shortNameOf = new Map(folders.map((folder, index) => [folder, shortNames[index] ?? folder]));
  // A heading above each image would waste space.
  const isGrouped = folders.length > 1 && 2 * folders.length <= order.length;
  let top = 0;
  return order.map((position, index) => {
    const location = locations[index];
    const image = images[position];
    const isFirst = isGrouped && locations[index - 1]?.folder !== location?.folder;
    const [name = '', ...parents] = pathParts(image && !isGrouped ? nameOf(image) : '').reverse();
    const row: ListRow = {
      position,
      name: (isGrouped ? location?.name : name) ?? '',
      within: parents.reverse().join('/'),
      ...(isGrouped && { folder: shortNameOf.get(location?.folder ?? '') ?? '' }),
      isFirst,
      top,
    };
    top += isFirst ? HEADING_HEIGHT + ROW_HEIGHT : ROW_HEIGHT;
    return row;
  });
}

/** Pixels from the top of the list to its end. */
export function heightOf(rows: readonly ListRow[]): number {
  const last = rows.at(-1);
  return last ? last.top + (last.isFirst ? HEADING_HEIGHT : 0) + ROW_HEIGHT : 0;
}

/**
 * The first row that ends below `y`, in pixels from the top of the list; the number of rows if none
 * does.
 */
export function rowAt(rows: readonly ListRow[], y: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (heightOf(rows.slice(middle, middle + 1)) <= y) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The name of each image in an archive: its file name after the fewest folders that distinguish it.
 */
export class ImageNames {
  private names: readonly string[] | undefined;

  constructor(private readonly images: readonly MaskImage[]) {}

  nameOf({ index, ...image }: MaskImage): string {
    this.names ??= distinctNames(this.images.map(pathOfImage));
    const position =
      this.images[index]?.index === index ? index : this.images.findIndex(image => image.index === index);
    return this.names[position] || pathOfImage(image);
  }

  /** The images or their paths changed. */
  changed(): void {
    this.names = undefined;
  }
}

/** Progress of reading the objects of the current image, else of reading the images. */
type ReadingProgress =
  | { of: 'objects'; count: number; /** Part that is read, 0…1. */ share: number }
  | { of: 'images'; done: number; total: number };

/**
 * Progress of masks that are shown while being read. Updates the image objects, which all parts of
 * the page share, in place.
 */
export class ArchiveReading {
  /** Undefined once everything is read. */
  readonly progress: ReadonlySignal<ReadingProgress | undefined>;
  private readonly anomalies: Signal<readonly string[]>;
  private readonly archive: Signal<{ isReading: boolean; done: number; total: number }>;
  /** The share of the current image that is read, 0…1. */
  private readonly share = signal(0);

  constructor(
    private readonly start: Pick<MasksStart, 'masks' | 'isReading'>,
    private readonly image: ImageModel,
  ) {
    const { masks, isReading = false } = start;
    this.anomalies = signal(masks.notes);
    this.archive = signal({
      isReading,
      done: masks.images.filter(image => !image.isPartial).length,
      total: masks.images.length,
    });
    this.progress = computed(() => {
      const shown = this.image.summary.value;
      if (shown?.isPartial) return { of: 'objects', count: shown.objectCount, share: this.share.value };
      const { isReading, done, total } = this.archive.value;
      return isReading && total > 1 ? { of: 'images', done, total } : undefined;
    });
  }

  /** Anomalies of the archive. */
  get notes(): ReadonlySignal<readonly string[]> {
    return this.anomalies;
  }

  /** Another image was opened. */
  imageChanged(): void {
    this.share.value = 0;
  }

  /** More objects of the current image were read: `share` of them, 0…1. */
  partRead(share: number): void {
    batch(() => {
      this.share.value = share;
      this.image.changed();
    });
  }

  /** More images were read: `done` of `total`. */
  imagesRead(images: readonly ShownMaskImage[], done: number, total: number): void {
    for (const image of images) this.update(image);
    batch(() => {
      this.archive.value = { isReading: this.archive.peek().isReading, done, total };
      this.image.changed();
    });
  }

  /** All images were read. */
  masksRead({ images, classes, notes }: MasksSummary): void {
    const masks = this.start.masks;
    for (const image of images) this.update(image);
    masks.classes.forEach((maskClass, index) => (maskClass.count = classes[index]?.count ?? 0));
    batch(() => {
      this.anomalies.value = notes;
      this.archive.value = { ...this.archive.peek(), isReading: false };
      this.image.changed();
    });
  }

  private update(image: ShownMaskImage): void {
    const shared = this.start.masks.images[image.index];
    if (!shared) return;
    // The current image loads its objects with separate requests, if it can be read.
    const isShown = shared === this.image.liveSummary && shared.isPartial && !image.failure;
    const { objectCount } = shared;
    delete shared.isPartial;
    Object.assign(shared, image, isShown && { objectCount, isPartial: true });
  }
}
