import { unappliedOrientation } from '../../images/exifOrientation';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { CachedValues } from '../../base/node/joinedWork';
import { runInSlices } from '../../base/node/slices';
import { inParallel } from '../../base/waiting';
import {
  type ImagePage,
  isAssociatedImage,
  type OpenedBackgroundImage,
} from '../../images/backgroundImageInfo';
import type { BackgroundImageOffer, BackgroundImageUse } from '../../images/backgroundImagePairing';
import { matchBackgroundImage, matchImages } from '../../archives/imageCatalog';
import { doubtOf, haveOtherSizes, type IdentifiedBy } from '../../archives/imageIdentity';
import type { MaskImage } from '../../archives/masksSummary';
import type { ResultChoices } from '../../results/node/resultChoices';
import { NOT_COMPUTED } from '../../uploads/node/uploadRecords';
import type { LocalCopies } from '../../session/node/localCopies';
import { type FileUri, JobResult, type ResultSource } from '../../session/node/resultSource';
import type { EngineRequest } from '../../session/node/sessionEngine';

/** The background image of an image, or why none was found. pairingWords makes words of it. */
export type BackgroundFile =
  | {
      state: 'paired';
      by: 'record' | 'choice' | 'path';
      path: string;
      backgroundImage: OpenedBackgroundImage;
      /** Whether the image has another size than the masks, and the user chose to stretch it. */
      stretched: boolean;
    }
  /**
   * The only file with the name, or a file that differs from the uploaded one (`isOther`): the user
   * must confirm it.
   */
  | { state: 'suggested'; path: string; uri: FileUri; isOther?: true }
  | { state: 'missing'; sameName: number }
  /** The file has another size than the masks: the user may accept an offer. */
  | {
      state: 'other-size';
      path: string;
      uri: FileUri | string;
      backgroundImage: { width: number; height: number };
      masks: MaskImage;
      /** The EXIF orientation that would give the image the masks' size. */
      orientation?: number;
      /**
       * Number of images in the file with the masks' size, if several: the user must select one.
       */
      fitting?: number;
      offers: BackgroundImageOffer[];
    }
  | { state: 'unreadable'; path: string; error: unknown };

/** An uploaded file that became an image of a result. */
export interface UploadedImage {
  uri: string;
  size: number;
  /** In hexadecimal; absent if it wasn't computed. */
  sha256?: string;
  /** Whether the file is known to be unchanged since the upload; otherwise its hash decides. */
  isUnchanged: boolean;
}

/** Sources of background images below masks. */
export interface BackgroundImagePairingSource {
  /** The upload from here that became the image (item ID = image ID), if any. */
  uploadRecord(source: ResultSource, imageId: string): Promise<UploadedImage | undefined>;
  /** The uploaded files of images by ID, without changed files and images with a selected file. */
  unchangedUploads(source: ResultSource, imageIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  workspaceFilesNamed(baseName: string, signal: AbortSignal): Promise<FileUri[]>;
  /** The file that the user selected or confirmed for the image. */
  storedChoice(
    source: ResultSource,
    imageId: string,
  ): Promise<{ uri: FileUri; use?: BackgroundImageUse | undefined } | undefined>;
  storeChoice(
    source: ResultSource,
    imageId: string,
    uri: FileUri | string,
    use?: BackgroundImageUse,
  ): Promise<void>;
  removeChoice(source: ResultSource, imageId: string): Promise<void>;
  /** Lets the user select a file; undefined if canceled. */
  selectFile(): Promise<FileUri | undefined>;
}

/** Dependencies of the finder: engine and file system. */
interface BackgroundImageAccess {
  /** `image` is the position of the masks' image, for progress events. */
  openBackgroundImage(
    path: string,
    part: { level?: number; page?: number; turned?: number; image: number },
    signal: AbortSignal,
  ): Promise<OpenedBackgroundImage>;
  closeBackgroundImage(backgroundImage: number): Promise<void>;
  hashFile(path: string, signal: AbortSignal): Promise<{ sha256: string; size: number }>;
  /** The path that the objects table has for the image, once rows are linked. */
  imageOrigin(image: number, signal: AbortSignal): Promise<string | null>;
  /** A local path for a file of any file system. Throws `not-a-file`, `bad-request`. */
  localPath(uri: FileUri | string, signal: AbortSignal): Promise<string>;
}

/**
 * Finds the background image of each image's masks; for the rules see docs/measurements.md,
 * "Identity".
 */
export class BackgroundImageFinder {
  private readonly results = new CachedValues<number, BackgroundFile>();
  private readonly searches = new Map<number, AbortController>();
  /** The path in the table for each image that was searched for. */
  private readonly origins = new Map<number, string | null>();
  /** The user's selected files of another size, until an offer for them is accepted. */
  private readonly otherSizes = new Map<number, Extract<BackgroundFile, { state: 'other-size' }>>();

