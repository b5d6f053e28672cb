import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { Log } from '../../base/log';
import { createWebviewPanel, setPanelTitle } from '../../host/editor/shown';
import { viewTypes } from '../../host/manifestNames';
import { type ComparisonChoice, comparisonChoice } from '../../matching/comparisonPage';
import { pageRoot } from '../../pages/editor/pageHtml';
import type { ResultChoices } from '../../results/node/resultChoices';
import type { Engine } from '../engineProtocol';
import type { BackgroundImagePairingSource } from '../node/backgroundImageFinder';
import { MasksComparer } from '../node/masksComparer';
import type { ResultSource } from '../node/resultSource';
import { ComparisonPanel, type KeptPairs } from './comparisonPanel';

interface ComparisonPanelsParts {
  extensionUri: vscode.Uri;
  startEngine: () => Engine;
  choices: Pick<ResultChoices, 'comparedImages' | 'setComparedImages'>;
  /** Makes a source from what it gave as `restore`. */
  revive: (restored: unknown) => ResultSource | undefined;
  pairing: BackgroundImagePairingSource;
  openTable: (file: vscode.Uri) => void;
  log: Log;
}

/** All comparisons that are open. */
export class ComparisonPanels implements Disposable {
  private readonly open = new Map<vscode.WebviewPanel, ComparisonPanel>();
  private readonly comparer: MasksComparer;

  constructor(private readonly parts: ComparisonPanelsParts) {
    const { startEngine, log } = parts;
    this.comparer = new MasksComparer({ startEngine, log });
  }

  /** Compares two results in a new panel, `a` being the reference. */
  show(a: ResultSource, b: ResultSource): void {
    const panel = createWebviewPanel(
      viewTypes.comparison,
      titleOf(a, b),
      { viewColumn: vscode.ViewColumn.Active, preserveFocus: false },
      this.webviewOptions(),
    );
    this.fill(panel, a, b);
  }

  /** Restores a panel after a reload; `state` is what its page stored. */
  revive(panel: vscode.WebviewPanel, state: unknown): void {
    const { comparison } = ((state as { keep?: unknown } | null)?.keep ?? {}) as { comparison?: unknown };
    const { a, b, choice } = (comparison ?? {}) as { a?: unknown; b?: unknown; choice?: unknown };
    const [sourceA, sourceB] = [this.parts.revive(a), this.parts.revive(b)];
    if (!sourceA || !sourceB) {
      panel.dispose();
      return;
    }
    setPanelTitle(panel, titleOf(sourceA, sourceB));
    panel.webview.options = this.webviewOptions();
    const { success, output } = v.safeParse(comparisonChoice, choice);
    this.fill(panel, sourceA, sourceB, success ? output : undefined);
  }

  /** Closes the comparisons of accounts that aren't among these any more. */
  keepAccounts(accountIds: ReadonlySet<string>): void {
    for (const [panel, content] of [...this.open])
      if (content.accountIds.some(id => !accountIds.has(id))) panel.dispose();
  }

  /** Ends the threads. The panels stay on the screen: the window brings them back after a reload. */
  dispose(): void {
    for (const content of [...this.open.values()]) content.dispose();
    this.open.clear();
  }

  private fill(
    panel: vscode.WebviewPanel,
    a: ResultSource,
    b: ResultSource,
    choice?: ComparisonChoice,
  ): void {
    panel.iconPath = new vscode.ThemeIcon('diff');
    const { extensionUri, pairing, openTable, log } = this.parts;
    const { comparer } = this;
    const content = new ComparisonPanel({
      panel,
      a,
      b,
      comparer,
      kept: this.keptPairs(a, b),
      ...(choice && { choice }),
      pairing,
      extensionUri,
      openTable,
      log,
    });
    this.open.set(panel, content);
    panel.onDidDispose(() => this.open.delete(panel));
  }

  /** They are kept with the account of either, so that sign-out removes them. */
  private keptPairs(a: ResultSource, b: ResultSource): KeptPairs {
    const accountId = a.accountId ?? b.accountId;
    const key = [a, b].map(source => source.keptAs ?? source.key).join('\n');
    const owner = { key, ...(accountId !== undefined && { accountId }) };
    const { choices } = this.parts;
    return {
      read: () => choices.comparedImages(owner),
      write: pairs => choices.setComparedImages(owner, pairs),
    };
  }

  private webviewOptions(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [pageRoot(this.parts.extensionUri)] };
  }
}

function titleOf(a: ResultSource, b: ResultSource): string {
  return vscode.l10n.t('{0} vs. {1}', a.title, b.title);
}
