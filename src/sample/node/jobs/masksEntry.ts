import type { ImageResult } from '../analysis/analyzeImage';

/**
 * The text of `{image_id}_objects.json` in a masks archive, as the specification shows it. `counts` is base64 of the
 * ASCII run-length text; its size is that of the bounding box or of the whole image, as the pipeline's mask shape says.
 */
export function masksEntry(
  imageId: string,
  fileName: string,
  result: ImageResult,
  maskShape: 'cropped' | 'full-frame',
): string {
  const { width, height } = result;
  const objects: Record<string, unknown> = {};
  for (const { id, bbox, className, rle, rleFullFrame } of result.objects) {
    const mask = maskShape === 'full-frame' ? rleFullFrame : rle;
    if (!mask) throw new Error(`Object ${id} of "${fileName}" has no full-frame mask`);
    objects[id] = {
      bbox,
      id,
      rle: { size: mask.size, counts: Buffer.from(mask.counts, 'latin1').toString('base64') },
      pred_class: className,
      derived_objects: {},
    };
  }
  return JSON.stringify({ filename: fileName, id: imageId, height, width, objects });
}
