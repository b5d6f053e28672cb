import { formatTimestamp } from '../../words/format';
import { pipelineName } from '../../words/pipelineName';
import type { Language } from '../../words/translate';
import type { PipelineNode } from './pipelineNodes';
import type { TreeItemData } from '../../host/treeItemData';

/**
 * How a pipeline is shown: by the start of its description, as the service gives it no name, and by the end of its ID where
 * it has no description either.
 */
export function pipelineItem({ t, locale }: Language, { resource, isLastUsed }: PipelineNode): TreeItemData {
  const { id, description, createdAt } = resource;
  const label = pipelineName(t, resource);
  return {
    id,
    label,
    ...(isLastUsed && { description: t('last used') }),
    tooltip: () => [
      description || label,
      ...(createdAt ? [t('Created {0}', formatTimestamp(locale, createdAt))] : []),
      t('ID {0}', id),
    ],
    contextValue: 'pipeline',
    icon: 'server-process',
    accessibleLabel: description || label,
  };
}
