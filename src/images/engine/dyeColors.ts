import type { ChannelLook } from '../backgroundImageLook';

type Color = ChannelLook['color'];

/** Colors of channels; also where two overlap, color-blind people can tell most of them apart. */
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
 * Names of dyes, fluorescent proteins, filter sets and kinds of light, as words of a channel's name in lower case. The colors are
 * those that most microscopes give them: near to what the dye emits, with magenta for far red and violet for infrared.
 */
const NAMES: readonly (readonly [ColorName, RegExp])[] = [
  ['gray', words(/bright ?field|bf|phase( contrast)?|ph ?[1-3l]|dic|nomarski|transmi\w*|trans|t ?pmt|tl|td/)],
  ['magenta', words(/(deep|far) ?red|cy ?5|ir ?fp|sir|draq ?[57]|to ?pro ?3|7 ?aad|apc|allophycocyanin/)],
  ['violet', words(/cy ?(5 ?5|7|7 ?5)|near ?infrared|infrared|n?ir|icg/)],
  ['blue', words(/dapi|hoechst|(e|m|tag|mtag)?bfp\d?|cascade blue|pacific blue|coumarin|(h|s)bo?q|blue/)],
  ['cyan', words(/(e|m)?cfp\d?|cerulean|m?turquoise\d?|mtfp\d?|amcyan|cyan/)],
  [
    'green',
    words(
      /(e|m|s|t|sf|zs|ac|super ?folder ?)*gfp\d?|(m|zs)?green|fitc|fluorescein|fam|cy ?2|m?neon ?green|m?emerald|m?clover\d?|oregon green|calcein|fluo ?[348]|gcamp\w*|bodipy( fl)?|syto ?9|yo ?pro ?1/,
    ),
  ],
  ['yellow', words(/(e|s|m)?yfp|m?venus|m?citrine|ypet|lucifer yellow|yellow/)],
  [
    'orange',
    words(
      /tritc|cy ?3|tamra|tmrm?|tmre|td ?tomato|tomato|m?orange|m?ko ?\d?|kusabira|rhodamine( phalloidin)?|dii|vybrant dii|r ?pe|phycoerythrin/,
    ),
  ],
  [
    'red',
    words(
      /(e|m|tag|turbo|j)?rfp\d?|m?cherry\d?|m?scarlet|m?ruby\d?|m?kate\d?|m?plum|ds ?red\d?|hc ?red|texas ?red|tx ?red|cy ?3 ?5|rox|pi|propidium( iodide)?|ethidium( bromide| homodimer)?|nile red|red/,
    ),
  ],
];

/** Families of dyes that are numbered by what excites them, in nm; "561 nm" and "488" alone are a laser's line. */
const EXCITATION =
  /(?:^|\W)(?:alexa(?: ?fluor)?|af?|atto|dylight|cf|dy|jf|janelia ?fluor|cal ?fluor|hilyte(?: ?fluor)?|mb|star|abberior|ir ?dye|bodipy|ex|csu|laser) ?([3-9]\d\d)(?!\d)|^(?:ch\w* )?([3-9]\d\d) ?(?:nm)?$|(?:^|\W)([3-9]\d\d) ?nm(?:\W|$)/;
/** Names that are numbered by the light that comes back. */
const EMISSION = /(?:^|\W)(?:opal|em) ?([3-9]\d\d)(?!\d)/;
/** About how far, in nm, the light that comes back is from that which excites. */
const SHIFT = 30;

/** Up to which excitation a color is usual, in nm. */
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

/** The color that a channel of this name usually has; undefined where the name says nothing of it. */
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
  for (const [color, pattern] of NAMES) {
    const found = pattern.exec(text);
    if (!found) continue;
    const [{ length }, at] = [found[0], found.index];
    // Of two names that begin together the longer one is meant: "Cy3.5", not "Cy3".
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

function words({ source }: RegExp): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'u');
}
