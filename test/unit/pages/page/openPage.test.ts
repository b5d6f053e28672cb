import { deepEqual } from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { leaveKeysToComposing, showIconsOnceLoaded } from '../../../../src/pages/page/openPage';

describe('Keys of a page', () => {
  it('are those of the window in which words are composed while that is open', () => {
    const page = new EventTarget();
    leaveKeysToComposing(page);
    const heard: boolean[] = [];
    page.addEventListener('keydown', event => heard.push((event as KeyboardEvent).isComposing));
    for (const isComposing of [true, false])
      page.dispatchEvent(Object.assign(new Event('keydown', { cancelable: true }), { isComposing }));
    deepEqual(heard, [false]);
  });
});

describe('Icons of a page', () => {
  for (const [end, load, shown] of [
    ['has come', () => Promise.resolve([{}]), ['icons-loaded']],
    ["isn't declared", () => Promise.resolve([]), []],
    ["can't be loaded", () => Promise.reject(new Error('offline')), []],
  ] as const) {
    it(`are shown only once their font is there: it ${end}`, async () => {
      const classes: string[] = [];
      const root = { classList: { add: (name: string) => classes.push(name) } };
      showIconsOnceLoaded({ fonts: { load }, documentElement: root } as unknown as Document);
      deepEqual(classes, []);
      await setImmediate();
      deepEqual(classes, shown);
    });
  }
});
