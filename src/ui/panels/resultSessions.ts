import * as vscode from 'vscode';
import { delay } from '../../base/delay';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { cancelledError, isCoded, throwIfCancelled } from '../../base/errors';
import type { Log } from '../../base/log';
import { EngineThread } from '../../engine/pool';
import { userMessage } from '../userMessages';
import { MasksPanel } from './masksPanel';
import type { MasksPreferences } from './masksPreferences';
import { pageRoot } from './pageHtml';
import type { PanelLife } from './resultPanel';
import { ResultSession } from './resultSession';
import type { PicturePairingSource, ResultSource, ResultWhat } from './resultSource';
import { TablePanel } from './tablePanel';

const TABLE_VIEW = 'imageAnalysis.table';
const MASKS_VIEW = 'imageAnalysis.masks';

export interface ResultSessionsOptions {
  extensionUri: vscode.Uri;
  /** Path of the bundle of engine/thread. */
  engineScript: string;
  pairing: PicturePairingSource;
  /** Opacity of masks, 0…1. */
  opacity: () => number;
  /** Memory for the columns of tables, in MB. */
  tableMemory: () => number;
  preferences: MasksPreferences;
  /** Makes a source from what it gave as `restore`; undefined when that makes no sense any more. */
  revive: (restored: unknown) => ResultSource | undefined;
  /** What a page's button for another part of the result does; without it that part is shown. */
  openOther?: (source: ResultSource, what: ResultWhat) => void;
  log: Log;
}

/** The panels of one result. */
interface OpenResult {
  session: ResultSession;
  panels: Map<ResultWhat, { panel: vscode.WebviewPanel; content: TablePanel | MasksPanel }>;
}

/** All results that have a panel open, and the way to open one; brings panels back after a reload. */
export class ResultSessions implements Disposable {
  private readonly store = new DisposableStore();
  private readonly open = new Map<string, OpenResult>();

  constructor(private readonly options: ResultSessionsOptions) {
    const serializer: vscode.WebviewPanelSerializer = {
      deserializeWebviewPanel: (panel, state) => {
        this.revive(panel, state);
        return Promise.resolve();
      },
    };
    this.store.add(vscode.window.registerWebviewPanelSerializer(TABLE_VIEW, serializer));
    this.store.add(vscode.window.registerWebviewPanelSerializer(MASKS_VIEW, serializer));
  }

  /**
   * Shows a part of a result in its panel, opening it if need be. Resolves when its first content is on the screen,
   * rejects with the coded error that kept it away; the panel then shows it too and offers to try again, unless it is
   * to be closed, as a program wants it.
   */
  async show(
    source: ResultSource,
    what: ResultWhat,
    { closeOnFailure = false, signal }: { closeOnFailure?: boolean; signal?: AbortSignal } = {},
  ): Promise<void> {
    throwIfCancelled(signal);
    const result = this.result(source);
    const shown = result.panels.get(what);
    if (shown) {
      shown.panel.reveal();
      const { life } = shown.content;
      if (life.hasFailed) {
        life.startOver();
        shown.content.load();
      }
      return untilAborted(life.whenShown(), signal);
    }
    const panel = vscode.window.createWebviewPanel(
      what === 'masks' ? MASKS_VIEW : TABLE_VIEW,
      titleOf(source, what),
      columnFor(result, what),
      this.webviewOptions(),
    );
    panel.iconPath = iconOf(what);
    const life = this.attach(result, panel, what);
    try {
      await untilAborted(life.whenShown(), signal);
    } catch (error) {
      if ((signal?.aborted || closeOnFailure) && !life.isOver) panel.dispose();
      throw error;
    }
  }

  /** The result whose masks are in the active panel. */
  get activeMasks(): ResultSource | undefined {
    const results = [...this.open.values()];
    return results.find(({ panels }) => panels.get('masks')?.panel.active)?.session.source;
  }

  /** The session of a result that has a panel open. */
  sessionOf(source: ResultSource): ResultSession | undefined {
    return this.open.get(source.key)?.session;
  }

  /** Shows a part of a result in a panel that VS Code has made, as for a custom editor. */
  adopt(panel: vscode.WebviewPanel, source: ResultSource, what: ResultWhat): void {
    panel.webview.options = this.webviewOptions();
    panel.iconPath = iconOf(what);
    this.attach(this.result(source), panel, what);
  }

  /** Closes the panels of results whose account is not among these any more. */
  keepAccounts(accountIds: ReadonlySet<string>): void {
    for (const { session, panels } of [...this.open.values()]) {
      const { accountId } = session.source;
      if (accountId === undefined || accountIds.has(accountId)) continue;
      for (const { panel } of [...panels.values()]) panel.dispose();
    }
  }

