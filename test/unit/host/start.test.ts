import * as assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { vscodeVersion } from '../../host/vscodeServer';
import { describeWith } from '../capabilities';

/** Stands in for the VS Code server: reports to the test, and does what the test says. */
const SERVER = `
  if (process.argv.includes('--install-extension')) {
    console.log('successfully installed');
  } else {
    const socket = require('node:net').connect(Number(process.env.TEST_PORT), '127.0.0.1');
    socket.on('data', told => {
      if (String(told) === 'listen') console.log('Extension host agent listening');
      else socket.end('left', () => process.exit(0));
    });
    process.on('SIGTERM', () => socket.write('asked to end'));
  }
`;

// Windows has no groups of processes either.
describeWith('signals')('npm start, served', function () {
  let root = '';
  let listener: Server;
  let program: ChildProcess;
  let server: Socket;
  let heard = '';
  /** Resolves when the server is gone, however it ended. */
  let closed: Promise<void>;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'start-'));
    const codeServer = `code-server-${vscodeVersion('current').replace(/^1/, '4')}`;
    const main = join(root, 'cache', codeServer, 'node_modules/code-server/lib/vscode/out/server-main.js');
    await write(main, SERVER);
    await write(join(root, 'dist/sample.js'), '');
    await build({
      entryPoints: ['test/host/start.ts'],
      outfile: join(root, 'start.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
  });
  after(() => rm(root, { recursive: true, force: true }));

  beforeEach(async () => {
    heard = '';
    listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    program = spawn(process.execPath, [resolve(root, 'start.mjs'), '--served'], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        IMAGE_ANALYSIS_CACHE: join(root, 'cache'),
        IA_VSIX: 'any.vsix',
        TEST_PORT: String((listener.address() as AddressInfo).port),
      },
    });
    [server] = (await once(listener, 'connection')) as [Socket];
    server.on('data', chunk => (heard += String(chunk)));
    // Killed without a word: what is written to it then fails, and it may be reset.
    server.on('error', () => undefined);
    // Not by `once`, which rejects where there is such an error before.
    closed = new Promise(resolve => server.on('close', () => resolve()));
  });
  afterEach(() => {
    program.kill('SIGKILL');
    server.destroy();
    listener.close();
  });

  const signalGroup = (name: NodeJS.Signals) => process.kill(-(program.pid ?? NaN), name);
  const until = async (emitter: NodeJS.ReadableStream, holds: () => boolean) => {
    while (!holds()) await once(emitter, 'data');
  };

  for (const name of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const)
    it(`ends its server by ${name}, which arrives twice where it ends the whole group`, async () => {
      let said = '';
      program.stdout?.on('data', chunk => (said += String(chunk)));
      server.write('listen');
      await until(program.stdout!, () => said.includes('It stays until you stop it'));
      const exited = once(program, 'exit');
      signalGroup(name);
      await until(server, () => heard.startsWith('asked to end'));
      signalGroup(name);
      server.write('end');
      assert.deepEqual(await exited, [0, null]);
      await closed;
    });

  it('ends its server while that is starting', async () => {
    const exited = once(program, 'exit');
    signalGroup('SIGTERM');
    await exited;
    // One that was left would answer.
    server.write('end');
    await closed;
    assert.equal(heard, '');
  });
});

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
