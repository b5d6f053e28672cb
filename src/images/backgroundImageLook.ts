/** How one channel is painted; the channels that are shown are added up. */
export interface ChannelLook {
  shown: boolean;
  /** Color of a sample at `high`, 0…255 each. */
  color: [red: number, green: number, blue: number];
  /** Sample painted black. */
  low: number;
  /** Sample painted in the full color. Where low is above high the channel is inverted (white is zero). */
  high: number;
}

/** What of a background image is painted, and how: positions from 0 on its axes, and one look for each of its channels. */
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
  from: 'ome' | 'aperio' | 'imagej' | 'resolution';
}