  /** Ends the threads. The panels stay: VS Code brings them back after a reload. */
  dispose(): void {
    this.store.dispose();
    for (const { session, panels } of this.open.values()) {
      for (const { content } of panels.values()) content.dispose();
      session.dispose();
    }
    this.open.clear();
  }

  private result(source: ResultSource): OpenResult {
    let result = this.open.get(source.key);
    if (!result) {
      const startEngine = () => new EngineThread(this.options.engineScript);
      const { log, tableMemory } = this.options;
      result = { session: new ResultSession(source, startEngine, log, tableMemory), panels: new Map() };
      this.open.set(source.key, result);
    }
    return result;
  }

  private attach(result: OpenResult, panel: vscode.WebviewPanel, what: ResultWhat): PanelLife {
    const { session, panels } = result;
    const { extensionUri, pairing, opacity, preferences, log } = this.options;
    const parts = {
      session,
      what,
      panel,
      extensionUri,
      describe: userMessage,
      openOther: (other: ResultWhat) => this.openOther(session.source, other),
      pageMissing: () => void this.offerAnother(session.source, what),
      log,
    };
    const content =
      what === 'masks'
        ? new MasksPanel({ ...parts, pairing, opacity, preferences })
        : new TablePanel(parts, what);
    panels.set(what, { panel, content });
    panel.onDidDispose(() => {
      panels.delete(what);
      if (panels.size > 0 || this.open.get(session.source.key) !== result) return;
      this.open.delete(session.source.key);
      session.dispose();
    });
    return content.life;
  }

  private openOther(source: ResultSource, what: ResultWhat): void {
    if (this.options.openOther) {
      this.options.openOther(source, what);
      return;
    }
    this.show(source, what).catch((error: unknown) => {
      // The panel itself shows what went wrong.
      if (!isCoded(error)) this.options.log.error('A panel could not be opened', error);
    });
  }

  /** A blank panel is of no use: another one may have more luck. */
  private async offerAnother(source: ResultSource, what: ResultWhat): Promise<void> {
    // A panel that a program opened is closed by now, and nobody is asked.
    await delay(0);
    const blank = this.open.get(source.key)?.panels.get(what)?.panel;
    if (!blank) return;
    const again = vscode.l10n.t('Open Again');
    const message = vscode.l10n.t('VS Code did not load the page of "{0}".', blank.title);
    if ((await vscode.window.showWarningMessage(message, again)) !== again) return;
    if (this.open.get(source.key)?.panels.get(what)?.panel === blank) blank.dispose();
    this.openOther(source, what);
  }

  private revive(panel: vscode.WebviewPanel, state: unknown): void {
    const { restore, what } = keptIn(state);
    const source = what && this.options.revive(restore);
    const isMasks = panel.viewType === MASKS_VIEW;
    if (!source || isMasks !== (what === 'masks') || this.open.get(source.key)?.panels.has(what)) {
      panel.dispose();
      return;
    }
    panel.title = titleOf(source, what);
    this.adopt(panel, source, what);
  }

  private webviewOptions(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [pageRoot(this.options.extensionUri)] };
  }
}

/** Tables of a result share a column; its masks and its tables stand side by side. */
function columnFor({ panels }: OpenResult, what: ResultWhat): vscode.ViewColumn {
  const visible = [...panels].filter(([, { panel }]) => panel.visible);
  const alike = visible.find(([other]) => (other === 'masks') === (what === 'masks'));
  if (alike) return alike[1].panel.viewColumn ?? vscode.ViewColumn.Active;
  return visible.length > 0 ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
}

/** What a page kept for its panel; see protocol, event `keep`. */
function keptIn(state: unknown): { restore?: unknown; what?: ResultWhat } {
  const keep = ((state ?? {}) as { keep?: unknown }).keep;
  const { restore, what } = (keep ?? {}) as { restore?: unknown; what?: unknown };
  const known = (['objects', 'aggregate', 'masks', 'file'] as const).find(part => part === what);
  return { restore, ...(known && { what: known }) };
}

function iconOf(what: ResultWhat): vscode.ThemeIcon {
  return new vscode.ThemeIcon(what === 'masks' ? 'layers' : what === 'aggregate' ? 'graph' : 'table');
}

function titleOf({ title }: ResultSource, what: ResultWhat): string {
  switch (what) {
    case 'objects':
      return vscode.l10n.t('Objects of {0}', title);
    case 'aggregate':
      return vscode.l10n.t('Aggregate of {0}', title);
    case 'masks':
      return vscode.l10n.t('Masks of {0}', title);
    case 'file':
      return title;
  }
}

function untilAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(cancelledError());
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
