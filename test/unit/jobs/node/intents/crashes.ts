import * as assert from 'node:assert/strict';
import { FakeMachine, type FakeWindow } from './fakeWindows';

export const request = { pipelineId: 'p', filesystemIds: ['a', 'b'], name: 'plate 7' };

/** Waits until work that is under way has come so far. */
export async function until(isReached: () => boolean): Promise<void> {
  for (let turns = 0; !isReached(); turns++) {
    assert.ok(turns < 100_000, 'it never happens');
    await Promise.resolve();
  }
}

/** How many steps a window has taken when the service has its request. */
export async function stepsToSend(): Promise<number> {
  const machine = new FakeMachine();
  const window = machine.openWindow();
  const work = window.guard.submit(request);
  await until(() => machine.service.posts === 1);
  const { steps } = window;
  await work;
  return steps;
}

/** Runs a submit whose window crashes before its end. */
export async function crashAfter(
  window: FakeWindow,
  steps: number,
  work: () => Promise<unknown>,
): Promise<void> {
  window.crashAt = steps + 1;
  let isDone = false;
  void work().then(
    () => (isDone = true),
    () => (isDone = true),
  );
  await until(() => isDone || window.isOver);
}
