import { deepEqual, equal } from 'node:assert/strict';
import { ObjectColors } from '../../../../../src/masks/page/state/masksLook';
import { Thumbnails } from '../../../../../src/masks/page/thumbnails';

describe('thumbnails', () => {
  it('are requested once the image that is shown was painted', () => {
    const requests: string[] = [];
    const panel = {
      request: (method: string, { image }: { image: number }) => {
        requests.push(`${method} of ${image}`);
        return new Promise(() => undefined);
      },
    };
    const look = { colors: [], hidden: new Set(), colorBy: { kind: 'class' }, colorMap: 'viridis' };
    const thumbnails = new Thumbnails(panel as never, new ObjectColors(), look as never);
    const inView = [0, 1, 2].map(index => ({ index, objectCount: 5, width: 1e5, height: 1e5 }) as never);
    let changes = 0;
    thumbnails.onChange = () => {
      changes++;
      thumbnails.want(inView);
    };
    thumbnails.want(inView);
    deepEqual(requests, []);
    thumbnails.begin();
    thumbnails.begin();
    equal(changes, 1);
    deepEqual(requests, ['thumbnail of 0', 'thumbnail of 1']);
  });
});
