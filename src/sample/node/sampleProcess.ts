import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { whenReleased } from '../../base/node/diskErrors';
import type { Disposable } from '../../base/disposable';
import { CodedError, throwIfCanceled } from '../../base/errors';
import type { Log } from '../../base/log';
import { reason, type Reason, quoted } from '../../base/reasons';
import { isRunning } from '../../base/node/thisProcess';
import { WINDOW_PATH, WINDOW_PROTOCOL } from './windowWatch';

/** The sample service's address and the API key that it created. */
interface SampleServiceInfo {
  baseUrl: string;
  apiKey: string;
}

/** The study in the sample images: a folder per condition, and the pipeline for its objects. */
export const sampleStudy = {
  conditions: ['control', 'treated'],
  pipelineId: '65f1c0de5a3b7e9d21c40a01',
} as const;

/** The plate in the sample images: a folder per compound, and the pipeline for its objects. */
export const samplePlate = {
  conditions: ['DMSO', 'compound-1', 'compound-2', 'compound-3', 'compound-4', 'staurosporine'],
  pipelineId: sampleStudy.pipelineId,
} as const;

interface StoredInfo {
  info: SampleServiceInfo;
  /** The service's process. */
  pid?: number;
}

/** The service's identity isn't read again for this many milliseconds. */
const IDENTITY_LIFETIME = 1000;

/** The service must respond within this many milliseconds. */
const MAX_RESPONSE_TIME = 2000;

/** The service must start within this many milliseconds. At first it draws its sample images. */
const MAX_START_TIME = 60_000;

/**
 * The service runs this many milliseconds after its last window closes: longer than a window's
 * reload, but not long, because on Windows a running service prevents updates of VS Code.
 */
const MAX_TIME_WITHOUT_WINDOWS = 12_000;

/**
 * The sample service in a separate process, started when first needed and shared by all windows: a
 * second start finds the running service. Each window that uses the service keeps a connection
 * open. The service ends soon after the last connection closes, or after a while without requests.
 */
export class SampleProcess implements Disposable {
  private starting: Promise<SampleServiceInfo> | undefined;
  /** The connection that this window keeps open or is opening. */
  private connection: Connection | undefined;
  private isDisposed = false;
  private lastSeen = 0;
  /** Identity of the instance that `serve` started or found. */
  private identity: string | undefined;

  constructor(
    private readonly script: string,
    private readonly directory: string,
    private readonly log: Log,
  ) {}

  /** Makes sure that the service runs and responds. `delayMs` sets the extra time per image. */
  async ensureRunning({ delayMs }: { delayMs?: number } = {}): Promise<SampleServiceInfo> {
    this.starting ??= this.start().finally(() => (this.starting = undefined));
    const info = await this.starting;
    if (delayMs !== undefined) await setDelay(info, delayMs);
    return info;
  }

  /**
   * Writes sample images into a folder: single images, or those of a study or plate in folders by
   * condition. Existing files are not changed. Returns the folder.
   */
  async writeImages(
    folder: string,
    set: 'single' | 'study' | 'plate',
    signal?: AbortSignal,
  ): Promise<string> {
    throwIfCanceled(signal);
    const args = [this.script, 'images', '--out', folder, ...(set === 'single' ? [] : [`--${set}`])];
    try {
      await promisify(execFile)(process.execPath, args, {
        env: nodeEnvironment(),
        ...(signal && { signal }),
      });
    } catch (error) {
      throwIfCanceled(signal);
      const { stderr } = error as { stderr?: unknown };
      const firstLine = typeof stderr === 'string' ? stderr.trim().split('\n', 1)[0] : undefined;
      throw new CodedError('service-error', 'The sample images could not be written', {
        reason: quoted(firstLine || (error instanceof Error ? error.message : String(error))),
      });
    }
    return folder;
  }

  /** Keeps a running service alive after this window's reload. Starts no service, sends no key. */
  async keepRunning(): Promise<void> {
    const info = await this.readInfo();
    if (info?.pid !== undefined && isRunning(info.pid)) await this.connect(info.info);
  }

  /** The service ends soon, unless another window uses it. */
  dispose(): void {
    this.isDisposed = true;
    this.connection?.dispose();
  }

  private async start(): Promise<SampleServiceInfo> {
    const running = await this.readInfo();
    if (running && this.identity && (await this.isSameInstance(running))) {
      await this.connect(running.info);
      return running.info;
    }
    // The script also runs if a service seems to run: the script can tell whether the program on
    // the port is the service.
    await this.spawn();
    const info = (await this.readInfo())?.info;
    if (!info) throw new CodedError('service-error', 'The sample service stored no address');
    this.identity = await readIdentity(info.baseUrl);
    this.lastSeen = Date.now();
    this.log.info(`The sample service runs at ${info.baseUrl}`);
    await this.connect(info);
    return info;
  }

  /** Opens this window's connection, unless it is open. Resolves also if that fails. */
  private async connect({ baseUrl }: SampleServiceInfo): Promise<void> {
    if (this.isDisposed) return;
    if (this.connection?.baseUrl !== baseUrl) {
      this.connection?.dispose();
      const connection = new Connection(baseUrl, () => {
        if (this.connection !== connection) return;
        this.connection = undefined;
        // The service may have ended, so the next request checks its identity.
        this.lastSeen = 0;
      });
      this.connection = connection;
    }
    await this.connection.opened;
  }

