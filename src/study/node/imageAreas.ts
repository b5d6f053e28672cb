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

/** Dependencies in the session of a result. */
type Session = Pick<ResultSession, 'source' | 'masks' | 'get' | 'request' | 'onDidLoseEngine'>;

interface ImageAreasDependencies {
  session: Session;
  choices: Pick<ResultChoices, 'pixelSizes' | 'onDidSetPixelSizes'>;
  pairing: BackgroundImagePairingSource;
  /** Paths on disk for background images; disposed of with the areas. */
  copies: Pick<LocalCopies, 'pathOf' | 'dispose'>;
}

/** Images whose size may be known. */
export interface MeasurableImages {
  /** Their paths, with known folders. */
  paths: readonly string[];
  /**
   * The size of an image, by its position; undefined if its pixel size is unknown. Throws
   * `cancelled`.
   */
  extentOf: (at: number) => Promise<ImageExtent | undefined>;
}

type KnownArea = Pick<ImageExtent, 'area' | 'isOblong'>;

/** Sides of pixels that differ by less are equal: files round them. */
const SAME_SIDES = 1e-3;
/** Files whose headers are read with one request. */
const MAX_FILES = 200;

/**
 * Sizes of images: by the user's pixel size, else by that of a certain file. Files uploaded from
 * here need no masks; for others, masks tell their background images.
 */
export class ImageAreas implements Disposable {
  private readonly closing = new AbortController();
  private readonly losing: Disposable;
  private readonly following: Disposable;
  /** Sizes from files, with the user's background images. */
  private readonly ofFiles = new Map<number, { choice: string; size: KnownArea }>();
  /** Sizes from the headers of uploaded files, by URI. */
  private readonly ofUploads = new Map<string, ImageExtent | null>();
  private readonly resized = new Emitter<void>();
  /** The user has set pixel sizes of the result. */
  readonly onDidSetPixelSizes = this.resized.event;
  /** Number of crashes of the engine, each of which closed everything. */
  private losses = 0;

  constructor(private readonly parts: ImageAreasDependencies) {
    this.losing = parts.session.onDidLoseEngine(() => this.losses++);
    this.following = parts.choices.onDidSetPixelSizes(({ key }) => {
      if (key === parts.session.source.key) this.resized.fire();
    });
  }

  /** The images of the masks, which it opens. Throws errors of opening. */
  async ofMasks(signal: AbortSignal): Promise<MeasurableImages> {
    const { session, choices } = this.parts;
    const stopped = AbortSignal.any([signal, this.closing.signal]);
    const { images } = await session.masks.open(stopped);
    // Paths of images that have one name.
    await session.get(sessionLinks).settled();
    const given = await choices.pixelSizes(session.source);
    return {
      paths: images.map(pathOfImage),
      extentOf: async at => {
        const image = images[at];
        const known = image && (await this.areaOf(image, given[image.id], stopped));
        return image && known ? { pixels: image.width * image.height, ...known } : undefined;
      },
    };
  }

  /** The submitted images; undefined if some are unknown, or none was uploaded from here. */
  async ofItems(signal: AbortSignal): Promise<MeasurableImages | undefined> {
    const { session, choices, pairing } = this.parts;
    const items = await session.source.analyzedItems?.();
    if (!items) return undefined;
    const stopped = AbortSignal.any([signal, this.closing.signal]);
    const ids = items.map(({ id }) => id);
    const files = await pairing.unchangedUploads(session.source, ids);
    if (files.size === 0) return undefined;
    const given = await choices.pixelSizes(session.source);
    return {
      paths: items.map(({ path }) => path),
      extentOf: async at => {
        const id = ids[at] ?? '';
        const uri = files.get(id);
        if (uri === undefined) return undefined;
        if (!this.ofUploads.has(uri)) {
          const next = ids.slice(at).flatMap(each => files.get(each) ?? []);
          await this.readUploads(next, stopped);
        }
        const found = this.ofUploads.get(uri);
        const size = given[id];
        return found && size !== undefined
          ? { pixels: found.pixels, area: found.pixels * size ** 2 }
          : (found ?? undefined);
      },
    };
  }

  dispose(): void {
    this.closing.abort();
    this.losing.dispose();
    this.following.dispose();
    this.resized.dispose();
    this.parts.copies.dispose();
  }

  /** Reads the headers of the first files that aren't read yet. */
  private async readUploads(uris: readonly string[], signal: AbortSignal): Promise<void> {
    const { session, copies } = this.parts;
    const some = uris.filter(uri => !this.ofUploads.has(uri)).slice(0, MAX_FILES);
    // Others would have to be copied first.
    const onDisk = some.filter(uri => uri.startsWith('file:'));
    const paths: string[] = [];
    for (const uri of onDisk) paths.push(await copies.pathOf(uri, signal));
    const { extents } = await session.request('imageExtents', { paths }, signal);
    for (const uri of some) this.ofUploads.set(uri, null);
    onDisk.forEach((uri, at) => this.ofUploads.set(uri, extents[at] ?? null));
  }

  private async areaOf(
    image: MaskImage,
    given: number | undefined,
    signal: AbortSignal,
  ): Promise<KnownArea | undefined> {
    throwIfCanceled(signal);
    // The user's size beats the file's.
    if (given !== undefined) {
      const area = image.width * image.height * given ** 2;
      return area > 0 ? { area } : undefined;
    }
    const { session, pairing } = this.parts;
    const stored = await pairing.storedChoice(session.source, image.id);
    const choice = JSON.stringify([stored?.uri.toString(), stored?.use]);
    const known = this.ofFiles.get(image.index);
    if (known?.choice === choice) return known.size;
    const size = await this.areaOfFile(image, signal);
    if (size) this.ofFiles.set(image.index, { choice, size });
    return size;
  }

  private async areaOfFile(image: MaskImage, signal: AbortSignal): Promise<KnownArea | undefined> {
    const { session, pairing, copies } = this.parts;
    const { losses } = this;
    const access = sessionBackgroundImages(session.masks.request, copies, this.closing.signal);
    const finder = new BackgroundImageFinder(session.source, pairing, {
      ...access,
      imageOrigin: async (at, each) =>
        (await session.masks.request('imageOrigin', { image: at }, each)).origin,
    });
    const found = await finder.find(image, signal);
    if (found.state !== 'paired') return undefined;
    const { backgroundImage, width, height, pixelSize } = found.backgroundImage;
    // In the engine that follows one that crashed, the number is that of another image.
    if (losses === this.losses) await access.closeBackgroundImage(backgroundImage);
    // A stretched one covers the same area as its masks.
    if (!pixelSize) return undefined;
    const [across, down] = [(pixelSize.x * width) / image.width, (pixelSize.y * height) / image.height];
    const isOblong = Math.abs(across / down - 1) > SAME_SIDES;
    return { area: width * height * pixelSize.x * pixelSize.y, ...(isOblong && { isOblong }) };
  }
}
