import { deepEqual, equal } from 'node:assert/strict';
import { CodedError } from '../../../../src/base/errors';
import { LoadMoreNode } from '../../../../src/host/node/pagedNodes';
import { PipelineNode, PipelineNodes } from '../../../../src/jobs/node/pipelineNodes';
import { FakeSessions } from './fakeSessions';

describe('The pipelines in their tree', () => {
  let sessions: FakeSessions;
  let nodes: PipelineNodes;

  beforeEach(() => {
    sessions = new FakeSessions();
    sessions.pipelines = ['1', '2', '3'].map(id => ({ id, description: id }));
    nodes = new PipelineNodes(sessions.parts);
  });

  afterEach(() => nodes.dispose());

  const shown = async () =>
    (await nodes.children()).map(node => {
      if (!(node instanceof PipelineNode)) return node instanceof LoadMoreNode ? 'more' : 'other';
      return node.isLastUsed ? `${node.id} last` : node.id;
    });

  it('begin with those used recently, as soon as one was used', async () => {
    deepEqual(await shown(), ['1', '2', 'more']);
    let changes = 0;
    nodes.onDidChange(() => changes++);
    await sessions.submitChoices.remember({ pipelineId: '2', masks: false });
    equal(changes, 1);
    deepEqual(await shown(), ['2 last', '1', 'more']);
    await sessions.submitChoices.remember({ pipelineId: '1', masks: false });
    deepEqual(await shown(), ['1 last', '2', 'more']);
  });

  it("stay below the row that says that the service can't be reached", async () => {
    await sessions.submitChoices.remember({ pipelineId: '2', masks: false });
    await shown();
    sessions.failure = new CodedError('network', 'down');
    nodes.refresh();
    deepEqual(await shown(), ['other', '2 last', '1']);
  });
});
