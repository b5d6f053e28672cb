import * as assert from 'node:assert/strict';
import { silentLog } from '../../../../src/base/log';
import { Emitter } from '../../../../src/base/event';
import { PageLoader } from '../../../../src/ui/panels/pageLoader';

function blankPanel({ visible = true } = {}) {
  const messages = new Emitter<unknown>();
  const views = new Emitter<unknown>();
  const loads: string[] = [];
  let onLoad = (): void => undefined;
  const webview = {
    onDidReceiveMessage: messages.event,
    set html(html: string) {
      loads.push(html);
      onLoad();
    },
  };
  const panel = { visible, webview, onDidChangeViewState: views.event };
  let made = 0;
  const loader = new PageLoader(panel as never, () => `page ${(made += 1)}`, silentLog, 5);
  const loaded = (count: number) =>
    new Promise<void>(resolve => {
      onLoad = () => {
        if (loads.length >= count) resolve();
      };
      onLoad();
    });
  return { panel, loader, loads, loaded, messages, views };
}

describe('a page that is loaded', () => {
  it('is loaded again, under a new nonce, while nothing is heard of it, but not for ever', async () => {
    const { loader, loads, loaded } = blankPanel();
    loader.load();
    await loaded(3);
    await new Promise(resolve => setTimeout(resolve, 30));
    assert.deepEqual(loads, ['page 1', 'page 2', 'page 3']);
    loader.dispose();
  });

  it('is left alone once it has spoken', async () => {
    const { loader, loads, messages } = blankPanel();
    loader.load();
    messages.fire({});
    await new Promise(resolve => setTimeout(resolve, 30));
    assert.deepEqual(loads, ['page 1']);
    loader.dispose();
  });

  it('is waited for only while its panel is on the screen', async () => {
    const { panel, loader, loads, loaded, views } = blankPanel({ visible: false });
    loader.load();
    await new Promise(resolve => setTimeout(resolve, 30));
    assert.deepEqual(loads, ['page 1']);
    panel.visible = true;
    views.fire({});
    await loaded(2);
    loader.dispose();
  });
});
