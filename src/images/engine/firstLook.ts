import type { BackgroundImageLook, ChannelLook } from '../backgroundImageInfo';
import type { Samples } from '../raster';
import type { BackgroundImageFacts } from '../imageSource';

type Color = ChannelLook['color'];

const WHITE: Color = [255, 255, 255];
const RGB: readonly Color[] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
];
/** Maximum channels that are visible at first: more are hard to tell apart. */
const MAX_VISIBLE = 4;

/** The look of an image before the user changes it: the first plane, in the file's colors. */
export function firstLook(facts: BackgroundImageFacts, ranges: readonly ChannelRange[]): BackgroundImageLook {
  const colors = colorsOf(facts);
  return {
    page: 0,
    z: facts.firstZ ?? 0,
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

/** A color per channel: the file's color, else the dye's usual color, else an unused color. */
function colorsOf({ channels, rgb }: BackgroundImageFacts): Color[] {
  if (rgb) return channels.map((_, at) => RGB[at] ?? WHITE);
  if (channels.length === 1) return [WHITE];
  const fileColors = channels.map(({ color }) => color && String(color));
  // Some programs store the same color for all channels: ignore colors that repeat.
  const colors = channels.map(({ color }, at) =>
    fileColors.indexOf(fileColors[at]) === fileColors.lastIndexOf(fileColors[at]) ? color : undefined,
  );
  // Two channels of one color can't be distinguished.
  const isFree = (color: Color) => !colors.some(taken => String(taken) === String(color));
  for (const [at, { name = '' }] of channels.entries()) {
    const dyeColor = usualColor(name);
    if (dyeColor && isFree(dyeColor)) colors[at] ??= dyeColor;
  }
  for (const at of channels.keys())
    colors[at] ??= FALLBACK_COLORS.find(isFree) ?? FALLBACK_COLORS[at % FALLBACK_COLORS.length];
  return colors.map(color => color ?? WHITE);
}

/** The range with its ends in ascending order; those of inverted images are swapped. */
export function risingRange({ low, high }: ChannelRange): ChannelRange {
  return low <= high ? { low, high } : { low: high, high: low };
}

/** Channel colors. Color-blind people can tell most of them apart, even where two overlap. */
export const channelColors = {
  blue: [0, 158, 255],
  orange: [255, 110, 0],
  green: [0, 220, 90],
  magenta: [255, 60, 190],
  yellow: [240, 228, 66],
  gray: [255, 255, 255],
  red: [255, 64, 64],
  cyan: [0, 225, 235],
  violet: [170, 110, 255],
} satisfies Record<string, Color>;

type ColorName = keyof typeof channelColors;

/**
 * Patterns for dyes, fluorescent proteins, filter sets and kinds of light in a lower-case channel
 * name. Their colors are the usual ones of microscopes: near the emission of the dye, with magenta
 * for far red and violet for infrared.
 */
const COLOR_PATTERNS: readonly (readonly [ColorName, RegExp])[] = [
  [
    'gray',
    wholeWords(/bright ?field|bf|phase( contrast)?|ph ?[1-3l]|dic|nomarski|transmi\w*|trans|t ?pmt|tl|td/),
  ],
  [
    'magenta',
    wholeWords(/(deep|far) ?red|cy ?5|ir ?fp|sir|draq ?[57]|to ?pro ?3|7 ?aad|apc|allophycocyanin/),
  ],
  ['violet', wholeWords(/cy ?(5 ?5|7|7 ?5)|near ?infrared|infrared|n?ir|icg/)],
  [
    'blue',
    wholeWords(/dapi|hoechst|(e|m|tag|mtag)?bfp\d?|cascade blue|pacific blue|coumarin|(h|s)bo?q|blue/),
  ],
  ['cyan', wholeWords(/(e|m)?cfp\d?|cerulean|m?turquoise\d?|mtfp\d?|amcyan|cyan/)],
  [
    'green',
    wholeWords(
      /(e|m|s|t|sf|zs|ac|super ?folder ?)*gfp\d?|(m|zs)?green|fitc|fluorescein|fam|cy ?2|m?neon ?green|m?emerald|m?clover\d?|oregon green|calcein|fluo ?[348]|gcamp\w*|bodipy( fl)?|syto ?9|yo ?pro ?1/,
    ),
  ],
  ['yellow', wholeWords(/(e|s|m)?yfp|m?venus|m?citrine|ypet|lucifer yellow|yellow/)],
  [
    'orange',
    wholeWords(
      /tritc|cy ?3|tamra|tmrm?|tmre|td ?tomato|tomato|m?orange|m?ko ?\d?|kusabira|rhodamine( phalloidin)?|dii|vybrant dii|r ?pe|phycoerythrin/,
    ),
  ],
  [
    'red',
    wholeWords(
      /(e|m|tag|turbo|j)?rfp\d?|m?cherry\d?|m?scarlet|m?ruby\d?|m?kate\d?|m?plum|ds ?red\d?|hc ?red|texas ?red|tx ?red|cy ?3 ?5|rox|pi|propidium( iodide)?|ethidium( bromide| homodimer)?|nile red|red/,
    ),
  ],
];

/** Dyes numbered by their excitation in nm; a bare "561 nm" or "488" is a laser's line. */
const EXCITATION =
  /(?:^|\W)(?:alexa(?: ?fluor)?|af?|atto|dylight|cf|dy|jf|janelia ?fluor|cal ?fluor|hilyte(?: ?fluor)?|mb|star|abberior|ir ?dye|bodipy|ex|csu|laser) ?([3-9]\d\d)(?!\d)|^(?:ch\w* )?([3-9]\d\d) ?(?:nm)?$|(?:^|\W)([3-9]\d\d) ?nm(?:\W|$)/;
/** Dyes numbered by their emission in nm. */
const EMISSION = /(?:^|\W)(?:opal|em) ?([3-9]\d\d)(?!\d)/;
/** The usual difference between emission and excitation, in nm. */
const SHIFT = 30;

/** The usual color by excitation, up to a limit in nm. */
const BY_EXCITATION: readonly (readonly [below: number, ColorName])[] = [
  [435, 'blue'],
  [470, 'cyan'],
  [510, 'green'],
  [540, 'yellow'],
  [580, 'orange'],
  [625, 'red'],
  [670, 'magenta'],
  [Infinity, 'violet'],
];

/** The usual color of a channel of this name; undefined if the name says nothing. */
export function usualColor(name: string): Color | undefined {
  const text = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  const nm = excitationIn(text);
  const byNumber = nm !== undefined && BY_EXCITATION.find(([below]) => nm < below);
  if (byNumber) return channelColors[byNumber[1]];
  let first: { at: number; length: number; color: ColorName } | undefined;
  for (const [color, pattern] of COLOR_PATTERNS) {
    const match = pattern.exec(text);
    if (!match) continue;
    const [{ length }, at] = [match[0], match.index];
    // Of two names at the same position, use the longer: "Cy3.5", not "Cy3".
    if (!first || at < first.at || (at === first.at && length > first.length)) first = { at, length, color };
  }
  return first && channelColors[first.color];
}

function excitationIn(text: string): number | undefined {
  const excitation = EXCITATION.exec(text)?.slice(1).find(Boolean);
  if (excitation !== undefined) return Number(excitation);
  const emission = EMISSION.exec(text)?.[1];
  return emission === undefined ? undefined : Number(emission) - SHIFT;
}

function wholeWords({ source }: RegExp): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'u');
}

