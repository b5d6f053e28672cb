import type { ChannelLook, PictureLook, PixelSize } from '../formats/pictureLook';

export interface PictureSize {
  width: number;
  height: number;
}

export interface PictureInfo {
  /** Names the opened picture in later messages. */
  picture: number;
  width: number;
  height: number;
  /** Channels that can be painted; alpha is not among them. */
  channels: number;
  bitsPerSample: number;
  sampleKind: 'unsigned' | 'signed' | 'float';
  /** File name, for display. */
  name: string;
  /** What the viewer should know: an EXIF rotation that was not applied, pages of other sizes that are not shown. */
  notes: string[];
  /** Sample values shown as black and white, per channel; absent when 8-bit RGB is shown as it is. */
  contrast?: { low: number; high: number }[];
  /** How it is painted unless a tile asks for another look; the range of each channel was chosen once. */
  look: PictureLook;
  /** Names of the channels as the file gives them, else empty. */
  channelNames: string[];
  /** Number of positions on each axis; 1 where there is nothing to choose. */
  axes: { page: number; z: number; t: number };
  /** Sizes in the file, finest first, when it is a pyramid; `level` is the one taken for the whole picture. */
  levels: PictureSize[];
  level: number;
  /** First pages of each size, when the file's pages differ in size; `firstPage` is the one that was opened. */
  pages: (PictureSize & { page: number })[];
  firstPage: number;
  /** µm per pixel, when the file says so believably. */
  pixelSize?: PixelSize;
  /** How the samples are compressed, by name. */
  compression?: string;
}

/** What an engine thread answers about pictures. */
export interface PictureRequests {
  /**
   * Opens a picture file; of a large one only an overview is read, with progress. `level` takes a coarser level of a pyramid,
   * `page` a page of another size, for the whole picture. `bad-request` with the codec named when it cannot be read.
   */
  openPicture: { params: { path: string; level?: number; page?: number }; result: PictureInfo };
  /**
   * RGBA, 8 bit, row-major, TILE_SIZE × TILE_SIZE, in the given look, else in the picture's own. Alpha 0 is outside.
   * Level n is the picture at 1 / 2^n of its size, averaged.
   */
  pictureTile: {
    params: { picture: number; level: number; x: number; y: number; look?: PictureLook };
    result: { pixels: ArrayBuffer };
  };
  /**
   * Range of each channel from percentiles of the plane that the look names, and how its samples are spread: 64 counts
   * from `lowest` to `highest`. For an "auto" button and for a slider; nothing is changed.
   */
  pictureContrast: {
    params: { picture: number; look?: PictureLook };
    result: {
      channels: { low: number; high: number; lowest: number; highest: number; counts: number[] }[];
    };
  };
  /** Pictures opened from now on that have as many channels of the same kind start with these ranges; null ends it. */
  lockContrast: {
    params: { picture: number; channels: Pick<ChannelLook, 'low' | 'high'>[] | null };
    result: Record<string, never>;
  };
  /** Raw samples of all channels at a pixel of the picture, NaN as null; empty outside of it. */
  pixelValues: {
    params: { picture: number; x: number; y: number; look?: PictureLook };
    result: { values: (number | null)[] };
  };
  /**
   * Mean of the raw samples of each channel inside an object's mask, over the samples that are numbers (null without any).
   * A picture of another size than its image is read at the middle of each mask pixel.
   */
  objectIntensity: {
    params: { picture: number; image: number; object: number; look?: PictureLook };
    result: { means: (number | null)[]; pixels: number };
  };
  /** SHA-256, in hex, and size of a file. */
  hashFile: { params: { path: string }; result: { sha256: string; size: number } };
  closePicture: { params: { picture: number }; result: Record<string, never> };
}
