import * as assert from 'node:assert/strict';
import { isLoopbackHost, normalizeBaseUrl } from '../../../../src/service/node/baseUrl';
import { isCoded } from '../../../../src/base/errors';

describe('The base URL a user enters', () => {
  const stored: [entered: string, kept: string][] = [
    ['https://api.example.com', 'https://api.example.com'],
    ['  api.example.com ', 'https://api.example.com'],
    ['api.example.com:8443', 'https://api.example.com:8443'],
    ['HTTPS://API.Example.com/', 'https://api.example.com'],
    ['https://example.com/lab//', 'https://example.com/lab'],
    ['https://example.com/api/external', 'https://example.com'],
    ['https://example.com/lab/api/external/', 'https://example.com/lab'],
    ['https://example.com:443/', 'https://example.com'],
    ['localhost:8080', 'http://localhost:8080'],
    ['127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['http://127.0.0.1:4000/api/external', 'http://127.0.0.1:4000'],
    ['https://localhost', 'https://localhost'],
  ];
  for (const [entered, expected] of stored) {
    it(`is normalized from "${entered}" to ${expected}`, () =>
      assert.equal(normalizeBaseUrl(entered), expected));
  }

  it('stays the same when it is normalized again', () => {
    for (const [, once] of stored) assert.equal(normalizeBaseUrl(once), once);
  });

  const refused = [
    '',
    '   ',
    'https://',
    'https:///path',
    'ftp://example.com',
    'file:///etc/passwd',
    'javascript://alert(1)',
    'http://example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'https://user:secret@example.com',
    'https://user@example.com',
    'https://example.com?key=1',
    'https://example.com/?',
    'https://example.com/#top',
    'https://exa mple.com',
    'https://example.com\\@evil.com',
    'https://[::1',
  ];
  for (const entered of refused) {
    it(`is rejected as "${entered}", with a reason that does not repeat it`, () => {
      assert.throws(
        () => normalizeBaseUrl(entered),
        error =>
          isCoded(error, 'bad-request') &&
          error.details.reason !== undefined &&
          !`${error.message} ${JSON.stringify(error.details.reason)}`.includes('secret'),
      );
    });
  }

  it('may be http over a network to a host that a person agreed to, with its port', () => {
    const hosts = new Set(['lab.example', '10.0.0.7:8080']);
    assert.equal(normalizeBaseUrl('HTTP://Lab.example/x/', hosts), 'http://lab.example/x');
    assert.equal(normalizeBaseUrl('http://10.0.0.7:8080', hosts), 'http://10.0.0.7:8080');
    for (const other of [
      'http://a.lab.example',
      'http://lab.example:81',
      'http://10.0.0.7',
      'http://x@lab.example',
    ])
      assert.throws(() => normalizeBaseUrl(other, hosts), other);
    assert.equal(normalizeBaseUrl('lab.example', hosts), 'https://lab.example');
  });

  it('is on this machine only with a loopback host name', () => {
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]']) {
      assert.ok(isLoopbackHost(host), host);
    }
    for (const host of ['example.com', '10.0.0.1', '0.0.0.0', '128.0.0.1', 'localhost.com', '::2', '']) {
      assert.ok(!isLoopbackHost(host), host);
    }
  });
});
