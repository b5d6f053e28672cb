import type { Event } from '../../base/event';
import type { Log } from '../../base/log';
import type { ThisProcess } from '../../base/node/thisProcess';
import type { AnalysisClient } from '../../service/node/client';
import type { Account, Accounts } from './accounts';

/**
 * The session of a signed-in account, from sign-in to sign-out. Other parts extend this interface
 * with their objects for an account.
 */
export interface ServiceSession {
  readonly account: Account;
  readonly client: AnalysisClient;
  readonly log: Log;
}

/** One session per account, created on first use. */
export interface Sessions<S extends ServiceSession = ServiceSession> {
  readonly accounts: Accounts;
  /** The existing sessions. */
  readonly all: readonly S[];
  /** The active account's session. Rejects with `signed-out` if there is none. */
  active(): Promise<S>;
  /** The session of an account. Rejects with `signed-out` if it isn't signed in any more. */
  of(accountId: string): Promise<S>;
  /** This window's process, which owns stored data of accounts. */
  currentProcess(): Promise<ThisProcess>;
  /** The active account changed, or the list of accounts did. */
  readonly onDidChangeActive: Event<void>;
}
