import type { PixelSize } from '../backgroundImageLook';

/** Where a channel's samples at one position of the axes are. */
export interface ChannelPlace {
  /** Position in TiffLayout.planes. */
  plane: number;
  sample: number;
}

export interface LayoutChannel {
  name?: string;
  color?: [red: number, green: number, blue: number];
}

/** Planes of one size that belong together on axes. */
export interface TiffSeries {
  width: number;
  height: number;
  /** The first page, counted over the file's planes; names the series. */
  page: number;
  axes: { page: number; z: number; t: number };
  /** Channels in planes of their own; undefined when the channels are the samples of one plane. */
  channels?: LayoutChannel[];
  /** Names for the samples of a plane where they are the channels. */
  sampleNames?: LayoutChannel[];
  /** Plane of a position; undefined where the file has none. */
  place(position: { page: number; z: number; t: number }, channel: number): ChannelPlace | undefined;
  pixelSize?: PixelSize;
  /** Planes that the metadata name and the file does not have. */
  missing?: number;
}
