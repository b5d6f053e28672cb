import { selectionsKind, type StoredObjects } from '../storedObjects';
import { linkedImages } from '../../linking/node/linkedImages';
import { shownClasses } from '../node/shownClasses';
import { imageOfRow, sessionRows } from '../../linking/node/sessionRows';
import { tablePopulations } from '../../linking/node/tablePopulations';
import { sessionLinks } from '../../linking/node/sessionLinks';
import * as vscode from 'vscode';
import { CodedError, fromPlainError, isCoded } from '../../base/errors';
import type { PageSettings } from '../../host/settings';
import { type BackgroundImagePairing, pairingWords } from '../../images/backgroundImagePairing';
import { masksPage, type MasksPageSide, type MasksPanelSide, type PackedMasksStart } from '../masksPage';
import type {
  ArchiveImage,
  ArchiveSummary,
  MaskImage,
  MasksSummary,
  ObjectsOfImage,
  ShownMaskImage,
} from '../../archives/masksSummary';
import { PageConnection } from '../../pages/editor/pageConnection';
import type { PageMenuCommand } from '../../protocol/menuCommands';
import { packJson } from '../../protocol/packed';
import type { Handlers } from '../../protocol/rpc';
import { passOn } from '../../protocol/declarations';
import { viewSaves } from '../../results/editor/savePlace';
import type { ClassColorChoices, ResultChoices } from '../../results/node/resultChoices';
import { virtualFiles } from '../../uploads/editor/localFiles';
import {
  BackgroundImageFinder,
  type BackgroundImagePairingSource,
  type BackgroundFile,
  sessionBackgroundImages,
} from '../../linking/node/backgroundImageFinder';
import { LocalCopies } from '../../session/node/localCopies';
import { MasksOpening } from '../../session/node/masksOpening';
import { masksPageHandlers, ShownInView, linkedDataOf } from '../node/rowsAndObjects';
import type { ShownMasks } from '../../session/node/sessionMasks';
import { errorWords } from '../../words/errorWords';
import { reasonSentence, reasonWords } from '../../words/reasonWords';
import type { Translate } from '../../words/translate';
import { choosePixelSize, PanelLife, type PanelDependencies } from '../../session/editor/panelLife';

interface MasksPanelDependencies extends PanelDependencies {
  pairing: BackgroundImagePairingSource;
  /** The current settings. */
  settings: () => PageSettings<'masks'>;
  choices: ResultChoices;
  classColors: ClassColorChoices;
  /** Exports the masks, or only `selected` objects. */
  exportMasks: (selected?: readonly ObjectsOfImage[]) => void;
  /** Compares the masks with others. */
  compareMasks: () => void;
  /** Lets the user choose the table of masks without one. */
  chooseTable: () => void;
  /** Shows the objects table, unless it is in view. */
  ensureTableInView: () => void;
}

/** Requests that a page may send while masks are being read. */
const WHILE_READING: ReadonlySet<string> = new Set<keyof typeof masksPage.passedOn>([
  'labelTile',
  'objectClasses',
  'objectBoxes',
  'objectAreas',
  'objectMeasures',
  'objectsAt',
  'objectDetails',
  'thumbnail',
]);

/** The masks of a result in a panel, with the user's background images below, if found. */
export class MasksPanel {
  readonly life: PanelLife;
  private readonly connection: PageConnection<MasksPanelSide, MasksPageSide>;
  private readonly finder: BackgroundImageFinder;
  private readonly shownInView: ShownInView;
  private readonly opening: MasksOpening;
  private readonly saves = viewSaves();
  /** The last save of selections: saves wait for each other. */
  private saving: Promise<unknown> = Promise.resolve();

