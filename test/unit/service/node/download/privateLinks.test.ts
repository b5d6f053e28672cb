import * as assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import * as net from 'node:net';
import { ResultDownloads } from '../../../../../src/service/node/resultDownloads';
import type { NetworkSettings } from '../../../../../src/service/node/networkSettings';
import { ServiceHost } from '../../../../../src/service/node/serviceHost';
import { Transport } from '../../../../../src/service/node/transport';
import { isCoded } from '../../../../../src/base/errors';
import { silentLog } from '../../../../../src/base/log';
import { FixtureServer, sendJson, type Answer } from '../fixtureServer';
import { selfSigned } from '../selfSigned';

describe('A result link into a private network', () => {
  const servers: FixtureServer[] = [];
  const disposables: { dispose(): void }[] = [];

  afterEach(async () => {
    for (const one of disposables.splice(0)) one.dispose();
    for (const server of servers.splice(0)) await server.stop();
  });

  async function serve(answer: Answer): Promise<FixtureServer> {
    const server = await FixtureServer.start(answer, selfSigned());
    servers.push(server);
    return server;
  }

  /** Resolves names as the test says, to one or several addresses. */
  function dns(names: Record<string, string[]>): net.LookupFunction {
    return (hostname, _options, callback) => {
      const addresses: LookupAddress[] = (names[hostname] ?? []).map(address => ({
        address,
        family: net.isIPv6(address) ? 6 : 4,
      }));
      callback(null, addresses);
    };
  }

  function open(link: string, service: ServiceHost, network: NetworkSettings = {}): Promise<unknown> {
    const downloads = new ResultDownloads({
      network: { environment: {}, strictSSL: false, ...network },
      service,
    });
    disposables.push(downloads);
    return downloads.open(link);
  }

  async function refused(work: Promise<unknown>): Promise<void> {
    const error: unknown = await work.then(
      () => undefined,
      (caught: unknown) => caught,
    );
    assert.ok(isCoded(error, 'unexpected-response'), String(error));
    assert.equal(
      error.details.reason?.message,
      "The link leads into a private network that the service isn't on",
    );
    assert.ok(!JSON.stringify([error.message, error.details]).includes('signature'));
  }

  const publicService = (lookup = dns({})) => new ServiceHost('https://service.example.com', lookup);

  it('is refused of a public service, without a connection', async () => {
    const server = await serve((_, response) => response.end('secret'));
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0.0.0.0', '[::1]', '127.1'])
      await refused(open(`https://${host}:${server.port}/a?signature=1`, publicService()));
    await refused(open(`http://127.0.0.1:${server.port}/a?signature=1`, publicService()));
    await refused(open('https://169.254.169.254/latest/meta-data?signature=1', publicService()));
    assert.equal(server.seen.length, 0);
  });

  it('is refused of a public service where a public name resolves to it', async () => {
    const server = await serve((_, response) => response.end('secret'));
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '10.1.2.3', 'fd00::1']) {
      const service = publicService(dns({ 'files.example.com': [address] }));
      await refused(open(`https://files.example.com:${server.port}/?signature=1`, service));
    }
    assert.equal(server.seen.length, 0);
  });

  it('keeps to the public addresses where a name has both', () => {
    const service = publicService(dns({ 'files.example.com': ['10.0.0.1', '1.1.1.1'] }));
    service.lookupForLink('files.example.com', { all: true }, (error, addresses) => {
      assert.equal(error, null);
      assert.deepEqual(addresses, [{ address: '1.1.1.1', family: 4 }]);
    });
    service.lookupForLink('files.example.com', {}, (error, address, family) => {
      assert.deepEqual([error, address, family], [null, '1.1.1.1', 4]);
    });
  });

  it('is refused where a public service redirects to it, through a proxy too', async () => {
    const server = await serve((_, response) =>
      response.writeHead(302, { location: 'https://192.168.0.1/?signature=2' }).end(),
    );
    const proxy = await FixtureServer.start((_, response) => response.end());
    servers.push(proxy);
    const tunnels: string[] = [];
    proxy.onConnect((request, socket) => {
      tunnels.push(request.url ?? '');
      const onward = net.connect(server.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connected\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      for (const one of [socket, onward]) one.on('error', () => undefined);
    });
    const network = { proxy: proxy.origin };
    await refused(open('https://files.example.com/?signature=1', publicService(), network));
    await refused(open('https://nas.local/?signature=1', publicService(), network));
    assert.deepEqual(tunnels, ['files.example.com:443']);
    assert.equal(server.seen.length, 1);
  });

  it('is opened of a service on a private network', async () => {
    const server = await serve((_, response) => response.end('result'));
    const names = dns({ 'service.example.com': ['10.0.0.7'], 'files.example.com': ['127.0.0.1'] });
    const link = `https://files.example.com:${server.port}/?signature=1`;
    for (const host of ['https://127.0.0.1', 'https://nas.local', 'https://192.168.1.5'])
      await open(link, new ServiceHost(host, names));
    assert.equal(server.seen.length, 3);
  });

  it('is opened of a service whose name has resolved to a private address, as long as it never was a public one', async () => {
    const api = await serve((_, response) => sendJson(response, {}));
    const storage = await serve((_, response) => response.end('result'));
    let address = '127.0.0.1';
    const service = new ServiceHost(
      `https://service.example.com:${api.port}`,
      (hostname, options, callback) =>
        dns({ 'service.example.com': [address], 'files.example.com': ['127.0.0.1'] })(
          hostname,
          options,
          callback,
        ),
    );
    const transport = new Transport({
      baseUrl: `https://service.example.com:${api.port}`,
      apiKey: () => Promise.resolve('key'),
      network: { environment: {}, strictSSL: false },
      log: silentLog,
      serviceHost: service,
    });
    disposables.push(transport);
    const link = `https://files.example.com:${storage.port}/?signature=1`;
    await refused(open(link, service));
    await transport.requestJson({ method: 'GET', path: '/check' });
    await open(link, service);
    assert.equal(storage.seen.length, 1);
    // A name that has led to the internet once could be the internet's at any time.
    address = '1.1.1.1';
    await new Promise(resolve => service.lookup('service.example.com', {}, resolve));
    address = '127.0.0.1';
    await new Promise(resolve => service.lookup('service.example.com', {}, resolve));
    await refused(open(link, service));
  });

  it('may be plain http only where the service is', async () => {
    const server = await FixtureServer.start((_, response) => response.end('result'));
    servers.push(server);
    const names = dns({ 'nas.local': ['127.0.0.1'] });
    const link = `http://nas.local:${server.port}/?signature=1`;
    await open(link, new ServiceHost('http://nas.local', names));
    await assert.rejects(open(link, new ServiceHost('https://nas.local', names)), error => {
      return (
        isCoded(error, 'unexpected-response') &&
        error.details.reason?.message === "The link doesn't use https"
      );
    });
    assert.equal(server.seen.length, 1);
  });
});
