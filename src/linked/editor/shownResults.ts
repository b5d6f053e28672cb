import * as path from 'node:path';
import * as vscode from 'vscode';
import { StateFiles } from '../../accounts/node/stateFiles';
import { type Disposable, toDisposable } from '../../base/disposable';
import type { Log } from '../../base/log';
import { isCoded } from '../../base/errors';
import { delay } from '../../base/waiting';
import { userMessage } from '../../host/editor/language';
import { createWebviewPanel, setPanelTitle } from '../../host/editor/shown';
import { completeStep } from '../../host/editor/walkthroughSteps';
import { showFailure, showWarningMessage } from '../../host/editor/messages';
import { viewTypes } from '../../host/manifestNames';
import type { Settings } from '../../host/settings';
import type { JobSessions } from '../../jobs/node/jobSessions';
import type { ComparedSide } from '../../matching/comparison';
import { pageRoot } from '../../pages/editor/pageHtml';
import { ClassColorChoices, ResultChoices } from '../../results/node/resultChoices';
import type { ResultPart } from '../../service/resultParts';
import { identityOf, virtualFiles } from '../../uploads/editor/localFiles';
import { jobColumnName } from '../../words/jobWords';
import type { Engine } from '../engineProtocol';
import {
  type BackgroundImagePairingSource,
  backgroundImagePairingSource,
} from '../node/backgroundImageFinder';
import {
  ComparisonSessions,
  type HowCompared,
  howCompared,
  type KeptPairs,
  PairsResult,
} from '../node/comparisonSession';
import { ImageAreas } from '../node/imageAreas';
import { FiltersInWorkspace } from '../node/keptFilters';
import { KeptImageColumns } from '../node/keptImages';
import { LocalCopies } from '../node/localCopies';
import { MasksComparer } from '../node/masksComparer';
import { MasksExporter } from '../node/masksExporter';
import {
  columnBeside,
  OpenResults,
  type ResultView,
  type ShownPart,
  type ViewPlace,
  viewTypeOf,
} from '../node/openResults';
import { ownTables } from '../node/ownTable';
import type { TableShown } from '../../table/tablePage';
import type { ResultSession } from '../node/resultSession';
import { type ResultSource, reviveSource } from '../node/resultSource';
import type { ComparisonPanels } from './comparisonPanels';
import type { ImagePanel, ImagePanelParts } from './imagePanel';
import { MasksPanel } from './masksPanel';
import { panelTitle } from './panelLife';
import { chooseTableOfMasks, showToPerson } from './resultCommands';
import { TablePanel } from './tablePanel';

interface ShownResultsParts {
  context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalState' | 'workspaceState'>;
  /** Folder of the extension's own files. */
  storage: string;
  sessions: JobSessions;
  settings: Settings;
  startEngine: () => Engine;
  log: Log;
}

/** Makes the panel of an image, which is loaded only for that. */
type CreateContent = (parts: Omit<ImagePanelParts, 'image'>) => ImagePanel;

/** Open results, their panels and their export. Created when the first result is shown, not at activation. */
export class ShownResults implements Disposable {
  readonly choices: ResultChoices;
  readonly results: OpenResults;
  readonly exporter: MasksExporter;
  private compared: Promise<ComparisonPanels> | undefined;
  private readonly compareSessions: ComparisonSessions;
  private readonly pairing: BackgroundImagePairingSource;
  private readonly classColors: ClassColorChoices;
  private readonly keptImages: KeptImageColumns;
  private readonly keptFilters: FiltersInWorkspace;
  private keeping: Promise<void> = Promise.resolve();
  private readonly following: Disposable;
  private readonly reviveSource: (stored: unknown) => ResultSource | undefined;

