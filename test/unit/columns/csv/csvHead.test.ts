import assert from 'node:assert/strict';
import { isCoded } from '../../../../src/base/errors';
import { reason } from '../../../../src/base/reasons';
import { readHead } from '../../../../src/columns/csv/csvHead';

const commas = (count: number) => Buffer.alloc(count, ',');

describe('The head of a delimited text', () => {
  it('has up to 250,000 columns', () => {
    assert.equal(readHead(commas(249_999), true)?.header.length, 250_000);
  });

  for (const isEnd of [true, false])
    it(`is refused with more columns, however many they are${isEnd ? '' : ', and before all of it was read'}`, () => {
      const { arrayBuffers, heapUsed } = process.memoryUsage();
      assert.throws(
        () => readHead(commas(20_000_000), isEnd),
        error => {
          assert.ok(isCoded(error, 'damaged-table'));
          assert.deepEqual(error.details.reason, reason('The table has more than {0} columns', 250_000));
          return true;
        },
      );
      const now = process.memoryUsage();
      assert.ok(now.heapUsed + now.arrayBuffers - heapUsed - arrayBuffers < 200e6);
    });
});
