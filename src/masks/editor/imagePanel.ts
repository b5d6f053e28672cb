import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { CodedError, isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import type { PageSettings } from '../../host/settings';
import {
  imagePairing,
  imageSummary,
  masksPage,
  type MasksPageSide,
  type MasksPanelSide,
  type MasksStart,
  type PackedMasksStart,
} from '../masksPage';
import { backgroundImagePageRequests, type FileChange } from '../../images/backgroundImageInfo';
import type { BackgroundImagePairing } from '../../images/backgroundImagePairing';
import { masksPageRequests } from '../../archives/masksRequests';
import { linkPageRequests } from '../../linking/rowLinks';
import { PageConnection } from '../../pages/editor/pageConnection';
import type { PageStrings } from '../../pages/pageTranslations';
import type { PageMenuCommand } from '../../protocol/menuCommands';
import { packJson } from '../../protocol/packed';
import type { Handlers } from '../../protocol/rpc';
import { passOn } from '../../protocol/declarations';
import { viewSaves } from '../../results/editor/savePlace';
import type { ResultChoices } from '../../results/node/resultChoices';
import type { ViewSaves } from '../../results/node/saveFile';
import { virtualFiles } from '../../uploads/editor/localFiles';
import { EarlyOpening } from '../../session/node/contentState';
import { ImageFileResult } from '../../session/node/imageFileResult';
import { LocalCopies } from '../../session/node/localCopies';
import type { FileUri } from '../../session/node/resultSource';
import { choosePixelSize, PanelLife, type PanelDependencies } from '../../session/editor/panelLife';

interface ImagePanelDependencies extends PanelDependencies {
  image: ImageFileResult;
  /** The current settings. */
  settings: () => PageSettings<'masks'>;
  choices: ResultChoices;
}

/** An image file in a panel: the page of the masks, without any masks. */
export class ImagePanel {
  readonly life: PanelLife;
  private readonly connection: PageConnection<MasksPanelSide, MasksPageSide>;
  /** Images being opened, by position. `page`: page of the file, undefined for the first image. */
  private readonly pending = new Map<number, { page: number | undefined; stopping: AbortController }>();
  private readonly opening: EarlyOpening<MasksStart['masks']>;
  private readonly saves: ViewSaves;

  constructor(private readonly dependencies: ImagePanelDependencies) {
    this.life = new PanelLife(dependencies, 'masks', () => dependencies.image.title);
    const { panel, session, image, describe } = dependencies;
    const { store } = this.life.state;
    this.saves = viewSaves(image.uri.scheme === 'file' ? image.uri.fsPath : undefined);
    this.connection = store.add(
      new PageConnection<MasksPanelSide, MasksPageSide>({
        webview: panel.webview,
        onWillLoad: this.life.onWillLoad,
        declaration: masksPage,
        handlers: this.handlers(),
        listen: page => {
          this.life.listenTo(page);
          page.on('stopBackgroundImage', stopped => this.pending.get(stopped.image)?.stopping.abort());
          page.on('reloadFile', () => void this.reload());
        },
        describe,
        failed: (message, error) => this.life.failed(message, error),
      }),
    );
    store.add(
      session.onDidProgress(progress => {
        const { part, done, total } = progress;
        if (part !== 'backgroundImage') return;
        // The first image is opened before the page has a place to show its progress.
        this.connection.send('progress', this.life.progressWords(progress));
        for (const [image, { page }] of this.pending)
          if (page === progress.image)
            this.connection.send('backgroundImageProgress', { image, done, total });
      }),
    );
    store.add(image.onDidChange(() => this.connection.send('fileChange', image.change ?? null)));
    store.add(
      session.images.onDidClose(() => {
        if (!this.life.state.hasFailed) this.life.load();
      }),
    );
    this.life.load();
    // The image is opened while the page loads.
    this.opening = new EarlyOpening(() => this.summary());
    // The page's own requests tell of failures.
    session.images.openAhead(this.life.state.signal).catch(() => undefined);
  }

  /** Runs a command of the page's context menu in the page. */
  runInPage(entry: PageMenuCommand): void {
    if (entry.page === 'masks') this.connection.send('menuCommand', { command: entry.command });
  }

  private handlers(): Handlers<MasksPanelSide> {
    const { session, image, choices } = this.dependencies;
    const noMasks = () => Promise.reject(new CodedError('not-found', 'An image file has no masks'));
    return {
      strings: () => this.strings(),
      start: () => this.start(() => this.opening.opened()),
      retry: () => {
        session.resetCrashes();
        image.forget();
        return this.start(() => this.summary());
      },
      ...passOn(masksPageRequests, noMasks),
      ...passOn(linkPageRequests, noMasks),
      ...passOn(backgroundImagePageRequests, (method, params, signal) =>
        session.images.request(method, params, signal),
      ),
      backgroundImageTile: (params, signal) => session.images.tile(params, signal),
      objectColumns: () => ({ columns: [] }),
      shownObjects: () => ({ shown: null }),
      valueScale: noMasks,
      objectRow: noMasks,
      selectRows: noMasks,
      imageLinks: noMasks,
      linkImages: noMasks,
      linkThumbnail: noMasks,
      saveSelections: noMasks,
      shapesOfSelection: noMasks,
      columnsOfSelection: noMasks,
      confirmBackgroundImage: noMasks,
      chooseBackgroundImage: noMasks,
      undoBackgroundImage: noMasks,
      acceptBackgroundImage: noMasks,
      backgroundImage: ({ image: position }) => this.pairing(position),
      choosePixelSize: async ({ image: position }) => {
        const { images } = await this.summary();
        return choosePixelSize(choices, image, images, position);
      },
      setPixelSizes: async ({ pixelSizes }) => {
        await choices.setPixelSizes(image, pixelSizes);
        return {};
      },
      copy: this.life.copy,
      ...this.saves.handlers,
    };
  }

  private async start(open: () => Promise<MasksStart['masks']>): Promise<PackedMasksStart> {
    const { image, settings, choices } = this.dependencies;
    const masks = await this.life.state.openContent(open);
    const pixelSizes = await choices.pixelSizes(image);
    return {
      ...settings(),
      title: image.title,
      masks: packJson(masks),
      hasMasks: false,
      choosesTable: false,
      opacity: 1,
      hovered: null,
      selected: null,
      classColors: {},
      pixelSizes,
      selections: {},
      filtered: null,
      fileChange: image.change ?? null,
    };
  }

  private async strings(): Promise<PageStrings> {
    return {
      failed: vscode.l10n.t("Couldn't show this image"),
      translations: await this.life.translations(),
    };
  }

  private async summary(): Promise<MasksStart['masks']> {
    const { session, image } = this.dependencies;
    const first = await session.images.open(undefined, this.life.state.signal);
    return imageSummary(vscode.l10n.t, image.title, first);
  }

  /** Opens the image at a position of the list for the page. */
  private async pairing(position: number): Promise<BackgroundImagePairing> {
    const { session, describe } = this.dependencies;
    const { signal } = this.life.state;
    const first = await session.images.open(undefined, signal);
    const page = position === 0 ? undefined : first.pages[position]?.page;
    const pendingImage = { page, stopping: new AbortController() };
    this.pending.set(position, pendingImage);
    try {
      if (position > 0 && page === undefined) throw new CodedError('bad-request', 'There is no such image');
      const opened = await session.images.open(page, AbortSignal.any([signal, pendingImage.stopping.signal]));
      return imagePairing({ t: vscode.l10n.t, locale: vscode.env.language }, opened);
    } catch (error) {
      if (!isCoded(error) || error.code === 'cancelled') throw error;
      return { state: 'unreadable', how: describe(error) };
    } finally {
      if (this.pending.get(position) === pendingImage) this.pending.delete(position);
    }
  }

  /** Reads the file again, for all panels that show it. */
  private async reload(): Promise<void> {
    const { image, session, log } = this.dependencies;
    image.forget();
    try {
      await session.images.close();
    } catch (error) {
      log.error('Closing an image to read it again failed', error);
    }
  }
}

/** VS Code's document of an image file, shared by all editors of the file. */
export interface ImageDocument extends vscode.CustomDocument {
  image: ImageFileResult;
}

export function openImageDocument(uri: vscode.Uri, log: Log): ImageDocument {
  const copies = new LocalCopies({ files: virtualFiles, parseUri: text => vscode.Uri.parse(text), log });
  const image = new ImageFileResult(uri, { copies, watch: watchFile });
  return { uri, image, dispose: () => image.dispose() };
}

/** Reports changes of one file until disposal. Reports nothing on file systems without watchers. */
function watchFile(file: FileUri, onChange: (change: FileChange) => void): Disposable {
  const uri = vscode.Uri.parse(file.toString());
  const folder = vscode.Uri.joinPath(uri, '..');
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  // `?` stands for the special characters of patterns; the events' files are compared anyway.
  const pattern = new vscode.RelativePattern(folder, name.replace(/[[\]{}*?!\\]/g, '?'));
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  const report = (change: FileChange) => (changed: vscode.Uri) => {
    if (changed.toString() === uri.toString()) onChange(change);
  };
  const store = new DisposableStore();
  store.add(watcher);
  store.add(watcher.onDidCreate(report('changed')));
  store.add(watcher.onDidChange(report('changed')));
  store.add(watcher.onDidDelete(report('deleted')));
  return store;
}
