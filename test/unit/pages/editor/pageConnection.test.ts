import assert from 'node:assert/strict';
import * as v from 'valibot';
import { CodedError, canceledError, isCoded } from '../../../../src/base/errors';
import { Emitter } from '../../../../src/base/event';
import { RpcEndpoint, type RpcMessage } from '../../../../src/protocol/rpc';
import { request, type EventsOf, type RequestsOf } from '../../../../src/protocol/declarations';
import { PageConnection } from '../../../../src/pages/editor/pageConnection';

const declaration = {
  passedOn: {},
  requests: {
    slow: request(v.object({ name: v.string() })).resolvesTo<string>(),
    fail: request(v.object({})).resolvesTo<string>(),
  },
  events: { shown: v.object({ rows: v.number() }) },
};
interface Panel {
  requests: RequestsOf<typeof declaration.requests>;
  events: { progress: number };
}
interface Page {
  requests: Record<string, never>;
  events: EventsOf<typeof declaration.events>;
}

type Options = ConstructorParameters<typeof PageConnection<Panel, Page>>[0];

function connect(
  window: Window,
  options: Pick<Options, 'handlers'> & Partial<Options>,
): PageConnection<Panel, Page> {
  return new PageConnection<Panel, Page>({
    webview: window.webview,
    onWillLoad: window.loading.event,
    declaration,
    listen: () => undefined,
    describe: String,
    failed: () => undefined,
    ...options,
  });
}

class Window {
  readonly incoming = new Emitter<unknown>();
  readonly posted = new Emitter<RpcMessage>();
  readonly loading = new Emitter<void>();
  readonly webview = {
    onDidReceiveMessage: this.incoming.event as never,
    postMessage: (message: unknown) => {
      this.posted.fire(message as RpcMessage);
      return Promise.resolve(true);
    },
  };

  /** A page that has just loaded. */
  page(): RpcEndpoint<Page, Panel> {
    return new RpcEndpoint<Page, Panel>(
      { post: message => this.incoming.fire(message), onMessage: this.posted.event },
      {},
    );
  }
}

describe('The connection of a panel to its page', () => {
  it('responds, receives events, and ignores invalid messages', async () => {
    const window = new Window();
    let shown = 0;
    const connection = connect(window, {
      handlers: { slow: ({ name }) => `hello ${name}`, fail: () => 'no' },
      listen: page => page.on('shown', ({ rows }) => (shown += rows)),
    });
    const page = window.page();
    for (const junk of [
      null,
      7,
      'text',
      {},
      { kind: 'request', id: 'x' },
      { kind: 'request', id: 1, method: 'slow' },
    ])
      window.incoming.fire(junk);
    assert.equal(await page.request('slow', { name: 'page' }), 'hello page');
    page.send('shown', { rows: 2 });
    assert.equal(shown, 2);
    connection.dispose();
  });

  it('rejects requests and drops events that are not as declared', async () => {
    const window = new Window();
    const failed: string[] = [];
    const shown: number[] = [];
    const connection = connect(window, {
      handlers: { slow: ({ name }) => name, fail: () => 'no' },
      listen: page => page.on('shown', ({ rows }) => shown.push(rows)),
      failed: message => failed.push(message),
    });
    const page = window.page();
    const invalid = { name: 7 } as unknown as { name: string };
    await assert.rejects(page.request('slow', invalid), error => isCoded(error, 'bad-request'));
    page.send('shown', { rows: 'two' as unknown as number });
    page.send('toString' as 'shown', { rows: 2 });
    page.send('shown', { rows: 1 });
    assert.deepEqual(shown, [1]);
    assert.deepEqual(failed, ['slow', 'shown', 'toString']);
    connection.dispose();
  });

  it('never gives a new page the response to a request of the previous one', async () => {
    const window = new Window();
    const waiting = new Map<string, (value: string) => void>();
    const canceled: string[] = [];
    const connection = connect(window, {
      handlers: {
        slow: ({ name }, signal) => {
          signal.addEventListener('abort', () => canceled.push(name));
          return new Promise(resolve => waiting.set(name, resolve));
        },
        fail: () => 'no',
      },
    });
    const old = window.page();
    void old.request('slow', { name: 'old' }).catch(() => undefined);
    old.dispose();
    const fresh = window.page();
    const answer = fresh.request('slow', { name: 'new' });
    assert.deepEqual(canceled, ['old']);
    waiting.get('old')?.('for the old page');
    await new Promise(resolve => setImmediate(resolve));
    waiting.get('new')?.('for the new page');
    assert.equal(await answer, 'for the new page');
    connection.dispose();
  });

  it('posts no response to a page that is about to be replaced, since the next one would take it for its own', async () => {
    const window = new Window();
    const waiting = new Map<string, (value: string) => void>();
    const connection = connect(window, {
      handlers: {
        slow: ({ name }) => new Promise(resolve => waiting.set(name, resolve)),
        fail: () => 'no',
      },
    });
    void window
      .page()
      .request('slow', { name: 'old' })
      .catch(() => undefined);
    // VS Code keeps what is posted until the new page is there.
    const pending: RpcMessage[] = [];
    const keeping = window.posted.event(message => pending.push(message));
    window.loading.fire();
    connection.send('progress', 1);
    waiting.get('old')?.('for the old page');
    await new Promise(setImmediate);
    keeping.dispose();
    assert.deepEqual(pending, []);
    const answer = window.page().request('slow', { name: 'new' });
    waiting.get('new')?.('for the new page');
    assert.equal(await answer, 'for the new page');
    connection.dispose();
  });

  it('puts failures into words, preserves their code, and leaves cancellations alone', async () => {
    const window = new Window();
    const logged: string[] = [];
    let failure: Error = new CodedError('not-found', 'raw', { subject: 'secret' });
    const connection = connect(window, {
      handlers: { slow: () => 'x', fail: () => Promise.reject(failure) },
      describe: () => 'in words',
      failed: method => logged.push(method),
    });
    const page = window.page();
    await assert.rejects(
      page.request('fail', {}),
      error => isCoded(error, 'not-found') && error.message === 'in words',
    );
    failure = new Error('bug');
    await assert.rejects(page.request('fail', {}), /^Error: in words$/);
    failure = canceledError();
    await assert.rejects(page.request('fail', {}), error => isCoded(error, 'cancelled'));
    assert.deepEqual(logged, ['fail', 'fail']);
    connection.dispose();
  });
});
