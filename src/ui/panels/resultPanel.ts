import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { cancelledError, CodedError, toPlainError } from '../../base/errors';
import type { Log } from '../../base/log';
import type { PartProgress, ResultSession } from './resultSession';
import type { ResultWhat } from './resultSource';

/** What every panel of a result is given. */
export interface PanelParts {
  session: ResultSession;
  what: ResultWhat;
  panel: vscode.WebviewPanel;
  extensionUri: vscode.Uri;
  /** An error in the user's words. */
  describe: (error: unknown) => string;
  /** The page asks for another part of the result. */
  openOther: (what: ResultWhat) => void;
  /** VS Code does not show the page, however often it is asked to. */
  pageMissing: () => void;
  log: Log;
}

/** What a panel leaves with its page to be found again after a reload. */
export interface KeptPanel {
  restore: unknown;
  what: ResultWhat;
}

/** The life of one panel: from its opening through its first content, which may take several tries, to its closing. */
export class PanelLife implements Disposable {
  readonly store = new DisposableStore();
  private readonly closing = new AbortController();
  private attempt = new Attempt();

  constructor(private readonly parts: PanelParts) {
    this.store.add(parts.panel.onDidDispose(() => this.dispose()));
  }

  /** Fires when the panel is closed: what only it waits for is given up. */
  get signal(): AbortSignal {
    return this.closing.signal;
  }

  get isOver(): boolean {
    return this.closing.signal.aborted;
  }

  /** Whether the last try to show something failed; the page then offers to try again. */
  get hasFailed(): boolean {
    return this.attempt.state === 'failed';
  }

  /** Resolves when there is content on the screen; rejects with what keeps it from being shown. */
  whenShown(): Promise<void> {
    return this.attempt.outcome;
  }

  /** The page has painted its content. */
  shown(): void {
    this.attempt.succeed();
  }

  /** Its page never came: whoever waits for content hears so. */
  pageMissing(): void {
    this.attempt.fail(new CodedError('timeout', 'The page of the panel was not loaded'));
    this.parts.pageMissing();
  }

  /** Opens what the panel shows, for as long as the panel lives, whichever page asks. */
  async opened<T>(open: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.startOver();
    const attempt = this.attempt;
    try {
      return await open(this.signal);
    } catch (error) {
      attempt.fail(error);
      throw error;
    }
  }

  /** After a failure: a new try begins. */
  startOver(): void {
    if (this.hasFailed && !this.isOver) this.attempt = new Attempt();
  }

  /** Progress of the panel's part, in words. */
  progressWords({ phase, done, total }: PartProgress): { done: number; total: number; text: string } {
    const text = phase === 'downloading' ? vscode.l10n.t('Downloading…') : vscode.l10n.t('Reading…');
    return { done, total, text };
  }

  get kept(): KeptPanel {
    return { restore: this.parts.session.source.restore, what: this.parts.what };
  }

  /** A request of the page failed: for the log. */
  failed(method: string, error: unknown): void {
    const { code, message } = toPlainError(error);
    if (code)
      this.parts.log.warn(`The ${this.parts.what} panel could not answer "${method}": ${code}: ${message}`);
    else this.parts.log.error(`The ${this.parts.what} panel could not answer "${method}"`, error);
  }

  dispose(): void {
    if (this.isOver) return;
    this.closing.abort();
    this.attempt.fail(cancelledError());
    this.store.dispose();
  }
}

/** One try to show content; settles once. */
class Attempt {
  state: 'open' | 'shown' | 'failed' = 'open';
  readonly outcome: Promise<void>;
  private settle!: { resolve: () => void; reject: (error: Error) => void };

  constructor() {
    this.outcome = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    // Whoever asked for the panel hears of a failure; that nobody waits any more is none.
    this.outcome.catch(() => undefined);
  }

  succeed(): void {
    if (this.state === 'open') this.state = 'shown';
    this.settle.resolve();
  }

  fail(error: unknown): void {
    if (this.state === 'open') this.state = 'failed';
    this.settle.reject(error instanceof Error ? error : new Error(String(error)));
  }
}
