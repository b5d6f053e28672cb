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

/** What every panel of a result is given. */
export interface PanelDependencies {
  session: ResultSession;
  what: ResultPart;
  panel: vscode.WebviewPanel;
  extensionUri: vscode.Uri;
  /** An error in the user's words. */
  describe: (error: unknown) => string;
  /** The page requests another part of the result. */
  openOther: (what: ResultPart) => void;
  /** VS Code doesn't load the page, however often it is loaded. */
  pageMissing: () => void;
  log: Log;
}

/** Every page's events for its panel. */
interface PageEvents {
  on(name: 'shown', listener: () => void): Disposable;
  on(name: 'failure', listener: (value: { message: string }) => void): Disposable;
}

/** What a result's panels share: their page, the state of their content, and their log. */
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
    this.loader = this.state.store.add(new PageLoader(panel, html, log, () => this.pageMissing()));
  }

  /** What the page says, in the language of the editor. */
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

  /** Hears from a page that has just arrived whether it shows its content, and what fails in it. */
  hear(page: PageEvents): void {
    page.on('shown', () => this.state.shown());
    page.on('failure', ({ message }) =>
      this.dependencies.log.error(`In the page of the ${this.dependencies.what} panel: ${message}`),
    );
  }

  /** Copies what a page has selected. */
  readonly copy = async ({ text }: { text: string }): Promise<Record<string, never>> => {
    await vscode.env.clipboard.writeText(text);
    return {};
  };

  /** The page wasn't loaded: `whenShown` rejects with `timeout`. */
  pageMissing(): void {
    this.state.fail(new CodedError('timeout', 'The page of the panel was not loaded'));
    this.dependencies.pageMissing();
  }

  /** Progress of the panel's part, in words. */
  progressWords({ phase, done, total }: PartProgress): { done: number; total: number; text: string } {
    return { done, total, text: phaseWords(vscode.l10n.t, phase) };
  }

  /** What its page stores, so that a reload brings the panel back. */
  get storedView(): StoredView {
    return { restore: this.dependencies.session.source.restore, what: this.dependencies.what };
  }

  /** A request of the page failed: for the log. */
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

/** The title of a panel; `table`: what is used where the result has no table of its objects. */
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
 * Asks for µm per pixel of an image, and whether they apply to all images like it; an empty field
 * removes the earlier entry. Resolves with the changes by image ID; none on Esc. Throws
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
  const before = stored[image.id];
  const title = vscode.l10n.t('Pixel Size of {0}', pathOfImage(image));
  const typed = await showInputBox({
    title,
    prompt: vscode.l10n.t('µm per pixel. Leave empty if unknown.'),
    value: before === undefined ? '' : String(before),
    validateInput: value =>
      value.trim() === '' || parsePixelSize(value) !== undefined
        ? undefined
        : vscode.l10n.t('A number above 0, such as 0.325'),
  });
  if (typed === undefined) return { pixelSizes: {} };
  const size = parsePixelSize(typed) ?? null;
  const alike = imagesLike(images, image);
  const sized =
    alike.length === 1 ? alike : await selectSized({ title, image, alike, pixelSizes: stored, size });
  if (!sized) return { pixelSizes: {} };
  const pixelSizes = Object.fromEntries(sized.map(({ id }) => [id, size]));
  await choices.setPixelSizes(source, pixelSizes);
  return { pixelSizes };
}

interface SizedImages {
  title: string;
  image: MaskImage;
  alike: readonly MaskImage[];
  /** µm per pixel by image ID. */
  pixelSizes: Readonly<Record<string, number>>;
  size: number | null;
}

/** Images that get the pixel size: all alike, or the one that the user picks. Undefined on Esc. */
async function selectSized({
  title,
  image,
  alike,
  pixelSizes: known,
  size,
}: SizedImages): Promise<readonly MaskImage[] | undefined> {
  const others = alike.filter(({ id }) => {
    const set = known[id];
    return id !== image.id && set !== undefined && set !== size;
  });
  const all = {
    label: vscode.l10n.t('All {0} Images of This Kind', alike.length),
    description: vscode.l10n.t('{0} × {1} px', image.width, image.height),
    ...(others.length > 0 && {
      detail: vscode.l10n.t('Replaces the pixel size that was set for {0} of them', others.length),
    }),
    images: alike,
  };
  const one = { label: vscode.l10n.t('Only This Image'), description: pathOfImage(image), images: [image] };
  const placeHolder =
    size === null
      ? vscode.l10n.t('Remove the pixel size of which images?')
      : vscode.l10n.t('Which images have {0} µm per pixel?', String(size));
  const selected = await showQuickPick([all, one], { title, placeHolder });
  return selected?.images;
}
