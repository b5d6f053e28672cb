import * as assert from 'node:assert/strict';
import type { NetworkSettings } from '../../../../src/service/node/networkSettings';
import { WAIT_MS } from '../../../../scripts/patience.mjs';
import { Transport, type TransportOptions } from '../../../../src/service/node/transport';
import { isCoded, type CodedError, type ErrorCode } from '../../../../src/base/errors';
import type { Log } from '../../../../src/base/log';
import { FixtureServer, type Answer } from './fixtureServer';

export const KEY = 'key-0123456789abcdef';

/**
 * The first outcome of attempts with ever more time, in milliseconds: a slow machine may not get
 * far enough in a short time. `attempt` gives undefined if it didn't.
 */
export async function withEnoughTime<T>(attempt: (timeoutMs: number) => Promise<T | undefined>): Promise<T> {
  for (let timeoutMs = 500; timeoutMs < WAIT_MS; timeoutMs *= 2) {
    const outcome = await attempt(timeoutMs);
    if (outcome !== undefined) return outcome;
  }
  throw new Error('No time was enough');
}

/** Services of one test, transports to them, and what those wait for and write to the log. */
export class TransportFixture {
  readonly pauses: number[] = [];
  readonly lines: string[] = [];
  private readonly servers: FixtureServer[] = [];
  private readonly transports: Transport[] = [];
  private readonly log: Log = {
    trace: line => this.lines.push(line),
    info: line => this.lines.push(line),
    warn: line => this.lines.push(line),
    error: (line, error) => this.lines.push(`${line} ${String(error)}`),
  };

  /** Starts a service that answers a request once its body is there. */
  async serve(answer: Answer): Promise<FixtureServer> {
    return this.keep(await FixtureServer.start(answer));
  }

  /** Starts a service that is handed requests as they begin. */
  async serveRaw(handle: Parameters<typeof FixtureServer.startRaw>[0]): Promise<FixtureServer> {
    return this.keep(await FixtureServer.startRaw(handle));
  }

  /** The clock of `connect`'s transports. Milliseconds; no wait moves it. */
  time = 0;

  /** A transport that does not wait between its tries. */
  connect(baseUrl: string, network: NetworkSettings = {}, key = KEY): Transport {
    return this.add({
      baseUrl,
      network,
      apiKey: () => Promise.resolve(key),
      delay: milliseconds => {
        this.pauses.push(milliseconds);
        return Promise.resolve();
      },
      now: () => this.time,
    });
  }

  /** A transport whose key may be another each time. */
  connectWith(baseUrl: string, apiKey: () => Promise<string>): Transport {
    return this.add({ baseUrl, network: {}, apiKey, delay: () => Promise.resolve() });
  }

  /** A transport that waits between its tries as the real one does. */
  connectPatiently(baseUrl: string, apiKey = () => Promise.resolve(KEY)): Transport {
    return this.add({ baseUrl, network: {}, apiKey });
  }

  async end(): Promise<void> {
    for (const transport of this.transports) transport.dispose();
    for (const server of this.servers) await server.stop();
  }

  private keep(server: FixtureServer): FixtureServer {
    this.servers.push(server);
    return server;
  }

  private add(options: Omit<TransportOptions, 'log'>): Transport {
    const transport = new Transport({ ...options, log: this.log });
    this.transports.push(transport);
    return transport;
  }
}

/** The error with which work failed; it may not tell the key. */
export async function failure(work: Promise<unknown>, code: ErrorCode): Promise<CodedError> {
  let caught: unknown;
  await work.then(
    () => assert.fail('it should have failed'),
    (error: unknown) => (caught = error),
  );
  assert.ok(isCoded(caught, code), `expected ${code}, got ${String(caught)}`);
  assert.ok(!JSON.stringify([caught.message, caught.details]).includes(KEY));
  return caught;
}
