import type { NetworkSettings } from '../../api/network/networkSettings';

/**
 * The network settings from VS Code's `http.*` settings, which a bundled client does not see by itself. A value of a wrong
 * type counts as not set. What cannot be honored (proxy scripts, Kerberos) is named in the message for network errors.
 */
export function networkSettings(read: (name: string) => unknown): NetworkSettings {
  const proxy = read('proxySupport') === 'off' ? undefined : read('proxy');
  const address = typeof proxy === 'string' ? proxy.trim() : '';
  const noProxy = read('noProxy');
  return {
    strictSSL: read('proxyStrictSSL') !== false,
    ...(address && { proxy: address }),
    ...(Array.isArray(noProxy) && { noProxy: noProxy.filter(entry => typeof entry === 'string') }),
  };
}
