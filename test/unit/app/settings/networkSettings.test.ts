import { deepEqual } from 'node:assert/strict';
import { networkSettings } from '../../../../src/app/settings/networkSettings';

describe("The network settings of the editor's http settings", () => {
  const settings = (values: Record<string, unknown>) => networkSettings(name => values[name]);

  it('are strict and without a proxy where nothing is set', () => {
    deepEqual(settings({}), { strictSSL: true });
    deepEqual(settings({ proxy: ' ', proxySupport: 'override' }), { strictSSL: true });
  });

  it('have the proxy and its exceptions, unless proxies are off', () => {
    const values = { proxy: ' http://proxy:8080 ', noProxy: ['a.example'], proxyStrictSSL: false };
    deepEqual(settings(values), { strictSSL: false, proxy: 'http://proxy:8080', noProxy: ['a.example'] });
    deepEqual(settings({ ...values, proxySupport: 'off' }), { strictSSL: false, noProxy: ['a.example'] });
  });

  it('ignore values of a wrong type', () => {
    deepEqual(settings({ proxy: 8080, noProxy: [1, 'b.example'], proxyStrictSSL: 'false' }), {
      strictSSL: true,
      noProxy: ['b.example'],
    });
    deepEqual(settings({ noProxy: 'b.example' }), { strictSSL: true });
  });
});
