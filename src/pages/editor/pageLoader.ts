import type * as vscode from 'vscode';
import { type Disposable, toDisposable } from '../../base/disposable';
import { Emitter, type Event } from '../../base/event';
import type { Log } from '../../base/log';
import { isEarly } from '../earlyRequests';

/** How long the script of a visible page may take to send its first message, in milliseconds. */
const FIRST_MESSAGE_TIMEOUT = 8000;
/** How often the page is loaded before the panel fails. */
const MAX_ATTEMPTS = 3;

/** Runs something after the timeout, unless it is disposed before. */
type StartTimer = (run: () => void) => Disposable;

const systemTimer: StartTimer = run => {
  const timer = setTimeout(run, FIRST_MESSAGE_TIMEOUT);
  return toDisposable(() => clearTimeout(timer));
};

/**
 * Loads a panel's page, and loads it again when it sends no message: a served VS Code sometimes
 * never gives a page its files, and the panel would stay blank. Only a visible panel has a page, so
 * the timeout runs only while it is visible.
 */
export class PageLoader implements Disposable {
  private readonly subscriptions: Disposable[];
  private readonly loading = new Emitter<void>();
  private timer: Disposable | undefined;
  private waiting = false;
  private attempts = 0;

  constructor(
    private readonly panel: Pick<vscode.WebviewPanel, 'visible' | 'webview' | 'onDidChangeViewState'>,
    private readonly html: () => string,
    private readonly log: Log,
    /** The page sent no message, however often it was loaded. */
    private readonly onFailed: () => void,
    private readonly startTimer: StartTimer = systemTimer,
  ) {
    this.subscriptions = [
      panel.webview.onDidReceiveMessage((message: unknown) => {
        if (!isEarly(message)) this.stopWaiting();
      }),
      panel.onDidChangeViewState(() => this.watch()),
    ];
  }

  /** The page is about to be loaded: one that was there is gone. */
  get onWillLoad(): Event<void> {
    return this.loading.event;
  }

  /** Loads the page, or reloads it. */
  load(): void {
    this.attempts = 0;
    this.write();
  }

  dispose(): void {
    this.stopWaiting();
    this.loading.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private write(): void {
    this.attempts++;
    this.waiting = true;
    this.loading.fire();
    this.panel.webview.html = this.html();
    this.watch();
  }

  private watch(): void {
    this.timer?.dispose();
    this.timer = undefined;
    if (!this.waiting || !this.panel.visible) return;
    this.timer = this.startTimer(() => {
      if (this.attempts < MAX_ATTEMPTS) {
        this.log.warn('A page sent no message and is loaded again');
        this.write();
        return;
      }
      this.log.error('A page sent no message and is not loaded again');
      this.waiting = false;
      this.onFailed();
    });
  }

  private stopWaiting(): void {
    this.waiting = false;
    this.timer?.dispose();
    this.timer = undefined;
  }
}