  /** Whether the instance is the one that was started: no other program must get the key. */
  private async isSameInstance({ info, pid }: StoredInfo): Promise<boolean> {
    // A killed process must be noticed at once: all retries of a request may happen within the
    // identity's lifetime.
    const isMaybeRunning = pid === undefined || isRunning(pid);
    if (isMaybeRunning && Date.now() - this.lastSeen < IDENTITY_LIFETIME) return true;
    if ((await readIdentity(info.baseUrl).catch(() => undefined)) !== this.identity) return false;
    // Only a response extends the lifetime: otherwise frequent calls would never notice that the
    // service has ended.
    this.lastSeen = Date.now();
    return true;
  }

  /** Starts the process and resolves when it reports that it is ready. */
  private spawn(): Promise<void> {
    const args = [
      'serve',
      '--data',
      this.directory,
      '--without-windows-ms',
      String(MAX_TIME_WITHOUT_WINDOWS),
    ];
    const child = spawn(process.execPath, [this.script, ...args], {
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: nodeEnvironment(),
    });
    return new Promise((resolve, reject) => {
      let errorOutput = '';
      child.stderr
        .setEncoding('utf8')
        .on('data', (text: string) => (errorOutput = (errorOutput + text).slice(-2000)));
      const fail = (cause: Reason) => {
        clearTimeout(startTimer);
        reject(new CodedError('service-error', 'The sample service did not start', { reason: cause }));
      };
      const startTimer = setTimeout(() => {
        child.kill();
        fail(reason('The sample service took too long to start'));
      }, MAX_START_TIME);
      child.once('error', error => fail(quoted(error.message)));
      // At the event `exit`, the last line may not have arrived yet. A process that finds a running
      // instance ends at once.
      child.once('close', code => {
        const text = errorOutput.trim();
        fail(text ? quoted(text) : reason('The sample service ended with exit code {0}', String(code)));
      });
      const lines = createInterface({ input: child.stdout });
      lines.on('line', line => {
        if (!line.includes('"ready"')) return;
        clearTimeout(startTimer);
        lines.close();
        child.removeAllListeners();
        child.stdout.destroy();
        child.stderr.destroy();
        // The service outlives this window, because other windows may use it.
        child.unref();
        resolve();
      });
    });
  }

  private async readInfo(): Promise<StoredInfo | undefined> {
    try {
      const file = path.join(this.directory, 'service.json');
      const text = await whenReleased(() => readFile(file, 'utf8'));
      const { baseUrl, apiKey, pid } = JSON.parse(text) as Record<string, unknown>;
      if (typeof baseUrl !== 'string' || typeof apiKey !== 'string') return undefined;
      return { info: { baseUrl, apiKey }, ...(typeof pid === 'number' && { pid }) };
    } catch {
      // A missing or half-written file means that no service runs yet.
      return undefined;
    }
  }
}

/** A window's open connection. When it closes, also by a crash, the service notices. */
class Connection implements Disposable {
  /** Resolves once open or failed. It fails at another program's port and with an old service. */
  readonly opened: Promise<void>;
  private readonly socket: Socket;

  constructor(
    readonly baseUrl: string,
    onClosed: () => void,
  ) {
    const { hostname, port, host } = new URL(baseUrl);
    const socket = (this.socket = connect(Number(port), hostname));
    this.opened = new Promise(resolve => {
      socket.once('close', () => {
        onClosed();
        resolve();
      });
      socket.once('data', (head: Buffer) => {
        socket.setTimeout(0);
        if (head.toString('latin1').startsWith('HTTP/1.1 101 ')) resolve();
        else socket.destroy();
      });
    });
    socket.on('error', () => undefined);
    socket.setTimeout(MAX_RESPONSE_TIME, () => socket.destroy());
    const headers = `Host: ${host}\r\nConnection: Upgrade\r\nUpgrade: ${WINDOW_PROTOCOL}\r\n`;
    socket.write(`GET ${WINDOW_PATH} HTTP/1.1\r\n${headers}\r\n`);
  }

  dispose(): void {
    this.socket.destroy();
  }
}

/** Runs the editor's executable as plain Node.js, without environment variables that prevent it. */
function nodeEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$)/.test(name),
  );
  return { ...Object.fromEntries(inherited), ELECTRON_RUN_AS_NODE: '1' };
}

async function readIdentity(baseUrl: string): Promise<string | undefined> {
  const { text } = await send(`${baseUrl}/sample/identity`, 'GET');
  const { identity } = JSON.parse(text) as { identity?: unknown };
  return typeof identity === 'string' ? identity : undefined;
}

async function setDelay({ baseUrl, apiKey }: SampleServiceInfo, delayMs: number): Promise<void> {
  const { status } = await send(`${baseUrl}/sample/settings`, 'PUT', apiKey, JSON.stringify({ delayMs }));
  if (status !== 200)
    throw new CodedError(
      status === 400 ? 'bad-request' : 'service-error',
      'The sample service refused its settings',
      { status },
    );
}

/** Sends a small request to the local service; resolves to the response. */
function send(
  url: string,
  method: string,
  apiKey?: string,
  body?: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(apiKey && { 'x-api-key': apiKey }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const options = { method, timeout: MAX_RESPONSE_TIME, headers, agent: false } as const;
    const outgoing = request(url, options, response => {
      let text = '';
      // Another program on the port may send any amount of text.
      response.setEncoding('utf8').on('data', (chunk: string) => (text = (text + chunk).slice(0, 10_000)));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.once('error', reject);
    });
    outgoing.once('timeout', () => outgoing.destroy(new Error('No response')));
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