/** Colors, in this order, for channels without a color from the file or their name. */
const FALLBACK_COLORS: readonly Color[] = [
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

/*
 * The ends of the gray scale are percentiles, because a few hot or dead pixels would otherwise
 * flatten the contrast. 8- and 16-bit samples are counted exactly. Of wider samples, up to a
 * million evenly spaced ones are sorted.
 */

/** Sample values shown as black and as white. */
export interface ChannelRange {
  low: number;
  high: number;
}

/** The histogram of a channel, and its percentile range. */
export interface SampleSpread extends ChannelRange {
  lowest: number;
  highest: number;
  /** Numbers of samples in 64 bins of equal width from the lowest to the highest. */
  counts: number[];
}

/** Share of the samples below the range, and of those above it. */
const CLIPPED_SHARE = 0.0035;
/** Maximum samples of a channel to sort, if their values can't be counted. */
const MAX_SORTED = 1_000_000;
const BINS = 64;

/**
 * The range from the 0.35th to the 99.65th percentile of the finite samples. Several channels get
 * one range, which keeps their color balance: from their lowest to their highest percentile.
 */
export function percentileRange(channels: readonly Samples[]): ChannelRange {
  return rangeOf(
    channels.map(samples => {
      const counted = valueCounts(samples);
      return counted ? countedRange(counted) : sortedRange(samples);
    }),
  );
}

/** From the lowest to the highest end of the ranges of channels with samples. */
function rangeOf(ranges: readonly (ChannelRange | undefined)[]): ChannelRange {
  let low = Infinity;
  let high = -Infinity;
  for (const range of ranges) {
    if (!range) continue;
    low = Math.min(low, range.low);
    high = Math.max(high, range.high);
  }
  if (low > high) return { low: 0, high: 1 };
  return { low, high: high > low ? high : low + 1 };
}

/** The percentile range and the histogram of one channel, of its finite samples. */
export function spreadOf(samples: Samples): SampleSpread {
  const counted = valueCounts(samples);
  const values = counted?.values ?? samples;
  let lowest = Infinity;
  let highest = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  const counts = new Array<number>(BINS).fill(0);
  const range = rangeOf([counted ? countedRange(counted) : sortedRange(samples)]);
  if (lowest > highest) return { ...range, lowest: 0, highest: 1, counts };
  const width = (highest - lowest) / BINS || 1;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    if (!Number.isFinite(value)) continue;
    const bin = Math.min(BINS - 1, Math.floor((value - lowest) / width));
    counts[bin] = (counts[bin] as number) + (counted?.counts[at] ?? 1);
  }
  return { ...range, lowest, highest, counts };
}

