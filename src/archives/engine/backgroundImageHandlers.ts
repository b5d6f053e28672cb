import type { BackgroundImageRequests, OpenedBackgroundImage } from '../../images/backgroundImageInfo';
import type { Disposable } from '../../base/disposable';
import { CodedError } from '../../base/errors';
import type { RequestHandlers } from '../../protocol/rpc';
import { risingRange } from '../../images/engine/firstLook';
import { imageExtents } from '../../images/engine/imageExtents';
import { hashFile } from '../../images/engine/fileByteSource';
import { objectIntensity } from './objectIntensity';
import type { BackgroundImage } from '../../images/engine/backgroundImage';
import { BackgroundImages } from '../../images/engine/backgroundImages';
import { type ImageObjects, maskOf } from './imageObjects';
import { whyUndecodable } from '../../images/raster';
import type { StartProgress } from '../../protocol/engineProgress';

/** The decoded objects of an image. Throws `bad-request` when no masks are open. */
type ObjectsOf = (image: number, signal: AbortSignal) => Promise<ImageObjects>;

/** The background images of one result, and the handlers of the requests about them. */
export class BackgroundImageHandlers implements Disposable {
  private readonly backgroundImages = new BackgroundImages();

  constructor(
    private readonly startProgress: StartProgress,
    private readonly objectsOf: ObjectsOf,
  ) {}

  readonly handlers: RequestHandlers<BackgroundImageRequests> = {
    openBackgroundImage: async ({ path, level, page, turned, image: imageNumber }, signal) => {
      const part = {
        ...(level !== undefined && { level }),
        ...(page !== undefined && { page }),
        ...(turned !== undefined && { turned }),
      };
      const progress = this.startProgress('backgroundImage', 'backgroundImage', imageNumber);
      const { number, name, fileSize, image } = await this.backgroundImages.open(
        path,
        part,
        signal,
        progress,
      );
      return { ...this.infoOf(number, name, image), fileSize };
    },
    backgroundImageTile: async ({ backgroundImage, level, x, y, look }, signal) => {
      const opened = await this.backgroundImages.get(backgroundImage, signal);
      const damage: unknown[] = [];
      const pixels = await opened.tile(level, x, y, look ?? opened.look, signal, error => damage.push(error));
      return { pixels: pixels.buffer, ...(damage.length > 0 && { isDamaged: true as const }) };
    },
    backgroundImageContrast: async ({ backgroundImage, look }, signal) => {
      const opened = await this.backgroundImages.get(backgroundImage, signal);
      return { channels: await opened.spread(look, signal) };
    },
    pixelValues: async ({ backgroundImage, x, y, look }, signal) => {
      const opened = await this.backgroundImages.get(backgroundImage, signal);
      return { values: (await opened.values(x, y, look, signal)).map(asJson) };
    },
    objectIntensity: async ({ backgroundImage, image, object, look }, signal) => {
      const opened = await this.backgroundImages.get(backgroundImage, signal);
      const objects = await this.objectsOf(image, signal);
      if (!Number.isInteger(object) || object < 0 || object >= objects.count)
        throw new CodedError('bad-request', `Object ${object} does not exist`);
      const means = await objectIntensity(opened, maskOf(objects, object), objects, look, signal);
      return { means: means.map(asJson), pixels: objects.areas[object] ?? 0 };
    },
    hashFile: ({ path }, signal) => hashFile(path, signal),
    imageExtents: async ({ paths }, signal) => ({ extents: await imageExtents(paths, signal) }),
    closeBackgroundImage: async ({ backgroundImage }) => {
      await this.backgroundImages.close(backgroundImage);
      return {};
    },
  };

  /** An opened background image. Throws `bad-request` for one that isn't open. */
  opened(number: number, signal?: AbortSignal): Promise<BackgroundImage> {
    return this.backgroundImages.get(number, signal);
  }

  dispose(): void {
    // Files are closed once pending reads have ended; nothing waits for that.
    this.backgroundImages.release().catch(() => undefined);
  }

  private infoOf(
    number: number,
    name: string,
    backgroundImage: BackgroundImage,
  ): Omit<OpenedBackgroundImage, 'fileSize'> {
    const { facts } = backgroundImage.source;
    const { width, height } = backgroundImage.size;
    const { look, damage } = backgroundImage;
    const finest = facts.levels[0]?.width ?? width;
    const { pixelSize } = facts;
    return {
      backgroundImage: number,
      width,
      height,
      channels: facts.channels.length,
      bitsPerSample: facts.bitsPerSample,
      sampleKind: facts.kind,
      name,
      notes: damage === undefined ? facts.notes : [...facts.notes, whyUndecodable(damage)],
      ...(backgroundImage.contrast && { contrast: look.channels.map(risingRange) }),
      look,
      channelNames: facts.channels.some(channel => channel.name !== undefined)
        ? facts.channels.map(channel => channel.name ?? '')
        : [],
      ...(facts.rgb && { rgb: true as const }),
      axes: facts.axes,
      levels: facts.levels,
      level: backgroundImage.level,
      pages: facts.pages,
      firstPage: facts.firstPage,
      ...(pixelSize && {
        pixelSize: {
          ...pixelSize,
          x: (pixelSize.x * finest) / width,
          y: (pixelSize.y * (facts.levels[0]?.height ?? height)) / height,
        },
      }),
      ...(facts.magnification !== undefined && { magnification: facts.magnification }),
      ...(facts.compression !== undefined && { compression: facts.compression }),
    };
  }
}

/** JSON has no NaN and no infinity. */
function asJson(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
