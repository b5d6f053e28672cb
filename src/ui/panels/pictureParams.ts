import { CodedError } from '../../base/errors';
import type { ChannelLook, PictureLook } from '../../formats/pictureLook';
import type { PictureOffer } from '../../protocol/masksPage';
import { finiteNumber, wholeNumber } from './pageParams';

/** Checks of what the masks page sends about pictures. All throw `bad-request`. */

/** Channels of a look at most; more would only be a way to fill the memory. */
const MOST_CHANNELS = 4096;

export function pictureOffer(value: unknown): PictureOffer {
  const { kind, level, page, width, height } = (value ?? {}) as Record<string, unknown>;
  const size = { width: wholeNumber(width), height: wholeNumber(height) };
  if (kind === 'level') return { kind, level: wholeNumber(level), ...size };
  if (kind === 'page') return { kind, page: wholeNumber(page), ...size };
  if (kind === 'scaled') return { kind, ...size };
  throw new CodedError('bad-request', 'A page accepted something that is no offer');
}

/** The look of a picture, or undefined for its own. */
export function pictureLook(value: unknown): PictureLook | undefined {
  if (value === undefined || value === null) return undefined;
  const { page, z, t, channels } = value as Record<string, unknown>;
  if (!Array.isArray(channels) || channels.length > MOST_CHANNELS)
    throw new CodedError('bad-request', 'A page sent something else than channels');
  return {
    page: wholeNumber(page),
    z: wholeNumber(z),
    t: wholeNumber(t),
    channels: channels.map(channelLook),
  };
}

function channelLook(value: unknown): ChannelLook {
  const { shown, colour, low, high } = (value ?? {}) as Record<string, unknown>;
  if (!Array.isArray(colour)) throw new CodedError('bad-request', 'A page sent something else than a colour');
  const part = (at: number) => Math.max(0, Math.min(255, finiteNumber(colour[at])));
  return {
    shown: shown === true,
    colour: [part(0), part(1), part(2)],
    low: finiteNumber(low),
    high: finiteNumber(high),
  };
}