  constructor(private readonly dependencies: MasksPanelDependencies) {
    this.life = new PanelLife(dependencies, 'masks');
    const { panel, session, describe } = dependencies;
    const { store } = this.life.state;
    const copies = store.add(
      new LocalCopies({
        files: virtualFiles,
        parseUri: text => vscode.Uri.parse(text),
        log: dependencies.log,
      }),
    );
    this.finder = new BackgroundImageFinder(session.source, dependencies.pairing, {
      ...sessionBackgroundImages(session.masks.request, copies, this.life.state.signal),
      imageOrigin: async (image, signal) => {
        await session.get(sessionLinks).settled();
        return (await session.masks.request('imageOrigin', { image }, signal)).origin;
      },
    });
    store.add(session.onDidLoseEngine(() => this.finder.imagesClosed()));
    const { shownObjects } = masksPageHandlers(linkedDataOf(session));
    this.shownInView = store.add(
      new ShownInView({
        rows: session.get(sessionRows),
        shownObjects: async (image, signal) => shownObjects({ image }, signal),
        send: filtered => this.connection.send('filtered', filtered),
        onFailure: error => dependencies.log.error('Finding the objects that match the filters', error),
      }),
    );
    this.connection = store.add(
      new PageConnection<MasksPanelSide, MasksPageSide>({
        webview: panel.webview,
        onWillLoad: this.life.onWillLoad,
        declaration: masksPage,
        handlers: this.handlers(),
        listen: page => {
          this.life.listenTo(page);
          page.on('inView', ({ image }) => (this.shownInView.image = image));
          page.on('stopBackgroundImage', ({ image }) => this.finder.stop(image));
          page.on('exportMasks', () => dependencies.exportMasks());
          page.on('exportSelected', ({ selection }) => dependencies.exportMasks(selection));
          page.on('compareMasks', () => dependencies.compareMasks());
          page.on('showTable', () => dependencies.openPart('objects'));
          page.on('chooseTable', () => dependencies.chooseTable());
          page.on('hover', object => void session.get(sessionLinks).hovered.setObject(object));
          page.on('select', object => void session.get(sessionLinks).selected.setObject(object));
          page.on('selectedBefore', object => void session.get(sessionLinks).selected.restoreObject(object));
          page.on('visibility', ({ hiddenClasses }) => (session.get(shownClasses).hidden = hiddenClasses));
          page.on('classColors', colors => void this.saveColors(colors));
        },
        describe,
        failed: (message, error) => this.life.failed(message, error),
      }),
    );
    store.add(
      session.onDidProgress(progress => {
        const { part, image, done, total } = progress;
        if (part === 'backgroundImage' && image !== undefined)
          this.connection.send('backgroundImageProgress', { image, done, total });
        if (part === 'masks' && this.opening.isPending)
          this.connection.send('progress', this.life.progressWords(progress));
      }),
    );
    store.add(
      session.masks.onDidReadImages(({ images, done, total }) =>
        this.connection.send('imagesRead', {
          images: packJson(wordedImages(vscode.l10n.t, images)),
          done,
          total,
        }),
      ),
    );
    store.add(
      session.get(sessionLinks).onDidLink(report => {
        this.connection.send('imagePaths', { paths: session.get(linkedImages).paths });
        this.connection.send('link', report);
        void this.searchAgain();
      }),
    );
    store.add(
      session.tables.onDidExtend(({ kind }) => {
        if (kind === 'objects') this.connection.send('tableExtended', {});
      }),
    );
    const populations = session.find(tablePopulations);
    if (populations) store.add(populations.onDidChange(() => this.connection.send('populationsChanged', {})));
    store.add(
      session.get(sessionLinks).hovered.onDidChangeObject(object => this.connection.send('hovered', object)),
    );
    store.add(
      session
        .get(sessionLinks)
        .selected.onDidChangeObject(object => this.connection.send('selected', object)),
    );
    store.add(session.get(imageOfRow).onDidShow(image => this.connection.send('showImage', { image })));
    session.get(shownClasses).colors = dependencies.classColors.all;
    this.life.load();
    // The thread starts and reads the visible part first while the page loads.
    this.opening = new MasksOpening({
      masks: session.masks,
      signal: this.life.state.signal,
      onRead: read => this.connection.send('masksRead', packJson(wordedSummary(vscode.l10n.t, read))),
      onReload: () => this.life.load(),
    });
  }

  /** Runs a command of the page's context menu in the page. */
  runInPage(entry: PageMenuCommand): void {
    if (entry.page === 'masks') this.connection.send('menuCommand', { command: entry.command });
  }

  private handlers(): Handlers<MasksPanelSide> {
    const { session } = this.dependencies;
    const rowHandlers = masksPageHandlers(linkedDataOf(session));
    return {
      strings: async () => {
        this.connection.send('panelState', this.life.storedView);
        return {
          failed: vscode.l10n.t("Couldn't show this result"),
          translations: await this.life.translations(),
        };
      },
      start: () => this.start(() => this.opening.opened()),
      retry: () => {
        session.resetCrashes();
        return this.start(() => this.opening.open());
      },
      ...passOn(masksPage.passedOn, (method, params, signal) =>
        WHILE_READING.has(method)
          ? session.masks.requestShown(method, params, signal)
          : session.masks.request(method, params, signal),
      ),
      ...rowHandlers,
      selectRows: async (selection, signal) => {
        const selected = await rowHandlers.selectRows(selection, signal);
        // The page of a table that isn't in view couldn't apply the filter.
        if (selected.rows > 0) this.dependencies.ensureTableInView();
        return selected;
      },
      imageLinks: (_, signal) => session.get(linkedImages).openImages(signal),
      linkImages: ({ links }, signal) => session.get(linkedImages).link(links, signal),
      linkThumbnail: ({ image }, signal) => session.get(linkedImages).thumbnail(image, signal),
      backgroundImage: ({ image }) =>
        this.pairing(image, (maskImage, signal) => this.finder.find(maskImage, signal)),
      confirmBackgroundImage: ({ image }) =>
        this.pairing(image, (maskImage, signal) => this.finder.confirm(maskImage, signal)),
      chooseBackgroundImage: ({ image }) =>
        this.pairing(image, (maskImage, signal) => this.finder.choose(maskImage, signal)),
      undoBackgroundImage: ({ image }) =>
        this.pairing(image, (maskImage, signal) => this.finder.undoChoice(maskImage, signal)),
      acceptBackgroundImage: ({ image, offer }) =>
        this.pairing(image, (maskImage, signal) => this.finder.accept(maskImage, offer, signal)),
      choosePixelSize: async ({ image }) => {
        const { images } = await session.masks.open(this.life.state.signal);
        return choosePixelSize(this.dependencies.choices, session.source, images, image);
      },
      setPixelSizes: async ({ pixelSizes }) => {
        await this.dependencies.choices.setPixelSizes(session.source, pixelSizes);
        return {};
      },
      saveSelections: async ({ selections }) => {
        await (this.saving = this.saving.catch(() => undefined).then(() => this.saveSelections(selections)));
        return {};
      },
      copy: this.life.copy,
      ...this.saves.handlers,
    };
  }

