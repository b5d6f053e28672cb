import { CodedError } from '../../base/errors';

/** However long a service asks to be left alone, a request a minute is still tried: a person may know better. */
const MAX_PAUSE_MS = 60_000;

/** The time in which a service that sent Retry-After isn't sent further GETs. */
export class ServicePause {
  private error: CodedError | undefined;
  /** When the next request may be sent, and when the service said that it may. Milliseconds of a steady clock. */
  private endsAt = 0;
  private statedEnd = 0;

  constructor(private readonly now: () => number) {}

  /** Begins a pause if the error carries a Retry-After. */
  beginAfter(error: CodedError): void {
    const { retryAfter } = error.details;
    if (retryAfter === undefined) return;
    const now = this.now();
    this.error = error;
    this.statedEnd = now + retryAfter * 1000;
    this.endsAt = now + Math.min(retryAfter * 1000, MAX_PAUSE_MS);
  }

  /** Milliseconds until a request may be sent. */
  get remaining(): number {
    return Math.max(0, this.endsAt - this.now());
  }

  /** What a request that isn't sent fails with: as the service's last, with what is left of its Retry-After. */
  refusal({ subject }: { subject?: string | undefined }): CodedError {
    if (!this.error) throw new Error('The service has not asked for a pause');
    const { code, message, details } = this.error;
    return new CodedError(code, message, {
      ...(details.status !== undefined && { status: details.status }),
      ...(details.reason && { reason: details.reason }),
      ...(subject !== undefined && { subject }),
      retryAfter: Math.ceil((this.statedEnd - this.now()) / 1000),
    });
  }
}
