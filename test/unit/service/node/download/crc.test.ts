import * as assert from 'node:assert/strict';
import { RunningChecksum } from '../../../../../src/service/node/checksums';

const digits = Buffer.from('123456789');

/** Whether the bytes, part after part, have this check value, in hexadecimal. */
function has(algorithm: 'crc32c' | 'crc64nvme', value: string, ...parts: Uint8Array[]): boolean {
  const crc = new RunningChecksum({ algorithm, value: Buffer.from(value, 'hex').toString('base64') });
  for (const part of parts) crc.update(part);
  return crc.matches();
}

describe('A cyclic redundancy check', () => {
  for (const [name, algorithm, ofDigits, ofNothing] of [
    ['CRC-32C', 'crc32c', 'e3069283', '00000000'],
    ['CRC-64/NVME', 'crc64nvme', 'ae8b14860a799888', '0000000000000000'],
  ] as const) {
    it(`of ${name} has the published check value, in however many parts the bytes come`, () => {
      for (let split = 0; split <= digits.length; split++)
        assert.ok(has(algorithm, ofDigits, digits.subarray(0, split), digits.subarray(split)));
      assert.ok(has(algorithm, ofNothing));
      assert.ok(!has(algorithm, ofNothing, digits));
    });
  }

  it('of CRC-32C has the values of RFC 3720', () => {
    assert.ok(has('crc32c', '8a9136aa', new Uint8Array(32)));
    assert.ok(has('crc32c', '62a8ab43', new Uint8Array(32).fill(0xff)));
    assert.ok(
      has(
        'crc32c',
        '46dd794e',
        Uint8Array.from({ length: 32 }, (_, index) => index),
      ),
    );
  });
});
