import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { CodedError, canceledError, fromPlainError, isCoded, toPlainError } from '../../base/errors';
import type { Log } from '../../base/log';
import { userMessage } from '../../host/editor/language';
import { showWarningMessage } from '../../host/editor/messages';
import { withCancelIfSlow } from '../../host/editor/progress';
import { type BackgroundImagePairing, pairingWords } from '../../images/backgroundImagePairing';
import type { MaskImage } from '../../masks/masksSummary';
import type { ComparedSide } from '../../matching/comparison';
import {
  comparisonPage,
  type ComparisonPageSide,
  type ComparisonPanelSide,
  type ComparisonChoice,
  type SearchedImage,
  type ComparisonStart,
  type ComparisonState,
  type ShownSide,
} from '../../matching/comparisonPage';
import { imageKey, type PairByHand } from '../../matching/imagePairing';
import { compareTexts } from '../../pages/compareTexts';
import { PageConnection } from '../../pages/editor/pageConnection';
import { pageHtml } from '../../pages/editor/pageHtml';
import { PageLoader } from '../../pages/editor/pageLoader';
import { passOn } from '../../protocol/declarations';
import { packJson, type PackedJson } from '../../protocol/packed';
import type { Handlers } from '../../protocol/rpc';
import { saveToPlace } from '../../results/editor/savePlace';
import { virtualFiles } from '../../uploads/editor/localFiles';
import { folderToSaveIn, writeWholeFile } from '../../results/node/saveFile';
import { errorWords } from '../../words/errorWords';
import { reasonSentence, reasonWords } from '../../words/reasonWords';
import { comparingWords } from '../../words/resultWords';
import {
  BackgroundImageFinder,
  type BackgroundImagePairingSource,
  sessionBackgroundImages,
} from '../node/backgroundImageFinder';
import { ContentState } from '../node/contentState';
import { LocalCopies } from '../node/localCopies';
import {
  type CompareChoice,
  type CompareProgress,
  comparableFile,
  comparableResult,
  type MasksComparer,
  type OpenedComparison,
} from '../node/masksComparer';
import { FileResult, type ResultSource } from '../node/resultSource';
import type { EngineRequest } from '../node/sessionEngine';

/** Where the pairs of images are kept that a person made. */
export interface KeptPairs {
  read(): Promise<PairByHand[]>;
  write(pairs: readonly PairByHand[]): Promise<void>;
}

interface ComparisonPanelParts {
  panel: vscode.WebviewPanel;
  a: ResultSource;
  b: ResultSource;
  comparer: MasksComparer;
  kept: KeptPairs;
  /** How images were compared before a reload. */
  choice?: ComparisonChoice;
  pairing: BackgroundImagePairingSource;
  extensionUri: vscode.Uri;
  /** Opens a table that was saved. */
  openTable: (file: vscode.Uri) => void;
  log: Log;
}

/** After more crashes of its thread a comparison isn't opened again by itself. */
const MAX_CRASHES = 2;

/** Two sets of masks compared, in a panel. They are opened when the page wants them, in a thread that ends with the panel. */
export class ComparisonPanel implements Disposable {
  readonly state: ContentState;
  private readonly loader: PageLoader;
  private readonly connection: PageConnection<ComparisonPanelSide, ComparisonPageSide>;
  private opening: Promise<OpenedComparison> | undefined;
  private choice: CompareChoice;
  private readonly finder: BackgroundImageFinder;
  /** The side whose images are looked for beneath both. */
  private readonly sideOfImages: ComparedSide;
  private skipped: ComparisonState['skipped'] = [];
  private byHand: readonly PairByHand[] = [];
  private crashes = 0;