  constructor(private readonly parts: ShownResultsParts) {
    const { context, storage, sessions, settings, startEngine, log } = parts;
    const localState = new StateFiles(path.join(storage, 'local'));
    const choices = new ResultChoices(async accountId =>
      accountId === undefined ? localState : (await sessions.of(accountId)).state,
    );
    this.choices = choices;
    this.keptImages = new KeptImageColumns(choices);
    this.keptFilters = new FiltersInWorkspace(context.workspaceState);
    const parseUri = (text: string) => vscode.Uri.parse(text);
    const reviveParts = { sessions, parseUri, jobColumn: jobColumnName(vscode.l10n.t) };
    const reviveOne = (stored: unknown) => reviveSource(reviveParts, stored);
    this.compareSessions = new ComparisonSessions((a, b) => ({
      a,
      b,
      comparer: new MasksComparer({ startEngine, log }),
      kept: keptPairs(choices, a, b),
      log,
    }));
    this.reviveSource = stored => this.revivePairs(reviveOne, stored) ?? reviveOne(stored);
    this.pairing = backgroundImagePairingSource({
      choices,
      findFiles: findWorkspaceFiles,
      selectFile: selectBackgroundImage,
      parseUri,
      identityOf,
    });
    this.classColors = new ClassColorChoices(context.globalState);
    const makeCopies = () => new LocalCopies({ files: virtualFiles, parseUri, log });
    const { pairing } = this;
    this.results = new OpenResults({
      startEngine,
      createView: (shown, place, options) => this.create(shown, place, options),
      revive: this.reviveSource,
      tableMemory: () => settings.tableMemory,
      ownTable: ownTables({
        choices,
        pairing,
        makeCopies,
        parseUri,
        log,
      }),
      keptLinks: source => choices.linksOf(source),
      keptImages: source => this.keptImages.of(source),
      imageAreas: session => new ImageAreas({ session, choices, pairing, copies: makeCopies() }),
      log,
    });
    this.results.onDidShow(({ part }) => {
      if (part === 'masks') completeStep('imageAnalysis.masksShown');
    });
    this.results.onDidBegin(session => {
      if (session.source instanceof PairsResult) session.source.began(session);
      // The page of a table that isn't in view doesn't load again until it is.
      session.onDidLoseEngine(() => void this.restoreFilters(session));
    });
    this.results.onDidEnd(({ source }) => {
      if (source instanceof PairsResult) source.ended();
    });
    // There is no other sign of what another window has stored.
    this.following = vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) this.results.refreshImages();
    });
    this.exporter = new MasksExporter({
      startEngine,
      sessionOf: source => this.results.sessionOf(source),
      holdFiltered: source => this.holdFiltered(source),
      keptLinks: source => choices.linksOf(source),
      keptImages: source => this.keptImages.of(source),
      tableMemory: () => settings.tableMemory,
      log,
    });
  }

  /** Comparisons of masks; loaded with the first. */
  comparisons(): Promise<ComparisonPanels> {
    this.compared ??= this.loadComparisons();
    return this.compared;
  }

  /** Closes what belongs to accounts that aren't among these any more. */
  keepAccounts(accountIds: ReadonlySet<string>): void {
    this.results.keepAccounts(accountIds);
    void this.keptFilters.keepAccounts(accountIds);
    void this.compared?.then(panels => panels.keepAccounts(accountIds));
  }

  /** Restores a panel after a reload; `state` is what its page stored. */
  revive(panel: vscode.WebviewPanel, state: unknown): void {
    const revived = this.results.revived(panel.viewType, state);
    if (!revived) {
      panel.dispose();
      return;
    }
    const { source, part } = revived;
    setPanelTitle(panel, panelTitle(source, part));
    this.adopt(panel, source, part);
    const session = this.results.sessionOf(source);
    if (part === 'masks' && session) void this.restoreFilters(session);
  }

  /** Shows a part of a result in a panel that VS Code has made, as for a custom editor. */
  adopt(
    panel: vscode.WebviewPanel,
    source: ResultSource,
    part: ResultPart,
    createContent?: CreateContent,
  ): void {
    this.results.adopt(source, part, shown => {
      panel.webview.options = this.webviewOptions();
      return this.fill(panel, shown, createContent);
    });
  }

  dispose(): void {
    this.following.dispose();
    this.results.dispose();
    this.keptImages.dispose();
    void this.compared?.then(panels => panels.dispose());
    this.compareSessions.dispose();
  }

  private async loadComparisons(): Promise<ComparisonPanels> {
    const { ComparisonPanels: Panels } = await import('./comparisonPanels');
    const { context, log } = this.parts;
    return new Panels({
      extensionUri: context.extensionUri,
      sessions: this.compareSessions,
      pairing: this.pairing,
      revive: this.reviveSource,
      openPairs: ({ a, b }, place) => showToPerson(this.results, this.pairsOf(a, b), 'objects', place),
      results: this.results,
      log,
    });
  }

  private pairsOf(a: ResultSource, b: ResultSource, how?: HowCompared): PairsResult {
    const title = vscode.l10n.t('{0} vs. {1}', a.title, b.title);
    return new PairsResult({ a, b, title, sessions: this.compareSessions, ...(how && { how }) });
  }

  private revivePairs(
    reviveOne: (stored: unknown) => ResultSource | undefined,
    stored: unknown,
  ): PairsResult | undefined {
    const { kind, a, b, ...how } = (stored ?? {}) as Partial<Record<string, unknown>>;
    if (kind !== 'pairs') return undefined;
    const [sourceA, sourceB] = [reviveOne(a), reviveOne(b)];
    return sourceA && sourceB && this.pairsOf(sourceA, sourceB, howCompared(how));
  }

  /** Shows a part in a new panel. */
  private create(shown: ShownPart, place: ViewPlace, { keepsFocus }: { keepsFocus: boolean }): ResultView {
    const { session, part } = shown;
    const panel = createWebviewPanel(
      viewTypeOf(part),
      panelTitle(session.source, part, session.tableSources.choice),
      { viewColumn: columnOf(place), preserveFocus: keepsFocus },
      this.webviewOptions(),
    );
    return this.fill(panel, shown);
  }

  private fill(
    panel: vscode.WebviewPanel,
    { session, part }: ShownPart,
    createContent?: CreateContent,
  ): ResultView {
    panel.iconPath = iconOf(part);
    const { choices, classColors, pairing } = this;
    const { context, settings, log } = this.parts;
    const { source } = session;
    const ofMasks = () => settings.ofPage('masks');
    const parts = {
      session,
      what: part,
      panel,
      extensionUri: context.extensionUri,
      describe: userMessage,
      openOther: (other: ResultPart) => this.openOther(source, other),
      pageMissing: () => void this.offerAnother(panel, view, { session, part }),
      log,
    };
    const contentOf = () => {
      if (createContent) return createContent({ ...parts, settings: ofMasks, choices });
      if (part === 'masks')
        return new MasksPanel({
          ...parts,
          pairing,
          settings: ofMasks,
          choices,
          classColors,
          exportMasks: selected =>
            void import('./exportSteps')
              .then(({ exportAsPerson }) => exportAsPerson(this.exporter, source, selected))
              .catch(showFailure),
          compareMasks: () => void this.compareWithOthers(source).catch(showFailure),
          haveTableInView: () => {
            if (!this.results.isInView(source, 'objects')) this.openOther(source, 'objects');
          },
          chooseTable: () => void chooseTableOfMasks(this.results, session).catch(showFailure),
        });
      if (part === 'image') throw new TypeError('An image is shown in an editor of its own');
      const keepFilters = (shown: TableShown | null) => {
        // One after the other: the latest holds.
        this.keeping = this.keeping.then(() => this.keepFilters(session, shown));
      };
      return new TablePanel(
        { ...parts, choices, keepFilters, settings: () => settings.ofPage('table') },
        part,
      );
    };
    panel.onDidChangeViewState(() => panel.active && session.imageColumns.refresh());
    const view = panelView(panel, contentOf(), () =>
      setPanelTitle(panel, panelTitle(source, part, session.tableSources.choice)),
    );
    return view;
  }

  private async keepFilters(session: ResultSession, shown: TableShown | null): Promise<void> {
    const { source, tables } = session;
    if (source.isOfPairs) return;
    try {
      const { columns } = shown
        ? await tables.open('objects', new AbortController().signal)
        : { columns: [] };
      await this.keptFilters.set(source, shown, columns);
    } catch (error) {
      this.parts.log.info(`The table's filters aren't kept: ${String(error)}`);
    }
  }

  /** Has masks follow the filters of a table whose page VS Code has not loaded again yet. */
  private async restoreFilters(session: ResultSession): Promise<void> {
    const { source } = session;
    const kept = this.keptFilters.of(source);
    if (!kept) return;
    try {
      if (hasTableTab()) await session.restoreFilters(kept);
      else await this.keptFilters.set(source, null, []);
    } catch (error) {
      if (isCoded(error, 'cancelled')) return;
      void showWarningMessage(
        vscode.l10n.t(
          "Couldn't restore the table's filter, so the masks show all objects until the table is shown: {0}",
          userMessage(error),
        ),
      );
    }
  }

  /** Has a result that no panel shows follow the filter of a table whose tab has not been shown since the window was loaded again. */
  private holdFiltered(source: ResultSource): Disposable | undefined {
    if (this.results.sessionOf(source) || !this.keptFilters.of(source) || !hasTableTab()) return undefined;
    const held = new AbortController();
    const released = new Promise<void>(resolve =>
      held.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    void this.results.use(source, session => {
      void this.restoreFilters(session);
      return released;
    });
    return toDisposable(() => held.abort());
  }

  /** Compares masks with others that a person selects. */
  private async compareWithOthers(source: ResultSource): Promise<void> {
    const { comparedByPerson } = await import('./compareSteps');
    const steps = { sessions: this.parts.sessions, activeMasks: source };
    const compared = await comparedByPerson(steps, []);
    if (compared) await this.compare(compared);
  }

  private async compare(
    { a, b }: Record<ComparedSide, ResultSource>,
    column?: vscode.ViewColumn,
  ): Promise<void> {
    (await this.comparisons()).show(a, b, column);
  }

  /** What a page's button for another part of the result does. */
  private openOther(source: ResultSource, part: ResultPart): void {
    if (source instanceof PairsResult) void this.compare(source, vscode.ViewColumn.Beside).catch(showFailure);
    else void showToPerson(this.results, source, part).catch(showFailure);
  }

  /** Offers to reopen a panel whose page stayed blank. */
  private async offerAnother(
    panel: vscode.WebviewPanel,
    blank: ResultView,
    { session, part }: ShownPart,
  ): Promise<void> {
    // A panel that a program opened is closed by now, and there is no prompt.
    await delay(0);
    if (blank.content.isOver) return;
    const again = vscode.l10n.t('Open Again');
    const message = vscode.l10n.t('VS Code didn\'t load the page of "{0}".', panel.title);
    if ((await showWarningMessage(message, again)) !== again) return;
    if (!blank.content.isOver) blank.close();
    this.openOther(session.source, part);
  }

  private webviewOptions(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [pageRoot(this.parts.context.extensionUri)] };
  }
}

