import { DisposableStore, type Disposable } from '../../base/disposable';
import { CodedError } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { ThisProcess } from '../../base/node/thisProcess';
import type { Attention } from '../../jobs/node/pollLoop';
import type { JobSessions, JobWithNewFacts, SessionJob, SessionRun } from '../../jobs/node/jobSessions';
import type { Account, Accounts } from '../../accounts/node/accounts';
import type { AccountSession, AccountSessionDependencies } from './accountSession';

/**
 * One session per account, created on first use, which loads the HTTP client. Jobs of inactive
 * accounts are tracked too.
 */
export class AccountSessions implements JobSessions, Disposable {
  private readonly store = new DisposableStore();
  private readonly sessions = new Map<string, Promise<AccountSession>>();
  private readonly created = new Map<string, AccountSession>();
  private readonly jobChanged = this.store.add(new Emitter<SessionJob>());
  private readonly jobEnded = this.store.add(new Emitter<SessionJob>());
  private readonly jobsPaused = this.store.add(new Emitter<CodedError>());
  private readonly jobFactsChanged = this.store.add(new Emitter<JobWithNewFacts>());
  private readonly runCompared = this.store.add(new Emitter<SessionRun>());
  private readonly uploadsChanged = this.store.add(new Emitter<void>());
  private readonly submitChoicesChanged = this.store.add(new Emitter<void>());
  private readonly changed = this.store.add(new Emitter<void>());
  private attention: Attention = 'focused';
  private process: Promise<ThisProcess> | undefined;

  readonly onDidChangeJob = this.jobChanged.event;
  readonly onDidEndJob = this.jobEnded.event;
  /** Fires when a job is named here, or its results give new facts. */
  readonly onDidChangeJobFacts = this.jobFactsChanged.event;
  /** Fires when the service no longer accepts an account's key; polling waits for a new key. */
  readonly onDidPauseJobs = this.jobsPaused.event;
  /** Fires when a job's results are first compared with its items. */
  readonly onDidCompareRun = this.runCompared.event;
  /** Fires when an upload of this window begins, progresses or ends. */
  readonly onDidChangeUploads = this.uploadsChanged.event;
  /** Fires when the choices of an account's last submit change. */
  readonly onDidChangeSubmitChoices = this.submitChoicesChanged.event;
  /** Fires when the active account or the list of accounts changes. */
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
    return this.sessionOf(() => this.accounts.active);
  }

  /** The session of an account. Rejects with `signed-out` if it isn't signed in any more. */
  of(accountId: string): Promise<AccountSession> {
    const existing = this.sessions.get(accountId);
    return existing ?? this.sessionOf(() => this.accounts.all.find(({ id }) => id === accountId));
  }

  /** This window's process, as an owner of stored files. Read on first use. */
  currentProcess(): Promise<ThisProcess> {
    this.process ??= import('../../base/node/thisProcess').then(({ thisProcess }) => thisProcess());
    return this.process;
  }

  /** Sets whether this window is focused. */
  setAttention(attention: Attention): void {
    this.attention = attention;
    for (const { polling } of this.created.values()) polling.setAttention(attention);
  }

  dispose(): void {
    for (const session of this.created.values()) session.dispose();
    this.created.clear();
    this.sessions.clear();
    this.store.dispose();
  }

  private async sessionOf(find: () => Account | undefined): Promise<AccountSession> {
    // A window restores panels while its accounts are still being read.
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
    const [{ AccountSession }, currentProcess] = await Promise.all([
      import('./accountSession'),
      this.currentProcess(),
    ]);
    const session = new AccountSession(account, this.dependencies, currentProcess);
    await session.jobFacts.load();
    const isGone =
      this.store.isDisposed || !this.dependencies.accounts.all.some(({ id }) => id === accountId);
    if (isGone) {
      session.dispose();
      throw new CodedError('signed-out', 'The account was signed out in the meantime');
    }
    session.polling.setAttention(this.attention);
    this.created.set(accountId, session);
    session.tracker.onDidChange(job => this.jobChanged.fire({ session, job }));
    session.jobFacts.onDidChange(jobId => this.jobFactsChanged.fire({ session, jobId }));
    // Results that were restored after a reload may have old names.
    for (const jobId of session.jobFacts.named) this.jobFactsChanged.fire({ session, jobId });
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
      // Resume paused jobs, because the key may have been replaced. Without jobs, this only reads a
      // folder.
      polling
        .resume()
        .catch((error: unknown) => this.dependencies.log.error('Resuming running jobs failed', error));
    }
    this.changed.fire();
  }
}
