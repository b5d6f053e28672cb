import type { BackgroundImageAccess } from './backgroundImageFinder';
import type { EngineSide } from '../engineProtocol';
import type { LocalCopies } from './localCopies';

/** Sends requests to the engine thread of a session, once its masks are open. */
export interface MasksRequester {
  requestMasks<M extends keyof EngineSide['requests']>(
    method: M,
    params: EngineSide['requests'][M]['params'],
    signal: AbortSignal,
  ): Promise<EngineSide['requests'][M]['result']>;
}

/** Background images in the engine thread of a session whose masks are open; `closing` ends requests that close them. */
export function sessionBackgroundImages(
  session: MasksRequester,
  copies: Pick<LocalCopies, 'pathOf'>,
  closing: AbortSignal,
): Omit<BackgroundImageAccess, 'imageOrigin'> {
  return {
    openBackgroundImage: (path, part, signal) =>
      session.requestMasks('openBackgroundImage', { path, ...part }, signal),
    closeBackgroundImage: async backgroundImage => {
      await session.requestMasks('closeBackgroundImage', { backgroundImage }, closing);
    },
    hashFile: (path, signal) => session.requestMasks('hashFile', { path }, signal),
    localPath: (uri, signal) => copies.pathOf(uri, signal),
  };
}
