import { CodedError } from '../../base/errors';
import type { ExportRequest } from '../../formats/exportRequest';
import type { MaskImage } from '../../formats/masksSummary';

/** The images that a request names (ExportRequest.images), in their own order. Throws `not-found` for one that is not there. */
export function chosenImages(images: readonly MaskImage[], chosen: ExportRequest['images']): MaskImage[] {
  if (!chosen) return [...images];
  const named = new Map<string | number, Set<MaskImage>>();
  for (const image of images) {
    for (const name of [image.index, image.id, image.filename]) {
      const found = named.get(name);
      if (found) found.add(image);
      else named.set(name, new Set([image]));
    }
  }
  const found = new Set<MaskImage>();
  for (const name of chosen) {
    const ofName = named.get(name);
    if (!ofName) throw new CodedError('not-found', 'There is no such image', { subject: String(name) });
    for (const image of ofName) found.add(image);
  }
  return images.filter(image => found.has(image));
}