  constructor(private readonly parts: ComparisonPanelParts) {
    const { panel, extensionUri, log, a, b } = parts;
    this.state = new ContentState(panel.onDidDispose);
    const { store, signal } = this.state;
    this.choice = parts.choice ? compareChoice(parts.choice) : { classes: 'all' };
    const copies = store.add(
      new LocalCopies({ files: virtualFiles, parseUri: each => vscode.Uri.parse(each), log }),
    );
    // Only of a job it is known which files were uploaded.
    this.sideOfImages = a.accountId === undefined && b.accountId !== undefined ? 'b' : 'a';
    const request: EngineRequest = async (method, params, ended) =>
      (await this.opened()).request(method, params, ended);
    this.finder = new BackgroundImageFinder(parts[this.sideOfImages], parts.pairing, {
      ...sessionBackgroundImages(request, copies, signal),
      imageOrigin: async image => (await this.opened())[this.sideOfImages].images[image]?.itemPath ?? null,
    });
    const html = () => pageHtml(panel.webview, extensionUri, 'matching', panel.title);
    const missing = () => this.state.fail(new CodedError('timeout', 'The page of the panel was not loaded'));
    this.loader = store.add(new PageLoader(panel, html, log, missing));
    this.connection = store.add(
      new PageConnection<ComparisonPanelSide, ComparisonPageSide>({
        webview: panel.webview,
        onWillLoad: this.loader.onWillLoad,
        declaration: comparisonPage,
        handlers: this.handlers(),
        listen: page => {
          page.on('shown', () => this.state.shown());
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
    this.loader.load();
    store.add({ dispose: () => this.close() });
  }

  /** The accounts that the sides belong to. */
  get accountIds(): string[] {
    const { a, b } = this.parts;
    return [a.accountId, b.accountId].filter(id => id !== undefined);
  }

  close(): void {
    const { opening } = this;
    this.opening = undefined;
    // What wasn't opened yet is canceled by the panel's signal.
    opening?.then(
      opened => opened.dispose(),
      () => undefined,
    );
  }

  dispose(): void {
    this.state.dispose();
  }

  private handlers(): Handlers<ComparisonPanelSide> {
    return {
      strings: () => {
        this.keep();
        return compareTexts(vscode.l10n.t);
      },
      start: () => this.start(),
      retry: () => {
        this.crashes = 0;
        return this.start();
      },
      ...passOn(comparisonPage.passedOn, async (method, params, signal) =>
        (await this.opened()).request(method, params, signal),
      ),
      compareAgain: async ({ classes, classPairs, region }, signal) => {
        const opened = await this.opened();
        const choice = compareChoice({ classes, classPairs, region });
        this.tell(opened, await opened.compare(choice, this.progress, signal));
        this.choice = choice;
        this.keep();
        return this.packedState(opened);
      },
      pairImages: async ({ a, b }, signal) => {
        const opened = await this.opened();
        const keyOf = (side: ComparedSide, at: number) => {
          const image = opened[side].summary.images[at];
          if (!image) throw new CodedError('bad-request', 'There is no such image');
          return imageKey(image);
        };
        const [keyA, keyB] = [keyOf('a', a), keyOf('b', b)];
        const others = this.byHand.filter(pair => pair.a !== keyA && pair.b !== keyB);
        return await this.pair(opened, [...others, { a: keyA, b: keyB }], signal);
      },
      undoPairing: async (_, signal) => this.pair(await this.opened(), this.byHand.slice(0, -1), signal),
      imageBeneath: (params, signal) => this.imageBeneath(params, signal),
      openPairs: ({ threshold }) => this.openPairs(threshold),
      saveAll: ({ threshold }) => this.saveAll(threshold),
      saveDrawing: async ({ name, type, data }) => {
        const file = { name, filters: { [vscode.l10n.t('Image')]: [type] } };
        const written = await saveToPlace(file, place => writeWholeFile(place, [new Uint8Array(data)]));
        return { saved: written ? path.basename(written.path) : null };
      },
    };
  }

  private async start(): Promise<ComparisonStart> {
    return await this.state.opened(async () => {
      const opened = await this.opened();
      return {
        title: this.parts.panel.title,
        sides: packJson({ a: shownSide(opened, 'a'), b: shownSide(opened, 'b') }),
        state: this.packedState(opened),
      };
    });
  }

  /** What is compared, opened when it is first wanted and again after a failure. */
  private opened(): Promise<OpenedComparison> {
    if (this.opening) return this.opening;
    const opening = this.open();
    this.opening = opening;
    opening.catch(() => {
      if (this.opening === opening) this.opening = undefined;
    });
    return opening;
  }

  private async open(): Promise<OpenedComparison> {
    const { a, b, comparer, kept } = this.parts;
    const { signal } = this.state;
    if (this.crashes > MAX_CRASHES)
      throw new CodedError('unexpected-response', 'Comparing crashed repeatedly');
    const opened = await comparer.open(comparable(a), comparable(b), this.progress, signal);
    try {
      this.byHand = await kept.read();
      if (this.byHand.length > 0) opened.pairByHand(this.byHand);
      this.tell(opened, await opened.compare(this.choice, this.progress, signal));
      if (this.state.isOver) throw canceledError();
      opened.onDidCrash(error => this.crashed(error));
      return opened;
    } catch (error) {
      opened.dispose();
      throw error;
    }
  }

  /** The page is loaded again, and opens all anew. */
  private crashed(error: Error): void {
    this.parts.log.error('The thread of a comparison crashed', error);
    this.opening = undefined;
    this.finder.closed();
    this.crashes++;
    if (!this.state.isOver) this.loader.load();
  }

  private readonly progress: CompareProgress = (phase, share) => {
    const text = comparingWords(vscode.l10n.t, phase);
    this.connection.send('progress', { done: share ?? 0, total: share === undefined ? 0 : 1, text });
  };

  /** Pairs images as a person said, and compares again; where that fails all is as before. */
  private async pair(
    opened: OpenedComparison,
    byHand: readonly PairByHand[],
    signal: AbortSignal,
  ): Promise<PackedJson<ComparisonState>> {
    opened.pairByHand(byHand);
    try {
      this.tell(opened, await opened.compare(this.choice, this.progress, signal));
    } catch (error) {
      opened.pairByHand(this.byHand);
      throw error;
    }
    this.byHand = byHand;
    await this.parts.kept.write(byHand);
    return this.packedState(opened);
  }

  private tell(opened: OpenedComparison, skipped: Awaited<ReturnType<OpenedComparison['compare']>>): void {
    const name = (side: ComparedSide, at: number) => opened[side].summary.images[at]?.path ?? '';
    this.skipped = skipped.map(({ a, b, reason }) => ({ a, b, reason: reasonWords(vscode.l10n.t, reason) }));
    for (const { a, b, reason } of this.skipped)
      this.parts.log.warn(`${name('a', a)} and ${name('b', b)} aren't compared: ${reason}`);
  }

  private packedState(opened: OpenedComparison): PackedJson<ComparisonState> {
    const { pairs, unpairedA, unpairedB } = opened.pairs;
    const { classes, classPairs = opened.proposedClasses, region } = this.choice;
    return packJson<ComparisonState>({
      unpairedA,
      unpairedB,
      skipped: this.skipped,
      classes,
      classPairs: [...classPairs],
      region: region ? [...region] : null,
      byHand: pairs.filter(({ by }) => by === 'hand').map(({ a, b }) => ({ a, b })),
      canUndo: this.byHand.length > 0,
    });
  }

  /** Has the page keep what the panel needs after a reload. */
  private keep(): void {
    const { a, b } = this.parts;
    const { classes, classPairs, region = null } = this.choice;
    const choice = classPairs && { classes, classPairs, region };
    this.connection.send('panelState', { comparison: { a: a.restore, b: b.restore, choice } });
  }

  private async imageBeneath(
    { by, ...positions }: SearchedImage,
    signal: AbortSignal,
  ): Promise<BackgroundImagePairing> {
    const opened = await this.opened();
    const { finder, sideOfImages: side } = this;
    const image = opened[side].summary.images[positions[side]];
    const other = opened[side === 'a' ? 'b' : 'a'].summary.images[positions[side === 'a' ? 'b' : 'a']];
    if (!image || !other) throw new CodedError('bad-request', 'There is no such image');
    const { index, id, path: filename, objectCount, unreadableCount } = image;
    const { width, height } = image.isSizeUnknown ? other : image;
    const searched: MaskImage = {
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
    return pairingWords(language, await finder[by](searched, signal));
  }

  private async openPairs(threshold: number): Promise<{ saved: string | null }> {
    const opened = await this.opened();
    const file = {
      name: `${this.parts.panel.title} pairs.csv`,
      filters: { [vscode.l10n.t('Table')]: ['csv'] },
    };
    const written = await saveToPlace(file, place =>
      withCancelIfSlow(vscode.l10n.t('Saving the pairs'), signal =>
        opened.request('writePairsTable', { path: place, threshold }, signal),
      ),
    );
    if (!written) return { saved: null };
    this.parts.openTable(vscode.Uri.file(written.path));
    return { saved: path.basename(written.path) };
  }

  private async saveAll(threshold: number): Promise<{ saved: string | null }> {
    const opened = await this.opened();
    const folder = folderToSaveIn(vscode.workspace.workspaceFolders);
    const [place] =
      (await vscode.window.showOpenDialog({
        canSelectFiles: false,
        canSelectFolders: true,
        openLabel: vscode.l10n.t('Save Comparison Here'),
        ...(folder && { defaultUri: folder }),
      })) ?? [];
    if (!place) return { saved: null };
    if (place.scheme !== 'file') throw new CodedError('not-a-file', 'Not on a disk', { subject: place.path });
    const save = (overwrite: boolean) =>
      withCancelIfSlow(vscode.l10n.t('Saving the comparison'), signal =>
        opened.save({ destination: place.fsPath, threshold, overwrite }, signal),
      );
    try {
      await save(false);
    } catch (error) {
      if (!isCoded(error, 'exists')) throw error;
      const replace = vscode.l10n.t('Replace');
      if ((await showWarningMessage(userMessage(error), replace)) !== replace) return { saved: null };
      await save(true);
    }
    return { saved: path.basename(place.fsPath) };
  }
}

function compareChoice({ classes, classPairs, region }: ComparisonChoice): CompareChoice {
  return { classes, classPairs, ...(region && { region }) };
}

function comparable(source: ResultSource) {
  return source instanceof FileResult ? comparableFile(source.uri) : comparableResult(source);
}

/** Objects of an image of which it is said why they can't be read. */
const MAX_REASONS = 3;

/** A side with its reasons and failures in the reader's language. */
function shownSide(opened: OpenedComparison, side: ComparedSide): ShownSide {
  const { title, summary } = opened[side];
  const { t } = vscode.l10n;
  return {
    title,
    isTruth: summary.format !== 'archive',
    classes: summary.classes.filter(({ count }) => count > 0),
    images: summary.images.map(image => {
      const { path: name, width, height, objectCount, unreadable, unreadableCount, failure } = image;
      const why = failure?.details?.reason;
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
        ...(failure && { failure: why ? reasonWords(t, why) : errorWords(t, fromPlainError(failure)) }),
      };
    }),
    notes: summary.notes.map(note => reasonSentence(t, note)),
  };
}
