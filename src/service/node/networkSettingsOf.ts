import type { NetworkSettings } from './network/networkSettings';

/**
 * The network settings from VS Code's `http.*` settings, which a bundled client does not see by itself. A value of a wrong
 * type counts as not set. `systemProxy` is not called where `http.proxySupport` is off.
 */
export function networkSettings(
  read: (name: string) => unknown,
  systemProxy?: NetworkSettings['systemProxy'],
): NetworkSettings {
  const useProxy = read('proxySupport') !== 'off';
  const proxy = useProxy ? read('proxy') : undefined;
  const address = typeof proxy === 'string' ? proxy.trim() : '';
  const noProxy = read('noProxy');
  return {
    strictSSL: read('proxyStrictSSL') !== false,
    systemCertificates: read('systemCertificates') !== false,
    useProxy,
    ...(useProxy && systemProxy && { systemProxy }),
    ...(address && { proxy: address }),
    ...(Array.isArray(noProxy) && { noProxy: noProxy.filter(entry => typeof entry === 'string') }),
  };
}
