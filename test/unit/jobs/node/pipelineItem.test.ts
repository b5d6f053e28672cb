import { deepEqual, equal } from 'node:assert/strict';
import { pipelineItem } from '../../../../src/jobs/node/treeItems';
import { PipelineNode } from '../../../../src/jobs/node/pipelineNodes';
import type { Pipeline } from '../../../../src/service/wire';
import { formatTimestamp } from '../../../../src/words/format';
import { plainEnglish } from '../../../../src/words/translate';

const item = (resource: Pipeline) => {
  const { tooltip, ...shown } = pipelineItem({ t: plainEnglish, locale: 'en' }, new PipelineNode(resource));
  return { ...shown, tooltip: tooltip?.() };
};

describe('A pipeline in its tree', () => {
  it('is named after the start of its description', () => {
    const description = 'Nuclei in DAPI. Counts them, too.';
    const createdAt = '2026-01-02T03:04:05Z';
    const created = formatTimestamp('en', createdAt);
    deepEqual(item({ id: 'p', description, createdAt }), {
      id: 'p',
      label: 'Nuclei in DAPI',
      tooltip: [description, `Created ${created}`, 'ID p'],
      contextValue: 'pipeline',
      icon: 'server-process',
      accessibleLabel: description,
    });
  });

  it('is named by the end of its ID where it has no description', () => {
    const id = '75f0c1d2e3a4b5c6d7e8f903';
    const { label, tooltip, accessibleLabel, ...rest } = item({ id, description: '' });
    const name = 'Pipeline …e8f903';
    deepEqual([label, tooltip, accessibleLabel], [name, [name, `ID ${id}`], name]);
    equal('description' in rest, false);
    equal(item({ id: 'p', description: '' }).label, 'Pipeline p');
  });

  it('says that it was used last', () => {
    const node = new PipelineNode({ id: 'p', description: 'Nuclei' });
    node.isLastUsed = true;
    equal(pipelineItem({ t: plainEnglish, locale: 'en' }, node).description, 'last used');
  });
});
