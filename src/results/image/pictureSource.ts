import type { PixelSize } from '../../formats/pictureLook';
import type { SampleKind, Samples } from '../../formats/raster';
import type { PixelWindow } from '../../formats/tiff/tiffWindow';

export interface Size {
  width: number;
  height: number;
}

/** A place on the axes of a picture, from 0. */
export interface PlanePosition {
  page: number;
  z: number;
  t: number;
}

export interface SourceChannel {
  name?: string;
  colour?: [red: number, green: number, blue: number];
}

/** What is known of a picture before a sample is read. */
export interface PictureFacts {
  /** Levels in the file, the finest first; there is at least one. */
  levels: Size[];
  /** Channels that can be painted: without alpha. */
  channels: SourceChannel[];
  bitsPerSample: number;
  kind: SampleKind;
  /** RGB is painted with one range for its three channels, or as it is when it has 8 bits. */
  rgb: boolean;
  /** Black is the highest sample. */
  whiteIsZero: boolean;
  axes: { page: number; z: number; t: number };
  pages: (Size & { page: number })[];
  firstPage: number;
  pixelSize?: PixelSize;
  compression?: string;
  notes: string[];
}

/** A picture of which any part can be read. */
export interface PictureSource {
  readonly facts: PictureFacts;
  /**
   * Samples of one channel in a window inside a level, row-major. A plane that the file does not have is all NaN.
   * Throws `bad-request` with the reason, `file-changed`, `cancelled`.
   */
  read(
    position: PlanePosition,
    channel: number,
    level: number,
    window: PixelWindow,
    signal?: AbortSignal,
  ): Promise<Samples>;
  /** Samples that have to be decoded to read a window of a level, cached ones included. */
  cost(level: number, window: PixelWindow): number;
  /** Channels whose samples lie together, so that reading one reads all. */
  together(channel: number): number[];
  /** Bytes it holds in memory. */
  readonly bytes: number;
  /** Lets go of what can be had again. */
  release(): Promise<void>;
}
