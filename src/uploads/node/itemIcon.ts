import type { FilesystemItem } from '../../service/wire';
import { looksLikeImage } from './expandFiles';

/** The product icon of a file or folder of the service. Whether a file is an image, only its name tells. */
export function itemIcon({ __t, name = '' }: Pick<FilesystemItem, '__t' | 'name'>): string {
  if (__t === 'Folder') return 'folder';
  return looksLikeImage(name) || !name.includes('.') ? 'file-media' : 'file';
}
