import { unappliedOrientation } from '../../images/exifOrientation';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { CachedValues } from '../../base/node/joinedWork';
import { runInSlices } from '../../base/node/slices';
import { inParallel } from '../../base/waiting';
import { type ImagePage, isBesideSlide, type OpenedBackgroundImage } from '../../images/backgroundImageInfo';
import type { BackgroundImageOffer, BackgroundImageUse } from '../../images/backgroundImagePairing';
import { matchBackgroundImage, matchImages } from '../../archives/imageCatalog';
import { doubtOf, haveOtherSizes, type IdentifiedBy } from '../../archives/imageIdentity';
import type { MaskImage } from '../../archives/masksSummary';
import type { ResultChoices } from '../../results/node/resultChoices';
import { NOT_COMPUTED } from '../../uploads/node/uploadRecords';
import type { LocalCopies } from '../../session/node/localCopies';
import { type FileUri, JobResult, type ResultSource } from '../../session/node/resultSource';
import type { EngineRequest } from '../../session/node/sessionEngine';

/** How a background image was found, or why it wasn't; pairingWords says it. */
export type BackgroundFile =
  | {
      state: 'paired';
      by: 'record' | 'choice' | 'path';
      path: string;
      backgroundImage: OpenedBackgroundImage;
      /** It has another size than the masks, and the user chose to stretch it to fit them. */
      stretched: boolean;
    }
  /**
   * The only file of that name, or one that differs from the uploaded one (`isOther`): the user has
   * to confirm it.
   */
  | { state: 'suggested'; path: string; uri: FileUri; isOther?: true }
  | { state: 'missing'; sameName: number }
  /** Its size differs from the masks': the offers that the user may accept. */
  | {
      state: 'other-size';
      path: string;
      uri: FileUri | string;
      backgroundImage: { width: number; height: number };
      masks: MaskImage;
      /** The EXIF orientation that would give it the masks' size. */
      orientation?: number;
      /** Number of the file's images with the masks' size: none is used without asking. */
      fitting?: number;
      offers: BackgroundImageOffer[];
    }
  | { state: 'unreadable'; path: string; error: unknown };

/** A file that was uploaded and became an image of a result. */
export interface UploadedImage {
  uri: string;
  size: number;
  /** Hexadecimal; absent where it wasn't computed. */
  sha256?: string;
  /** Whether the file's identity is still that of the upload; otherwise the hash decides. */
  isUnchanged: boolean;
}

/** Sources of background images below masks. */
export interface BackgroundImagePairingSource {
  /** The upload that became this image (item id = image id), if it was made from here. */
  uploadRecord(source: ResultSource, imageId: string): Promise<UploadedImage | undefined>;
  /**
   * The uploaded files of these images, by IDs, if their identity is unchanged and the user
   * selected no other file.
   */
  unchangedUploads(source: ResultSource, imageIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  workspaceFilesNamed(baseName: string, signal: AbortSignal): Promise<FileUri[]>;
  /** The user's earlier choice or confirmation for this image. */
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
  /** Lets the user select a file; undefined on Esc. */
  selectFile(): Promise<FileUri | undefined>;
}

/** Dependencies of the finder: engine and file system. */
interface BackgroundImageAccess {
  /** `image`: whose background image it may be, for events about progress. */
  openBackgroundImage(
    path: string,
    part: { level?: number; page?: number; turned?: number; image: number },
    signal: AbortSignal,
  ): Promise<OpenedBackgroundImage>;
  closeBackgroundImage(backgroundImage: number): Promise<void>;
  hashFile(path: string, signal: AbortSignal): Promise<{ sha256: string; size: number }>;
  /** The path by which the objects table names the image, once rows are linked. */
  imageOrigin(image: number, signal: AbortSignal): Promise<string | null>;
  /** A path on disk for a file anywhere. Throws `not-a-file`, `bad-request`. */
  localPath(uri: FileUri | string, signal: AbortSignal): Promise<string>;
}

/**
 * Finds the background image of each image's masks; for the rules see docs/measurements.md,
 * "Identity".
 */
export class BackgroundImageFinder {
  private readonly found = new CachedValues<number, BackgroundFile>();
  private readonly running = new Map<number, AbortController>();
  /** The paths in the table by which images were looked for. */
  private readonly origins = new Map<number, string | null>();
  /** The user's choice of another size, until one of its offers is accepted. */
  private readonly refused = new Map<number, Extract<BackgroundFile, { state: 'other-size' }>>();

  constructor(
    private readonly source: ResultSource,
    private readonly pairing: BackgroundImagePairingSource,
    private readonly access: BackgroundImageAccess,
  ) {}

  /**
   * Finds the background image of an image; later calls return the same. Throws `cancelled` when it
   * is stopped.
   */
  find(image: MaskImage, signal: AbortSignal): Promise<BackgroundFile> {
    const search = (shared: AbortSignal) =>
      this.stoppable(image, shared, stoppable => this.search(image, stoppable));
    return this.found.get(image.index, search, signal);
  }

