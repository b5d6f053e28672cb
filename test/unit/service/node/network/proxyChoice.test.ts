import * as assert from 'node:assert/strict';
import { chooseProxy } from '../../../../../src/service/node/proxies';
import type { NetworkSettings } from '../../../../../src/service/node/networkSettings';

function choose(url: string, settings: NetworkSettings = {}): string {
  const choice = chooseProxy(new URL(url), { environment: {}, ...settings });
  return typeof choice === 'object' ? choice.address : choice;
}

describe('The choice of a proxy', () => {
  it("is the system's without settings", () => {
    assert.equal(choose('https://example.com'), 'system');
    assert.equal(
      choose('https://example.com', { proxy: ' ', environment: { HTTP_PROXY: 'http://p:1' } }),
      'system',
    );
  });

  it('is none where proxies are off, whatever else is set', () => {
    const environment = { HTTPS_PROXY: 'http://secure:1' };
    assert.equal(choose('https://example.com', { useProxy: false, environment }), 'none');
    assert.equal(choose('https://example.com', { useProxy: false, proxy: 'http://mine:1' }), 'none');
    assert.equal(choose('https://example.com', { useProxy: false }), 'none');
  });

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
      const expected = direct ? 'none' : 'http://p:1';
      assert.equal(choose(url, { proxy: 'http://p:1', noProxy: [entry] }), expected);
      const environment = { NO_PROXY: `other.org, ${entry}` };
      assert.equal(choose(url, { proxy: 'http://p:1', environment }), expected);
      assert.equal(choose(url, { noProxy: [entry] }), direct ? 'none' : 'system');
    });
  }

  it('is never a proxy for this machine, unless configured', () => {
    for (const url of ['http://127.0.0.1:8080', 'http://localhost', 'https://[::1]']) {
      assert.equal(choose(url, { proxy: 'http://p:1' }), 'none');
      assert.equal(choose(url), 'none');
      assert.equal(choose(url, { proxy: 'http://p:1', noProxy: ['<-loopback>'] }), 'http://p:1');
    }
  });
});
