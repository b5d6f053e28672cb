/** Network settings. The bundled undici doesn't use the editor's settings. */
export interface NetworkSettings {
  /** The proxy's address; precedes HTTPS_PROXY and HTTP_PROXY, which precede the system's proxy. */
  proxy?: string;
  /**
   * The system's proxy for an origin, from its settings and proxy scripts: an address, or undefined
   * for a direct connection. May take seconds, fail, or change within minutes.
   */
  systemProxy?: (origin: string) => Promise<string | undefined>;
  /** False connects directly, whatever other settings say. */
  useProxy?: boolean;
  /**
   * Hosts to connect to directly, in addition to NO_PROXY. `<-loopback>` uses the proxy for
   * loopback too.
   */
  noProxy?: string[];
  /** False accepts certificates from unknown issuers. */
  strictSSL?: boolean;
  /** False doesn't trust the certificates of the system. */
  systemCertificates?: boolean;
  /**
   * Certificates in PEM, in addition to those of Node, of the system and in NODE_EXTRA_CA_CERTS.
   */
  extraCertificates?: string[];
  /** Maximum silence of a service in milliseconds, except for uploads. Default 30 s. */
  timeoutMs?: number;
  /** Environment variables. Default: those of the process. */
  environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads the network settings from VS Code's `http.*` settings, which a bundled client doesn't use.
 * A value of a wrong type counts as unset. `systemProxy` is not called if `http.proxySupport` is
 * off.
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
