import * as assert from 'node:assert/strict';
import { Crc32c, Crc64Nvme } from '../../../../../src/service/node/checksums';

const digits = Buffer.from('123456789');

describe('A cyclic redundancy check', () => {
  for (const [name, Crc, ofDigits, ofNothing] of [
    ['CRC-32C', Crc32c, 'e3069283', '00000000'],
    ['CRC-64/NVME', Crc64Nvme, 'ae8b14860a799888', '0000000000000000'],
  ] as const) {
    it(`of ${name} has the published check value, in however many parts the bytes come`, () => {
      for (let split = 0; split <= digits.length; split++) {
        const crc = new Crc();
        crc.update(digits.subarray(0, split));
        crc.update(digits.subarray(split));
        assert.equal(Buffer.from(crc.end()).toString('hex'), ofDigits);
      }
      assert.equal(Buffer.from(new Crc().end()).toString('hex'), ofNothing);
    });
  }

  it('of CRC-32C has the values of RFC 3720', () => {
    const check = (bytes: Uint8Array) => {
      const crc = new Crc32c();
      crc.update(bytes);
      return Buffer.from(crc.end()).readUInt32BE();
    };
    assert.equal(check(new Uint8Array(32)), 0x8a9136aa);
    assert.equal(check(new Uint8Array(32).fill(0xff)), 0x62a8ab43);
    assert.equal(check(Uint8Array.from({ length: 32 }, (_, index) => index)), 0x46dd794e);
  });
});
