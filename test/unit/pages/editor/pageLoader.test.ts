import * as assert from 'node:assert/strict';
import { toDisposable } from '../../../../src/base/disposable';
import { silentLog } from '../../../../src/base/log';
import { Emitter } from '../../../../src/base/event';
import { PageLoader } from '../../../../src/pages/editor/pageLoader';

/** A panel whose page sends no messages, and a timer that the test fires. */
function blankPanel({ visible = true } = {}) {
  const messages = new Emitter<unknown>();
  const views = new Emitter<unknown>();
  const loads: string[] = [];
  const waiting = new Set<() => void>();
  const webview = {
    onDidReceiveMessage: messages.event,
    set html(html: string) {
      loads.push(html);
    },
  };
  const panel = { visible, webview, onDidChangeViewState: views.event };
  const startTimer = (run: () => void) => {
    waiting.add(run);
    return toDisposable(() => waiting.delete(run));
  };
  let made = 0;
  let failed = 0;
  const loader = new PageLoader(
    panel as never,
    () => `page ${(made += 1)}`,
    silentLog,
    () => (failed += 1),
    startTimer,
  );
  const timeOut = () => {
    for (const run of [...waiting]) {
      waiting.delete(run);
      run();
    }
  };
  const failures = () => failed;
  return { panel, loader, loads, messages, views, waiting, timeOut, failures };
}

describe('A page that is loading', () => {
  it('is loaded again, under a new nonce, while it sends no message, up to the limit of attempts', () => {
    const { loader, loads, waiting, timeOut, failures } = blankPanel();
    loader.load();
    for (let turn = 0; turn < 2; turn++) timeOut();
    assert.equal(failures(), 0);
    for (let turn = 0; turn < 9; turn++) timeOut();
    assert.deepEqual(loads, ['page 1', 'page 2', 'page 3']);
    assert.equal(waiting.size, 0);
    assert.equal(failures(), 1);
    loader.load();
    timeOut();
    assert.equal(loads.length, 5);
    loader.dispose();
  });

  it('says so each time before it is there', () => {
    const { loader, loads, timeOut } = blankPanel();
    const before: number[] = [];
    loader.onWillLoad(() => before.push(loads.length));
    loader.load();
    timeOut();
    loader.load();
    assert.deepEqual(before, [0, 1, 2]);
    loader.dispose();
  });

  it("isn't loaded again once it has sent a message", () => {
    const { loader, loads, messages, waiting } = blankPanel();
    loader.load();
    assert.equal(waiting.size, 1);
    messages.fire({});
    assert.equal(waiting.size, 0);
    assert.deepEqual(loads, ['page 1']);
    loader.dispose();
  });

  it('is loaded again while only its HTML has sent messages, and not its script', () => {
    const { loader, loads, messages, waiting, timeOut } = blankPanel();
    loader.load();
    messages.fire({ kind: 'request', id: 1, method: 'start', params: {}, isEarly: true });
    assert.equal(waiting.size, 1);
    timeOut();
    assert.deepEqual(loads, ['page 1', 'page 2']);
    loader.dispose();
  });

  it('times out only while its panel is visible', () => {
    const { panel, loader, loads, views, waiting, timeOut } = blankPanel({ visible: false });
    loader.load();
    assert.equal(waiting.size, 0);
    panel.visible = true;
    views.fire({});
    timeOut();
    assert.deepEqual(loads, ['page 1', 'page 2']);
    panel.visible = false;
    views.fire({});
    assert.equal(waiting.size, 0);
    loader.dispose();
  });

  it("doesn't time out once its panel is closed", () => {
    const { loader, waiting } = blankPanel();
    loader.load();
    loader.dispose();
    assert.equal(waiting.size, 0);
  });
});
