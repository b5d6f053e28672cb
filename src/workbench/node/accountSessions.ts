import { DisposableStore, type Disposable } from '../../base/disposable';
import { CodedError } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { ThisProcess } from '../../base/node/thisProcess';
import type { Attention } from '../../jobs/node/pollLoop';
import type { JobSessions, LearnedJob, SessionJob, SessionRun } from '../../jobs/node/jobSessions';
import type { Account, Accounts } from '../../accounts/node/accounts';
import type { AccountSession, AccountSessionDependencies } from './accountSession';

/**
 * One session per account, created on first use: only then is the HTTP client loaded. Jobs of
 * inactive accounts are tracked too.
 */
export class AccountSessions implements JobSessions, Disposable {
  private readonly store = new DisposableStore();
  private readonly sessions = new Map<string, Promise<AccountSession>>();
  private readonly created = new Map<string, AccountSession>();
  private readonly jobChanged = this.store.add(new Emitter<SessionJob>());
  private readonly jobEnded = this.store.add(new Emitter<SessionJob>());
  private readonly jobsPaused = this.store.add(new Emitter<CodedError>());
  private readonly jobLearned = this.store.add(new Emitter<LearnedJob>());
  private readonly runCompared = this.store.add(new Emitter<SessionRun>());
  private readonly uploadsChanged = this.store.add(new Emitter<void>());
  private readonly submitChoicesChanged = this.store.add(new Emitter<void>());
  private readonly changed = this.store.add(new Emitter<void>());
  private attention: Attention = 'focused';
  private self: Promise<ThisProcess> | undefined;

  readonly onDidChangeJob = this.jobChanged.event;
  readonly onDidEndJob = this.jobEnded.event;
  /** A job was named here, or its results gave new facts. */
  readonly onDidLearnOfJob = this.jobLearned.event;
  /** The service no longer accepts an account's key: polling waits for a new key. */
  readonly onDidPauseJobs = this.jobsPaused.event;
  /** What came out of a job is known, for the first time. */
  readonly onDidCompareRun = this.runCompared.event;
  /** An upload of this window began, progressed or ended. */
  readonly onDidChangeUploads = this.uploadsChanged.event;
  /** What a person chose at the last submit of an account has changed. */
  readonly onDidChangeSubmitChoices = this.submitChoicesChanged.event;
  /** The active account changed, or the list of accounts did. */
  readonly onDidChangeActive = this.changed.event;

  constructor(private readonly dependencies: AccountSessionDependencies) {
    this.store.add(dependencies.accounts.onDidChange(() => this.followAccounts()));
  }

  get accounts(): Accounts {
    return this.dependencies.accounts;
  }

  /** The sessions that exist so far. */
  get all(): readonly AccountSession[] {
    return [...this.created.values()];
  }

  /** The active account's session. Rejects with `signed-out` if there is none. */
  active(): Promise<AccountSession> {
    return this.ofFound(() => this.accounts.active);
  }

  /** The session of an account. Rejects with `signed-out` if it isn't signed in any more. */
  of(accountId: string): Promise<AccountSession> {
    const existing = this.sessions.get(accountId);
    return existing ?? this.ofFound(() => this.accounts.all.find(({ id }) => id === accountId));
  }

  /** This window's process, as an owner of what accounts store. Found out when first needed. */
  here(): Promise<ThisProcess> {
    this.self ??= import('../../base/node/thisProcess').then(({ thisProcess }) => thisProcess());
    return this.self;
  }

  /** Whether the user looks at this window. */
  attend(attention: Attention): void {
    this.attention = attention;
    for (const { polling } of this.created.values()) polling.attend(attention);
  }

  dispose(): void {
    for (const session of this.created.values()) session.dispose();
    this.created.clear();
    this.sessions.clear();
    this.store.dispose();
  }

  private async ofFound(find: () => Account | undefined): Promise<AccountSession> {
    // A window brings back panels while its accounts are still being read.
    if (!find()) await this.accounts.reading;
    const account = find();
    if (!account) throw new CodedError('signed-out', 'The account is not signed in');
    const { id } = account;
    const existing = this.sessions.get(id);
    if (existing) return existing;
    const creating = this.create(id, account);
    this.sessions.set(id, creating);
    creating.catch(() => this.sessions.delete(id));
    return creating;
  }

  private async create(accountId: string, account: Account): Promise<AccountSession> {
    const [{ AccountSession }, here] = await Promise.all([import('./accountSession'), this.here()]);
    const session = new AccountSession(account, this.dependencies, here);
    await session.jobFacts.load();
    const gone = this.store.isDisposed || !this.dependencies.accounts.all.some(({ id }) => id === accountId);
    if (gone) {
      session.dispose();
      throw new CodedError('signed-out', 'The account was signed out in the meantime');
    }
    session.polling.attend(this.attention);
    this.created.set(accountId, session);
    session.tracker.onDidChange(job => this.jobChanged.fire({ session, job }));
    session.jobFacts.onDidChange(jobId => this.jobLearned.fire({ session, jobId }));
    // Results that came back after a reload have the names of then.
    for (const jobId of session.jobFacts.named) this.jobLearned.fire({ session, jobId });
    session.runs.onDidCompare(run => this.runCompared.fire({ session, ...run }));
    session.tracker.onDidEnd(job => {
      void session.runs.ended(job);
      this.jobEnded.fire({ session, job });
    });
    session.submitChoices.onDidChange(() => this.submitChoicesChanged.fire());
    session.uploads.onDidChange(() => this.uploadsChanged.fire());
    session.tracker.onDidPause(error => this.jobsPaused.fire(error));
    return session;
  }

  private followAccounts(): void {
    const accountIds = new Set(this.dependencies.accounts.all.map(({ id }) => id));
    for (const id of [...this.sessions.keys()]) {
      if (accountIds.has(id)) continue;
      this.sessions.delete(id);
      this.created.get(id)?.dispose();
      this.created.delete(id);
    }
    for (const { polling } of this.created.values()) {
      // A replaced key lets paused jobs resume; with nothing pending this only reads a file.
      polling
        .resume()
        .catch((error: unknown) => this.dependencies.log.error('Resuming running jobs failed', error));
    }
    this.changed.fire();
  }
}
