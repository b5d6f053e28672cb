import { deepEqual, equal } from 'node:assert/strict';
import { ObjectColors } from '../../../../../src/masks/page/state/masksLook';
import { Thumbnails } from '../../../../../src/masks/page/thumbnails';
import { pageStore } from '../state/pageStore';

describe('thumbnails', () => {
  it('are requested once the image that is shown was painted', () => {
    const requests: string[] = [];
    const panel = {
      request: (method: string, { image }: { image: number }) => {
        requests.push(`${method} of ${image}`);
        return new Promise(() => undefined);
      },
    };
    const { store } = pageStore();
    const thumbnails = new Thumbnails(panel as never, new ObjectColors(), store);
    const inView = [0, 1, 2].map(index => ({ index, objectCount: 5, width: 1e5, height: 1e5 }) as never);
    thumbnails.want(inView);
    deepEqual(requests, []);
    const before = thumbnails.revision.value;
    store.layout.shown();
    store.layout.shown();
    equal(thumbnails.revision.value, before + 1);
    thumbnails.want(inView);
    deepEqual(requests, ['thumbnail of 0', 'thumbnail of 1']);
  });
});
