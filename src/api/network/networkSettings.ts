/** How the network is reached. A bundled undici sees none of the editor's settings, so they are handed in. */
export interface NetworkSettings {
  /** Address of the proxy; wins over the environment's HTTPS_PROXY and HTTP_PROXY. */
  proxy?: string;
  /** Hosts that are reached directly, beside those of NO_PROXY. `<-loopback>` means that loopback uses the proxy too. */
  noProxy?: string[];
  /** False accepts certificates from unknown issuers. */
  strictSSL?: boolean;
  /** PEM, beside Node's, the system's and those of NODE_EXTRA_CA_CERTS. */
  extraCertificates?: string[];
  /** How long a service may be silent, for requests other than uploads. Default 30 s. */
  timeoutMs?: number;
  /** Default: the process's. */
  environment?: Readonly<Record<string, string | undefined>>;
}
