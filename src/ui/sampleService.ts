import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { CodedError, throwIfCancelled } from '../base/errors';
import type { Log } from '../base/log';

/** Where the sample service listens, who owns it, and the key it made for itself. */
export interface SampleServiceInfo {
  baseUrl: string;
  apiKey: string;
}

/** How long an answer to "are you there?" is believed, in milliseconds. */
const TRUSTED_FOR = 1000;

/** How long it may take to start; it makes its sample pictures the first time. Milliseconds. */
const STARTS_WITHIN = 60_000;

/**
 * The sample service as a process of its own: started when first needed, shared by all windows (a second start finds
 * the first), stopped by itself when nobody has asked it anything for a while.
 */
export class SampleService {
  private starting: Promise<SampleServiceInfo> | undefined;
  private lastSeen = 0;
  /** What the instance that `serve` vouched for calls itself. */
  private identity: string | undefined;

  constructor(
    private readonly script: string,
    private readonly directory: string,
    private readonly log: Log,
  ) {}

  /** Makes sure that the service runs and answers. `delayMs` is the extra time it takes per picture. */
  async ensureRunning({ delayMs }: { delayMs?: number } = {}): Promise<SampleServiceInfo> {
    this.starting ??= this.start().finally(() => (this.starting = undefined));
    const info = await this.starting;
    if (delayMs !== undefined) await setDelay(info, delayMs);
    return info;
  }

  /** Writes the sample pictures into a folder, leaving what is there. Resolves to the folder. */
  async writePictures(folder: string, signal?: AbortSignal): Promise<string> {
    throwIfCancelled(signal);
    try {
      await promisify(execFile)(process.execPath, [this.script, 'pictures', '--out', folder], {
        env: nodeEnvironment(),
        ...(signal && { signal }),
      });
    } catch (error) {
      throwIfCancelled(signal);
      const { stderr } = error as { stderr?: unknown };
      const said = typeof stderr === 'string' ? stderr.trim().split('\n', 1)[0] : undefined;
      throw new CodedError('service-error', 'The sample pictures could not be written', {
        reason: said || (error instanceof Error ? error.message : String(error)),
      });
    }
    return folder;
  }

  private async start(): Promise<SampleServiceInfo> {
    const known = await this.readInfo();
    if (known && this.identity && (await this.stillThere(known.baseUrl))) return known;
    // Also when one is running: only its own program can tell it from a stranger on the same port.
    await this.spawn();
    const info = await this.readInfo();
    if (!info) throw new CodedError('service-error', 'The sample service left no address behind');
    this.identity = await readIdentity(info.baseUrl);
    this.lastSeen = Date.now();
    this.log.info(`The sample service runs at ${info.baseUrl}`);
    return info;
  }

  /** The key goes to the port only while the same instance is behind it. */
  private async stillThere(baseUrl: string): Promise<boolean> {
    if (Date.now() - this.lastSeen < TRUSTED_FOR) return true;
    if ((await readIdentity(baseUrl).catch(() => undefined)) !== this.identity) return false;
    // Only an answer renews the trust: else a service that is asked all the time would never be missed.
    this.lastSeen = Date.now();
    return true;
  }

  /** Starts the process and resolves when it says that it is ready. */
  private spawn(): Promise<void> {
    const child = spawn(process.execPath, [this.script, 'serve', '--data', this.directory], {
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: nodeEnvironment(),
    });
    return new Promise((resolve, reject) => {
      let complaint = '';
      child.stderr
        .setEncoding('utf8')
        .on('data', (text: string) => (complaint = (complaint + text).slice(-2000)));
      const fail = (reason: string) => {
        clearTimeout(tooLong);
        reject(new CodedError('service-error', 'The sample service did not start', { reason }));
      };
      const tooLong = setTimeout(() => {
        child.kill();
        fail('It took too long');
      }, STARTS_WITHIN);
      child.once('error', error => fail(error.message));
      // Not `exit`: one that found a living instance ends at once, and its last line may still be on its way.
      child.once('close', code => fail(complaint.trim() || `exit code ${code}`));
      const lines = createInterface({ input: child.stdout });
      lines.on('line', line => {
        if (!line.includes('"ready"')) return;
        clearTimeout(tooLong);
        lines.close();
        child.removeAllListeners();
        child.stdout.destroy();
        child.stderr.destroy();
        // It outlives this window: other windows use it too.
        child.unref();
        resolve();
      });
    });
  }

  private async readInfo(): Promise<SampleServiceInfo | undefined> {
    try {
      const text = await readFile(path.join(this.directory, 'service.json'), 'utf8');
      const { baseUrl, apiKey } = JSON.parse(text) as Partial<SampleServiceInfo>;
      return typeof baseUrl === 'string' && typeof apiKey === 'string' ? { baseUrl, apiKey } : undefined;
    } catch {
      // Not there yet, or cut off half-way by another start: as good as not started.
      return undefined;
    }
  }
}

/** The editor's own executable runs as plain node; its variables would make it something else. */
function nodeEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$)/.test(name),
  );
  return { ...Object.fromEntries(kept), ELECTRON_RUN_AS_NODE: '1' };
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

/** A small request over loopback; resolves to the answer. */
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
    const sent = request(url, { method, timeout: 2000, headers, agent: false }, response => {
      let text = '';
      // A stranger on the port may have much to say.
      response.setEncoding('utf8').on('data', (part: string) => (text = (text + part).slice(0, 10_000)));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.once('error', reject);
    });
    sent.once('timeout', () => sent.destroy(new Error('No answer')));
    sent.once('error', reject);
    sent.end(body);
  });
}
