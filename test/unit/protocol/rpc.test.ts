import * as assert from 'node:assert/strict';
import { CodedError, isCoded } from '../../../src/base/errors';
import { handlersLoadedLater, RpcEndpoint, type RpcMessage, type RpcPort } from '../../../src/protocol/rpc';

interface Calculator {
  requests: {
    add: { params: { a: number; b: number }; result: { sum: number } };
    fail: { params: Record<string, never>; result: Record<string, never> };
    wait: { params: Record<string, never>; result: { heard: boolean } };
  };
  events: { busy: boolean };
}
interface Silent {
  requests: Record<string, never>;
  events: { note: string };
}

/** Two ports that hand each other JSON copies, as two threads would. */
function portPair(): [RpcPort, RpcPort] {
  const listeners: [Set<(m: RpcMessage) => void>, Set<(m: RpcMessage) => void>] = [new Set(), new Set()];
  const port = (mine: 0 | 1): RpcPort => ({
    post: message => {
      const copy = JSON.parse(JSON.stringify(message)) as RpcMessage;
      queueMicrotask(() => listeners[mine === 0 ? 1 : 0].forEach(listener => listener(copy)));
    },
    onMessage: listener => {
      listeners[mine].add(listener);
      return { dispose: () => listeners[mine].delete(listener) };
    },
  });
  return [port(0), port(1)];
}

function conversation() {
  const [here, there] = portPair();
  const canceled: boolean[] = [];
  const server = new RpcEndpoint<Calculator, Silent>(there, {
    add: ({ a, b }) => ({ sum: a + b }),
    fail: () => {
      throw new CodedError('exists', 'It is there', { subject: 'x' });
    },
    wait: (_params, signal) =>
      new Promise(resolve => {
        signal.addEventListener('abort', () => {
          canceled.push(true);
          resolve({ heard: true });
        });
      }),
  });
  const client = new RpcEndpoint<Silent, Calculator>(here, {});
  return { client, server, canceled };
}

describe('A connection for messages', () => {
  it('returns the response to a request', async () => {
    const { client } = conversation();
    assert.deepEqual(await client.request('add', { a: 2, b: 3 }), { sum: 5 });
  });

  it('returns an error with its code and details', async () => {
    const { client } = conversation();
    await assert.rejects(client.request('fail', {}), error => {
      assert.ok(isCoded(error, 'exists'));
      assert.equal(error.details.subject, 'x');
      return true;
    });
  });

  it('returns an error for a request without a handler', async () => {
    const { client } = conversation();
    await assert.rejects(client.request('toString' as 'add', { a: 1, b: 1 }), /No handler/);
  });

  it('cancels the work on the other side and rejects at once', async () => {
    const { client, canceled } = conversation();
    const controller = new AbortController();
    const waiting = client.request('wait', {}, controller.signal);
    await client.request('add', { a: 0, b: 0 });
    controller.abort();
    await assert.rejects(waiting, error => isCoded(error, 'cancelled'));
    await client.request('add', { a: 0, b: 0 });
    assert.deepEqual(canceled, [true]);
  });

  it('rejects pending and later requests with the reason of its end', async () => {
    const { client } = conversation();
    const waiting = client.request('wait', {});
    client.end(new Error('the thread died'));
    await assert.rejects(waiting, /the thread died/);
    await assert.rejects(client.request('add', { a: 1, b: 1 }), /the thread died/);
  });

  it('delivers events until their listener is removed', async () => {
    const { client, server } = conversation();
    const heard: boolean[] = [];
    const subscription = client.on('busy', value => heard.push(value));
    server.send('busy', true);
    await client.request('add', { a: 0, b: 0 });
    subscription.dispose();
    server.send('busy', false);
    await client.request('add', { a: 0, b: 0 });
    assert.deepEqual(heard, [true]);
  });
});

describe('Handlers that are loaded later', () => {
  interface Requests {
    add: { params: { a: number; b: number }; result: { sum: number } };
    fail: { params: Record<string, never>; result: Record<string, never> };
  }
  const { signal } = new AbortController();

  it('are loaded by the first request, and handle requests in their order', async () => {
    let loads = 0;
    let release = () => undefined as void;
    const order: number[] = [];
    const loaded = new Promise<void>(resolve => (release = resolve)).then(() => ({
      add: ({ a, b }: { a: number; b: number }) => {
        order.push(a);
        return { sum: a + b };
      },
      fail: () => ({}),
    }));
    const handlers = handlersLoadedLater<Requests>({ add: true, fail: true }, () => {
      loads++;
      return loaded;
    });
    assert.equal(loads, 0);
    const results = Promise.all([1, 2, 3].map(async a => await handlers.add({ a, b: 1 }, signal)));
    assert.deepEqual(order, []);
    release();
    assert.deepEqual(await results, [{ sum: 2 }, { sum: 3 }, { sum: 4 }]);
    assert.deepEqual(order, [1, 2, 3]);
  });

  it('reject where they throw, or cannot be loaded', async () => {
    const failing = handlersLoadedLater<Requests>({ add: true, fail: true }, () =>
      Promise.resolve({
        add: () => ({ sum: 0 }),
        fail: () => {
          throw new CodedError('exists', 'It is there');
        },
      }),
    );
    await assert.rejects(async () => failing.fail({}, signal), isCoded);
    const missing = handlersLoadedLater<Requests>({ add: true, fail: true }, () =>
      Promise.reject(new Error('No such file')),
    );
    await assert.rejects(async () => missing.add({ a: 1, b: 2 }, signal), /No such file/);
  });
});
