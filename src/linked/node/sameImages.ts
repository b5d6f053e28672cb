import type { ArchiveSummary } from '../../masks/masksSummary';

/** Whether the complete archive has the images and classes that were shown while it was read, in the same order. */
export function sameImages(shown: ArchiveSummary, read: ArchiveSummary): boolean {
  return (
    shown.images.length === read.images.length &&
    shown.classes.length === read.classes.length &&
    shown.classes.every(({ name }, at) => name === read.classes[at]?.name) &&
    shown.images.every((image, at) => {
      const other = read.images[at];
      return (
        image.id === other?.id &&
        image.filename === other.filename &&
        image.width === other.width &&
        image.height === other.height
      );
    })
  );
}
