import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { CodedError, toPlainError } from '../../base/errors';
import type { Event } from '../../base/event';
import type { Log } from '../../base/log';
import type { TableChoice } from '../../columns/tableSummary';
import { showInputBox, showQuickPick } from '../../host/editor/boxes';
import { pageHtml, pageRoot } from '../../pages/editor/pageHtml';
import { PageLoader } from '../../pages/editor/pageLoader';
import { translationsOfPage } from '../../pages/editor/translationsOfPage';
import type { PageTranslations } from '../../pages/pageTranslations';
import { type MaskImage, pathOfImage, imagesLike } from '../../archives/masksSummary';
import { parsePixelSize, type ResultChoices } from '../../results/node/resultChoices';
import type { ResultPart } from '../../service/resultParts';
import { phaseWords } from '../../words/resultWords';
import { ContentState } from '../node/contentState';
import type { StoredView } from '../node/openResults';
import type { ResultSession } from '../node/resultSession';
import type { ResultSource } from '../node/resultSource';
import type { PartProgress } from '../node/sessionEngine';

/** The dependencies of every panel of a result. */
export interface PanelDependencies {
  session: ResultSession;
  what: ResultPart;
  panel: vscode.WebviewPanel;
  extensionUri: vscode.Uri;
  /** Describes an error to the user. */
  describe: (error: unknown) => string;
  /** Opens another part of the result, for the page. */
  openPart: (what: ResultPart) => void;
  /** Called if VS Code doesn't load the page despite retries. */
  onPageMissing: () => void;
  log: Log;
}

/** The events that every page sends to its panel. */
interface PageEvents {
  on(name: 'shown', listener: () => void): Disposable;
  on(name: 'failure', listener: (value: { message: string }) => void): Disposable;
}

/** The common part of all result panels: loading the page, the state of the content, the log. */
export class PanelLife implements Disposable {
  readonly state: ContentState;
  private readonly loader: PageLoader;

  constructor(
    private readonly dependencies: PanelDependencies,
    private readonly page: 'table' | 'masks',
    title: () => string = () => dependencies.panel.title,
  ) {
    const { panel, extensionUri, log } = dependencies;
    this.state = new ContentState(panel.onDidDispose);
    const html = () => pageHtml(panel.webview, extensionUri, page, title());
    this.loader = this.state.store.add(new PageLoader(panel, html, log, () => this.onPageMissing()));
  }

  /** The page's texts in the user's language. */
  translations(): Promise<PageTranslations> {
    return translationsOfPage(vscode.l10n.bundle, pageRoot(this.dependencies.extensionUri).fsPath, this.page);
  }

  /** See PageLoader. */
  get onWillLoad(): Event<void> {
    return this.loader.onWillLoad;
  }

  /** Loads or reloads the page. */
  load(): void {
    this.loader.load();
  }

  /** Listens to a page that has just loaded: whether it shows its content, and its errors. */
  listenTo(page: PageEvents): void {
    page.on('shown', () => this.state.markShown());
    page.on('failure', ({ message }) =>
      this.dependencies.log.error(`In the page of the ${this.dependencies.what} panel: ${message}`),
    );
  }

  /** Copies a page's selection to the clipboard. */
  readonly copy = async ({ text }: { text: string }): Promise<Record<string, never>> => {
    await vscode.env.clipboard.writeText(text);
    return {};
  };

  /** Handles a page that wasn't loaded: `whenShown` rejects with `timeout`. */
  onPageMissing(): void {
    this.state.fail(new CodedError('timeout', 'The page of the panel was not loaded'));
    this.dependencies.onPageMissing();
  }

  /** Progress of the panel's part, in words. */
  progressWords({ phase, done, total }: PartProgress): { done: number; total: number; text: string } {
    return { done, total, text: phaseWords(vscode.l10n.t, phase) };
  }

  /** The state that its page stores, to restore the panel after a reload. */
  get storedView(): StoredView {
    return { restore: this.dependencies.session.source.restore, what: this.dependencies.what };
  }

  /** Logs a failed request of the page. */
  failed(method: string, error: unknown): void {
    const { code, message } = toPlainError(error);
    if (code)
      this.dependencies.log.warn(
        `The ${this.dependencies.what} panel couldn't handle "${method}": ${code}: ${message}`,
      );
    else
      this.dependencies.log.error(`The ${this.dependencies.what} panel couldn't handle "${method}"`, error);
  }

