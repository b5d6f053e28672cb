import type { ExportRequests } from '../exportRequests';
import type { RequestHandlers } from '../../protocol/rpc';
import { exportMasks } from './exportMasks';
import type { Masks } from '../../masks/engine/masks';
import type { StartProgress } from '../../protocol/engineProgress';

/** The handlers of export requests. `opened` returns the open masks, or throws `bad-request`. */
export function exportHandlers(
  startProgress: StartProgress,
  opened: () => Masks,
): RequestHandlers<ExportRequests> {
  const running = new Set<Promise<unknown>>();
  return {
    exportMasks: async (request, signal) => {
      const masks = opened();
      if (request.paths) masks.setPaths(new Map(request.paths.map(({ image, path }) => [image, path])));
      const work = exportMasks(masks, request, signal, startProgress('export', request.name));
      running.add(work);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    },
    exportSettled: async () => {
      await Promise.allSettled(running);
      return {};
    },
  };
}
