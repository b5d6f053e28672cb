/** How to reach the network. A bundled undici doesn't see the editor's settings. */
export interface NetworkSettings {
  /** The proxy's address; wins over HTTPS_PROXY and HTTP_PROXY, and these over the system's. */
  proxy?: string;
  /**
   * The system's proxy for an origin, as its settings and proxy scripts say: an address, or
   * undefined for a direct connection. May take seconds, fail, or say something else a minute
   * later.
   */
  systemProxy?: (origin: string) => Promise<string | undefined>;
  /** False connects directly, whatever else is set. */
  useProxy?: boolean;
  /** Hosts to reach directly, besides NO_PROXY's. `<-loopback>` sends loopback to the proxy too. */
  noProxy?: string[];
  /** False accepts certificates from unknown issuers. */
  strictSSL?: boolean;
  /** False trusts no certificate for the reason alone that the system does. */
  systemCertificates?: boolean;
  /** PEM, beside Node's, the system's and those of NODE_EXTRA_CA_CERTS. */
  extraCertificates?: string[];
  /** How long a service may be silent, for requests other than uploads. Default 30 s. */
  timeoutMs?: number;
  /** Default: the process's. */
  environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * The network settings from VS Code's `http.*` settings, which a bundled client does not see by
 * itself. A value of a wrong type counts as not set. `systemProxy` is not called where
 * `http.proxySupport` is off.
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
