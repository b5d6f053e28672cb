import * as assert from 'node:assert/strict';
import type { Dispatcher } from 'undici';
import { exchange } from '../../../../src/service/node/exchange';

/** A request that waits for a connection until the test gives it one. */
function waitingRequest() {
  let handler: Dispatcher.DispatchHandler | undefined;
  const dispatcher = {
    dispatch: (_: unknown, waiting: Dispatcher.DispatchHandler) => {
      handler = waiting;
      return true;
    },
  } as unknown as Dispatcher;
  return {
    dispatcher,
    /** Whether it was aborted, once there is a connection. */
    connect(): boolean {
      let isAborted = false;
      const controller = { abort: () => (isAborted = true) } as unknown as Dispatcher.DispatchController;
      handler?.onRequestStart?.(controller, undefined);
      return isAborted;
    },
  };
}

describe('A request', () => {
  const request = { origin: 'http://service.test', path: '/', method: 'GET' } as const;

  it('that is ended while it waits for a connection fails at once, and is never sent', async () => {
    const { dispatcher, connect } = waitingRequest();
    const controller = new AbortController();
    const exchanged = exchange(dispatcher, request, { signal: controller.signal });
    controller.abort();
    await assert.rejects(exchanged);
    assert.equal(connect(), true);
  });

  it('is not sent where it was ended before', async () => {
    const dispatcher = { dispatch: () => assert.fail('it was sent') } as unknown as Dispatcher;
    await assert.rejects(
      exchange(dispatcher, request, { signal: AbortSignal.abort() }),
      /The request was ended/,
    );
  });
});
