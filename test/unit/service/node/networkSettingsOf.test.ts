import { deepEqual, equal } from 'node:assert/strict';
import { networkSettings } from '../../../../src/service/node/networkSettings';

describe("The network settings of the editor's http settings", () => {
  const settings = (values: Record<string, unknown>) => networkSettings(name => values[name]);
  const defaults = { strictSSL: true, systemCertificates: true, useProxy: true };

  it('are strict and without a proxy where nothing is set', () => {
    deepEqual(settings({}), defaults);
    deepEqual(settings({ proxy: ' ', proxySupport: 'override' }), defaults);
  });

  it('have the proxy and its exceptions, unless proxies are off', () => {
    const values = { proxy: ' http://proxy:8080 ', noProxy: ['a.example'], proxyStrictSSL: false };
    const known = { ...defaults, strictSSL: false, noProxy: ['a.example'] };
    deepEqual(settings(values), { ...known, proxy: 'http://proxy:8080' });
    deepEqual(settings({ ...values, proxySupport: 'off' }), { ...known, useProxy: false });
  });

  it("have the system's proxy, unless proxies are off", () => {
    const systemProxy = () => Promise.resolve('http://proxy:8080');
    const of = (proxySupport: string) =>
      networkSettings(name => (name === 'proxySupport' ? proxySupport : undefined), systemProxy);
    for (const support of ['override', 'on', 'fallback']) equal(of(support).systemProxy, systemProxy);
    equal(of('off').systemProxy, undefined);
  });

  it("leave the system's certificates out where they are off", () => {
    deepEqual(settings({ systemCertificates: false }), { ...defaults, systemCertificates: false });
  });

  it('ignore values of a wrong type', () => {
    deepEqual(settings({ proxy: 8080, noProxy: [1, 'b.example'], proxyStrictSSL: 'false' }), {
      ...defaults,
      noProxy: ['b.example'],
    });
    deepEqual(settings({ noProxy: 'b.example', systemCertificates: 'false' }), defaults);
  });
});
