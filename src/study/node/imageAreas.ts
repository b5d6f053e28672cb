import type { Disposable } from '../../base/disposable';
import { throwIfCanceled } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { ImageExtent } from '../../images/backgroundImageInfo';
import { type MaskImage, pathOfImage } from '../../archives/masksSummary';
import type { ResultChoices } from '../../results/node/resultChoices';
import {
  BackgroundImageFinder,
  type BackgroundImagePairingSource,
  sessionBackgroundImages,
} from '../../linking/node/backgroundImageFinder';
import type { LocalCopies } from '../../session/node/localCopies';
import { sessionLinks } from '../../linking/node/sessionLinks';
import type { ResultSession } from '../../session/node/resultSession';

type Session = Pick<ResultSession, 'source' | 'masks' | 'get' | 'request' | 'onDidLoseEngine'>;

interface ImageAreasDependencies {
  session: Session;
  choices: Pick<ResultChoices, 'pixelSizes' | 'onDidSetPixelSizes'>;
  pairing: BackgroundImagePairingSource;
  /** Local copies of background images; disposed of with this. */
  copies: Pick<LocalCopies, 'pathOf' | 'dispose'>;
}

/** Images whose sizes may be readable. */
export interface MeasurableImages {
  /** Their paths, with all known folders. */
  paths: readonly string[];
  /**
   * The size of an image, by its position; undefined if its pixel size is unknown. Throws
   * `cancelled`.
   */
  extentOf: (at: number) => Promise<ImageExtent | undefined>;
}

type AreaOfImage = Pick<ImageExtent, 'area' | 'isOblong'>;

/** Maximum relative difference of the sides of square pixels: files round them. */
const MAX_SIDE_DIFFERENCE = 1e-3;
/** Number of files whose headers are read with one request. */
const MAX_FILES = 200;

/**
 * Finds areas of images: from the pixel size that the user set, else from that of the image's file.
 * Files uploaded from this computer are found without masks, other files as background images of
 * masks.
 */
export class ImageAreas implements Disposable {
  private readonly closing = new AbortController();
  private readonly crashListener: Disposable;
  private readonly choicesListener: Disposable;
  /** Areas of images by position, each with the choice of the file that it is from. */
  private readonly areasByImage = new Map<number, { choice: string; size: AreaOfImage }>();
  /** Sizes from the headers of uploaded files by URI; null if a header has none. */
  private readonly extentsByUri = new Map<string, ImageExtent | null>();
  private readonly pixelSizesEmitter = new Emitter<void>();
  /** Fires when the user sets pixel sizes of this result. */
  readonly onDidSetPixelSizes = this.pixelSizesEmitter.event;
  /** Number of crashes of the engine, each of which closed all images. */
  private crashes = 0;

  constructor(private readonly dependencies: ImageAreasDependencies) {
    this.crashListener = dependencies.session.onDidLoseEngine(() => this.crashes++);
    this.choicesListener = dependencies.choices.onDidSetPixelSizes(({ key }) => {
      if (key === dependencies.session.source.key) this.pixelSizesEmitter.fire();
    });
  }

  /** The images of the masks, which are opened for this. Throws errors of opening. */
  async ofMasks(signal: AbortSignal): Promise<MeasurableImages> {
    const { session, choices } = this.dependencies;
    const stopSignal = AbortSignal.any([signal, this.closing.signal]);
    const { images } = await session.masks.open(stopSignal);
    // The links add folders to the paths of images with equal names.
    await session.get(sessionLinks).settled();
    const pixelSizes = await choices.pixelSizes(session.source);
    return {
      paths: images.map(pathOfImage),
      extentOf: async at => {
        const image = images[at];
        const area = image && (await this.areaOf(image, pixelSizes[image.id], stopSignal));
        return image && area ? { pixels: image.width * image.height, ...area } : undefined;
      },
    };
  }

