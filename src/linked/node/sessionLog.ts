import { isCoded } from '../../base/errors';
import type { Log } from '../../base/log';

/** Logs what fails in a session while nobody waits for it. What is canceled, or fails because the session ends, isn't logged. */
export class SessionLog {
  /** `signal` aborts when the session ends. */
  constructor(
    private readonly log: Pick<Log, 'info'>,
    private readonly signal: AbortSignal,
  ) {}

  /** `what` was going on when it failed. */
  info(what: string, error: unknown): void {
    if (this.signal.aborted || isCoded(error, 'cancelled')) return;
    const reason = isCoded(error) ? `${error.code}: ${error.message}` : String(error);
    this.log.info(`${what}: ${reason}`);
  }
}
