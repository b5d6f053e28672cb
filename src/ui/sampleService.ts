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
const TRUSTED_FOR = 5000;

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
  ensureRunning(options: { delayMs?: number } = {}): Promise<SampleServiceInfo> {
    this.starting ??= this.start(options).finally(() => (this.starting = undefined));
    return this.starting;
  }

  /** Writes the sample pictures into a folder, leaving what is there. Resolves to the folder. */
  async writePictures(folder: string, signal?: AbortSignal): Promise<string> {
    throwIfCancelled(signal);
    await promisify(execFile)(process.execPath, [this.script, 'pictures', '--out', folder], {
      env: nodeEnvironment(),
      ...(signal && { signal }),
    });
    return folder;
  }

  private async start({ delayMs }: { delayMs?: number }): Promise<SampleServiceInfo> {
    const known = await this.readInfo();
    if (known && this.identity && (await this.stillThere(known.baseUrl))) {
      this.lastSeen = Date.now();
      if (delayMs !== undefined) await setDelay(known, delayMs);
      return known;
    }
    // Also when one is running: only its own program can tell it from a stranger on the same port.
    await this.spawn(delayMs);
    const info = await this.readInfo();
    if (!info) throw new CodedError('service-error', 'The sample service left no address behind');
    this.identity = await readIdentity(info.baseUrl);
    this.lastSeen = Date.now();
    // A start that found another window's instance did not see our delay.
    if (delayMs !== undefined) await setDelay(info, delayMs);
    this.log.info(`The sample service runs at ${info.baseUrl}`);
    return info;
  }

  /** The key goes to the port only while the same instance is behind it. */
  private async stillThere(baseUrl: string): Promise<boolean> {
    if (Date.now() - this.lastSeen < TRUSTED_FOR) return true;
    return (await readIdentity(baseUrl).catch(() => undefined)) === this.identity;
  }

  /** Starts the process and resolves when it says that it is ready. */
  private spawn(delayMs: number | undefined): Promise<void> {
    const delay = delayMs === undefined ? [] : ['--delay-ms', String(delayMs)];
    const child = spawn(process.execPath, [this.script, 'serve', '--data', this.directory, ...delay], {
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
      const fail = (reason: string) =>
        reject(new CodedError('service-error', 'The sample service did not start', { reason }));
      child.once('error', error => fail(error.message));
      child.once('exit', code => fail(complaint.trim() || `exit code ${code}`));
      const lines = createInterface({ input: child.stdout });
      lines.on('line', line => {
        if (!line.includes('"ready"')) return;
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
    throw new CodedError('service-error', 'The sample service refused its settings', { status });
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
