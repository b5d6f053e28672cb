import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { CodedError, fromPlainError, isCoded, toPlainError } from '../../base/errors';
import type { Log } from '../../base/log';
import { userMessage } from '../../host/editor/language';
import { showWarningMessage } from '../../host/editor/messages';
import { withCancelIfSlow } from '../../host/editor/progress';
import { type BackgroundImagePairing, pairingWords } from '../../images/backgroundImagePairing';
import type { MaskImage } from '../../archives/masksSummary';
import { areasWithOneLabel, type ComparedSide } from '../comparison';
import {
  comparisonPage,
  type ComparisonPageSide,
  type ComparisonPanelSide,
  type SearchedImage,
  type SelectedPair,
  type ComparisonStart,
  type ComparisonState,
  type ShownSide,
} from '../comparisonPage';
import { thresholdOf } from '../scores';
import { PageConnection } from '../../pages/editor/pageConnection';
import { pageHtml, pageRoot } from '../../pages/editor/pageHtml';
import { PageLoader } from '../../pages/editor/pageLoader';
import { translationsOfPage } from '../../pages/editor/translationsOfPage';
import { passOn } from '../../protocol/declarations';
import { packJson, type PackedJson } from '../../protocol/packed';
import type { Handlers } from '../../protocol/rpc';
import { saveWithDialog } from '../../results/editor/savePlace';
import { virtualFiles } from '../../uploads/editor/localFiles';
import { plainFileName } from '../../results/node/fileStems';
import { folderToSaveIn, writeWholeFile } from '../../results/node/saveFile';
import { errorWords } from '../../words/errorWords';
import { reasonSentence, reasonWords } from '../../words/reasonWords';
import { comparingWords } from '../../words/resultWords';
import {
  BackgroundImageFinder,
  type BackgroundImagePairingSource,
  sessionBackgroundImages,
} from '../../linking/node/backgroundImageFinder';
import { type ComparisonSession, compareChoice, storedChoice } from '../node/comparisonSession';
import { ComparedResults } from '../node/comparedResults';
import { ContentState } from '../../session/node/contentState';
import { LocalCopies } from '../../session/node/localCopies';
import type { CompareProgress, OpenedComparison } from '../node/masksComparer';
import type { OpenResults } from '../../session/node/openResults';
import type { ResultSource } from '../../session/node/resultSource';
import type { EngineRequest } from '../../session/node/sessionEngine';

interface ComparisonPanelDependencies {
  panel: vscode.WebviewPanel;
  session: ComparisonSession;
  pairing: BackgroundImagePairingSource;
  extensionUri: vscode.Uri;
  /** Opens the table of pairs. */
  openPairs: () => Promise<void>;
  /** The open tables and masks. */
  results: Pick<OpenResults, 'sessionOf' | 'onDidBegin'>;
  log: Log;
}

/** A comparison of two sets of masks in a panel. The masks are opened on request of the page. */
export class ComparisonPanel implements Disposable {
  readonly state: ContentState;
  private readonly loader: PageLoader;
  private readonly connection: PageConnection<ComparisonPanelSide, ComparisonPageSide>;
  private readonly finder: BackgroundImageFinder;
  /** The open tables and masks of both sides. */
  private readonly comparedResults: ComparedResults;
  /** The side whose images are searched for the background image. */
  private readonly sideOfImages: ComparedSide;

