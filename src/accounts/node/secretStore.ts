import type { Event } from '../../base/event';

/** Where API keys are stored: encrypted, and shared by all windows unless VS Code is served. VS Code's SecretStorage is one. */
export interface SecretStore {
  keys(): PromiseLike<string[]>;
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
  /** A secret was stored or deleted, in this window or another. */
  readonly onDidChange: Event<{ readonly key: string }>;
}
