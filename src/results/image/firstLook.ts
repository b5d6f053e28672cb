import type { ChannelLook, PictureLook } from '../../formats/pictureLook';
import type { ChannelRange } from './contrast';
import type { PictureFacts } from './pictureSource';

type Colour = ChannelLook['colour'];

const WHITE: Colour = [255, 255, 255];
const RGB: readonly Colour[] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
];
/** Colours of fluorescence channels that are told apart also by the colour-blind when they are added. */
const FLUORESCENCE: readonly Colour[] = [
  [0, 158, 255],
  [255, 110, 0],
  [0, 220, 90],
  [255, 60, 190],
  [240, 228, 66],
  WHITE,
];
/** Channels shown at first: more are hard to tell apart. */
const SHOWN = 4;

/** How a picture is painted before anybody chose: its first plane, colours of the file where it names any. */
export function firstLook(facts: PictureFacts, ranges: readonly ChannelRange[]): PictureLook {
  return {
    page: 0,
    z: 0,
    t: 0,
    channels: facts.channels.map((_, at) => {
      const { low, high } = ranges[at] ?? { low: 0, high: 1 };
      const inverted = facts.whiteIsZero;
      return {
        shown: at < SHOWN,
        colour: colourOf(facts, at),
        low: inverted ? high : low,
        high: inverted ? low : high,
      };
    }),
  };
}

function colourOf({ channels, rgb }: PictureFacts, channel: number): Colour {
  if (rgb) return RGB[channel] ?? WHITE;
  if (channels.length === 1) return WHITE;
  const named = channels.map(({ colour }) => colour);
  // Writers that know no colours give all channels the same one.
  const told = named.every(Boolean) && new Set(named.map(String)).size === channels.length;
  return (told ? named[channel] : undefined) ?? FLUORESCENCE[channel % FLUORESCENCE.length] ?? WHITE;
}

/** Ranges in the order of brightness, whichever way they are painted. */
export function risingRange({ low, high }: ChannelRange): ChannelRange {
  return low <= high ? { low, high } : { low: high, high: low };
}
