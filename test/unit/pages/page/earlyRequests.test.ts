import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import {
  EARLY_REQUESTS,
  type EarlyRequests,
  earlyRequestsScript,
  isEarly,
} from '../../../../src/pages/earlyRequests';
import { PagePort } from '../../../../src/pages/page/pagePort';
import { RpcEndpoint, type RpcMessage } from '../../../../src/protocol/rpc';

interface Panel {
  requests: Record<'strings' | 'start' | 'more', { params: Record<string, never>; result: { of: string } }>;
  events: { note: string };
}
interface Page {
  requests: Record<string, never>;
  events: Record<string, never>;
}

/** A page whose HTML has run its script: `hear` gets the panel's messages, `posted` the page's. */
function early() {
  const posted: (RpcMessage & { id: number })[] = [];
  const listeners: ((event: { data: unknown }) => void)[] = [];
  const api = {
    postMessage: (message: RpcMessage & { id: number }) => posted.push(message),
    getState: () => undefined,
    setState: <T>(state: T) => state,
  };
  const scope = {
    acquireVsCodeApi: () => api,
    addEventListener: (_: string, listener: (event: { data: unknown }) => void) => listeners.push(listener),
  };
  runInNewContext(earlyRequestsScript(), scope);
  const { earlyRequests } = scope as typeof scope & { earlyRequests: EarlyRequests<typeof api> };
  const hear = (data: unknown) => listeners.forEach(listener => listener({ data }));
  /** The page's script, once it has come. */
  const start = () => {
    const port = new PagePort(earlyRequests.api, () => ({}), earlyRequests);
    return new RpcEndpoint<Page, Panel>(port, {}, EARLY_REQUESTS);
  };
  return { posted, hear, start };
}

describe('requests that the HTML of a page sends before its script has come', () => {
  const place = globalThis as unknown as Record<string, unknown>;
  const known = { addEventListener: place['addEventListener'], document: place['document'] };
  before(() => {
    place['addEventListener'] = () => undefined;
    place['document'] = { addEventListener: () => undefined };
  });
  after(() => Object.assign(place, known));

  it('are those that the script makes first, which sends only its others', async () => {
    const { posted, hear, start } = early();
    assert.deepEqual(
      posted.map(message => [message.kind, message.id, isEarly(message)]),
      [
        ['request', 1, true],
        ['request', 2, true],
      ],
    );
    const page = start();
    const requests = [page.request('start', {}), page.request('strings', {}), page.request('more', {})];
    assert.deepEqual(
      posted.slice(2).map(({ id }) => id),
      [3],
    );
    assert.equal(isEarly(posted[2]), false);
    for (const [at, of] of ['strings', 'start', 'more'].entries())
      hear({ kind: 'result', id: at + 1, value: { of } });
    assert.deepEqual(await Promise.all(requests), [{ of: 'start' }, { of: 'strings' }, { of: 'more' }]);
    // A second one is a request of its own.
    void page.request('start', {});
    assert.equal(posted.at(-1)?.id, 4);
    page.dispose();
  });

  it('have their responses and all else in order, each in a task of its own', async () => {
    const { hear, start } = early();
    hear({ kind: 'result', id: 1, value: { of: 'strings' } });
    hear({ kind: 'event', name: 'note', value: 'first' });
    hear('from another script');
    hear({ kind: 'event', name: 'note', value: 'second' });
    const page = start();
    const heard: string[] = [];
    const last = new Promise<void>(resolve => {
      void page.request('strings', {}).then(({ of }) => {
        heard.push(of);
        // Nothing listened before the response.
        page.on('note', note => {
          heard.push(note);
          if (note === 'third') resolve();
        });
      });
    });
    hear({ kind: 'event', name: 'note', value: 'third' });
    await last;
    assert.deepEqual(heard, ['strings', 'first', 'second', 'third']);
    hear({ kind: 'event', name: 'note', value: 'fourth' });
    assert.deepEqual(heard.slice(4), ['fourth']);
    page.dispose();
  });
});
