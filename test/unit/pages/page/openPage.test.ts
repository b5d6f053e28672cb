import { deepEqual } from 'node:assert/strict';
import { leaveKeysToComposing } from '../../../../src/pages/page/openPage';

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
