import { deepEqual, equal } from 'node:assert/strict';
import { runSteps, type Step } from '../../../src/host/steps';

describe('Steps', () => {
  let visited: string[];

  beforeEach(() => {
    visited = [];
  });

  /** A step that ends as the next of `outcomes` says. */
  const step =
    (...outcomes: Awaited<ReturnType<Step>>[]): Step =>
    ({ step: number, totalSteps, canGoBack }) => {
      visited.push(`${number}/${totalSteps}${canGoBack ? ' back' : ''}`);
      return Promise.resolve(outcomes.shift() ?? 'next');
    };

  it('run in turn', async () => {
    equal(await runSteps([step(), step()]), true);
    deepEqual(visited, ['1/2', '2/2 back']);
  });

  it('go back to the one before, and on from there', async () => {
    equal(await runSteps([step('back'), step('back'), step()]), true);
    deepEqual(visited, ['1/3', '1/3', '2/3 back', '1/3', '2/3 back', '3/3 back']);
  });

  it('end on Esc', async () => {
    equal(await runSteps([step(), step('canceled'), step()]), false);
    deepEqual(visited, ['1/3', '2/3 back']);
  });
});
