import assert from 'node:assert/strict';
import { CodedError, cancelledError, isCoded } from '../../../../src/base/errors';
import { Emitter } from '../../../../src/base/event';
import { RpcEndpoint, type RpcMessage } from '../../../../src/protocol/rpc';
import { PageConnection, wordedHandlers } from '../../../../src/ui/panels/pageConnection';

interface Panel {
  requests: { slow: { params: { name: string }; result: string }; fail: { params: object; result: string } };
  events: { progress: number };
  [key: string]: unknown;
}
interface Page {
  requests: Record<string, never>;
  events: { shown: object };
  [key: string]: unknown;
}

class Window {
  readonly incoming = new Emitter<unknown>();
  readonly posted = new Emitter<RpcMessage>();
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

describe('the connection of a panel to its page', () => {
  it('answers, hears events, and ignores what is no message', async () => {
    const window = new Window();
    let shown = 0;
    const connection = new PageConnection<Panel, Page>(
      window.webview,
      { slow: ({ name }) => `hello ${name}`, fail: () => 'no' },
      page => page.on('shown', () => shown++),
    );
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
    page.send('shown', {});
    assert.equal(shown, 1);
    connection.dispose();
  });

  it('never gives a new page the answer to a question of the one before', async () => {
    const window = new Window();
    const waiting = new Map<string, (value: string) => void>();
    const cancelled: string[] = [];
    const connection = new PageConnection<Panel, Page>(
      window.webview,
      {
        slow: ({ name }, signal) => {
          signal.addEventListener('abort', () => cancelled.push(name));
          return new Promise(resolve => waiting.set(name, resolve));
        },
        fail: () => 'no',
      },
      () => undefined,
    );
    const old = window.page();
    void old.request('slow', { name: 'old' }).catch(() => undefined);
    old.dispose();
    const fresh = window.page();
    const answer = fresh.request('slow', { name: 'new' });
    assert.deepEqual(cancelled, ['old']);
    waiting.get('old')?.('for the old page');
    await new Promise(resolve => setImmediate(resolve));
    waiting.get('new')?.('for the new page');
    assert.equal(await answer, 'for the new page');
    connection.dispose();
  });

  it('puts failures into words, keeps their code, and leaves cancels alone', async () => {
    const window = new Window();
    const logged: string[] = [];
    let failure: Error = new CodedError('not-found', 'raw', { subject: 'secret' });
    const connection = new PageConnection<Panel, Page>(
      window.webview,
      wordedHandlers<Panel>(
        { slow: () => 'x', fail: () => Promise.reject(failure) },
        () => 'in words',
        method => logged.push(method),
      ),
      () => undefined,
    );
    const page = window.page();
    await assert.rejects(
      page.request('fail', {}),
      error => isCoded(error, 'not-found') && error.message === 'in words',
    );
    failure = new Error('bug');
    await assert.rejects(page.request('fail', {}), /^Error: in words$/);
    failure = cancelledError();
    await assert.rejects(page.request('fail', {}), error => isCoded(error, 'cancelled'));
    assert.deepEqual(logged, ['fail', 'fail']);
    connection.dispose();
  });
});
