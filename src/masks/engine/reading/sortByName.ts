import type { KnownImage } from '../masks';

/** Sorts images by name, numbers in names by value. */
export function sortByName(images: KnownImage[]): void {
  // The first collator costs several milliseconds.
  if (images.length < 2) return;
  const collator = new Intl.Collator('en', { numeric: true });
  images.sort(
    ({ summary: a }, { summary: b }) =>
      collator.compare(a.filename, b.filename) || collator.compare(a.id, b.id),
  );
}