  constructor(private readonly dependencies: ComparisonPanelDependencies) {
    const { panel, session, extensionUri, log } = dependencies;
    const { a, b } = session;
    this.state = new ContentState(panel.onDidDispose);
    const { store, signal } = this.state;
    const copies = store.add(
      new LocalCopies({ files: virtualFiles, parseUri: text => vscode.Uri.parse(text), log }),
    );
    // The uploaded files are only known for a job.
    const isJob = (source: ResultSource) => source.accountId !== undefined;
    const isOfB = (!isJob(a) && isJob(b)) || (!namesImages(a) && namesImages(b));
    this.sideOfImages = isOfB ? 'b' : 'a';
    const request: EngineRequest = async (method, params, abortSignal) =>
      (await session.opened()).request(method, params, abortSignal);
    this.finder = new BackgroundImageFinder(session[this.sideOfImages], dependencies.pairing, {
      ...sessionBackgroundImages(request, copies, signal),
      imageOrigin: async image => (await session.opened())[this.sideOfImages].images[image]?.itemPath ?? null,
    });
    const html = () => pageHtml(panel.webview, extensionUri, 'comparison', panel.title);
    const onMissing = () =>
      this.state.fail(new CodedError('timeout', 'The page of the panel was not loaded'));
    this.loader = store.add(new PageLoader(panel, html, log, onMissing));
    this.connection = store.add(
      new PageConnection<ComparisonPanelSide, ComparisonPageSide>({
        webview: panel.webview,
        onWillLoad: this.loader.onWillLoad,
        declaration: comparisonPage,
        handlers: this.handlers(),
        listen: page => {
          page.on('shown', () => this.state.markShown());
          page.on('threshold', ({ threshold }) => {
            if (thresholdOf(threshold) !== undefined) session.setThreshold(threshold);
          });
          page.on('select', selected => this.select(selected));
          page.on('failure', ({ message }) => log.error(`In the page of a comparison: ${message}`));
        },
        describe: userMessage,
        failed: (method, error) => {
          const { code, message } = toPlainError(error);
          if (code) log.warn(`The comparison couldn't handle "${method}": ${code}: ${message}`);
          else log.error(`The comparison couldn't handle "${method}"`, error);
        },
      }),
    );
    store.add(session.onDidProgress(progress => this.sendProgress(...progress)));
    store.add(session.onDidSelect(object => this.connection.send('selected', object)));
    store.add(session.onDidHover(object => this.connection.send('hovered', object)));
    this.comparedResults = store.add(
      new ComparedResults({
        sources: { a, b },
        results: dependencies.results,
        opened: () => session.openedNow,
        onSelect: object => {
          session.selectObject(object);
          this.connection.send('selected', object);
        },
        onHover: object => this.connection.send('hovered', object),
      }),
    );
    store.add(session.onDidFilter(filtered => this.connection.send('filtered', filtered)));
    store.add(
      session.onDidCrash(() => {
        // The page is loaded again, and opens everything.
        this.finder.imagesClosed();
        this.loader.load();
      }),
    );
    this.loader.load();
  }

  /** The accounts of both sides. */
  get accountIds(): string[] {
    const { a, b } = this.dependencies.session;
    return [a.accountId, b.accountId].filter(id => id !== undefined);
  }

  dispose(): void {
    this.state.dispose();
  }

  private handlers(): Handlers<ComparisonPanelSide> {
    const { session, openPairs } = this.dependencies;
    return {
      strings: async () => {
        this.savePanelState();
        const translations = await translationsOfPage(
          vscode.l10n.bundle,
          pageRoot(this.dependencies.extensionUri).fsPath,
          'comparison',
        );
        return { failed: vscode.l10n.t("Couldn't compare these masks"), translations };
      },
      start: () => this.start(),
      retry: () => {
        session.resetCrashes();
        return this.start();
      },
      ...passOn(comparisonPage.passedOn, async (method, params, signal) =>
        (await session.opened()).request(method, params, signal),
      ),
      compareAgain: async (choice, signal) => {
        const opened = await session.compareAgain(compareChoice(choice), signal);
        this.savePanelState();
        return this.packedState(opened);
      },
      pairImages: async (pair, signal) => this.packedState(await session.pairImages(pair, signal)),
      pairDoubtful: async (_, signal) => this.packedState(await session.pairDoubtful(signal)),
      undoPairing: async (_, signal) => this.packedState(await session.undoPairing(signal)),
      separateAreas: async ({ separates }, signal) => {
        await session.separateAreas(separates, signal);
        this.savePanelState();
        // The objects changed: the page starts again.
        this.loader.load();
        return {};
      },
      imageBeneath: (params, signal) => this.findBackgroundImage(params, signal),
      openPairs: async () => {
        await openPairs();
        return {};
      },
      shownObjects: async (images, signal) => ({
        a: await session.shownObjects('a', images.a, signal),
        b: await session.shownObjects('b', images.b, signal),
      }),
      saveAll: ({ threshold }) => this.saveAll(threshold),
      saveDrawing: async ({ name, type, data }) => {
        const filters = { [vscode.l10n.t('Image')]: [type] };
        const file = { name, filters, title: vscode.l10n.t('Save Plot') };
        const written = await saveWithDialog(file, destination =>
          writeWholeFile(destination, [new Uint8Array(data)]),
        );
        return { saved: written ? path.basename(written.path) : null };
      },
    };
  }

  private async start(): Promise<ComparisonStart> {
    const { session, panel } = this.dependencies;
    return await this.state.openContent(async () => {
      const opened = await session.opened();
      return {
        title: panel.title,
        sides: packJson({ a: shownSide(opened, 'a'), b: shownSide(opened, 'b') }),
        state: this.packedState(opened),
        threshold: session.threshold,
        selected: session.selected,
        filtered: session.filtered,
      };
    });
  }

  private sendProgress(...[phase, share]: Parameters<CompareProgress>): void {
    const text = comparingWords(vscode.l10n.t, phase);
    this.connection.send('progress', { done: share ?? 0, total: share === undefined ? 0 : 1, text });
  }

  /** Selects objects in the table of pairs, and in the open tables and masks of both sides. */
  private select(selected: SelectedPair | null): void {
    if (!selected?.byTable) this.dependencies.session.select(selected);
    if (selected) this.comparedResults.show(selected);
  }

