import * as v from 'valibot';
import type { Disposable } from '../base/disposable';
import type { OpenedBackgroundImage } from './backgroundImageInfo';
import { request, type RequestsOf } from '../protocol/declarations';
import type { Requester } from '../protocol/rpc';
import { backgroundImageLook, index, objectRefFields, tileFields } from '../protocol/schemas';

/** The opened background image, and its look; the default one when absent. */
const ofBackgroundImage = { backgroundImage: index, look: v.optional(backgroundImageLook) };

/** Requests of the masks page about an open background image; the panel passes them on to the engine. */
export const backgroundImagePageRequests = {
  /**
   * RGBA, 8 bit, row-major, TILE_SIZE × TILE_SIZE, in the given look. Alpha 0 is outside. Level n is the background
   * image at 1 / 2^n of its size, averaged.
   */
  backgroundImageTile: request(v.object({ ...ofBackgroundImage, ...tileFields })).resolvesTo<{
    pixels: ArrayBuffer;
  }>(),

  /**
   * Range of each channel from percentiles of the plane that the look names, and the distribution of its samples: 64
   * counts from `lowest` to `highest`. For an "auto" button and for a slider; changes nothing.
   */
  backgroundImageContrast: request(v.object(ofBackgroundImage)).resolvesTo<{
    channels: { low: number; high: number; lowest: number; highest: number; counts: number[] }[];
  }>(),

  /** Raw samples of all channels at a pixel of the background image, NaN as null; empty outside of it. */
  pixelValues: request(v.object({ ...ofBackgroundImage, x: index, y: index })).resolvesTo<{
    values: (number | null)[];
  }>(),

  /**
   * Mean of the raw samples of each channel inside an object's mask, over the samples that are numbers (null without
   * any). A background image of another size than its masks is sampled at the center of each mask pixel.
   */
  objectIntensity: request(v.object({ ...ofBackgroundImage, ...objectRefFields })).resolvesTo<{
    means: (number | null)[];
    pixels: number;
  }>(),
};

/** Requests about background images that an engine thread handles. */
export type BackgroundImageRequests = RequestsOf<typeof backgroundImagePageRequests> & {
  /**
   * Opens a background image file; of a large one only an overview is read, with progress. `level` opens a coarser
   * level of a pyramid, `page` a page of another size, as the background image. Events about its progress name `image`.
   * Throws `bad-request` with the codec named when it can't be read.
   */
  openBackgroundImage: {
    params: { path: string; level?: number; page?: number; image?: number };
    result: OpenedBackgroundImage;
  };
  /** SHA-256, in hex, and size of a file. */
  hashFile: { params: { path: string }; result: { sha256: string; size: number } };
  closeBackgroundImage: { params: { backgroundImage: number }; result: Record<string, never> };
};

/** An engine thread as those see it who only have image files decoded or hashed; disposing of it ends the thread. */
export interface ImageThread extends Disposable {
  readonly endpoint: Requester<BackgroundImageRequests>;
}
