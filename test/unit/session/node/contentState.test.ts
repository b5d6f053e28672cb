import * as assert from 'node:assert/strict';
import { CodedError } from '../../../../src/base/errors';
import { Emitter } from '../../../../src/base/event';
import { ContentState } from '../../../../src/session/node/contentState';

describe('The state of a view’s content', () => {
  let closed: Emitter<void>;
  let state: ContentState;

  beforeEach(() => {
    closed = new Emitter<void>();
    state = new ContentState(closed.event);
  });

  const open = () => state.openContent(() => Promise.resolve('content'));
  const fail = () => state.openContent(() => Promise.reject(new CodedError('not-found', 'Not there')));

  it('is shown once the page has painted what was opened', async () => {
    assert.equal(await open(), 'content');
    state.markShown();
    await state.whenShown();
    assert.equal(state.hasFailed, false);
  });

  it('fails with the error of what is opened', async () => {
    await assert.rejects(fail(), { code: 'not-found' });
    assert.equal(state.hasFailed, true);
    await assert.rejects(state.whenShown(), { code: 'not-found' });
  });

  it('begins a new attempt when it is opened again after a failure', async () => {
    await assert.rejects(fail());
    const failed = state.whenShown();
    await open();
    state.markShown();
    await state.whenShown();
    assert.equal(state.hasFailed, false);
    await assert.rejects(failed, { code: 'not-found' });
  });

  it('stays shown when a later opening fails', async () => {
    state.markShown();
    await assert.rejects(fail());
    assert.equal(state.hasFailed, false);
    await state.whenShown();
  });

  it('ends when the view is closed: what is being opened is aborted and waiters are rejected', async () => {
    let signal: AbortSignal | undefined;
    let isReleased = false;
    state.store.add({ dispose: () => (isReleased = true) });
    await state.openContent(given => {
      signal = given;
      return Promise.resolve();
    });
    closed.fire();
    assert.equal(signal?.aborted, true);
    assert.equal(state.isClosed, true);
    assert.equal(isReleased, true);
    await assert.rejects(state.whenShown(), { code: 'cancelled' });
  });

  it('begins no attempt after the view is closed', async () => {
    closed.fire();
    const before = state.whenShown();
    state.startOver();
    assert.equal(state.whenShown(), before);
    await assert.rejects(before, { code: 'cancelled' });
  });
});
