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
  /** Names it in the file. */
  page: number;
  /** What it is, if the file says so; else it is called by its number. */
  role?: PageRole;
}

/** What a slide's image is: the slide, an area (its number and place in µm), or one beside it. */
export type PageRole =
  | { kind: 'slide' }
  | { kind: 'area'; number: number; left?: number; top?: number }
  | { kind: 'macro' }
  | { kind: 'map' }
  | { kind: 'label' }
  | { kind: 'thumbnail' };

/** Whether a slide's image wasn't scanned, such as its label: nobody analyzes it. */
export function isBesideSlide({ role }: Pick<ImagePage, 'role'>): boolean {
  return role !== undefined && role.kind !== 'slide' && role.kind !== 'area';
}

/** The facts of an open background image. */
export interface BackgroundImageInfo extends ImageSize {
  /** Names the opened background image in later messages. */
  backgroundImage: number;
  /** Channels that can be painted; alpha is not among them. */
  channels: number;
  bitsPerSample: number;
  sampleKind: 'unsigned' | 'signed' | 'float';
  /** File name, for display. */
  name: string;
  /** Of the file, in bytes. */
  fileSize: number;
  /** Sample values shown as black and white, per channel; absent for 8-bit RGB as it is. */
  contrast?: { low: number; high: number }[];
  /** Its look unless a request has another; each channel's range was chosen once. */
  look: BackgroundImageLook;
  /** Names of the channels as the file gives them, else empty. */
  channelNames: string[];
  /** Set where the three channels are red, green and blue. */
  rgb?: true;
  /** Number of positions on each axis; 1 where there is nothing to choose. */
  axes: { page: number; z: number; t: number };
  /** Sizes in the file, finest first, of a pyramid; `level` is the background image's. */
  levels: ImageSize[];
  level: number;
  /** The file's images, if several: of pages, the first of each size; `firstPage` is the opened. */
  pages: ImagePage[];
  firstPage: number;
  /** µm per pixel, when the file says so believably. */
  pixelSize?: PixelSize;
  /** Of the objective, such as 20, when the file says so. */
  magnification?: number;
  /** Name of the compression; absent where there is none. */
  compression?: string;
}

/** A background image that was just opened. */
export interface OpenedBackgroundImage extends BackgroundImageInfo {
  /** Notes for the viewer: an EXIF rotation not applied, pages not shown, … */
  notes: Reason[];
}

/** How one channel is painted; the channels that are shown are added up. */
export interface ChannelLook {
  shown: boolean;
  /** Color of a sample at `high`, 0…255 each. */
  color: [red: number, green: number, blue: number];
  /** Sample painted black. */
  low: number;
  /** Sample painted in full color. Low above high inverts the channel (white is zero). */
  high: number;
}

/** What to paint of a background image: positions from 0 on its axes, and a look per channel. */
export interface BackgroundImageLook {
  page: number;
  z: number;
  t: number;
  channels: ChannelLook[];
}

/** µm per pixel, and where that is known from. */
export interface PixelSize {
  x: number;
  y: number;
  from: 'ome' | 'aperio' | 'imagej' | 'resolution' | 'hamamatsu' | 'leica' | 'ventana';
}

/** How large the image in a file is. */
export interface ImageExtent {
  pixels: number;
  /** In µm². */
  area: number;
  /** Its pixels aren't square: lengths in it have no factor. */
  isOblong?: true;
}

/** Channels of a look; more would only use up memory. */
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

/** The opened background image, and its look; the default one when absent. */
const ofBackgroundImage = { backgroundImage: index, look: v.optional(backgroundImageLook) };

/** The masks page's requests about a background image; the panel passes them to the engine. */
export const backgroundImagePageRequests = {
  /**
   * RGBA, 8 bit, row-major, TILE_SIZE × TILE_SIZE, in the given look; alpha 0 is outside. Level n
   * is the image at 1 / 2^n of its size, averaged.
   */
  backgroundImageTile: request(v.object({ ...ofBackgroundImage, ...tileFields })).resolvesTo<{
    pixels: ArrayBuffer;
    /** Parts that can't be decoded are hatched. */
    isDamaged?: true;
  }>(),

  /**
   * Range of each channel from percentiles of the plane that the look names, and the distribution
   * of its samples: 64 counts from `lowest` to `highest`. For an "auto" button and for a slider;
   * changes nothing.
   */
  backgroundImageContrast: request(v.object(ofBackgroundImage)).resolvesTo<{
    channels: { low: number; high: number; lowest: number; highest: number; counts: number[] }[];
  }>(),

  /** Raw samples of all channels at a pixel of the background image, NaN as null; empty outside. */
  pixelValues: request(v.object({ ...ofBackgroundImage, x: index, y: index })).resolvesTo<{
    values: (number | null)[];
  }>(),

  /**
   * Mean of the raw samples of each channel inside an object's mask, over the samples that are
   * numbers (null without any). A background image of another size than its masks is sampled at the
   * center of each mask pixel.
   */
  objectIntensity: request(v.object({ ...ofBackgroundImage, image: index, object: index })).resolvesTo<{
    means: (number | null)[];
    pixels: number;
  }>(),
};

/** Requests about background images that an engine thread handles. */
export type BackgroundImageRequests = RequestsOf<typeof backgroundImagePageRequests> & {
  /**
   * Opens a background image file; of a large one only an overview is read, with progress. `level`
   * opens a coarser level of a pyramid, `page` a page of another size, as the background image;
   * `turned` is an EXIF orientation to apply. Events about its progress name `image`. Throws
   * `bad-request` with the codec named when it can't be read.
   */
  openBackgroundImage: {
    params: { path: string; level?: number; page?: number; turned?: number; image?: number };
    result: OpenedBackgroundImage;
  };
  /** SHA-256, in hex, and size of a file. */
  hashFile: { params: { path: string }; result: { sha256: string; size: number } };
  /** Sizes of files' images; null if a file has several sizes, doesn't say, or can't be read. */
  imageExtents: { params: { paths: readonly string[] }; result: { extents: (ImageExtent | null)[] } };
  closeBackgroundImage: { params: { backgroundImage: number }; result: Record<string, never> };
};

/** An engine thread that only decodes or hashes image files; disposing of it ends the thread. */
export interface ImageThread extends Disposable {
  readonly endpoint: Requester<BackgroundImageRequests>;
}

/** What happened to a file since it was read. */
export type FileChange = 'changed' | 'deleted';

declare module '../protocol/engineRequests' {
  interface EngineRequests extends BackgroundImageRequests {}
}
