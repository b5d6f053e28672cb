import { formatTimestamp } from '../../words/format';
import type { Language } from '../../words/translate';
import type { FileNode } from './fileNode';
import { itemIcon } from './itemIcon';
import type { TreeItemData } from '../../host/treeItemData';

/** How a file or folder of the service is shown. */
export function fileItem({ t, locale }: Language, node: FileNode): TreeItemData {
  const { createdAt } = node.resource;
  return {
    id: node.key,
    label: node.label,
    // A match stands without the folders above it.
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
