import type { ChannelLook, BackgroundImageLook } from '../backgroundImageLook';
import type { ChannelRange } from './contrast';
import type { BackgroundImageFacts } from './backgroundImageSource';
import { channelColors, usualColor } from './dyeColors';

type Color = ChannelLook['color'];

const WHITE: Color = [255, 255, 255];
const RGB: readonly Color[] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
];
/** Colors for channels of which neither the file nor their name says one, in this order. */
const FURTHER: readonly Color[] = [
  channelColors.blue,
  channelColors.orange,
  channelColors.green,
  channelColors.magenta,
  channelColors.yellow,
  channelColors.gray,
  channelColors.cyan,
  channelColors.red,
  channelColors.violet,
];
/** Channels that are visible at first: more are hard to tell apart. */
const MAX_VISIBLE = 4;

/** How an image is painted until the user changes it: its first plane, in the file's colors where it has any. */
export function firstLook(facts: BackgroundImageFacts, ranges: readonly ChannelRange[]): BackgroundImageLook {
  const colors = colorsOf(facts);
  return {
    page: 0,
    z: 0,
    t: 0,
    channels: facts.channels.map((_, at) => {
      const { low, high } = ranges[at] ?? { low: 0, high: 1 };
      const inverted = facts.whiteIsZero;
      return {
        shown: at < MAX_VISIBLE,
        color: colors[at] ?? WHITE,
        low: inverted ? high : low,
        high: inverted ? low : high,
      };
    }),
  };
}

/** One color for each channel: the file's, else the usual one of its dye, else one that no other channel has. */
function colorsOf({ channels, rgb }: BackgroundImageFacts): Color[] {
  if (rgb) return channels.map((_, at) => RGB[at] ?? WHITE);
  if (channels.length === 1) return [WHITE];
  const given = channels.map(({ color }) => color && String(color));
  // Writers without colors give all channels the same one.
  const colors = channels.map(({ color }, at) =>
    given.indexOf(given[at]) === given.lastIndexOf(given[at]) ? color : undefined,
  );
  // Two channels of one color can't be told apart.
  const isFree = (color: Color) => !colors.some(taken => String(taken) === String(color));
  for (const [at, { name = '' }] of channels.entries()) {
    const usual = usualColor(name);
    if (usual && isFree(usual)) colors[at] ??= usual;
  }
  for (const at of channels.keys()) colors[at] ??= FURTHER.find(isFree) ?? FURTHER[at % FURTHER.length];
  return colors.map(color => color ?? WHITE);
}

/** The range with its ends in rising order; inverted images have them swapped. */
export function risingRange({ low, high }: ChannelRange): ChannelRange {
  return low <= high ? { low, high } : { low: high, high: low };
}
