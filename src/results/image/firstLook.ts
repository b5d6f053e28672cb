import type { ChannelLook, BackgroundImageLook } from '../../model/backgroundImageLook';
import type { ChannelRange } from './contrast';
import type { BackgroundImageFacts } from './backgroundImageSource';

type Color = ChannelLook['color'];

const WHITE: Color = [255, 255, 255];
const RGB: readonly Color[] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
];
/** Colors of fluorescence channels; also where they overlap, color-blind people can tell them apart. */
const FLUORESCENCE: readonly Color[] = [
  [0, 158, 255],
  [255, 110, 0],
  [0, 220, 90],
  [255, 60, 190],
  [240, 228, 66],
  WHITE,
];
/** Channels that are visible at first: more are hard to tell apart. */
const MAX_VISIBLE = 4;

/** How an image is painted until the user changes it: its first plane, in the file's colors where it has any. */
export function firstLook(facts: BackgroundImageFacts, ranges: readonly ChannelRange[]): BackgroundImageLook {
  return {
    page: 0,
    z: 0,
    t: 0,
    channels: facts.channels.map((_, at) => {
      const { low, high } = ranges[at] ?? { low: 0, high: 1 };
      const inverted = facts.whiteIsZero;
      return {
        shown: at < MAX_VISIBLE,
        color: colorOf(facts, at),
        low: inverted ? high : low,
        high: inverted ? low : high,
      };
    }),
  };
}

function colorOf({ channels, rgb }: BackgroundImageFacts, channel: number): Color {
  if (rgb) return RGB[channel] ?? WHITE;
  if (channels.length === 1) return WHITE;
  const colors = channels.map(({ color }) => color);
  // Writers without colors give all channels the same one.
  const distinct = colors.every(Boolean) && new Set(colors.map(String)).size === channels.length;
  return (distinct ? colors[channel] : undefined) ?? FLUORESCENCE[channel % FLUORESCENCE.length] ?? WHITE;
}

/** The range with its ends in rising order; inverted images have them swapped. */
export function risingRange({ low, high }: ChannelRange): ChannelRange {
  return low <= high ? { low, high } : { low: high, high: low };
}
