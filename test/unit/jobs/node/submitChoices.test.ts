import { deepEqual, equal, rejects } from 'node:assert/strict';
import { SubmitChoices } from '../../../../src/jobs/node/submitChoices';
import { MemoryState } from './memoryState';

describe('The choices of earlier submits', () => {
  let state: MemoryState;
  let choices: SubmitChoices;

  beforeEach(() => {
    state = new MemoryState();
    choices = new SubmitChoices(state);
  });

  afterEach(() => choices.dispose());

  it('are none at first, and where what is stored is damaged', async () => {
    deepEqual(await choices.last(), { pipelines: [], masks: undefined });
    await state.write('submitChoices', { pipelines: ['p', 7], masks: 'yes' });
    deepEqual(await choices.last(), { pipelines: ['p'], masks: undefined });
    await state.write('submitChoices', 'x');
    deepEqual(await choices.last(), { pipelines: [], masks: undefined });
  });

  it('name each pipeline once, the latest first, and are told of', async () => {
    let changes = 0;
    choices.onDidChange(() => changes++);
    await Promise.all([
      choices.remember({ pipelineId: 'a', masks: true }),
      choices.remember({ pipelineId: 'b', masks: true }),
      choices.remember({ pipelineId: 'a', masks: false }),
    ]);
    deepEqual(await new SubmitChoices(state).last(), { pipelines: ['a', 'b'], masks: false });
    equal(changes, 3);
  });

  it('are bounded', async () => {
    for (let index = 0; index < 30; index++) await choices.remember({ pipelineId: `${index}`, masks: false });
    deepEqual((await choices.last()).pipelines.slice(0, 2), ['29', '28']);
    equal((await choices.last()).pipelines.length, 20);
  });

  it('go on after the disk failed', async () => {
    state.failing = true;
    await rejects(choices.remember({ pipelineId: 'a', masks: true }));
    state.failing = false;
    await choices.remember({ pipelineId: 'b', masks: true });
    deepEqual((await choices.last()).pipelines, ['b']);
  });
});