/** Whether the window has a table in a tab, loaded or not. */
function hasTableTab(): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(
      // VS Code adds something before the type.
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewTypes.table),
    ),
  );
}

/** They are kept with the account of either, so that sign-out removes them. */
function keptPairs(
  choices: Pick<ResultChoices, 'comparedImages' | 'setComparedImages'>,
  a: ResultSource,
  b: ResultSource,
): KeptPairs {
  const accountId = a.accountId ?? b.accountId;
  const key = [a, b].map(source => source.keptAs ?? source.key).join('\n');
  const owner = { key, ...(accountId !== undefined && { accountId }) };
  return {
    read: () => choices.comparedImages(owner),
    write: pairs => choices.setComparedImages(owner, pairs),
  };
}

function panelView(
  panel: vscode.WebviewPanel,
  content: TablePanel | MasksPanel | ImagePanel,
  retitle: () => void,
): ResultView {
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
    runInPage: entry => {
      if (!(content instanceof TablePanel)) {
        if (entry.page === 'masks') content.runInPage(entry.command);
      } else if (entry.page === 'table') content.runInPage(entry.command);
    },
    close: () => void panel.dispose(),
    dispose: () => content.life.dispose(),
  };
}

function columnOf(place: ViewPlace): vscode.ViewColumn {
  if (place === 'active') return coversInstructions() ? unusedColumn() : vscode.ViewColumn.Active;
  if (place === 'aside') return unusedColumn();
  if (typeof place === 'number') return place;
  const columns = vscode.window.tabGroups.all.map(({ viewColumn }) => viewColumn);
  return columnBeside(place.beside, columns) ?? vscode.ViewColumn.Beside;
}