  private packedState(opened: OpenedComparison): PackedJson<ComparisonState> {
    const { pairs, doubtful, unpairedA, unpairedB } = opened.pairs;
    const { session } = this.dependencies;
    const { classes, classPairs = opened.proposedClasses, region } = session.choice;
    const skipped = session.skipped.map(({ a, b, reason }) => ({
      a,
      b,
      reason: reasonWords(vscode.l10n.t, reason),
    }));
    return packJson<ComparisonState>({
      unpairedA,
      unpairedB,
      skipped,
      classes,
      classPairs: [...classPairs],
      region: region ? [...region] : null,
      pairs,
      doubtful,
      canUndo: session.canUndoPairing(opened),
    });
  }

  /** Makes the page save the panel's state for a reload. */
  private savePanelState(): void {
    const { a, b, choice, separatesAreas } = this.dependencies.session;
    const comparison = {
      a: a.restore,
      b: b.restore,
      choice: storedChoice(choice),
      ...(separatesAreas && { separatesAreas }),
    };
    this.connection.send('panelState', { comparison });
  }

  private async findBackgroundImage(
    { by, ...positions }: SearchedImage,
    signal: AbortSignal,
  ): Promise<BackgroundImagePairing> {
    const opened = await this.dependencies.session.opened();
    const { finder, sideOfImages: side } = this;
    const image = opened[side].summary.images[positions[side]];
    const other = opened[side === 'a' ? 'b' : 'a'].summary.images[positions[side === 'a' ? 'b' : 'a']];
    if (!image || !other) throw new CodedError('bad-request', 'There is no such image');
    const { index, id, path: filename, objectCount, unreadableCount } = image;
    const { width, height } = image.isSizeUnknown ? other : image;
    const searchedImage: MaskImage = {
      index,
      id,
      filename,
      width,
      height,
      objectCount,
      classCounts: [],
      unreadableCount,
    };
    const language = { t: vscode.l10n.t, locale: vscode.env.language, describe: userMessage };
    return pairingWords(language, await finder[by](searchedImage, signal));
  }

  private async saveAll(threshold: number): Promise<{ saved: string | null }> {
    const opened = await this.dependencies.session.opened();
    const defaultFolder = folderToSaveIn(vscode.workspace.workspaceFolders);
    const [folder] =
      (await vscode.window.showOpenDialog({
        canSelectFiles: false,
        canSelectFolders: true,
        openLabel: vscode.l10n.t('Save Comparison Here'),
        ...(defaultFolder && { defaultUri: defaultFolder }),
      })) ?? [];
    if (!folder) return { saved: null };
    if (folder.scheme !== 'file')
      throw new CodedError('not-a-file', 'Not on a disk', { subject: folder.path });
    const save = (overwrite: boolean) =>
      withCancelIfSlow(vscode.l10n.t('Saving the comparison'), signal =>
        opened.save(
          { destination: folder.fsPath, threshold, overwrite, name: plainFileName(opened.name) },
          signal,
        ),
      );
    try {
      await save(false);
    } catch (error) {
      if (!isCoded(error, 'exists')) throw error;
      const replace = vscode.l10n.t('Replace');
      if ((await showWarningMessage(userMessage(error), replace)) !== replace) return { saved: null };
      await save(true);
    }
    return { saved: path.basename(folder.fsPath) };
  }
}

/**
 * Whether the masks contain the names of the analyzed images. Label images and GeoJSON files
 * contain other names.
 */
function namesImages({ accountId, title }: ResultSource): boolean {
  return accountId !== undefined || (/\.(?:zip|json)$/i.test(title) && !/RoiSet\.zip$/i.test(title));
}

/** Maximum number of objects of an image with a reason why they can't be read. */
const MAX_REASONS = 3;

/** A side with its reasons and failures in the language of the user. */
function shownSide(opened: OpenedComparison, side: ComparedSide): ShownSide {
  const { title, summary } = opened[side];
  const { t } = vscode.l10n;
  return {
    title,
    isTruth: summary.format !== 'archive',
    classes: summary.classes.filter(({ count }) => count > 0),
    images: summary.images.map(image => {
      const { path: name, width, height, objectCount, unreadable, unreadableCount, failure } = image;
      const failureReason = failure?.details?.reason;
      return {
        name,
        width,
        height,
        objectCount,
        unreadableCount,
        unreadable: unreadable
          .slice(0, MAX_REASONS)
          .map(({ key, reason }) => `${key}: ${reasonWords(t, reason)}`)
          .join('; '),
        ...(failure && {
          failure: failureReason ? reasonWords(t, failureReason) : errorWords(t, fromPlainError(failure)),
        }),
      };
    }),
    areas: areasWithOneLabel(summary) ?? null,
    notes: summary.notes.map(note => reasonSentence(t, note)),
  };
}
