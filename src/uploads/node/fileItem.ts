import type { TreeItemData } from '../../host/node/pagedNodes';
import type { FilesystemItem } from '../../service/wire';
import { formatTimestamp } from '../../words/format';
import type { Language } from '../../words/translate';
import { looksLikeImage } from './expandFiles';
import type { FileNode } from './fileNode';

/** The tree item of a file or folder on the service. */
export function fileItem({ t, locale }: Language, node: FileNode): TreeItemData {
  const { createdAt } = node.resource;
  return {
    id: node.key,
    label: node.label,
    // A search result is listed without its parent folders, so show their path.
    ...(node.isFound && node.parent && { description: node.parent.path ?? node.parent.label }),
    tooltip: () => [
      node.path ?? node.label,
      ...(createdAt ? [t('Created {0}', formatTimestamp(locale, createdAt))] : []),
      t('ID {0}', node.id),
    ],
    contextValue: node.isFolder ? 'folder' : 'file',
    icon: itemIcon(node.resource),
    accessibleLabel: node.label,
    expandable: node.isFolder,
  };
}

/** The icon of a file or folder on the service. Only the name tells whether a file is an image. */
export function itemIcon({ __t, name = '' }: Pick<FilesystemItem, '__t' | 'name'>): string {
  if (__t === 'Folder') return 'folder';
  return looksLikeImage(name) || !name.includes('.') ? 'file-media' : 'file';
}
