import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { CodedError } from '../../base/errors';
import type { MaskImage } from '../../formats/masksSummary';
import type { MasksPageSide, MasksPanelSide, MasksStart, PicturePairing } from '../../protocol/masksPage';
import { LocalCopies } from './localCopies';
import { wordedSummary } from './maskNotes';
import { PageConnection, wordedHandlers } from './pageConnection';
import { pageHtml } from './pageHtml';
import { buffer, wholeNumbers } from './masksParams';
import type { MasksPreferences } from './masksPreferences';
import { masksQuestionHandlers } from './masksQuestions';
import { objectOrNull, text, wholeNumber } from './pageParams';
import { masksPageStrings } from './pageStrings';
import { pairingWords } from './pairingWords';
import { PictureFinder, type FoundPicture } from './pictureFinder';
import { pictureOffer } from './pictureParams';
import { PageLoader } from './pageLoader';
import { PanelLife, type PanelParts } from './resultPanel';
import type { PicturePairingSource } from './resultSource';
import { ViewSaves } from './viewSaves';

export interface MasksPanelParts extends PanelParts {
  pairing: PicturePairingSource;
  /** Opacity of the masks, 0…1. */
  opacity: () => number;
  preferences: MasksPreferences;
}

/** The masks of a result in a panel, over the user's own pictures where they are found. */
export class MasksPanel implements Disposable {
  readonly life: PanelLife;
  private readonly loader: PageLoader;
  private readonly connection: PageConnection<MasksPanelSide, MasksPageSide>;
  private readonly finder: PictureFinder;
  private readonly saves = new ViewSaves();

  constructor(private readonly parts: MasksPanelParts) {
    this.life = new PanelLife(parts);
    const { panel, session, describe } = parts;
    const { store } = this.life;
    const copies = store.add(new LocalCopies(parts.log));
    this.finder = new PictureFinder(session.source, parts.pairing, {
      openPicture: (path, part, signal) => session.askMasks('openPicture', { path, ...part }, signal),
      closePicture: async picture => {
        await session.askMasks('closePicture', { picture }, this.life.signal);
      },
      hashFile: (path, signal) => session.askMasks('hashFile', { path }, signal),
      imageOrigin: async (image, signal) => {
        await session.linkSettled();
        return (await session.askMasks('imageOrigin', { image }, signal)).origin;
      },
      localPath: (uri, signal) => copies.pathOf(uri, signal),
    });
    store.add(session.onDidLoseEngine(() => this.finder.forget()));
    const handlers = wordedHandlers<MasksPanelSide>(this.handlers(), describe, (method, error) =>
      this.life.failed(method, error),
    );
    this.connection = store.add(
      new PageConnection<MasksPanelSide, MasksPageSide>(panel.webview, handlers, page => {
        page.on('shown', () => this.life.shown());
        page.on('failure', ({ message }) => parts.log.error(`In the masks page: ${String(message)}`));
        page.on('stopPicture', ({ image }) => this.finder.stop(wholeNumber(image)));
        page.on('showTable', () => parts.openOther('objects'));
        page.on('hover', object => void session.hovered.setObject(objectOrNull(object)));
        page.on('select', object => void session.selected.setObject(objectOrNull(object)));
        page.on('visibility', ({ hiddenClasses }) => (session.hiddenClasses = wholeNumbers(hiddenClasses)));
        page.on('classColours', colours => void this.keepColours(colours));
      }),
    );
    store.add(
      session.onDidProgress(progress => {
        const { part, done, total } = progress;
        if (part === 'picture') this.connection.send('pictureProgress', { done, total });
        if (part === 'masks') this.connection.send('progress', this.life.progressWords(progress));
      }),
    );
    store.add(session.onDidLink(report => this.connection.send('link', report)));
    store.add(session.hovered.onDidChangeObject(object => this.connection.send('hovered', object)));
    store.add(session.selected.onDidChangeObject(object => this.connection.send('selected', object)));
    store.add(
      session.onDidChangeShown(shown =>
        this.connection.send('filtered', shown && { rowCount: shown.rowCount, total: shown.total }),
      ),
    );
    session.classColours = parts.preferences.classColours;
    const html = () => pageHtml(panel.webview, parts.extensionUri, 'masks', panel.title);
    this.loader = store.add(new PageLoader(panel, html, parts.log, () => this.life.pageMissing()));
    this.load();
  }

