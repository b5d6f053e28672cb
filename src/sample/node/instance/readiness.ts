import { httpError } from '../http/httpError';

/** Delays requests while the service starts (the first start draws its images), instead of rejecting them. */
export class Readiness {
  private state: 'starting' | 'ready' | 'ended' = 'starting';
  private settle = (): void => undefined;
  private readonly settled = new Promise<void>(resolve => (this.settle = resolve));

  get isReady(): boolean {
    return this.state === 'ready';
  }

  /** Resolves when the service is ready; throws 503 when it ended before. */
  async wait(): Promise<void> {
    await this.settled;
    if (!this.isReady) throw httpError(503, 'The sample service ended');
  }

  ready(): void {
    this.end('ready');
  }

  ended(): void {
    this.end('ended');
  }

  private end(state: 'ready' | 'ended'): void {
    this.state = state;
    this.settle();
  }
}
