import * as assert from 'node:assert/strict';
import * as net from 'node:net';
import type { NetworkSettings } from '../../../../src/service/node/networkSettings';
import { Transport } from '../../../../src/service/node/transport';
import { isCoded } from '../../../../src/base/errors';
import { silentLog } from '../../../../src/base/log';
import { reasonForLog } from '../../../../src/base/reasonForLog';
import { FixtureServer, sendJson, unusedPort, type Answer } from './fixtureServer';
import { selfSigned } from './selfSigned';
import { SocksProxy } from './socksProxy';

describe("The transport's connection to the service", () => {
  const servers: FixtureServer[] = [];
  const transports: Transport[] = [];
  const identity = selfSigned(['localhost', 'service.test']);

  async function serve(secure: boolean): Promise<FixtureServer> {
    const server = await FixtureServer.start(
      (_, response) => sendJson(response, { ok: true }),
      secure ? identity : undefined,
    );
    servers.push(server);
    return server;
  }

  /** A proxy that reaches `target` whatever host it is asked for. */
  async function proxyTo(
    target: FixtureServer,
    status = 200,
  ): Promise<FixtureServer & { tunnels: string[] }> {
    const tunnels: string[] = [];
    const proxy = await FixtureServer.start((request, response) => {
      void fetch(`${target.origin}${request.path}`, { headers: { via: 'proxy' } })
        .then(answer => answer.json())
        .then(value => sendJson(response, value));
    });
    proxy.onConnect((request, socket) => {
      tunnels.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
      if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      const onward = net.connect(target.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connected\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      for (const one of [socket, onward]) one.on('error', () => undefined);
    });
    servers.push(proxy);
    return Object.assign(proxy, { tunnels });
  }

  function ask(baseUrl: string, network: NetworkSettings): Promise<unknown> {
    const transport = new Transport({
      baseUrl,
      apiKey: () => Promise.resolve('key'),
      network: { environment: {}, ...network },
      log: silentLog,
      delay: () => Promise.resolve(),
    });
    transports.push(transport);
    return transport.requestJson({ method: 'GET', path: '/check' });
  }

  async function reasonOf(work: Promise<unknown>): Promise<string> {
    const error: unknown = await work.then(
      () => undefined,
      (caught: unknown) => caught,
    );
    assert.ok(isCoded(error, 'network'), String(error));
    return error.details.reason ? reasonForLog(error.details.reason) : '';
  }

  afterEach(async () => {
    for (const transport of transports.splice(0)) transport.dispose();
    for (const server of servers.splice(0)) await server.stop();
  });

  it('says that a host answers in plain text where https is expected, and the other way around', async () => {
    const plain = await serve(false);
    const secure = await serve(true);
    assert.equal(
      await reasonOf(ask(plain.origin.replace('http:', 'https:'), {})),
      "The host doesn't use https at this address and port",
    );
    // Some servers close the connection, others tell by an alert of TLS.
    const alerting = net.createServer(socket => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, 70])));
    });
    await new Promise<void>(resolve => alerting.listen(0, '127.0.0.1', resolve));
    const { port } = alerting.address() as net.AddressInfo;
    assert.equal(
      await reasonOf(ask(`http://127.0.0.1:${port}`, {})),
      'The host uses https at this address and port, not http',
    );
    alerting.close();
    // Node.js, as most others do, closes the connection alone.
    assert.equal(
      await reasonOf(ask(secure.origin.replace('https:', 'http:'), {})),
      'The host uses https at this address and port, not http',
    );
    assert.deepEqual(secure.seen, []);
  });

  it('says no more than that it was closed where the host speaks no TLS, and asks none that has responded', async () => {
    let connections = 0;
    let responds = false;
    const closing = net.createServer(socket => {
      connections++;
      socket.on('error', () => undefined);
      socket.once('data', () =>
        socket.end(responds ? 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}' : ''),
      );
    });
    await new Promise<void>(resolve => closing.listen(0, '127.0.0.1', resolve));
    const transport = new Transport({
      baseUrl: `http://127.0.0.1:${(closing.address() as net.AddressInfo).port}`,
      apiKey: () => Promise.resolve('key'),
      network: { environment: {} },
      log: silentLog,
    });
    transports.push(transport);
    const request = () => transport.requestJson({ method: 'GET', path: '/check', once: true });
    assert.equal(await reasonOf(request()), 'The other side closed the connection');
    assert.equal(connections, 2);
    responds = true;
    assert.deepEqual(await request(), {});
    responds = false;
    assert.equal(await reasonOf(request()), 'The other side closed the connection');
    assert.equal(connections, 4);
    closing.close();
  });

  it('does not trust a certificate from an unknown issuer', async () => {
    const server = await serve(true);
    assert.match(
      await reasonOf(ask(server.origin, {})),
      /The host's certificate isn't trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
    );
    assert.equal(server.seen.length, 0);
  });

  it('trusts one of the extra certificates', async () => {
    const server = await serve(true);
    assert.deepEqual(await ask(server.origin, { extraCertificates: [identity.cert] }), { ok: true });
  });

  it('does not trust a valid certificate of another host', async () => {
    const server = await serve(true);
    const other = server.origin.replace('127.0.0.1', 'sub.localhost');
    const reason = await reasonOf(ask(other, { extraCertificates: [identity.cert] }));
    // Some systems do not resolve names below localhost; then there is nobody to trust either.
    assert.match(reason, /ERR_TLS_CERT_ALTNAME_INVALID|Couldn't (find the host|look up the host name)/);
    assert.equal(server.seen.length, 0);
  });

  it('trusts any certificate where strict SSL is off', async () => {
    const server = await serve(true);
    assert.deepEqual(await ask(server.origin, { strictSSL: false }), { ok: true });
  });

  it("is not weakened by a certificate that can't be read", async () => {
    const server = await serve(true);
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    const extraCertificates = [broken, 'no certificate at all', identity.cert];
    assert.deepEqual(await ask(server.origin, { extraCertificates }), { ok: true });
  });

  it('fails where the server does not speak TLS', async () => {
    const server = await serve(false);
    assert.notEqual(await reasonOf(ask(server.origin.replace('http:', 'https:'), {})), '');
  });

  it("tunnels through a proxy to a secure service, with the proxy's own credentials", async () => {
    const server = await serve(true);
    const proxy = await proxyTo(server);
    const network = {
      proxy: proxy.origin.replace('//', '//me:secret@'),
      extraCertificates: [identity.cert],
    };
    assert.deepEqual(await ask('https://service.test', network), { ok: true });
    assert.deepEqual(proxy.tunnels, [
      `service.test:443 Basic ${Buffer.from('me:secret').toString('base64')}`,
    ]);
    assert.equal(server.seen[0]?.headers['x-api-key'], 'key');
    // The proxy saw a tunnel, not the key.
    assert.equal(proxy.seen.length, 0);
  });

  it('uses the proxy of the environment', async () => {
    const server = await serve(true);
    const proxy = await proxyTo(server);
    const environment = { HTTPS_PROXY: proxy.origin };
    await ask('https://service.test', { environment, extraCertificates: [identity.cert] });
    assert.equal(proxy.tunnels.length, 1);
  });

  it("uses the system's proxy where neither a setting nor the environment names one", async () => {
    const server = await serve(true);
    const [system, other] = [await proxyTo(server), await proxyTo(server)];
    const lookups: string[] = [];
    const systemProxy = (origin: string) => (lookups.push(origin), Promise.resolve(system.origin));
    const network = { systemProxy, extraCertificates: [identity.cert] };
    assert.deepEqual(await ask('https://service.test/lab', network), { ok: true });
    assert.deepEqual([lookups, system.tunnels], [['https://service.test'], ['service.test:443']]);
    await ask('https://service.test', { ...network, environment: { HTTPS_PROXY: other.origin } });
    await ask('https://service.test', { ...network, proxy: other.origin });
    assert.deepEqual([lookups.length, system.tunnels.length, other.tunnels.length], [1, 1, 2]);
  });

  it("follows the system's proxy from network to network", async () => {
    const server = await serve(true);
    const [lab, clinic] = [await proxyTo(server), await proxyTo(server)];
    let current = lab.origin;
    let now = 0;
    const transport = new Transport({
      baseUrl: 'https://service.test',
      apiKey: () => Promise.resolve('key'),
      network: {
        environment: {},
        systemProxy: () => Promise.resolve(current),
        extraCertificates: [identity.cert],
      },
      log: silentLog,
      now: () => now,
    });
    transports.push(transport);
    const request = () => transport.requestJson({ method: 'GET', path: '/check', once: true });
    await request();
    current = clinic.origin;
    await request();
    const inLab = lab.tunnels.length;
    assert.deepEqual([inLab > 0, clinic.tunnels.length], [true, 0]);
    now = 60_000;
    await request();
    assert.deepEqual([lab.tunnels.length, clinic.tunnels.length], [inLab, 1]);
  });

  it('is made through a SOCKS proxy, which resolves the name', async () => {
    const server = await serve(true);
    const proxy = await SocksProxy.start(server.port);
    const network = { extraCertificates: [identity.cert] };
    for (const scheme of ['socks', 'socks5', 'socks5h']) {
      const address = `${scheme}://127.0.0.1:${proxy.port}`;
      const systemProxy = () => Promise.resolve(address);
      assert.deepEqual(await ask('https://service.test', { ...network, systemProxy }), { ok: true });
    }
    assert.deepEqual(proxy.targets, new Array(3).fill('service.test:443'));
    proxy.method = 0xff;
    const address = `socks5://127.0.0.1:${proxy.port}`;
    assert.match(
      await reasonOf(ask('https://service.test', { ...network, proxy: address })),
      /The proxy requires a user name and password, and Kerberos and NTLM aren't supported/,
    );
    await proxy.stop();
  });

  it('is a new one for each POST through a SOCKS proxy', async () => {
    const server = await serve(true);
    const proxy = await SocksProxy.start(server.port);
    const transport = new Transport({
      baseUrl: 'https://service.test',
      apiKey: () => Promise.resolve('key'),
      network: {
        environment: {},
        proxy: `socks5://127.0.0.1:${proxy.port}`,
        extraCertificates: [identity.cert],
      },
      log: silentLog,
    });
    transports.push(transport);
    for (let times = 0; times < 3; times++)
      await transport.requestJson({ method: 'POST', path: '/jobs', body: {} });
    assert.equal(proxy.targets.length, 3);
    await proxy.stop();
  });

  it('can be canceled while the system looks for its proxy', async () => {
    const transport = new Transport({
      baseUrl: 'https://service.test',
      apiKey: () => Promise.resolve('key'),
      network: { environment: {}, systemProxy: () => (canceling.abort(), new Promise(() => undefined)) },
      log: silentLog,
    });
    transports.push(transport);
    const canceling = new AbortController();
    await assert.rejects(transport.requestJson({ method: 'GET', path: '/check' }, canceling.signal), error =>
      isCoded(error, 'cancelled'),
    );
  });

  it('reaches this machine without the proxy', async () => {
    const server = await serve(false);
    const proxy = await proxyTo(server);
    await ask(server.origin, { proxy: proxy.origin });
    assert.deepEqual([proxy.seen.length, proxy.tunnels.length, server.seen.length], [0, 0, 1]);
  });

  it('sends plain HTTP requests through the proxy where configured', async () => {
    const server = await serve(false);
    const proxy = await proxyTo(server);
    assert.deepEqual(await ask(server.origin, { proxy: proxy.origin, noProxy: ['<-loopback>'] }), {
      ok: true,
    });
    assert.equal(proxy.seen.length + proxy.tunnels.length, 1);
  });

  it('skips a "100 Continue" that was not requested behind a proxy too', async () => {
    const answer: Answer = (_, response) => {
      response.writeContinue();
      sendJson(response, { ok: true });
    };
    const server = await FixtureServer.start(answer, identity);
    const forwarding = await FixtureServer.start(answer);
    servers.push(server, forwarding);
    const { origin: proxy } = await proxyTo(server);
    const extraCertificates = [identity.cert];
    assert.deepEqual(await ask('https://service.test', { proxy, extraCertificates }), { ok: true });
    assert.deepEqual(await ask('http://service.test', { proxy: forwarding.origin }), { ok: true });
    assert.deepEqual([server.seen.length, forwarding.seen.length], [1, 1]);
  });

  it('reports that the proxy requires credentials, or rejects them', async () => {
    const server = await serve(true);
    assert.match(
      await reasonOf(ask('https://service.test', { proxy: (await proxyTo(server, 407)).origin })),
      /The proxy requires a user name and password, and Kerberos and NTLM aren't supported/,
    );
    assert.match(
      await reasonOf(ask('https://service.test', { proxy: (await proxyTo(server, 502)).origin })),
      /The proxy refused the connection \(status 502\)/,
    );
  });

  it("reports that the proxy can't be reached or isn't one, without its password", async () => {
    const port = await unusedPort();
    assert.match(
      await reasonOf(ask('https://service.test', { proxy: `http://127.0.0.1:${port}` })),
      /The connection was refused/,
    );
    assert.equal(
      await reasonOf(ask('https://service.test', { proxy: 'http://me:secret@bad host:1' })),
      "The proxy address isn't valid",
    );
  });
});