  /** Loads the page, anew if it is there already. */
  load(): void {
    this.loader.load();
  }

  dispose(): void {
    this.life.dispose();
  }

  private handlers(): Parameters<typeof wordedHandlers<MasksPanelSide>>[0] {
    const { session } = this.parts;
    return {
      strings: () => {
        this.connection.send('keep', this.life.kept);
        return masksPageStrings();
      },
      start: () => this.start(),
      retry: () => {
        session.forgive();
        return this.start();
      },
      ...masksQuestionHandlers(session),
      picture: ({ image }) => this.pairing(image, (found, signal) => this.finder.find(found, signal)),
      confirmPicture: ({ image }) =>
        this.pairing(image, (found, signal) => this.finder.confirm(found, signal)),
      choosePicture: ({ image }) => this.pairing(image, (found, signal) => this.finder.choose(found, signal)),
      acceptPicture: ({ image, offer }) =>
        this.pairing(image, (found, signal) => this.finder.accept(found, pictureOffer(offer), signal)),
      choosePixelSize: ({ image }) => this.choosePixelSize(wholeNumber(image)),
      saveView: async ({ name }) => ({ save: await this.saves.ask(text(name)) }),
      saveViewPart: async ({ save, bytes, last }) => ({
        saved: await this.saves.add(wholeNumber(save), buffer(bytes), last === true),
      }),
    };
  }

  private async start(): Promise<MasksStart> {
    const { session, describe, opacity, preferences } = this.parts;
    const { shown } = session;
    const summary = await this.life.opened(signal => session.openMasks(signal));
    return {
      strings: masksPageStrings(),
      title: session.source.title,
      masks: wordedSummary(summary, describe),
      ...(session.link && { link: session.link }),
      opacity: opacity(),
      hovered: session.hovered.object,
      selected: session.selected.object,
      classColours: preferences.classColours,
      pixelSizes: preferences.pixelSizes(session.source.key),
      filtered: shown && { rowCount: shown.rowCount, total: shown.total },
    };
  }

  private async keepColours(colours: Readonly<Record<string, unknown>>): Promise<void> {
    const { preferences, session, log } = this.parts;
    try {
      await preferences.setClassColours(colours);
      session.classColours = preferences.classColours;
    } catch (error) {
      log.error('Colours of classes could not be kept', error);
    }
  }

  /** µm per pixel, as the user types it; an empty field takes back what was given before. */
  private async choosePixelSize(index: number): Promise<{ pixelSize: number | null }> {
    const { preferences, session } = this.parts;
    const { images } = await session.openMasks(this.life.signal);
    const image = images[index];
    if (!image) throw new CodedError('bad-request', 'There is no such image');
    const before = preferences.pixelSizes(session.source.key)[image.id];
    const typed = await vscode.window.showInputBox({
      title: vscode.l10n.t('Pixel Size of {0}', image.filename || image.id),
      prompt: vscode.l10n.t('µm per pixel; leave empty if it is not known'),
      value: before === undefined ? '' : String(before),
      validateInput: value =>
        value.trim() === '' || pixelSizeOf(value) !== undefined
          ? undefined
          : vscode.l10n.t('A number above 0, such as 0.325'),
    });
    if (typed === undefined) return { pixelSize: before ?? null };
    const size = pixelSizeOf(typed);
    await preferences.setPixelSize(session.source.key, image.id, size);
    return { pixelSize: size ?? null };
  }

  /** Looks for a picture for as long as the panel lives: a page that comes back finds the search where it was. */
  private async pairing(
    index: unknown,
    find: (image: MaskImage, signal: AbortSignal) => Promise<FoundPicture>,
  ): Promise<PicturePairing> {
    const { signal } = this.life;
    const { images } = await this.parts.session.openMasks(signal);
    const image = images[wholeNumber(index)];
    if (!image) throw new CodedError('bad-request', 'There is no such image');
    return pairingWords(await find(image, signal), this.parts.describe);
  }
}

/** µm per pixel as people type it, also with a decimal comma. */
function pixelSizeOf(typed: string): number | undefined {
  const size = Number(typed.trim().replace(',', '.'));
  return typed.trim() !== '' && size > 0 && size < 1e6 ? size : undefined;
}
