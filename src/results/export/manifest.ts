import type { MaskImage } from '../../model/masksSummary';
import { csvLine } from './csvLine';

/** Beside the files of an export: which image each is about. */
export const MANIFEST = 'manifest.csv';

/** A file about one image. */
export interface ImageFile {
  name: string;
  image: MaskImage;
  objects: number;
}

/** A line for each file that is about one image, as CSV (RFC 4180). */
export function manifestOf(files: readonly ImageFile[]): string {
  const lines = files.map(({ name, image, objects }) =>
    csvLine([name, image.id, image.filename, ...[image.width, image.height, objects].map(String)]),
  );
  return csvLine(['file', 'image', 'image_path', 'width', 'height', 'objects']) + lines.join('');
}
