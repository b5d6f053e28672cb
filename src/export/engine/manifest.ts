import type { ExportRequest } from '../exportRequest';
import { pathOfImage, type MaskImage } from '../../masks/masksSummary';
import { csvLine } from '../../columns/csv/csvLine';
import { nameOfPart } from '../nameOfPart';

/** Beside the files of an export: which image each is about. */
export function manifestName(request: Pick<ExportRequest, 'part'>): string {
  return `${nameOfPart('manifest', request)}.csv`;
}

/** A file about one image. */
export interface ImageFile {
  name: string;
  image: MaskImage;
  objects: number;
}

/** A line for each file that is about one image, as CSV (RFC 4180); `selection` is all, visible or selected objects. */
export function manifestOf(
  files: readonly ImageFile[],
  { part = 'all' }: Pick<ExportRequest, 'part'> | { part?: 'all' },
): string {
  const lines = files.map(({ name, image, objects }) =>
    csvLine([name, image.id, pathOfImage(image), ...[image.width, image.height, objects].map(String), part]),
  );
  return csvLine(['file', 'image', 'image_path', 'width', 'height', 'objects', 'selection']) + lines.join('');
}
