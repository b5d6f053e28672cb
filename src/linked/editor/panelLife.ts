import type { ResultPart } from '../../service/resultParts';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { CodedError, toPlainError } from '../../base/errors';
import type { Log } from '../../base/log';
import { phaseWords } from '../../words/phaseWords';
import { ContentState } from '../node/contentState';
import type { StoredView } from '../node/openResults';
import type { PartProgress } from '../node/partProgress';
import type { ResultSession } from '../node/resultSession';

/** What every panel of a result is given. */
export interface PanelParts {
  session: ResultSession;
  what: ResultPart;
  panel: vscode.WebviewPanel;
  extensionUri: vscode.Uri;
  /** An error in the user's words. */
  describe: (error: unknown) => string;
  /** The page requests another part of the result. */
  openOther: (what: ResultPart) => void;
  /** VS Code doesn't load the page, however often it is loaded. */
  pageMissing: () => void;
  log: Log;
}

/** What the panels of a result have in common: the state of their content, and what is told to their pages and the log. */
export class PanelLife implements Disposable {
  readonly state: ContentState;

  constructor(private readonly parts: PanelParts) {
    this.state = new ContentState(parts.panel.onDidDispose);
  }

  /** The page wasn't loaded: `whenShown` rejects with `timeout`. */
  pageMissing(): void {
    this.state.fail(new CodedError('timeout', 'The page of the panel was not loaded'));
    this.parts.pageMissing();
  }

  /** Progress of the panel's part, in words. */
  progressWords({ phase, done, total }: PartProgress): { done: number; total: number; text: string } {
    return { done, total, text: phaseWords(vscode.l10n.t, phase) };
  }

  /** What its page stores, so that a reload brings the panel back. */
  get kept(): StoredView {
    return { restore: this.parts.session.source.restore, what: this.parts.what };
  }

  /** A request of the page failed: for the log. */
  failed(method: string, error: unknown): void {
    const { code, message } = toPlainError(error);
    if (code)
      this.parts.log.warn(`The ${this.parts.what} panel couldn't handle "${method}": ${code}: ${message}`);
    else this.parts.log.error(`The ${this.parts.what} panel couldn't handle "${method}"`, error);
  }

  dispose(): void {
    this.state.dispose();
  }
}
