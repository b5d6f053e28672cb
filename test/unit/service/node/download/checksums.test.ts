import * as assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { checksumIn, RunningChecksum } from '../../../../../src/service/node/checksums';

describe('Checksums in the headers of a response', () => {
  const abc = Buffer.from('abc');
  const of = (algorithm: string) => createHash(algorithm).update(abc).digest('base64');
  const crc = 'NSRBwg==';
  const crc32c = 'Nks/tw==';
  const crc64nvme = 'BeXKuz/B+us=';

  it('are read in each form, the best of them first', () => {
    const headers = {
      'content-md5': of('md5'),
      digest: `crc32c=AAAAAA==,SHA=${of('sha1')}`,
      'x-amz-checksum-crc32': crc,
    };
    assert.deepEqual(checksumIn(headers), { algorithm: 'md5', value: of('md5') });
    assert.deepEqual(checksumIn({ 'x-amz-checksum-crc32': crc }), { algorithm: 'crc32', value: crc });
    assert.deepEqual(checksumIn({ ...headers, 'repr-digest': `sha-256=:${of('sha256')}:` }), {
      algorithm: 'sha256',
      value: of('sha256'),
    });
    assert.deepEqual(checksumIn({ 'x-amz-checksum-crc32c': crc32c, 'x-amz-checksum-crc64nvme': crc64nvme }), {
      algorithm: 'crc64nvme',
      value: crc64nvme,
    });
    assert.deepEqual(checksumIn({ digest: `crc32c=${crc32c}` }), { algorithm: 'crc32c', value: crc32c });
    const google = { 'x-goog-hash': [`crc32c=${crc32c}`, `md5=${of('md5')}`] };
    assert.deepEqual(checksumIn(google), { algorithm: 'md5', value: of('md5') });
    assert.deepEqual(
      checksumIn({ 'x-goog-hash': `crc32c=${crc32c}`, 'x-goog-stored-content-encoding': 'identity' }),
      {
        algorithm: 'crc32c',
        value: crc32c,
      },
    );
    assert.deepEqual(checksumIn({ digest: `MD5=${of('md5')}, SHA-512=${of('sha512')}` }), {
      algorithm: 'sha512',
      value: of('sha512'),
    });
    assert.deepEqual(
      checksumIn({ 'content-digest': [`sha-512=:${of('sha512')}:`, `sha-256=:${of('sha256')}:`] }),
      {
        algorithm: 'sha512',
        value: of('sha512'),
      },
    );
  });

  it('are ignored where they are not of the whole file, or no checksums', () => {
    for (const headers of [
      {},
      { etag: `"${createHash('md5').update(abc).digest('hex')}"` },
      { 'content-md5': 'nonsense' },
      { 'content-md5': of('sha256') },
      { 'x-amz-checksum-sha256': `${of('sha256')}-7` },
      { 'x-amz-checksum-sha256': of('sha256'), 'x-amz-checksum-type': 'COMPOSITE' },
      { 'x-amz-checksum-crc64nvme': 'AAAAAA==' },
      { 'x-amz-checksum-crc32c': `${crc}-2` },
      { 'x-goog-hash': `md5=${of('md5')}`, 'x-goog-stored-content-encoding': 'gzip' },
    ])
      assert.equal(checksumIn(headers), undefined, JSON.stringify(headers));
  });

  it('are compared with the bytes as they come', () => {
    const hashes = ['sha512', 'sha256', 'sha1', 'md5'] as const;
    for (const { algorithm, value } of [
      ...hashes.map(algorithm => ({ algorithm, value: of(algorithm) })),
      { algorithm: 'crc32', value: crc } as const,
      { algorithm: 'crc32c', value: crc32c } as const,
      { algorithm: 'crc64nvme', value: crc64nvme } as const,
    ]) {
      for (const [last, matches] of [
        ['c', true],
        ['d', false],
      ] as const) {
        const running = new RunningChecksum({ algorithm, value });
        for (const part of ['a', 'b', last]) running.update(Buffer.from(part));
        assert.equal(running.matches(), matches, algorithm);
      }
    }
  });
});
