import { deepEqual } from 'node:assert/strict';
import { ShownObjects } from '../../../../src/masks/page/state/loadedObjects';

describe('the objects that match the table’s filter', () => {
  const { signal } = new AbortController();
  let responses: ((shown: number[] | null) => void)[];
  let received: (number[] | undefined)[];
  let objects: ShownObjects;

  beforeEach(() => {
    responses = [];
    received = [];
    const request = () =>
      new Promise(resolve =>
        responses.push(shown => resolve({ shown: shown && Uint8Array.from(shown).buffer })),
      );
    objects = new ShownObjects({ request } as never, 0);
  });

  const load = () => objects.load(shown => received.push(shown && [...shown]), signal);

  it('are those the table reports, and all where it is not filtered', async () => {
    const requests = [load()];
    responses[0]?.([1, 0, 1]);
    await requests[0];
    requests.push(load());
    responses[1]?.(null);
    await requests[1];
    deepEqual(received, [[1, 0, 1], undefined]);
  });

  it('are not those of a response that arrives after newer ones were sent', async () => {
    const requests = [load()];
    objects.discardPending();
    responses[0]?.([1, 0, 1]);
    await Promise.all(requests);
    deepEqual(received, []);
  });

  it('are those of the last request, although the response to an earlier one comes later', async () => {
    const requests = [load(), load()];
    responses[1]?.(null);
    responses[0]?.([1, 0, 1]);
    await Promise.all(requests);
    deepEqual(received, [undefined]);
  });
});
