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
 * Positions of images whose path contains the filter, ignoring case, in list order. By count,
 * unreadable images are last: theirs is unknown.
 */
export function imageOrder(images: readonly MaskImage[], sort: ImageSort, filter: string): number[] {
  const wanted = filter.trim().toLowerCase();
  const positions = [...images.keys()].filter(position =>
    pathOf(images[position]).toLowerCase().includes(wanted),
  );
  // 2 before 10, as in the Explorer.
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const countOf = (position: number) => images[position]?.objectCount ?? 0;
  const isUnread = (position: number) => (images[position]?.failure ? 1 : 0);
  switch (sort) {
    case 'archive':
      // The archive sorts by name alone: those of one name follow each other by their folders.
      return positions.sort((a, b) =>
        images[a]?.filename === images[b]?.filename
          ? compare(pathOf(images[a]), pathOf(images[b])) || a - b
          : a - b,
      );
    case 'name':
      return inFolders(images, positions, compare);
    case 'mostObjects':
      return positions.sort((a, b) => isUnread(a) - isUnread(b) || countOf(b) - countOf(a));
    case 'fewestObjects':
      return positions.sort((a, b) => isUnread(a) - isUnread(b) || countOf(a) - countOf(b));
  }
}

function pathOf(image: MaskImage | undefined): string {
  return image ? pathOfImage(image) : '';
}

/** Positions by folder, then by name; those of images whose folder isn't known come last. */
function inFolders(
  images: readonly MaskImage[],
  positions: readonly number[],
  compare: (a: string, b: string) => number,
): number[] {
  const placed = positions.map(position => ({ position, ...placeOf(images[position]) }));
  return placed
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
  // Folders that differ in case alone are two, and each stays together.
  return compare(a, b) || (a < b ? -1 : 1);
}

/** The folder of an image, empty where it isn't known, and its name in it. */
function placeOf(image: MaskImage | undefined): { folder: string; name: string } {
  const path = pathOf(image);
  const parts = pathParts(path);
  return { folder: parts.slice(0, -1).join('/'), name: parts.at(-1) ?? path };
}

/** Height of a row of the list, and of the line above the first of a folder, in pixels. */
export const ROW = 60;
export const HEADING = 28;

/** A row of the list of images. */
export interface ListRow {
  /** Of its image, in the archive. */
  position: number;
  /** The image's name in its folder, which is above or below. */
  name: string;
  /**
   * The folders that distinguish it from equal names, below its name; none if a folder is above.
   */
  within: string;
  /** Its folder, if the list is grouped by folders; empty if unknown. */
  folder?: string;
  /** Whether it is the first of its folder, which stands above it. */
  isFirst: boolean;
  /** Its start, or that of the line above it, in pixels from the top of the list. */
  top: number;
}

/**
 * The rows of the list; sorted by name, they are grouped by folders where several have a few images
 * each. `nameOf`: a name with as many folders as tell it from others, which have a line of their
 * own: both in one would be cut.
 */
export function listRows(
  images: readonly MaskImage[],
  order: readonly number[],
  sort: ImageSort,
  nameOf: (image: MaskImage) => string,
): ListRow[] {
  const places = order.map(position => placeOf(images[position]));
  const folders = sort === 'name' ? [...new Set(places.map(({ folder }) => folder))] : [];
  const short = distinctNames(folders);
  const shown = new Map(folders.map((folder, at) => [folder, short[at] ?? folder]));
  // A line above each image would only take room.
  const isGrouped = folders.length > 1 && 2 * folders.length <= order.length;
  let top = 0;
  return order.map((position, at) => {
    const place = places[at];
    const image = images[position];
    const isFirst = isGrouped && places[at - 1]?.folder !== place?.folder;
    const [name = '', ...folders] = pathParts(image && !isGrouped ? nameOf(image) : '').reverse();
    const row: ListRow = {
      position,
      name: (isGrouped ? place?.name : name) ?? '',
      within: folders.reverse().join('/'),
      ...(isGrouped && { folder: shown.get(place?.folder ?? '') ?? '' }),
      isFirst,
      top,
    };
    top += isFirst ? HEADING + ROW : ROW;
    return row;
  });
}

/** Pixels from the top of the list to its end. */
export function heightOf(rows: readonly ListRow[]): number {
  const last = rows.at(-1);
  return last ? last.top + (last.isFirst ? HEADING : 0) + ROW : 0;
}

/**
 * The first row that ends below a point of the list, in pixels from its top; the row count if none.
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
 * The name of each image in an archive: its file name, with the fewest folders that distinguish it.
 */
export class ImageNames {
  private names: readonly string[] | undefined;

  constructor(private readonly images: readonly MaskImage[]) {}

  of({ index, ...image }: MaskImage): string {
    this.names ??= distinctNames(this.images.map(pathOfImage));
    const at =
      this.images[index]?.index === index ? index : this.images.findIndex(each => each.index === index);
    return this.names[at] || pathOfImage(image);
  }

  /** The images, or their paths, are others now. */
  changed(): void {
    this.names = undefined;
  }
}

/** The items being read: objects of the current image, else images. */
type ReadingProgress =
  | { of: 'objects'; count: number; /** 0…1. */ share: number }
  | { of: 'images'; done: number; total: number };

/**
 * Masks shown while being read: updates facts about their images, and reports progress. All parts
 * of the page share the image objects, updated in place.
 */
export class ArchiveReading {
  /** Undefined once all that is shown was read. */
  readonly progress: ReadonlySignal<ReadingProgress | undefined>;
  private readonly unusual: Signal<readonly string[]>;
  private readonly archive: Signal<{ isReading: boolean; done: number; total: number }>;
  /** The share of the shown image that was read, 0…1. */
  private readonly share = signal(0);

  constructor(
    private readonly start: Pick<MasksStart, 'masks' | 'isReading'>,
    private readonly image: ImageModel,
  ) {
    const { masks, isReading = false } = start;
    this.unusual = signal(masks.notes);
    this.archive = signal({
      isReading,
      done: masks.images.filter(each => !each.isPartial).length,
      total: masks.images.length,
    });
    this.progress = computed(() => {
      const shown = this.image.known.value;
      if (shown?.isPartial) return { of: 'objects', count: shown.objectCount, share: this.share.value };
      const { isReading: isOn, done, total } = this.archive.value;
      return isOn && total > 1 ? { of: 'images', done, total } : undefined;
    });
  }

  /** Anomalies of the archive. */
  get notes(): ReadonlySignal<readonly string[]> {
    return this.unusual;
  }

  /** Another image is shown. */
  imageChanged(): void {
    this.share.value = 0;
  }

  /** More objects of the image shown were read; `share` of all of them, 0…1. */
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
    const known = this.start.masks;
    for (const image of images) this.update(image);
    known.classes.forEach((each, at) => (each.count = classes[at]?.count ?? 0));
    batch(() => {
      this.unusual.value = notes;
      this.archive.value = { ...this.archive.peek(), isReading: false };
      this.image.changed();
    });
  }

  private update(image: ShownMaskImage): void {
    const known = this.start.masks.images[image.index];
    if (!known) return;
    // The shown image loads its objects by requests of its own, if it can be read.
    const isShown = known === this.image.shared && known.isPartial && !image.failure;
    const { objectCount } = known;
    delete known.isPartial;
    Object.assign(known, image, isShown && { objectCount, isPartial: true });
  }
}