/** Whether the walkthrough may be what is in view: of VS Code's own pages extensions see no input. */
function coversInstructions(): boolean {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return activeTab !== undefined && activeTab.input === undefined;
}

/** A column in which nothing is covered that a person works on: the active one only while it is empty. */
function unusedColumn(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  if (activeTabGroup.tabs.length === 0) return activeTabGroup.viewColumn;
  return all.find(({ isActive }) => !isActive)?.viewColumn ?? vscode.ViewColumn.Beside;
}

function iconOf(part: ResultPart): vscode.ThemeIcon {
  const icons = { objects: 'table', aggregate: 'graph', masks: 'layers', file: 'table', image: 'file-media' };
  return new vscode.ThemeIcon(icons[part]);
}

/** Files of the workspace that match a pattern, those that settings exclude too; at most `max`. */
async function findWorkspaceFiles(pattern: string, max: number, signal: AbortSignal): Promise<vscode.Uri[]> {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await vscode.workspace.findFiles(pattern, null, max, source.token);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

/** Lets the user select the file of a background image; undefined on Esc. */
async function selectBackgroundImage(): Promise<vscode.Uri | undefined> {
  const [uri] = (await vscode.window.showOpenDialog({ openLabel: vscode.l10n.t('Use as Background') })) ?? [];
  return uri;
}
