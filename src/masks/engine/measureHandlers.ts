import type { MeasureRequests } from '../measureRequests';
import type { RequestHandlers } from '../../protocol/rpc';
import type { BackgroundImage } from '../../images/engine/backgroundImage';
import type { Masks } from './masks';
import { writeMeasuredTable } from './measured/measuredTable';
import type { StartProgress } from '../../protocol/engineProgress';

export interface MeasureHandlersParts {
  startProgress: StartProgress;
  /** The open masks. Throws `bad-request` when none are open. */
  masks: () => Masks;
  /** An opened background image, by number. */
  backgroundImage: (number: number, signal?: AbortSignal) => Promise<BackgroundImage>;
}

/** The handlers of requests about tables measured from masks. */
export function measureHandlers({
  startProgress,
  masks,
  backgroundImage,
}: MeasureHandlersParts): RequestHandlers<MeasureRequests> {
  return {
    writeMeasuredTable: ({ path, backgrounds }, signal) =>
      writeMeasuredTable(
        path,
        masks(),
        backgrounds.map(({ image, channels, backgroundImage: number }) => ({
          image,
          channels,
          open: shared => backgroundImage(number, shared),
        })),
        signal,
        startProgress('measured', 'objects'),
      ),
  };
}
