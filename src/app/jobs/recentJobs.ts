import { DisposableStore, type Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { AccountSessions, SessionJob } from '../accounts/accountSessions';

/** How many jobs that ended are remembered. */
const MAX_ENDED = 20;

/** The jobs that ended while this window was open, and how many failures among them nobody has seen yet. */
export class RecentJobs implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  private readonly recent: SessionJob[] = [];
  private unseen = 0;

  readonly onDidChange = this.changed.event;

  /** `isShown` tells whether the person sees the jobs anyway. */
  constructor(
    private readonly sessions: Pick<AccountSessions, 'all' | 'onDidEndJob'>,
    private readonly isShown: () => boolean,
  ) {
    this.store.add(sessions.onDidEndJob(ended => this.add(ended)));
  }

  /** The latest first; only those of accounts that are signed in. */
  get ended(): readonly SessionJob[] {
    return this.recent.filter(({ session }) => this.sessions.all.includes(session));
  }

  get unseenFailures(): number {
    return this.unseen;
  }

  /** A person has seen the failures so far. */
  markSeen(): void {
    if (this.unseen === 0) return;
    this.unseen = 0;
    this.changed.fire();
  }

  dispose(): void {
    this.store.dispose();
  }

  private add(ended: SessionJob): void {
    this.recent.unshift(ended);
    this.recent.length = Math.min(this.recent.length, MAX_ENDED);
    const { phase, by } = ended.job;
    // A program learns of its failures itself.
    if (phase === 'failed' && by !== 'program' && !this.isShown()) this.unseen += 1;
    this.changed.fire();
  }
}
