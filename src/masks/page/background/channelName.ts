import type { BackgroundImageInfo } from '../../../images/backgroundImageInfo';
import type { MasksText } from '../../../pages/page/pageText';

const RGB = ['channelRed', 'channelGreen', 'channelBlue'] as const;

/** The name of a channel (from 0): as the file gives it, else its color in an RGB image, else its number. */
export function channelName(
  text: MasksText,
  { channelNames, rgb }: Pick<BackgroundImageInfo, 'channelNames' | 'rgb'>,
  at: number,
): string {
  const color = rgb && RGB[at];
  return channelNames[at] || (color ? text.get(color) : text.get('channel', at + 1));
}
