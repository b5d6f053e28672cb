import { pathOfImage, type MaskImage } from '../../masksSummary';

export const imageSorts = ['archive', 'name', 'mostObjects', 'fewestObjects'] as const;

/** How the list of images is sorted: as in the archive, by name, or by how many objects they have. */
export type ImageSort = (typeof imageSorts)[number];

/**
 * Positions of the images whose path contains the filter, whatever its case, in the order of the list. Sorted by count, images
 * that couldn't be read come last: theirs isn't known.
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
      return positions.sort((a, b) => compare(pathOf(images[a]), pathOf(images[b])));
    case 'mostObjects':
      return positions.sort((a, b) => isUnread(a) - isUnread(b) || countOf(b) - countOf(a));
    case 'fewestObjects':
      return positions.sort((a, b) => isUnread(a) - isUnread(b) || countOf(a) - countOf(b));
  }
}

function pathOf(image: MaskImage | undefined): string {
  return image ? pathOfImage(image) : '';
}