  constructor(
    private readonly source: ResultSource,
    private readonly pairing: BackgroundImagePairingSource,
    private readonly access: BackgroundImageAccess,
  ) {}

  /**
   * Finds the background image of an image; later calls return the same result. Throws `cancelled`
   * if the search is stopped.
   */
  find(image: MaskImage, signal: AbortSignal): Promise<BackgroundFile> {
    const search = (sharedSignal: AbortSignal) =>
      this.stoppable(image, sharedSignal, searchSignal => this.search(image, searchSignal));
    return this.results.get(image.index, search, signal);
  }

  /** Stops the search for an image; `find` starts it again. */
  stop(image: number): void {
    this.searches.get(image)?.abort();
  }

  /** Accepts the suggested file, and stores it as the user's choice. */
  async confirm(image: MaskImage, signal: AbortSignal): Promise<BackgroundFile> {
    const result = await this.find(image, signal);
    return result.state === 'suggested' ? this.pair(image, result.uri, signal) : result;
  }

  /** Lets the user select the background image; if canceled, nothing changes. */
  async choose(image: MaskImage, signal: AbortSignal): Promise<BackgroundFile> {
    const uri = await this.pairing.selectFile();
    throwIfCanceled(signal);
    return uri ? this.pair(image, uri, signal) : this.find(image, signal);
  }

  /** Removes the user's choice, and searches again. */
  async undoChoice(image: MaskImage, signal: AbortSignal): Promise<BackgroundFile> {
    await this.pairing.removeChoice(this.source, image.id);
    throwIfCanceled(signal);
    this.otherSizes.delete(image.index);
    this.results.delete(image.index);
    return this.find(image, signal);
  }

  /** Accepts an offer for a file of another size, and stores it as the user's choice. */
  async accept(image: MaskImage, offer: BackgroundImageOffer, signal: AbortSignal): Promise<BackgroundFile> {
    const result = this.otherSizes.get(image.index) ?? (await this.find(image, signal));
    if (result.state !== 'other-size') return result;
    const offered = result.offers.find(candidate => isSameOffer(candidate, offer));
    if (!offered) throw new CodedError('bad-request', 'This was not offered for the background image');
    return this.pair(image, result.uri, signal, useOf(offered));
  }

  /**
   * Drops the results of images whose path changed in a new linking of rows; `find` searches again.
   * Returns these images.
   */
  async relinked(signal: AbortSignal): Promise<number[]> {
    const changed: number[] = [];
    for (const [image, origin] of [...this.origins]) {
      const newOrigin = await this.access.imageOrigin(image, signal);
      if (newOrigin === origin || this.origins.get(image) !== origin) continue;
      this.origins.delete(image);
      this.results.delete(image);
      changed.push(image);
    }
    return changed;
  }

  /** Drops all results: the engine has closed the background images, as after a crash. */
  imagesClosed(): void {
    this.results.clear();
    this.origins.clear();
    this.otherSizes.clear();
  }

  private async stoppable<T>(
    { index }: MaskImage,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController();
    this.searches.set(index, controller);
    try {
      return await work(AbortSignal.any([signal, controller.signal]));
    } finally {
      if (this.searches.get(index) === controller) this.searches.delete(index);
    }
  }

  private async pair(
    image: MaskImage,
    uri: FileUri | string,
    signal: AbortSignal,
    use?: BackgroundImageUse,
  ): Promise<BackgroundFile> {
    const result = await this.stoppable(image, signal, searchSignal =>
      this.open(image, uri, 'choice', searchSignal, { use }),
    );
    // A file that can't be used is reported, but the earlier file stays in use.
    if (result.state === 'other-size') this.otherSizes.set(image.index, result);
    if (result.state !== 'paired') return result;
    this.otherSizes.delete(image.index);
    await this.pairing.storeChoice(this.source, image.id, uri, use);
    this.results.delete(image.index);
    return this.results.get(image.index, () => Promise.resolve(result), signal);
  }

