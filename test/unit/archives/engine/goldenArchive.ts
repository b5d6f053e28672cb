import golden from '../../../golden/masks.json';
import { decodeCounts, encodeCounts } from '../../../../src/archives/runLengthEncoding';
import { image, index, record, rectangle } from './archives';

/** Golden masks that are too large for files in the repository. */
const LARGE = 'one run longer than 2^20';

/** Where the far image's objects begin: beyond ImageJ's 16 bits, yet within COCO's 32. */
const FAR = 64_900;

/**
 * The archive that the golden exports are made of: the golden masks that share a size lie in one image, and so overlap; one
 * more image is 65,000 pixels a side, with its objects in the far corner.
 */
export function goldenArchive(): Record<string, unknown> {
  const sizes = new Map<string, Record<string, unknown>[]>();
  let id = 0;
  for (const mask of golden.masks) {
    const [height = 0, width = 0] = mask.size;
    if (mask.name === LARGE) continue;
    const records = sizes.get(`${width}x${height}`) ?? [];
    sizes.set(`${width}x${height}`, records);
    const className = id % 3 === 0 ? 'Round cell' : 'Zelle, groß';
    // One id that needs 32 bits.
    const number = mask.name === 'square 8x8' ? 70_001 : id;
    id++;
    // By turns as the service does: masks of the whole image, and cropped ones.
    const whole = mask.area === 0 || number % 2 === 0 || !mask.cropped || !mask.bbox;
    const made = whole
      ? record(number, mask.bbox ?? [0, 0, 0, 0], mask.size, mask.counts, className)
      : record(number, mask.bbox, mask.cropped.size, mask.cropped.counts, className);
    records.push({ ...made, ...(number % 4 === 0 && { model_score: 0.5 }) });
  }
  const entries: Record<string, unknown> = { 'index.json': index('Round cell', 'Zelle, groß') };
  for (const [size, records] of sizes) {
    const [width = 0, height = 0] = size.split('x').map(Number);
    const name = `image-${size}`;
    entries[`${name}_objects.json`] = image(name, width, height, records, `plates/${size}.tif`);
  }
  entries['far_objects.json'] = image('far', 65_000, 65_000, farObjects(), 'far.tif');
  return entries;
}

/** A rectangle, and a ring with an island, both beyond 60,000 pixels. */
function farObjects(): Record<string, unknown>[] {
  const ring = golden.masks.find(({ name }) => name === 'ring with island');
  const [height = 0, width = 0] = ring?.cropped?.size ?? [];
  const counts = encodeCounts(decodeCounts(ring?.cropped?.counts ?? '', height, width));
  return [
    rectangle(1, FAR, FAR, FAR + 20, FAR + 10, 'Round cell'),
    record(2, [FAR, FAR + 30, FAR + width, FAR + 30 + height], [height, width], counts, 'Zelle, groß'),
  ];
}

/** The images of the archive that label images are made of. */
export const labeledImages = ['image-5x7', 'image-14x14', 'image-50x40', 'image-64x48'];
