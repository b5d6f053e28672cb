import type * as vscode from 'vscode';
import { toDisposable, type Disposable } from '../../base/disposable';
import type { Log } from '../../base/log';

/** How long a page on the screen may take to say its first word, in milliseconds. */
const PATIENCE = 8000;
/** How often the page is loaded before it is given up. */
const MOST_TRIES = 3;

/** Runs something when a page has had its time, unless that is disposed before. */
export type Patience = (run: () => void) => Disposable;

const patience: Patience = run => {
  const timer = setTimeout(run, PATIENCE);
  return toDisposable(() => clearTimeout(timer));
};

/**
 * Loads a panel's page, and once more when nothing is heard of it: a served VS Code now and then never hands a page its
 * files, and the panel would stay blank for good. Only a panel that is on the screen has a page; only it is waited for.
 */
export class PageLoader implements Disposable {
  private readonly subscriptions: Disposable[];
  private timer: Disposable | undefined;
  private waiting = false;
  private tries = 0;

  constructor(
    private readonly panel: Pick<vscode.WebviewPanel, 'visible' | 'webview' | 'onDidChangeViewState'>,
    private readonly html: () => string,
    private readonly log: Log,
    /** The page never said anything. */
    private readonly givenUp: () => void,
    private readonly whenOver = patience,
  ) {
    this.subscriptions = [
      panel.webview.onDidReceiveMessage(() => this.heard()),
      panel.onDidChangeViewState(() => this.watch()),
    ];
  }

  /** Loads the page, anew if it is there already. */
  load(): void {
    this.tries = 0;
    this.write();
  }

  dispose(): void {
    this.heard();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private write(): void {
    this.tries++;
    this.waiting = true;
    this.panel.webview.html = this.html();
    this.watch();
  }

  private watch(): void {
    this.timer?.dispose();
    this.timer = undefined;
    if (!this.waiting || !this.panel.visible) return;
    this.timer = this.whenOver(() => {
      if (this.tries < MOST_TRIES) {
        this.log.warn('A page said nothing and is loaded again');
        this.write();
        return;
      }
      this.log.error('A page said nothing and is given up');
      this.waiting = false;
      this.givenUp();
    });
  }

  private heard(): void {
    this.waiting = false;
    this.timer?.dispose();
    this.timer = undefined;
  }
}