  private async search(image: MaskImage, signal: AbortSignal): Promise<BackgroundFile> {
    const choice = await this.pairing.storedChoice(this.source, image.id);
    if (choice) {
      const file = await this.open(image, choice.uri, 'choice', signal, { use: choice.use });
      if (!isMissing(file)) return file;
    }
    const record =
      (await this.pairing.uploadRecord(this.source, image.id)) ?? (await this.recordOfPath(image, signal));
    throwIfCanceled(signal);
    const byRecord = record && (await this.byRecord(image, record, signal));
    return byRecord ?? (await this.inWorkspace(image, record, signal));
  }

  /** The uploaded file of this image, if it is still the same. */
  private async byRecord(
    image: MaskImage,
    record: UploadedImage,
    signal: AbortSignal,
  ): Promise<BackgroundFile | undefined> {
    const isUploaded = await this.isUploaded(record.uri, record, signal);
    return isUploaded ? this.open(image, record.uri, 'record', signal) : undefined;
  }

  /**
   * Whether a file is the uploaded one: unchanged since then, or with the same hash. Undefined if
   * unknown.
   */
  private async isUploaded(
    uri: FileUri | string,
    record: UploadedImage,
    signal: AbortSignal,
  ): Promise<boolean | undefined> {
    const isUnchanged = record.isUnchanged && uri === record.uri;
    if (!isUnchanged && record.sha256 === undefined) return undefined;
    try {
      const path = await this.access.localPath(uri, signal);
      if (isUnchanged || record.sha256 === undefined) return isUnchanged;
      const { sha256, size } = await this.access.hashFile(path, signal);
      return size === record.size && sha256 === record.sha256.toLowerCase();
    } catch (error) {
      // The file may have been deleted.
      if (!isCoded(error) || error.code === 'cancelled') throw error;
      return undefined;
    }
  }

  /**
   * The upload of the only analyzed item with the image's path, for archives that don't name items
   * by ID.
   */
  private async recordOfPath(image: MaskImage, signal: AbortSignal): Promise<UploadedImage | undefined> {
    const items = await this.source.analyzedItems?.();
    if (!items || items.some(({ id }) => id === image.id)) return undefined;
    const origin = await this.originOf(image, signal);
    if (origin === null) return undefined;
    const named = items.map(({ id, path }) => ({ id, filename: path }));
    const [item] = await runInSlices(matchImages([origin], named), signal);
    const id = typeof item === 'number' ? items[item]?.id : undefined;
    return id === undefined ? undefined : await this.pairing.uploadRecord(this.source, id);
  }

  private async originOf({ index }: MaskImage, signal: AbortSignal): Promise<string | null> {
    const origin = await this.access.imageOrigin(index, signal);
    this.origins.set(index, origin);
    return origin;
  }

  /**
   * The workspace file at the image's path. If the uploaded file is known, another one is only a
   * suggestion.
   */
  private async inWorkspace(
    image: MaskImage,
    record: UploadedImage | undefined,
    signal: AbortSignal,
  ): Promise<BackgroundFile> {
    const name = posix.basename(image.filename.replaceAll('\\', '/'));
    if (name === '') return { state: 'missing', sameName: 0 };
    const uris = await this.pairing.workspaceFilesNamed(name, signal);
    throwIfCanceled(signal);
    if (uris.length === 0) return { state: 'missing', sameName: 0 };
    const origin = await this.originOf(image, signal);
    const match = matchBackgroundImage(
      { filename: image.filename, ...(origin !== null && { origin }) },
      uris.map(uri => uri.path),
    );
    if (match.by === 'none' || match.by === 'ambiguous') return { state: 'missing', sameName: uris.length };
    const uri = uris[match.index];
    if (!uri) return { state: 'missing', sameName: uris.length };
    // The uploaded file was compared before at this path: hashing may take long.
    const isAtUploadPath = record && displayPath(uri) === displayPath(record.uri);
    const isUploaded = isAtUploadPath ? false : record && (await this.isUploaded(uri, record, signal));
    if (isUploaded) return this.open(image, uri, 'record', signal);
    return this.open(image, uri, match.by, signal, { isOtherFile: isUploaded === false });
  }

