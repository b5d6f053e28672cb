import { CodedError } from '../base/errors';
import type { ExportRequest } from './exportRequest';
import type { MaskImage } from '../masks/masksSummary';

/** The images that a request names (ExportRequest.images), in the archive's order. Throws `not-found` for an unknown one. */
export function namedImages<T extends MaskImage>(images: readonly T[], names: ExportRequest['images']): T[] {
  if (!names) return [...images];
  const named = new Map<string | number, Set<T>>();
  for (const image of images) {
    for (const name of [
      image.index,
      image.id,
      image.filename,
      ...(image.path === undefined ? [] : [image.path]),
    ]) {
      const found = named.get(name);
      if (found) found.add(image);
      else named.set(name, new Set([image]));
    }
  }
  const found = new Set<T>();
  for (const name of names) {
    const ofName = named.get(name);
    if (!ofName) throw new CodedError('not-found', 'There is no such image', { subject: String(name) });
    for (const image of ofName) found.add(image);
  }
  return images.filter(image => found.has(image));
}