  private async start(open: () => Promise<ShownMasks>): Promise<PackedMasksStart> {
    const { session, settings, choices, classColors } = this.dependencies;
    const { summary, isWhole } = await this.life.state.openContent(open);
    const pixelSizes = await choices.pixelSizes(session.source);
    const selections = (await choices.value(selectionsKind, session.source)) ?? {};
    // Data that may change is read last: the page follows changes once it has this response.
    const { shown } = session.get(sessionRows);
    // Starts once the page has this response and listens.
    if (!isWhole) setImmediate(() => void this.opening.follow(summary));
    return {
      title: session.source.title,
      masks: packJson(wordedSummary(vscode.l10n.t, summary)),
      ...(!isWhole && { isReading: true }),
      ...(session.get(sessionLinks).report && { link: session.get(sessionLinks).report }),
      ...settings(),
      hovered: session.get(sessionLinks).hovered.object,
      selected: session.get(sessionLinks).selected.object,
      ...(session.get(sessionLinks).selected.isSet && { isSelectionSet: true as const }),
      classColors: classColors.all,
      pixelSizes,
      selections,
      filtered: shown && { rowCount: shown.rowCount, total: shown.total },
      choosesTable: session.tableSources.lacksObjects,
      hasMasks: true,
    };
  }

  /** Adds and removes named selections; null removes one. */
  private async saveSelections(changes: Readonly<Record<string, StoredObjects[] | null>>): Promise<void> {
    const { choices, session } = this.dependencies;
    const stored = new Map(Object.entries((await choices.value(selectionsKind, session.source)) ?? {}));
    for (const [name, objects] of Object.entries(changes)) {
      if (objects) stored.set(name, objects);
      else stored.delete(name);
    }
    await choices.setValue(
      selectionsKind,
      session.source,
      stored.size > 0 ? Object.fromEntries(stored) : undefined,
    );
  }

  private async saveColors(colors: Readonly<Record<string, string | null>>): Promise<void> {
    const { classColors, session, log } = this.dependencies;
    try {
      await classColors.set(colors);
      session.get(shownClasses).colors = classColors.all;
    } catch (error) {
      log.error('Storing class colors failed', error);
    }
  }

  /** Rows were linked: searches again for background images found by a path that has changed. */
  private async searchAgain(): Promise<void> {
    try {
      const images = await this.finder.relinked(this.life.state.signal);
      if (images.length > 0) this.connection.send('searchAgain', { images });
    } catch (error) {
      if (!isCoded(error, 'cancelled')) this.dependencies.log.error('Finding background images again', error);
    }
  }

  /**
   * Searches for a background image. The search continues while the panel exists, even if its page
   * reloads.
   */
  private async pairing(
    index: number,
    find: (image: MaskImage, signal: AbortSignal) => Promise<BackgroundFile>,
  ): Promise<BackgroundImagePairing> {
    const { signal } = this.life.state;
    const { images } = await this.dependencies.session.masks.open(signal);
    const image = images[index];
    if (!image) throw new CodedError('bad-request', 'There is no such image');
    const { describe } = this.dependencies;
    const language = { t: vscode.l10n.t, locale: vscode.env.language, describe };
    return pairingWords(language, await find(image, signal));
  }
}

/** The summary of an archive with its notes, reasons and failures in the reader's language. */
function wordedSummary(t: Translate, summary: ArchiveSummary): MasksSummary {
  return {
    ...summary,
    notes: summary.notes.map(note => reasonSentence(t, note)),
    images: wordedImages(t, summary.images),
  };
}

/** Images of an archive with their reasons and failures in the reader's language. */
function wordedImages(t: Translate, images: readonly ArchiveImage[]): ShownMaskImage[] {
  return images.map(({ failure, unreadable, ...image }) => ({
    ...image,
    unreadable: unreadable.map(({ key, reason }) => ({ key, reason: reasonWords(t, reason) })),
    ...(failure && { failure: { ...failure, message: errorWords(t, fromPlainError(failure)) } }),
  }));
}