  private async open(
    image: MaskImage,
    uri: FileUri | string,
    by: 'record' | 'choice' | 'path' | 'name',
    signal: AbortSignal,
    { use, isOtherFile = false }: { use?: BackgroundImageUse | undefined; isOtherFile?: boolean } = {},
  ): Promise<BackgroundFile> {
    const path = displayPath(uri);
    const scaled = use !== undefined && 'scaled' in use;
    let backgroundImage: OpenedBackgroundImage;
    try {
      const local = await this.access.localPath(uri, signal);
      const part = { ...(use && !scaled && use), image: image.index };
      backgroundImage = await this.access.openBackgroundImage(local, part, signal);
    } catch (error) {
      if (!isCoded(error) || error.code === 'cancelled') throw error;
      return { state: 'unreadable', path, error };
    }
    const fitting = use ? [] : pagesOfSize(backgroundImage, image);
    const isOtherSize = haveOtherSizes(backgroundImage, image);
    const doubt = doubtOf(EVIDENCE[by], { isOtherSize, isOtherFile, mayBeElsewhere: true });
    // The user's file counts as the right one, but isn't stretched to other masks without asking.
    const isUnfit = fitting.length > 1 || (isOtherSize && !scaled);
    if (by !== 'name' && !doubt && !isUnfit)
      return { state: 'paired', by, path, backgroundImage, stretched: scaled && isOtherSize };
    // Only a shown background image stays open.
    await this.access.closeBackgroundImage(backgroundImage.backgroundImage);
    if (isUnfit)
      return {
        state: 'other-size',
        path,
        uri,
        backgroundImage: { width: backgroundImage.width, height: backgroundImage.height },
        masks: image,
        ...fittingOrientation(backgroundImage, image),
        ...(fitting.length > 1 && { fitting: fitting.length }),
        offers: offersOf(backgroundImage, image),
      };
    if (typeof uri === 'string')
      throw new CodedError('bad-request', 'A suggestion is a file of the workspace');
    return { state: 'suggested', path, uri, ...(doubt === 'hash' && { isOther: true }) };
  }
}

/** The evidence of each way to find a file. */
const EVIDENCE = { choice: 'hand', record: 'hash', path: 'path', name: 'name' } satisfies Record<
  string,
  IdentifiedBy
>;

/** The unapplied EXIF orientation, if turning the image gives it the size of the masks. */
function fittingOrientation(
  { width, height, notes }: OpenedBackgroundImage,
  masks: MaskImage,
): { orientation?: number } {
  const [orientation = 1] = notes.flatMap(note => unappliedOrientation(note) ?? []);
  const fits = orientation >= 5 && width === masks.height && height === masks.width;
  return fits ? { orientation } : {};
}

/** The images of a file that have the size of the masks. */
function pagesOfSize({ pages }: OpenedBackgroundImage, { width, height }: MaskImage): ImagePage[] {
  return pages.filter(page => page.width === width && page.height === height && !isAssociatedImage(page));
}

/**
 * The possible uses of an image of another size: a level or page that fits, the turned image, and
 * always the stretched image.
 */
function offersOf(backgroundImage: OpenedBackgroundImage, masks: MaskImage): BackgroundImageOffer[] {
  const { width, height, levels } = backgroundImage;
  const fittingPages = pagesOfSize(backgroundImage, masks);
  const { orientation } = fittingOrientation(backgroundImage, masks);
  const turnedOffer: BackgroundImageOffer[] =
    orientation === undefined ? [] : [{ kind: 'turned', turned: orientation, width: height, height: width }];
  const fits = (size: { width: number; height: number }) =>
    size.width === masks.width && size.height === masks.height;
  return [
    ...levels.flatMap((size, level): BackgroundImageOffer[] =>
      fits(size) && (level > 0 || fittingPages.length < 2) ? [{ kind: 'level', level, ...size }] : [],
    ),
    ...fittingPages.map((page): BackgroundImageOffer => ({ kind: 'page', ...page })),
    ...turnedOffer,
    { kind: 'scaled', width, height },
  ];
}

function useOf(offer: BackgroundImageOffer): BackgroundImageUse {
  switch (offer.kind) {
    case 'level':
      return { level: offer.level };
    case 'page':
      return { page: offer.page };
    case 'turned':
      return { turned: offer.turned };
    case 'scaled':
      return { scaled: true };
  }
}

function isSameOffer(a: BackgroundImageOffer, b: BackgroundImageOffer): boolean {
  return JSON.stringify(useOf(a)) === JSON.stringify(useOf(b));
}

function isMissing(file: BackgroundFile): boolean {
  return (
    file.state === 'unreadable' && (isCoded(file.error, 'not-a-file') || isCoded(file.error, 'not-found'))
  );
}

/** The path of a file in its system's notation, for display only. */
export function displayPath(uri: FileUri | string, isWindows = process.platform === 'win32'): string {
  if (typeof uri !== 'string') return uri.fsPath;
  try {
    const url = new URL(uri);
    // This path has its drive or server.
    if (url.protocol === 'file:') return fileURLToPath(url, { windows: isWindows });
    return decodeURIComponent(url.pathname);
  } catch {
    return uri;
  }
}

/**
 * Access to background images in the engine thread of a session. `request` opens the masks first;
 * `closing` ends requests to close images.
 */
export function sessionBackgroundImages(
  request: EngineRequest,
  copies: Pick<LocalCopies, 'pathOf'>,
  closing: AbortSignal,
): Omit<BackgroundImageAccess, 'imageOrigin'> {
  return {
    openBackgroundImage: (path, part, signal) => request('openBackgroundImage', { path, ...part }, signal),
    closeBackgroundImage: async backgroundImage => {
      await request('closeBackgroundImage', { backgroundImage }, closing);
    },
    hashFile: (path, signal) => request('hashFile', { path }, signal),
    localPath: (uri, signal) => copies.pathOf(uri, signal),
  };
}

/** Maximum number of files of one name; more are ambiguous anyway. */
const MAX_FILES = 200;
/** Number of files whose identity is read in parallel. */
const MAX_STATS = 16;

interface BackgroundImagePairingDependencies {
  choices: Pick<ResultChoices, 'backgroundImage' | 'imagesWithBackground' | 'setBackgroundImage'>;
  /** Finds at most `max` workspace files that match a glob (`*`, `?`, `**`), with excluded ones. */
  findFiles: (pattern: string, max: number, signal: AbortSignal) => Promise<readonly FileUri[]>;
  /** Lets the user select a file; undefined if canceled. */
  selectFile: () => Promise<FileUri | undefined>;
  parseUri: (text: string) => FileUri;
  /** The identity of a file (FileFacts). Rejects if it can't be read. */
  identityOf: (uri: string) => Promise<string>;
}

/**
 * Sources of background images: the account's upload records, the workspace, and the user's
 * choices.
 */
export function backgroundImagePairingSource({
  choices,
  findFiles,
  selectFile,
  parseUri,
  identityOf,
}: BackgroundImagePairingDependencies): BackgroundImagePairingSource {
  return {
    async uploadRecord(source, imageId) {
      if (!(source instanceof JobResult)) return undefined;
      const session = await source.session();
      const record = await session.uploadRecords.find(imageId);
      if (!record) return undefined;
      const { uri, size, sha256 } = record;
      const identity = await identityOf(uri).catch(() => undefined);
      const isHashed = sha256 !== undefined && sha256 !== NOT_COMPUTED;
      return { uri, size, ...(isHashed && { sha256 }), isUnchanged: identity === record.identity };
    },
    async unchangedUploads(source, imageIds) {
      const unchanged = new Map<string, string>();
      if (!(source instanceof JobResult)) return unchanged;
      const withSelectedFile = await choices.imagesWithBackground(source);
      const uploadsToCheck = new Set(imageIds.filter(id => !withSelectedFile.has(id)));
      const records = await (await source.session()).uploadRecords.ofItems(uploadsToCheck);
      await inParallel([...records], MAX_STATS, async ([id, { uri, identity }]) => {
        if ((await identityOf(uri).catch(() => undefined)) === identity) unchanged.set(id, uri);
      });
      return unchanged;
    },
    async workspaceFilesNamed(baseName, signal) {
      const name = baseName.normalize('NFC');
      const files = await findFiles(patternOf(name), MAX_FILES, signal);
      return files.filter(({ path }) => path.normalize('NFC').endsWith(`/${name}`));
    },
    async storedChoice(source, imageId) {
      const choice = await choices.backgroundImage(source, imageId);
      return choice && { ...choice, uri: parseUri(choice.uri) };
    },
    async storeChoice(source, imageId, uri, use) {
      await choices.setBackgroundImage(source, imageId, { uri: uri.toString(), ...(use && { use }) });
    },
    async removeChoice(source, imageId) {
      await choices.setBackgroundImage(source, imageId, undefined);
    },
    selectFile,
  };
}

/**
 * A glob that matches at least the files of a name: a special character matches any character, and
 * accents match in both normalizations.
 */
function patternOf(name: string): string {
  return `**/${name.replace(/[[\]{}*?!\\]/g, '?').replace(/[^\0-\x7f]+/g, '*')}`;
}
