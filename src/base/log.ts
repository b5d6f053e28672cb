/** Receives diagnostics. Implementations mask keys and result links; callers must not pass them. */
export interface Log {
  trace(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
}

export const silentLog: Log = { trace() {}, info() {}, warn() {}, error() {} };
