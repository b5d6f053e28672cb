import type { Disposable } from '../base/disposable';
import { CodedError } from '../base/errors';
import type { PictureLook } from '../formats/pictureLook';
import type { PictureInfo, PictureRequests } from '../protocol/pictureEngine';
import type { RequestHandlers } from '../protocol/rpc';
import { risingRange } from '../results/image/firstLook';
import { hashFile } from '../results/image/hashFile';
import { objectIntensity } from '../results/image/objectIntensity';
import type { Picture } from '../results/image/picture';
import { Pictures } from '../results/image/pictures';
import { maskOf, type ImageObjects } from '../results/masks/imageObjects';
import type { ProgressOf } from './progress';

/** The decoded objects of an image. Throws `bad-request` when no masks are open. */
type ObjectsOf = (image: number, signal: AbortSignal) => Promise<ImageObjects>;

/** Ranges that pictures of the same kind start with. */
interface Lock {
  kind: string;
  ranges: { low: number; high: number }[];
}

/** The pictures under one result's masks, and the answers about them. */
export class PictureAnswers implements Disposable {
  private readonly pictures = new Pictures();
  private lock: Lock | undefined;

  constructor(
    private readonly progress: ProgressOf,
    private readonly objectsOf: ObjectsOf,
  ) {}

  readonly handlers: RequestHandlers<PictureRequests> = {
    openPicture: async ({ path, level, page }, signal) => {
      const choice = { ...(level !== undefined && { level }), ...(page !== undefined && { page }) };
      const progress = this.progress('picture', 'picture');
      const { number, name, picture } = await this.pictures.open(path, choice, signal, progress);
      return this.infoOf(number, name, picture);
    },
    pictureTile: async ({ picture, level, x, y, look }, signal) => {
      const opened = await this.pictures.picture(picture, signal);
      return { pixels: (await opened.tile(level, x, y, look ?? this.lookOf(opened), signal)).buffer };
    },
    pictureContrast: async ({ picture, look }, signal) => {
      const opened = await this.pictures.picture(picture, signal);
      return { channels: await opened.spread(look, signal) };
    },
    lockContrast: async ({ picture, channels }, signal) => {
      const opened = await this.pictures.picture(picture, signal);
      this.lock = channels
        ? { kind: kindOf(opened), ranges: channels.map(({ low, high }) => ({ low, high })) }
        : undefined;
      return {};
    },
    pixelValues: async ({ picture, x, y, look }, signal) => {
      const opened = await this.pictures.picture(picture, signal);
      return { values: (await opened.values(x, y, look, signal)).map(asJson) };
    },
    objectIntensity: async ({ picture, image, object, look }, signal) => {
      const opened = await this.pictures.picture(picture, signal);
      const objects = await this.objectsOf(image, signal);
      if (!Number.isInteger(object) || object < 0 || object >= objects.count)
        throw new CodedError('bad-request', `There is no object ${object}`);
      const means = await objectIntensity(opened, maskOf(objects, object), objects, look, signal);
      return { means: means.map(asJson), pixels: objects.areas[object] ?? 0 };
    },
    hashFile: ({ path }, signal) => hashFile(path, signal),
    closePicture: async ({ picture }) => {
      await this.pictures.close(picture);
      return {};
    },
  };

  dispose(): void {
    // The files are let go of when what is being read of them was read; nobody waits for it.
    this.pictures.release().catch(() => undefined);
  }

  private infoOf(number: number, name: string, picture: Picture): PictureInfo {
    const { facts } = picture.source;
    const { width, height } = picture.size;
    const look = this.lookOf(picture);
    const finest = facts.levels[0]?.width ?? width;
    const { pixelSize } = facts;
    return {
      picture: number,
      width,
      height,
      channels: facts.channels.length,
      bitsPerSample: facts.bitsPerSample,
      sampleKind: facts.kind,
      name,
      notes: facts.notes,
      ...(picture.contrast && { contrast: look.channels.map(risingRange) }),
      look,
      channelNames: facts.channels.some(channel => channel.name !== undefined)
        ? facts.channels.map(channel => channel.name ?? '')
        : [],
      axes: facts.axes,
      levels: facts.levels,
      level: picture.level,
      pages: facts.pages,
      firstPage: facts.firstPage,
      ...(pixelSize && {
        pixelSize: {
          ...pixelSize,
          x: (pixelSize.x * finest) / width,
          y: (pixelSize.y * (facts.levels[0]?.height ?? height)) / height,
        },
      }),
      ...(facts.compression !== undefined && { compression: facts.compression }),
    };
  }

  /** The picture's own look, in the locked ranges where they are for its kind. */
  private lookOf(picture: Picture): PictureLook {
    const { look } = picture;
    if (this.lock?.kind !== kindOf(picture)) return look;
    const { ranges } = this.lock;
    return { ...look, channels: look.channels.map((channel, at) => ({ ...channel, ...ranges[at] })) };
  }
}

/** Ranges mean the same only for as many channels of the same samples. */
function kindOf({ source: { facts } }: Picture): string {
  return `${facts.channels.length} ${facts.kind} ${facts.bitsPerSample} ${facts.rgb} ${facts.whiteIsZero}`;
}

/** NaN and infinity do not survive JSON. */
function asJson(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