/** Positions of the samples shown as black and as white, among the sorted samples. */
function percentiles(count: number): [low: number, high: number] {
  return [Math.floor(CLIPPED_SHARE * (count - 1)), Math.ceil((1 - CLIPPED_SHARE) * (count - 1))];
}

/** The values of samples in ascending order, and how many samples have each. */
interface ValueCounts {
  values: Int32Array;
  counts: Uint32Array;
  total: number;
}

/** Undefined for samples of more than 16 bits. */
function valueCounts(samples: Samples): ValueCounts | undefined {
  if (samples.BYTES_PER_ELEMENT > 2) return undefined;
  const size = 2 ** (samples.BYTES_PER_ELEMENT * 8);
  const offset = samples instanceof Int8Array || samples instanceof Int16Array ? size / 2 : 0;
  const all = new Uint32Array(size);
  for (const value of samples) all[value + offset] = (all[value + offset] as number) + 1;
  const values = Int32Array.from(all.keys()).filter(value => all[value] !== 0);
  const counts = all.filter(count => count !== 0);
  return { values: values.map(value => value - offset), counts, total: samples.length };
}

function countedRange({ values, counts, total }: ValueCounts): ChannelRange | undefined {
  const [low, high] = percentiles(total);
  /** The value of the sample at a position among the sorted samples. */
  const valueAt = (position: number) => {
    let seen = 0;
    return values[counts.findIndex(count => (seen += count) > position)];
  };
  const [lowest, highest] = [valueAt(low), valueAt(high)];
  return lowest === undefined || highest === undefined ? undefined : { low: lowest, high: highest };
}

function sortedRange(samples: Samples): ChannelRange | undefined {
  const stride = Math.max(1, Math.ceil(samples.length / MAX_SORTED));
  const values = new Float64Array(Math.ceil(samples.length / stride));
  let count = 0;
  for (let at = 0; at < samples.length; at += stride) {
    const value = samples[at] as number;
    if (Number.isFinite(value)) values[count++] = value;
  }
  if (count === 0) return undefined;
  const sorted = values.subarray(0, count).sort();
  const [low, high] = percentiles(count);
  return { low: sorted[low] ?? 0, high: sorted[high] ?? 0 };
}