  dispose(): void {
    this.state.dispose();
  }
}

/** The title of a panel. `table`: the table in place of a missing objects table. */
export function panelTitle(
  { title, isOfPairs }: ResultSource,
  part: ResultPart,
  table?: TableChoice,
): string {
  switch (part) {
    case 'objects':
      if (isOfPairs) return vscode.l10n.t('Pairs of {0}', title);
      if (table?.kind === 'measured') return vscode.l10n.t('Measured from masks: {0}', title);
      if (table) return vscode.l10n.t('Objects of {0} ({1})', title, fileName(table.uri));
      return vscode.l10n.t('Objects of {0}', title);
    case 'aggregate':
      return vscode.l10n.t('Aggregate of {0}', title);
    case 'masks':
      return vscode.l10n.t('Masks of {0}', title);
    case 'file':
    case 'image':
      return title;
  }
}

function fileName(uri: string): string {
  return posix.basename(vscode.Uri.parse(uri).path);
}

/**
 * Asks for µm per pixel of an image, and whether this applies to all images like it. An empty field
 * removes the earlier entry. Resolves to the changes by image ID, which are empty on Esc. Throws
 * `bad-request`.
 */
export async function choosePixelSize(
  choices: ResultChoices,
  source: ResultSource,
  images: readonly MaskImage[],
  position: number,
): Promise<{ pixelSizes: Record<string, number | null> }> {
  const image = images[position];
  if (!image) throw new CodedError('bad-request', 'There is no such image');
  const stored = await choices.pixelSizes(source);
  const current = stored[image.id];
  const title = vscode.l10n.t('Pixel Size of {0}', pathOfImage(image));
  const typed = await showInputBox({
    title,
    prompt: vscode.l10n.t('µm per pixel. Leave empty if unknown.'),
    value: current === undefined ? '' : String(current),
    validateInput: value =>
      value.trim() === '' || parsePixelSize(value) !== undefined
        ? undefined
        : vscode.l10n.t('A number above 0, such as 0.325'),
  });
  if (typed === undefined) return { pixelSizes: {} };
  const size = parsePixelSize(typed) ?? null;
  const similarImages = imagesLike(images, image);
  const imagesToSet =
    similarImages.length === 1
      ? similarImages
      : await selectImages({ title, image, similarImages, pixelSizes: stored, size });
  if (!imagesToSet) return { pixelSizes: {} };
  const pixelSizes = Object.fromEntries(imagesToSet.map(({ id }) => [id, size]));
  await choices.setPixelSizes(source, pixelSizes);
  return { pixelSizes };
}

interface SelectImagesOptions {
  title: string;
  image: MaskImage;
  /** Images of the same kind, including `image`. */
  similarImages: readonly MaskImage[];
  /** µm per pixel by image ID. */
  pixelSizes: Readonly<Record<string, number>>;
  size: number | null;
}

/** Asks which images get the pixel size: all of the kind, or only this one. Undefined on Esc. */
async function selectImages({
  title,
  image,
  similarImages,
  pixelSizes,
  size,
}: SelectImagesOptions): Promise<readonly MaskImage[] | undefined> {
  const replaced = similarImages.filter(({ id }) => {
    const current = pixelSizes[id];
    return id !== image.id && current !== undefined && current !== size;
  });
  const allImages = {
    label: vscode.l10n.t('All {0} Images of This Kind', similarImages.length),
    description: vscode.l10n.t('{0} × {1} px', image.width, image.height),
    ...(replaced.length > 0 && {
      detail: vscode.l10n.t('Replaces the pixel size that was set for {0} of them', replaced.length),
    }),
    images: similarImages,
  };
  const onlyThis = {
    label: vscode.l10n.t('Only This Image'),
    description: pathOfImage(image),
    images: [image],
  };
  const placeHolder =
    size === null
      ? vscode.l10n.t('Remove the pixel size of which images?')
      : vscode.l10n.t('Which images have {0} µm per pixel?', String(size));
  const selected = await showQuickPick([allImages, onlyThis], { title, placeHolder });
  return selected?.images;
}
