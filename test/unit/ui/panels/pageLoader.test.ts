import * as assert from 'node:assert/strict';
import { toDisposable } from '../../../../src/base/disposable';
import { silentLog } from '../../../../src/base/log';
import { Emitter } from '../../../../src/base/event';
import { PageLoader } from '../../../../src/ui/panels/pageLoader';

/** A panel whose page never says anything of itself, and a clock that a test puts forward. */
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
  const whenOver = (run: () => void) => {
    waiting.add(run);
    return toDisposable(() => waiting.delete(run));
  };
  let made = 0;
  let givenUp = 0;
  const loader = new PageLoader(
    panel as never,
    () => `page ${(made += 1)}`,
    silentLog,
    () => (givenUp += 1),
    whenOver,
  );
  const patienceEnds = () => {
    for (const run of [...waiting]) {
      waiting.delete(run);
      run();
    }
  };
  const timesGivenUp = () => givenUp;
  return { panel, loader, loads, messages, views, waiting, patienceEnds, timesGivenUp };
}

describe('a page that is loaded', () => {
  it('is loaded again, under a new nonce, while nothing is heard of it, and given up at last', () => {
    const { loader, loads, waiting, patienceEnds, timesGivenUp } = blankPanel();
    loader.load();
    for (let turn = 0; turn < 2; turn++) patienceEnds();
    assert.equal(timesGivenUp(), 0);
    for (let turn = 0; turn < 9; turn++) patienceEnds();
    assert.deepEqual(loads, ['page 1', 'page 2', 'page 3']);
    assert.equal(waiting.size, 0);
    assert.equal(timesGivenUp(), 1);
    loader.load();
    patienceEnds();
    assert.equal(loads.length, 5);
    loader.dispose();
  });

  it('is left alone once it has spoken', () => {
    const { loader, loads, messages, waiting } = blankPanel();
    loader.load();
    assert.equal(waiting.size, 1);
    messages.fire({});
    assert.equal(waiting.size, 0);
    assert.deepEqual(loads, ['page 1']);
    loader.dispose();
  });

  it('is waited for only while its panel is on the screen', () => {
    const { panel, loader, loads, views, waiting, patienceEnds } = blankPanel({ visible: false });
    loader.load();
    assert.equal(waiting.size, 0);
    panel.visible = true;
    views.fire({});
    patienceEnds();
    assert.deepEqual(loads, ['page 1', 'page 2']);
    panel.visible = false;
    views.fire({});
    assert.equal(waiting.size, 0);
    loader.dispose();
  });

  it('is waited for no more once its panel is gone', () => {
    const { loader, waiting } = blankPanel();
    loader.load();
    loader.dispose();
    assert.equal(waiting.size, 0);
  });
});
