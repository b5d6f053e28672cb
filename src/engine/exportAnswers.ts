import type { ExportRequests } from '../protocol/exportEngine';
import type { RequestHandlers } from '../protocol/rpc';
import { exportMasks } from '../results/export/exportMasks';
import type { Masks } from '../results/masks/masks';
import type { ProgressOf } from './progress';

/** The answers about exports; `opened` gives the masks that are open, or throws. */
export function exportAnswers(progress: ProgressOf, opened: () => Masks): RequestHandlers<ExportRequests> {
  const running = new Set<Promise<unknown>>();
  return {
    exportMasks: async (request, signal) => {
      const work = exportMasks(opened(), request, signal, progress('export', request.name));
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
