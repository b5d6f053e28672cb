import * as assert from 'node:assert/strict';
import { proxyFor } from '../../../../src/api/network/proxyChoice';
import type { NetworkSettings } from '../../../../src/api/network/networkSettings';

function choose(url: string, settings: NetworkSettings = {}): string | undefined {
  return proxyFor(new URL(url), { environment: {}, ...settings });
}

describe('The choice of a proxy', () => {
  it('is a direct connection without settings', () => assert.equal(choose('https://example.com'), undefined));

  it('prefers the setting to the environment, which it reads by scheme', () => {
    const environment = { HTTPS_PROXY: 'http://secure:1', http_proxy: 'http://plain:1' };
    assert.equal(choose('https://example.com', { proxy: 'http://mine:1', environment }), 'http://mine:1');
    assert.equal(choose('https://example.com', { environment }), 'http://secure:1');
    assert.equal(choose('http://example.com', { environment }), 'http://plain:1');
    assert.equal(choose('https://example.com', { proxy: ' ', environment }), 'http://secure:1');
  });

  it('understands a proxy without a scheme', () => {
    assert.equal(choose('https://example.com', { proxy: 'proxy.lab:3128' }), 'http://proxy.lab:3128');
  });

  const exceptions: [entry: string, url: string, direct: boolean][] = [
    ['example.com', 'https://example.com', true],
    ['example.com', 'https://api.example.com', true],
    ['.example.com', 'https://api.example.com', true],
    ['*.example.com', 'https://api.example.com', true],
    ['EXAMPLE.com', 'https://api.example.COM', true],
    ['example.com', 'https://badexample.com', false],
    ['example.com:8443', 'https://example.com:8443', true],
    ['example.com:8443', 'https://example.com', false],
    ['example.com:443', 'https://example.com', true],
    ['*', 'https://example.com', true],
    ['10.0.0.0/8', 'https://10.20.30.40', true],
    ['10.0.0.0/8', 'https://11.0.0.1', false],
    ['10.0.0.0/8', 'https://example.com', false],
    ['10.0.0.0/99', 'https://10.0.0.1', false],
    ['fd00::/8', 'https://[fd12::1]', true],
    ['fd12::1', 'https://[fd12::1]', true],
    ['[fd12::1]:443', 'https://[fd12::1]', true],
    ['0.1', 'https://10.0.0.1', false],
  ];
  for (const [entry, url, direct] of exceptions) {
    it(`is ${direct ? 'no proxy' : 'the proxy'} for ${url} when "${entry}" is excluded`, () => {
      const expected = direct ? undefined : 'http://p:1';
      assert.equal(choose(url, { proxy: 'http://p:1', noProxy: [entry] }), expected);
      const environment = { NO_PROXY: `other.org, ${entry}` };
      assert.equal(choose(url, { proxy: 'http://p:1', environment }), expected);
    });
  }

  it('is never a proxy for this machine, unless configured', () => {
    for (const url of ['http://127.0.0.1:8080', 'http://localhost', 'https://[::1]']) {
      assert.equal(choose(url, { proxy: 'http://p:1' }), undefined);
      assert.equal(choose(url, { proxy: 'http://p:1', noProxy: ['<-loopback>'] }), 'http://p:1');
    }
  });
});
