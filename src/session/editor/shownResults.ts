import * as path from 'node:path';
import * as vscode from 'vscode';
import { StateFiles } from '../../accounts/node/stateFiles';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { Parts } from '../../base/parts';
import { delay } from '../../base/waiting';
import type { Commands } from '../../host/editor/command';
import { userMessage } from '../../host/editor/language';
import type { OutputLog } from '../../host/editor/log';
import { showFailure, showWarningMessage } from '../../host/editor/messages';
import { createWebviewPanel, setPanelTitle } from '../../host/editor/shown';
import { completeStep } from '../../host/editor/walkthroughSteps';
import type { Settings } from '../../host/settings';
import type { JobSessions } from '../../jobs/node/jobSessions';
import { pageRoot } from '../../pages/editor/pageHtml';
import { ResultChoices } from '../../results/node/resultChoices';
import type { ResultPart } from '../../service/resultParts';
import { jobColumnName } from '../../words/jobWords';
import type { Engine } from '../engineProtocol';
import {
  columnBeside,
  OpenResults,
  type ResultView,
  type ShownPart,
  type TargetColumn,
  viewTypeOf,
} from '../node/openResults';
import { ResultSession } from '../node/resultSession';
import { type ResultSource, reviveSource } from '../node/resultSource';
import type {
  ContributeToResults,
  PanelContent,
  ResultsContribution,
  ResultsHost,
  ShownPanel,
} from './contribution';
import { panelTitle } from './panelLife';
import { showToPerson } from './resultCommands';

interface ShownResultsDependencies {
  context: ResultsHost['context'];
  /** The extension's storage folder. */
  storage: string;
  sessions: JobSessions;
  settings: Settings;
  startEngine: () => Engine;
  /** The contributions of subjects, in order. */
  contributions: readonly ContributeToResults[];
  log: OutputLog;
}

/** Open results and their panels. Created when the first result is shown, not at activation. */
export class ShownResults implements Disposable {
  readonly choices: ResultChoices;
  readonly settings: Settings;
  readonly results: OpenResults;
  private readonly store = new DisposableStore();
  private readonly revived = this.store.add(new Emitter<{ session: ResultSession; part: ResultPart }>());
  private readonly activated = this.store.add(new Emitter<ResultSession>());
  private readonly storedAccounts = this.store.add(new Emitter<ReadonlySet<string>>());
  private readonly contributed: readonly ResultsContribution[];

  constructor(private readonly dependencies: ShownResultsDependencies) {
    const { context, storage, sessions, settings, startEngine, contributions, log } = dependencies;
    this.settings = settings;
    const localState = new StateFiles(path.join(storage, 'local'));
    this.choices = new ResultChoices(async accountId =>
      accountId === undefined ? localState : (await sessions.of(accountId)).state,
    );
    this.results = new OpenResults({
      begin: source =>
        new ResultSession({
          source,
          startEngine,
          log,
          tableMemory: () => settings.tableMemory,
          measuredTable: this.contributed.find(({ measuredTable }) => measuredTable)?.measuredTable,
          addParts: this.contributed.flatMap(({ sessionParts = [] }) => sessionParts),
        }),
      createView: (shown, targetColumn, options) => this.create(shown, targetColumn, options),
      revive: stored => this.reviveSource(stored),
    });
    const host: ResultsHost = {
      context,
      sessions,
      settings,
      startEngine,
      choices: this.choices,
      results: this.results,
      parts: this.store.add(new Parts()),
      log,
      onDidRevive: this.revived.event,
      onDidActivate: this.activated.event,
      onDidKeepAccounts: this.storedAccounts.event,
      reviveSource: stored => this.reviveSource(stored),
    };
    this.contributed = contributions.map(contribute => contribute(host));
    this.results.onDidShow(({ part }) => {
      if (part === 'masks') completeStep('imageAnalysis.masksShown');
    });
  }

  /** The commands that subjects add. */
  get commands(): Commands {
    return Object.assign({}, ...this.contributed.map(({ commands = {} }) => commands)) as Commands;
  }

  /** Closes results of accounts that aren't in the set. */
  keepAccounts(accountIds: ReadonlySet<string>): void {
    this.results.keepAccounts(accountIds);
    this.storedAccounts.fire(accountIds);
  }

  /** Restores a panel after a reload; `state` is the stored state of its page. */
  revive(panel: vscode.WebviewPanel, state: unknown): void {
    const contribution = this.contributed.find(({ revivePanel = {} }) => panel.viewType in revivePanel);
    if (contribution) {
      contribution.revivePanel?.[panel.viewType]?.(panel, state);
      return;
    }
    const revived = this.results.revived(panel.viewType, state);
    if (!revived) {
      panel.dispose();
      return;
    }
    const { source, part } = revived;
    setPanelTitle(panel, panelTitle(source, part));
    this.adopt(panel, source, part);
    const session = this.results.sessionOf(source);
    if (session) this.revived.fire({ session, part });
  }

