import * as v from 'valibot';
import type { Disposable } from '../base/disposable';
import type { Reason } from '../base/reasons';
import { request, type RequestsOf } from '../protocol/declarations';
import type { Requester } from '../protocol/rpc';
import { finite, index, tileFields } from '../protocol/schemas';

/** Width and height of an image, or of a level or page of it, in pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/** One of the images of a file. */
export interface ImagePage extends ImageSize {
  /** The page's number in the file; identifies the image. */
  page: number;
  /** The role of the image, if the file names it. Without it, labels show the number. */
  role?: PageRole;
}

/** The role of an image in a slide file. Areas have a number and a position in µm. */
export type PageRole =
  | { kind: 'slide' }
  | { kind: 'area'; number: number; left?: number; top?: number }
  | { kind: 'macro' }
  | { kind: 'map' }
  | { kind: 'label' }
  | { kind: 'thumbnail' };

/** Whether an image of a slide file isn't a scan of tissue, such as the photo of the label. */
export function isAssociatedImage({ role }: Pick<ImagePage, 'role'>): boolean {
  return role !== undefined && role.kind !== 'slide' && role.kind !== 'area';
}

/** The facts of an open background image. */
export interface BackgroundImageInfo extends ImageSize {
  /** ID of the opened background image in later messages. */
  backgroundImage: number;
  /** Channels that can be painted; alpha is not among them. */
  channels: number;
  bitsPerSample: number;
  sampleKind: 'unsigned' | 'signed' | 'float';
  /** File name, for display. */
  name: string;
  /** Size of the file, in bytes. */
  fileSize: number;
  /**
   * Per channel, the samples shown as black and as white; absent for 8-bit RGB, shown as stored.
   */
  contrast?: { low: number; high: number }[];
  /** The look for requests without one. Opening measures the range of each channel. */
  look: BackgroundImageLook;
  /** Names of the channels in the file; empty strings if it has none. */
  channelNames: string[];
  /** Set if the three channels are red, green and blue. */
  rgb?: true;
  /** Number of positions on each axis. */
  axes: { page: number; z: number; t: number };
  /** Sizes of the pyramid's levels in the file, finest first. `level` is the opened level. */
  levels: ImageSize[];
  level: number;
  /** The file's images, if it has several: the first page of each size. `firstPage` is opened. */
  pages: ImagePage[];
  firstPage: number;
  /** µm per pixel, if the file has a plausible value. */
  pixelSize?: PixelSize;
  /** Magnification of the objective, such as 20, if the file has it. */
  magnification?: number;
  /** Name of the compression; absent for uncompressed files. */
  compression?: string;
}

/** A background image that was just opened. */
export interface OpenedBackgroundImage extends BackgroundImageInfo {
  /** Notes for the viewer: an EXIF rotation not applied, pages not shown, … */
  notes: Reason[];
}

/** How one channel is painted. The colors of all shown channels are added. */
export interface ChannelLook {
  shown: boolean;
  /** Color of a sample at `high`, 0…255 each. */
  color: [red: number, green: number, blue: number];
  /** Sample painted black. */
  low: number;
  /** Sample painted in full color. Low above high inverts the channel (white is zero). */
  high: number;
}

/** How to paint a background image: positions from 0 on its axes, and a look per channel. */
export interface BackgroundImageLook {
  page: number;
  z: number;
  t: number;
  channels: ChannelLook[];
}

/** µm per pixel, and the metadata that it comes from. */
export interface PixelSize {
  x: number;
  y: number;
  from: 'ome' | 'aperio' | 'imagej' | 'resolution' | 'hamamatsu' | 'leica' | 'ventana';
}

/** The size of the image in a file. */
export interface ImageExtent {
  pixels: number;
  /** Area in µm². */
  area: number;
  /** Set if pixels aren't square: then one factor can't convert lengths to µm. */
  isOblong?: true;
}

/** Maximum channels of a look, to limit memory. */
const MAX_CHANNELS = 4096;

const colorPart = v.pipe(
  finite,
  v.transform(value => Math.max(0, Math.min(255, value))),
);

/** See BackgroundImageLook. */
const backgroundImageLook = v.object({
  page: index,
  z: index,
  t: index,
  channels: v.pipe(
    v.array(
      v.object({
        shown: v.boolean(),
        color: v.tuple([colorPart, colorPart, colorPart]),
        low: finite,
        high: finite,
      }),
    ),
    v.maxLength(MAX_CHANNELS),
  ),
});

/** The ID of a background image, and a look; the default look if absent. */
const ofBackgroundImage = { backgroundImage: index, look: v.optional(backgroundImageLook) };

/** The masks page's requests about a background image; the panel passes them to the engine. */
export const backgroundImagePageRequests = {
  /**
   * RGBA, 8 bit, row-major, TILE_SIZE × TILE_SIZE, in the given look; alpha 0 outside the image.
   * Level n is the image averaged to 1 / 2^n of its size.
   */
  backgroundImageTile: request(v.object({ ...ofBackgroundImage, ...tileFields })).resolvesTo<{
    pixels: ArrayBuffer;
    /** Parts that can't be decoded are hatched. */
    isDamaged?: true;
  }>(),

  /**
   * Percentile range of each channel in the look's plane, and its histogram: 64 counts from
   * `lowest` to `highest`. For the "auto" button and the sliders; changes nothing.
   */
  backgroundImageContrast: request(v.object(ofBackgroundImage)).resolvesTo<{
    channels: { low: number; high: number; lowest: number; highest: number; counts: number[] }[];
  }>(),

  /** Raw samples of all channels at a pixel; null stands for NaN; empty outside the image. */
  pixelValues: request(v.object({ ...ofBackgroundImage, x: index, y: index })).resolvesTo<{
    values: (number | null)[];
  }>(),

  /**
   * Mean of each channel's raw samples inside an object's mask, without NaN; null if no sample is
   * left. If the background image and the masks differ in size, it is sampled at the center of each
   * mask pixel.
   */
  objectIntensity: request(v.object({ ...ofBackgroundImage, image: index, object: index })).resolvesTo<{
    means: (number | null)[];
    pixels: number;
  }>(),
};

/** Requests about background images that an engine thread handles. */
export type BackgroundImageRequests = RequestsOf<typeof backgroundImagePageRequests> & {
  /**
   * Opens a background image file; of a large file only an overview is read, with progress. `level`
   * opens a coarser level of a pyramid, `page` a page of another size. `turned` is an EXIF
   * orientation to apply. Progress events repeat `image`. Throws `bad-request` with the codec's
   * name if the file can't be read.
   */
  openBackgroundImage: {
    params: { path: string; level?: number; page?: number; turned?: number; image?: number };
    result: OpenedBackgroundImage;
  };
  /** SHA-256, in hex, and size of a file. */
  hashFile: { params: { path: string }; result: { sha256: string; size: number } };
  /** Sizes of files' images; null if a file has several sizes, no pixel size, or can't be read. */
  imageExtents: { params: { paths: readonly string[] }; result: { extents: (ImageExtent | null)[] } };
  closeBackgroundImage: { params: { backgroundImage: number }; result: Record<string, never> };
};

/** An engine thread that only decodes or hashes image files; disposing of it ends the thread. */
export interface ImageThread extends Disposable {
  readonly endpoint: Requester<BackgroundImageRequests>;
}

/** How a file changed after it was read. */
export type FileChange = 'changed' | 'deleted';

declare module '../protocol/engineRequests' {
  interface EngineRequests extends BackgroundImageRequests {}
}
