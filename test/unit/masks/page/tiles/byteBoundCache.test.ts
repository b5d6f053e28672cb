import { deepEqual, equal } from 'node:assert/strict';
import { ByteBoundCache } from '../../../../../src/masks/page/tiles/tileLoader';

describe('a cache bounded by bytes', () => {
  it('drops what was not used for the longest time', () => {
    const cache = new ByteBoundCache<string>(30);
    for (const key of ['a', 'b', 'c']) cache.set(key, key, 10);
    cache.get('a');
    cache.set('d', 'd', 10);
    deepEqual(
      ['a', 'b', 'c', 'd'].map(key => cache.peek(key)),
      ['a', undefined, 'c', 'd'],
    );
    equal(cache.bytes, 30);
  });

  it('does not count a peek as use', () => {
    const cache = new ByteBoundCache<string>(20);
    cache.set('a', 'a', 10);
    cache.set('b', 'b', 10);
    cache.peek('a');
    cache.set('c', 'c', 10);
    equal(cache.peek('a'), undefined);
  });

  it('counts a replaced value once', () => {
    const cache = new ByteBoundCache<string>(100);
    cache.set('a', 'old', 40);
    cache.set('a', 'new', 10);
    equal(cache.bytes, 10);
    equal(cache.get('a'), 'new');
  });

  it('keeps the newest even when it alone is too large', () => {
    const cache = new ByteBoundCache<string>(10);
    cache.set('a', 'a', 5);
    cache.set('b', 'b', 50);
    deepEqual([cache.peek('a'), cache.peek('b')], [undefined, 'b']);
  });

  it('holds nothing after it was cleared', () => {
    const cache = new ByteBoundCache<string>(10);
    cache.set('a', 'a', 5);
    cache.clear();
    deepEqual([cache.bytes, cache.peek('a')], [0, undefined]);
  });
});
