import type * as vscode from 'vscode';
import { type Disposable, toDisposable } from '../../base/disposable';
import { Emitter, type Event } from '../../base/event';
import type { Log } from '../../base/log';
import { isEarly } from '../earlyRequests';

/** Milliseconds in which the script of a visible page must send its first message. */
const FIRST_MESSAGE_TIMEOUT = 8000;
/** Number of times that a page is loaded before the panel fails. */
const MAX_ATTEMPTS = 3;

/** Runs something after the timeout, unless disposed before. */
type StartTimer = (run: () => void) => Disposable;

const systemTimer: StartTimer = run => {
  const timer = setTimeout(run, FIRST_MESSAGE_TIMEOUT);
  return toDisposable(() => clearTimeout(timer));
};

/**
 * Loads a panel's page, and loads it again if it sends no message. VS Code for the Web sometimes
 * never delivers a page's files, and the panel would stay blank. The timeout runs only while the
 * panel is visible, as hidden panels have no page.
 */
export class PageLoader implements Disposable {
  private readonly subscriptions: Disposable[];
  private readonly loading = new Emitter<void>();
  private timer: Disposable | undefined;
  private isWaiting = false;
  private attempts = 0;

  constructor(
    private readonly panel: Pick<vscode.WebviewPanel, 'visible' | 'webview' | 'onDidChangeViewState'>,
    private readonly html: () => string,
    private readonly log: Log,
    /** Called when the page sent no message after MAX_ATTEMPTS. */
    private readonly onFailed: () => void,
    private readonly startTimer: StartTimer = systemTimer,
  ) {
    this.subscriptions = [
      panel.webview.onDidReceiveMessage((message: unknown) => {
        if (!isEarly(message)) this.stopWaiting();
      }),
      panel.onDidChangeViewState(() => this.restartTimer()),
    ];
  }

  /** Fires before the page is loaded; the previous page is gone then. */
  get onWillLoad(): Event<void> {
    return this.loading.event;
  }

  /** Loads the page, or reloads it. */
  load(): void {
    this.attempts = 0;
    this.setHtml();
  }

  dispose(): void {
    this.stopWaiting();
    this.loading.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private setHtml(): void {
    this.attempts++;
    this.isWaiting = true;
    this.loading.fire();
    this.panel.webview.html = this.html();
    this.restartTimer();
  }

  private restartTimer(): void {
    this.timer?.dispose();
    this.timer = undefined;
    if (!this.isWaiting || !this.panel.visible) return;
    this.timer = this.startTimer(() => {
      if (this.attempts < MAX_ATTEMPTS) {
        this.log.warn('A page sent no message and is loaded again');
        this.setHtml();
        return;
      }
      this.log.error('A page sent no message and is not loaded again');
      this.isWaiting = false;
      this.onFailed();
    });
  }

  private stopWaiting(): void {
    this.isWaiting = false;
    this.timer?.dispose();
    this.timer = undefined;
  }
}
