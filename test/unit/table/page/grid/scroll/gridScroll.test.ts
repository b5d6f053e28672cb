import { deepEqual } from 'node:assert/strict';
import { GridScroll } from '../../../../../../src/table/page/grid/gridScroll';

describe('scrolling the grid', () => {
  it('asks it for no row that it does not have, as it would warn', () => {
    const asked: number[] = [];
    const api = { ensureIndexVisible: (position: number) => asked.push(position) };
    let rows = 0;
    const scroll = new GridScroll({
      // There is nothing to scroll.
      root: { querySelector: () => null } as never,
      api: () => api as never,
      rowCount: () => rows,
    });
    Object.assign(globalThis, { requestAnimationFrame: () => 0 });
    try {
      scroll.reveal(0, 'top');
      rows = 2;
      scroll.reveal(1, 'top');
    } finally {
      Reflect.deleteProperty(globalThis, 'requestAnimationFrame');
    }
    deepEqual(asked, [1]);
  });
});