  /** Shows a part of a result in a panel that VS Code has created, as for a custom editor. */
  adopt(
    panel: vscode.WebviewPanel,
    source: ResultSource,
    part: ResultPart,
    createContent?: (shown: ShownPanel) => PanelContent,
  ): void {
    this.results.adopt(source, part, shown => {
      panel.webview.options = this.webviewOptions();
      return this.fill(panel, shown, createContent);
    });
  }

  dispose(): void {
    this.results.dispose();
    for (const contributed of this.contributed) contributed.dispose?.();
    this.store.dispose();
  }

  private reviveSource(stored: unknown): ResultSource | undefined {
    const { sessions } = this.dependencies;
    const parseUri = (text: string) => vscode.Uri.parse(text);
    const sourceDependencies = { sessions, parseUri, jobColumn: jobColumnName(vscode.l10n.t) };
    const reviveOne = (storedSource: unknown) => reviveSource(sourceDependencies, storedSource);
    for (const contribution of this.contributed) {
      const source = contribution.reviveSource?.(stored, reviveOne);
      if (source) return source;
    }
    return reviveOne(stored);
  }

  /** Shows a part in a new panel. */
  private create(
    shown: ShownPart,
    targetColumn: TargetColumn,
    { keepsFocus }: { keepsFocus: boolean },
  ): ResultView {
    const { session, part } = shown;
    const panel = createWebviewPanel(
      viewTypeOf(part),
      panelTitle(session.source, part, session.tableSources.choice),
      { viewColumn: columnOf(targetColumn), preserveFocus: keepsFocus },
      this.webviewOptions(),
    );
    return this.fill(panel, shown);
  }

  private fill(
    panel: vscode.WebviewPanel,
    { session, part }: ShownPart,
    createContent = this.contributed.map(({ panels }) => panels?.[part]).find(create => create),
  ): ResultView {
    if (!createContent) throw new TypeError(`Nothing shows the part "${part}"`);
    panel.iconPath = iconOf(part);
    const { source } = session;
    const retitle = () => setPanelTitle(panel, panelTitle(source, part, session.tableSources.choice));
    const content = createContent({
      session,
      what: part,
      panel,
      extensionUri: this.dependencies.context.extensionUri,
      describe: userMessage,
      openPart: otherPart => this.openPart(source, otherPart),
      onPageMissing: () => void this.offerReopening(panel, view, { session, part }),
      retitle,
      log: this.dependencies.log,
    });
    panel.onDidChangeViewState(() => panel.active && this.activated.fire(session));
    const view = panelView(panel, content, retitle);
    return view;
  }

  /** Opens another part of the result, for a page's button. */
  private openPart(source: ResultSource, part: ResultPart): void {
    const shown = source.showOther?.(part) ?? showToPerson(this.results, source, part);
    shown.catch(showFailure);
  }

  /** Offers to reopen a panel whose page stayed blank. */
  private async offerReopening(
    panel: vscode.WebviewPanel,
    view: ResultView,
    { session, part }: ShownPart,
  ): Promise<void> {
    // Wait until a panel that a program opened is closed; it needs no prompt.
    await delay(0);
    if (view.content.isClosed) return;
    const openAgain = vscode.l10n.t('Open Again');
    const message = vscode.l10n.t('VS Code didn\'t load the page of "{0}".', panel.title);
    if ((await showWarningMessage(message, openAgain)) !== openAgain) return;
    if (!view.content.isClosed) view.close();
    this.openPart(session.source, part);
  }

  private webviewOptions(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [pageRoot(this.dependencies.context.extensionUri)] };
  }
}

function panelView(panel: vscode.WebviewPanel, content: PanelContent, retitle: () => void): ResultView {
  return {
    content: content.life.state,
    get isActive() {
      return panel.active;
    },
    get column() {
      return panel.visible ? panel.viewColumn : undefined;
    },
    reveal: () => panel.reveal(),
    load: () => content.life.load(),
    retitle,
    runInPage: entry => content.runInPage(entry),
    close: () => void panel.dispose(),
    dispose: () => content.life.dispose(),
  };
}

function columnOf(targetColumn: TargetColumn): vscode.ViewColumn {
  if (targetColumn === 'active') return coversInstructions() ? unusedColumn() : vscode.ViewColumn.Active;
  if (targetColumn === 'aside') return unusedColumn();
  if (typeof targetColumn === 'number') return targetColumn;
  const columns = vscode.window.tabGroups.all.map(({ viewColumn }) => viewColumn);
  return columnBeside(targetColumn.beside, columns) ?? vscode.ViewColumn.Beside;
}

/** Whether the walkthrough may be in view: extensions can't see the input of VS Code's pages. */
function coversInstructions(): boolean {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return activeTab !== undefined && activeTab.input === undefined;
}

/** A column that hides no tab in use: the active column only if it is empty. */
function unusedColumn(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  if (activeTabGroup.tabs.length === 0) return activeTabGroup.viewColumn;
  return all.find(({ isActive }) => !isActive)?.viewColumn ?? vscode.ViewColumn.Beside;
}

function iconOf(part: ResultPart): vscode.ThemeIcon {
  const icons = { objects: 'table', aggregate: 'graph', masks: 'layers', file: 'table', image: 'file-media' };
  return new vscode.ThemeIcon(icons[part]);
}
