import type { Reason } from '../base/reasons';
import type { BackgroundImageLook, PixelSize } from './backgroundImageLook';

/** Width and height of an image, or of a level or page of it, in pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/** What is known of an open background image. */
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
  /** Sample values shown as black and white, per channel; absent when 8-bit RGB is shown as it is. */
  contrast?: { low: number; high: number }[];
  /** How it is painted unless a request has another look; the range of each channel was chosen once. */
  look: BackgroundImageLook;
  /** Names of the channels as the file gives them, else empty. */
  channelNames: string[];
  /** Set where the three channels are red, green and blue. */
  rgb?: true;
  /** Number of positions on each axis; 1 where there is nothing to choose. */
  axes: { page: number; z: number; t: number };
  /** Sizes in the file, finest first, when it is a pyramid; `level` is the one used as the background image. */
  levels: ImageSize[];
  level: number;
  /** First pages of each size, when the file's pages differ in size; `firstPage` is the one that was opened. */
  pages: (ImageSize & { page: number })[];
  firstPage: number;
  /** µm per pixel, when the file says so believably. */
  pixelSize?: PixelSize;
  /** Name of the compression; absent where there is none. */
  compression?: string;
}

/** A background image that was just opened. */
export interface OpenedBackgroundImage extends BackgroundImageInfo {
  /** What a viewer should know: an EXIF rotation that was not applied, pages that are not shown, … */
  notes: Reason[];
}
