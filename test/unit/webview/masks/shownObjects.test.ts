import { deepEqual } from 'node:assert/strict';
import { ShownObjects } from '../../../../src/webview/masks/shownObjects';

describe('which objects the filter of the table lets through', () => {
  const { signal } = new AbortController();
  let answers: ((shown: number[] | null) => void)[];
  let heard: (number[] | undefined)[];
  let objects: ShownObjects;

  beforeEach(() => {
    answers = [];
    heard = [];
    const request = () =>
      new Promise(resolve =>
        answers.push(shown => resolve({ shown: shown && Uint8Array.from(shown).buffer })),
      );
    objects = new ShownObjects({ request } as never, 0);
  });

  const ask = () => objects.ask(shown => heard.push(shown && [...shown]), signal);

  it('is told as the table answers, and that all do where it is not filtered', async () => {
    const asked = [ask()];
    answers[0]?.([1, 0, 1]);
    await asked[0];
    asked.push(ask());
    answers[1]?.(null);
    await asked[1];
    deepEqual(heard, [[1, 0, 1], undefined]);
  });

  it('is what was asked for last, although the answer to what was asked before comes later', async () => {
    const asked = [ask(), ask()];
    answers[1]?.(null);
    answers[0]?.([1, 0, 1]);
    await Promise.all(asked);
    deepEqual(heard, [undefined]);
  });
});
