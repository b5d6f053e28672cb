import { firstClause, formatTimestamp } from '../../words/format';
import type { Language } from '../../words/translate';
import type { PipelineNode } from './pipelineNodes';
import type { TreeItemData } from './treeItemData';

/** How a pipeline is shown: by the start of its description, as the service gives it no name. */
export function pipelineItem({ t, locale }: Language, { resource, isLastUsed }: PipelineNode): TreeItemData {
  const { id, description, createdAt } = resource;
  const created = createdAt && formatTimestamp(locale, createdAt);
  const facts = [isLastUsed && t('last used'), created].filter(Boolean).join(' · ');
  return {
    id,
    label: firstClause(description) || id,
    ...(facts && { description: facts }),
    tooltip: () => [
      ...(description ? [description] : []),
      ...(created ? [t('Created {0}', created)] : []),
      t('ID {0}', id),
    ],
    contextValue: 'pipeline',
    icon: 'symbol-event',
    accessibleLabel: description || id,
  };
}