  /** Stops the search for the background image of an image; `find` starts it again. */
  stop(image: number): void {
    this.running.get(image)?.abort();
  }

  /** The user confirms the suggestion; it is stored as their choice. */
  async confirm(image: MaskImage, signal: AbortSignal): Promise<BackgroundFile> {
    const found = await this.find(image, signal);
    return found.state === 'suggested' ? this.pair(image, found.uri, signal) : found;
  }

  /** Lets the user select the background image; on Esc nothing changes. */
  async choose(image: MaskImage, signal: AbortSignal): Promise<BackgroundFile> {
    const uri = await this.pairing.selectFile();
    throwIfCanceled(signal);
    return uri ? this.pair(image, uri, signal) : this.find(image, signal);
  }

  /** Removes the user's choice or confirmation, and searches anew. */
  async undoChoice(image: MaskImage, signal: AbortSignal): Promise<BackgroundFile> {
    await this.pairing.removeChoice(this.source, image.id);
    throwIfCanceled(signal);
    this.refused.delete(image.index);
    this.found.delete(image.index);
    return this.find(image, signal);
  }

  /** Uses an offer for a background image of another size, and stores it as the user's choice. */
  async accept(image: MaskImage, offer: BackgroundImageOffer, signal: AbortSignal): Promise<BackgroundFile> {
    const found = this.refused.get(image.index) ?? (await this.find(image, signal));
    if (found.state !== 'other-size') return found;
    const offered = found.offers.find(one => isSameOffer(one, offer));
    if (!offered) throw new CodedError('bad-request', 'This was not offered for the background image');
    return this.pair(image, found.uri, signal, useOf(offered));
  }

  /**
   * Rows were linked again: `find` searches again for images with changed paths. Returns these
   * images.
   */
  async relinked(signal: AbortSignal): Promise<number[]> {
    const changed: number[] = [];
    for (const [image, origin] of [...this.origins]) {
      const now = await this.access.imageOrigin(image, signal);
      if (now === origin || this.origins.get(image) !== origin) continue;
      this.origins.delete(image);
      this.found.delete(image);
      changed.push(image);
    }
    return changed;
  }

  /** The engine closed all background images, as after a crash: `find` searches again. */
  closed(): void {
    this.found.clear();
    this.origins.clear();
    this.refused.clear();
  }

  private async stoppable<T>(
    { index }: MaskImage,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController();
    this.running.set(index, controller);
    try {
      return await work(AbortSignal.any([signal, controller.signal]));
    } finally {
      if (this.running.get(index) === controller) this.running.delete(index);
    }
  }

  private async pair(
    image: MaskImage,
    uri: FileUri | string,
    signal: AbortSignal,
    use?: BackgroundImageUse,
  ): Promise<BackgroundFile> {
    const found = await this.stoppable(image, signal, stoppable =>
      this.open(image, uri, 'choice', stoppable, { use }),
    );
    // The user sees unusable files, but they replace nothing.
    if (found.state === 'other-size') this.refused.set(image.index, found);
    if (found.state !== 'paired') return found;
    this.refused.delete(image.index);
    await this.pairing.storeChoice(this.source, image.id, uri, use);
    this.found.delete(image.index);
    return this.found.get(image.index, () => Promise.resolve(found), signal);
  }

  private async search(image: MaskImage, signal: AbortSignal): Promise<BackgroundFile> {
    const chosen = await this.pairing.storedChoice(this.source, image.id);
    if (chosen) {
      const opened = await this.open(image, chosen.uri, 'choice', signal, { use: chosen.use });
      if (!isGone(opened)) return opened;
    }
    const record =
      (await this.pairing.uploadRecord(this.source, image.id)) ?? (await this.recordOfPath(image, signal));
    throwIfCanceled(signal);
    const byRecord = record && (await this.byRecord(image, record, signal));
    return byRecord ?? (await this.inWorkspace(image, record, signal));
  }

  /**
   * The uploaded file of this image, if it is unchanged: not touched since, or else byte by byte.
   */
  private async byRecord(
    image: MaskImage,
    record: UploadedImage,
    signal: AbortSignal,
  ): Promise<BackgroundFile | undefined> {
    const isUploaded = await this.isUploaded(record.uri, record, signal);
    return isUploaded ? this.open(image, record.uri, 'record', signal) : undefined;
  }