  /** The submitted images; undefined if they are unknown, or none was uploaded from here. */
  async ofItems(signal: AbortSignal): Promise<MeasurableImages | undefined> {
    const { session, choices, pairing } = this.dependencies;
    const items = await session.source.analyzedItems?.();
    if (!items) return undefined;
    const stopSignal = AbortSignal.any([signal, this.closing.signal]);
    const ids = items.map(({ id }) => id);
    const files = await pairing.unchangedUploads(session.source, ids);
    if (files.size === 0) return undefined;
    const pixelSizes = await choices.pixelSizes(session.source);
    return {
      paths: items.map(({ path }) => path),
      extentOf: async at => {
        const id = ids[at] ?? '';
        const uri = files.get(id);
        if (uri === undefined) return undefined;
        if (!this.extentsByUri.has(uri)) {
          const nextUris = ids.slice(at).flatMap(nextId => files.get(nextId) ?? []);
          await this.readUploads(nextUris, stopSignal);
        }
        const extent = this.extentsByUri.get(uri);
        const size = pixelSizes[id];
        return extent && size !== undefined
          ? { pixels: extent.pixels, area: extent.pixels * size ** 2 }
          : (extent ?? undefined);
      },
    };
  }

  dispose(): void {
    this.closing.abort();
    this.crashListener.dispose();
    this.choicesListener.dispose();
    this.pixelSizesEmitter.dispose();
    this.dependencies.copies.dispose();
  }

  /** Reads the headers of the next unread files. */
  private async readUploads(uris: readonly string[], signal: AbortSignal): Promise<void> {
    const { session, copies } = this.dependencies;
    const unread = uris.filter(uri => !this.extentsByUri.has(uri)).slice(0, MAX_FILES);
    // Files elsewhere would have to be copied first.
    const urisOnDisk = unread.filter(uri => uri.startsWith('file:'));
    const paths: string[] = [];
    for (const uri of urisOnDisk) paths.push(await copies.pathOf(uri, signal));
    const { extents } = await session.request('imageExtents', { paths }, signal);
    for (const uri of unread) this.extentsByUri.set(uri, null);
    urisOnDisk.forEach((uri, at) => this.extentsByUri.set(uri, extents[at] ?? null));
  }

  private async areaOf(
    image: MaskImage,
    pixelSize: number | undefined,
    signal: AbortSignal,
  ): Promise<AreaOfImage | undefined> {
    throwIfCanceled(signal);
    // The user's size wins over the file's.
    if (pixelSize !== undefined) {
      const area = image.width * image.height * pixelSize ** 2;
      return area > 0 ? { area } : undefined;
    }
    const { session, pairing } = this.dependencies;
    const stored = await pairing.storedChoice(session.source, image.id);
    const choice = JSON.stringify([stored?.uri.toString(), stored?.use]);
    const cached = this.areasByImage.get(image.index);
    if (cached?.choice === choice) return cached.size;
    const size = await this.areaOfFile(image, signal);
    if (size) this.areasByImage.set(image.index, { choice, size });
    return size;
  }

  private async areaOfFile(image: MaskImage, signal: AbortSignal): Promise<AreaOfImage | undefined> {
    const { session, pairing, copies } = this.dependencies;
    const { crashes: crashesBefore } = this;
    const access = sessionBackgroundImages(session.masks.request, copies, this.closing.signal);
    const finder = new BackgroundImageFinder(session.source, pairing, {
      ...access,
      imageOrigin: async (at, until) =>
        (await session.masks.request('imageOrigin', { image: at }, until)).origin,
    });
    const result = await finder.find(image, signal);
    if (result.state !== 'paired') return undefined;
    const { backgroundImage, width, height, pixelSize } = result.backgroundImage;
    // After a crash, the new engine may use the number for another image.
    if (crashesBefore === this.crashes) await access.closeBackgroundImage(backgroundImage);
    if (!pixelSize) return undefined;
    // A stretched image covers the same area as its masks.
    const [pixelWidth, pixelHeight] = [
      (pixelSize.x * width) / image.width,
      (pixelSize.y * height) / image.height,
    ];
    const isOblong = Math.abs(pixelWidth / pixelHeight - 1) > MAX_SIDE_DIFFERENCE;
    return { area: width * height * pixelSize.x * pixelSize.y, ...(isOblong && { isOblong }) };
  }
}
