import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { Log } from '../../base/log';
import { createWebviewPanel, setPanelTitle } from '../../host/editor/shown';
import { viewTypes } from '../../host/manifestNames';
import { pageRoot } from '../../pages/editor/pageHtml';
import type { BackgroundImagePairingSource } from '../../linking/node/backgroundImageFinder';
import {
  type ComparisonSession,
  type ComparisonSessions,
  type ComparisonSettings,
  validSettings,
} from '../node/comparisonSession';
import type { TargetColumn } from '../../session/node/openResults';
import type { OpenResults } from '../../session/node/openResults';
import type { ResultSource } from '../../session/node/resultSource';
import { ComparisonPanel } from './comparisonPanel';

interface ComparisonPanelsDependencies {
  extensionUri: vscode.Uri;
  sessions: ComparisonSessions;
  /** Makes a source from its `restore` state. */
  revive: (restored: unknown) => ResultSource | undefined;
  pairing: BackgroundImagePairingSource;
  /** Opens the pairs of a comparison as a table. */
  openPairs: (session: ComparisonSession, targetColumn: TargetColumn) => Promise<void>;
  results: Pick<OpenResults, 'sessionOf' | 'onDidBegin'>;
  log: Log;
}

/** All panels of comparisons; two results share one panel. */
export class ComparisonPanels implements Disposable {
  private readonly openPanels = new Map<
    vscode.WebviewPanel,
    { session: ComparisonSession; content: ComparisonPanel }
  >();

  constructor(private readonly dependencies: ComparisonPanelsDependencies) {}

  /** Compares two results in a panel; `a` is the reference. */
  show(a: ResultSource, b: ResultSource, viewColumn = vscode.ViewColumn.Active): void {
    const openPanel = this.panelOf(a, b);
    if (openPanel) {
      openPanel.reveal();
      return;
    }
    const panel = createWebviewPanel(
      viewTypes.comparison,
      titleOfComparison(a, b),
      { viewColumn, preserveFocus: false },
      this.webviewOptions(),
    );
    this.fill(panel, a, b);
  }

  /** Restores a panel after a reload; `state` is the page's saved state. */
  revive(panel: vscode.WebviewPanel, state: unknown): void {
    const { comparison } = ((state as { keep?: unknown } | null)?.keep ?? {}) as { comparison?: unknown };
    const { a, b, ...settings } = (comparison ?? {}) as Partial<
      Record<'a' | 'b' | keyof ComparisonSettings, unknown>
    >;
    const [sourceA, sourceB] = [this.dependencies.revive(a), this.dependencies.revive(b)];
    if (!sourceA || !sourceB || this.panelOf(sourceA, sourceB)) {
      panel.dispose();
      return;
    }
    setPanelTitle(panel, titleOfComparison(sourceA, sourceB));
    panel.webview.options = this.webviewOptions();
    this.fill(panel, sourceA, sourceB, validSettings(settings));
  }

  /** Closes the comparisons of other accounts. */
  keepAccounts(accountIds: ReadonlySet<string>): void {
    for (const [panel, { content }] of [...this.openPanels])
      if (content.accountIds.some(id => !accountIds.has(id))) panel.dispose();
  }

  /** The panels stay open: the window restores them after a reload. */
  dispose(): void {
    for (const { content } of [...this.openPanels.values()]) content.dispose();
    this.openPanels.clear();
  }

  private panelOf(a: ResultSource, b: ResultSource): vscode.WebviewPanel | undefined {
    const entry = [...this.openPanels].find(
      ([, { session }]) => session.a.key === a.key && session.b.key === b.key,
    );
    return entry?.[0];
  }

  private fill(
    panel: vscode.WebviewPanel,
    a: ResultSource,
    b: ResultSource,
    settings?: ComparisonSettings,
  ): void {
    panel.iconPath = new vscode.ThemeIcon('diff');
    const { extensionUri, pairing, sessions, openPairs, results, log } = this.dependencies;
    const session = sessions.use(a, b, settings);
    if (settings) session.restore(settings);
    const content = new ComparisonPanel({
      panel,
      session,
      pairing,
      extensionUri,
      openPairs: () => openPairs(session, { beside: panel.viewColumn ?? vscode.ViewColumn.One }),
      results,
      log,
    });
    this.openPanels.set(panel, { session, content });
    panel.onDidDispose(() => {
      this.openPanels.delete(panel);
      sessions.release(session);
    });
  }

  private webviewOptions(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [pageRoot(this.dependencies.extensionUri)] };
  }
}

function titleOfComparison(a: ResultSource, b: ResultSource): string {
  return vscode.l10n.t('{0} vs. {1}', a.title, b.title);
}