  /**
   * Whether a file is the uploaded one: not touched since, or equal byte by byte. Undefined if that
   * is unknown.
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
      // It may not be there any more.
      if (!isCoded(error) || error.code === 'cancelled') throw error;
      return undefined;
    }
  }

  /**
   * The record of the one analyzed item with the image's path, if the archive doesn't name its
   * item.
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

  /** The file at its path; if the uploaded one is known, only that. */
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
    const choice = matchBackgroundImage(
      { filename: image.filename, ...(origin !== null && { origin }) },
      uris.map(uri => uri.path),
    );
    if (choice.by === 'none' || choice.by === 'ambiguous') return { state: 'missing', sameName: uris.length };
    const uri = uris[choice.index];
    if (!uri) return { state: 'missing', sameName: uris.length };
    // The uploaded file itself was compared before, which may have taken long.
    const isAtOldPlace = record && displayPath(uri) === displayPath(record.uri);
    const isUploaded = isAtOldPlace ? false : record && (await this.isUploaded(uri, record, signal));
    if (isUploaded) return this.open(image, uri, 'record', signal);
    return this.open(image, uri, choice.by, signal, { isOtherFile: isUploaded === false });
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
    // A user's file is right, but isn't shown below masks of another size without asking.
    const isUnfit = fitting.length > 1 || (isOtherSize && !scaled);
    if (by !== 'name' && !doubt && !isUnfit)
      return { state: 'paired', by, path, backgroundImage, stretched: scaled && isOtherSize };
    // Only a painted background image stays open.
    await this.access.closeBackgroundImage(backgroundImage.backgroundImage);
    if (isUnfit)
      return {
        state: 'other-size',
        path,
        uri,
        backgroundImage: { width: backgroundImage.width, height: backgroundImage.height },
        masks: image,
        ...turnedTo(backgroundImage, image),
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

/** The orientation that isn't applied, where the image turned by it has the size of the masks. */
function turnedTo(
  { width, height, notes }: OpenedBackgroundImage,
  masks: MaskImage,
): { orientation?: number } {
  const [orientation = 1] = notes.flatMap(note => unappliedOrientation(note) ?? []);
  const fits = orientation >= 5 && width === masks.height && height === masks.width;
  return fits ? { orientation } : {};
}

/** The images of a file that have the size of the masks. */
function pagesOfSize({ pages }: OpenedBackgroundImage, { width, height }: MaskImage): ImagePage[] {
  return pages.filter(page => page.width === width && page.height === height && !isBesideSlide(page));
}

/**
 * Offers: a level or page with the masks' size, the image turned, and always the image stretched.
 */
function offersOf(backgroundImage: OpenedBackgroundImage, masks: MaskImage): BackgroundImageOffer[] {
  const { width, height, levels } = backgroundImage;
  const fittingPages = pagesOfSize(backgroundImage, masks);
  const { orientation } = turnedTo(backgroundImage, masks);
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

function isSameOffer(one: BackgroundImageOffer, other: BackgroundImageOffer): boolean {
  return JSON.stringify(useOf(one)) === JSON.stringify(useOf(other));
}

function isGone(found: BackgroundFile): boolean {
  return (
    found.state === 'unreadable' && (isCoded(found.error, 'not-a-file') || isCoded(found.error, 'not-found'))
  );
}

/** The path of a file as its system writes it; for display only. */
export function displayPath(uri: FileUri | string, isWindows = process.platform === 'win32'): string {
  if (typeof uri !== 'string') return uri.fsPath;
  try {
    const url = new URL(uri);
    // With a drive or a server, if any.
    if (url.protocol === 'file:') return fileURLToPath(url, { windows: isWindows });
    return decodeURIComponent(url.pathname);
  } catch {
    return uri;
  }
}

/**
 * Background images in the engine thread of a session; `request` opens its masks first, `closing`
 * ends requests that close images.
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

/** Maximum number of files of one name that are listed; more are ambiguous anyway. */
const MAX_FILES = 200;
/** Files that are looked at at once. */
const MAX_STATS = 16;

interface BackgroundImagePairingDependencies {
  choices: Pick<ResultChoices, 'backgroundImage' | 'imagesWithBackground' | 'setBackgroundImage'>;
  /**
   * At most `max` files of the workspace that match a glob (`*`, `?`, `**`), also excluded ones.
   */
  findFiles: (pattern: string, max: number, signal: AbortSignal) => Promise<readonly FileUri[]>;
  /** Lets the user select a file; undefined on Esc. */
  selectFile: () => Promise<FileUri | undefined>;
  parseUri: (text: string) => FileUri;
  /** The identity of a file (FileFacts). Rejects where it can't be read. */
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
      const chosen = await choices.imagesWithBackground(source);
      const wanted = new Set(imageIds.filter(id => !chosen.has(id)));
      const records = await (await source.session()).uploadRecords.ofItems(wanted);
      await inParallel([...records], MAX_STATS, async ([id, { uri, identity }]) => {
        if ((await identityOf(uri).catch(() => undefined)) === identity) unchanged.set(id, uri);
      });
      return unchanged;
    },
    async workspaceFilesNamed(baseName, signal) {
      const name = baseName.normalize('NFC');
      const found = await findFiles(patternOf(name), MAX_FILES, signal);
      return found.filter(({ path }) => path.normalize('NFC').endsWith(`/${name}`));
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
 * Matches at least the files of a name: special characters of globs match any one; accents either
 * way.
 */
function patternOf(name: string): string {
  return `**/${name.replace(/[[\]{}*?!\\]/g, '?').replace(/[^\0-\x7f]+/g, '*')}`;
}
