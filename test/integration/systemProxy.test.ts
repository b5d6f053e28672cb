import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { FixtureServer, sendJson } from '../unit/service/node/fixtureServer';
import { selfSigned } from '../unit/service/node/selfSigned';
import { call, expectError } from './contract';
import { HOST_BEHIND_PROXY } from '../host/proxyScript';

/** What our requests read of the environment; the test's own machine may be behind a proxy. */
const VARIABLES = ['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'].flatMap(name => [
  name,
  name.toUpperCase(),
]);

interface ProxyAgentModule {
  resolveProxyURL: (url: string) => Promise<string | undefined>;
}

/** A proxy that tunnels to one port, whatever host it is asked for. */
class TunnelingProxy {
  readonly tunnels: string[] = [];
  status = 200;
  private readonly server: Server = createServer((_request, response) => response.writeHead(501).end());
  private readonly sockets = new Set<Socket>();

  constructor(onward: number) {
    this.server.on('connect', ({ url = '' }, socket: Socket) => {
      this.tunnels.push(url);
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      if (this.status !== 200) {
        const challenge = 'Proxy-Authenticate: Basic realm="lab"\r\nContent-Length: 0\r\n';
        socket.end(`HTTP/1.1 ${this.status} Refused\r\n${challenge}\r\n`);
        return;
      }
      const target = connect(onward, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connected\r\n\r\n');
        socket.pipe(target).pipe(socket);
      });
      this.sockets.add(target);
      target.on('error', () => socket.destroy());
    });
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>(resolve => this.server.listen(port, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise(resolve => this.server.close(resolve));
  }
}

describe("The system's proxy", () => {
  const port = Number(process.env['IA_PROXY_PORT']);
  const credentials = { baseUrl: `https://${HOST_BEHIND_PROXY}`, apiKey: 'lab-key' };
  const environment = { ...process.env };
  let folder: string;
  let service: FixtureServer;
  let proxy: TunnelingProxy;
  let agent: ProxyAgentModule;
  let original: ProxyAgentModule['resolveProxyURL'];
  /** What VS Code was asked. */
  let asked: string[];

  before(async () => {
    for (const name of VARIABLES) delete process.env[name];
    folder = await mkdtemp(join(tmpdir(), 'image-analysis-proxy-'));
    const identity = selfSigned([HOST_BEHIND_PROXY]);
    const certificate = join(folder, 'certificate.pem');
    await writeFile(certificate, identity.cert);
    process.env['NODE_EXTRA_CA_CERTS'] = certificate;
    service = await FixtureServer.start(
      (_request, response) => sendJson(response, { user: { id: 'lab-7', email: 'lab@clinic.example' } }),
      identity,
    );
    const load = createRequire(join(vscode.env.appRoot, 'package.json'));
    const archive = join(vscode.env.appRoot, 'node_modules.asar');
    const modules = existsSync(archive) ? archive : join(vscode.env.appRoot, 'node_modules');
    agent = load(join(modules, '@vscode', 'proxy-agent')) as ProxyAgentModule;
    original = agent.resolveProxyURL;
    assert.equal(typeof original, 'function', 'VS Code tells the proxy in another way now');
    assert.equal(await original('http://127.0.0.1/'), undefined);
  });

  beforeEach(async () => {
    proxy = new TunnelingProxy(service.port);
    await proxy.listen(port);
    asked = [];
    agent.resolveProxyURL = url => {
      asked.push(url);
      return original(url);
    };
  });

  afterEach(async () => {
    agent.resolveProxyURL = original;
    await setting('proxySupport', undefined);
    await call('signOut', { account: credentials.baseUrl }).catch(() => undefined);
    await proxy.stop();
  });

  after(async () => {
    for (const name of [...VARIABLES, 'NODE_EXTRA_CA_CERTS']) {
      const value = environment[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('leads to a service where a proxy script says so', async () => {
    const { user } = await call<{ user: string }>('signIn', credentials);
    assert.equal(user, 'lab-7');
    assert.deepEqual([...new Set(proxy.tunnels)], [`${HOST_BEHIND_PROXY}:443`]);
    assert.deepEqual([...new Set(asked)], [`https://${HOST_BEHIND_PROXY}/`], 'nothing of a path');
  });

  it('is reported where it requires a password', async () => {
    proxy.status = 407;
    const { message } = await expectError('network', 'signIn', credentials);
    assert.equal(message, 'The proxy refused the request');
  });

  it('is not used, nor asked for, where http.proxySupport is off', async () => {
    await setting('proxySupport', 'off');
    const { message } = await expectError('network', 'signIn', credentials);
    assert.equal(message, 'The service cannot be reached');
    assert.deepEqual([proxy.tunnels, asked], [[], []]);
  });
});

async function setting(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('http').update(name, value, vscode.ConfigurationTarget.Global);
}
