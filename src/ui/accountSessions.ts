import { DisposableStore, type Disposable } from '../base/disposable';
import { CodedError } from '../base/errors';
import { Emitter } from '../base/event';
import type { TrackedJob } from '../jobs/jobTracker';
import type { Accounts } from './account';
import type { AccountSession, AccountSessionParts } from './accountSession';

/** A job's news together with the account it belongs to. */
export interface SessionJob {
  session: AccountSession;
  job: TrackedJob;
}

/**
 * One session per account, made when first needed: the code that speaks to the service is loaded only then. Jobs of
 * accounts that are not the active one go on being tracked.
 */
export class AccountSessions implements Disposable {
  private readonly store = new DisposableStore();
  private readonly sessions = new Map<string, Promise<AccountSession>>();
  private readonly living = new Map<string, AccountSession>();
  private readonly jobChanged = this.store.add(new Emitter<SessionJob>());
  private readonly jobEnded = this.store.add(new Emitter<SessionJob>());
  private readonly jobsPaused = this.store.add(new Emitter<CodedError>());
  private readonly changed = this.store.add(new Emitter<void>());

  readonly onDidChangeJob = this.jobChanged.event;
  readonly onDidEndJob = this.jobEnded.event;
  /** The service no longer accepts an account's key: its jobs are not asked about until it is renewed. */
  readonly onDidPauseJobs = this.jobsPaused.event;
  /** The active account, and with it everything shown, is another one. */
  readonly onDidChangeActive = this.changed.event;

  constructor(private readonly parts: AccountSessionParts) {
    this.store.add(parts.accounts.onDidChange(() => this.followAccounts()));
  }

  get accounts(): Accounts {
    return this.parts.accounts;
  }

  /** The sessions that exist so far. */
  get all(): readonly AccountSession[] {
    return [...this.living.values()];
  }

  /** The active account's session. Throws `signed-out` without one. */
  active(): Promise<AccountSession> {
    const { active } = this.parts.accounts;
    if (!active) return Promise.reject(new CodedError('signed-out', 'No account is signed in'));
    return this.of(active.id);
  }

  /** The session of an account. Throws `signed-out` when it is not signed in (any more). */
  of(accountId: string): Promise<AccountSession> {
    const existing = this.sessions.get(accountId);
    if (existing) return existing;
    const account = this.parts.accounts.all.find(({ id }) => id === accountId);
    if (!account) return Promise.reject(new CodedError('signed-out', 'That account is not signed in'));
    const making = this.make(accountId, account);
    this.sessions.set(accountId, making);
    making.catch(() => this.sessions.delete(accountId));
    return making;
  }

  dispose(): void {
    for (const session of this.living.values()) session.dispose();
    this.living.clear();
    this.sessions.clear();
    this.store.dispose();
  }

  private async make(accountId: string, account: AccountSession['account']): Promise<AccountSession> {
    const { AccountSession } = await import('./accountSession');
    const session = new AccountSession(account, this.parts);
    const gone = this.store.isDisposed || !this.parts.accounts.all.some(({ id }) => id === accountId);
    if (gone) {
      session.dispose();
      throw new CodedError('signed-out', 'The account was signed out meanwhile');
    }
    this.living.set(accountId, session);
    session.tracker.onDidChange(job => this.jobChanged.fire({ session, job }));
    session.tracker.onDidEnd(job => this.jobEnded.fire({ session, job }));
    session.tracker.onDidPause(error => this.jobsPaused.fire(error));
    return session;
  }

  private followAccounts(): void {
    const known = new Set(this.parts.accounts.all.map(({ id }) => id));
    for (const id of [...this.sessions.keys()]) {
      if (known.has(id)) continue;
      this.sessions.delete(id);
      this.living.get(id)?.dispose();
      this.living.delete(id);
    }
    for (const { tracker } of this.living.values()) {
      // A renewed key lets paused jobs go on; with nothing pending this only reads a file.
      tracker
        .resume()
        .catch((error: unknown) => this.parts.log.error('Going on with running jobs failed', error));
    }
    this.changed.fire();
  }
}
